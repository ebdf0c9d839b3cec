"""What a change of one field does to the others in the form: rows come and go, and nothing that was entered is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from hands import Hands, parts
from lab_forms import lab_form
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QSpinBox
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, regression, training

from attnviz.experiment.attention.fields import SentenceInputs
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import LABS, Spec
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.spec_form import SpecForm, group_of
from attnviz.gui.window.main_window import MainWindow

Connected = Callable[[Spec], tuple[SpecForm, list[Spec]]]


@pytest.fixture
def connected(qtbot: QtBot) -> Connected:
    """Return a function that makes a form whose proposals are shown in it at once, as a controller does."""

    def make(spec: Spec) -> tuple[SpecForm, list[Spec]]:
        form = lab_form(spec.lab)
        qtbot.addWidget(form)
        made: list[Spec] = []

        def take(proposed: Spec, _field: str) -> None:
            made.append(proposed)
            form.set_spec(proposed)

        form.proposed.connect(take)
        form.set_spec(spec)
        form.show()
        return form, made

    return make


def shown(form: SpecForm, lab: str) -> set[str]:
    """Return the fields whose rows are there, folded or not."""
    fields = [name for name, info in LABS[lab].spec_type.model_fields.items() if group_of(info)]
    return {name for name in fields if not form.editor(name).parentWidget().isHidden()}


@pytest.mark.parametrize(
    ("lab", "field", "value"),
    [
        ("attention", "mechanism", "dot_product"),
        ("attention", "mechanism", "additive"),
        ("attention", "mechanism", "multi_head"),
        ("attention", "mechanism", "causal_multi_head"),
        ("attention", "inputs", "sentence"),
        ("attention", "inputs", "ones"),
        ("attention", "dtype", "bfloat16"),
        ("attention", "dtype", "float16"),
        ("attention", "dtype", "float64"),
        ("regression", "estimator", "average"),
        ("regression", "estimator", "nonparametric"),
        ("regression", "estimator", "parametric"),
        ("regression", "kernel", "constant"),
    ],
)
def test_that_a_choice_shows_the_rows_that_matter_and_hides_the_others(
    lab: str, field: str, value: str, connected: Connected, hands: Hands
) -> None:
    form, made = connected(SMALL if lab == "attention" else regression())
    hands.pick(form.editor(field), value)
    spec = made[-1]
    values = {name: getattr(spec, name) for name in type(spec).model_fields}
    assert shown(form, lab) == type(spec).active_fields(values) - {"lab", "device"}


@pytest.mark.parametrize("mechanism", ["dot_product", "additive", "multi_head", "causal_multi_head"])
def test_that_every_module_is_a_legal_spec_at_once(mechanism: str, connected: Connected, hands: Hands) -> None:
    form, made = connected(attention(valid_lens=(3, 2), num_queries=4))
    hands.pick(form.editor("mechanism"), mechanism)
    assert made[-1].mechanism == mechanism
    assert all(form.problem(field) == "" for field in shown(form, "attention"))


@pytest.mark.parametrize(
    ("first", "field", "there"),
    [
        (preset("causal-sentence").spec, "mechanism", "additive"),
        (attention(num_heads=4, bias=True), "mechanism", "dot_product"),
        (attention(dtype="float16", upcast=False), "dtype", "float64"),
        (training(epochs=17, learning_rate=0.25), "estimator", "average"),
        (regression(kernel="boxcar", width=0.25), "estimator", "average"),
        (regression(width=0.25), "kernel", "constant"),
    ],
)
def test_that_a_choice_taken_back_gives_the_spec_of_before(
    first: Spec, field: str, there: str, connected: Connected, hands: Hands
) -> None:
    form, made = connected(first)
    back = form.editor(field).value()
    hands.pick(form.editor(field), there)
    hands.pick(form.editor(field), back)
    assert made[-1] == first


def test_that_several_things_wrong_are_each_said_at_their_field(connected: Connected, hands: Hands) -> None:
    form, made = connected(SMALL)
    hands.type(form.editor("seed"), "-1")
    hands.type(form.editor("batch_size"), "0")
    hands.type(form.editor("temperature"), "0")
    assert not made
    for field in ("seed", "batch_size", "temperature"):
        assert form.problem(field).startswith(LABS["attention"].spec_type.model_fields[field].title)
    hands.type(form.editor("batch_size"), "3")
    assert not made
    assert form.problem("batch_size") == ""
    assert form.problem("seed") != ""
    hands.type(form.editor("seed"), "1")
    hands.type(form.editor("temperature"), "2")
    assert made == [attention(batch_size=3, seed=1, temperature=2.0)]


def test_that_an_invalid_value_repaired_by_another_field_is_taken(connected: Connected, hands: Hands) -> None:
    form, made = connected(SMALL)
    hands.type(form.editor("num_heads"), "3")
    assert form.problem("num_heads")
    hands.type(form.editor("num_hiddens"), "12")
    assert made == [attention(num_heads=3, num_hiddens=12)]
    assert form.problem("num_heads") == form.problem("num_hiddens") == ""


def test_that_valid_lengths_follow_batch_queries_and_keys(connected: Connected, hands: Hands) -> None:
    form, made = connected(attention(valid_lens=((1, 2, 4), (3, 4, 2))))
    hands.type(form.editor("batch_size"), "3")
    assert made[-1].valid_lens == ((1, 2, 4), (3, 4, 2), (3, 4, 2))
    hands.type(form.editor("num_queries"), "4")
    assert made[-1].valid_lens == ((1, 2, 4, 4), (3, 4, 2, 2), (3, 4, 2, 2))
    hands.type(form.editor("num_kvpairs"), "3")
    assert made[-1].valid_lens == ((1, 2, 3, 3), (3, 3, 2, 2), (3, 3, 2, 2))
    hands.type(form.editor("batch_size"), "1")
    assert made[-1].valid_lens == ((1, 2, 3, 3),)
    assert form.problem("valid_lens") == ""


def test_that_valid_lengths_stay_in_the_other_form_where_it_can_hold_them(connected: Connected, hands: Hands) -> None:
    form, made = connected(attention(valid_lens=(2, 3)))
    editor = form.editor("valid_lens")
    hands.pick(editor, "query")
    assert made[-1].valid_lens == ((2, 2, 2), (3, 3, 3))
    hands.pick(editor, "item")
    assert made[-1].valid_lens == (2, 3)
    hands.pick(editor, "query")
    hands.fill(editor, 0, 1, "1")
    hands.pick(editor, "item")
    assert made[-1].valid_lens == (4, 4), "no length of an item is all of its queries'"
    hands.pick(editor, "none")
    hands.pick(editor, "item")
    assert made[-1].valid_lens == (4, 4)


def test_that_valid_lengths_follow_a_size_changed_while_another_field_is_wrong(
    connected: Connected, hands: Hands
) -> None:
    form, made = connected(attention(valid_lens=(4, 2)))
    hands.type(form.editor("num_heads"), "3")
    hands.type(form.editor("batch_size"), "3")
    assert not made
    hands.type(form.editor("num_heads"), "4")
    assert made[-1] == attention(num_heads=4, batch_size=3, valid_lens=(4, 2, 2))


def test_that_valid_lengths_follow_a_size_changed_while_a_cell_holds_nonsense(
    connected: Connected, hands: Hands
) -> None:
    form, made = connected(attention(valid_lens=(4, 2)))
    hands.fill(form.editor("valid_lens"), 0, 0, "x")
    hands.type(form.editor("batch_size"), "3")
    hands.fill(form.editor("valid_lens"), 0, 0, "3")
    assert form.problem("valid_lens") == ""
    assert made[-1] == attention(batch_size=3, valid_lens=(3, 2, 2))


def test_that_painted_cells_outside_smaller_sizes_are_left_out(connected: Connected, hands: Hands) -> None:
    form, made = connected(attention(painted="0: 3; 2: 0-3"))
    hands.type(form.editor("num_kvpairs"), "3")
    assert (made[-1].painted, form.editor("painted").value()) == ("2: 0-2", "3: 1-3")
    hands.type(form.editor("num_queries"), "5")
    assert made[-1].painted == "2: 0-2"
    hands.type(form.editor("num_queries"), "2")
    assert made[-1].painted == form.editor("painted").value() == ""
    assert form.problem("painted") == ""


@pytest.mark.parametrize("field", ["self_attention", "mechanism", "inputs"])
def test_that_painted_cells_follow_the_keys_that_a_choice_brings_along(
    field: str, connected: Connected, hands: Hands, qtbot: QtBot
) -> None:
    form, made = connected(attention(painted="0: 1-3"))
    match field:
        case "self_attention":
            hands.toggle(form.editor(field))
        case "mechanism":
            hands.pick(form.editor(field), "causal_multi_head")
        case "inputs":
            hands.pick(form.editor(field), "sentence")
            hands.write(form.editor(field), "three more words")
            qtbot.waitUntil(lambda: made[-1].inputs == SentenceInputs(text="three more words"))
    assert (made[-1].num_kvpairs, made[-1].painted) == (3, "0: 1-2")
    assert form.problem("painted") == ""


def test_that_a_sentence_counts_when_typing_pauses_and_not_at_every_letter(
    connected: Connected, hands: Hands, qtbot: QtBot
) -> None:
    form, made = connected(SMALL)
    hands.pick(form.editor("inputs"), "sentence")
    assert made[-1].inputs == SentenceInputs()
    count = len(made)
    hands.write(form.editor("inputs"), "one two three")
    assert len(made) == count
    qtbot.waitUntil(lambda: len(made) > count)
    (spec,) = made[count:]
    assert spec.inputs == SentenceInputs(text="one two three")
    assert (spec.num_queries, spec.num_kvpairs, spec.batch_size, spec.self_attention) == (3, 3, 1, True)
    assert "one two three" in [edit.toPlainText() for edit in parts(form.editor("inputs"), QPlainTextEdit)]


def test_that_a_sentence_without_a_word_is_explained_and_changes_nothing(
    connected: Connected, hands: Hands, qtbot: QtBot
) -> None:
    form, made = connected(preset("causal-sentence").spec)
    hands.write(form.editor("inputs"), " ")
    qtbot.waitUntil(lambda: form.problem("inputs") != "")
    assert "at least one" in form.problem("inputs")
    assert not made


def test_that_a_sentence_being_typed_is_taken_with_a_change_elsewhere(connected: Connected, hands: Hands) -> None:
    form, made = connected(preset("causal-sentence").spec)
    hands.write(form.editor("inputs"), "three more words")
    hands.type(form.editor("seed"), "9")
    assert made[-1].seed == 9
    assert made[-1].inputs == SentenceInputs(text="three more words")


def test_that_points_written_in_a_spec_survive_a_look_at_other_data(connected: Connected, hands: Hands) -> None:
    points: dict[str, Any] = {"kind": "points", "x": (0.1234567890123, 2.0), "y": (1.0, -1e-9)}
    form, made = connected(regression(data=points))
    hands.pick(form.editor("data"), "book")
    hands.pick(form.editor("data"), "points")
    assert made[-1] == regression(data=points)


def test_that_too_few_synthetic_points_are_explained_at_the_data(connected: Connected, hands: Hands) -> None:
    form, made = connected(regression())
    hands.type(parts(form.editor("data"), QSpinBox)[0], "0")
    assert "0" in form.problem("data")
    assert "at least 1" in form.problem("data")
    assert not made


def test_that_the_nearest_number_of_synthetic_points_is_a_link_that_repairs_it(
    connected: Connected, hands: Hands
) -> None:
    form, made = connected(regression())
    hands.type(parts(form.editor("data"), QSpinBox)[0], "0")
    (label,) = [it for it in form.findChildren(QLabel) if it.objectName() == "problem" and it.text()]
    link = label.text().partition('href="')[2].partition('"')[0]
    with hands.qtbot.captureExceptions() as raised:
        label.linkActivated.emit(link)
    assert not raised
    assert made[-1] == regression(data={"kind": "synthetic", "n_train": 1, "noise": 0.2})


def test_that_a_grid_whose_end_is_before_its_start_is_explained(connected: Connected, hands: Hands) -> None:
    form, made = connected(regression())
    start, stop, step = (part for part in parts(form.editor("x_test"), Editor) if part is not form.editor("x_test"))
    hands.type(stop, "-3")
    assert "End -3 must be above start 0" in form.problem("x_test")
    hands.type(start, "-4")
    assert form.problem("x_test") == ""
    hands.type(step, "0.25")
    assert made[-1].x_test.model_dump() == {"start": -4.0, "stop": -3.0, "step": 0.25}


def test_that_the_kernel_cannot_be_chosen_where_the_width_is_learned(connected: Connected, hands: Hands) -> None:
    form, made = connected(regression(kernel="boxcar"))
    hands.pick(form.editor("estimator"), "parametric")
    assert made[-1].estimator == "parametric"
    assert "kernel" not in shown(form, "regression")


def test_that_the_first_w_is_drawn_unless_the_switch_beside_it_is_on(connected: Connected, hands: Hands) -> None:
    form, made = connected(training(w_init=None))
    hands.toggle(form.editor("w_init"))
    assert made[-1].w_init == 0.5
    hands.type(form.editor("w_init"), "0.75")
    assert made[-1].w_init == 0.75
    hands.toggle(form.editor("w_init"))
    assert made[-1].w_init is None


def test_that_a_turned_knob_says_which_field_it_was(used_window: MainWindow, hands: Hands) -> None:
    fields: list[str] = []
    connection = used_window.room.form.proposed.connect(lambda _spec, field: fields.append(field))
    hands.type(used_window.room.form.editor("num_kvpairs"), "5")
    hands.toggle(used_window.room.form.editor("causal"))
    used_window.room.form.proposed.disconnect(connection)
    assert fields == ["num_kvpairs", "causal"]
