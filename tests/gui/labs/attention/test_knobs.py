"""Each knob of the attention form, turned by hand, changes the picture to the pixels of an independent run's tensor."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, grid_colours, heatmap_colours, look, name_of, pixels
from hands import Hands, parts
from PySide6.QtCore import Qt
from small_specs import attention, independent_trace, what_matters
from windows import At, Settle

from attnviz.experiment.labs import LABS, make_spec
from attnviz.gui.dialogs.screenshot import picture_of
from attnviz.gui.forms.spec_form import SpecForm, group_of
from attnviz.gui.widgets.buttons import Switch
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.window.main_window import MainWindow

Turn = Callable[[Hands, Any], None]


@dataclass(frozen=True)
class Knob:
    """A field, how it is turned, what the spec then says, and what it said before."""

    field: str
    turn: Turn
    gives: dict[str, Any]
    base: dict[str, Any] = field(default_factory=dict)
    same_colours: bool = False
    stage: str = "weights"

    @property
    def name(self) -> str:
        return f"{self.field}={self.gives.get(self.field)}"


def typed(name: str, value: float, **more: Any) -> Knob:
    return Knob(name, lambda hands, editor: hands.type(editor, str(value)), {name: value}, **more)


def written(name: str, text: str, value: Any, **more: Any) -> Knob:
    return Knob(name, lambda hands, editor: hands.type(editor, text), {name: value}, **more)


def slid(name: str, key: Qt.Key, value: float, **more: Any) -> Knob:
    return Knob(name, lambda hands, editor: hands.slide(editor, key), {name: value}, **more)


def picked(name: str, value: str, gives: dict[str, Any] | None = None, **more: Any) -> Knob:
    return Knob(name, lambda hands, editor: hands.pick(editor, value), gives or {name: value}, **more)


def flipped(name: str, value: bool = True, gives: dict[str, Any] | None = None, **more: Any) -> Knob:
    return Knob(name, lambda hands, editor: hands.toggle(editor), {name: value} | (gives or {}), **more)


def stepped(title: str, steps: dict[str, Any], **more: Any) -> Knob:
    def turn(hands: Hands, editor: Any) -> None:
        (switch,) = [each for each in parts(editor, Switch) if name_of(each) == title]
        hands.qtbot.mouseClick(switch, hands.left)

    return Knob("score_steps", turn, {"score_steps": steps}, **more)


EMPTY_ROW = {"valid_lens": (0, 2)}
WITHOUT_UPCAST = EMPTY_ROW | {"mask_policy": "book", "dtype": "float16", "upcast": False}
WITH_UPCAST = WITHOUT_UPCAST | {"upcast": True}
IN_TRAINING = {"dropout": 0.5, "training": True}
CAUSAL_MODULE = {"mechanism": "causal_multi_head", "num_kvpairs": 3}

KNOBS = (
    picked("mechanism", "dot_product"),
    picked("mechanism", "additive"),
    picked("mechanism", "causal_multi_head", {"mechanism": "causal_multi_head", "num_kvpairs": 3}),
    typed("num_heads", 4),
    slid("num_heads", Qt.Key.Key_Home, 1),
    typed("num_kv_heads", 1),
    written("num_kv_heads", "0", None, base={"num_kv_heads": 1}),
    typed("num_hiddens", 16),
    slid("num_hiddens", Qt.Key.Key_Home, 8, base={"num_hiddens": 24}),
    flipped("scaled", False),
    picked("inputs", "ones", {"inputs": {"kind": "ones"}}),
    picked("inputs", "identity", {"inputs": {"kind": "identity"}}),
    Knob(
        "inputs",
        lambda hands, editor: (hands.pick(editor, "sentence"), hands.write(editor, "one two one")),  # type: ignore[arg-type, return-value]
        {"inputs": {"kind": "sentence", "text": "one two one"}, "batch_size": 1, "num_queries": 3, "num_kvpairs": 3},
    ),
    Knob(
        "inputs",
        lambda hands, editor: (hands.pick(editor, "two_sentences"), hands.write(editor, "one two one")),  # type: ignore[arg-type, return-value]
        {
            "inputs": {"kind": "two_sentences", "text": "one two one"},
            "batch_size": 1,
            "num_queries": 3,
            "num_kvpairs": 6,
        },
    ),
    picked("positions", "sinusoidal"),
    flipped("self_attention", gives={"num_kvpairs": 3}),
    typed("batch_size", 3, same_colours=True),
    slid("batch_size", Qt.Key.Key_Home, 1, same_colours=True),
    typed("num_queries", 5),
    slid("num_queries", Qt.Key.Key_Right, 4),
    typed("num_kvpairs", 7),
    slid("num_kvpairs", Qt.Key.Key_Left, 3),
    typed("seed", 12345),
    slid("seed", Qt.Key.Key_End, 99),
    flipped("causal"),
    Knob(
        "valid_lens",
        lambda hands, editor: (hands.pick(editor, "item"), hands.fill(editor, 0, 0, "2")),  # type: ignore[arg-type, return-value]
        {"valid_lens": (2, 4)},
    ),
    Knob(
        "valid_lens",
        lambda hands, editor: (hands.pick(editor, "query"), hands.press(editor.below, "Staircase")),  # type: ignore[arg-type, return-value]
        {"valid_lens": ((1, 2, 3), (1, 2, 3))},
    ),
    typed("window", 2),
    typed("window", 1, base={"num_queries": 6}),
    written("window", "0", None, base={"window": 2}),
    written("document_lens", "1, 2", (1, 2)),
    written("document_lens", "2 1", (2, 1), base={"document_lens": (1, 2)}),
    written("document_lens", "", None, base={"document_lens": (1, 2)}),
    written("painted", "1: 2-3; 3: 1", "0: 1-2; 2: 0"),
    written("painted", "3:4,1;1-2 : 3", "0-1: 2; 2: 0 3", base={"painted": "1: 1"}),
    written("painted", "2: 1-4", "1: 0-3", base={"mask_policy": "inf"}),
    written("painted", "", "", base={"painted": "1: 1"}),
    picked("mask_policy", "book", base=EMPTY_ROW, same_colours=True),
    picked("mask_policy", "inf", base=EMPTY_ROW),
    typed("dropout", 0.75, base=IN_TRAINING, stage="dropped_weights"),
    slid("dropout", Qt.Key.Key_End, 0.9, base=IN_TRAINING, stage="dropped_weights"),
    flipped("training", False, base=IN_TRAINING, same_colours=True),
    flipped("bias"),
    typed("temperature", 0.25),
    slid("temperature", Qt.Key.Key_Home, 0.1),
    typed("context_length", 100, base=CAUSAL_MODULE, same_colours=True),
    typed("query_size", 6),
    typed("key_size", 5),
    typed("value_size", 3, same_colours=True),
    picked("dtype", "float64", same_colours=True),
    picked("dtype", "bfloat16"),
    picked("dtype", "float16", same_colours=True),
    flipped("upcast", False, base=WITH_UPCAST),
    flipped("upcast", True, base=WITHOUT_UPCAST),
    stepped("Soft cap", {"softcap": {"cap": 2.0}}),
    stepped("Soft cap", {}, base={"score_steps": {"softcap": {"cap": 0.5}}}),
    stepped("Query-key norm", {"query_key_norm": {}}),
)


@pytest.fixture
def form(shared_window: MainWindow) -> Iterator[SpecForm]:
    """The attention form with its fold open, in a window that shows the weights again afterwards."""
    room = shared_window.rooms["attention"]
    room.form.findChild(Fold).expand()
    yield room.form
    room.stage.strip.go_to("weights")


def test_that_every_field_of_the_form_is_turned_here() -> None:
    fields = LABS["attention"].spec_type.model_fields
    turned = {knob.field for knob in KNOBS} | {"masks", "mechanism_knobs"}  # of records that trials define
    turned |= {"mods"}  # in test_own_functions.py
    assert turned == {name for name, info in fields.items() if group_of(info)}


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.name)
def test_that_a_knob_changes_the_picture_to_the_pixels_of_the_tensor(
    knob: Knob,
    form: SpecForm,
    hands: Hands,
    at: At,
    settle: Settle,
) -> None:
    base = attention(**knob.base)
    window = at(base)
    stage = window.rooms["attention"].stage
    stage.strip.go_to(knob.stage)
    before = stage.trace.levels(knob.stage)
    old_picture = look(stage.heatmap)

    knob.turn(hands, form.editor(knob.field))
    expected = make_spec(base.model_dump(exclude_unset=True) | knob.gives)
    hands.qtbot.waitUntil(lambda: what_matters(window.controller.spec) == what_matters(expected))
    settle(window)

    trace = independent_trace(expected)
    shown = window.controller.shown
    for name, array in trace.arrays().items():
        np.testing.assert_array_equal(shown.arrays()[name], array, err_msg=name)
    levels = trace.levels(stage.view.stage)[stage.item]
    assert (heatmap_colours(stage.heatmap, levels.shape[1:]) == colours_of(stage.table, levels[0])).all()
    if len(levels) > 1:
        assert (grid_colours(stage.grid, levels.shape[1:]) == colours_of(stage.table, levels)).all()
    if not knob.same_colours:
        assert before.shape != trace.weights.shape or not np.array_equal(before, trace.levels(knob.stage))
        assert not np.array_equal(look(stage.heatmap), old_picture)


def test_that_twice_the_pixels_show_the_same_tensor(at: At) -> None:
    spec = attention(valid_lens=(3, 2), num_queries=6)
    stage = at(spec).rooms["attention"].stage
    levels = independent_trace(spec).levels("weights")[0]
    heatmap = pixels(picture_of(stage.heatmap, 2))
    grid = pixels(picture_of(stage.grid, 2))
    assert heatmap.shape == (stage.heatmap.height() * 2, stage.heatmap.width() * 2)
    assert (heatmap_colours(stage.heatmap, (6, 4), heatmap, 2) == colours_of(stage.table, levels[0])).all()
    assert (grid_colours(stage.grid, (6, 4), grid, 2) == colours_of(stage.table, levels)).all()
