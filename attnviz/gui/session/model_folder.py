"""Saves the trained model of the training lab as a model folder, which the lab of such folders can then open."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from attnviz.definitions.text import Refused
from attnviz.experiment.files.specs_in_files import proposed_name
from attnviz.experiment.labs import Spec, SpecError, Trained, lab_of_folder, make_spec
from attnviz.gui.run.background import Background
from attnviz.gui.run.controller import Controller
from attnviz.gui.session.questions import FileQuestions
from attnviz.gui.session.settings import LastFolder
from attnviz.gui.widgets.words import error_text, translate

if TYPE_CHECKING:
    from attnviz.export.labs import FolderExport


class _Written(NamedTuple):
    folder: Path
    spec: Spec
    step: int


class FolderQuestions(FileQuestions):
    """Asks where to put a model folder, and whether to open it; a test answers instead of the user."""

    def where(self, proposed: Path) -> Path | None:
        """Ask for the name of a new folder; None if the user cancels."""
        title, options = self.tr("Save as a model folder"), QFileDialog.Option.DontConfirmOverwrite
        name, _ = QFileDialog.getSaveFileName(self._window, title, str(proposed), "", options=options)
        return Path(name) if name else None

    def may_open(self, folder: Path, step: int) -> bool:
        """Ask whether to open a folder that was written; Enter opens it, Esc does not."""
        button = QMessageBox.StandardButton
        text = self.tr("Saved {0}, the model after step {1}").format(folder.name, step)
        more = self.tr("It can be studied like any pretrained model. Undo returns to the training.")
        buttons = {button.Yes: self.tr("Open in the model lab"), button.Cancel: self.tr("Not now")}
        return self.ask(self.tr("Save as a model folder"), text, more, buttons, button.Yes) == button.Yes


class ModelFolderSaver(QObject):
    """Asks for a folder, requests the trained state, and writes it outside the window's thread."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""

    def __init__(self, window: QWidget, controller: Controller, last: LastFolder) -> None:
        super().__init__(window)
        self._controller, self._last = controller, last
        self.questions = FolderQuestions(window)
        self._folder: Path | None = None  # where the requested state will be written
        self._writing = Background(self, pool="files")
        self._writing.done.connect(self._take_written)
        self._writing.failed.connect(self._fail)
        controller.trained_taken.connect(self._take_trained)

    @Slot()
    def save(self) -> None:
        """Ask for a new folder, and write the model after the step on screen; a message if no family computes it."""
        spec = self._controller.spec
        export = _export_of(spec)
        if export is None:
            return
        try:
            export.check(spec, None)
            folder = self.questions.where(self._last.path / proposed_name(spec))
            if folder is not None:
                export.check(spec, folder)
                self._folder = folder
                self._controller.want_trained()
        except Refused as error:
            self._fail(translate(error.text))

    @Slot(object, str)
    def _take_trained(self, trained: Trained | None, why: str) -> None:
        folder, self._folder = self._folder, None
        spec, shown = self._controller.spec, self._controller.shown
        if folder is None:
            return
        if trained is None or shown is None or not trained.fits(spec):
            self._fail(why or self.tr("no step has been trained yet"))
            return
        self._writing.start(partial(_write, trained, folder, spec, shown.step))

    @Slot(object)
    def _take_written(self, written: _Written) -> None:
        self._last.take(written.folder)
        self.said.emit(self.tr("Saved {0}").format(written.folder), False)
        found = lab_of_folder(written.folder)
        export = _export_of(written.spec)
        if found is None or export is None or not self.questions.may_open(written.folder, written.step):
            return
        lab, folder = found
        values = {name: getattr(written.spec, name) for name in ("device", "dtype")}
        try:
            opened = make_spec({"lab": lab.name, "folder": str(folder), "text": export.text(written.spec), **values})
        except SpecError as error:
            self.said.emit(error_text(error), True)
        else:
            self._controller.propose(opened, said=self.tr("Open {0}").format(folder.name))

    @Slot(str)
    def _fail(self, why: str) -> None:
        self.said.emit(self.tr("Not saved: {0}").format(why), True)


def _export_of(spec: Spec) -> "FolderExport | None":
    from attnviz.export.labs import EXPORTS  # it imports every lab

    return EXPORTS[spec.lab].folder


def _write(trained: Trained, folder: Path, spec: Spec, step: int) -> _Written:
    export = _export_of(spec)
    assert export is not None
    return _Written(folder.absolute(), spec, export.write(trained, folder, step))
