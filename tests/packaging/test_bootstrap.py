import ast
import importlib.util
import os
import re
import runpy
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packaging" / "bootstrap.py"
PINS = [line for line in (ROOT / "packaging/constraints.txt").read_text("utf-8").splitlines() if line[0] != "#"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
STARTED = 7  # what the started program is made to return


class Machine:
    """The script over a project folder of its own, on a made-up system: commands are noted and not run."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
        assert spec is not None
        assert spec.loader is not None
        self.script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.script)
        self.root, self.patch = root, monkeypatch
        self.ran: list[str] = []
        self.started: list[tuple[str, list[str], Mapping[str, str]]] = []
        self.outputs: dict[str, str] = {}  # what a command that fails prints, by a word of it
        (root / "packaging").mkdir()
        (root / "pyproject.toml").write_text("[project]")
        (root / self.script.PINS).write_text("torch==1")
        monkeypatch.chdir(root)
        for name in self.script.SCREENS:
            monkeypatch.delenv(name, raising=False)
        venv = root / ".venv"
        self.set(ROOT=root, VENV=venv, PYTHON=venv / "bin/python", STAMP=venv / "stamp.json")
        self.set(quietly=self._run, hand_over=self._start, loads=lambda library: True)
        monkeypatch.setattr(sys, "platform", "linux")

    def set(self, **values: object) -> None:
        for name, value in values.items():
            self.patch.setattr(self.script, name, value)

    def call(self, *arguments: str) -> int | str | None:
        """Return how the script ends."""
        try:
            return self.script.main(arguments)
        except SystemExit as stopped:
            return stopped.code

    def _run(self, *command: str) -> str | None:
        line = " ".join(map(str, command)).replace(str(self.root), "").replace(sys.executable, "python3")
        self.ran.append(line)
        if line.startswith("python3 -m venv --clear"):
            shutil.rmtree(self.root / ".venv", ignore_errors=True)
            (self.root / ".venv/bin").mkdir(parents=True)
            (self.root / ".venv/bin/python").touch()
        return next((output for word, output in self.outputs.items() if word in line), None)

    def _start(self, module: str, arguments: list[str], env: Mapping[str, str]) -> int:
        self.started.append((module, list(arguments), env))
        return STARTED


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line on stderr, which is to be one sentence."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err.splitlines()[-1].removeprefix("attnviz: ")


def test_that_an_old_python_can_read_far_enough_to_be_refused() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 6))
    nodes = list(ast.walk(tree))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    # of annotations Python 3.6 knows nothing
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names - {"__future__"}


def test_that_an_old_python_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 10, "final", 0))
    monkeypatch.setattr(sys, "version", "3.8.10 (default)")
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(SCRIPT))  # the definitions that follow are not for such a Python
    assert stopped.value.code == 2
    assert refusal(capsys) == "this is Python 3.8.10, but attnviz needs 3.11 or newer."


def test_that_the_oldest_python_is_the_one_pyproject_names(machine: Machine) -> None:
    oldest = ".".join(map(str, machine.script.OLDEST_PYTHON))
    assert PROJECT["project"]["requires-python"] == f">={oldest}"
    assert f"Python {oldest} or newer" in str(machine.script.__doc__)


def test_that_every_named_dependency_has_an_exact_pin_that_pyproject_allows() -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    named = [*PROJECT["project"]["dependencies"], *(entry for extra in extras for entry in extra)]
    pins = dict(pin.split("==") for pin in PINS)
    for requirement in map(Requirement, [*named, *PROJECT["build-system"]["requires"]]):
        if requirement.name != PROJECT["project"]["name"]:
            assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), requirement


def test_that_the_pins_are_sorted_bare_and_named_once() -> None:
    names = [pin.split("==")[0] for pin in PINS]
    assert names == sorted(set(names))
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", pin) for pin in PINS)


NEW = "python3 -m venv --clear /.venv"
PIP = "/.venv/bin/python -m pip install -q -c packaging/constraints.txt -e ."
STAMP = ".venv/stamp.json"


@pytest.mark.parametrize(
    ("before", "changed", "command", "ran"),
    [
        pytest.param([], {}, "run", [NEW, PIP], id="the first call makes it, under the pins"),
        pytest.param([], {}, "test", [NEW, f"{PIP}[test]"], id="with what tests need"),
        pytest.param(["test"], {}, "bench", [], id="a second call installs nothing"),
        pytest.param(["check"], {}, "test", [], id="a wider extra serves a narrower one"),
        pytest.param(["check", "test"], {}, "run", [], id="and the narrowest after it"),
        pytest.param(["run"], {}, "check", [f"{PIP}[dev]"], id="a wider extra is added in place"),
        pytest.param(["check"], {"packaging/constraints.txt": "x==2"}, "run", [f"{PIP}[dev]"], id="changed pins"),
        pytest.param(["test"], {"pyproject.toml": "[other]"}, "run", [f"{PIP}[test]"], id="changed project"),
        pytest.param(["run"], {".venv/bin/python": None}, "run", [NEW, PIP], id="no python"),
        pytest.param(["run"], {STAMP: None}, "run", [NEW, PIP], id="no stamp"),
        pytest.param(["run"], {STAMP: '{"home": '}, "run", [NEW, PIP], id="torn stamp"),
        pytest.param(["run"], {STAMP: '{"extra": "other"}'}, "run", [NEW, PIP], id="unknown extra"),
    ],
)
def test_that_the_environment_is_made_where_it_does_not_fit_and_then_serves(
    machine: Machine, before: list[str], changed: dict[str, str | None], command: str, ran: list[str]
) -> None:
    machine.set(run_checks=lambda: 0)
    for earlier in before:
        machine.call(earlier)
    machine.ran.clear()
    for name, text in changed.items():
        (machine.root / name).unlink() if text is None else (machine.root / name).write_text(text)
    machine.call(command)
    assert machine.ran == ran
    machine.call(command)
    assert machine.ran == ran


def test_that_the_stamp_changes_with_the_python_and_the_folder(machine: Machine) -> None:
    before = machine.script.wanted_stamp("")
    machine.patch.setattr(sys.implementation, "cache_tag", "cpython-399")
    other_python = machine.script.wanted_stamp("")
    machine.set(ROOT=machine.root.rename(machine.root.with_name("moved")))
    assert len({stamp["home"] for stamp in (before, other_python, machine.script.wanted_stamp(""))}) == 3


def test_that_an_interrupted_installation_is_made_anew(machine: Machine) -> None:
    def interrupted(extra: str) -> None:
        raise KeyboardInterrupt

    with machine.patch.context() as patch:
        patch.setattr(machine.script, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            machine.call("run")
    machine.call("run")
    assert machine.ran == [NEW, NEW, PIP]


def test_that_a_failed_update_keeps_the_environment_that_worked(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.call("test")
    (machine.root / "pyproject.toml").write_text("changed")
    machine.outputs["pip install"] = "no space left"
    assert machine.call("run") == 1
    assert refusal(capsys) == "pip could not install attnviz; the lines above are its last."
    machine.outputs.clear()
    machine.call("run")
    assert machine.ran == [NEW, *[f"{PIP}[test]"] * 3]


OFF = {"QT_QPA_PLATFORM": "offscreen"}
DRAWN = ["--screenshot", "attnviz.png"]
OFF_SCREEN = {**OFF, "PYTHONFAULTHANDLER": "1"}
X = {"DISPLAY": ":0"}
ALL_CORES = ["-n", "logical", "--dist", "worksteal"]


@pytest.mark.parametrize(
    ("platform", "env", "command", "module", "arguments", "has"),
    [
        ("linux", X, "run", "attnviz", [], X),
        ("linux", X, "run --lab regression", "attnviz", ["--lab", "regression"], X),
        ("linux", X, "run -- --lab regression", "attnviz", ["--lab", "regression"], X),
        ("linux", {"WAYLAND_DISPLAY": "w"}, "run", "attnviz", [], {"WAYLAND_DISPLAY": "w"}),
        ("linux", {"QT_QPA_PLATFORM": "vnc"}, "run", "attnviz", [], {"QT_QPA_PLATFORM": "vnc"}),
        ("linux", {}, "run --lab regression", "attnviz", [*DRAWN, "--lab", "regression"], OFF),
        ("linux", {"DISPLAY": ""}, "run", "attnviz", DRAWN, OFF),
        ("linux", {}, "run doctor", "attnviz", ["doctor"], {}),
        ("linux", {}, "run run preset:x -o x.npz", "attnviz", ["run", "preset:x", "-o", "x.npz"], {}),
        ("linux", {}, "run --version", "attnviz", ["--version"], {}),
        ("linux", {}, "run --lab=train --screenshot x", "attnviz", ["--lab=train", "--screenshot", "x"], {}),
        ("darwin", {}, "run", "attnviz", [], {}),
        ("linux", {}, "test", "pytest", ALL_CORES, OFF_SCREEN),
        ("linux", {}, "test -k mask -- x", "pytest", ["-k", "mask", "--", "x"], OFF_SCREEN),
        ("linux", {}, "test -- -k mask -- x", "pytest", ["-k", "mask", "--", "x"], OFF_SCREEN),
        ("linux", {"QT_QPA_PLATFORM": "minimal"}, "test", "pytest", ALL_CORES, {"QT_QPA_PLATFORM": "minimal"}),
        ("linux", {}, "bench start_cost", "tests.benchmarks", ["start_cost"], OFF_SCREEN),
    ],
)
def test_that_a_command_starts_its_program_where_it_can_be_seen(
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
    platform: str,
    env: dict[str, str],
    command: str,
    module: str,
    arguments: list[str],
    has: dict[str, str],
) -> None:
    machine.patch.setattr(sys, "platform", platform)
    for name, value in env.items():
        machine.patch.setenv(name, value)
    machine.call("test")
    machine.patch.chdir(machine.root.parent)
    capsys.readouterr()
    assert machine.call(*command.split()) == STARTED
    started, with_arguments, within = machine.started[-1]
    assert (started, with_arguments) == (module, arguments)
    assert within.items() >= has.items()
    assert has or within == dict(os.environ)
    assert (Path.cwd() == machine.root) is (module != "attnviz")  # files named to the app are the caller's
    assert capsys.readouterr().err.count("\n") == (DRAWN[0] in arguments and DRAWN[0] not in command)


def test_that_the_script_knows_every_command_of_the_app(machine: Machine) -> None:
    assert machine.script.OWN_WAY.issuperset(importlib.import_module("attnviz.cli")._COMMANDS)


def test_that_every_check_runs_and_every_failure_is_named(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    ran = []

    def call(command: list[str], cwd: Path) -> int:
        ran.append(" ".join([Path(command[0]).name, *command[1:]]))
        return 1 if "check" in command or "mypy" in command[0] else 0

    machine.patch.setattr(machine.script.subprocess, "call", call)
    assert machine.call("check") == 1
    assert ran == list(machine.script.CHECKS)
    assert machine.ran == [NEW, f"{PIP}[dev]"]
    assert refusal(capsys) == "failed: ruff check, mypy."


def test_that_a_library_is_looked_for_by_loading_it(machine: Machine) -> None:
    machine.patch.undo()
    assert not machine.script.loads("libno-such-library-as-this.so.9")


@pytest.mark.parametrize(
    ("environment", "wants_x11"),
    [
        ({}, False),
        (X, True),
        ({**X, "QT_QPA_PLATFORM": "xcb"}, True),
        ({**X, **OFF}, False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, False),
    ],
)
def test_that_x11_libraries_are_asked_for_only_for_an_x11_display(
    machine: Machine, environment: dict[str, str], wants_x11: bool
) -> None:
    machine.set(loads=lambda library: library == "libGL.so.1")
    missing = machine.script.missing_libraries(environment)
    assert missing["libegl1"] == "libEGL.so.1"
    assert "libgl1" not in missing
    assert ("libxcb-cursor0" in missing) is wants_x11


APT = ["apt-get -q update", "apt-get -q -y install --no-install-recommends libegl1 libgl1"]


@pytest.mark.parametrize(
    ("platform", "user", "apt", "outputs", "ran", "says"),
    [
        ("linux", 0, "/usr/bin/apt-get", {}, APT, None),
        ("linux", 0, "/usr/bin/apt-get", {"install": "E: no package"}, APT, "apt-get could not install Qt's"),
        ("linux", 1000, "/usr/bin/apt-get", {}, [], "please install them: sudo apt-get install libegl1 libgl1"),
        ("linux", 0, None, {}, [], "please install them: libEGL.so.1 libGL.so.1"),
        ("darwin", 0, None, {}, [], None),
        ("win32", 0, None, {}, [], None),
    ],
)
def test_that_missing_libraries_are_installed_or_named(
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
    platform: str,
    user: int,
    apt: str | None,
    outputs: dict[str, str],
    ran: list[str],
    says: str | None,
) -> None:
    machine.call("test")
    machine.ran.clear()
    machine.outputs.update(outputs)
    machine.patch.setattr(sys, "platform", platform)
    machine.patch.setattr(machine.script.shutil, "which", lambda name: apt)
    machine.patch.setattr(machine.script.os, "geteuid", lambda: user, raising=False)
    machine.set(loads=lambda library: library not in ("libEGL.so.1", "libGL.so.1"))
    assert machine.call("test") == (STARTED if says is None else 1)
    assert machine.ran == ran
    assert says is None or says in refusal(capsys)


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_that_a_python_without_venv_names_the_package(
    machine: Machine, capsys: pytest.CaptureFixture[str], module: str
) -> None:
    machine.patch.setattr(machine.script.importlib.util, "find_spec", lambda name: None if name == module else name)
    assert machine.call("run") == 1
    assert refusal(capsys).endswith("sudo apt-get install python3-venv")


OFFLINE = (
    "WARNING: Retrying after connection broken by 'NewConnectionError: Temporary failure in name resolution'\n"
    "ERROR: No matching distribution found for hatchling>=1.27\n"
)


@pytest.mark.parametrize(
    ("word", "output", "sentence"),
    [
        ("pip", OFFLINE, "pip reached no package index; check the network or pip's settings, then call again."),
        ("pip", "ERROR: ResolutionImpossible", "check that it reaches its index."),
        ("pip", "ERROR: no space left", "pip could not install attnviz; the lines above are its last."),
        ("pip", "", "pip could not install attnviz; the lines above are its last."),
        ("venv", "", "; the lines above say why."),
    ],
)
def test_that_a_failing_installation_is_explained_in_one_sentence(
    machine: Machine, capsys: pytest.CaptureFixture[str], word: str, output: str, sentence: str
) -> None:
    machine.outputs[f"-m {word}"] = output
    assert machine.call("run") == 1
    assert refusal(capsys).endswith(sentence)


def test_that_a_silent_command_speaks_only_when_it_fails(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    machine.patch.undo()
    assert machine.script.quietly(sys.executable, "-c", "print('fine')") is None
    assert capfd.readouterr() == ("", "")
    output = machine.script.quietly(sys.executable, "-c", "print(*range(99), sep='\\n'); exit(3)")
    assert output.splitlines() == [str(line) for line in range(99)]
    assert capfd.readouterr().err.splitlines() == [str(line) for line in range(87, 99)]


@pytest.mark.parametrize(("command", "code"), [("", 2), ("walk", 2), ("check -k mask", 2), ("--help", 0), ("-h", 0)])
def test_that_misuse_and_help_print_the_usage(
    machine: Machine, capsys: pytest.CaptureFixture[str], command: str, code: int
) -> None:
    assert machine.call(*command.split()) == code
    assert "usage: python3 packaging/bootstrap.py run" in capsys.readouterr().err
