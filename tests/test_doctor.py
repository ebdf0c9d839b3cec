import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from attnviz import __version__, doctor, folders, inventory
from attnviz.cli import main
from attnviz.folders import MissingResourceError
from attnviz.log import reports_folder
from attnviz.versions import OLDEST, wrong_version

NEEDED = ("numpy", "pydantic", "torch", "psutil", "typing-extensions")
FOR_MODELS = ("safetensors", "tokenizers", "transformers")
FOR_THE_WINDOW = ("PySide6-Essentials", "pyqtgraph", "pygments", "ziamath")
Without = Callable[..., None]


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Without:
    """Make packages look as if they were not installed."""

    def install(*names: str) -> None:
        real = importlib.metadata.version

        def version(name: str) -> str:
            if name in names:
                raise importlib.metadata.PackageNotFoundError(name)
            return real(name)

        monkeypatch.setattr(importlib.metadata, "version", version)

    return install


@pytest.fixture(autouse=True)
def no_glyphs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no process for glyphs where they are no matter."""
    if "glyphs" not in request.function.__name__:
        monkeypatch.setattr(doctor, "_glyphs", list)


@pytest.fixture
def no_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave torch alone: its devices are no matter of these claims."""
    monkeypatch.setattr(doctor, "_devices", lambda: (["device cpu: CPU"], True))


@pytest.mark.usefixtures("no_devices")
def test_that_the_report_names_versions_resources_and_devices() -> None:
    lines, healthy = doctor.report()
    assert healthy
    assert lines[0].startswith(f"attnviz {__version__}, Python {platform.python_version()}, ")
    for name in (*NEEDED, *FOR_THE_WINDOW, *FOR_MODELS):
        assert f"{name} {importlib.metadata.version(name)}" in lines
    assert f"resources: {Path(__file__).parents[1] / 'resources'}" in lines
    assert lines[-1] == "device cpu: CPU"


MISSING = [
    *((name, "every run", 1) for name in NEEDED),
    *((name, "the window", 0) for name in FOR_THE_WINDOW),
    *((name, "models from a folder", 0) for name in FOR_MODELS),
]


@pytest.mark.usefixtures("no_devices")
@pytest.mark.parametrize(("name", "user", "code"), MISSING)
def test_that_a_missing_package_is_told_with_how_to_get_it_and_ends_in_failure_where_every_run_needs_it(
    name: str, user: str, code: int, without: Without, capsys: pytest.CaptureFixture[str]
) -> None:
    without(name)
    assert main(["doctor"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert f"{name} is missing, needed for {user}: python -m pip install '{name}'" in lines


def test_that_without_torch_no_device_is_asked_for(without: Without, monkeypatch: pytest.MonkeyPatch) -> None:
    without("torch")
    monkeypatch.setitem(sys.modules, "attnviz.engine.machine", None)
    lines, healthy = doctor.report()
    assert not healthy
    assert [line for line in lines if line.startswith(("device", "torch is installed"))] == []


def test_that_a_torch_which_cannot_be_loaded_is_told_and_ends_in_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "attnviz.engine.machine", None)
    assert main(["doctor"]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("torch is installed but cannot be loaded: ")
    assert last.endswith("; install it again")


def test_that_the_devices_are_those_of_this_machine() -> None:
    from attnviz.engine.machine import devices

    lines, _ = doctor.report()
    assert lines[-len(devices()) :] == [f"device {device.name}: {device.label}" for device in devices()]
    assert "device cpu: CPU" in lines


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays of Linux")
@pytest.mark.usefixtures("no_devices")
@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "none; --screenshot and run need none"),
        ({"DISPLAY": ""}, "none; --screenshot and run need none"),
        ({"DISPLAY": ":0"}, "DISPLAY=:0"),
        ({"WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":1"}, "WAYLAND_DISPLAY=wayland-1, DISPLAY=:1"),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, "QT_QPA_PLATFORM=offscreen"),
    ],
)
def test_that_the_display_is_told(environment: dict[str, str], said: str) -> None:
    with mock.patch.dict(os.environ, environment):
        for name in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"} - set(environment):
            os.environ.pop(name, None)
        lines, _ = doctor.report()
    assert f"display: {said}" in lines


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of Linux")
@pytest.mark.usefixtures("no_devices")
def test_that_system_libraries_which_qt_lacks_are_told_by_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_loads", lambda library: library not in ("libEGL.so.1", "libxkbcommon.so.0"))
    assert (
        "Qt's system libraries: missing: sudo apt-get install libegl1 libxkbcommon0 (Debian names)"
        in doctor.report()[0]
    )
    monkeypatch.setattr(doctor, "_loads", lambda _: True)
    assert "Qt's system libraries: all there" in doctor.report()[0]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of Linux")
@pytest.mark.usefixtures("no_devices")
@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, False),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": ":0"}, True),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": ""}, True),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "xcb:composite"}, True),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, False),
        ({"QT_QPA_PLATFORM": "xcb"}, False),
    ],
)
def test_that_the_libraries_of_x11_are_asked_for_where_qt_would_load_them(
    environment: dict[str, str], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(doctor, "_loads", lambda library: library != "libxcb-cursor.so.0")
    said = "missing: sudo apt-get install libxcb-cursor0 (Debian names)" if told else "all there"
    assert f"Qt's system libraries: {said}" in doctor.report()[0]


def test_that_the_libraries_are_those_that_the_bootstrap_provides(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(__file__).parents[1] / "packaging" / "bootstrap.py"
    spec = importlib.util.spec_from_file_location("bootstrap", path)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "loads", lambda _: False)
    for environment, libraries in (
        ({}, doctor.QT_LIBRARIES),
        ({"DISPLAY": ":0"}, doctor.QT_LIBRARIES | doctor.X11_LIBRARIES),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": ""}, doctor.QT_LIBRARIES | doctor.X11_LIBRARIES),
    ):
        assert {file: package for package, file in script.missing_libraries(environment).items()} == libraries


@pytest.mark.usefixtures("no_devices")
@pytest.mark.parametrize(("name", "code"), [("numpy", 1), ("torch", 1), ("pypdf", 0), ("pyqtgraph", 0)])
def test_that_a_package_that_is_too_old_is_no_health_where_every_run_needs_it(
    name: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda each: "0.1" if each == name else real(each))
    assert main(["doctor"]) == code
    assert f"{name} 0.1 is too old: python -m pip install '{name}>={OLDEST[name]}'" in capsys.readouterr().out


def test_that_a_torch_whose_complaint_names_the_remedy_is_told_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    for name in [name for name in sys.modules if name == "attnviz.engine" or name.startswith("attnviz.engine.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(torch, "__version__", "2.5")
    lines, healthy = doctor.report()
    assert not healthy
    sentence = "torch 2.5 is too old: python -m pip install 'torch>=2.6'"
    assert lines[-1] == f"torch is installed but cannot be loaded: {sentence}"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of Linux")
def test_that_a_library_counts_as_there_when_it_can_be_loaded() -> None:
    assert doctor._loads("libc.so.6")
    assert not doctor._loads("libattnviz-not-there.so.1")


@pytest.mark.usefixtures("no_devices")
def test_that_missing_resources_are_told_and_are_no_health(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Path:
        raise MissingResourceError(f"attnviz's resource '{name}' is missing; install attnviz again")

    monkeypatch.setattr(doctor, "resource", missing)
    lines, healthy = doctor.report()
    assert "attnviz's resource 'presets' is missing; install attnviz again" in lines
    assert lines[-1] == "device cpu: CPU", "the rest of the report follows"
    assert not healthy


@pytest.mark.usefixtures("no_devices")
def test_that_the_folder_of_the_log_is_told() -> None:
    assert f"log and crash reports: {reports_folder()}" in doctor.report()[0]


@pytest.mark.parametrize(
    ("name", "version", "said"),
    [
        ("torch", "2.5.1+cpu", "torch 2.5.1+cpu is too old: python -m pip install 'torch>=2.6'"),
        ("torch", "2.13.0", ""),
        ("numpy", "unknown", ""),
        ("transformers", "5.14.1", "is too old: python -m pip install 'transformers>=5.15,<6'"),
        ("transformers", "6.0", "is newer than attnviz knows: python -m pip install 'transformers>=5.15,<6'"),
        ("transformers", "5.24.0", ""),
        ("PySide6-Essentials", "6.9.3", "too old"),
        ("PySide6-Essentials", "6.11.3", ""),
        *(("PySide6-Essentials", version, "ends the process") for version in ("6.11.0", "6.11.1", "6.12.0", "7.0")),
    ],
)
def test_that_a_version_that_will_not_do_is_told_with_how_to_get_one_that_does(
    name: str, version: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 11, 9, "final", 0))
    found = wrong_version(name, version)
    assert (said in found) if said else found == ""


def test_that_the_oldest_versions_are_those_of_the_project() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    dependencies = [*project["dependencies"], *project["optional-dependencies"]["models"]]
    assert {name: oldest.split(",")[0] for name, oldest in (each.split(">=") for each in dependencies)} == OLDEST


@pytest.mark.usefixtures("no_devices")
def test_that_the_report_covers_every_dependency_of_the_project() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = [each.split(">")[0] for each in tomllib.loads(text)["project"]["dependencies"]]
    assert len(dependencies) > 5
    reported = {line.split()[0] for line in doctor.report()[0]}
    assert set(dependencies) - reported == set()


@pytest.mark.usefixtures("no_devices")
@pytest.mark.parametrize(
    ("lost", "said", "code"),
    [
        ("style.qss", "resource style.qss: missing: style.qss; install attnviz again", 0),
        ("fonts/Inter-Medium.otf", "resource fonts: missing: fonts/Inter-Medium.otf; install attnviz again", 0),
        ("lesson_page/page.js", "resource lesson_page: missing: lesson_page/page.js; install attnviz again", 0),
        ("data/colour_maps.json", "resource data: missing: data/colour_maps.json; install attnviz again", 1),
    ],
)
def test_that_a_hidden_resource_is_named(
    lost: str, said: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "attnviz"
    shutil.copytree(Path(__file__).parents[1] / "resources", tmp_path / "resources")
    (tmp_path / "resources" / lost).unlink()
    monkeypatch.setattr(folders, "_PACKAGE", package)
    assert main(["doctor"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert said in lines
    assert [line for line in lines if line.startswith("resource ") and "missing" in line] == [said]


def test_that_every_kind_of_resource_is_in_the_report() -> None:
    assert {path.name for path in folders.resource("presets").parent.iterdir()} - {"figures", "screenshots"} == {
        *inventory._KINDS
    }


@pytest.mark.usefixtures("no_devices")
def test_that_a_bundle_gives_no_advice_about_pip(without: Without, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_FROZEN", True)
    without("distributed", "pyqtgraph")
    lines, _ = doctor.report()
    lacks = "this bundle lacks it; install attnviz again"
    assert f"distributed is missing, needed for sweeps on several workers: {lacks}" in lines
    assert f"pyqtgraph is missing, needed for the window: {lacks}" in lines
    assert not any("pip" in line for line in lines)


@pytest.mark.usefixtures("no_devices")
def test_that_plugins_fonts_of_formulas_and_glyphs_are_in_the_report() -> None:
    lines, _ = doctor.report()
    assert "Qt plugin platforms/offscreen: there" in lines
    assert "fonts of formulas, ziamath: all there" in lines
    assert "glyphs of zh_CN: all there" in lines
