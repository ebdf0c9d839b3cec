"""Layouts written in Python: each belongs to a widget of its own, so that no other layout owns its items' wrappers."""

from pathlib import Path
from typing import Any

import pytest
from calling import forked
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken
from windows import Opener, Settle

from attnviz.experiment.labs import LABS
from attnviz.experiment.lessons.reading import lesson_names
from attnviz.gui.widgets.layouts import FlowLayout
from attnviz.gui.window.main_window import MainWindow

IN_A_LESSON = """
import gc, os
from PySide6.QtCore import QObject
from shiboken6 import Shiboken
from attnviz.experiment.labs import LABS
from attnviz.gui.app import make_application
os.environ["QT_QPA_PLATFORM"] = "offscreen"
app = make_application()
from attnviz.gui.window.main_window import MainWindow
window = MainWindow(LABS["attention"].spec_type())
window.show()
window.lessons.open_named("04-masked-softmax")
app.processEvents()
Shiboken.invalidate(window.lessons.panel.body.layout())  # as garbage collection does
window.findChildren(QObject)
gc.collect()
for width in (1024, 1280):
    window.resize(width, 700)
    window.lessons.panel.body.updateGeometry()
    app.processEvents()
print("lives", flush=True)
os._exit(0)
"""


def owner_of(thing: object) -> str:
    """Return what keeps a wrapper and makes it invalid with itself; empty if nothing does."""
    lines = [line for line in Shiboken.dump(thing).splitlines() if line.startswith("parent")]
    return lines[0].partition("<")[2] if lines else ""


def in_python() -> list[QLayout]:
    """Return the layouts whose class is written in Python."""
    known = [it for it in Shiboken.getAllValidWrappers() if isinstance(it, QLayout)]
    return [it for it in known if not type(it).__module__.startswith("PySide6.")]


def open_everything(window: MainWindow, settle: Settle) -> None:
    """Open the labs, a lesson, the lecturer's desk, the editor of lessons and the dialogs."""
    for lab in LABS:
        assert window.rooms[lab]
    window.lessons.open_named(lesson_names()[0])
    window.lessons.toggle_desk()
    window.lessons.write()
    for key in ("sweep", "figure", "code", "animation", "manual", "shortcuts", "about"):
        window.actions_[key].trigger()
        settle(window)


def test_that_no_layout_owns_the_items_of_a_layout_that_is_written_in_python(
    open_window: Opener, settle: Settle
) -> None:
    window = open_window()
    open_everything(window, settle)
    window.findChildren(QObject)  # makes a wrapper for each of them
    layouts = in_python()
    assert len(layouts) > 7
    assert [type(it.parent()).__name__ for it in layouts if not isinstance(it.parent(), QWidget)] == []
    assert all(it.parentWidget().layout() is it for it in layouts)
    items = [it.itemAt(place) for it in layouts for place in range(it.count())]
    assert len(items) > 30
    assert {owner_of(item) for item in items} == {""}


@pytest.mark.qt_log_ignore("already has a parent")
def test_that_a_flow_layout_needs_a_widget_and_is_refused_by_other_layouts(qtbot: QtBot, qtlog: Any) -> None:
    with pytest.raises(TypeError):
        FlowLayout()  # type: ignore[call-arg]
    body, inner = QWidget(), QWidget()
    for widget in (body, inner):
        qtbot.addWidget(widget)
    outer, flow = QVBoxLayout(body), FlowLayout(inner)
    outer.addLayout(flow)
    assert (outer.count(), flow.parentWidget()) == (0, inner)
    assert len(qtlog.records) == 1  # a warning, which fails any other test


def test_that_a_window_lives_on_after_the_wrapper_of_an_outer_layout_is_gone(tmp_path: Path) -> None:
    said = forked(code=IN_A_LESSON, cwd=tmp_path)
    assert (said.code, said.out) == (0, "lives\n"), said
