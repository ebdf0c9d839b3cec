"""Files dropped on the window: a session, spec or figure opens, data becomes the data of the lab."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.attention.inputs import FileInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.given.file import holds_weights
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.regression.data import FileData
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.export.document import OPENS
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.background import Background
from attnviz.gui.run.controller import Controller
from attnviz.gui.session.manager import SessionKeeper
from attnviz.gui.widgets.words import translate

_ARRAYS, _POINTS = (".npz", ".npy"), (".csv",)
_DRAGS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class FileDrops(QObject):
    """Takes files wherever they are dropped, also over a text field, which would write down their names."""

    said = Signal(str, bool)
    """A sentence for the user, and whether it is about a failure."""

    def __init__(self, window: QWidget, controller: Controller, keeper: SessionKeeper, rooms: Rooms) -> None:
        super().__init__(window)
        self._controller, self._keeper = controller, keeper
        self._looking = Background(self, pool="files")
        self._looking.done.connect(self._take_arrays)
        window.setAcceptDrops(True)
        self._watch(window)
        rooms.built.connect(self._take_in)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _DRAGS or not isinstance(event, QDragEnterEvent | QDropEvent):
            return False
        if not event.mimeData().hasUrls():
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self.take(event.mimeData())
        return True

    @Slot(object)
    def _take_in(self, room: BaseRoom) -> None:
        for part in (room.form, room.stage, room.inspector):
            self._watch(part)

    def _watch(self, part: QWidget) -> None:
        for widget in (part, *part.findChildren(QWidget)):
            if widget.acceptDrops():
                widget.installEventFilter(self)

    def take(self, dropped: QMimeData) -> None:
        """Take what was dropped, or say why not."""
        urls = dropped.urls()
        if len(urls) != 1:
            self.said.emit(self.tr("{0} files were dropped; one at a time is opened.").format(len(urls)), True)
        elif not urls[0].isLocalFile():
            self.said.emit(self.tr("{0} is no file on this machine.").format(urls[0].toString()[:200]), True)
        else:
            self._take_file(Path(urls[0].toLocalFile()))

    def _take_file(self, path: Path) -> None:
        spec, ending = self._controller.spec, path.suffix.lower()
        if ending in OPENS:
            self._keeper.open_path(path)
        elif ending in _POINTS and isinstance(spec, RegressionSpec):
            self._propose(path, {"data": FileData(path=str(path))})
        elif ending in _ARRAYS and isinstance(spec, AttentionSpec):
            self._looking.start(partial(_look_into, path), instead=True)
        elif ending in (*_POINTS, *_ARRAYS):
            sentence = (
                self.tr("{0} holds points, which the kernel-regression lab takes.")
                if ending in _POINTS
                else self.tr("{0} holds arrays, which the attention lab takes.")
            )
            self.said.emit(sentence.format(path.name), True)
        else:
            sentence = self.tr("{0} is nothing that opens here; what does ends in {1}.")
            endings = ", ".join((*OPENS, *_POINTS, *_ARRAYS))
            self.said.emit(sentence.format(path.name, endings), True)

    @Slot(object)
    def _take_arrays(self, found: tuple[Path, bool]) -> None:
        path, are_weights = found
        if isinstance(self._controller.spec, AttentionSpec):  # the user has gone to another lab meanwhile, perhaps
            inputs: dict[str, Any] = {"inputs": FileInputs(path=str(path))}
            self._propose(path, inputs | {"mechanism": "given"} if are_weights else inputs)

    def _propose(self, path: Path, values: dict[str, Any]) -> None:
        """Make a file the source of the current spec, one step of undo; what it holds, the run finds out."""
        try:
            spec = make_spec(dict(self._controller.spec) | values)
        except SpecError as error:
            self.said.emit(translate(str(error)), True)
        else:
            self._controller.propose(spec, said=self.tr("Open {0}").format(path.name))


def _look_into(path: Path) -> tuple[Path, bool]:
    return path, holds_weights(path)
