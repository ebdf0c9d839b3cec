"""Names of files, tokens and notes that look like markup: no tooltip, label or dialog renders them as that."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QAbstractTableModel
from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot
from session_hands import file_of
from train_hands import small_training
from windows import Opener

from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Spec, make_spec
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

BOLD = "<b>BOLD</b>"


def texts(window: MainWindow) -> Iterator[str]:
    """Yield every text of a window and its dialogs that Qt would take for markup where it looks like that."""
    for action in window.findChildren(QAction):
        yield action.toolTip()
    for widget in (window, *window.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.statusTip(), widget.whatsThis())
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
            yield widget.text()
        if isinstance(widget, QAbstractItemView | QComboBox) and (model := widget.model()) is not None:
            columns = model.columnCount() if isinstance(model, QAbstractTableModel) else 1
            for place in np.ndindex(min(model.rowCount(), 20), columns):
                yield str(model.index(*place).data(Qt.ItemDataRole.ToolTipRole) or "")


def rendered(window: MainWindow) -> set[str]:
    """Return the texts that Qt would render in bold."""
    return {text for text in texts(window) if "<b>BOLD" in text and Qt.mightBeRichText(text)}


def specs(folder: Path) -> dict[str, Spec]:
    """Return a spec of each kind of text that a file brings along."""
    tokens = np.array([BOLD, "a", "b"])
    np.savez(folder / "w.npz", weights=np.full((1, 2, 3, 3), 1 / 3), query_tokens=tokens, key_tokens=tokens)
    (folder / "<b>BOLD.csv").write_text("1,2\n2,3\n3,5\n")
    return {
        "given": make_spec({"mechanism": "given", "inputs": {"kind": "file", "path": str(folder / "w.npz")}}),
        "missing": make_spec({"inputs": {"kind": "file", "path": str(folder / "<b>BOLD.npz")}}),
        "learned": small_training(task={"kind": "text", "text": BOLD * 9}, steps=2),
        "points": make_spec({"lab": "regression", "data": {"kind": "file", "path": str(folder / "<b>BOLD.csv")}}),
    }


@pytest.mark.parametrize("kind", ["given", "missing", "learned", "points"])
def test_that_no_text_of_a_file_is_taken_for_markup(
    kind: str, open_window: Opener, tmp_path: Path, qtbot: QtBot
) -> None:
    window, spec = open_window(), specs(tmp_path)[kind]
    path = file_of(Session(spec=spec, notes=BOLD), tmp_path / f"<b>BOLD {kind}.attnviz")
    window.keeper.open_path(path)
    qtbot.waitUntil(lambda: window.keeper.path == path)
    qtbot.waitUntil(lambda: not window.controller.computing)
    room = window.room
    for page in () if kind == "missing" else room.stage.pages.pages:
        room.current_view.propose(page=page)
        room.selection.lock(Selection(0, 0, 0))
        qtbot.wait(1)
        assert rendered(window) == set()
    for dialog in ("figure", "code"):
        window.actions_[dialog].trigger()
        assert rendered(window) == set()
    for each in window.findChildren(QWidget):
        if each.isWindow() and each is not window:
            each.close()
