"""Shared by tests of sessions: a window at the start of a session, session files, and answers to questions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention

from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Spec
from attnviz.export.document import write_session
from attnviz.gui.session.questions import Answer
from attnviz.gui.window.main_window import MainWindow

PINNED: Any = attention(seed=5)


def begin_at(window: MainWindow, spec: Spec = SMALL) -> MainWindow:
    """Begin a session with only the current spec of a window, and without undo steps."""
    for room in window.rooms.values():
        room.apply_view(room.lab.view_type())
    view = window.rooms[spec.lab].view_settings()
    window.keeper.begin(Session(spec=spec, view=type(view)()))
    window.controller.undo_stack.clear()
    window.notice.hide()
    return window


def file_of(session: Session, path: Path) -> Path:
    """Write a session and return its path."""
    write_session(session, path)
    return path


def answers(window: MainWindow, monkeypatch: pytest.MonkeyPatch, answer: Answer) -> list[str]:
    """Answer the question about unsaved changes; return the list of what it asks about."""
    asked: list[str] = []

    def unsaved(name: str) -> Answer:
        asked.append(name)
        return answer

    monkeypatch.setattr(window.keeper.questions, "unsaved", unsaved)
    return asked


def saves_to(window: MainWindow, monkeypatch: pytest.MonkeyPatch, path: Path | None) -> list[Path]:
    """Answer the file dialog for saving; return the list of proposed paths."""
    proposed: list[Path] = []

    def where(proposal: Path) -> Path | None:
        proposed.append(proposal)
        return path

    monkeypatch.setattr(window.keeper.questions, "where_to_save", where)
    return proposed


def sentence(window: MainWindow, qtbot: QtBot, do: Callable[[], object]) -> str:
    """Call a function and return the message of the notice that follows."""
    window.notice.hide()
    do()
    qtbot.waitUntil(lambda: not window.notice.isHidden())
    return window.notice.text()


def drop(widget: QWidget, *paths: Path | str) -> bool:
    """Drop files or URLs on a widget; return whether they were accepted."""
    dropped = QMimeData()
    dropped.setUrls([QUrl(path) if isinstance(path, str) else QUrl.fromLocalFile(str(path)) for path in paths])
    return drop_data(widget, dropped)


def drop_data(widget: QWidget, dropped: QMimeData) -> bool:
    """Drag data over a widget and drop it; return whether it was accepted."""
    how = Qt.DropAction.CopyAction, dropped, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(widget.rect().center(), *how)
    entering.ignore()
    QApplication.sendEvent(widget, entering)
    if not entering.isAccepted():
        return False
    dropping = QDropEvent(QPointF(widget.rect().center()), *how)
    dropping.ignore()
    QApplication.sendEvent(widget, dropping)
    return dropping.isAccepted()


def change(window: MainWindow, seed: int = 7) -> None:
    """Change the session of a window."""
    window.controller.propose(attention(seed=seed), "seed")
