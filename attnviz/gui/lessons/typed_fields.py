"""Fields of a lesson's editor: a title, a box for one or several lines, and its problems below."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QSizePolicy, QToolButton, QWidget

from attnviz.experiment.lessons.offers import Offer
from attnviz.experiment.lessons.typed import FieldProblem
from attnviz.gui.lessons.lesson_draft import LessonDraft
from attnviz.gui.theme import set_state
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import translate

_MOST_LINES = 12
"""The most lines to which a text box grows; a longer text scrolls."""
_TYPED = {"text": "in_text", "condition": "condition"}
"""The attribute of an offer that is typed for it; of the kinds of offers that are missing here, the expression."""


class _TextBox(QPlainTextEdit):
    """Several lines, as high as its text. Undo is left to the editor."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._lines = lines
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self.fit)
        self.fit()

    @Slot()
    def fit(self) -> None:
        """Take the height of the text."""
        lines = min(max(round(self.document().size().height()), self._lines), _MOST_LINES)
        margins = self.contentsMargins()
        around = margins.top() + margins.bottom() + 2 * round(self.document().documentMargin()) + 2
        height = lines * self.fontMetrics().lineSpacing() + around
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)


class Problems(QWidget):
    """Problems as an error, and missing parts as a remark."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong, self.missing = caption(name="problem", wraps=True, plain=True), caption(wraps=True, plain=True)
        column_of(self, self.wrong, self.missing, gap=2)
        self.say([])

    def say(self, problems: list[FieldProblem]) -> None:
        """Show problems; hidden without any."""
        for label, is_missing in ((self.wrong, False), (self.missing, True)):
            texts = (each.text.translated(translate) for each in problems if each.is_missing is is_missing)
            show_text(label, "\n".join(texts))
        self.setVisible(bool(problems))

    @property
    def text(self) -> str:
        """All of its text."""
        return "\n".join(filter(None, (self.wrong.text(), self.missing.text())))

    @property
    def is_wrong(self) -> bool:
        """Whether anything is an error."""
        return bool(self.wrong.text())


class Field(QWidget):
    """A text to type. ``offers`` is the kind of the expressions in its menu *Insert*, see `LessonDraft.offers`."""

    typed = Signal(str, str)
    """The user has typed another text: the name of the field, and the text."""

    def __init__(
        self, draft: LessonDraft, name: str, title: str, tip: str = "", *, lines: int = 1, offers: str = ""
    ) -> None:
        super().__init__()
        self.name, self._draft, self._offers = name, draft, offers
        self.box: QLineEdit | _TextBox = QLineEdit() if lines == 1 else _TextBox(lines)
        if isinstance(self.box, _TextBox):
            self.box.textChanged.connect(self._say_typed)
        else:
            self.box.textEdited.connect(self._say_typed)
        self.box.setAccessibleName(title)
        self.box.setToolTip(tip)
        self.title = caption(title, wraps=True, plain=True)
        self.title.setBuddy(self.box)
        self.insert = QToolButton()
        self.insert.setObjectName("tiny")
        self.insert.setText(self.tr("Insert"))
        self.insert.setAccessibleName(self.tr("Insert: {0}").format(title))
        self.insert.setToolTip(self.tr("What is on screen, each with its value there"))
        self.insert.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.insert)
        self.menu.aboutToShow.connect(self.list_offers)
        self.menu.triggered.connect(self._take_chosen)
        self.insert.setMenu(self.menu)
        self.insert.setVisible(bool(offers))
        self.problems = Problems()
        head = row_of(None, self.title, self.insert, gap=4, wide=(self.title,))
        column_of(self, head, self.box, self.problems, gap=2)
        self.setFocusProxy(self.box)

    @property
    def text(self) -> str:
        """The typed text, without lone surrogates: a broken clipboard may hold one, a file cannot."""
        typed = self.box.toPlainText() if isinstance(self.box, _TextBox) else self.box.text()
        return typed.encode(errors="replace").decode()

    def put(self, text: str) -> None:
        """Show a text, without emitting `typed`."""
        if text == self.text:
            return
        with QSignalBlocker(self.box):
            if isinstance(self.box, _TextBox):
                at = self.box.textCursor().position()
                self.box.setPlainText(text)
                cursor = self.box.textCursor()
                cursor.setPosition(min(at, len(self.box.toPlainText())))
                self.box.setTextCursor(cursor)
                self.box.fit()
            else:
                self.box.setText(text)

    def fit(self) -> None:
        """Adapt to the height of the text, in another type scale too."""
        if isinstance(self.box, _TextBox):
            self.box.fit()

    def say(self, problems: list[FieldProblem]) -> None:
        """Show its problems, and less prominently missing parts."""
        self.problems.say(problems)
        self.box.setAccessibleDescription(self.problems.text)
        set_state(self.box, "problem", self.problems.is_wrong)

    @Slot()
    def list_offers(self) -> None:
        """Fill the menu with the current offers."""
        self.menu.clear()
        found = self._draft.offers(self._offers)
        for offer in found:
            title = f"{translate(offer.title)}: {offer.value_said}".replace("&", "&&")
            self.menu.addAction(title).setData(offer)
        if not found:
            self.menu.addAction(self.tr("No picture yet")).setEnabled(False)

    @Slot(object)
    def _take_chosen(self, action: QAction) -> None:
        self.take(action.data())

    def take(self, offer: Offer) -> None:
        """Type an offer at the cursor; one that is more than a part of a text, in place of what was typed."""
        text: str = getattr(offer, _TYPED.get(self._offers, "expression"))
        if isinstance(self.box, _TextBox):
            self.box.insertPlainText(text)
        else:
            if self._offers != "text":
                self.box.clear()
            self.box.insert(text)
            self._say_typed()
        self.box.setFocus()

    @Slot()
    def _say_typed(self) -> None:
        self.typed.emit(self.name, self.text)
