"""What leaves the window: pictures, numbers, specs; and specs that come in. Files are written outside its thread."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QDir, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.regression_trace import RegressionTrace
from attnviz.experiment.spec_file import read_spec, write_spec
from attnviz.export.arrays import write_npz
from attnviz.export.points import write_points
from attnviz.gui.background import Background
from attnviz.gui.controller import Controller
from attnviz.gui.screenshot import picture_of, save_picture

_SCALES = (1, 2, 3)


class Exporter(QObject):
    """Asks for a place, takes the picture or the trace as it is now, and writes it."""

    said = Signal(str, bool)
    """A sentence for the user, and whether it is about a failure."""

    def __init__(self, window: QWidget, controller: Controller) -> None:
        super().__init__(window)
        self._window, self._controller = window, controller
        self._folder = QDir.homePath()
        self._background = Background(self)
        self._background.done.connect(self._report)
        self._background.failed.connect(self._report_failure)

    @Slot()
    def ask_and_save_picture(self) -> None:
        """Ask where to, and at how many pixels per point."""
        filters = {self.tr("PNG, {0}x (*.png)").format(scale): scale for scale in _SCALES}
        path, chosen = self._ask_where("png", ";;".join(filters))
        if path:
            self.save_picture(path, filters.get(chosen, 1))

    @Slot()
    def ask_and_save_numbers(self) -> None:
        """Ask where the arrays of the trace go."""
        path, _ = self._ask_where("npz", self.tr("NumPy arrays (*.npz)"))
        if path:
            self.save_numbers(path)

    @Slot()
    def ask_and_save_points(self) -> None:
        """Ask where the training points go."""
        path, _ = self._ask_where("csv", self.tr("Two columns (*.csv)"))
        if path:
            self.save_points(path)

    @Slot()
    def ask_and_save_spec(self) -> None:
        """Ask where the spec goes."""
        path, _ = self._ask_where("json", self.tr("Spec (*.json)"))
        if path:
            self.save_spec(path)

    @Slot()
    def ask_and_open_spec(self) -> None:
        """Ask for a spec file and make its spec the current one."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Open spec"), self._folder, self.tr("Spec (*.json)")
        )
        if path:
            self.open_spec(Path(path))

    @Slot()
    def copy_picture(self) -> None:
        """Put the window's picture on the clipboard, at the sharpness of the screen or better."""
        scale = max(2, round(self._window.devicePixelRatioF()))
        QGuiApplication.clipboard().setImage(picture_of(self._window, scale, self._shown_spec()))
        self.said.emit(self.tr("The picture is on the clipboard."), False)

    def save_picture(self, path: Path, scale: int) -> None:
        """Write what is on screen as PNG."""
        image = picture_of(self._window, scale, self._shown_spec())
        self._write(path, partial(save_picture, image, path))

    def save_numbers(self, path: Path) -> None:
        """Write the arrays of the trace on screen as NPZ."""
        trace = self._controller.shown
        if trace is None:
            self.said.emit(self.tr("There are no numbers yet."), True)
            return
        self._write(path, partial(write_npz, trace, path))

    def save_points(self, path: Path) -> None:
        """Write the training points of the trace on screen as CSV."""
        trace = self._controller.shown
        if not isinstance(trace, RegressionTrace):
            self.said.emit(self.tr("There are no points yet."), True)
            return
        self._write(path, partial(write_points, trace.x_train, trace.y_train, path))

    def save_spec(self, path: Path) -> None:
        """Write the current spec as JSON."""
        self._write(path, partial(write_spec, self._controller.spec, path))

    def open_spec(self, path: Path) -> None:
        """Make the spec in a file the current one; a file that holds none changes nothing."""
        self._folder = str(path.parent)
        try:
            spec = read_spec(path)
        except SpecError as error:
            self.said.emit(str(error), True)
            return
        self._controller.propose(spec)

    def _shown_spec(self) -> Spec:
        shown = self._controller.shown
        return self._controller.spec if shown is None else shown.spec

    def _ask_where(self, ending: str, filters: str) -> tuple[Path | None, str]:
        proposed = str(Path(self._folder) / f"attnviz-{self._controller.spec.lab}.{ending}")
        name, chosen = QFileDialog.getSaveFileName(self._window, self.tr("Save"), proposed, filters)
        if not name:
            return None, ""
        path = Path(name)
        return (path if path.suffix else path.with_suffix(f".{ending}")), chosen

    def _write(self, path: Path, write: "partial[None]") -> None:
        self._folder = str(path.parent)

        def job() -> str:
            try:
                write()
            except OSError as error:
                # Named for the file that was asked for, not for the temporary one beside it.
                raise OSError(error.errno, error.strerror or str(error), str(path)) from error
            return str(path)

        self._background.start(job)

    @Slot(object)
    def _report(self, path: str) -> None:
        self.said.emit(self.tr("Saved {0}").format(path), False)

    @Slot(str)
    def _report_failure(self, why: str) -> None:
        self.said.emit(self.tr("Not saved: {0}").format(why), True)
