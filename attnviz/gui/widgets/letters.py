"""Mnemonics: letters that lead to a field, a choice or an entry, with Alt in a form or panel, alone in a menu."""

import re
from collections.abc import Sequence
from string import ascii_lowercase

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QMenu, QWidget
from typing_extensions import override

from attnviz.gui.language import english_of
from attnviz.gui.widgets.gestures import Gesture

VIEW = "v"
"""The mnemonic of the button that opens the view, beside every form."""


def give_letters(root: QWidget, taken: str = "") -> None:
    """Give each label with a buddy, and each check box, a mnemonic of its own; ``taken`` are in use."""
    labels = [label for label in root.findChildren(QLabel) if label.buddy() is not None and not _is_put_away(label)]
    for label in labels:
        while (proxy := label.buddy().focusProxy()) is not None:  # Alt and a letter would stop at the first
            label.setBuddy(proxy)
    _mark([*labels, *(box for box in root.findChildren(QCheckBox) if not _is_put_away(box))], taken)


class LetteredMenu(QMenu):
    """A menu whose entries have unique mnemonics while it is open."""

    GESTURES = (Gesture("Underlined letter", "Choose an entry", "Open menu"),)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        _mark([action for action in self.actions() if action.isVisible() and not action.isSeparator()])
        super().showEvent(event)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for action in self.actions():
            action.setText(_escaped(plain(action.text())))


def plain(text: str) -> str:
    """Return a text without the sign before its mnemonic, or without an appended one."""
    return "&".join(part.replace("&", "") for part in _AFTER.sub("", text).split("&&"))


_AFTER = re.compile(r"\(&[A-Z]\)(?=( \.\.\.)?$)")


def letters_of(titles: Sequence[str], taken: str = "") -> list[str]:
    """Return a unique mnemonic for each English title: its first letter if that is free; "" if none is.

    In a form with more fields than letters the last ones have none. A title of another script may have any letter.
    """
    choices = [[each for each in title.lower() if each in ascii_lowercase] or [*ascii_lowercase] for title in titles]
    choices = [[each for each in letters if each not in taken] for letters in choices]
    owners: dict[str, int] = {}

    def settle(index: int, visited: set[str]) -> bool:
        """Find a letter for a title; the owner of one takes another if it can (an augmenting path)."""
        for letter in sorted(choices[index], key=owners.__contains__):  # unowned letters first
            if letter not in visited:
                visited.add(letter)
                if letter not in owners or settle(owners[letter], visited):
                    owners[letter] = index
                    return True
        return False

    for index, letters in enumerate(choices):  # first letters take precedence over others
        owners.setdefault(letters[0] if letters else "", index)
    owners.pop("", None)
    for index in range(len(titles)):
        if index not in owners.values():
            settle(index, set())
    letter_of = {index: letter for letter, index in owners.items()}
    return [letter_of.get(index, "") for index in range(len(titles))]


def _mark(parts: Sequence[QLabel | QCheckBox | QAction], taken: str = "") -> None:
    titles = [plain(part.text()) for part in parts]
    letters = letters_of([english_of(title) for title in titles], taken)
    for part, title, letter in zip(parts, titles, letters, strict=True):
        before, sign, after = split_at(title, letter)
        marked = f"{_escaped(before)}&{sign}{_escaped(after)}" if letter else _escaped(title)
        if marked != part.text():
            part.setText(marked)


def _is_put_away(widget: QWidget) -> bool:
    """Return whether a widget was hidden explicitly; one that was never shown is hidden as well."""
    return widget.isHidden() and widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)


def split_at(title: str, letter: str) -> tuple[str, str, str]:
    """Return the text before the first occurrence of a letter in a title, the letter as written there, and the rest.

    A title without the letter, such as a Chinese one, gets it in brackets: "层(L)", "打开(O) ...".
    """
    index = title.lower().find(letter)
    if index < 0:
        stem = title.removesuffix(" ...")
        return f"{stem}(", letter.upper(), f"){title[len(stem) :]}"
    return title[:index], title[index : index + 1], title[index + 1 :]


def _escaped(text: str) -> str:
    return text.replace("&", "&&")
