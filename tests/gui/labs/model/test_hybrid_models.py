"""A hybrid in the window: layers have the model's own numbers, and those without attention say what they are."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import ground, look
from hands import Hands
from model_folders import WORDS, made, written
from model_hands import colours, map_colours, model, trace_of
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.experiment.colours import quantise
from attnviz.experiment.files.session import Session, session_to_json
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

_SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 5,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 48,
    "vocab_size": len(WORDS),
    "layer_types": ["conv", "full_attention", "conv", "conv", "full_attention"],
    "initializer_range": 0.4,
}


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose layers 2 and 5 of 5 have attention."""
    return written(tmp_path_factory.mktemp("models") / "hybrid", made("lfm2", **_SIZES))


@pytest.fixture
def window(at: At, settle: Settle, hybrid: Path) -> MainWindow:
    window = at(model(folder=str(hybrid), text="the cat sat on the mat"))
    window.room.current_view.propose(page="overview", layer=0, overview="entropy", thumbnails=False, by_effect=False)
    settle(window)
    window.room.selection.lock(Selection(0, 5, None))
    window.controller.undo_stack.clear()
    return window


def cells_of(window: MainWindow) -> Any:
    return window.room.stage.overview.cells  # type: ignore[attr-defined]


@pytest.mark.parametrize("thumbnails", [False, True])
def test_that_layers_without_attention_are_grey_and_the_others_have_their_colours(
    thumbnails: bool, window: MainWindow, settle: Settle
) -> None:
    window.room.current_view.propose(thumbnails=thumbnails)
    settle(window)
    trace, cells, seen = trace_of(window), cells_of(window), look(cells_of(window))
    grey = QColor(cells.look.color("faint")).rgb() & 0xFFFFFF
    for layer in (0, 2, 3):
        row = cells.cells[layer * 4 + 1 : layer * 4 + 4]  # right of its label
        assert {ground(seen, rect.adjusted(1, 1, -1, -1)) for rect in row} == {grey}
        assert cells.cell_at(row[0].center()) is None
    if not thumbnails:
        values = trace.overview.of("entropy")
        levels = quantise(values, None, *_ends(trace.overview.scale("entropy")))
        np.testing.assert_array_equal(map_colours(window)[[1, 4]], colours(window, levels[[1, 4]]))
    window.room.current_view.propose(thumbnails=False)
    settle(window)


def _ends(scale: Any) -> tuple[float, float]:
    return scale.low, scale.high


def test_that_only_heads_of_layers_with_attention_are_chosen_under_the_numbers_of_the_model(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    cells, page = cells_of(window), window.room.stage.overview  # type: ignore[attr-defined]
    chosen: list[tuple[int, int]] = []
    page.head_chosen.connect(lambda *place: chosen.append(place))
    hands.qtbot.mouseClick(cells, Qt.MouseButton.LeftButton, pos=cells.cells[2 * 4].center().toPoint())
    assert chosen == []
    for key, place in (
        (Qt.Key.Key_Down, (4, 0)),
        (Qt.Key.Key_Right, (4, 1)),
        (Qt.Key.Key_Down, (4, 1)),
        (Qt.Key.Key_Up, (1, 1)),
    ):
        hands.qtbot.keyClick(cells, key)
        settle(window)
        assert (window.room.view.layer, window.room.selection.locked.head) == place
    hands.qtbot.mouseClick(cells, Qt.MouseButton.LeftButton, pos=cells.cells[4 * 4 + 2].center().toPoint())
    settle(window)
    layer = trace_of(window).layer_at(4)
    np.testing.assert_array_equal(page.heatmap.matrix.values, layer.weights[0, 2])
    assert window.room.stage.head_name(2) == "5.3"
    hands.qtbot.keyClick(window.room.stage, Qt.Key.Key_X)
    settle(window)
    assert window.controller.spec.heads_off == ("5.3",)
    assert not trace_of(window).layer_at(4).heads[0, 2].any()
    assert list(window.room.stage.outer.offered) == ["1", "4"]


def test_that_a_session_of_an_earlier_version_says_once_that_layers_have_other_numbers(
    window: MainWindow, hybrid: Path, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    spec = model(folder=str(hybrid), text="the cat ran", heads_off=("2.1",))
    content = json.loads(session_to_json(Session(spec=spec)))
    said: list[str] = []
    window.keeper.said.connect(lambda text, problem: said.append(text))
    for number, expected in ((4, 1), (5, 0)):
        said.clear()
        path = tmp_path / f"of_{number}.attnviz"
        path.write_text(json.dumps(content | {"format": number}), encoding="utf-8")
        window.keeper.asks = False
        with qtbot.waitSignal(window.controller.spec_changed):
            window.keeper.open_path(path)
        settle(window)
        told = [each for each in said if "layer 2 was called layer 1" in each]
        assert len(told) == expected
        assert expected == 0 or (window.notice.isVisible() and window.notice.text() == told[0])
        window.keeper.new()
        settle(window)
    window.keeper.asks = True
