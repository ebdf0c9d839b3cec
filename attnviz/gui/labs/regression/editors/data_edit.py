"""The editors of the training points' source and of the grid of queries."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget
from typing_extensions import override

from attnviz.definitions.formats import suffixes_with
from attnviz.definitions.functions import formula
from attnviz.definitions.functions.sample_functions import SAMPLE_FUNCTIONS
from attnviz.definitions.text import Text
from attnviz.experiment.regression.data import BookData, FileData, Grid, PointsData, SyntheticData
from attnviz.experiment.regression.points import PointsError, points_of_text
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.gui.forms.editor import ChoiceEdit, Editor, KindEdit, choice_of
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit
from attnviz.gui.forms.text_editors import PathEdit, TextEdit
from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.explained import explain
from attnviz.gui.widgets.formula_view import FormulaView
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import field_title, file_filter, translate

_WRITTEN = 40
"""The height of a typed formula in print, at scale 1."""


class GridEdit(Editor):
    """Start, stop and step of the queries, side by side, each below its name."""

    def __init__(self) -> None:
        super().__init__()
        line = row_of(self, gap=4)
        self._boxes: dict[str, FloatEdit] = {}
        for name, (low, high) in Grid.bounds(**Grid().model_dump()).items():
            box = FloatEdit(low, high, None)
            title = field_title(name, Grid.model_fields)
            label = caption(title)
            label.setBuddy(box)
            box.set_name(f"{translate(_QUERIES)}: {title}")
            box.setMinimumWidth(30)
            box.edited.connect(self._edit)
            self._boxes[name] = box
            line.addLayout(column_of(None, explain(label), box, gap=0), 1)

    @override
    def value(self) -> Any:
        return {name: box.value() for name, box in self._boxes.items()}

    @override
    def set_value(self, value: Any) -> None:
        for name, box in self._boxes.items():
            box.set_value(getattr(value, name))
        self._limit()

    @override
    def repair(self, place: tuple[str, ...], value: Any) -> None:
        self._boxes[place[-1]].set_value(value)
        self._limit()

    @Slot()
    def _edit(self) -> None:
        self._limit()
        self.edited.emit()

    def _limit(self) -> None:
        for name, bounds in Grid.bounds(**self.value()).items():
            self._boxes[name].set_limits(*bounds)


_QUERIES = RegressionSpec.model_fields["x_test"].title or ""
_MOST_PASTED = 1 << 20  # characters; parsing more would block the window


class DataEdit(KindEdit):
    """A kind of points, its knobs, and buttons to paste and save points."""

    save_asked = Signal()
    """The user wants to save the points on screen."""

    def __init__(self) -> None:
        super().__init__(choice_of(RegressionSpec.model_fields["data"]))
        self._synthetic: dict[str, Editor] = {}
        self.written = FormulaView(Look(LIGHT))
        """The typed formula as it is set in print."""
        self._form = self._add_synthetic()
        self._path = PathEdit(self.tr("Open points"), file_filter(self.tr("Two columns"), suffixes_with("points")))
        self._path.edited.connect(self.edited)
        self.add_kind("file", self._path)
        self._points = PointsData(x=(0.0, 1.0, 2.0, 3.0, 4.0), y=(0.0, 2.0, 3.0, 2.0, 1.0))
        self._add_buttons()
        self._show_synthetic(SyntheticData())

    @override
    def value(self) -> Any:
        match self.kind.value():
            case "synthetic":
                values = {name: editor.value() for name, editor in self._synthetic.items()}
                return {"kind": "synthetic"} | values
            case "file":
                return {"kind": "file", "path": self._path.value()}
            case "points":
                return self._points
            case kind:
                return {"kind": kind}

    @override
    def set_value(self, value: Any) -> None:
        match value:
            case SyntheticData():
                self._show_synthetic(value)
            case FileData(path=path):
                self._path.set_value(path)
            case PointsData():
                self._points = value
            case BookData():
                pass
        self.show_kind(value.kind)

    @override
    def repair(self, place: tuple[str, ...], value: Any) -> None:
        self._synthetic[place[-1]].set_value(value)

    @property
    @override
    def lacks(self) -> str:
        asked = self.kind.value() == "file" and not self._path.value()
        return self.tr("Choose a file of two columns, x and y.") if asked else ""

    @override
    def ways(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        return self._path.ways()

    @override
    def show_below(self, on: bool) -> None:
        """Do nothing: the part below the choice is always visible, for it holds the buttons."""

    @Slot()
    def paste(self) -> None:
        """Take two columns of text from the clipboard as the points."""
        text = QGuiApplication.clipboard().text()
        try:
            if len(text) > _MOST_PASTED:
                raise PointsError("too_large", "the clipboard holds too much text; save it as a file")
            x, y = points_of_text(text, Text("the clipboard"))
        except PointsError as error:
            self.refused.emit(translate(error.text))
            return
        self._points = PointsData(x=tuple(x.tolist()), y=tuple(y.tolist()))
        self.show_kind("points")
        self.edited.emit()

    def _add_synthetic(self) -> QFormLayout:
        box = QWidget()
        form = QFormLayout(box)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(4)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        functions = ChoiceEdit({each.name: translate(each.title) for each in SAMPLE_FUNCTIONS.values()})
        functions.edited.connect(self._show_formula)
        for name, editor in (
            ("function", functions),
            ("formula", TextEdit("2*sin(x)")),
            ("n_train", IntEdit(1, 20_000, None)),
            ("noise", FloatEdit(0, 1e6, None)),
            ("seed", IntEdit(0, 2**31 - 1, None)),
        ):
            editor.edited.connect(self.edited)
            self._synthetic[name] = editor
            title = field_title(name, SyntheticData.model_fields)
            form.addRow(explain(QLabel(title)), editor)
            editor.set_name(title)
            if name == "formula":
                form.addRow(self.written)
        self.add_kind("synthetic", box)
        return form

    def _add_buttons(self) -> None:
        hint = caption(
            self.tr("Drag a point to move it, double-click to add one, Delete removes the selected one."), wraps=True
        )
        buttons = QWidget()
        line = row_of(buttons)
        for text, help_text, slot in (
            (self.tr("Paste"), self.tr("Take two columns from the clipboard as the points"), self.paste),
            (self.tr("Save ..."), self.tr("Save the points on screen as CSV"), self.save_asked),
        ):
            button = tiny_button(text, slot, help_text)
            button.setAccessibleName(f"{text}: {help_text}")
            line.addWidget(button)
        line.addStretch(1)
        self.add_always(hint)
        self.add_always(buttons)

    def _show_synthetic(self, data: SyntheticData) -> None:
        for name, editor in self._synthetic.items():
            editor.set_value(getattr(data, name))
        self._write(data.formula)
        self._show_formula()

    @Slot()
    def _show_formula(self) -> None:
        typed = self._synthetic["function"].value() == "formula"
        for row in (self._synthetic["formula"], self.written):
            self._form.setRowVisible(row, typed)

    def _write(self, text: str) -> None:
        """Set a formula that is known to be legal, or nothing while it is not used."""
        try:
            self.written.show_formula(f"y = {formula.latex(text)}", f"y = {formula.plain(text)}")
        except formula.FormulaError:
            self.written.hide()

    def restyle(self, look: Look) -> None:
        """Apply a type scale: the text has a height of its own."""
        self.written.setFixedHeight(look.px(_WRITTEN))
