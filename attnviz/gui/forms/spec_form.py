"""Forms built from the fields of a model: of a spec, where each change proposes a whole new one, and of a dialog."""

import contextlib
import html
from collections.abc import Collection
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviz.experiment.knob import fields_of
from attnviz.experiment.labs import Lab, Spec, SpecError, make_spec
from attnviz.experiment.problems import Problem
from attnviz.export.options import Said, mark_of
from attnviz.gui.forms.editor import LABEL_WIDTH, Editor
from attnviz.gui.forms.editor_for import editor_for
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import explain, place_in_manual
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import problem_text, translate


class SpecForm(QWidget):
    """Shows one spec. It proposes legal specs only; a problem is shown at its field and at the edited one.

    Illegal input stays in its editor.
    """

    proposed = Signal(object, str)
    """A legal spec, and the field that the user changed: "field", "field#stroke" or "field.place"."""
    shown = Signal(object)
    """The spec that is shown now."""
    refuses_changed = Signal()
    """`refuses` has changed."""

    def __init__(self, lab: Lab, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("formBody")
        self._lab = lab
        self._fixed: dict[str, Any] = {}  # fields without an editor here, such as the device
        self._proposed: Spec | None = None
        self._from_elsewhere = False
        self._refused = False
        self.spec: Spec | None = None
        """The spec that was shown last."""
        self._rows: dict[str, _Row] = {}
        self._fold: Fold | None = None
        self._headings: dict[str, QLabel] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 16)
        layout.setSpacing(2)
        groups: dict[str, QVBoxLayout] = {"": layout}
        for name, field in fields_of(lab.spec_type).items():
            group = group_of(field)
            if not group:
                continue
            if group not in groups:
                groups[group] = self._add_group(layout, group)
            row = _Row(name, field, editor_for(name, field))
            row.editor.edited.connect(self._edit)
            row.editor.refused.connect(self._refuse)
            row.message.linkActivated.connect(self._take_nearest)
            place_in_manual(row, f"{lab.name}#knobs-{group.lower()}")
            groups[group].addWidget(row)
            self._rows[name] = row
        layout.addStretch(1)

    def editor(self, field: str) -> Editor:
        """Return the editor of a field."""
        return self._rows[field].editor

    def problem(self, field: str) -> str:
        """Return the sentence shown at a field, "" if there is no problem."""
        row = self._rows[field]
        return "" if row.message.isHidden() else row.said

    @property
    def refuses(self) -> bool:
        """Whether a problem is shown at any field, so that the form's values are not run."""
        return any(not row.message.isHidden() for row in self._rows.values())

    def set_spec(self, spec: Spec) -> None:
        """Show a spec; proposes nothing. After the user's own change, inactive fields keep their text."""
        shown, old = frozenset(self._rows), self.spec
        if spec == self._proposed:
            shown = self._lab.spec_type.active_fields(dict(spec))
        if spec == self._proposed and self._from_elsewhere and old is not None:
            # Unfinished text in other fields stays.
            shown = frozenset(name for name in shown & self._rows.keys() if getattr(spec, name) != getattr(old, name))
        else:
            self._show_problems(())
        self.spec = spec
        self._fixed = {name: getattr(spec, name) for name in fields_of(spec) if name not in self._rows}
        self._follow(spec)
        for name in shown & self._rows.keys():
            self._rows[name].editor.set_value(getattr(spec, name))
            self._rows[name].show_problem(None)
        self._show_active()
        self._note_refusal()
        self.shown.emit(spec)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale: the columns of labels and of number boxes grow with it."""
        for row in self._rows.values():
            row.restyle(look)
        if self._fold is not None:
            self._fold.restyle(look)

    def enter(self, field: str, value: Any, *, stroke: int) -> None:
        """Set a value as if it had been typed in its field; changes with the same stroke number are one undo step."""
        self._rows[field].editor.set_value(value)
        self._propose(field, f"{field}#{stroke}")

    def propose(self, spec: Spec, step: str) -> None:
        """Propose a legal spec made elsewhere, such as on the stage; only its changed values are shown here."""
        self._proposed, self._from_elsewhere = spec, True
        self.proposed.emit(spec, step)
        self._from_elsewhere = False

    def values(self) -> dict[str, Any]:
        """Return the values of the editors of all active fields, legal or not."""
        values = {name: row.editor.value() for name, row in self._rows.items()}
        active = self._lab.spec_type.active_fields(values)
        return self._fixed | {name: value for name, value in values.items() if name in active}

    @Slot()
    def _edit(self) -> None:
        changed = next((name for name, row in self._rows.items() if row.editor is self.sender()), "")
        place = self._rows[changed].editor.place if changed else ""
        self._propose(changed, f"{changed}.{place}" if place else changed)

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        for name, row in self._rows.items():
            if row.editor is self.sender():
                row.show_problem(Problem(name, "refused", sentence, {}))
                self._reveal(row)
        self._note_refusal()

    def _propose(self, changed: str, step: str) -> None:
        """Propose a spec of the editors' values, or show what is wrong with them."""
        self._show_active()
        try:
            spec = self._spec_of_editors(changed)
        except SpecError as error:
            self._show_problems(error.problems, changed)
            return
        self._show_problems(())
        self._proposed = spec
        self.proposed.emit(spec, step)

    def _spec_of_editors(self, changed: str) -> Spec:
        """Return the spec of the editors' values.

        If the other fields are legal by themselves, values that must fit them are adapted, except in the field that
        the user ``changed``.
        """
        with contextlib.suppress(SpecError):
            return make_spec(self.values())
        fitting = {name: row.editor.fits_any[0] for name, row in self._rows.items() if row.editor.fits_any}
        if fitting and changed not in fitting:
            with contextlib.suppress(SpecError):
                self._follow(make_spec(self.values() | fitting))
        return make_spec(self.values())

    def _follow(self, spec: Spec) -> None:
        for row in self._rows.values():
            row.editor.follow(spec)

    def _show_active(self) -> None:
        values = {name: row.editor.value() for name, row in self._rows.items()}
        active = self._lab.spec_type.active_fields(values)
        for name, row in self._rows.items():
            row.setVisible(name in active)
        notes = self._lab.spec_type.notes(values)
        for name, row in self._rows.items():
            row.show_note(translate(notes[name]) if name in notes else "")
        groups = {group_of(fields_of(self._lab.spec_type)[name]) for name in active}
        for group, heading in self._headings.items():
            heading.setVisible(group in groups)
        if self._fold is not None:
            self._fold.setVisible("More" in groups)

    def _show_problems(self, problems: tuple[Problem, ...], changed: str = "") -> None:
        """Show each problem at its field, and a new one also at the ``changed`` field, where the user looks.

        One field may limit another: the context length limits the number of queries, for example.
        """
        known = {row.said for row in self._rows.values() if not row.message.isHidden()}
        by_field = {problem.field.split(".")[0]: problem for problem in reversed(problems)}
        for name, row in self._rows.items():
            row.show_problem(by_field.pop(name, None))
        if by_field:
            # A field without an editor here: show its problem at the top of the form.
            next(iter(self._rows.values())).show_problem(next(iter(by_field.values())))
        wrong = [row for row in self._rows.values() if not row.message.isHidden()]
        if wrong:
            edited = self._rows.get(changed, wrong[0])
            new = next((problem for problem in problems if problem_text(problem) not in known), None)
            if edited not in wrong and new is not None:
                owner = self._rows.get(new.field.split(".")[0])
                edited.show_problem(new, "" if owner is None else owner.title)
            for row in wrong:
                self._unfold(row)
            self._reveal(edited)
        self._note_refusal()

    def _unfold(self, row: "_Row") -> None:
        if self._fold is not None and self._fold.part.isAncestorOf(row):
            self._fold.expand()

    def _reveal(self, row: "_Row") -> None:
        """Scroll a row into view, after the layout has made room for its message."""
        self._unfold(row)
        QTimer.singleShot(0, row, row.scroll_into_view)

    def _note_refusal(self) -> None:
        if self.refuses != self._refused:
            self._refused = not self._refused
            self.refuses_changed.emit()

    @Slot(str)
    def _take_nearest(self, link: str) -> None:
        place, _, value = link.partition("=")
        field, *within = place.split(".")
        editor = self._rows[field].editor
        editor.repair(tuple(within), float(value))
        editor.edited.emit()

    def _add_group(self, layout: QVBoxLayout, group: str) -> QVBoxLayout:
        title = translate(group).upper()
        if group != "More":
            label = explain(QLabel(title))
            label.setObjectName("group")
            label.setIndent(0)
            self._headings[group] = label
            layout.addWidget(label)
            inner = QVBoxLayout()
            inner.setSpacing(4)
            layout.addLayout(inner)
            return inner
        content = QWidget()
        inner = column_of(content, gap=4)
        self._fold = Fold(title, content)
        layout.addWidget(self._fold)
        return inner


class _Row(QWidget):
    """A label and an editor; below them a note, and the problem's sentence."""

    def __init__(self, name: str, field: FieldInfo, editor: Editor) -> None:
        super().__init__()
        self._name = name
        self.editor = editor
        self.title, help_text = translate(field.title or name), translate(field.description or "")
        self._label = QLabel(self.title)
        explain(self._label, before=help_text)
        self._label.setBuddy(editor)
        self._label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._label.setContentsMargins(0, 5, 0, 0)
        editor.setToolTip(help_text)
        editor.set_name(self.title)
        self.message = QLabel()
        self.message.setObjectName("problem")
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.RichText)
        self.message.hide()
        self.said = ""
        self.note = caption(wraps=True)
        self.note.hide()
        line = row_of(None, self._label)
        if editor.has_own_labels:
            self._label.hide()
        line.addWidget(editor, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 2)
        layout.setSpacing(4)
        layout.addLayout(line)
        if editor.below is not None:
            layout.addWidget(editor.below)
        layout.addWidget(self.note)
        layout.addWidget(self.message)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._label.setFixedWidth(look.px(LABEL_WIDTH))
        self.editor.restyle(look)

    @Slot()
    def scroll_into_view(self) -> None:
        """Scroll the panel around the form, if there is one, as far as needed to see the row."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            area.ensureWidgetVisible(self, 0, 4)

    def show_note(self, text: str) -> None:
        """Show a note about a legal value; "" hides it."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def show_problem(self, problem: Problem | None, of: str = "") -> None:
        """Show a problem, with the nearest legal values as links; None hides it.

        ``of`` is the title of the field that these values are for, if it is not this one.
        """
        if problem is None and self.message.isHidden():
            return
        self.message.setVisible(problem is not None)
        self.editor.mark_problem(problem is not None)
        if problem is None:
            return
        self.said = text = problem_text(problem)
        links = " ".join(f'<a href="{problem.field}={value!r}">{value:g}</a>' for value in problem.nearest)
        # Escaped: quoted input may look like markup, which a label would interpret.
        shown = html.escape(text.partition("; nearest:")[0] if links else text, quote=False)
        nearest = self.tr("nearest {0}").format(of) if of else self.tr("nearest")
        self.message.setText(f"{shown}; {nearest}: {links}" if links else shown)
        self.message.setToolTip(html.escape(text, quote=False))


def group_of(field: FieldInfo) -> str:
    """Return the heading of a field's group, "" if the field is not in the form."""
    extra = field.json_schema_extra
    return str(extra.get("group", "")) if isinstance(extra, dict) else ""


class SettingsForm(QWidget):
    """Rows of a title and an editor. `changed` is emitted on every key press, so that a preview can follow."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editors: dict[str, Editor] = {}
        self._rows: dict[str, QWidget] = {}
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setVerticalSpacing(8)

    def add_fields(self, model: type[BaseModel], *names: str) -> None:
        """Add rows for fields of a model, with their defaults."""
        for name in names:
            field = model.model_fields[name]
            unit, title = (mark_of(field, Said) or Said()).unit, translate(field.title or name)
            editor = self.editors[name] = editor_for(name, field)
            editor.set_value(field.get_default())
            editor.setToolTip(translate(field.description or ""))
            editor.set_name(title)
            editor.edited.connect(self.changed)
            for box in editor.findChildren(QAbstractSpinBox):
                box.setKeyboardTracking(True)
            for line in editor.findChildren(QLineEdit):
                line.textEdited.connect(self.changed)
            self.add_row(name, f"{title} ({translate(unit)})" if unit and unit not in title.lower() else title, editor)

    def add_row(self, name: str, title: str, editor: QWidget) -> None:
        """Add a row with any widget."""
        self._rows[name] = editor
        self._form.addRow(title, editor)

    def rename(self, name: str, title: str) -> None:
        """Give a row another title."""
        label: Any = self._form.labelForField(self._rows[name])
        label.setText(title)
        self.editors[name].setAccessibleName(title)

    def show_rows(self, names: Collection[str]) -> None:
        """Show only these rows."""
        for name, editor in self._rows.items():
            self._form.setRowVisible(editor, name in names)

    def values(self) -> dict[str, Any]:
        """Return the values of the visible editors, legal or not."""
        return {name: editor.value() for name, editor in self.editors.items() if not editor.isHidden()}

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        for editor in self.editors.values():
            editor.restyle(look)
