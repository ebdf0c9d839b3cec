"""The figure dialog: what it previews is what it writes, and what it writes is what the tensor holds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from eyes import colours_of, heatmap_colours, look, pixels
from PIL import Image
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace, training
from windows import At, Opener

from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec
from attnviz.export.document import read_document
from attnviz.gui.dialogs.figure_dialog import FigureDialog
from attnviz.gui.dialogs.screenshot import picture_of, unscrolled
from attnviz.gui.widgets.selection import Selection

SPEC = attention(seed=8, valid_lens=(3, 2))


@pytest.fixture
def opened(at: At, qtbot: QtBot) -> Iterator[Callable[..., FigureDialog]]:
    """Return a function that opens the dialog by its menu entry on a spec."""
    dialogs: list[FigureDialog] = []

    def open_it(spec: Spec = SPEC) -> FigureDialog:
        window = at(spec)
        qtbot.wait(80)  # the formula above the picture, made elsewhere, takes its room late
        window.actions_["figure"].trigger()
        dialogs.append(window.dialogs.figure)
        return window.dialogs.figure

    yield open_it
    for dialog in dialogs:
        dialog.choices.source.press("screen")
        dialog.choices.kind.press("png")
        heads_of(dialog).clear()
        choose(dialog, "transparent", False)
        dialog._pause.stop()
        dialog.reject()


def heads_of(dialog: FigureDialog) -> QLineEdit:
    """Return the line in which heads are typed."""
    line = dialog.choices.form.editors["heads"].findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    return line


def choose(dialog: FigureDialog, name: str, value: Any) -> None:
    """Give a setting another value, as the user does."""
    editor = dialog.choices.form.editors[name]
    editor.set_value(value)
    editor.edited.emit()


def saved(dialog: FigureDialog, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Press Save, answer the question where to, and wait for the file."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    previewed(dialog, qtbot)
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(path.exists, timeout=10_000)
    return path


def previewed(dialog: FigureDialog, qtbot: QtBot) -> QImage:
    """Wait until the preview is of what is chosen now; nothing can be saved before."""
    dialog.choices.changed.emit()
    assert not dialog.save.isEnabled()
    qtbot.waitUntil(dialog.save.isEnabled, timeout=10_000)
    return dialog._image


@pytest.mark.parametrize("scale", [1, 4])
def test_that_the_stage_is_saved_as_on_screen_with_selection_and_hover_at_any_scale(
    scale: int, opened: Any, at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(SPEC)
    dialog = opened()
    dialog.reject()
    window.room.selection.hover(Selection(1, 2, 0))  # the mouse rests on it when the dialog is asked for
    window.actions_["figure"].trigger()
    window.room.selection.hover(None)  # and leaves the window for the dialog
    dialog.choices.part.setCurrentIndex(dialog.choices.part.findData("close_up"))
    dialog.choices.scale.setCurrentIndex(dialog.choices.scale.findData(scale))
    path = saved(dialog, tmp_path / "out.png", qtbot, monkeypatch)
    image = QImage(str(path))
    heatmap = window.room.stage.heatmap
    assert image.size() == heatmap.size() * scale
    window.room.selection.hover(Selection(1, 2, 0))
    levels = independent_trace(SPEC).levels()[0, 1]  # of the head that the mouse was over
    assert (heatmap_colours(heatmap, (3, 4), pixels(image), scale) == colours_of(window.room.stage.table, levels)).all()
    if scale == 1:
        assert (pixels(image) == look(heatmap)).all()  # frames around what the mouse rests on and all
    window.room.selection.hover(None)
    assert read_document(path).spec == SPEC


def test_that_a_picture_of_the_screen_has_every_head_where_the_strip_scrolls(opened: Any, at: At, qtbot: QtBot) -> None:
    spec = preset("causal-sentence").spec
    window = at(spec)
    size = window.size()
    window.resize(853, 500)
    stage = window.room.stage
    page, grid, bar = stage.page, stage.grid, stage.grid.parentWidget().parentWidget().verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum() // 2)
    before = page.size(), bar.value(), bar.maximum()
    dialog = opened(spec)
    dialog.choices.part.setCurrentIndex(dialog.choices.part.findData("pictures"))
    dialog.choices.scale.setCurrentIndex(dialog.choices.scale.findData(2))
    image = previewed(dialog, qtbot)
    assert (page.size(), bar.value(), bar.maximum()) == before, "the window is as it was"
    assert image.width() == page.width() * 2
    assert image.height() > page.height() * 2
    with unscrolled(page):
        assert image.height() == page.height() * 2
        place = QRect(grid.mapTo(page, QPoint()), grid.size())
        assert page.rect().contains(place)
        assert not bar.isVisible()
        shown = pixels(image.copy(QRect(place.topLeft() * 2, place.size() * 2)))
        whole = pixels(picture_of(grid, 2))
        for tile in grid.tiles:
            left, top, width, height = (2 * edge for edge in tile.toAlignedRect().getRect())
            cells = slice(top, top + height), slice(left, left + width)
            assert (shown[cells] == whole[cells]).all()
            assert len(np.unique(shown[cells])) > 10
    window.resize(size)


def test_that_the_pictures_of_a_page_are_without_its_buttons(opened: Any, at: At, qtbot: QtBot) -> None:
    window = at(SPEC)
    window.room.current_view.propose(page="compare")
    qtbot.waitUntil(lambda: hasattr(window.room.stage.page, "pair"))
    page = window.room.stage.page
    place = page.pair.pin.geometry().intersected(page.rect())
    dialog = opened()
    dialog.choices.part.setCurrentIndex(dialog.choices.part.findData("pictures"))
    dialog.choices.scale.setCurrentIndex(0)
    seen = pixels(previewed(dialog, qtbot).copy(place))
    assert (seen == seen[0, 0]).all()
    assert page.pair.pin.isVisible()
    window.room.current_view.propose(page="stages")


def test_that_the_picture_can_stand_on_nothing(
    opened: Any, at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened()
    dialog.choices.part.setCurrentIndex(dialog.choices.part.findData("close_up"))
    dialog.choices.scale.setCurrentIndex(0)
    choose(dialog, "transparent", True)
    window = at(SPEC)
    before = pixels(window.room.stage.heatmap.grab().toImage())
    path = saved(dialog, tmp_path / "out.png", qtbot, monkeypatch)
    with Image.open(path) as image:
        assert np.asarray(image)[0, 0, 3] == 0
    heatmap = window.room.stage.heatmap
    levels = independent_trace(SPEC).levels()[0, 0]
    seen = heatmap_colours(heatmap, (3, 4), pixels(QImage(str(path))), 1)
    assert (seen == colours_of(window.room.stage.table, levels)).all()
    assert (pixels(heatmap.grab().toImage()) == before).all()  # the window has its ground again


def test_that_a_pdf_of_the_screen_holds_cells_in_their_colours_and_type_as_type(
    opened: Any, at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened()
    dialog.choices.part.setCurrentIndex(dialog.choices.part.findData("close_up"))
    dialog.choices.kind.press("pdf")
    path = saved(dialog, tmp_path / "out.pdf", qtbot, monkeypatch)
    window = at(SPEC)
    heatmap = window.room.stage.heatmap
    (page,) = pypdfium2.PdfDocument(path)
    assert page.get_size() == pytest.approx((heatmap.width() * 0.75, heatmap.height() * 0.75), abs=1)
    blue, green, red = np.moveaxis(page.render(scale=4 / 0.75).to_numpy()[..., :3].astype(np.uint32), -1, 0)
    seen = red << 16 | green << 8 | blue
    levels = independent_trace(SPEC).levels()[0, 0]
    table = window.room.stage.table
    shown = levels > 0  # masked cells are hatched
    assert (heatmap_colours(heatmap, (3, 4), seen, 4) == colours_of(table, levels))[shown].all()
    words = page.get_textpage().get_text_range()  # figures of equal width come out as signs of the typeface's own
    assert all(word in words for word in ("head", "rows", "queries", "columns", "keys"))
    assert read_document(path).spec == SPEC


def test_that_an_svg_of_the_screen_shows_the_pixels_and_carries_the_session(
    opened: Any, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened()
    dialog.choices.kind.press("svg")
    path = saved(dialog, tmp_path / "out.svg", qtbot, monkeypatch)
    assert path.read_text(encoding="utf-8").count("<image ") == 1
    assert read_document(path).spec == SPEC


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_that_a_figure_for_a_paper_is_made_of_the_trace_on_screen_in_every_form(
    kind: str, opened: Any, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened()
    dialog.choices.source.press("paper")
    dialog.choices.kind.press(kind)
    heads_of(dialog).setText("2")
    shown = previewed(dialog, qtbot)
    path = saved(dialog, tmp_path / f"out.{kind}", qtbot, monkeypatch)
    assert read_document(path).spec == SPEC
    if kind == "png":
        image = QImage(str(path))
        assert image.width() == int(8 / 2.54 * 300)
        assert shown.width() / shown.height() == pytest.approx(image.width() / image.height(), rel=0.02)
    else:
        assert path.read_bytes()[:5] in (b"%PDF-", b"<?xml")


def test_that_a_head_that_is_not_there_is_told_beside_the_field_and_the_last_preview_stays(
    opened: Any, qtbot: QtBot
) -> None:
    dialog = opened()
    dialog.choices.source.press("paper")
    good = previewed(dialog, qtbot)
    for typed, words in (("3", "head 3 must be in 1..2; nearest: 2"), ("x", "such as 1,3 or 2-4")):
        heads_of(dialog).clear()
        qtbot.keyClicks(heads_of(dialog), typed)
        qtbot.waitUntil(lambda words=words: words in dialog.choices.problem.text(), timeout=10_000)
        assert not dialog.choices.problem.isHidden()
        assert not dialog.save.isEnabled()
        assert dialog._image == good
    heads_of(dialog).clear()
    qtbot.keyClicks(heads_of(dialog), "1")
    qtbot.waitUntil(dialog.save.isEnabled, timeout=10_000)
    assert dialog.choices.problem.isHidden()


def test_that_a_copy_offers_pixels_a_png_with_the_session_and_the_chosen_form(opened: Any, qtbot: QtBot) -> None:
    dialog = opened()
    dialog.choices.source.press("paper")
    dialog.choices.kind.press("svg")
    previewed(dialog, qtbot)
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=10_000)
    offered = QGuiApplication.clipboard().mimeData()
    assert offered.hasImage()
    assert b"<svg" in offered.data("image/svg+xml").data()
    assert QImage.fromData(offered.data("image/png")).text("attnviz-session")


def test_that_only_what_acts_is_shown(opened: Any) -> None:
    choices = opened(training()).choices
    assert not choices.part.isHidden()
    assert choices.form.editors["heads"].isHidden()
    choices.source.press("paper")
    assert choices.part.isHidden()
    assert choices.form.editors["item"].isHidden()  # one sequence
    assert choices.form.editors["heads"].isHidden()  # one head
    assert not choices.form.editors["dpi"].isHidden()
    choices.kind.press("pdf")
    assert choices.form.editors["dpi"].isHidden()


def test_that_before_the_first_picture_there_is_a_sentence(open_window: Opener) -> None:
    window = open_window(start=False)
    window.actions_["figure"].trigger()
    assert window.notice.text() == "There is no picture yet."
    assert not window.dialogs.figure.isVisible()


def test_that_heads_typed_for_another_run_do_not_stand_in_the_way(opened: Any, qtbot: QtBot) -> None:
    dialog = opened()
    dialog.choices.source.press("paper")
    heads_of(dialog).setText("2")
    previewed(dialog, qtbot)
    dialog.reject()
    assert opened(attention(num_heads=1)) is dialog
    assert dialog.choices.form.editors["heads"].isHidden()
    qtbot.waitUntil(dialog.save.isEnabled, timeout=10_000)
    assert dialog.choices.problem.isHidden()


def test_that_too_many_pixels_are_told_before_anything_is_saved(opened: Any, qtbot: QtBot) -> None:
    dialog = opened()
    dialog.choices.source.press("paper")
    choose(dialog, "width_cm", 60)
    choose(dialog, "dpi", 1200)
    qtbot.waitUntil(lambda: "pixels per inch must be in" in dialog.choices.problem.text(), timeout=10_000)
    assert not dialog.save.isEnabled()
    choose(dialog, "width_cm", 8)
    choose(dialog, "dpi", 300)


def test_that_a_picture_of_the_screen_carries_what_is_on_it_by_then(
    opened: Any, at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened()
    other = attention(seed=21)
    at(other)
    path = saved(dialog, tmp_path / "out.png", qtbot, monkeypatch)
    assert read_document(path).spec == other


def test_that_a_closed_dialog_holds_no_trace(opened: Any) -> None:
    dialog = opened()
    dialog.reject()
    assert (dialog._maker, dialog._drawn) == (None, None)
    assert dialog._image.isNull()


def test_that_copy_is_offered_again_after_a_copy_that_nobody_waits_for_any_more(opened: Any, qtbot: QtBot) -> None:
    dialog = opened()
    previewed(dialog, qtbot)
    dialog._copy()
    assert dialog._copying.finish(10)
    dialog._drawn = object()  # as after a choice and its preview
    dialog._show_buttons()
    assert not dialog.copy.isEnabled()
    qtbot.waitUntil(lambda: not dialog._copying.busy)
    assert dialog.copy.isEnabled()
    assert dialog.copy.text() == "Copy"
    assert dialog.isVisible()
