"""User actions in the regression lab: open a page, use the menu of overlays, wait for studies."""

from collections.abc import Iterator
from typing import Any

from hands import Hands, parts
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from attnviz.engine.run import run
from attnviz.experiment.regression.studies import KernelGrid
from attnviz.gui.window.main_window import MainWindow


def room_of(window: MainWindow) -> Any:
    return window.rooms["regression"]


def stage_of(window: MainWindow) -> Any:
    return window.rooms["regression"].stage


def form_of(window: MainWindow) -> Any:
    return window.rooms["regression"].form


def turn_to(window: MainWindow, page: str, hands: Hands, *, wait: bool = True) -> Any:
    """Click a page's button, wait for its study, and return the page."""
    pages = stage_of(window).page_buttons
    (button,) = [it for it in pages.findChildren(QToolButton) if it.property("value") == page]
    hands.qtbot.mouseClick(button, hands.left)
    assert stage_of(window).view.page == page
    if wait:
        wait_beside(window, hands)
    return {"fit": stage_of(window).views, "kernels": stage_of(window).kernels, "errors": stage_of(window).errors}[page]


def wait_beside(window: MainWindow, hands: Hands, timeout: int = 5000) -> None:
    """Wait until all studies of the room besides its fit are complete."""
    controller = window.controller

    def all_there() -> bool:
        asks = room_of(window).specs_beside(controller.spec)
        return controller.up_to_date and not controller.computing_beside and not asks

    hands.qtbot.waitUntil(all_there, timeout=timeout)


def actions_of(menu: QMenu) -> Iterator[QAction]:
    """Yield the actions of a menu and its submenus, as when it opens."""
    menu.aboutToShow.emit()
    yield from _within(menu)


def _within(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _within(inner)
        elif not action.isSeparator():
            yield action


def add_overlay(editor: Any, title: str, width: float | None = None) -> None:
    """Choose from the menu of overlays: by its text, or by the title of its kernel and its width."""
    found = [
        action
        for action in actions_of(editor.menu)
        if (action.text() == title if width is None else action.text() == f"{width:g}" and _under(action, title))
    ]
    (action,) = found
    assert action.isEnabled()
    action.trigger()


def _under(action: QAction, title: str) -> bool:
    return any(isinstance(it, QMenu) and it.title() == title for it in action.associatedObjects())


def chips_of(editor: Any) -> list[QToolButton]:
    """Return the buttons that remove an overlay."""
    return [it for it in parts(editor, QToolButton) if not it.isHidden() and it.text().endswith("×")]


def data_of(window: MainWindow) -> Any:
    """Return the editor of the points."""
    return form_of(window).editor("data")


def view_of(window: MainWindow) -> Any:
    """Return the picture of all kernels."""
    return stage_of(window).kernels.view


def study_of(spec: Any) -> Any:
    """Return the result of a study of all kernels, run independently of any window."""
    (event,) = run(KernelGrid(of=spec.only_points()))
    return event


def step_of(window: MainWindow) -> int:
    """Return the step on screen."""
    shown: Any = window.controller.shown
    return int(shown.step)
