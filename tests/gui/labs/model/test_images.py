"""An image in the window: its patches have the colours of the tensor, choose the query, and are locked by a click."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from image_folders import SETTINGS, image_file, image_folder
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.experiment.model.spec import OWN_IMAGE, ModelSpec
from attnviz.gui.labs.model.image_view import SHARE, ImageView
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import with_patches
from attnviz.gui.window.main_window import MainWindow

SIDE = 56
"""Its 8 x 8 patches and five tokens before them are fewer than those that are brightened."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = SETTINGS | {"size": {"height": SIDE, "width": SIDE}}
    path = tmp_path_factory.mktemp("models") / "dino"
    return image_folder(path, "dinov2_with_registers", settings, image_size=SIDE, num_labels=3)


@pytest.fixture
def window(at: At, settle: Settle, folder: Path) -> MainWindow:
    """The shared window on the page of the image, head 2.3, a patch chosen."""
    window = at(ModelSpec(folder=str(folder), image=OWN_IMAGE))
    window.room.current_view.propose(page="image", layer=1, hide_special=False, joined=False, contrast=False)
    settle(window)
    window.room.selection.lock(Selection(2, 20, None))
    settle(window)
    return window


def image_of(window: MainWindow) -> ImageView:
    stage: Any = window.room.stage
    return stage.image.image


def pixels_of(view: ImageView) -> QImage:
    return view.grab().toImage()


def colour_at(picture: QImage, place: Any) -> list[int]:
    colour = picture.pixelColor(QPoint(round(place.x()), round(place.y())))
    return [colour.red(), colour.green(), colour.blue()]


@pytest.mark.parametrize("contrast", [False, True])
def test_that_the_edge_of_each_patch_has_the_colour_of_its_weight(
    window: MainWindow, settle: Settle, contrast: bool
) -> None:
    window.room.current_view.propose(contrast=contrast)
    settle(window)
    stage: Any = window.room.stage
    view, layer = image_of(window), stage.layer
    picture = pixels_of(view)
    row = layer.weights[0, 2, 20]
    end = float(row.max()) if contrast else 1.0
    levels = layer.levels("weights", stage.view.contrast_drawn)[0, 2][20]
    if contrast:
        assert layer.scale("weights", stage.view.contrast_drawn).high >= end
    else:
        assert np.array_equal(levels, 1 + np.round(row * 253).astype(int))
    table = stage.weight_table
    seen, framed = 0, view.places[20].adjusted(-3, -3, 3, 3)
    for at, (place, level) in enumerate(zip(view.places, levels.tolist(), strict=True)):
        if framed.intersects(place):
            continue
        inset = QPoint(2, 2) if at < 5 else QPoint(1, 1)  # in a chip, or in the edge of a patch
        assert colour_at(picture, place.topLeft() + inset) == table.rgb[level].tolist()
        seen += 1
    assert seen == len(row) - 6 == 63


def test_that_the_inside_of_a_patch_is_its_colour_over_the_image_in_grey(window: MainWindow) -> None:
    stage: Any = window.room.stage
    view, picture = image_of(window), pixels_of(image_of(window))
    level = int(stage.layer.levels("weights", "")[0, 2][20][5])
    place = view.places[5]
    seen = colour_at(picture, place.center())
    corner = stage.trace.read.image.pixels[:3, :3].reshape(-1, 3).mean(axis=0)  # an even ground there
    grey = corner @ (0.3, 0.59, 0.11)
    expected = stage.weight_table.rgb[level].astype(float) * SHARE / 256 + grey * (1 - SHARE / 256)
    assert np.abs(np.array(seen) - expected).max() < 8


def test_that_pointing_previews_a_patch_and_a_click_holds_it(window: MainWindow, qtbot: QtBot) -> None:
    view, selection = image_of(window), window.room.selection
    patch = view.places[5 + 3 * 8 + 4].center().toPoint()
    QTest.mouseMove(view, patch)
    qtbot.waitUntil(lambda: selection.current.query == 33)
    assert selection.locked.query == 20
    stage: Any = window.room.stage
    assert "row 4, column 5" in stage.image.captions[0].text()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=patch)
    assert selection.locked.query == 33
    for key, place in [(Qt.Key.Key_Right, 34), (Qt.Key.Key_Up, 26), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Down, 5)]:
        QTest.keyClick(view, key)
        assert selection.locked.query == place
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.places[2].center().toPoint())  # the chip [REG 2]
    assert selection.locked.query == 2


def test_that_the_pages_are_those_of_an_image_and_classes_are_listed(window: MainWindow) -> None:
    stage: Any = window.room.stage
    assert not stage.trace.prediction.position
    room: Any = window.room
    assert room.inspector.next.accessibleDescription().startswith(stage.trace.prediction.tokens[0])
    assert room.form.row_of("text") is None or not room.form.row_of("text").isVisible()
    assert not room.form.editor("image").picture.isHidden()


def test_that_an_image_dropped_on_the_window_is_read_and_a_broken_one_reported_at_its_field(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    dropped = QMimeData()
    path = image_file(tmp_path / "mine.png")
    dropped.setUrls([QUrl.fromLocalFile(str(path))])
    window.drops.take(dropped)
    qtbot.waitUntil(lambda: getattr(window.controller.spec, "image", "") == str(path))
    settle(window)
    room: Any = window.room
    assert room.stage.trace.read.image.name == "mine.png"
    assert room.selection.locked.query == 20  # the same grid
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing")
    room.form.enter("image", str(tmp_path / "broken.jpg"), stroke=1)
    qtbot.waitUntil(lambda: room.form.problem("image") != "")
    assert "broken.jpg" in room.form.problem("image")
    assert room.stage.trace.read.image.name == "mine.png"


def test_that_an_image_that_another_program_replaced_is_reported(
    at: At, folder: Path, tmp_path: Path, settle: Settle
) -> None:
    path = image_file(tmp_path / "mine.png")
    window = at(ModelSpec(folder=str(folder), image=str(path)))
    settle(window)
    room: Any = window.room
    said = "The image is another one than was seen before."
    assert said not in room.inspector.words.text()
    image_file(path, (30, 70))
    window.controller.run_again()
    settle(window)
    assert said in room.inspector.words.text()


def test_that_a_folder_that_needs_an_image_says_so_at_the_field_and_names_the_included_one(
    window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    room: Any = window.room
    shown = room.stage.trace
    room.form.enter("image", "", stroke=2)
    qtbot.waitUntil(lambda: room.form.problem("image") != "")
    assert room.form.problem("image").endswith(f"nearest: {OWN_IMAGE}")
    assert room.stage.trace is shown
    room.form.enter("image", OWN_IMAGE, stroke=3)
    qtbot.waitUntil(lambda: room.form.problem("image") == "")


def test_that_fields_without_effect_on_a_folder_are_hidden_until_it_is_known(
    at: At, settle: Settle, folder: Path, qtbot: QtBot
) -> None:
    def hidden(window: MainWindow) -> list[bool]:
        rows = (window.room.form.row_of(name) for name in ("image", "chat", "text"))
        return [row is None or row.isHidden() for row in rows]

    window = at(ModelSpec())
    assert hidden(window) == [True, True, False]
    window.controller.propose(ModelSpec(folder=str(folder)))
    qtbot.waitUntil(lambda: window.room.form.problem("image") != "")
    assert hidden(window) == [False, False, False]  # any field may help
    window.controller.propose(ModelSpec(folder=str(folder), image=OWN_IMAGE))
    settle(window)
    assert hidden(window) == [False, True, True]


def test_that_a_patch_has_a_name_in_the_language_of_the_window(chinese: None) -> None:
    assert with_patches("31 “row 4, column 2”") == "31 “第 4 行第 2 列”"
    assert with_patches("row 4") == "row 4"
