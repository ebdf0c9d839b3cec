import ast
import importlib.util
import re
import runpy
import shutil
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packaging" / "bootstrap.py"
PINS = ROOT / "packaging" / "constraints.txt"
OFFLINE = (
    "WARNING: Retrying after connection broken by 'NewConnectionError: Temporary failure in name resolution'\n"
    "ERROR: No matching distribution found for hatchling>=1.27\n"
)


class Calls(list[tuple[object, ...]]):
    """Stands in for a function: notes its arguments and answers the same each time."""

    def __init__(self, answer: object = None) -> None:
        super().__init__()
        self.answer = answer

    def __call__(self, *arguments: object) -> object:
        self.append(arguments)
        return self.answer


@pytest.fixture
def script() -> ModuleType:
    """The script as a module of its own, as it is."""
    spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def bootstrap(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script over a project folder of its own, where it starts nothing."""
    (tmp_path / "packaging").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]")
    (tmp_path / script.PINS).write_text("torch==1")
    monkeypatch.chdir(tmp_path)
    for name in script.SCREENS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(script, "PYTHON", tmp_path / ".venv/bin/python")
    monkeypatch.setattr(script, "STAMP", tmp_path / ".venv/stamp.json")
    monkeypatch.setattr(script, "missing_libraries", Calls(answer={}))
    for name in ("quietly", "hand_over"):
        monkeypatch.setattr(script, name, lambda *command, name=name: pytest.fail(f"{name} ran {command}"))
    return script


@pytest.fixture
def installed(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Takes the place of pip and venv; each entry is what one call of install() was asked for."""
    calls = Calls()

    def make_venv() -> None:
        shutil.rmtree(bootstrap.VENV, ignore_errors=True)
        bootstrap.PYTHON.parent.mkdir(parents=True)
        bootstrap.PYTHON.touch()

    monkeypatch.setattr(bootstrap, "make_venv", make_venv)
    monkeypatch.setattr(bootstrap, "install", calls)
    return calls


@pytest.fixture
def handed_over(bootstrap: ModuleType, installed: Calls, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Takes the place of the started program: module, arguments and environment."""
    calls = Calls(answer=7)
    monkeypatch.setattr(bootstrap, "hand_over", calls)
    return calls


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line on stderr, which is to be one sentence."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err.splitlines()[-1]


def test_that_an_old_python_can_read_far_enough_to_be_refused() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 6))
    imported = {
        module.split(".")[0]
        for node in ast.walk(tree)
        for module in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names - {"__future__"}  # of annotations Python 3.6 knows nothing


def test_that_the_oldest_python_is_the_one_pyproject_names(script: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = ".".join(map(str, script.OLDEST_PYTHON))
    assert project["requires-python"] == f">={oldest}"
    assert f"Python {oldest} or newer" in script.__doc__


def test_that_every_named_dependency_has_an_exact_pin_that_pyproject_allows() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    named = [
        *project["dependencies"],
        *(entry for extra in project["optional-dependencies"].values() for entry in extra),
        *pyproject["build-system"]["requires"],
    ]
    pins = dict(line.split("==") for line in PINS.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    for requirement in map(Requirement, named):
        if requirement.name != project["name"]:
            assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), requirement


def test_that_the_pins_are_sorted_bare_and_named_once() -> None:
    pins = [line for line in PINS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    names = [pin.split("==")[0] for pin in pins]
    assert names == sorted(set(names))
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", pin) for pin in pins)


@pytest.mark.parametrize("changed", ["pyproject.toml", "packaging/constraints.txt"])
def test_that_the_stamp_changes_with_what_is_installed(bootstrap: ModuleType, changed: str) -> None:
    before = bootstrap.wanted_stamp("test")
    (bootstrap.ROOT / changed).write_text("something else")
    assert bootstrap.wanted_stamp("test") != before


def test_that_the_stamp_changes_with_the_python_and_the_folder(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = bootstrap.wanted_stamp("")
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")
    other_python = bootstrap.wanted_stamp("")
    moved = shutil.copytree(bootstrap.ROOT, tmp_path / "moved")
    monkeypatch.setattr(bootstrap, "ROOT", moved)
    assert len({stamp["home"] for stamp in (before, other_python, bootstrap.wanted_stamp(""))}) == 3


def test_that_a_second_call_installs_nothing(bootstrap: ModuleType, installed: Calls) -> None:
    bootstrap.prepare("test")
    bootstrap.prepare("test")
    assert installed == [("test",)]


def test_that_a_wider_extra_serves_the_narrower_ones(bootstrap: ModuleType, installed: Calls) -> None:
    for extra in ("dev", "test", ""):
        bootstrap.prepare(extra)
    assert installed == [("dev",)]


def test_that_a_wider_extra_is_added_in_place(bootstrap: ModuleType, installed: Calls) -> None:
    bootstrap.prepare("")
    kept = bootstrap.VENV / "kept"
    kept.touch()
    bootstrap.prepare("dev")
    assert installed == [("",), ("dev",)]
    assert kept.exists()


def test_that_changed_pins_bring_all_that_was_there_up_to_date(bootstrap: ModuleType, installed: Calls) -> None:
    bootstrap.prepare("dev")
    (bootstrap.ROOT / bootstrap.PINS).write_text("torch==2")
    bootstrap.prepare("")
    assert installed == [("dev",), ("dev",)]


def test_that_an_interrupted_installation_is_made_anew(
    bootstrap: ModuleType, installed: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(extra: str) -> None:
        (bootstrap.VENV / "half").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bootstrap, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bootstrap.prepare("")
    assert bootstrap.found_stamp() == {}
    bootstrap.prepare("")
    assert not (bootstrap.VENV / "half").exists()
    assert installed == [("",)]


@pytest.mark.parametrize("damage", ["no python", "no stamp", "torn stamp", "unknown extra"])
def test_that_a_broken_environment_is_made_anew(bootstrap: ModuleType, installed: Calls, damage: str) -> None:
    bootstrap.prepare("")
    if damage == "no python":
        bootstrap.PYTHON.unlink()
    elif damage == "no stamp":
        bootstrap.STAMP.unlink()
    else:
        bootstrap.STAMP.write_text('{"home": ' if damage == "torn stamp" else '{"extra": "other"}')
    bootstrap.prepare("")
    assert installed == [("",), ("",)]
    assert bootstrap.found_stamp() == bootstrap.wanted_stamp("")


def test_that_a_failed_update_keeps_the_environment_that_worked(
    bootstrap: ModuleType, installed: Calls, capsys: pytest.CaptureFixture[str]
) -> None:
    bootstrap.prepare("test")
    kept = bootstrap.VENV / "kept"
    kept.touch()
    (bootstrap.ROOT / "pyproject.toml").write_text("changed")
    installed.answer = "no luck."
    with pytest.raises(SystemExit):
        bootstrap.prepare("")
    assert refusal(capsys) == "attnviz: no luck."
    installed.answer = None
    bootstrap.prepare("")
    assert kept.exists()
    assert bootstrap.found_stamp() == bootstrap.wanted_stamp("test")


@pytest.mark.parametrize("separator", [[], ["--"]])
def test_that_extra_arguments_reach_the_app(
    bootstrap: ModuleType, handed_over: Calls, monkeypatch: pytest.MonkeyPatch, separator: list[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    assert bootstrap.main(["run", *separator, "--lab", "regression"]) == 7
    assert handed_over[0][:2] == ("attnviz", ["--lab", "regression"])


@pytest.mark.parametrize("separator", [[], ["--"]])
def test_that_extra_arguments_reach_pytest(bootstrap: ModuleType, handed_over: Calls, separator: list[str]) -> None:
    assert bootstrap.main(["test", *separator, "-k", "mask", "--", "x"]) == 7
    assert handed_over[0][:2] == ("pytest", ["-k", "mask", "--", "x"])


def test_that_bench_measures_off_screen_what_is_named(bootstrap: ModuleType, handed_over: Calls) -> None:
    assert bootstrap.main(["bench", "start_cost"]) == 7
    module, arguments, env = handed_over[0]
    assert (module, arguments) == ("tests.benchmarks", ["start_cost"])
    assert env["QT_QPA_PLATFORM"] == "offscreen"


def test_that_the_whole_suite_runs_on_every_core(bootstrap: ModuleType, handed_over: Calls) -> None:
    assert bootstrap.main(["test"]) == 7
    assert handed_over[0][:2] == ("pytest", ["-n", "logical", "--dist", "worksteal"])


def test_that_tests_run_off_screen_from_the_project_root(
    bootstrap: ModuleType, handed_over: Calls, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path.parent)
    bootstrap.main(["test"])
    environment = handed_over[0][2]
    assert isinstance(environment, dict)
    assert environment.items() >= {"QT_QPA_PLATFORM": "offscreen", "PYTHONFAULTHANDLER": "1"}.items()
    assert Path.cwd() == bootstrap.ROOT


def test_that_tests_keep_a_platform_that_was_chosen(
    bootstrap: ModuleType, handed_over: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "minimal")
    bootstrap.main(["test"])
    assert isinstance(handed_over[0][2], dict)
    assert handed_over[0][2]["QT_QPA_PLATFORM"] == "minimal"


@pytest.mark.parametrize("screen", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_that_a_display_opens_the_app_itself(
    bootstrap: ModuleType, handed_over: Calls, monkeypatch: pytest.MonkeyPatch, screen: str
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    bootstrap.run_app([], {screen: "somewhere"})
    assert handed_over == [("attnviz", [], {screen: "somewhere"})]


@pytest.mark.parametrize("environment", [{}, {"DISPLAY": ""}])
def test_that_without_a_display_the_bench_is_drawn_to_a_file(
    bootstrap: ModuleType,
    handed_over: Calls,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    environment: dict[str, str],
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    bootstrap.run_app(["--lab", "regression"], environment)
    module, arguments, started_in = handed_over[0]
    assert (module, arguments) == ("attnviz", ["--screenshot", "attnviz.png", "--lab", "regression"])
    assert started_in == {**environment, "QT_QPA_PLATFORM": "offscreen"}
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["doctor"], ["run", "preset:causal-book", "-o", "x.npz"], ["--version"], ["--lab=attention", "--screenshot", "x"]],
)
def test_that_what_needs_no_window_goes_to_the_app_as_it_is(
    bootstrap: ModuleType,
    handed_over: Calls,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    bootstrap.run_app(arguments, {})
    assert handed_over == [("attnviz", arguments, {})]
    assert capsys.readouterr().err == ""


def test_that_the_script_knows_every_command_of_the_app(script: ModuleType) -> None:
    commands = importlib.import_module("attnviz.cli")._COMMANDS
    assert script.OWN_WAY.issuperset(commands)


def test_that_other_systems_always_have_a_display(
    bootstrap: ModuleType, handed_over: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    bootstrap.run_app([], {})
    assert handed_over == [("attnviz", [], {})]


def test_that_every_check_runs_and_every_failure_is_named(
    bootstrap: ModuleType,
    installed: Calls,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran = []

    def call(command: list[str], cwd: Path) -> int:
        ran.append([Path(command[0]).name, *command[1:]])
        return 1 if "check" in command or "mypy" in command[0] else 0

    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    assert bootstrap.main(["check"]) == 1
    assert [" ".join(command) for command in ran] == list(bootstrap.CHECKS)
    assert installed == [("dev",)]
    assert refusal(capsys) == "attnviz: failed: ruff check, mypy."


@pytest.mark.parametrize(
    ("environment", "wants_x11"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "xcb"}, True),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, False),
    ],
)
def test_that_x11_libraries_are_asked_for_only_for_an_x11_display(
    script: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    wants_x11: bool,
) -> None:
    monkeypatch.setattr(script, "loads", Calls(answer=False))
    missing = script.missing_libraries(environment)
    assert missing["libegl1"] == "libEGL.so.1"
    assert ("libxcb-cursor0" in missing) is wants_x11


def test_that_only_absent_libraries_count_as_missing(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "loads", lambda library: library != "libGL.so.1")
    assert script.missing_libraries({"DISPLAY": ":0"}) == {"libgl1": "libGL.so.1"}


def test_that_a_library_is_looked_for_by_loading_it(script: ModuleType) -> None:
    assert not script.loads("libno-such-library-as-this.so.9")


MISSING = {"libegl1": "libEGL.so.1", "libgl1": "libGL.so.1"}


@pytest.fixture
def debian(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """A Linux with apt-get, and what was run there."""
    calls = Calls()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap, "quietly", calls)
    return calls


def test_that_root_has_the_missing_libraries_installed(
    bootstrap: ModuleType, debian: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0, raising=False)
    bootstrap.provide_libraries(MISSING)
    assert [" ".join(map(str, call)) for call in debian] == [
        "apt-get -q update",
        "apt-get -q -y install --no-install-recommends libegl1 libgl1",
    ]


def test_that_anyone_else_is_told_the_command(
    bootstrap: ModuleType,
    debian: Calls,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(SystemExit) as stopped:
        bootstrap.provide_libraries(MISSING)
    assert stopped.value.code == 1
    assert refusal(capsys).endswith("sudo apt-get install libegl1 libgl1")
    assert debian == []


def test_that_a_linux_without_apt_is_told_the_files(
    bootstrap: ModuleType,
    debian: Calls,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bootstrap.shutil, "which", Calls())
    with pytest.raises(SystemExit):
        bootstrap.provide_libraries(MISSING)
    assert refusal(capsys).endswith("libEGL.so.1 libGL.so.1")


def test_that_a_failing_apt_is_reported(
    bootstrap: ModuleType,
    debian: Calls,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0, raising=False)
    debian.answer = "E: Unable to locate package libegl1"
    with pytest.raises(SystemExit):
        bootstrap.provide_libraries(MISSING)
    assert "apt-get could not install" in refusal(capsys)


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_that_no_library_is_installed_on_other_systems(
    bootstrap: ModuleType, debian: Calls, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    bootstrap.provide_libraries(MISSING)
    assert debian == []


def test_that_an_old_python_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 10, "final", 0))
    monkeypatch.setattr(sys, "version", "3.8.10 (default)")
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(SCRIPT))  # the definitions that follow are not for such a Python
    assert stopped.value.code == 2
    assert refusal(capsys) == "attnviz: this is Python 3.8.10, but attnviz needs 3.11 or newer."


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_that_a_python_without_venv_names_the_package(
    bootstrap: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    module: str,
) -> None:
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None if name == module else object())
    with pytest.raises(SystemExit) as stopped:
        bootstrap.make_venv()
    assert stopped.value.code == 1
    assert refusal(capsys).endswith("sudo apt-get install python3-venv")


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        (OFFLINE, "pip reached no package index; check the network or pip's settings, then call again."),
        (
            "ERROR: ResolutionImpossible",
            "pip did not find every library; if the lines above do not say why, check that it reaches its index.",
        ),
        ("ERROR: no space left", "pip could not install attnviz; the lines above are its last."),
        ("", "pip could not install attnviz; the lines above are its last."),
        (None, None),
    ],
)
def test_that_a_failing_pip_is_explained_in_one_sentence(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, output: str | None, sentence: str | None
) -> None:
    monkeypatch.setattr(bootstrap, "quietly", Calls(output))
    assert bootstrap.install("test") == sentence


@pytest.mark.parametrize(("extra", "target"), [("", "."), ("test", ".[test]"), ("dev", ".[dev]")])
def test_that_the_app_is_installed_with_its_pins(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, extra: str, target: str
) -> None:
    calls = Calls()
    monkeypatch.setattr(bootstrap, "quietly", calls)
    bootstrap.install(extra)
    assert calls == [(str(bootstrap.PYTHON), "-m", "pip", "install", "-q", "-c", bootstrap.PINS, "-e", target)]


def test_that_a_silent_command_speaks_only_when_it_fails(script: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    assert script.quietly(sys.executable, "-c", "print('fine')") is None
    assert capfd.readouterr() == ("", "")
    output = script.quietly(sys.executable, "-c", "print(*range(99), sep='\\n'); exit(3)")
    assert output.splitlines() == [str(line) for line in range(99)]
    assert capfd.readouterr().err.splitlines() == [str(line) for line in range(87, 99)]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [([], 2), (["walk"], 2), (["check", "-k", "mask"], 2), (["--help"], 0), (["-h"], 0)],
)
def test_that_misuse_and_help_print_the_usage(
    bootstrap: ModuleType, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    assert bootstrap.main(arguments) == code
    assert "usage: python3 packaging/bootstrap.py run" in capsys.readouterr().err
