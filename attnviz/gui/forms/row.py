"""A row of a form: a label, its editor, and below them messages about the value."""

import html
from collections.abc import Callable, Mapping
from typing import Any

from pydantic.fields import FieldInfo
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QWidget

from attnviz.experiment.fields.problems import Problem, Repair
from attnviz.gui.forms.editor import LABEL_WIDTH, Editor
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.explained import explain
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of, scroll_to
from attnviz.gui.widgets.letters import split_at
from attnviz.gui.widgets.words import field_title, problem_text, translate

_SIDES = 2
"""The number of valid values to offer: one on either side."""
_LINKS = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard


class Row(QWidget):
    """A field of a form. Messages below the editor appear and disappear when `make_room` is called."""

    repaired = Signal(object)
    """The user chose a `Repair`."""

    def __init__(self, name: str, field: FieldInfo, editor: Editor, *, alone: bool = False) -> None:
        """Create a row; ``alone``, it has no messages, and its label is as narrow as its text."""
        super().__init__()
        self._name, self._alone = name, alone
        self.editor = editor
        self.title, help_text = field_title(name, {name: field}), translate(field.description or "")
        self._label = QLabel(self.title)
        self._label.setWordWrap(not alone)
        explain(self._label, before=help_text)
        self._label.setBuddy(editor)
        if not alone:
            self._label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self._label.setContentsMargins(0, 5, 0, 0)
        editor.setToolTip(help_text)
        editor.set_name(self.title)
        self.said = ""
        """What is wrong with the value, or what is asked for, as a sentence; "" if nothing is."""
        self._shown = ""
        self._invites = False
        self._repairs: dict[str, Repair] = {}
        self.note_text = ""
        """The note about a valid value; "" for none. Like a problem, it is shown by `make_room`."""
        self._in_room: tuple[Any, ...] = ()  # the content shown by `make_room`
        self.message = caption(name="problem", wraps=True)
        self.message.setTextFormat(Qt.TextFormat.RichText)
        self.message.linkActivated.connect(self._choose)
        self.invitation = caption(wraps=True, plain=True)
        ways = [tiny_button(title, taken) for title, taken in editor.ways()]
        for way in ways:
            way.setAccessibleName(f"{self.title}: {way.text()}")
        self._ways = QWidget()
        row_of(self._ways, *ways, None, gap=4)
        self.note = caption(wraps=True)
        if editor.has_own_labels:
            self._label.hide()
        line = row_of(None, self._label, editor, wide=(editor,))
        below = [] if editor.below is None else [editor.below]
        if alone:
            hidden = QWidget(self)
            hidden.hide()
            column_of(hidden, *below)
            below = []
        layout = column_of(self, line, *below, self.invitation, self._ways, self.note, self.message, gap=4)
        layout.setContentsMargins(0, 2, 0, 2)
        self.make_room()

    @property
    def lead(self) -> QWidget:
        """The widget that gets the focus by the row's mnemonic."""
        return self._label.buddy()

    @property
    def letter(self) -> str:
        """The mnemonic of the row, with Alt; "" if there is none."""
        return QKeySequence.mnemonic(self._label.text()).toString().rpartition("+")[2].lower()

    def underline(self, letter: str) -> None:
        """Show a mnemonic owned by another row of the field, without handling its key."""
        before, sign, after = split_at(self.title, letter)
        texts = (html.escape(part, quote=False) for part in (before, sign, after))
        self._label.setTextFormat(Qt.TextFormat.RichText)
        self._label.setText("{}<u>{}</u>{}".format(*texts) if letter else html.escape(self.title, quote=False))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        if not self._alone:
            self._label.setFixedWidth(look.px(LABEL_WIDTH))

    @Slot()
    def scroll_into_view(self) -> None:
        """Scroll the panel around the form, if there is one, as far as needed to see the row."""
        scroll_to(self, 4)

    def show_problem(self, problem: Problem | None, titles: Mapping[str, str]) -> None:
        """Set the problem, with the nearest valid values as links; None for none.

        ``titles`` are those of the form's fields. A problem that only asks for an action is not marked as an error.
        """
        self._invites = problem is not None and bool(problem.numbers.get("invites"))
        if problem is None and not self.said:
            return
        self.editor.mark_problem(problem is not None and not self._invites)
        self._repairs = {}
        self.said = self._shown = ""
        if problem is None:
            return
        own = [repair for repair in problem.repairs if self._is_own(repair)]
        others = [repair for repair in problem.repairs if not self._is_own(repair)] if len(own) < _SIDES else []
        self._repairs = {f"{repair.field}={repair.text}": repair for repair in (*own, *others)}
        text = problem_text(problem, titles, with_nearest=not own and not others)
        self.said = text + self._offer(own, others, titles, lambda repair: repair.text)
        # Escaped: quoted input may look like markup, which a label would interpret.
        self._shown = html.escape(text, quote=False) + self._offer(own, others, titles, _link)

    def make_room(self) -> None:
        """Show the messages set since the last call, and remove the room of removed ones."""
        wanted = self._invites, self.said, self._shown, self.note_text
        if wanted == self._in_room:
            return
        self._in_room = wanted
        invites = self._invites and bool(self.said)
        for label, text in (
            (self.message, "" if invites else self._shown),
            (self.invitation, self.said if invites else ""),
            (self.note, self.note_text),
        ):
            if label.text() != text:
                label.setText(text)
            label.setVisible(bool(text))
        self.message.setTextInteractionFlags(_LINKS if self._repairs else Qt.TextInteractionFlag.NoTextInteraction)
        self.message.setAccessibleName(self.said)
        self._ways.setVisible(invites)

    def _is_own(self, repair: Repair) -> bool:
        return repair.field.partition(".")[0] == self._name

    def _offer(
        self, own: list[Repair], others: list[Repair], titles: Mapping[str, str], write: Callable[[Repair], str]
    ) -> str:
        """Return "; 60 or 65", or "; nearest: 8, or Context 9" with values of other fields."""
        if not own and not others:
            return ""
        either = self.tr(" or ")
        groups = [either.join(map(write, own))] if own else []
        for field in dict.fromkeys(repair.field for repair in others):
            values = either.join(write(repair) for repair in others if repair.field == field)
            groups.append(f"{titles.get(field, field)} {values}")
        listed = self.tr(", or ").join(groups)
        return f"; {listed}" if len(own) >= _SIDES else self.tr("; nearest: {0}").format(listed)

    @Slot(str)
    def _choose(self, link: str) -> None:
        self.repaired.emit(self._repairs[link])


def _link(repair: Repair) -> str:
    target, text = html.escape(f"{repair.field}={repair.text}"), html.escape(repair.text, quote=False)
    return f'<a href="{target}">{text}</a>'
