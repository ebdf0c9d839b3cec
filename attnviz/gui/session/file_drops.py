"""Files dropped on the window: a session, spec, figure or lesson is opened; data, or a folder, is passed to a lab."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.text import Text
from attnviz.experiment.files.plain_files import is_folder, is_there
from attnviz.experiment.labs import (
    LABS,
    Lab,
    SpecError,
    endings_opened,
    is_no_model,
    lab_of_data,
    lab_of_folder,
    lab_of_picture,
    make_spec,
)
from attnviz.experiment.lessons.reading import SUFFIX as LESSON
from attnviz.export.document import holds_session, is_picture_alone
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.background import Background
from attnviz.gui.run.controller import Controller
from attnviz.gui.session.manager import SessionManager
from attnviz.gui.widgets.words import error_text, translate

_DRAGS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class FileDrops(QObject):
    """Accepts files dropped anywhere on the window, also on text fields, which would insert their names."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""

    def __init__(self, window: QWidget, controller: Controller, keeper: SessionManager, rooms: Rooms) -> None:
        super().__init__(window)
        self._controller, self._keeper, self._rooms = controller, keeper, rooms
        self._looking = Background(self, pool="files")
        self._looking.done.connect(self._take_data)
        window.setAcceptDrops(True)
        self._watch(window)
        rooms.built.connect(self._take_in)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _DRAGS or not isinstance(event, QDragEnterEvent | QDropEvent):
            return False
        if not event.mimeData().urls():
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self.take(event.mimeData())
        return True

    @Slot(object)
    def _take_in(self, room: AnyRoom) -> None:
        for part in (room.form, room.stage, room.inspector):
            self._watch(part)

    def _watch(self, part: QWidget) -> None:
        for widget in (part, *part.findChildren(QWidget)):
            if widget.acceptDrops():
                widget.installEventFilter(self)

    def take(self, dropped: QMimeData) -> None:
        """Open the file that was dropped, or report why not."""
        urls = dropped.urls()
        if len(urls) != 1:
            self.said.emit(self.tr("{0} files were dropped; drop one at a time.").format(len(urls)), True)
        elif not urls[0].isLocalFile():
            self.said.emit(self.tr("{0} is not a file on this machine.").format(urls[0].toString()[:200]), True)
        else:
            self._take_file(Path(urls[0].toLocalFile()))

    def _take_file(self, path: Path) -> None:
        if path.suffix.lower() == LESSON:
            self._keeper.open_path(path)
        else:
            self._looking.start(partial(_look, path, self._controller.spec.lab), instead=True)

    @Slot(object)
    def _take_data(self, found: "Text | Path | _Data") -> None:
        """Make a file the data of the current spec, as one undo step; the run reports errors in it.

        A folder is set in the last spec of the lab that accepts one, which is then entered.
        """
        if isinstance(found, Text):
            self.said.emit(translate(found), True)
            return
        if isinstance(found, Path):
            self._keeper.open_path(found)
            return
        path, lab, values = found.path, found.lab, found.values
        if self._controller.spec.lab != lab.name and not found.enters:
            return  # the user has changed labs meanwhile
        before = self._controller.last_of_lab.get(lab.name, make_spec({"lab": lab.name, **found.alone}))
        try:
            spec = self._rooms[lab.name].adapted(make_spec(dict(before) | values), next(iter(values)))
        except SpecError as error:
            self.said.emit(error_text(error), True)
        else:
            self._controller.propose(spec, said=self.tr("Open {0}").format(path.name))
            if found.page:
                self._rooms[lab.name].current_view.insist(page=found.page)
            if found.alone:
                self._keeper.remember(path)


class _Data(NamedTuple):
    path: Path
    lab: Lab
    values: dict[str, Any]
    """Fields of a spec of the lab."""
    enters: bool = True
    """Whether another lab is left for this one."""
    alone: Mapping[str, Any] = MappingProxyType({})
    """Further fields of the first spec of the lab; with some, the file can be opened as well."""
    page: str = ""
    """The page to show."""


def _look(path: Path, now: str) -> Text | Path | _Data:
    """Return the lab that accepts a file or folder, and the fields to set; a file to open; or a message why none does.

    The current lab ``now`` accepts any folder, since its run reports errors in it. A file of weights, or the one that a
    lab's folder has, stands for its folder.
    """
    of_folder = lab_of_folder(path)
    if of_folder is not None:
        lab, folder = of_folder
        return _Data(folder, lab, {"folder": str(folder)})
    if is_folder(path):
        takes_any = LABS[now].folder_file
        return _Data(path, LABS[now], {"folder": str(path)}) if takes_any else is_no_model(path)
    if not is_there(path):
        return Text("{path} does not exist, or cannot be read.", {"path": str(path)})
    of_data = lab_of_data(path)
    if of_data is not None and not holds_session(path):
        lab, data = of_data
        if lab.name != now and not data.alone:
            return Text(data.holds, {"name": path.name})
        return _Data(path, lab, data.values(path), bool(data.alone), data.alone, data.page)
    of_picture = lab_of_picture(path)
    if of_picture is not None and is_picture_alone(path):
        return _Data(path, *of_picture)
    if path.suffix.lower() in endings_opened():
        return path
    words = {"path": str(path), "endings": ", ".join((*endings_opened(), LESSON))}
    return Text("{path} cannot be opened. Supported: {endings}, and model folders.", words)
