"""How the command line reads its arguments, and what it hands to the window. The window itself is not opened here."""

import contextlib
import io
import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from calling import attnviz
from hypothesis import example, given
from hypothesis import strategies as st

from attnviz import __version__, cli
from attnviz.cli import main
from attnviz.cli.words import Progress, signals_as_interrupt
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.labs import LABS, Spec, spec_to_json
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.train.spec import TrainSpec
from attnviz.folders import MissingResourceError

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
SCORES_TO_WEIGHTS = ("scores", "masked_scores", "weights")
MULTI_HEAD = ("project", "split", *SCORES_TO_WEIGHTS, "heads", "merge", "output")
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays of Linux")


def call(*arguments: str) -> tuple[int, str, str]:
    """Return exit code, output and complaint of a call."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def stream(text: str) -> io.TextIOWrapper:
    """Return a standard input which holds that text."""
    return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")


def refusal(*arguments: str, code: int = 2) -> str:
    """Return the one line with which arguments are refused."""
    ended, out, err = call(*arguments)
    assert (ended, out) == (code, "")
    assert err.startswith("attnviz: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    return err.removeprefix("attnviz: ").rstrip()


@pytest.fixture
def screens() -> Iterator[None]:
    """Take every sign of a display away; whatever the test does to the environment ends with it."""
    with mock.patch.dict(os.environ):
        for name in SCREENS:
            os.environ.pop(name, None)
        yield


class Window:
    """Stands in for the window; keeps what it was asked to open, and ends with a code of its own."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def start(self, options: Any) -> int:
        self.asked.append(options)
        return 42

    def opened_by(self, *arguments: str) -> SimpleNamespace:
        self.asked.clear()
        assert call(*arguments) == (42, "", "")
        (options,) = self.asked
        assert isinstance(options, SimpleNamespace)
        return options


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch, screens: None) -> Window:
    made = Window()

    def options(session: Any, **given: Any) -> SimpleNamespace:
        return SimpleNamespace(spec=session.spec, view=session.shown_view, **given)

    monkeypatch.setitem(sys.modules, "attnviz.gui.app", SimpleNamespace(Options=options, start=made.start))
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return made


@pytest.mark.parametrize("command", [(), ("gui",)])
def test_that_the_window_opens_with_and_without_saying_gui(command: tuple[str, ...], window: Window) -> None:
    assert vars(window.opened_by(*command)) == {
        "spec": preset(LABS["attention"].opening_preset).spec,
        "view": preset(LABS["attention"].opening_preset).session.view,
        "theme": None,
        "size": None,
        "screenshot": None,
        "scale": 1,
        "source": None,
        "present": False,
        "language": None,
    }


def test_that_every_wish_reaches_the_window(window: Window, tmp_path: Path) -> None:
    picture = tmp_path / "out.png"
    wishes = ["--lang", "en", "--theme", "dark", "--size", "1024x640", "--scale", "3", "--screenshot", str(picture)]
    options = window.opened_by("--preset", "causal-book", *wishes, "--stage", "scores", "--present")
    assert vars(options) == {
        "spec": preset("causal-book").spec,
        "view": AttentionViewSettings(stage="scores"),
        "theme": "dark",
        "size": (1024, 640),
        "screenshot": picture,
        "scale": 3,
        "source": None,
        "present": True,
        "language": "en",
    }


@pytest.mark.parametrize(
    ("spec", "stages"),
    [
        (AttentionSpec(mechanism="multi_head"), MULTI_HEAD),
        (AttentionSpec(mechanism="dot_product"), SCORES_TO_WEIGHTS),
        (AttentionSpec(mechanism="additive", dropout=0.5, training=True), ("features", "dropped_weights")),
        (RegressionSpec(), ("differences", "kernel", "weights", "pooling")),
        (ModelSpec(), ("scores", "weights")),
        (TrainSpec(), ("scores", "weights")),
    ],
)
def test_that_the_window_opens_at_any_stage_that_the_spec_has(
    spec: Spec, stages: tuple[str, ...], window: Window, tmp_path: Path
) -> None:
    path = tmp_path / "spec.json"
    path.write_text(spec_to_json(spec), encoding="utf-8")
    for stage in stages:
        view = window.opened_by(str(path), "--stage", stage).view
        assert (view.stage, view.drawn) == (stage, stage)


@pytest.mark.parametrize(
    ("lab", "stage", "words"),
    [
        ("attention", "score", ("'score' must be one of", *MULTI_HEAD, "nearest: scores")),
        ("attention", "features", ("'features' must be one of", *MULTI_HEAD, "nearest: weights")),
        ("attention", "dropped_weights", ("'dropped_weights' must be one of", *MULTI_HEAD)),
        ("attention", "", ("'' must be one of", *MULTI_HEAD)),
        ("attention", "a\nb", ("must be one of", *MULTI_HEAD)),
        ("regression", "scores", ("'scores' must be one of", "differences, kernel, weights, pooling")),
    ],
)
def test_that_a_stage_that_the_spec_has_not_is_refused_with_those_it_has(
    lab: str, stage: str, words: tuple[str, ...], window: Window
) -> None:
    said = refusal("--lab", lab, "--stage", stage)
    assert [word for word in words if word not in said] == []
    assert window.asked == []


def test_that_the_labs_on_offer_are_those_there_are(window: Window) -> None:
    offered = refusal("--lab", "chess").partition("choose from ")[2].partition(")")[0]
    assert [name.strip("' ") for name in offered.split(",")] == list(LABS)
    assert window.asked == []


@pytest.mark.parametrize("lab", LABS)
def test_that_a_lab_opens_with_its_own_preset(lab: str, window: Window) -> None:
    assert window.opened_by("--lab", lab).spec == preset(LABS[lab].opening_preset).spec


@pytest.mark.parametrize("spec", [AttentionSpec(seed=5), RegressionSpec(width=0.3)], ids=["attention", "regression"])
def test_that_a_spec_opens_from_a_file_and_from_a_stream(
    spec: AttentionSpec | RegressionSpec, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "注意.json"
    path.write_text(spec_to_json(spec), encoding="utf-8")
    assert window.opened_by(str(path)).spec == spec
    monkeypatch.setattr(sys, "stdin", stream(spec_to_json(spec)))
    assert window.opened_by("-").spec == spec


@pytest.mark.parametrize("name", presets())
def test_that_a_preset_opens_by_either_name(name: str, window: Window) -> None:
    assert window.opened_by(f"preset:{name}").spec == window.opened_by("--preset", name).spec == preset(name).spec


def test_that_a_window_opens_a_preset_before_its_training_and_a_picture_shows_what_was_learned(window: Window) -> None:
    for name in ("--preset=kernel-learned", "preset:kernel-learned", "--lab=regression"):
        assert window.opened_by(name).view.step == 0
        assert window.opened_by(name, "--screenshot", "out.png").view.step is None


def test_that_a_lesson_opens_at_its_step_and_brings_its_stored_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(cli, "_open_window", lambda _, session, **given: asked.append((session, given)) or 0)
    assert call("lesson", "10", "--step", "3")[0] == 0
    ((session, given),) = asked
    assert given["lesson_place"] == 2
    assert session.spec == given["lesson"].steps[2].spec
    assert given["lesson"].trained_for(session.spec) is not None


def test_that_an_unknown_word_is_a_file(window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal("walk.json") == "walk.json cannot be read: No such file or directory"
    (tmp_path / "walk").write_text('{"seed": 9}')
    assert window.opened_by("walk").spec == AttentionSpec(seed=9)


def test_that_a_language_is_one_that_attnviz_speaks(window: Window) -> None:
    assert window.opened_by("--lang", "zh_CN").language == "zh_CN"
    assert window.opened_by().language is None
    assert "'zh' is not a language of attnviz (en, zh_CN); nearest: zh_CN" in refusal("--lang", "zh")


def test_that_options_may_come_before_the_command(window: Window, tmp_path: Path) -> None:
    opened = window.opened_by("--present", "--lang=zh_CN", "--theme", "dark", "lesson", "4", "--step", "2")
    wished = opened.language, opened.theme, opened.present, opened.lesson_place
    assert wished == ("zh_CN", "dark", True, 1)
    assert opened.lesson == window.opened_by("lesson", "4", "--lang", "zh_CN").lesson
    assert call("--lang", "zh_CN", "help", "files") == call("help", "files", "--lang", "zh_CN")
    assert refusal("--size", "1x1", "gui").startswith("argument --size: '1x1' must be WIDTHxHEIGHT")
    assert refusal("--theme", "dark", "presets").startswith("unrecognized arguments: --theme dark; see ")
    file = tmp_path / "a.json"  # what follows a file is no command
    assert "unrecognized arguments: run" in refusal("--theme", "dark", str(file), "run")


def test_that_a_figure_is_in_the_language_asked_for(elsewhere: Path) -> None:
    for code in ("en", "zh_CN"):
        assert call("export", "preset:causal-book", "-o", f"{code}.svg", "--lang", code)[0] == 0
    words = [(elsewhere / f"{code}.svg").read_text(encoding="utf-8") for code in ("en", "zh_CN")]
    assert ["<!-- 头 1 -->" in text for text in words] == [False, True]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("runn", "nearest: run"),
        ("Export", "nearest: export"),
        ("preset", "nearest: presets"),
        ("walk", "the commands are gui, run, export, code, sweep, lesson, presets, doctor, help"),
    ],
)
def test_that_a_mistyped_command_is_answered_with_the_nearest(
    word: str, hint: str, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal(word) == refusal(word, "preset:causal-book") == f"there is no command or file '{word}'; {hint}"
    assert window.asked == []


def test_that_the_check_of_a_lesson_names_every_error(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    block = '```attnviz\n{"preset": "masked-softmax-book"}\n```'
    path.write_text(f"# Mine\n\n## One {{1 +}}\n\n{{2 *}}\n\n## Two\n\n{{wrong[0]}} {{weighs[0]}}\n\n{block}\n")
    code, out, err = call("lesson", "check", str(path))
    assert (code, out) == (2, f"{path}: problems: 4, steps run: 1\n")
    lines = [line for line in err.splitlines() if ": line " in line]
    assert [line.partition(": line ")[2].partition(":")[0] for line in lines] == ["3", "3", "7", "7"]
    for line, words in zip(lines, ("'1 +'", "'2 *'", "there is no 'wrong' here", "nearest: weights"), strict=True):
        assert words in line


def test_that_a_lesson_is_a_file_to_open(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("# Mine\n\n## One\n\nA step.\n", encoding="utf-8")
    for arguments in ((str(path),), ("gui", "--theme", "dark", str(path)), ("lesson", str(path))):
        options = window.opened_by(*arguments)
        assert (options.lesson.title, options.lesson_place) == ("Mine", None)  # the window offers to continue
    assert window.opened_by("lesson", str(path), "--step", "1").lesson_place == 0
    assert refusal(str(path), "--stage", "heads") == "--stage is not for a lesson, whose steps have their own"


@pytest.mark.parametrize("command", [(), ("gui",), ("run",), ("export", "-o", "a.png"), ("code",)])
def test_that_an_empty_spec_is_refused_in_words(command: tuple[str, ...], window: Window) -> None:
    assert refusal(*command, "") == "SPEC is empty; it must be a file, - for standard input, or preset:NAME"
    assert window.asked == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file or directory", "a.ttf"), "a.ttf: No such file or directory"),
        (PermissionError(13, "Permission denied", "b.json"), "b.json: Permission denied"),
        (MissingResourceError("attnviz's resource 'x' is missing"), "attnviz's resource 'x' is missing"),
    ],
)
@pytest.mark.parametrize("stdout", [True, False])
def test_that_a_file_that_fails_is_named_and_not_taken_for_the_output(
    error: OSError, said: str, stdout: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_options: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_presets", fail)
    err = io.StringIO()
    monkeypatch.setattr(sys, "stderr", err)
    if not stdout:
        monkeypatch.setattr(sys, "stdout", None)
    assert (main(["presets"]), err.getvalue()) == (1, f"attnviz: {said}\n")


def test_that_an_error_without_a_file_needs_no_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_options: object) -> int:
        raise OSError(28, "No space left on device")

    err = io.StringIO()
    monkeypatch.setattr(cli, "_presets", fail)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["presets"]) == 1
    assert err.getvalue() == "attnviz: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("size", ["1280x800", "853x440", "7680x4320"])
def test_that_a_legal_size_is_taken(size: str, window: Window) -> None:
    assert window.opened_by("--size", size).size == tuple(map(int, size.split("x")))


@pytest.mark.parametrize(
    "size",
    [
        *("", "x", "big", "1280", "1280x", "x800", "1280x800x2", "-1x800", "1e3x800", "1 x 2", "852x600", "900x439"),
        *("7681x800", "1280x4321", "01280x800", " 1280x800", "1280X800", "1280x800\n"),
    ],
)
def test_that_any_other_size_is_refused_with_one_that_is_taken(size: str, window: Window) -> None:
    said = refusal(f"--size={size}")
    quoted = " ".join(f"'{size}'".split())  # a complaint is one line
    assert f"{quoted} must be WIDTHxHEIGHT from 853x440 to 7680x4320; nearest: " in said
    assert window.asked == []
    nearest = said.partition("nearest: ")[2].partition(";")[0]
    assert window.opened_by("--size", nearest).size == tuple(map(int, nearest.split("x")))


@pytest.mark.parametrize(
    "size", ["²²²²x800", "١٢٨٠x800", f"{'1' * 5000}x800"], ids=["raised digits", "Arabic digits", "endless"]
)
def test_that_a_size_of_odd_digits_is_refused_in_the_same_words(size: str) -> None:
    said = refusal(f"--size={size}")
    assert "must be WIDTHxHEIGHT from " in said
    assert len(said) < 200


def test_that_the_window_can_have_the_least_size_that_is_taken(window: Window, qtbot: Any) -> None:
    main_window = pytest.importorskip("attnviz.gui.window.main_window")
    opened = main_window.MainWindow(AttentionSpec())
    qtbot.addWidget(opened)
    opened.resize(*window.opened_by("--size", "853x440").size)
    assert (opened.width(), opened.height()) == (853, 440)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--colour",), "unrecognized arguments: --colour"),
        (("run", "preset:causal-book", "--size", "1280x800"), "unrecognized arguments"),
        (("presets", "all"), "unrecognized arguments: all"),
        (("doctor", "-v"), "unrecognized arguments: -v"),
        (("--lab", "chess"), "invalid choice: 'chess'"),
        (("--theme", "pink"), "invalid choice: 'pink'"),
        (("--scale", "4"), "invalid choice: 4"),
        (("--scale", "two"), "invalid int value: 'two'"),
        (("--preset",), "expected one argument"),
        (("--s", "1"), "ambiguous option: --s"),
        (("run",), "the following arguments are required: SPEC"),
        (("run", "-o"), "expected one argument"),
    ],
)
def test_that_a_wrong_option_is_refused_in_one_line_that_says_where_help_is(
    arguments: tuple[str, ...], words: str, window: Window
) -> None:
    said = refusal(*arguments)
    assert words in said
    assert said.endswith(" --help'")
    assert window.asked == []


def test_that_a_wrong_option_of_several_lines_is_refused_in_one() -> None:
    assert "a b" in refusal("presets", "a\nb")


def test_that_a_picture_in_a_missing_folder_is_refused_before_anything_opens(window: Window, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for picture in (tmp_path / "missing" / "out.png", tmp_path / "file" / "out.png"):
        assert refusal("--screenshot", str(picture)) == f"{picture}: there is no such folder"
    assert window.asked == []


@ON_LINUX
@pytest.mark.usefixtures("screens")
def test_that_without_a_display_the_window_is_refused_before_qt_could_abort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "attnviz.gui.app", None)
    sentence = "there is no display; 'attnviz --screenshot out.png' draws without one, 'attnviz run' computes"
    assert refusal(code=1) == refusal("gui", "--theme", "dark", code=1) == sentence
    os.environ |= {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    assert refusal(code=1) == sentence


@ON_LINUX
@pytest.mark.usefixtures("screens")
@pytest.mark.parametrize(("name", "value"), [("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "w"), ("QT_QPA_PLATFORM", "vnc")])
def test_that_a_display_or_a_chosen_platform_opens_the_window(name: str, value: str, window: Window) -> None:
    del os.environ["QT_QPA_PLATFORM"]
    os.environ[name] = value
    window.opened_by()
    assert [os.environ.get(each) for each in SCREENS if each != name] == [None, None]


@ON_LINUX
def test_that_a_screenshot_is_drawn_offscreen_unless_a_platform_was_chosen(window: Window, tmp_path: Path) -> None:
    picture = str(tmp_path / "out.png")
    for chosen, used in ((None, "offscreen"), ("minimal", "minimal")):
        os.environ.pop("QT_QPA_PLATFORM", None)
        os.environ |= {"DISPLAY": ":0"} | ({"QT_QPA_PLATFORM": chosen} if chosen else {})
        window.opened_by("--screenshot", picture)
        assert os.environ["QT_QPA_PLATFORM"] == used


@pytest.mark.parametrize(
    ("module", "arguments", "words"),
    [
        ("attnviz.gui.app", ("--lab", "regression"), "the window needs Qt: "),
        ("attnviz.engine.run", ("run", "preset:causal-book"), "a run needs PyTorch: "),
    ],
)
def test_that_what_is_not_installed_is_told_in_one_line(
    module: str, arguments: tuple[str, ...], words: str, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    code, out, err = call(*arguments)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"attnviz: {words}")
    assert err.endswith("; 'attnviz doctor' says what to install\n")


@pytest.mark.parametrize("arguments", [("run", "preset:no-such"), ("--colour",)])
def test_that_without_a_stderr_a_complaint_goes_nowhere_and_not_among_the_answers(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "stdout", out)
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    assert (code, out.getvalue()) == (2, "")


@pytest.mark.parametrize(
    ("is_terminal", "said"),
    [
        (False, "step 2/10, 9 s left\nstep 9/10, 1 s left\n"),
        (True, "\rstep 2/10, 9 s left\rstep 4/10, 6 s left\rstep 9/10, 1 s left\rstep 10/10, 0 s left\r\r"),
    ],
)
def test_that_a_long_training_says_how_far_it_is_and_a_short_one_nothing(is_terminal: bool, said: str) -> None:
    times = iter([0.0, 0.9, 2.0, 2.1, 4.0, 12.0, 13.0])
    with mock.patch("sys.stderr", io.StringIO()) as err, Progress(now=lambda: next(times)) as progress:
        err.isatty = lambda: is_terminal  # type: ignore[method-assign]
        for done in (1, 2, 3, 4, 9, 10):
            progress.show(done, 10)
        progress.__exit__()
        assert re.sub(" +([\r\n])", r"\1", re.sub(" +(?=\r|\n|$)", "", err.getvalue())) == said


def test_that_outside_a_terminal_the_end_of_a_run_is_no_line_of_progress() -> None:
    times = iter([0.0, 0.5, 2.0])
    with mock.patch("sys.stderr", io.StringIO()) as err, Progress(now=lambda: next(times)) as progress:
        progress.show(1, 2)
        progress.show(2, 2)
    assert err.getvalue() == ""


@pytest.mark.parametrize("place", ["name", "path in a file"])
def test_that_nothing_which_a_terminal_obeys_is_said(place: str, tmp_path: Path) -> None:
    hostile = "\x1b[2J\x1b]0;pwned\x07 \u202e\u2066 \x9b31m.json"
    if place == "name":
        said = refusal("run", hostile)
    else:
        hostile = hostile.replace(".json", "\x00.npz")
        (tmp_path / "x.json").write_text(json.dumps({"inputs": {"kind": "file", "path": hostile}}))
        code, out, said = call("run", str(tmp_path / "x.json"))
        assert (code, out) == (1, "")
    assert said.rstrip("\n").isprintable()
    assert "\\x1b[2J" in said


def test_that_an_endless_name_is_cut_and_its_problem_is_not() -> None:
    said = refusal("run", "preset:kernel-fixed", "--heads", "x" * 100_000, "y" * 100_000)
    assert len(said) < 2100
    assert said.rstrip().endswith("see 'attnviz --help'")


def test_that_a_dash_is_standard_output_for_a_script_and_refused_for_arrays_and_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("code", "preset:kernel-fixed", "-o", "-") == call("code", "preset:kernel-fixed")
    assert "'-' is standard output, but arrays need a file" in refusal("run", "preset:kernel-fixed", "-o", "-")
    assert "- has no ending; one of" in refusal("export", "preset:kernel-fixed", "-o", "-")
    assert os.listdir(tmp_path) == []


def test_that_version_and_help_are_answered() -> None:
    assert call("--version") == (0, f"attnviz {__version__}\n", "")
    for arguments in (("--help",), ("-h",), ("run", "--help"), ("gui", "-h")):
        code, out, err = call(*arguments)
        assert (code, err) == (0, "")
        assert out.startswith("usage: attnviz")


def test_that_an_interrupt_ends_with_the_code_of_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    from attnviz.__main__ import main as start

    def interrupt(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupt)
    assert start([]) == 130


WORDS = ("gui", "run", "presets", "-", "--", "-h", "--lab", "regression", "--preset", "--theme", "dark", "--size")
WORDS += ("1280x800", "--screenshot", "--scale", "2", "-o", "--output", "preset:", "preset:causal-book", "--version")
# No slashes: what is named is named in the empty folder of the test.
JUNK = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"], exclude_characters="/\\:"), max_size=12)


@example(arguments=["-"])
@example(arguments=["run", "-"])
@example(arguments=["--preset", ""])
@example(arguments=["run", "\0"])
@given(arguments=st.lists(st.sampled_from(WORDS) | JUNK, max_size=6))
def test_that_no_arguments_whatever_end_in_a_traceback(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "_choose_platform", lambda *_: False)
    monkeypatch.setattr(sys, "stdin", stream(""))
    code, out, err = call(*arguments)
    assert code in (0, 1, 2)
    assert err.count("\n") == (0 if code == 0 else 1), err
    assert err.startswith("attnviz: " if code else "")
    assert out or code


@pytest.mark.parametrize(
    ("topic", "begins"),
    [((), "# The window"), (("files",), "# Files"), (("glossary",), "# Glossary"), (("--lang", "zh_CN"), "# 窗口")],
)
def test_that_help_prints_its_topic_and_names_the_others(topic: tuple[str, ...], begins: str) -> None:
    code, out, err = call("help", *topic)
    assert (code, err) == (0, "")
    assert out.startswith(begins)
    topics = (
        "window, shortcuts, lessons, attention, regression, train, model, functions, families, files, export, sweeps, "
        "glossary"
    )
    assert out.endswith(f"Topics: {topics}. Every command has --help.\n")


def test_that_help_and_the_flags_count_heads_and_items_alike() -> None:
    _, topic, _ = call("help", "export")
    _, flags, _ = call("export", "--help")
    assert "which heads (counted from 1), batch item (from 0)" in topic
    assert "which heads, counted from 1" in " ".join(flags.split())
    assert "which item of the batch, counted from 0" in " ".join(flags.split())


TRAINING = {
    "lab": "train",
    "task": {"kind": "repeat", "segment": 5},
    "num_tokens": 14,
    "vocab_size": 16,
    "num_hiddens": 16,
    "num_heads": 2,
    "batch_size": 4,
    "steps": 3,
}


def test_that_a_training_is_run_swept_and_drawn_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "spec.json").write_text(json.dumps(TRAINING))
    spec, arrays, film = (str(tmp_path / name) for name in ("spec.json", "run.npz", "segments.gif"))
    code, out, _ = call("run", spec, "-o", arrays)
    assert code == 0
    with np.load(arrays) as found:
        loss = found["loss"]
    assert f"3 steps: loss {loss[0]:.4g} -> {loss[-1]:.4g}, accuracy" in out
    figure = str(tmp_path / "figure.png")
    assert call("export", spec, "-o", figure, "--large", "1.2")[0] == 0
    assert call("run", figure)[1].splitlines()[0] == out.splitlines()[0]
    code, out, err = call("export", spec, "-o", film, "--sweep", "task.segment=3:7:2")
    assert (code, "frame 3/3" in err) == (0, True)
    assert call("code", figure)[1] == call("code", spec)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--large", "2.3"), "there is no head 2.3; the last one is 2.2; nearest: 2.2"),
        (("--large", "two"), "head 'two' must be layer.head, counted from 1, such as 2.1"),
        (("--heads", "3"), "head 3 must be in 1..2; nearest: 2"),
        (("--stage", "tanh"), "stage 'tanh' must be one of"),
    ],
)
def test_that_what_a_training_lacks_is_refused_before_it_is_trained(
    arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spec.json").write_text(json.dumps(TRAINING))
    monkeypatch.setattr("attnviz.cli.export.last_trace", pytest.fail)
    assert said in refusal("export", str(tmp_path / "spec.json"), "-o", str(tmp_path / "a.png"), *arguments)


def test_that_a_training_that_diverges_ends_in_one_line(tmp_path: Path) -> None:
    diverging = {"optimizer": "sgd", "learning_rate": 1e6, "clip": None, "warmup": 0, "steps": 50}
    (tmp_path / "spec.json").write_text(json.dumps(TRAINING | diverging))
    code, out, err = call("run", str(tmp_path / "spec.json"))
    assert (code, out) == (1, "")
    assert err.startswith("attnviz: training diverged at step ")
    assert err.count("\n") == 1


def test_that_memory_that_runs_out_anywhere_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> int:
        raise MemoryError

    monkeypatch.setattr(cli, "_presets", refuse)
    monkeypatch.setattr(cli, "log_defect", refuse)
    assert attnviz("presets").is_one_line(1, "there is not enough memory")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_that_a_command_under_nohup_goes_on() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_as_interrupt():
            os.kill(os.getpid(), signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGHUP, before)
