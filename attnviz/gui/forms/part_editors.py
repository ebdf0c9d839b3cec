"""Editors of a spec's parts that come in several kinds: inputs, data, and the grid of queries."""

from typing import Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from attnviz.experiment.functions import FunctionName
from attnviz.experiment.inputs import (
    FileInputs,
    IdentityInputs,
    OnesInputs,
    RandomInputs,
    SentenceInputs,
)
from attnviz.experiment.regression import BookData, FileData, Grid, PointsData, SyntheticData
from attnviz.gui.forms.choice_editors import ChoiceEdit
from attnviz.gui.forms.editor import Editor, row_of
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit
from attnviz.gui.forms.words import title_of, translate
from attnviz.gui.theme import Look

_TYPING_PAUSE_MS = 250


class PathEdit(Editor):
    """A file's path, typed or chosen."""

    def __init__(self, title: str, name_filter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._filter = title, name_filter
        self._line = QLineEdit()
        self._line.setPlaceholderText(title)
        self._line.setAccessibleName(title)
        self._line.editingFinished.connect(self._finish)
        self._shown = ""
        choose = QToolButton()
        choose.setText("...")
        choose.setToolTip(title)
        choose.setAccessibleName(title)
        choose.clicked.connect(self._choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._line, 1)
        layout.addWidget(choose)

    @override
    def value(self) -> str:
        return self._line.text()

    @override
    def set_value(self, value: Any) -> None:
        self._shown = value
        self._line.setText(value)

    @Slot()
    def _finish(self) -> None:
        if self._line.text() != self._shown:
            self._shown = self._line.text()
            self.edited.emit()

    @Slot()
    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self.window(), self._title, self._line.text(), self._filter)
        if path:
            self.set_value(path)
            self.edited.emit()


class SentenceEdit(QPlainTextEdit):
    """A few lines of text; what is typed counts after a short pause."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def restyle(self, look: Look) -> None:
        """Take another type scale: three lines of text."""
        self.setFixedHeight(look.px(62))


class _KindEdit(Editor):
    """A choice of kinds, and below it the editors that the chosen kind has."""

    def __init__(self, field: str, kinds: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: dict[str, QWidget] = {}
        self._kind = ChoiceEdit({kind: title_of(kind, field) for kind in kinds})
        self._kind.edited.connect(self._change_kind)
        row_of(self).addWidget(self._kind)
        self.below = QWidget()
        self._layout = QVBoxLayout(self.below)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.setFocusProxy(self._kind)

    def _add_part(self, kind: str, part: QWidget) -> None:
        self._parts[kind] = part
        self._layout.addWidget(part)
        part.hide()

    def _show_kind(self, kind: str) -> None:
        self._kind.set_value(kind)
        for name, part in self._parts.items():
            part.setVisible(name == kind)
        assert self.below is not None
        self.below.setVisible(kind in self._parts)

    @Slot()
    def _change_kind(self) -> None:
        self._show_kind(self._kind.value())
        self.edited.emit()


class InputsEdit(_KindEdit):
    """Where queries, keys and values come from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("inputs", ("random", "ones", "identity", "sentence", "file"), parent)
        self._text = SentenceEdit()
        self._text.setPlainText(SentenceInputs().text)
        self._text.setAccessibleName(self.tr("Sentence"))
        self._add_part("sentence", self._text)
        self._path = PathEdit(self.tr("Open arrays"), self.tr("NumPy arrays (*.npz *.npy)"))
        self._path.edited.connect(self.edited)
        self._add_part("file", self._path)
        self._ones = OnesInputs()
        self._shown_text = self._text.toPlainText()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._finish_typing)
        self._text.textChanged.connect(self._typing.start)

    @override
    def value(self) -> Any:
        match self._kind.value():
            case "sentence":
                return {"kind": "sentence", "text": self._text.toPlainText()}
            case "file":
                return {"kind": "file", "path": self._path.value()}
            case "ones":
                return self._ones
            case kind:
                return {"kind": kind}

    @override
    def set_value(self, value: Any) -> None:
        match value:
            case SentenceInputs(text=text):
                self._shown_text = text
                if self._text.toPlainText() != text:
                    self._text.setPlainText(text)
            case FileInputs(path=path):
                self._path.set_value(path)
            case OnesInputs():
                self._ones = value
            case RandomInputs() | IdentityInputs():
                pass
        self._typing.stop()
        self._show_kind(value.kind)

    @Slot()
    def _finish_typing(self) -> None:
        if self._text.toPlainText() != self._shown_text:
            self._shown_text = self._text.toPlainText()
            self.edited.emit()


class DataEdit(_KindEdit):
    """Where training points come from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("data", ("book", "synthetic", "file", "points"), parent)
        self._parts_of_synthetic: dict[str, Editor] = {}
        box = QWidget()
        form = QFormLayout(box)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(4)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        functions = ChoiceEdit({name: title_of(name, "function") for name in FunctionName.__args__})  # type: ignore[attr-defined]
        for name, editor in (
            ("function", functions),
            ("n_train", IntEdit(1, 20_000, None)),
            ("noise", FloatEdit(0, 1e6, None)),
            ("seed", IntEdit(0, 2**31 - 1, None)),
        ):
            editor.edited.connect(self.edited)
            self._parts_of_synthetic[name] = editor
            title = SyntheticData.model_fields[name].title or name.capitalize()
            form.addRow(translate(title), editor)
            editor.set_name(translate(title))
        self._add_part("synthetic", box)
        self._path = PathEdit(self.tr("Open points"), self.tr("Two columns (*.csv *.txt)"))
        self._path.edited.connect(self.edited)
        self._add_part("file", self._path)
        self._points = PointsData(x=(0.0, 1.0, 2.0, 3.0, 4.0), y=(0.0, 2.0, 3.0, 2.0, 1.0))
        self._show_synthetic(SyntheticData())

    @override
    def value(self) -> Any:
        match self._kind.value():
            case "synthetic":
                values = {name: editor.value() for name, editor in self._parts_of_synthetic.items()}
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
        self._show_kind(value.kind)

    @override
    def repair(self, place: tuple[str, ...], value: float) -> None:
        self._parts_of_synthetic[place[-1]].set_value(value)

    def _show_synthetic(self, data: SyntheticData) -> None:
        for name, editor in self._parts_of_synthetic.items():
            editor.set_value(getattr(data, name))


class GridEdit(Editor):
    """Start, stop and step of the queries, side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self._boxes: dict[str, FloatEdit] = {}
        for name, low in (("start", -1e6), ("stop", -1e6), ("step", 1e-6)):
            box = FloatEdit(low, 1e6, None)
            title = translate(Grid.model_fields[name].title or name)
            box.setToolTip(title)
            box.set_name(title)
            box.setMinimumWidth(30)
            box.edited.connect(self.edited)
            self._boxes[name] = box
            layout.addWidget(box, 1)

    @override
    def value(self) -> Any:
        return {name: box.value() for name, box in self._boxes.items()}

    @override
    def set_value(self, value: Any) -> None:
        for name, box in self._boxes.items():
            box.set_value(getattr(value, name))

    @override
    def repair(self, place: tuple[str, ...], value: float) -> None:
        self._boxes[place[-1]].set_value(value)
