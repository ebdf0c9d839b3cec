"""The page on which the user's own functions are written, beside all heads."""

import html
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QSplitter, QToolButton, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.experiment.attention.mask_study import MaskStudy, MaskTrace
from attnviz.experiment.attention.mods import Mods, names_in
from attnviz.experiment.attention.opened import ROLES
from attnviz.experiment.attention.own_mask import Listed
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.gui.labs.attention.editors.mods_edit import FunctionEdit, title_of_role
from attnviz.gui.labs.attention.templates import TEMPLATES, Template
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.heads_view import HeadsView, Picture, colours_of_cells
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.code_edit import CodeEdit
from attnviz.gui.widgets.labels import ElidingLabel, caption, show_text
from attnviz.gui.widgets.layouts import FlowLayout, column_of, row_of
from attnviz.gui.widgets.letters import LetteredMenu
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate

_PRINTED = 72
_FADES_MS = 400
"""The time in milliseconds for which a problem stays, dimmed, after the functions have changed."""
_TALL = 1.15
"""The editor is above the heads on a page that is taller than this share of its width, else beside them."""


class FunctionsPage(StudyPage[Picture]):
    """Writes the functions; the heads follow each edit, and the last good picture stays while there is an error."""

    sentence_room = 1180
    _picture: Picture | None = None
    _study: MaskStudy | None = None
    role_chosen = Signal(str, object)
    """A role, "mask_mod" or "score_mod", and the text of the function that the user chose for it, or None."""
    menu_opens = Signal()
    """The menu of texts to start from is about to open."""
    started = Signal(object)
    """The user starts from a `Template`."""
    open_asked = Signal()
    """The user wants to choose a file."""
    save_as_asked = Signal()
    """The user wants to save the text in another file."""
    revert_asked = Signal()
    """The user wants the text of the file back."""
    allow_asked = Signal()
    """The user wants to read the text, and to allow it to run."""
    mask_asked = Signal()
    """The user wants to see the page of the mask."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.known: tuple[Listed, ...] = ()
        """The names in the last text that could be parsed."""
        self.code = CodeEdit(self.tr("Own functions"))
        self.code.setPlaceholderText(
            self.tr("Open a Python file, start from a mask, or write a function (b, h, q_idx, kv_idx) here.")
        )
        self.heads = HeadsView(look, selection)
        self.heads.beside_text = True
        self.heads.painted.connect(self.painted)
        self.name = ElidingLabel()
        self.name.setObjectName("boxTitle")
        self.open = tiny_button(self.tr("Open ..."), self.open_asked)
        self.start = self._start_button()
        self.of_masks: tuple[Template, ...] = ()
        """The masks of the form to start from, set when `menu_opens` is emitted."""
        self.save = tiny_button(
            self.tr("Save"), self.code.save_pressed, self.tr("Save the file (Ctrl+S in the editor)")
        )
        self.save_as = tiny_button(self.tr("Save as ..."), self.save_as_asked)
        self.revert = tiny_button(self.tr("Revert"), self.revert_asked, self.tr("Take the text of the file again"))
        buttons = QWidget()
        flow = FlowLayout(buttons, gap=4, line_gap=4)
        for part in (self.open, self.start, self.save, self.save_as, self.revert, self.name):
            flow.addWidget(part)
        self.functions = {role: FunctionEdit(role) for role in ROLES}
        roles = QWidget()
        columns = row_of(roles, gap=8)
        for role, edit in self.functions.items():
            edit.set_name(title_of_role(role))
            edit.edited.connect(self._choose)
            columns.addLayout(column_of(None, caption(title_of_role(role)), edit, gap=2), 1)
        self.message = self._message_label()
        self._fading = QTimer(self, singleShot=True, interval=_FADES_MS)
        self._fading.timeout.connect(self._hide_problem)
        self.finding = self._finding_line()
        self.allow = QPushButton(self.tr("Read and allow ..."))
        self.allow.setObjectName("primary")
        self.allow.clicked.connect(self.allow_asked)
        self.printed = QPlainTextEdit(readOnly=True)
        self.printed.setAccessibleName(self.tr("What the functions printed"))
        self._output = QWidget()
        column_of(self._output, caption(self.tr("What the functions printed")), self.printed, gap=2)
        left = QWidget()
        parts = (buttons, roles, self.code, self.message, self.finding, row_of(None, self.allow, None), self._output)
        column_of(left, *parts, gap=6, wide=(self.code,))
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(left)
        self.split.addWidget(self.heads)
        self.split.setSizes([500, 500])
        column_of(self, self.split, gap=0, wide=(self.split,))
        self.show_mods(None)
        self.show_problem("")
        self._output.hide()
        self.allow.hide()

    def _message_label(self) -> QLabel:
        """Return the label of a problem, whose link leads to the line."""
        label = caption(name="problem", wraps=True)
        label.setTextFormat(Qt.TextFormat.RichText)
        label.linkActivated.connect(self._go_to)
        return label

    def _finding_line(self) -> QLabel:
        """Return the line for what is unusual about the mask, with a link to its page."""
        line = caption(wraps=True)
        line.setTextFormat(Qt.TextFormat.RichText)
        line.linkActivated.connect(self.mask_asked)
        line.hide()
        return line

    def _start_button(self) -> QToolButton:
        """Return the button with a menu of texts to start from."""
        button = QToolButton()
        button.setObjectName("tiny")
        button.setText(self.tr("Start from"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = LetteredMenu(button)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.menu.triggered.connect(self._start)
        button.setMenu(self.menu)
        return button

    @Slot()
    def _fill_menu(self) -> None:
        self.menu_opens.emit()
        self.menu.clear()
        for templates in (TEMPLATES, self.of_masks):
            self.menu.addSeparator()
            for template in templates:
                self.menu.addAction(translate(template.title)).setData(template)

    def show_mods(self, mods: Mods | None) -> None:
        """Show the functions of the current spec; text that is being typed stays."""
        source = "" if mods is None else mods.source or ""
        self.code.show_text(source)
        self.known = names_in(source) or (self.known if source.strip() else ())
        for role, edit in self.functions.items():
            edit.offer(self.known)
            edit.set_value(None if mods is None else getattr(mods, role))

    def show_name(self, name: str, *, edited: bool) -> None:
        """Show the name of the file, and whether it holds another text."""
        self.name.setText(self.tr("{0}, edited").format(name) if edited and name else name or self.tr("No file"))

    def show_problem(self, text: str, line: int = 0) -> None:
        """Show why the functions could not be run, with the line that is to blame; an empty text hides the last."""
        self.code.mark_wrong(line)
        shown = html.escape(text, quote=False).replace("\n", "<br>")
        link = self.tr("Line {0}").format(line)
        self._fading.stop()
        self.message.setEnabled(True)
        show_text(self.message, f'<a href="{line}">{link}</a>: {shown}' if line and text else shown)
        self.message.setAccessibleName(text)

    def fade_problem(self) -> None:
        """Dim the last problem, which is of other functions, and hide it unless the next one comes soon."""
        self.code.mark_wrong(0)
        self.message.setEnabled(False)
        self._fading.start()

    @Slot()
    def _hide_problem(self) -> None:
        self.show_problem("")

    def show_printed(self, text: str) -> None:
        """Show what the functions printed; an empty text hides it."""
        text = text.rstrip()
        if text != self.printed.toPlainText():
            self.printed.setPlainText(text)
        self._output.setVisible(bool(text))

    @override
    def follow(self, trace: AttentionTrace) -> None:
        self.show_printed("" if trace.own is None else trace.own.printed)
        with_mask = trace.own is not None and trace.own.mask is not None
        self._study = MaskStudy(of=trace.spec) if with_mask else None
        self.draw_results()

    @override
    def studies(self) -> tuple[MaskStudy, ...]:
        return () if self._study is None else (self._study,)

    @override
    def draw_results(self) -> None:
        """Show the most important finding about the mask, unless none may be a mistake; that of a clause is a cause."""
        shown = self.result(self.study)
        found = shown.findings if isinstance(shown, MaskTrace) else ()
        first = [each for each in found if each.level == found[0].level]
        finding = next((each for each in first if each.clause is not None), next(iter(first), None))
        self.finding.setVisible(finding is not None and finding.level != "fact")
        if finding is not None and isinstance(shown, MaskTrace):
            said, link = shown.said(finding).filled(translate, SCREEN), self.tr("Mask")
            self.finding.setText(f'{html.escape(said, quote=False)} <a href="mask">{link}</a>')
            self.finding.setAccessibleName(said)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.heads.heatmap

    @property
    @override
    def pictures_across(self) -> float:
        return 2

    @override
    def show_data(self, data: Picture) -> None:
        self._picture = data
        self.heads.show_picture(data)

    @override
    def select(self) -> None:
        self.heads.select()

    @override
    def colour_line(self) -> ColourLine | None:
        return None if self._picture is None else colours_of_cells(self._picture)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        for button in (self.open, self.save, self.save_as, self.revert):
            button.setVisible(not look.present)
        self.printed.setFixedHeight(look.px(_PRINTED))
        self.split.setHandleWidth(look.px(10))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        upright = self.height() > _TALL * self.width()
        self.split.setOrientation(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)

    @Slot(QAction)
    def _start(self, action: QAction) -> None:
        self.started.emit(action.data())

    @Slot()
    def _choose(self) -> None:
        edit = self.sender()
        assert isinstance(edit, FunctionEdit)
        self.role_chosen.emit(edit.role, edit.value())

    @Slot(str)
    def _go_to(self, line: str) -> None:
        self.code.go_to(int(line))
