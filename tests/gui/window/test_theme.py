"""Light and dark, and type for a lecture hall: every colour changes with the theme, and everything keeps its place."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, grid_colours, heatmap_colours, look
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QIcon
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)
from pytestqt.qtbot import QtBot
from small_specs import attention, cut_short, independent_trace, training
from windows import At, Opener, Settle

from attnviz.experiment.colours import MASKED
from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.labs import Spec
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.theme import DARK, LIGHT, THEMES, Look, Theme, icon, palette, style_sheet
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.labels import ElidingLabel
from attnviz.gui.window.main_window import MainWindow

PRESENTED = 1.6  # the type of Present on the screen of tests, which is 800 pixels high
SIZES = [(900, 600, 1.0), (1024, 640, 1.0), (1920, 1080, PRESENTED)]
DROPPED = attention(valid_lens=(1, 2), dropout=0.5, training=True)
ONE_OF_EACH_KIND = {dict(each.spec).get("mechanism", dict(each.spec).get("estimator", each.spec.lab)): each
                    for each in presets().values()}.values()  # fmt: skip


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: "{}x{}, {}".format(*size))
def size(request: pytest.FixtureRequest) -> tuple[int, int, float]:
    """Each size and scale of type; the claims about one come together, for a change of scale takes half a second."""
    found: tuple[int, int, float] = request.param
    return found


@pytest.fixture
def sized(at: At, qtbot: QtBot) -> Callable[..., MainWindow]:
    """Return a function that shows a spec in light colours at a size and a type scale, all folds open."""

    def show(spec: Spec, width: int, height: int, scale: float) -> MainWindow:
        window = at(spec)
        if window.look.theme is DARK:
            window.toggle_theme()
        if scale != window.look.scale:
            window.present(scale != 1.0)
        window.showNormal()
        window.resize(width, height)
        for fold in window.room.form.findChildren(Fold):
            fold.expand()
        qtbot.waitUntil(lambda: window.size().toTuple() == (width, height))
        form = window.room.form
        qtbot.waitUntil(lambda: not form.isVisible() or form.height() >= form.minimumSizeHint().height())
        return window

    return show


def place_of(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())


def test_that_every_widget_that_the_style_sheet_draws_is_in_a_part_that_has_it(at: At) -> None:
    for spec in (attention(), training(epochs=2)):
        window = at(spec)
        window.help.open_shortcuts()
        now = style_sheet(window.look)
        kinds = (QLabel, QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QScrollArea)
        drawn = [each for kind in kinds for each in window.findChildren(kind) if each.isVisible()]
        assert len(drawn) > 50
        for each in drawn:
            if type(each).__name__ in ("Rail", "Switch"):  # they paint themselves
                continue
            parts, part = [], each
            while part is not None:
                parts += [part.styleSheet()] if part.styleSheet() else []
                part = part.parentWidget()
            assert parts == [now], each
        window.help.shortcuts.close()


def test_that_a_room_built_right_after_a_change_of_type_has_that_type(at: At) -> None:
    window = at(attention())
    window.present(True, full_screen=False)
    built = type(window.room)(window.look, window)
    window.panels.stages.addWidget(built.stage)
    built.restyle(window.look)
    QApplication.processEvents()
    found = built.stage.page_box.font().pixelSize()
    window.panels.stages.removeWidget(built.stage)
    for part in (*built.parts, built):
        part.deleteLater()
    window.present(False)
    assert found == window.look.presented(window.height()).font().pixelSize()


def test_that_the_style_sheet_has_no_place_left_to_fill() -> None:
    for theme in THEMES.values():
        for scale in (1.0, PRESENTED):
            sheet = style_sheet(Look(theme, scale))
            assert "$" not in sheet.partition("*/")[2]
            assert theme.window in sheet


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_that_the_palette_of_qt_has_the_colours_of_the_theme(theme: Theme) -> None:
    colours = palette(theme)
    assert colours.window().color() == QColor(theme.window)
    assert colours.text().color() == QColor(theme.text)
    assert colours.highlight().color() == QColor(theme.accent)


def test_that_numbers_stand_in_figures_of_equal_width(qapp: QApplication) -> None:

    metrics = QFontMetricsF(Look(LIGHT).font())
    assert len({metrics.horizontalAdvance(figure * 4) for figure in "0123456789"}) == 1


def test_that_toggling_the_theme_changes_every_part_and_toggling_back_restores_it(sized: Any) -> None:
    window = sized(attention(valid_lens=(3, 2)), 1280, 800, 1.0)
    stage = window.rooms["attention"].stage
    parts = (stage.grid, stage.heatmap, stage.bar, window.top_bar)
    light = [look(part) for part in parts]
    window.actions_["theme"].trigger()
    assert window.look.theme is DARK
    for panel in (window.room.form, window.room.inspector):
        assert look(panel)[2, 2] == QColor(DARK.panel).rgb() & 0xFFFFFF
    dark = [look(part) for part in parts]
    for before, after in zip(light, dark, strict=True):
        assert before.shape == after.shape
        assert np.mean(before != after) > 0.3
    levels = independent_trace(attention(valid_lens=(3, 2))).levels()[0]
    assert (grid_colours(stage.grid, (3, 4)) == colours_of(stage.table, levels)).all()
    assert (heatmap_colours(stage.heatmap, (3, 4)) == colours_of(stage.table, levels[0])).all()
    window.actions_["theme"].trigger()
    for before, after in zip(light, [look(part) for part in parts], strict=True):
        assert np.mean(before == after) > 0.999


def test_that_every_widget_of_every_room_takes_the_look_of_the_window_and_one_made_later_too(
    at: At, settle: Settle
) -> None:
    window = at(attention())
    for each in ONE_OF_EACH_KIND:
        window.controller.propose(cut_short(each.spec))
        settle(window)
        window.toggle_theme()
        before = window.room.view.page
        for page in (*window.room.view.pages, before):
            window.room.current_view.propose(page=page)
        settle(window)
        parts = [part for shown in window.room.parts for part in (shown, *shown.findChildren(QWidget))]
        looks = {type(part): getattr(part, "look", getattr(part, "_look", None)) for part in parts}
        looks = {kind: found for kind, found in looks.items() if isinstance(found, Look)}
        assert len(looks) > 10
        assert {kind: found.theme for kind, found in looks.items() if found.theme is not window.look.theme} == {}


@pytest.mark.parametrize("scale", [1.0, PRESENTED])
def test_that_curves_take_the_colours_and_the_scale_of_the_theme(scale: float, sized: Any) -> None:
    window = sized(training(), 1280, 800, scale)
    window.toggle_theme()
    fit = window.rooms["regression"].stage.fit
    grounds = look(fit)
    assert np.mean(grounds == (QColor(DARK.window).rgb() & 0xFFFFFF)) > 0.5
    assert (grounds == (QColor(DARK.accent).rgb() & 0xFFFFFF)).any()


def test_that_the_presenter_makes_type_larger_and_ends_with_the_same_button_in_the_same_theme(
    sized: Any, qtbot: QtBot
) -> None:
    window = sized(attention(), 1280, 800, 1.0)
    window.toggle_theme()
    label = window.room.form.findChild(QLabel)
    small = label.fontMetrics().height()
    window.actions_["present"].trigger()
    assert window.look.scale == PRESENTED
    assert window.isFullScreen()
    qtbot.waitUntil(lambda: label.fontMetrics().height() > 1.4 * small)
    window.actions_["present"].trigger()
    assert not window.isFullScreen()
    assert window.look == Look(DARK, 1.0)
    qtbot.waitUntil(lambda: label.fontMetrics().height() == small)


def test_that_nothing_in_form_and_inspector_is_wider_than_its_panel(
    size: tuple[int, int, float], sized: Any, qtbot: QtBot
) -> None:
    for spec in (attention(valid_lens=((1, 2, 3), (1, 2, 3))), preset("many-heads").spec):
        window = sized(spec, *size)
        panels = window.panels
        for side, panel in ((panels.left, window.room.form), (panels.right, window.room.inspector)):
            folded = side.folded
            if folded:
                side.fold_asked.emit()
            qtbot.waitUntil(panel.isVisible)
            qtbot.waitUntil(lambda panel=panel: _nothing_is_too_wide(panel))
            if folded:
                side.fold_asked.emit()


def _nothing_is_too_wide(panel: QWidget) -> None:
    """Find out what is wider than a panel's place; a scroll bar that has just come lays the panel out once more."""
    area = panel.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    room = area.viewport().width()
    inside = [panel, *(it for it in panel.findChildren(QWidget) if it.isVisible() and not _scrolls(it, panel))]
    wide = [it for it in inside if place_of(it, panel).right() >= room or place_of(it, panel).left() < 0]
    assert [(type(it).__name__, it.accessibleName(), place_of(it, panel)) for it in wide] == []


def _scrolls(widget: QWidget, panel: QWidget) -> bool:
    """Return whether a widget lies within a scrolling part, where it may be out of sight."""
    parent = widget.parentWidget()
    while parent is not None and parent is not panel:
        if parent.inherits("QAbstractScrollArea"):
            return True
        parent = parent.parentWidget()
    return False


@pytest.mark.parametrize("size", SIZES[1:], indirect=True, scope="module")
def test_that_every_word_in_the_bar_above_and_on_the_stage_fits_into_its_place(
    size: tuple[int, int, float], sized: Any, qtbot: QtBot
) -> None:
    for spec in (DROPPED, training()):
        window = sized(spec, *size)
        widgets = [
            it for part in (window.top_bar, window.room.stage, window.status) for it in part.findChildren(QWidget)
        ]
        qtbot.waitUntil(lambda widgets=widgets: _no_word_is_cut(widgets))


def _no_word_is_cut(widgets: list[QWidget]) -> None:
    cut = []
    for widget in widgets:
        if isinstance(widget, QComboBox) and widget.isVisible():
            option = QStyleOptionComboBox()
            widget.initStyleOption(option)
            part = QStyle.SubControl.SC_ComboBoxEditField
            room = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, widget).width()
            text = widget.currentText()
            cut += [(text, room)] if widget.fontMetrics().horizontalAdvance(text) > room else []
        elif isinstance(widget, ElidingLabel) and widget.accessibleName() == "Shapes":
            continue  # the shapes are cut where the formula needs the room; their tooltip has them whole
        elif isinstance(widget, (QAbstractButton, QLabel)) and widget.isVisible() and widget.text():
            # A stage's button in the strip has no frame of its own: its text alone needs room.
            in_strip = widget.objectName() == "stageStep"
            needed = widget.fontMetrics().horizontalAdvance(widget.text()) if in_strip else widget.sizeHint().width()
            cut += [(widget.text(), widget.width())] if widget.width() < needed else []
    assert cut == []


@pytest.mark.parametrize("size", SIZES[1:], indirect=True, scope="module")
def test_that_the_sign_of_masked_cells_is_in_sight(size: tuple[int, int, float], sized: Any) -> None:
    stage = sized(DROPPED, *size).rooms["attention"].stage
    for contrast in ("", "head"):
        stage.contrast.choose(contrast)
        assert colours_of(stage.table, np.array(MASKED)) in look(stage.bar)
    stage.contrast.choose("")


def test_that_the_parts_of_the_stage_lie_one_beside_the_other_within_the_window(
    size: tuple[int, int, float], sized: Any
) -> None:
    for spec in (attention(), training(), preset("causal-sentence").spec):
        window = sized(spec, *size)
        stage = window.room.stage
        names = ("grid", "heatmap", "bar", "read_out", "fit", "loss", "w")
        parts = [getattr(stage, name) for name in names if hasattr(stage, name)]
        parts = [part for part in parts if stage.isAncestorOf(part)]  # curves of a training may be in the inspector
        places = [place_of(part, window) for part in parts if part.isVisible()]
        assert len(places) >= 3
        assert all(window.rect().contains(place) for place in places)
        assert not any(one.intersects(other) for n, one in enumerate(places) for other in places[:n])
        pictures = [part for part in parts if part.isVisible() and part not in (stage.bar, stage.read_out)]
        assert all(min(part.width(), part.height()) >= 60 for part in pictures)


def test_that_every_preset_can_be_drawn_dark_and_large(sized: Any, settle: Settle, long: bool) -> None:
    window = sized(attention(), 1280, 800, PRESENTED)
    window.toggle_theme()
    for each in presets().values() if long else ONE_OF_EACH_KIND:
        window.controller.propose(cut_short(each.spec))
        settle(window)
        colours = np.unique(look(window.room.stage))
        assert len(colours) > 20, each.name
        assert QColor(DARK.window).rgb() & 0xFFFFFF in colours


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_an_icon_that_cannot_be_pressed_is_fainter(qapp: object, theme: Theme) -> None:
    del qapp
    undo = icon("undo", theme.text, 16)
    strong, faint = (
        max(image.pixelColor(x, y).alphaF() for x in range(16) for y in range(16))
        for image in (undo.pixmap(16, mode).toImage() for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled))
    )
    assert faint < 0.6 * strong


def test_that_every_axis_has_the_numbers_of_its_quantity(at: At) -> None:
    for spec in (training(epochs=60), training(w_init=1e-5, learning_rate=1e-9)):
        for plot in at(spec).room.stage.window().findChildren(CurvePlot):
            for side in ("bottom", "left"):
                axis = plot.getAxis(side)
                (low, high), place = axis.range, ("bottom", "left").index(side)
                assert [low, high] == pytest.approx(plot.getViewBox().viewRange()[place])
                if not axis.logMode:
                    assert axis.tickStrings([2.0], axis.scale * axis.autoSIPrefixScale, 1.0) == ["2"]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_a_box_that_is_partly_checked_looks_like_neither_of_the_others(theme: Theme, qtbot: QtBot) -> None:
    box = QCheckBox()
    qtbot.addWidget(box)
    box.setTristate(True)
    box.setStyleSheet(style_sheet(Look(theme)))
    box.resize(40, 24)
    seen = []
    for state in Qt.CheckState:
        box.setCheckState(state)
        seen.append(look(box).tobytes())
    assert len(set(seen)) == 3


def test_that_a_window_made_while_another_one_is_presented_has_a_line_below_of_the_same_height(
    open_window: Opener,
) -> None:
    presented = open_window()
    height = presented.status.height()
    presented.present(True, full_screen=False)
    try:
        assert open_window().status.height() == height
    finally:
        presented.present(False)
