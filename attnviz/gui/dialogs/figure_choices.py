"""The left side of the figure dialog: as on screen or for a paper, which part, how large, and in which form."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QFormLayout, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from attnviz.experiment.files.heads_text import parse_heads
from attnviz.export.figures.settings import NARROWEST, WIDEST
from attnviz.gui.forms.choice_editors import ComboBox
from attnviz.gui.widgets.segments import Segments

SCALES = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class FigureChoice:
    """What is to become of the trace on screen."""

    source: str
    """"screen" or "paper"."""
    kind: str
    """"png", "pdf" or "svg"."""
    part: str
    """"stage", "close_up" or "window", of the screen."""
    scale: int
    transparent: bool
    heads: tuple[int, ...] | None
    item: int
    width_cm: float
    dpi: int
    theme: str
    contrast: bool


class FigureChoices(QWidget):
    """Every control is made once; those that do not act on what is chosen are hidden."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = Segments(
            self.tr("What"),
            (
                ("screen", self.tr("As on screen"), self.tr("The picture as it is drawn, with what is chosen in it")),
                ("paper", self.tr("For a paper"), self.tr("A clean figure with embedded type, legible at 8 cm")),
            ),
        )
        self.kind = Segments(
            self.tr("Format"),
            (
                ("png", "PNG", self.tr("Pixels")),
                ("pdf", "PDF", self.tr("Type and lines as such, cells as true images")),
                ("svg", "SVG", self.tr("For a paper: lines as such. As on screen: the pixels in an SVG")),
            ),
        )
        self.part = ComboBox()
        for value, title in (
            ("stage", self.tr("The stage")),
            ("close_up", self.tr("The large picture")),
            ("window", self.tr("The whole window")),
        ):
            self.part.addItem(title, value)
        self.scale = ComboBox()
        for scale in SCALES:
            self.scale.addItem(f"{scale}×", scale)
        self.scale.setCurrentIndex(1)
        self.heads = QLineEdit()
        self.heads.setPlaceholderText(self.tr("all, or such as 1,3-4"))
        self.item = QSpinBox()
        self.width_cm = QDoubleSpinBox()
        self.width_cm.setRange(NARROWEST, WIDEST)
        self.width_cm.setDecimals(1)
        self.width_cm.setValue(8.0)
        self.width_cm.setSuffix(self.tr(" cm"))
        self.dpi = QSpinBox()
        self.dpi.setRange(30, 1200)
        self.dpi.setValue(300)
        self.dpi.setSuffix(self.tr(" dpi"))
        self.theme = Segments(self.tr("Colours"), (("light", self.tr("Light"), ""), ("dark", self.tr("Dark"), "")))
        self.contrast = QCheckBox(self.tr("Contrast per head"))
        self.transparent = QCheckBox(self.tr("Transparent"))
        self.problem = QLabel()
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.hide()
        self._lay_out()
        self._connect()
        self._show_what_acts()

    @property
    def choice(self) -> FigureChoice:
        """What is chosen.

        Raises:
            ValueError: the heads cannot be read; a sentence.
        """
        text = self.heads.text().strip()
        return FigureChoice(
            source=self.source.value,
            kind=self.kind.value,
            part=str(self.part.currentData()),
            scale=int(self.scale.currentData()),
            transparent=self.transparent.isChecked() and not self.transparent.isHidden(),
            heads=parse_heads(text) if self._several_heads and text and text != "all" else None,
            item=self.item.value(),
            width_cm=self.width_cm.value(),
            dpi=self.dpi.value(),
            theme=self.theme.value,
            contrast=self.contrast.isChecked(),
        )

    def offer(self, *, items: int, heads: int, item: int, contrast: bool, contrast_word: str) -> None:
        """Offer what a trace has; the batch item and the contrast begin as they are on screen."""
        self.contrast.setText(contrast_word)
        self.item.setRange(0, items - 1)
        self.item.setValue(item)
        self.contrast.setChecked(contrast)
        self._several_items, self._several_heads = items > 1, heads > 1
        self._show_what_acts()

    def say(self, problem: str) -> None:
        """Show what is wrong with the choice, or that nothing is."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _lay_out(self) -> None:
        self._several_items = self._several_heads = True
        self._form = QFormLayout()
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setVerticalSpacing(8)
        for name, editor in (
            (self.tr("Part"), self.part),
            (self.tr("Pixels"), self.scale),
            (self.tr("Heads"), self.heads),
            (self.tr("Item"), self.item),
            (self.tr("Width"), self.width_cm),
            (self.tr("Sharpness"), self.dpi),
            (self.tr("Colours"), self.theme),
        ):
            editor.setAccessibleName(name)
            self._form.addRow(name, editor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self.source)
        layout.addWidget(self.kind)
        layout.addLayout(self._form)
        layout.addWidget(self.contrast)
        layout.addWidget(self.transparent)
        layout.addWidget(self.problem)
        layout.addStretch(1)

    def _connect(self) -> None:
        for signal in (
            self.source.chosen,
            self.kind.chosen,
            self.theme.chosen,
            self.part.activated,
            self.scale.activated,
            self.heads.textEdited,
            self.item.valueChanged,
            self.width_cm.valueChanged,
            self.dpi.valueChanged,
            self.contrast.toggled,
            self.transparent.toggled,
        ):
            signal.connect(self._change)

    @Slot()
    def _change(self) -> None:
        self._show_what_acts()
        self.changed.emit()

    def _show_what_acts(self) -> None:
        paper, png = self.source.value == "paper", self.kind.value == "png"
        shown = {
            self.part: not paper,
            self.scale: not paper and self.kind.value != "pdf",
            self.heads: paper and self._several_heads,
            self.item: paper and self._several_items,
            self.width_cm: paper,
            self.dpi: paper and png,
            self.theme: paper,
        }
        for editor, visible in shown.items():
            self._form.setRowVisible(editor, visible)
        self.contrast.setVisible(paper)
        self.transparent.setVisible(paper or (png and self.part.currentData() != "window"))
