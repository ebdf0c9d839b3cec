"""No hand is told no: sliders, the wheel and arrow keys visit legal values only, and move nothing under the hand."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hands import Hands, parts
from lab_forms import lab_form
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QLabel,
    QScrollArea,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, regression, training

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS, Spec
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.row import Row
from attnviz.gui.forms.spec_form import SpecForm, group_of
from attnviz.gui.widgets.inspector import Fold

Shown = Callable[[Spec], tuple[SpecForm, list[Spec]]]


def kind_of(spec: Spec) -> tuple[str, ...]:
    """Return which choices of a spec decide about the fields of its form."""
    values = dict(spec)
    parts = (getattr(values.get(name), "kind", "") for name in ("inputs", "data", "task"))
    return spec.lab, values.get("mechanism", ""), values.get("estimator", ""), *parts


KEYS = Qt.Key
SLIDER_KEYS = (KEYS.Key_Home, *[KEYS.Key_Right] * 3, KEYS.Key_End, KEYS.Key_Left)
BOX_KEYS = (*[KEYS.Key_Up] * 3, *[KEYS.Key_Down] * 5)
POSITIONS, MANY_POSITIONS = 10, 50
PRESETS = {name: preset.spec for name, preset in presets().items()}
FIRST = {kind_of(spec): name for name, spec in PRESETS.items()}.values()
"""The presets of the short suite, one of each kind; the others differ from them in sizes alone."""
SPECS = PRESETS | {
    "a dot product of one given size": attention(mechanism="dot_product", key_size=8),
    "a dot product of two given sizes": attention(mechanism="dot_product", key_size=6, query_size=6),
    "no room in the context": attention(
        mechanism="causal_multi_head", num_queries=8, num_kvpairs=8, self_attention=True, context_length=8
    ),
    "lengths and paint": attention(valid_lens=((1, 2, 4), (3, 4, 2)), painted="0: 1-3"),
    "learned": training(num_heads=3),
    "a fine grid": regression(x_test={"start": 0.0, "stop": 5.0, "step": 0.001}),
}


@pytest.fixture(scope="module")
def forms(qapp: QApplication) -> Iterator[dict[str, SpecForm]]:
    """One unfolded form for each lab, within a panel that scrolls."""
    areas = {name: QScrollArea() for name in LABS}
    found = {name: lab_form(name) for name in LABS}
    for name, area in areas.items():
        area.setWidget(found[name])
        area.setWidgetResizable(True)
        area.resize(300, 500)
        area.show()
        for fold in found[name].findChildren(Fold):
            fold.expand()
    yield found
    for area in areas.values():
        area.deleteLater()


@pytest.fixture
def shown(forms: dict[str, SpecForm], hands: Hands) -> Iterator[Shown]:
    """Return a function that shows a spec in a form whose proposals are shown at once, as by a controller."""
    connections: list[tuple[SpecForm, Any]] = []

    def show(spec: Spec) -> tuple[SpecForm, list[Spec]]:
        form, made = forms[spec.lab], [spec]

        def take(proposed: Spec, _field: str) -> None:
            made.append(proposed)
            form.set_spec(proposed)

        connections.append((form, form.proposed.connect(take)))
        form.window().activateWindow()  # the wheel turns only what has the focus
        hands.qtbot.waitUntil(form.window().isActiveWindow)
        form.set_spec(spec)
        return form, made

    yield show
    for form, connection in connections:
        form.proposed.disconnect(connection)


def knobs(form: SpecForm, kind: Any) -> list[Any]:
    """Return the widgets of a kind that can be turned."""
    return [each for each in form.findChildren(kind) if each.isVisible() and each.isEnabled()]


def press(widget: QWidget, key: Qt.Key) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))


def said_by(form: SpecForm) -> list[str]:
    return [row.said for row in form.findChildren(Row) if row.said]


@pytest.mark.parametrize("name", SPECS)
def test_that_no_position_of_a_slider_and_no_step_of_wheel_or_arrow_is_refused(
    name: str, shown: Shown, hands: Hands, long: bool
) -> None:
    if not long and name in PRESETS and name not in FIRST:
        pytest.skip("one preset of each kind is enough for the short suite")
    spec = SPECS[name]
    form, made = shown(spec)
    positions = MANY_POSITIONS if long else POSITIONS
    problems: list[Any] = []

    def tried(knob: QWidget, acts: Iterable[Callable[[], object]]) -> None:
        knob.setFocus()
        for act in acts:
            act()
            if form.refuses:
                problems.append((knob.accessibleName(), said_by(form)))
                form.set_spec(spec)
        form.set_spec(spec)

    for slider in knobs(form, QSlider):
        span = slider.maximum() - slider.minimum()
        tried(slider, [partial(slider.setValue, round(span * at / positions)) for at in range(positions + 1)])
        tried(slider, [partial(press, slider, key) for key in SLIDER_KEYS])
        tried(slider, [partial(hands.wheel, slider, QPointF(5, 5), notches) for notches in (1, -1, -3)])
    for box in knobs(form, QAbstractSpinBox):
        tried(box, [partial(press, box, key) for key in BOX_KEYS])
        tried(box, [partial(hands.wheel, box, QPointF(5, 5), notches) for notches in (1, -1, -1)])
    assert problems == []
    assert len(made) > positions // 2 or spec.is_given


def visited(form: SpecForm, field: str) -> list[float]:
    """Return the values at all positions of a slider, from left to right."""
    (slider,) = form.editor(field).findChildren(QSlider)
    values = []
    for position in range(slider.minimum(), slider.maximum() + 1):
        slider.setValue(position)
        values.append(form.editor(field).value())
    return values


def test_that_heads_visit_the_divisors_of_hidden_and_hidden_the_multiples_of_heads(shown: Shown) -> None:
    form, _ = shown(attention(num_hiddens=96, num_heads=8))
    assert visited(form, "num_heads") == [1, 2, 3, 4, 6, 8, 12, 16]
    form.set_spec(attention(num_hiddens=96, num_heads=12))
    sizes = visited(form, "num_hiddens")
    assert (sizes[0], sizes[-1]) == (12, 1020)
    assert all(size % 12 == 0 for size in sizes)
    steps = [after / before for before, after in pairwise(sizes)]
    assert max(steps[8:]) < 1.2, "beyond the first multiples, each size is a little larger than the one before"
    form.set_spec(attention(num_hiddens=97, num_heads=1))
    assert visited(form, "num_heads") == [1]


def test_that_every_position_is_another_value_and_a_typed_one_gets_a_position(shown: Shown, hands: Hands) -> None:
    form, made = shown(attention(num_hiddens=100, num_heads=5))
    hands.type(form.editor("num_hiddens"), "865")
    assert made[-1].num_hiddens == 865  # type: ignore[attr-defined]
    hands.slide(form.editor("num_hiddens"), Qt.Key.Key_Right)
    assert form.editor("num_hiddens").value() == 880
    hands.slide(form.editor("num_hiddens"), Qt.Key.Key_Left)
    assert form.editor("num_hiddens").value() == 800, "865 was a position only while it was the value"
    for field in ("num_hiddens", "temperature", "dropout", "seed", "context_length"):
        if not form.editor(field).parentWidget().isHidden():
            values = visited(form, field)
            assert values == sorted(set(values))


def test_that_a_slider_beside_a_refused_value_offers_what_repairs_it(shown: Shown, hands: Hands) -> None:
    form, made = shown(attention(num_hiddens=100, num_heads=5))
    hands.type(form.editor("num_hiddens"), "64")
    assert form.problem("num_hiddens") == "Hidden size 64 is not divisible by 5 heads; 60 or 65"
    assert visited(form, "num_heads") == [1, 2, 4, 8, 16]
    assert made[-1] == attention(num_hiddens=64, num_heads=16)
    assert said_by(form) == []


def test_that_a_link_is_reached_and_followed_by_the_keyboard(qtbot: QtBot, hands: Hands, shown: Shown) -> None:
    form, made = shown(attention(num_hiddens=100, num_heads=5))
    form.window().activateWindow()
    qtbot.waitUntil(form.window().isActiveWindow)
    hands.type(form.editor("num_hiddens"), "64")
    (label,) = [each for each in form.findChildren(QLabel, "problem") if each.isVisible()]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is label
    qtbot.keyClick(label, Qt.Key.Key_Tab)
    qtbot.keyClick(label, Qt.Key.Key_Return)
    assert made[-1] in (attention(num_hiddens=60, num_heads=5), attention(num_hiddens=65, num_heads=5))
    assert said_by(form) == []
    assert form.editor("num_hiddens").focusProxy().hasFocus()


REFUSALS: tuple[tuple[Spec, str, str], ...] = (
    (SMALL, "num_heads", "3"),
    (SMALL, "num_hiddens", "0"),
    (SMALL, "window", "20000"),
    (SMALL, "document_lens", "2, x"),
    (SMALL, "document_lens", "2, 99999"),
    (SMALL, "painted", "9: 1; 1: 2"),
    (SMALL, "dropout", "1"),
    (attention(mechanism="dot_product"), "key_size", "5"),
    (attention(mechanism="dot_product"), "query_size", "5"),
    (SPECS["no room in the context"], "num_queries", "9"),
    (regression(), "x_test", "7"),
    (regression(), "width", "0"),
)


@pytest.mark.parametrize(("spec", "field", "typed"), REFUSALS)
def test_that_every_nearest_value_is_a_link_and_repairs(
    spec: Spec, field: str, typed: str, shown: Shown, hands: Hands
) -> None:
    for number in range(3):
        form, made = shown(spec)
        before = len(made)
        box = form.editor(field).findChildren(Editor)[:1] or [form.editor(field)]
        hands.type(box[0], typed)
        assert len(made) == before
        row = form.editor(field).parentWidget()
        assert isinstance(row, Row)
        assert row.message.text().count("<a ") == len(row._repairs) > 0
        if number < len(row._repairs):
            row.message.linkActivated.emit(list(row._repairs)[number])
            assert len(made) > before
            assert said_by(form) == []


@pytest.mark.parametrize("typed", ["9", "x", "-2"])
def test_that_a_wrong_cell_of_valid_lengths_is_repaired_by_a_link(typed: str, shown: Shown, hands: Hands) -> None:
    form, made = shown(attention(valid_lens=(2, 3)))
    hands.fill(form.editor("valid_lens"), 0, 1, typed)
    row = form.editor("valid_lens").parentWidget()
    assert isinstance(row, Row)
    (link,) = row._repairs
    row.message.linkActivated.emit(link)
    assert made[-1].valid_lens == (2, {"9": 4, "x": 1, "-2": 0}[typed])  # type: ignore[attr-defined]


@pytest.mark.parametrize("typed", ["7", "64"])
def test_that_nothing_moves_under_a_hand_that_drags_a_slider(typed: str, shown: Shown, hands: Hands) -> None:
    form, made = shown(attention(num_hiddens=100, num_heads=5, training=False))
    hands.type(form.editor("num_heads"), typed)  # refused: a message stands above the slider of Hidden
    assert said_by(form) != []
    QApplication.processEvents()
    for field in ("num_hiddens", "dropout"):
        slider = parts(form.editor(field), QSlider)[0]
        places = {row: row.mapTo(form, row.rect().topLeft()) for row in form.findChildren(Row)}
        middle = slider.height() // 2
        hands.qtbot.mousePress(slider, hands.left, pos=handle_of(slider))
        for share in (0.4, 0.5, 0.6, 0.7):
            hands.drag(slider, QPoint(int(slider.width() * share), middle))
            QApplication.processEvents()
            assert {row: row.mapTo(form, row.rect().topLeft()) for row in places} == places
        hands.qtbot.mouseRelease(slider, hands.left)
    assert made[-1].dropout > 0  # type: ignore[attr-defined]
    assert said_by(form) == []
    hands.qtbot.waitUntil(lambda: not any(label.isVisible() for label in form.findChildren(QLabel, "problem")))


def handle_of(slider: QSlider) -> QPoint:
    """Return the middle of a slider's handle."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    style, part = slider.style(), QStyle.SubControl.SC_SliderHandle
    return style.subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()


def test_that_every_rule_of_a_mechanism_that_limits_a_number_says_what_is_legal() -> None:
    fields = LABS["attention"].spec_type.model_fields
    for record in MECHANISMS.values():
        for rule in record.all_rules:
            assert rule.holds is not None or rule.field in rule.legal
            assert all(group_of(fields[name]) for name in rule.legal)
