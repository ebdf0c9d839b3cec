"""The rows of a stage: the parts around the picture, in a window and in Present.

The rows are not a layout of the stage: Qt would lay out the whole window whenever the text of a label changes. Each
placing makes them anew: which parts share a row depends on the size and the look, and a widget is in one layout only.
"""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtWidgets import QLayout, QSizePolicy, QToolButton, QWidget

from attnviz.experiment.labs import Lab
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.contrast_choice import ContrastChoice
from attnviz.gui.labs.present_head import PresentHead
from attnviz.gui.labs.stage_strip import StagePlayer, StageStrip
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.page import PageStack
from attnviz.gui.run.last_good import LastGoodMark
from attnviz.gui.theme import Look, set_state
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.formula_view import FormulaView
from attnviz.gui.widgets.labels import ElidingLabel, caption
from attnviz.gui.widgets.layouts import column_of, row_of

Rows = Sequence[tuple[QLayout, int]]
"""Parts side by side, and their height in pixels; 0 for the remaining height."""
_ROW, _FORMULA, _FORMULA_LOW, _SENTENCE, _LINE = 30, 42, 34, 18, 20
"""Heights of the first row, of the formula (the second on a low stage), of a line of the sentence and of small text, at
scale 1."""
_TWO_LINES, _THREE_LINES = 0.48, 0.34
"""The width of a sentence, as a share of its single-line width, that suffices for two and for three lines."""
_HEAD, _CHOICES = 30, 28
"""Heights of the two rows above a picture in Present, at scale 1."""
_LEAST_BAR, _MOST_BAR = 130, 300
"""The least and the usual width of the colour bar in the second of them, at scale 1."""
_AROUND, _AROUND_PRESENT = (16, 4), (8, 3)
"""The margin at the sides and the gap between rows, at scale 1; the second pair in Present."""
_ANY_WIDTH = 16777215
"""Qt's QWIDGETSIZE_MAX."""
_STAGES = 0.6
"""Stage names take precedence over the numbers of far layers up to this share of a common row."""
_LOW, _HIGH = 560, 640
"""The height below which a stage is low, and from which on the strip may have a row of its own."""


class RoomFor(NamedTuple):
    """The widths, at scale 1, that parts of a stage need."""

    sentence: int = 780
    """Of a stage whose sentences fit into one line."""
    legend: int = 460
    read_out: int = 490
    """Of the read-out of a cell, beside the colour bar."""


class StageRows(QObject):
    """The parts around the picture of a stage, and their geometry; they are children of the stage."""

    outer: StageStrip | None = None
    """A strip above that of the stages, if the lab has one."""
    sides: QWidget | None = None
    """The choice between pictures of different attention in one run, if the lab has one; before the other choices."""
    staged, headed = True, True
    """Whether the page on screen has the strip of stages, and the row of formula and shapes."""

    def __init__(
        self, look: Look, lab: Lab, first: str, titles: tuple[tuple[str, str, str], ...], room: RoomFor, stage: QWidget
    ) -> None:
        super().__init__(stage)
        self._stage, self._look, self.room = stage, look, room
        self.page_buttons = Segments(self.tr("Page"), titles, stage)
        self.page_box = box_of(self.tr("Page"), titles, stage)
        self.page_box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.strip = StageStrip(lab.stages, first, stage)
        self.player = StagePlayer(self.strip, stage)
        self.view_button = QToolButton(stage)
        self.view_button.setText(self.tr("&View"))
        self.view_button.setObjectName("viewButton")
        self.head = PresentHead(stage)
        """The row above the picture before an audience."""
        self.formula = FormulaView(look, stage)
        self.shapes = ElidingLabel(stage)
        self.shapes.setAccessibleName(self.tr("Shapes"))
        self.further = QWidget(stage)
        """Choices beside the shapes, such as the batch item."""
        self.beside = row_of(self.further)
        self.sentence, self.note = caption(name="sentence", wraps=True, plain=True), ElidingLabel()
        for label in (self.sentence, self.note):
            label.setParent(stage)
        self.last_good = LastGoodMark(stage)
        self.read_out = ElidingLabel(stage)
        for line in (self.shapes, self.note, self.read_out):
            line.setObjectName("caption")
        for line in (self.shapes, self.note):
            line.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.colours = QWidget(stage)
        """The colour bar, and beside it the contrast of the weights."""
        self.bar, self.contrast = ColourBar(look), ContrastChoice()
        self.contrast.hide()
        row_of(self.colours, self.bar, self.contrast, wide=(self.bar,))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        set_state(self.sentence, "caption", look.present)
        side = look.px(12) if look.present else 0
        self.sentence.setContentsMargins(side, 0, side, 0)
        self.note.setContentsMargins(side, 0, 0, 0)

    @property
    def choices(self) -> object:
        """The part of the layout's input that depends on the trace: the choices and their sizes."""
        outer = None if self.outer is None or self.outer.isHidden() else self.outer.offered
        sizes = self.page_buttons.sizeHint(), self.further.sizeHint(), bool(self._sides)
        return outer, self.strip.offered, *sizes, self.staged, self.headed

    @property
    def _sides(self) -> tuple[QWidget, ...]:
        """The choice of a side, if it is on screen."""
        return () if self.sides is None or self.sides.isHidden() else (self.sides,)

    def place(self, pages: PageStack, sentence: int) -> None:
        """Place the parts in rows of fixed heights; the picture has the remaining height.

        ``sentence`` is the width, at scale 1, in which the sentences of the page need one line.
        """
        look, present = self._look, self._look.present
        side, gap = map(look.px, _AROUND_PRESENT if present else _AROUND)
        inner, several = max(1, self._stage.width() - 2 * side), self.page_box.count() > 1
        self._one_line = look.px(sentence)
        self.strip.setVisible(self.staged)
        self.player.setVisible(self.staged and not present and len(self.strip.offered) > 1)
        self.view_button.setVisible(not present)
        for part in (self.head, self.head.leave):
            part.setVisible(present)
        self.formula.setVisible(self.headed)
        self.further.setVisible(self.headed and not self.beside.isEmpty())
        self.read_out.setVisible(not present)
        self.note.setVisible(present and bool(self.note.text()))
        beside, below = self._where_strips_are(inner)
        buttons = several and not present and (beside or below)
        self.page_buttons.setVisible(buttons)
        self.page_box.setVisible(several and not buttons)
        # Qt measures a few pixels too little in large type, and truncates the longest title.
        self.page_box.setMinimumWidth(self.page_box.sizeHint().width() + look.px(6) if present else 0)
        shown = [part for part in (self.outer, self.strip) if part is not None and not part.isHidden()]
        first, under = ([], shown) if below and not present else (shown[:1], shown[1:])
        player = [self.player] if self.strip in under else []
        self._share_row(under, inner - look.px(16) * len(under) - (self.player.sizeHint().width() if player else 0))
        second = [(row_of(None, *under, None, *player, gap=look.px(16)), look.px(_ROW))] if under else []
        rows = (self._rows_to_present if present else self._rows_to_work)(pages, first, second, inner)
        top, spare = gap, self._stage.height() - gap - sum(height + gap for _, height in rows)
        for layout, height in rows:
            layout.setGeometry(QRect(side, top, inner, height or max(1, spare)))
            top += gap + (height or max(1, spare))

    def _where_strips_are(self, inner: int) -> tuple[bool, bool]:
        """Return whether the first strip is beside the buttons of the pages, or below them; else these are a list.

        It does not depend on the page on screen: the buttons do not move. Stages are named, in a row of their own if
        they do not fit beside the buttons; names of layers become dots first.
        """
        px, outer = self._look.px, self.outer if self.outer is not None and len(self.outer.offered) > 1 else None
        others = (*self._sides, self.page_buttons, self.view_button, *(() if outer else (self.player,)))
        left = inner - px(16) - sum(part.sizeHint().width() + px(8) for part in others)
        beside = (outer.minimumSizeHint() if outer else self.strip.sizeHint()).width() <= left
        return beside, not beside and self._stage.height() >= px(_HIGH)

    def _share_row(self, under: Sequence[StageStrip], room: int) -> None:
        """Let two strips in a row have names around the chosen ones: the stages first, then the layers, then both."""
        if self.outer is None or len(under) < 2:
            for strip in filter(None, (self.outer, self.strip)):
                strip.setMinimumWidth(0)
                strip.setMaximumWidth(_ANY_WIDTH)
            return
        whole = self.strip.sizeHint().width()
        least = self.outer.width_in(room - (whole if whole <= _STAGES * room else self.strip.width_with_neighbours))
        self.strip.setFixedWidth(self.strip.width_in(room - least))
        self.outer.setFixedWidth(self.outer.width_in(room - self.strip.width()))

    @property
    def _contrast_width(self) -> int:
        """The width of the choice of a contrast and the gap before it, 0 without it."""
        return 0 if self.contrast.isHidden() else self.contrast.sizeHint().width() + self._look.px(8)

    def _rows_to_work(self, pages: PageStack, first: Sequence[QWidget], second: Rows, inner: int) -> Rows:
        """Return rows and their heights, 0 for the picture: the formula is whole, shapes are elided if it is long."""
        px = self._look.px
        player = [] if second else [self.player]
        parts = (*self._sides, self.page_buttons, self.page_box, *first, None, *player, self.view_button)
        row = row_of(None, *parts, gap=px(8))
        row.insertSpacing(2 + len(self._sides), px(8) if self.page_box.count() > 1 else 0)
        further = 0 if self.further.isHidden() else self.further.sizeHint().width() + px(12)
        room = inner - further - px(12) - self.formula.sizeHint().width()
        self.shapes.setVisible(self.headed and room >= min(px(60), self.shapes.sizeHint().width()))
        self.formula.setMinimumWidth(max(0, min(room, 0) + self.formula.sizeHint().width()))
        self.formula.setMaximumWidth(inner)
        header = row_of(None, self.formula, self.shapes, self.further, gap=px(12), wide=(self.formula,))
        legend = px(self.room.legend) + self._contrast_width
        one_row = self.bar.isHidden() or inner >= legend + px(16) + px(self.room.read_out)
        self.colours.setMaximumWidth(legend if one_row else inner)
        along = row_of if one_row else column_of
        foot = along(
            None, self.colours, self.read_out, gap=px(16) if one_row else 0, wide=(self.colours, self.read_out)
        )
        lines, low = self._lines_in(inner), second or self._stage.height() < px(_LOW)
        return [
            (row, px(_ROW)),
            *second,
            *([(header, px(_FORMULA_LOW if low else _FORMULA))] if self.headed else []),
            (row_of(None, self.last_good, self.sentence, wide=(self.sentence,)), self._high_beside_mark(lines, inner)),
            (row_of(None, pages), 0),
            (foot, px(_LINE) * (1 if one_row else 2)),
        ]

    def _lines_in(self, width: int) -> int:
        """Return the number of lines for the page's sentences; not for a single one, or the picture would move."""
        return 1 + sum(width < share * self._one_line for share in (1, _TWO_LINES, _THREE_LINES))

    def _high_beside_mark(self, lines: int, inner: int) -> int:
        """Return the height of a number of lines of the sentence; of more if the warning leaves it too little room."""
        height = self._look.px(_SENTENCE) * lines
        if self.last_good.isHidden():
            return height
        return max(height, self.sentence.heightForWidth(inner - self.last_good.sizeHint().width() - 8))

    def _rows_to_present(self, pages: PageStack, first: Sequence[QWidget], second: Rows, inner: int) -> Rows:
        """Return the rows in Present: preset and formula, the choices, and the sentence below the picture."""
        px = self._look.px
        self.shapes.hide()
        natural, high = self.formula.sizeHint(), px(_HEAD)
        self.head.title.setMinimumWidth(
            min(self.head.title.sizeHint().width(), inner * 3 // 5)
        )  # the formula gives way
        others = (self.head, self.further, self.head.leave)
        taken = sum(part.minimumSizeHint().width() + px(16) for part in others if not part.isHidden())
        wide = round(natural.width() * min(1.0, high / max(1, natural.height())))
        self.formula.setFixedWidth(max(1, min(wide, inner - taken)))
        # The chapter is shown whole or not at all; it is the first to be dropped.
        room = inner - taken - (0 if self.formula.isHidden() else wide)
        self.head.chapter.setVisible(room >= self.head.chapter.sizeHint().width() + px(36))
        head = row_of(None, self.head, self.further, self.formula, self.head.leave, gap=px(8), wide=(self.head,))
        choices = [part for part in (*self._sides, self.page_box, *first) if not part.isHidden()]
        left = inner - sum(part.sizeHint().width() + px(8) for part in choices)
        beside_strip = not self.bar.isHidden() and left >= px(_LEAST_BAR) + self._contrast_width
        self.colours.setMaximumWidth(min(left, px(_MOST_BAR) + self._contrast_width) if beside_strip else inner)
        row = row_of(None, *choices, None, *([self.colours] if beside_strip else []), gap=px(8))
        legend = not self.bar.isHidden() and not beside_strip  # the note is in its row, else beside the sentence
        last = [(row_of(None, self.colours, self.note, wide=(self.colours,)), px(_LINE))] if legend else []
        room = inner - self.colours.minimumSizeHint().width() - px(16) if legend else 0
        self.note.setMaximumWidth(max(inner // 3, room))
        beside = 0 if legend or self.note.isHidden() else min(self.note.sizeHint().width(), inner // 3)
        lines = self._lines_in(inner - beside)
        caption = self.last_good, self.sentence, *([] if legend else [self.note])
        return [
            (head, high),
            (row, px(_CHOICES)),
            *second,
            (row_of(None, pages), 0),
            *last,
            (row_of(None, *caption, gap=0, wide=(self.sentence,)), px(_SENTENCE) * lines + px(8)),
        ]


def box_of(name: str, choices: tuple[tuple[str, str, str], ...], parent: QWidget) -> ComboBox:
    """Return a list of values, their texts and their help."""
    box = ComboBox(parent)
    box.setAccessibleName(name)
    for value, text, help_text in choices:
        box.addItem(text, value)
        box.setItemData(box.count() - 1, help_text, Qt.ItemDataRole.ToolTipRole)
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    return box
