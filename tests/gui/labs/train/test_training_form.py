"""The form of a training: its task, probe and rates; no hand that moves or picks is answered by an error."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hands import Hands, part, parts
from lab_forms import lab_form
from pydantic.fields import FieldInfo
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDoubleSpinBox, QLabel, QLineEdit, QPlainTextEdit, QSlider, QToolButton
from pytestqt.qtbot import QtBot

from attnviz.definitions.tasks import TASKS
from attnviz.experiment.fields.knob import knob
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.task import LONGEST_TEXT, as_typed, words_of
from attnviz.gui.forms.editor_for import editor_for
from attnviz.gui.forms.spec_form import SpecForm

Shown = Callable[[TrainSpec], tuple[SpecForm, list[Any]]]


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    """Return a function that shows a spec in a form whose proposals are shown at once, as by a controller."""

    def show(spec: TrainSpec) -> tuple[SpecForm, list[Any]]:
        form, made = lab_form("train"), [spec]
        qtbot.addWidget(form)

        def take(proposed: Any, _step: str) -> None:
            made.append(proposed)
            form.set_spec(proposed)

        form.proposed.connect(take)
        form.set_spec(spec)
        form.show()
        return form, made

    return show


def line_of(form: SpecForm, title: str) -> Any:
    """Return the editor of one of the task's own numbers on screen."""
    (editor,) = [
        each for each in parts(form.editor("task"), QSlider) if each.isVisible() and each.accessibleName() == title
    ]
    return editor.parentWidget()


def problems(form: SpecForm) -> list[str]:
    fields = ("task", "num_tokens", "vocab_size", "probe", "changes", "learning_rate")
    return [form.problem(field) for field in fields if form.problem(field)]


@pytest.mark.parametrize("old", TASKS)
@pytest.mark.parametrize("new", TASKS)
def test_that_a_switch_of_the_task_is_always_a_legal_training(old: str, new: str, shown: Shown, hands: Hands) -> None:
    spec = TrainSpec(task={"kind": old}, num_tokens=9, vocab_size=12) if old == "add" else TrainSpec(task={"kind": old})
    form, made = shown(spec)
    hands.pick(form.editor("task"), new)
    assert problems(form) == []
    assert made[-1].task.kind == new
    assert form.editor("vocab_size").parentWidget().isHidden() == TASKS[new].decides_vocabulary


def test_that_a_switch_keeps_sizes_that_are_legal_and_brings_the_usual_ones_otherwise(
    shown: Shown, hands: Hands
) -> None:
    form, made = shown(TrainSpec(task={"kind": "add"}, num_tokens=9))
    hands.pick(form.editor("task"), "repeat")
    assert (made[-1].num_tokens, made[-1].vocab_size) == (28, 32), "nine tokens do not hold a segment of 8 twice"
    hands.pick(form.editor("task"), "copy")
    assert (made[-1].num_tokens, made[-1].vocab_size) == (28, 32)
    assert form.editor("num_tokens").value() == 28


@pytest.mark.parametrize(("kind", "title"), [("repeat", "Segment"), ("copy", "Symbols"), ("add", "Digits")])
def test_that_every_position_of_a_slider_of_the_task_is_legal(kind: str, title: str, shown: Shown) -> None:
    form, made = shown(TrainSpec(task={"kind": kind}))
    slider = part(line_of(form, title), QSlider)
    count = slider.maximum() + 1
    assert count > 1
    for place in (*range(count), 0):
        slider.setValue(place)
        assert problems(form) == []
    (name,) = (knob.name for knob in TASKS[kind].knobs)
    seen = {getattr(spec.task, name) for spec in made}
    assert len(seen) == count
    assert made[-1].task.own[name] == min(seen)


def test_that_a_segment_that_is_too_long_is_said_at_the_task_and_a_link_repairs_it(shown: Shown, hands: Hands) -> None:
    form, made = shown(TrainSpec())
    hands.type(line_of(form, "Segment"), "30")
    assert "30" in form.problem("task")
    assert "14" in form.problem("task")
    assert made[-1].task.own["segment"] == 8
    (message,) = form.editor("task").parentWidget().findChildren(QLabel, "problem")
    message.linkActivated.emit("task.segment=14")
    assert problems(form) == []
    assert made[-1].task.own["segment"] == 14


def test_that_a_typed_text_is_learned_after_a_pause_and_a_short_one_is_a_sentence(
    shown: Shown, hands: Hands, qtbot: QtBot
) -> None:
    form, made = shown(TrainSpec(task={"kind": "text"}))
    count = len(made)
    hands.write(form.editor("task"), "a rose is a rose is a rose is a rose is a rose")
    qtbot.waitUntil(lambda: len(made) > count)
    assert made[-1].task.own["text"].startswith("a rose is")
    assert made[-1].vocab_size == len(set("a rose is"))
    assert len(made) == count + 1, "one proposal, when the typing pauses"
    hands.write(form.editor("task"), "a rose")
    qtbot.waitUntil(lambda: bool(problems(form)))
    assert "6 characters" in " ".join(problems(form))
    assert made[-1].task.own["text"].startswith("a rose is"), "the last legal text stays"


def test_that_a_text_file_is_taken_exactly_and_others_are_refused_with_a_sentence(shown: Shown, tmp_path: Path) -> None:
    form, made = shown(TrainSpec(task={"kind": "text"}))
    editor: Any = form.editor("task")
    text = "Schöne\u00a0Grüße an alle, die das hier lesen\nund noch eine Zeile\n"
    (tmp_path / "good.txt").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    editor.load(tmp_path / "good.txt")
    assert made[-1].task.own["text"] == text
    assert editor.value()["text"] == text, "the box has no no-break spaces, the text does"
    for name, data, said in (
        ("latin.txt", "Grüße".encode("latin-1"), "latin.txt is not UTF-8 text (byte 3)"),
        ("long.txt", b"ab" * LONGEST_TEXT, "at most 200000 characters"),
        ("empty.txt", b"", "empty.txt is empty"),
    ):
        (tmp_path / name).write_bytes(data)
        editor.load(tmp_path / name)
        assert said in form.problem("task")
    editor.load(tmp_path / "nowhere.txt")
    assert "nowhere.txt cannot be read" in form.problem("task")
    assert made[-1].task.own["text"] == text
    assert part(editor, QPlainTextEdit).isVisible()


def test_that_a_file_that_is_one_long_word_is_one_line_of_the_box(shown: Shown, tmp_path: Path) -> None:
    form, made = shown(TrainSpec(task={"kind": "text"}))
    editor: Any = form.editor("task")
    (tmp_path / "word.txt").write_text("ab" * 500)
    editor.load(tmp_path / "word.txt")
    assert made[-1].task.own["text"] == "ab" * 500
    line = part(editor, QPlainTextEdit)
    line.grab()
    assert line.document().firstBlock().layout().lineCount() == 1, "Qt takes seconds to break 200,000 characters"


@pytest.mark.parametrize(
    ("kind", "typed", "words"),
    [
        ("repeat", "b c j", ("b", "c", "j")),
        ("repeat", "bcj", ("b", "c", "j")),
        ("copy", "a b | a", ("a", "b", "|", "a")),
        ("add", "58+67=521", tuple("58+67=521")),
        ("text", "the house↵T", tuple("the house\nT")),
    ],
)
def test_that_a_probe_is_typed_and_read_back(
    kind: str, typed: str, words: tuple[str, ...], shown: Shown, hands: Hands
) -> None:
    form, made = shown(TrainSpec(task={"kind": kind}))
    line = part(form.editor("probe"), QLineEdit)
    line.setText(typed)  # QTest cannot press a key for every character
    hands.qtbot.keyClick(line, Qt.Key.Key_Return)
    assert made[-1].probe == words
    assert words_of(as_typed(words, made[-1].task), made[-1].alphabet) == words
    hands.type(form.editor("probe"), "")
    assert made[-1].probe is None


def test_that_a_blank_that_is_a_token_is_one_in_a_probe_and_its_help_says_so(shown: Shown, hands: Hands) -> None:
    form, made = shown(TrainSpec(task={"kind": "text", "text": "to be or not to be"}, num_tokens=6))
    hands.type(form.editor("probe"), "o b")
    assert made[-1].probe == ("o", " ", "b")
    assert "a blank is a token" in form.editor("probe").toolTip()


def test_that_words_of_a_large_vocabulary_stand_between_blanks() -> None:
    alphabet = TrainSpec(vocab_size=60).alphabet
    assert words_of("a  a2 b", alphabet) == ("a", "a2", "b")


def test_that_a_probe_that_the_model_cannot_read_is_a_sentence_at_its_row(shown: Shown, hands: Hands) -> None:
    form, made = shown(TrainSpec())
    hands.type(form.editor("probe"), "b c ?")
    assert "'?'" in form.problem("probe")
    assert "a-z A-F" in form.problem("probe")
    form._rows["probe"].message.linkActivated.emit("probe=b c")
    assert (made[-1].probe, form.problem("probe")) == (("b", "c"), "")
    hands.type(form.editor("probe"), "ab" * 20)
    assert "40 tokens" in form.problem("probe")
    assert made[-1].probe == tuple("ab" * 20)[: made[-1].num_tokens], "the last one that it could read"


def test_that_a_probe_is_looked_at_while_it_is_typed_where_the_model_can_read_it(shown: Shown, hands: Hands) -> None:
    form, made = shown(TrainSpec())
    line = part(form.editor("probe"), QLineEdit)
    hands.qtbot.keyClicks(line, "b c")
    assert made[-1].probe == ("b", "c")
    hands.qtbot.keyClicks(line, " ?")
    assert made[-1].probe == ("b", "c")
    assert not form.problem("probe"), "nobody is interrupted"
    hands.qtbot.waitUntil(lambda: "'?'" in form.problem("probe"))  # after a rest
    assert line.text() == "b c ?"
    hands.qtbot.keyClick(line, Qt.Key.Key_Backspace)
    hands.qtbot.keyClicks(line, "d")
    assert (made[-1].probe, form.problem("probe")) == (("b", "c", "d"), "")


def test_that_a_probe_gives_way_to_sizes_and_tasks_that_it_does_not_fit(shown: Shown, hands: Hands) -> None:
    form, made = shown(TrainSpec(probe=("z", "a", "z")))
    hands.type(form.editor("vocab_size"), "20")
    assert problems(form) == []
    assert (made[-1].vocab_size, made[-1].probe) == (20, None)
    hands.type(form.editor("probe"), "a b a")
    hands.pick(form.editor("task"), "add")
    assert problems(form) == []
    assert (made[-1].task.kind, made[-1].probe) == ("add", None)


def test_that_a_form_with_rates_on_the_way_gives_its_spec_back_and_shows_the_last_rate(
    shown: Shown, hands: Hands
) -> None:
    spec = TrainSpec(changes=({"step": 100, "learning_rate": 0.001}, {"step": 200, "learning_rate": 0.0005}))
    form, made = shown(spec)
    assert TrainSpec.model_validate(form.values()) == spec
    hands.type(form.editor("batch_size"), "32")
    assert (made[-1].learning_rate, made[-1].changes) == (spec.learning_rate, spec.changes)
    chips = [each for each in form.editor("changes").findChildren(QToolButton) if each.isVisible()]
    assert [chip.text() for chip in chips] == ["from step 100: 0.001  ×", "from step 200: 0.0005  ×"]
    hands.qtbot.mouseClick(chips[0], hands.left)
    assert [change.step for change in made[-1].changes] == [200]
    hands.qtbot.mouseClick(chips[0], hands.left)
    assert made[-1].changes == ()
    assert form.editor("changes").parentWidget().isHidden()


def test_that_sliders_of_rate_batch_and_steps_visit_round_numbers(shown: Shown) -> None:
    form, made = shown(TrainSpec())
    for field, some in (
        ("learning_rate", {0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1}),
        ("batch_size", {1, 16, 32, 64, 128, 256}),
        ("steps", {50, 100, 200, 400, 1000, 5000}),
    ):
        slider = part(form.editor(field), QSlider)
        for place in range(slider.maximum() + 1):
            slider.setValue(place)
        seen = {getattr(spec, field) for spec in made}
        assert some <= seen, field
        assert len(seen) <= 150
        assert problems(form) == []


def test_that_an_optional_number_begins_with_its_own_and_says_its_own_word_for_none(shown: Shown, hands: Hands) -> None:
    form, made = shown(TrainSpec(clip=None))
    form._unfold(form._rows["clip"])  # "More" is folded
    box = part(form.editor("clip"), QDoubleSpinBox)
    assert (box.text(), box.isEnabled()) == ("off", False)
    hands.toggle(form.editor("clip"))
    assert (made[-1].clip, box.text()) == (1.0, "1")
    hands.toggle(form.editor("clip"))
    assert (made[-1].clip, box.text()) == (None, "off")


def test_that_an_optional_number_has_the_slider_of_its_knob(qtbot: QtBot, hands: Hands) -> None:
    knob_with_slider = knob(None, "Number", "A number.", group="", slider=(1, 4), first=2.0, ge=0)
    editor = editor_for("number", FieldInfo.from_annotated_attribute(float | None, knob_with_slider))
    qtbot.addWidget(editor)
    editor.show()
    editor.set_value(None)
    slider = part(editor, QSlider)
    assert (editor.value(), slider.isEnabled()) == (None, False)
    hands.toggle(editor)
    assert (editor.value(), slider.isEnabled()) == (2.0, True)
    slider.setValue(slider.maximum())
    assert editor.value() == 4.0
