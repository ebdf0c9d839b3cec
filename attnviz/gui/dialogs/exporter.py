"""Exports from the window: pictures, figures, numbers, specs. Files are created and written outside its thread."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviz.definitions.formats import FORMATS, Format, Output, format_for, formats_for
from attnviz.definitions.text import English, Refused
from attnviz.experiment.files.plain_files import naming_path, write_atomically
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import proposed_name, write_spec
from attnviz.experiment.labs import Spec, Trace
from attnviz.export.embedded_session import Pixels, screen_png
from attnviz.gui.dialogs.screenshot import PNG_TYPE, offer_picture, picture_of, pixels_of, without_notices
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.background import Background
from attnviz.gui.run.controller import Controller
from attnviz.gui.session.questions import FileQuestions, whole_name
from attnviz.gui.session.settings import LastFolder
from attnviz.gui.widgets.words import file_filter, translate


class Exporter(QObject):
    """Asks for a path, captures the current picture or trace, and writes it."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""

    def __init__(self, window: QWidget, controller: Controller, rooms: Rooms) -> None:
        super().__init__(window)
        self._window, self._controller = window, controller
        self.rooms = rooms
        self.folder = LastFolder()
        self._questions = FileQuestions(window)
        self._background = Background(self, pool="exports")
        self._background.done.connect(self._report)
        self._background.failed.connect(self._report_failure)
        self._background.lasts.connect(self._say_saving)
        self._writing = ""
        self._copying = Background(self, pool="exports")
        self._copying.done.connect(self._put_picture_on_clipboard)
        self._copying.failed.connect(self.report_not_copied)

    @property
    def shown(self) -> Trace | None:
        """The trace on screen; None if the first run of the lab on screen has shown nothing yet, or has failed."""
        shown, lab = self._controller.shown, self._controller.spec.lab
        return shown if shown is None or shown.spec.lab == lab else self.rooms[lab].stage.trace

    def session(self) -> Session:
        """Return the session embedded in a picture of the screen: its current state, without the notes."""
        spec = self._shown_spec()
        room = self.rooms[spec.lab]
        pins = () if room.pinned_now is None else (room.pinned_now,)
        return Session(spec=spec, view=room.view).with_pins(pins)

    @Slot()
    def copy_picture(self) -> None:
        """Copy the window's picture to the clipboard, at the resolution of the screen or better."""
        pixels, png = self.picture(max(2, round(self._window.devicePixelRatioF())))
        self._copying.start(lambda: (pixels, png()))

    def picture(self, scale: int) -> tuple[Pixels, Callable[[], bytes]]:
        """Capture the window's picture, and return it with a function that encodes it as PNG, in any thread."""
        with without_notices(self._window):
            pixels = pixels_of(picture_of(self._window, scale))
        return pixels, partial(screen_png, pixels, scale, self.session())

    @Slot(object)
    def _put_picture_on_clipboard(self, copied: tuple[Pixels, bytes]) -> None:
        self.put_on_clipboard(*copied)

    def put_on_clipboard(self, pixels: Pixels, png: bytes, kind: str = PNG_TYPE, content: bytes = b"") -> None:
        """Copy a picture to the clipboard, and report it."""
        offer_picture(pixels, png, kind, content)
        self.said.emit(self.tr("The picture is on the clipboard."), False)

    @Slot()
    def save_numbers(self, path: Path | None = None) -> None:
        """Write the numbers of the trace on screen in the format of the path's suffix; without a path ask for one.

        Those of the page's study are among its arrays, and its table is written in place of the cells.
        """
        trace = self.shown
        view = None if trace is None else self.rooms[trace.spec.lab].view
        table = None if view is None or not view.pages else view.pages[view.page].table
        path = path or self.ask_where("numbers", formats_for("numbers"), table=table.title if table else "")
        if path is None:
            return
        if trace is None or view is None:
            self.said.emit(self.tr("There are no numbers yet."), True)
            return
        form = self.format_for(path, "numbers")
        if form is None:
            return
        from attnviz.export.figures.settings import FigureSettings, looked_at
        from attnviz.export.numbers import size_of_table

        settings = FigureSettings(item=view.batch_item, **looked_at(view, trace.spec)) if table else None
        study = self.rooms[trace.spec.lab].stage.page.study_on_screen
        if study is not None and study.spec.of == trace.spec and (arrays := study.arrays()):
            trace = replace(cast("Any", trace), further=arrays)
        size = size_of_table(trace, path, settings=settings).translated(translate)
        self.write(
            path,
            partial(form.writer("numbers"), trace, path, settings=settings),
            f"{path.name} ({size})" if size else "",
        )

    def format_for(self, path: Path, *outputs: Output) -> Format | None:
        """Return the format of a path that can hold one of these outputs; report it and return None if none can."""
        try:
            return format_for(path, *outputs)
        except Refused as error:
            self.said.emit(translate(error.text), True)
            return None

    @Slot()
    def save_points(self, path: Path | None = None) -> None:
        """Write the training points of the trace on screen as CSV; without a path ask for one."""
        from attnviz.export.labs import EXPORTS

        path, trace = path or self.ask_where("points", formats_for("points")), self.shown
        if path is None:
            return
        points_of = None if trace is None else EXPORTS[trace.spec.lab].points_of
        if trace is None or points_of is None:
            self.said.emit(self.tr("There are no points yet."), True)
            return
        self.write(path, partial(FORMATS["csv"].writer("points"), *points_of(trace), path))

    @Slot()
    def save_spec(self, path: Path | None = None) -> None:
        """Write the current spec as JSON; without a path ask for one."""
        path = path or self.ask_where("session", (FORMATS["json"],))
        if path is not None:
            self.write(path, partial(write_spec, self._controller.spec, path))

    def ask_where(self, output: Output, formats: Sequence[Format], name: str = "", table: English = "") -> Path | None:
        """Ask for a path in the last folder; the name is proposed from the spec, the suffix follows the filter.

        ``table`` is the title of tables, if it is not that of CSV.
        """
        suffixes: dict[str, str] = {}
        for form in formats:
            title: English = table if table and form is FORMATS["csv"] else form.title_of(output)
            suffixes[file_filter(translate(title), [form.suffix])] = form.suffix
        first = formats[0].suffix
        proposed = str(self.folder.path / f"{name or proposed_name(self._shown_spec())}{first}")
        answer, chosen = QFileDialog.getSaveFileName(self._window, self.tr("Save"), proposed, ";;".join(suffixes))
        if not answer:
            return None
        return whole_name(Path(answer), suffixes.get(chosen, first), self.may_replace, suffixes.values())

    def may_replace(self, path: Path) -> bool:
        """Ask whether an existing file may be replaced; a test answers instead of the user."""
        return self._questions.may_replace(path)

    def write_bytes(self, path: Path, make: Callable[[], bytes]) -> None:
        """Create a file's content and write it, outside the window's thread."""

        def job() -> None:
            content = make()
            write_atomically(path, lambda file: file.write(content))

        self.write(path, job)

    def write(self, path: Path, write: Callable[[], None], called: str = "") -> None:
        """Write a file outside the window's thread, and report the outcome; meanwhile the file is ``called`` this."""
        self.folder.take(path)
        self._writing = called or path.name

        def job() -> str:
            with naming_path(path):
                write()
            return str(path)

        self._background.start(job)

    def _shown_spec(self) -> Spec:
        shown = self.shown
        return self._controller.spec if shown is None else shown.spec

    @Slot(object)
    def _report(self, path: str) -> None:
        self.said.emit(self.tr("Saved {0}").format(path), False)

    @Slot()
    def _say_saving(self) -> None:
        self.said.emit(self.tr("Saving {0} ...").format(self._writing), False)

    @Slot(str)
    def report_not_copied(self, why: str) -> None:
        """Report why the clipboard is unchanged."""
        self.said.emit(self.tr("Not copied: {0}").format(why), True)

    @Slot(str)
    def _report_failure(self, why: str) -> None:
        self.said.emit(self.tr("Not saved: {0}").format(why), True)
