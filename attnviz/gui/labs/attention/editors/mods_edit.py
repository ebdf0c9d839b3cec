"""The editor of the user's own functions: a Python file, and what of it makes the mask and changes the scores."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QSizePolicy, QWidget
from typing_extensions import override

from attnviz.definitions.formats import suffixes_with
from attnviz.experiment.attention.mods import Mods, names_in
from attnviz.experiment.attention.opened import NEEDED, ROLES, call_of, offered_as, values_of_functions
from attnviz.experiment.attention.own_mask import Kind, Listed
from attnviz.experiment.files import consent
from attnviz.gui.forms.editor import Editor, PassedByWheel
from attnviz.gui.forms.knob_line import KnobLine
from attnviz.gui.forms.text_editors import PathEdit
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import file_filter, translate


class _TypedComboBox(PassedByWheel, QComboBox):
    pass


class FunctionEdit(Editor):
    """A function of the file for one role: chosen from a list with completion, or typed, as the call of a factory is.

    An empty line is none.
    """

    def __init__(self, role: Kind) -> None:
        super().__init__()
        self.role = role
        self.place = role
        self._taken = ""
        self._listed: tuple[Listed, ...] = ()
        self.box = _TypedComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(8)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.line = QLineEdit()
        self.box.setLineEdit(self.line)
        self.line.setPlaceholderText(translate("none"))
        self.line.editingFinished.connect(self._finish)
        completer = self.box.completer()
        assert completer is not None
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.box.activated.connect(self._choose)
        row_of(self, self.box)
        self.setFocusProxy(self.box)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale. Qt draws the button that clears the line in its own small size."""
        self.line.setClearButtonEnabled(not look.present)

    @override
    def value(self) -> str | None:
        return self.box.currentText().strip() or None

    @override
    def set_value(self, value: Any) -> None:
        self._taken = value or ""
        if self.box.currentText() != self._taken:
            with QSignalBlocker(self.box):
                self.box.setCurrentIndex(self.box.findText(self._taken))
                self.box.setEditText(self._taken)
            self.line.setCursorPosition(0)

    def offer(self, listed: tuple[Listed, ...]) -> None:
        """Offer the functions of a file that may have this role."""
        offered = offered_as(self.role, listed)
        if offered == self._listed:
            return
        self._listed, text = offered, self.box.currentText()
        with QSignalBlocker(self.box):
            self.box.clear()
            for each in offered:
                self.box.addItem(call_of(each))
                told = f"{each.name}{each.signature}\n{each.doc}".strip()
                self.box.setItemData(self.box.count() - 1, told, Qt.ItemDataRole.ToolTipRole)
            self.box.setCurrentIndex(self.box.findText(text))
            self.box.setEditText(text)

    @Slot(int)
    def _choose(self, at: int) -> None:
        """Take a function; a factory that needs arguments waits for them, the cursor between its parentheses."""
        text = self.box.itemText(at)
        if NEEDED not in text:
            self._finish()
            return
        self.line.setText(text.replace(NEEDED, ""))
        self.line.setCursorPosition(self.line.text().index("(") + 1)
        self.line.setFocus()

    @Slot()
    def _finish(self) -> None:
        text = self.box.currentText().strip()
        if text != self._taken:
            self._taken = text
            self.edited.emit()


class ModsEdit(Editor):
    """The file, and below it the functions. Choosing a file is consent to run its text, which is read at once."""

    allow_asked = Signal()
    """The user wants to read the text of functions that may not be run yet."""
    page_asked = Signal()
    """The user wants to see the functions in the editor page."""

    def __init__(self) -> None:
        super().__init__()
        self._mods: Mods | None = None
        self._run: tuple[str | None, tuple[Listed, ...]] = None, ()  # a source, and what its run has listed
        ending = file_filter(self.tr("Python files"), suffixes_with("functions"))
        self.path = PathEdit(self.tr("Open a Python file"), ending, self.tr("Python file"))
        self.path.edited.connect(self._read)
        row_of(self, self.path)
        self.functions = {role: FunctionEdit(role) for role in ROLES}
        lines = [KnobLine(title_of_role(role), _help_of(role), edit) for role, edit in self.functions.items()]
        for role, edit in self.functions.items():
            edit.set_name(title_of_role(role))
            edit.edited.connect(self.take_part)
        self.remove = tiny_button(self.tr("Remove"), self._remove, self.tr("Run without own functions"))
        self.edit = tiny_button(self.tr("Edit"), self.page_asked, self.tr("Show the functions in the editor"))
        self.allow = tiny_button(self.tr("Read and allow ..."), self.allow_asked, self.tr("This code may not run yet"))
        self.below = QWidget()
        column_of(self.below, *lines, row_of(None, self.edit, self.remove, self.allow, None, gap=4), gap=4)
        self.setFocusProxy(self.path)
        self._reading = Background(self, pool="files")
        self._reading.done.connect(self._take)
        self._show()

    @override
    def value(self) -> dict[str, Any] | None:
        if self._mods is None:
            return None
        return {**dict(self._mods), **{role: edit.value() for role, edit in self.functions.items()}}

    @override
    def set_value(self, value: Any) -> None:
        # The fields of a change that was refused are shown as they are.
        self._mods = Mods.model_construct(**value) if isinstance(value, Mapping) else value
        self._show()

    def take_listed(self, source: str | None, listed: tuple[Listed, ...]) -> None:
        """Offer what a run has found in a source, too: names that its text alone does not tell."""
        self._run = source, listed
        self._offer()

    def show_allowed(self) -> None:
        """Show whether the text may be run, or needs to be allowed first."""
        mods = self._mods
        self.allow.setVisible(mods is not None and mods.source is not None and not consent.is_allowed(mods.digest))

    def choose(self) -> None:
        """Ask for a file."""
        self.path.choose()

    @override
    def repair(self, place: tuple[str, ...], value: Any) -> None:
        self.set_value(value)

    def _show(self) -> None:
        mods = self._mods
        self.path.set_value("" if mods is None else mods.path)
        self.path.setToolTip("" if mods is None else mods.path)
        for role, edit in self.functions.items():
            edit.set_value(None if mods is None else getattr(mods, role))
        assert self.below is not None
        self.below.setVisible(mods is not None)
        self.show_allowed()
        self._offer()

    def _offer(self) -> None:
        source = None if self._mods is None else self._mods.source
        if source is None:
            return
        known = {each.name: each for each in names_in(source)}
        if self._run[0] == source:
            known |= {each.name: each for each in self._run[1]}
        if known:  # else the text cannot be parsed at the moment
            for edit in self.functions.values():
                edit.offer(tuple(known.values()))

    @Slot()
    def _read(self) -> None:
        path = self.path.value().strip()
        if path:
            self._reading.start(partial(values_of_functions, Path(path).expanduser().absolute()), instead=True)
        else:
            self._remove()

    @Slot(object)
    def _take(self, fields: dict[str, Any]) -> None:
        mods: Mods = fields["mods"]
        if mods.path == str(Path(self.path.value().strip()).expanduser().absolute()):
            self._change(mods)

    @Slot()
    def _remove(self) -> None:
        self._change(None)

    def _change(self, mods: Mods | None) -> None:
        self.place = ""
        self._mods = mods
        self._show()
        self.edited.emit()


def title_of_role(role: Kind) -> str:
    """Return the title of a role of functions."""
    return translate("Mask function") if role == "mask_mod" else translate("Score function")


def _help_of(role: Kind) -> str:
    if role == "mask_mod":
        return translate("A function (b, h, q_idx, kv_idx) that returns whether a query may attend to a key.")
    return translate("A function (score, b, h, q_idx, kv_idx) that returns the changed score, before the mask.")
