import ast
import importlib.util
import os
import re
import runpy
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
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
        fonts = root / "fonts"
        fonts.mkdir()
        (fonts / "NotoSansCJK-Regular.ttc").touch()
        self.set(FONTS=(fonts,))
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


def test_that_models_from_a_folder_come_with_a_checkout_and_on_request_alone() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert {Requirement(entry).name for entry in extras["models"]} == {"safetensors", "tokenizers", "transformers"}
    assert any("models" in Requirement(entry).extras for entry in extras["test"])
    assert "attnviz[test]" in extras["dev"]


def test_that_the_pins_are_sorted_bare_and_named_once() -> None:
    names = [pin.split("==")[0] for pin in PINS]
    assert names == sorted(set(names))
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", pin) for pin in PINS)


NEW = "python3 -m venv --clear /.venv"
PIP, TEST_PIP, DEV_PIP = (
    f"/.venv/bin/python -m pip install -q -c packaging/constraints.txt -e .[{extra}]"
    for extra in ("models", "test", "dev")
)
APT = ["apt-get -q update", "apt-get -q -y install --no-install-recommends libegl1 libgl1"]
GL = {"libEGL.so.1", "libGL.so.1"}
STAMP = ".venv/stamp.json"
OFFLINE = "connection broken by 'NewConnectionError'\nERROR: No matching distribution found for hatchling>=1.27"
NOT_DONE = "pip could not install attnviz; the lines above are its last."
OFF = {"QT_QPA_PLATFORM": "offscreen"}
TESTED = {**OFF, "PYTHONFAULTHANDLER": "1"}
X, WAYLAND, VNC = {"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "w"}, {"QT_QPA_PLATFORM": "vnc"}
DRAWN = "attnviz --screenshot attnviz.png"
HEAVY = runpy.run_path(str(SCRIPT))["HEAVY_TESTS"]
ALL_TESTS = f"pytest -n logical --dist worksteal --ignore={' --ignore='.join(HEAVY)}"


@dataclass(frozen=True)
class Call:
    """A call of the script on some system after earlier calls, and what comes of it."""

    command: str = "run"
    before: str = "test"
    ran: Sequence[str] = ()
    changed: Mapping[str, str | None] = field(default_factory=dict)  # files, after the earlier calls; None is removed
    platform: str = "linux"
    env: Mapping[str, str] = field(default_factory=lambda: X)
    user: int = 1000
    lacks: Set[str] = frozenset()  # system libraries, programs and modules
    fails: Mapping[str, str] = field(default_factory=dict)  # what a failing command prints, by a word of it
    starts: str = "attnviz"  # the module and its arguments; "" ends without
    has: Mapping[str, str] | None = None  # of the program's environment; {} is the caller's as it is
    says: str = ""


CALLS = {
    "the first call makes it, under the pins": Call(before="", ran=[NEW, PIP]),
    "with what tests need": Call("test", "", [NEW, TEST_PIP], starts=ALL_TESTS),
    "a second call installs nothing": Call("bench", "test", starts="tests.benchmarks"),
    "a wider extra serves a narrower one": Call("test", "check", starts=ALL_TESTS),
    "and the narrowest after it": Call(before="check test"),
    "a wider extra is added in place": Call("bench", "run", [TEST_PIP], starts="tests.benchmarks"),
    "changed pins": Call("run", "check", [DEV_PIP], {"packaging/constraints.txt": "x==2"}),
    "changed project": Call("run", "test", [TEST_PIP], {"pyproject.toml": "x"}),
    "no python": Call("run", "run", [NEW, PIP], {".venv/bin/python": None}),
    "no stamp": Call("run", "run", [NEW, PIP], {STAMP: None}),
    "torn stamp": Call("run", "run", [NEW, PIP], {STAMP: '{"home": '}),
    "unknown extra": Call("run", "run", [NEW, PIP], {STAMP: '{"extra": "other"}'}),
    "arguments": Call("run --lab regression", starts="attnviz --lab regression"),
    "arguments after dashes": Call("run -- --lab regression", starts="attnviz --lab regression"),
    "a Wayland display": Call(env=WAYLAND),
    "a chosen platform": Call(env=VNC),
    "no display": Call("run --lab x", env={}, starts=f"{DRAWN} --lab x", has=OFF, says="no display here"),
    "an empty display": Call(env={"DISPLAY": ""}, starts=DRAWN, has=OFF, says="no display here"),
    "doctor": Call("run doctor", env={}, starts="attnviz doctor", has={}),
    "a run": Call("run run preset:x -o x.npz", env={}, starts="attnviz run preset:x -o x.npz", has={}),
    "the version": Call("run --version", env={}, starts="attnviz --version", has={}),
    "a picture": Call("run --lab=x --screenshot y", env={}, starts="attnviz --lab=x --screenshot y", has={}),
    "macOS": Call(env={}, platform="darwin", has={}),
    "all tests": Call("test", env={}, starts=ALL_TESTS, has=TESTED),
    "the heavy tests": Call(
        "heavy", env={}, starts=f"pytest -n logical --dist worksteal {' '.join(HEAVY)}", has=TESTED
    ),
    "some tests": Call("test -k mask -- x", env={}, starts="pytest -k mask -- x", has=TESTED),
    "tests after dashes": Call("test -- -k mask -- x", starts="pytest -k mask -- x"),
    "tests on a platform": Call("test", env=VNC, starts=ALL_TESTS),
    "a budget": Call("bench start_cost", env={}, starts="tests.benchmarks start_cost", has=TESTED),
    "libraries": Call("test", user=0, lacks=GL, ran=APT, starts=ALL_TESTS),
    "failing": Call(user=0, lacks=GL, fails={"install": "E"}, ran=APT, starts="", says="could not install Qt's"),
    "without rights": Call(lacks=GL, starts="", says=": sudo apt-get install libegl1 libgl1"),
    "without apt-get": Call(user=0, lacks={*GL, "apt-get"}, starts="", says=": libEGL.so.1 libGL.so.1"),
    "of macOS": Call(platform="darwin", lacks=GL),
    "of Windows": Call(platform="win32", lacks=GL),
    "no venv": Call(before="", lacks={"venv"}, starts="", says="sudo apt-get install python3-venv"),
    "no ensurepip": Call(before="", lacks={"ensurepip"}, starts="", says="sudo apt-get install python3-venv"),
    "a venv that fails": Call("run", "", [NEW], fails={"-m venv": ""}, starts="", says="; the lines above say why."),
    "no network": Call("run", "", [NEW, PIP], fails={"pip": OFFLINE}, starts="", says="check the network or pip's"),
    "no match": Call("run", "", [NEW, PIP], fails={"pip": "No matching distribution"}, starts="", says="its index."),
    "a full disk": Call("run", "", [NEW, PIP], fails={"pip": "no space left"}, starts="", says=NOT_DONE),
    "a silent pip": Call("run", "", [NEW, PIP], fails={"pip": ""}, starts="", says=NOT_DONE),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_that_a_call_prepares_what_does_not_fit_and_starts_its_program_or_says_why_not(
    machine: Machine, capsys: pytest.CaptureFixture[str], call: Call
) -> None:
    for name, value in call.env.items():
        machine.patch.setenv(name, value)
    with machine.patch.context() as patch:
        patch.setattr(machine.script, "run_checks", lambda: 0)
        for earlier in call.before.split():
            machine.call(earlier)
    for name, text in call.changed.items():
        (machine.root / name).unlink() if text is None else (machine.root / name).write_text(text)
    machine.patch.setattr(sys, "platform", call.platform)
    machine.patch.setattr(machine.script.os, "geteuid", lambda: call.user, raising=False)
    machine.patch.setattr(machine.script.shutil, "which", lambda name: None if name in call.lacks else name)
    machine.patch.setattr(machine.script.importlib.util, "find_spec", lambda name: None if name in call.lacks else name)
    machine.set(loads=lambda library: library not in call.lacks)
    machine.outputs.update(call.fails)
    machine.patch.chdir(machine.root.parent)
    machine.ran.clear()
    machine.started.clear()
    capsys.readouterr()
    assert machine.call(*call.command.split()) == (STARTED if call.starts else 1)
    assert machine.ran == list(call.ran)
    said = capsys.readouterr()
    assert said.out == ""
    assert call.says in (said.err.splitlines() or [""])[-1]
    assert bool(said.err) is bool(call.says or call.ran)
    if not call.starts:
        assert not machine.started
        return
    ((module, arguments, within),) = machine.started
    assert " ".join([module, *arguments]) == call.starts
    assert within.items() >= {**call.env, **(call.has or {})}.items()
    assert call.has != {} or within == dict(os.environ)
    assert (Path.cwd() == machine.root) is (module != "attnviz")  # files named to the app are the caller's
    machine.call(*call.command.split())
    assert machine.ran == list(call.ran) * (2 if call.lacks else 1), "a later call installs nothing"


def test_that_the_stamp_changes_with_the_python_and_the_folder(machine: Machine) -> None:
    before = machine.script.wanted_stamp("models")
    machine.patch.setattr(sys.implementation, "cache_tag", "cpython-399")
    other_python = machine.script.wanted_stamp("models")
    machine.set(ROOT=machine.root.rename(machine.root.with_name("moved")))
    assert len({stamp["home"] for stamp in (before, other_python, machine.script.wanted_stamp("models"))}) == 3


def test_that_an_interrupted_installation_is_made_anew_and_a_failed_update_keeps_what_worked(machine: Machine) -> None:
    def interrupted(python: Path, *app: str) -> None:
        raise KeyboardInterrupt

    with machine.patch.context() as patch:
        patch.setattr(machine.script, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            machine.call("test")
    machine.call("test")
    assert machine.ran == [NEW, NEW, TEST_PIP]
    (machine.root / "pyproject.toml").write_text("changed")
    machine.outputs["pip install"] = "no space left"
    assert machine.call("run") == 1
    machine.outputs.clear()
    machine.call("run")
    assert machine.ran == [NEW, NEW, *[TEST_PIP] * 3]


def test_that_every_heavy_test_is_there() -> None:
    assert [path for path in HEAVY if not (ROOT / path).exists()] == []


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
    assert machine.ran == [NEW, DEV_PIP]
    assert refusal(capsys) == "failed: ruff check, mypy."


def test_that_a_library_is_looked_for_by_loading_it_and_those_of_x11_only_for_such_a_display(machine: Machine) -> None:
    machine.patch.undo()
    assert not machine.script.loads("libno-such-library-as-this.so.9")
    machine.set(loads=lambda library: library == "libGL.so.1")
    for env, wants_x11 in (
        ({}, False),
        (X, True),
        ({**X, "QT_QPA_PLATFORM": "xcb"}, True),
        (X | OFF, False),
        (WAYLAND, False),
    ):
        missing = machine.script.missing_libraries(env)
        assert missing["libegl1"] == "libEGL.so.1"
        assert "libgl1" not in missing
        assert ("libxcb-cursor0" in missing) is wants_x11


@pytest.mark.parametrize(("user", "said"), [(0, "installing a Chinese font"), (1000, "some tests are skipped")])
def test_that_a_chinese_font_is_installed_for_tests_or_missed_aloud(
    machine: Machine, capsys: pytest.CaptureFixture[str], user: int, said: str
) -> None:
    machine.call("test")
    assert not any("font" in line for line in machine.ran)
    machine.set(FONTS=(machine.root / "none",))
    machine.patch.setattr("os.geteuid", lambda: user)
    machine.patch.setattr("shutil.which", lambda _: "/usr/bin/apt-get")
    assert machine.call("run") == machine.call("test") == STARTED
    assert any("fonts-noto-cjk" in line for line in machine.ran) is (user == 0)
    assert said in capsys.readouterr().err


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
