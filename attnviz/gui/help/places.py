"""Places of the manual: a page and a heading in it, and which of them explains what has the focus."""

import re
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from attnviz.folders import resource
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.widgets.explained import declared_place


class HelpPlace(NamedTuple):
    """A heading of a page; without an anchor its beginning."""

    page: str
    anchor: str = ""


LEARNED_WEIGHTS = HelpPlace("train")
"""Where weights come from that are not random."""


def page_text(page: str) -> str:
    """Return a page as Markdown."""
    return resource(f"help/{page}.md").read_text(encoding="utf-8")


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading, as web sites make it of Markdown: "Stage: heads out" is "stage-heads-out"."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).strip().replace(" ", "-")


def place_of(widget: QWidget | None, room: AnyRoom) -> HelpPlace:
    """Return the place about a widget; where it declares none, about the page or stage of the room on screen."""
    page, _, anchor = declared_place(widget).partition("#")
    return HelpPlace(page, anchor) if page else _of_picture(room)


def _of_picture(room: AnyRoom) -> HelpPlace:
    view = room.view
    if view.page != type(view)().page or not room.stage.page.with_stages:
        return HelpPlace(room.lab_name, f"page-{anchor_of(view.page)}")
    return HelpPlace(room.lab_name, f"stage-{anchor_of(room.lab.stages[view.stage])}")
