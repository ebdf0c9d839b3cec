"""Sections of the manual, each a page and a heading, and the section about a widget."""

import re
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from attnviz.experiment.texts.languages import ENGLISH
from attnviz.folders import resource_in
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.widgets.explained import declared_place


class HelpPlace(NamedTuple):
    """A heading of a page; without an anchor its beginning."""

    page: str
    anchor: str = ""


LEARNED_WEIGHTS = HelpPlace("train")
"""The section about learned weights."""


def page_file(page: str, language: str = ENGLISH) -> Path:
    """Return the file of a page in a language, or of the English page."""
    return resource_in(language, f"help/{page}.md")


def page_text(page: str, language: str = ENGLISH) -> str:
    """Return a page as Markdown."""
    return page_file(page, language).read_text(encoding="utf-8")


def anchors_of(page: str) -> tuple[str, ...]:
    """Return the anchors of the headings of a page, in order; the same in every language.

    They come from the English page, whose headings correspond to those in other languages.
    """
    return tuple(map(anchor_of, re.findall(r"^#+ (.+)$", page_text(page), re.MULTILINE)))


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading as web sites derive it from Markdown: "Stage: heads out" is "stage-heads-out"."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).strip().replace(" ", "-")


def place_of(widget: QWidget | None, room: AnyRoom) -> HelpPlace:
    """Return the section about a widget; if it declares none, about the current page or stage of the room."""
    page, _, anchor = declared_place(widget).partition("#")
    return HelpPlace(page, anchor) if page else _of_picture(room)


def _of_picture(room: AnyRoom) -> HelpPlace:
    view = room.view
    if view.page != type(view)().page or not view.page_stage:
        return HelpPlace(room.lab_name, f"page-{anchor_of(view.pages[view.page].title)}")
    return HelpPlace(room.lab_name, f"stage-{anchor_of(room.lab.stages[view.stage])}")
