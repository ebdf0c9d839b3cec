"""The row above a picture in Present: the preset, its main field, and the buttons of a lecture."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSlider, QToolButton, QWidget
from typing_extensions import override

from attnviz.definitions.text import Text
from attnviz.experiment.files.specs_in_files import Preset
from attnviz.experiment.labs import Spec
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.theme import Look, icon, restyle
from attnviz.gui.widgets.labels import ElidingLabel
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import named_as_changed, translate

_SLIDER_WIDTH = 180
"""The least width of a field with a slider, at scale 1."""


class PresentHead(QWidget):
    """Names the preset, and shows a form of its main field only."""

    left = Signal()
    """A field with the focus is about to disappear."""
    knob_changed = Signal()
    """The field shown to the audience has changed."""
    said = Signal(str)
    """Why the text in the field is not a value, as a message."""
    _form: SpecForm | None = None
    _part: QWidget | None = None  # of the lab
    preset: Preset | None = None
    """The preset that the spec is, or was before changes; it is shown with the next spec of the form."""
    _look: Look | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.knob: SpecForm | None = None
        """The form of the preset's knob; None where there is no preset."""
        self.title, self.chapter = ElidingLabel(), ElidingLabel()
        self.title.setObjectName("panelHeading")
        self.chapter.setObjectName("caption")
        self._run, self.leave = QToolButton(), QToolButton(parent)
        self._run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._run.hide()
        self.leave.setObjectName("quiet")
        self.leave.setToolTip(self.tr("Leave Present (Esc)"))
        self.leave.setAccessibleName(self.tr("Leave Present"))
        self._row = row_of(self, self.title, self.chapter, None, self._run, gap=12)

    @override
    def minimumSizeHint(self) -> QSize:
        """Return the width of the parts that cannot be elided."""
        parts = [part for part in (self.knob, self._part, self._run) if part is not None and not part.isHidden()]
        wide = self.title.minimumWidth() + sum(
            max(part.minimumSizeHint().width(), part.minimumWidth()) + 12 for part in parts
        )
        return QSize(wide, super().minimumSizeHint().height())

    def take_actions(self, run: QAction, leave: QAction) -> None:
        """Take the action that runs a training, and the one that leaves Present."""
        self._run.setDefaultAction(run)
        self.leave.clicked.connect(leave.trigger)

    def take_part(self, part: QWidget) -> None:
        """Show a part of the lab before the button that runs a training; it hides itself where it has no use."""
        self._part = part
        self._row.insertWidget(self._row.indexOf(self._run), part, 0, Qt.AlignmentFlag.AlignVCenter)

    def _take_knob(self, knob: SpecForm | None) -> None:
        """Replace the form."""
        if self.knob is not None:
            focused = self.window().focusWidget()
            if focused is not None and self.knob.isAncestorOf(focused):
                self.left.emit()
            self._row.removeWidget(self.knob)
            self.knob.hide()
            self.knob.deleteLater()
        self.knob = knob
        if knob is not None:
            knob.refuses_changed.connect(self._say_refused)
            self._row.insertWidget(3, knob, 0, Qt.AlignmentFlag.AlignVCenter)

    def follow(self, form: SpecForm) -> None:
        """Show the spec of a form to an audience, and propose changes of its main field there."""
        self._form = form
        form.shown.connect(self.fit)

    @Slot()
    def fit(self) -> None:
        """Name the preset, and build the form of its field, once there is an audience."""
        form, preset, look = self._form, self.preset, self._look
        if look is None or not look.present or form is None or form.spec is None:
            return
        self.name(preset, form.spec)
        name = "" if preset is None else preset.knob
        if name != ("" if self.knob is None else self.knob.alone):
            self._take_knob(form.alone_with(name) if name else None)
            restyle(self, look)
            self.knob_changed.emit()
        if self.knob is not None:
            self.knob.set_spec(form.spec)

    @Slot()
    def _say_refused(self) -> None:
        if self.knob is not None and self.knob.refuses:
            self.said.emit(self.knob.problem(self.knob.alone))

    def name(self, preset: Preset | None, spec: Spec) -> None:
        """Show the title and chapter of a preset, and whether a spec still equals it.

        For a subject of the user's own, such as a folder, show its name.
        """
        self._run.setVisible(spec.trains)
        if spec.subject != (Text() if preset is None else preset.spec.subject):
            self.title.setText(translate(spec.subject))
            self.chapter.setText("")
            return
        title = "" if preset is None else f"{preset.number}  {translate(preset.title)}"
        self.title.setText(named_as_changed(title) if preset is not None and preset.spec != spec else title)
        self.chapter.setText("" if preset is None else translate(preset.chapter))

    @Slot(bool)
    def offer_knob(self, on: bool) -> None:
        """Show the field, or leave it to the form if that is open."""
        if self.knob is not None:
            self.knob.setVisible(on)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        size = look.px(14)
        self.leave.setIcon(icon("close", look.theme.muted, size))
        self.leave.setIconSize(QSize(size, size))
        self._run.setIconSize(QSize(size, size))
        if self.knob is not None and self.knob.findChild(QSlider) is not None:
            self.knob.setMinimumWidth(look.px(_SLIDER_WIDTH))
