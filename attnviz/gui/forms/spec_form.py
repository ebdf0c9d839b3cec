"""Forms built from the fields of a model: of a spec, where each change proposes a whole new one, and of a dialog."""

import contextlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QAbstractSpinBox, QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.definitions.legal import Legal, neighbours
from attnviz.definitions.text import English, untranslated
from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.fields.problems import Problem, Repair
from attnviz.experiment.labs import Lab, Spec, SpecError, make_spec
from attnviz.export.options import Said, mark_of
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.editor_for import EditorMaker, editor_for
from attnviz.gui.forms.row import Row
from attnviz.gui.forms.text_editors import SentenceEdit
from attnviz.gui.widgets.explained import explain, place_in_manual
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.letters import VIEW, give_letters
from attnviz.gui.widgets.words import field_title, translate

_SETTLING_MS = 30


class SpecForm(QWidget):
    """Shows one spec. It proposes only valid specs; a problem is shown at its field and at the edited one.

    Invalid input stays in its editor.
    """

    _only: frozenset[str] | None = None  # the fields that a lesson shows
    _unused: frozenset[str] = frozenset()  # those that have no effect
    GESTURES = (Gesture("Alt+underlined letter", "Go to a field, or flip a switch", "Form and View"),)

    proposed = Signal(object, str, str)
    """A valid spec; the field that the user changed: "field", "field#stroke" or "field.part"; a name for the undo step.

    Without a name, the step is named after the change.
    """
    shown = Signal(object)
    """The current spec."""
    refuses_changed = Signal()

    def __init__(self, lab: Lab, editors: Mapping[object, EditorMaker] | None = None, *, alone: str = "") -> None:
        """Create a form of all fields, or of the one that stands ``alone``: a bar, which has no room for messages."""
        super().__init__()
        self.setObjectName("formBody")
        self._lab, self._editors = lab, editors
        self._fixed: dict[str, Any] = {}  # fields without an editor here, such as the device
        self._proposed: Spec | None = None
        self._from_elsewhere = False
        self.refuses = False
        """Whether there is a problem at any field, so that the form's values are not run."""
        self._refusing: list[Editor] = []  # those with an invalid text
        self.spec: Spec | None = None
        """The spec that was shown last."""
        self.adapt: Callable[[Spec, str], Spec] = lambda spec, _: spec
        """Returns what is proposed in place of the spec of the editors' values, from it and the field changed."""
        self._rows: dict[str, Row] = {}
        self._fold: Fold | None = None
        self._headings: dict[str, QLabel] = {}
        layout = QVBoxLayout(self)
        self.alone = alone
        """The only field, "" in a form of all."""
        layout.setContentsMargins(*(0, 0, 0, 0) if alone else (16, 0, 16, 16))
        layout.setSpacing(2)
        groups: dict[str, QVBoxLayout] = {"": layout}
        for name, field in _as_on_screen(lab):
            if name != (alone or name):
                continue
            group = group_of(field)
            if alone:
                groups[group] = layout
            elif group not in groups:
                groups[group] = self._add_group(layout, group)
            self._rows[name] = row = self._make_row(name, field)
            place_in_manual(row, f"{lab.name}#settings-{group.lower()}")
            groups[group].addWidget(row)
        if self._fold is not None:
            layout.addWidget(self._fold)
        if not alone:
            layout.addStretch(1)
        self._titles = {name: row.title for name, row in self._rows.items()}
        following = (name for name, row in self._rows.items() if type(row.editor).follow is not Editor.follow)
        self._following = frozenset(following)  # the fields whose editors depend on other fields
        self._stale = set(self._rows)  # the fields whose editors may show something else than the spec's value
        self._legal: Mapping[str, Legal] = {}
        self._seen: dict[str, Any] = {}  # the values that `_show_active` was last called with
        self._active: frozenset[str] | None = None  # the fields that it has shown
        self._edits: dict[str, int] = {}  # the later a field was edited, the higher its number
        self._to_reveal: Row | None = None
        self._settling = QTimer(self, singleShot=True, interval=_SETTLING_MS)
        self._settling.timeout.connect(self._settle)
        if not alone:
            give_letters(self, VIEW)

    def _make_row(self, name: str, field: FieldInfo) -> Row:
        row = Row(name, field, editor_for(name, field, self._editors), alone=bool(self.alone))
        row.editor.edited.connect(self._edit)
        for part in row.findChildren(Editor):  # type: ignore[type-abstract]
            part.refused.connect(self._refuse)
        for line in row.findChildren(QLineEdit):
            line.textEdited.connect(self._note_typing)
        for text in row.findChildren(SentenceEdit):
            text.textChanged.connect(self._note_typing)
        row.repaired.connect(self._repair)
        return row

    def alone_with(self, field: str) -> "SpecForm":
        """Return a form of one field, which proposes what this one would."""
        knob = SpecForm(self._lab, self._editors, alone=field)
        knob.adapt = self.adapt
        knob.underline(self.letter(field))
        knob.proposed.connect(self.proposed)
        return knob

    def letter(self, field: str) -> str:
        """Return the mnemonic of a field, "" if there is none."""
        return self._rows[field].letter

    def underline(self, letter: str) -> None:
        """Show the mnemonic of the single field, whose key is handled by another form."""
        self._rows[self.alone].underline(letter)

    def field_at(self, letter: str) -> str:
        """Return the field of a mnemonic, "" if there is none."""
        return next((name for name, row in self._rows.items() if row.letter == letter and not row.isHidden()), "")

    def lead_of(self, field: str) -> QWidget:
        """Return the widget that gets the focus by a field's mnemonic; a button is also clicked."""
        return self._rows[field].lead

    def row_of(self, field: str) -> QWidget | None:
        """Return the row of a field; None if it has none."""
        return self._rows.get(field)

    def go_to(self, field: str) -> None:
        """Focus a field, expanded and scrolled to."""
        row = self._rows[field]
        self._unfold(row)
        row.lead.setFocus(Qt.FocusReason.ShortcutFocusReason)
        QTimer.singleShot(0, row, row.scroll_into_view)

    def editor(self, field: str) -> Editor:
        """Return the editor of a field."""
        return self._rows[field].editor

    def problem(self, field: str) -> str:
        """Return the message at a field, "" if there is no problem."""
        return self._rows[field].said

    def set_spec(self, spec: Spec) -> None:
        """Show a spec, without proposing it. After the user's own change, inactive fields keep their text."""
        old, self.spec = self.spec, spec
        changed = {name for name in self._rows if old is None or getattr(spec, name) != getattr(old, name)}
        self._stale |= changed
        shown = cleared = set(self._rows)
        if spec == self._proposed:
            active = self._lab.spec_type.active_fields(vars(spec))
            shown = {name for name in shown if name in active or self._acts_by_itself(name, spec)}
            if self._from_elsewhere and old is not None:
                shown = cleared = shown & changed  # unfinished text in other fields stays
        for name in cleared:
            self._rows[name].show_problem(None, self._titles)
        self._fixed = {name: getattr(spec, name) for name in fields_of(spec) if name not in self._rows}
        self._follow(spec)
        for name in shown & self._stale:
            self._rows[name].editor.set_value(getattr(spec, name))
        self._show_active()
        self._stale = self._stale - shown | self._following
        self._settle()
        self._note_refusal()
        self.shown.emit(spec)

    def _acts_by_itself(self, name: str, spec: Spec) -> bool:
        """Return whether the value in an editor makes its own field active, unlike the spec's value."""
        return name in self._lab.spec_type.active_fields(vars(spec) | {name: self._rows[name].editor.value()})

    def show_only(self, fields: Collection[str] | None) -> None:
        """Show only these fields if they are active, as a lesson does, or (None) all active ones."""
        only = None if fields is None else frozenset(fields)
        if only != self._only:
            self._only = only
            own = [row for name, row in self._rows.items() if only is not None and name in only]
            if self._fold is not None and any(self._fold.part.isAncestorOf(row) for row in own):
                self._fold.expand()
            if self._active is not None:
                self._show_fields(self._active)

    def leave_out(self, fields: Collection[str]) -> None:
        """Hide fields that have no effect, such as on the folder that the spec names."""
        unused = frozenset(fields)
        if unused != self._unused:
            self._unused = unused
            if self._active is not None:
                self._show_fields(self._active)

    @property
    def is_unfolded(self) -> bool:
        """Whether the rarely used fields are shown; False if there are none."""
        return self._fold is not None and self._fold.isExpanded()

    def unfold(self, on: bool) -> None:
        """Show or hide the rarely used fields."""
        if self._fold is not None:
            self._fold.header.setChecked(on)

    def add_above(self, widget: QWidget) -> None:
        """Add a widget above the fields."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0, widget)

    def enter(self, field: str, value: Any, *, stroke: int) -> None:
        """Set a value as if it had been typed in its field; changes with the same stroke number are one undo step."""
        self._rows[field].editor.set_value(value)
        self._propose(field, f"{field}#{stroke}")

    def propose(self, spec: Spec, step: str, said: str = "") -> None:
        """Propose a valid spec created elsewhere, such as on the stage; only its changed values are shown here."""
        self._proposed, self._from_elsewhere = spec, True
        self.proposed.emit(spec, step, said)
        self._proposed, self._from_elsewhere = None, False

    def change(self, field: str, value: Any, step: str, said: str = "") -> None:
        """Propose the spec with another value of a field, chosen elsewhere; an invalid one is reported here."""
        assert self.spec is not None
        try:
            spec = make_spec({**dict(self.spec), field: value})
        except SpecError:
            self._rows[field].editor.set_value(value)
            self._propose(field, step)
        else:
            self.propose(spec, step, said)

    def values(self) -> dict[str, Any]:
        """Return the values of the editors of all active fields, valid or not."""
        values = self._fixed | {name: row.editor.value() for name, row in self._rows.items()}
        active = self._active if values == self._seen else None
        return self._acting(values, self._lab.spec_type.active_fields(values) if active is None else active)

    def _acting(self, values: dict[str, Any], active: frozenset[str]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name in active or name in self._fixed}

    @Slot()
    def _edit(self) -> None:
        changed = next((name for name, row in self._rows.items() if row.editor is self.sender()), "")
        place = self._rows[changed].editor.place if changed else ""
        self._propose(changed, f"{changed}.{place}" if place else changed)

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        part = self.sender()
        assert isinstance(part, Editor)
        if part.unread and part not in self._refusing:
            self._refusing.append(part)
        for name in self._fields_around(part):
            self._stale.add(name)
            row = self._rows[name]
            row.show_problem(Problem(name, "refused", untranslated(sentence)), self._titles)
            self._reveal(row)
        self._note_refusal()

    @Slot()
    def _note_typing(self) -> None:
        self._stale.update(self._fields_around(self.sender()))

    def _fields_around(self, part: QObject) -> list[str]:
        """Return the field whose row a widget is in, if any."""
        assert isinstance(part, QWidget)
        return [name for name, row in self._rows.items() if row.isAncestorOf(part)]

    def _propose(self, changed: str, step: str) -> None:
        """Propose a spec of the editors' values, or show its problems and missing values."""
        self._edits[changed] = max(self._edits.values(), default=0) + 1
        self._stale |= {changed} & self._rows.keys()
        self._show_active()
        problems = (*self._lacking(), *self._unread())
        try:
            spec = self._spec_of_editors(changed)
            spec = spec if problems else self.adapt(spec, changed)
        except SpecError as error:
            problems = (*error.problems, *self._unread())
        self._show_problems(problems, changed)
        if not problems:
            self._proposed = spec
            self.proposed.emit(spec, step, "")
            self._proposed = None  # the same spec may be opened later

    def _lacking(self) -> tuple[Problem, ...]:
        """Return the problems of missing values, such as a file."""
        rows = ((name, row) for name, row in self._rows.items() if row.editor.lacks and not row.isHidden())
        return tuple(Problem(name, "lacking", untranslated(row.editor.lacks), {"invites": True}) for name, row in rows)

    def _unread(self) -> tuple[Problem, ...]:
        """Return the problems of invalid texts in visible or collapsed groups."""
        self._refusing = [part for part in self._refusing if part.unread]
        return tuple(
            Problem(name, "refused", untranslated(part.unread))
            for part in self._refusing
            for name in self._fields_around(part)
            if part.isVisibleTo(self._rows[name]) and not self._rows[name].isHidden()
        )

    def _spec_of_editors(self, changed: str) -> Spec:
        """Return the spec of the editors' values.

        If the other fields are valid by themselves, values that must fit them are adapted, except in the field that the
        user ``changed``.
        """
        with contextlib.suppress(SpecError):
            return make_spec(self.values())
        values = self.values()
        fitting = {name: row.editor.fits_any[0] for name, row in self._rows.items() if row.editor.fits_any}
        fitting = {} if changed in fitting else fitting
        brought = self._rows[changed].editor.brings() if changed in self._rows else ()
        for every in ({}, *brought):
            others = {name: value for name, value in every.items() if name in values}
            with contextlib.suppress(SpecError):
                spec = make_spec(values | others | fitting)
                self._follow(spec)
                for name in others:
                    self._rows[name].editor.set_value(getattr(spec, name))
                self._stale |= others.keys()
                break
        return make_spec(self.values())

    def _follow(self, spec: Spec) -> None:
        for name in self._following:
            self._rows[name].editor.follow(spec)

    def _show_active(self) -> None:
        values = self._seen | self._fixed | {name: self._rows[name].editor.value() for name in self._stale}
        if values == self._seen:
            return
        self._seen = values
        active = self._lab.spec_type.active_fields(values)
        before, self._legal = self._legal, self._lab.spec_type.legal_values(self._acting(values, active))
        parts: dict[str, dict[str, Legal]] = {}
        for place, numbers in self._legal.items():
            of, _, part = place.partition(".")
            if part:
                parts.setdefault(of, {})[part] = numbers
        notes = self._lab.spec_type.notes(values)
        for name, row in self._rows.items():
            if self._legal.get(name) != before.get(name):
                row.editor.limit(self._legal.get(name))
            row.editor.limit_parts(parts.get(name, {}))
            row.note_text = translate(notes[name]) if name in notes else ""
        if active != self._active:
            self._show_fields(active)

    def _show_fields(self, active: frozenset[str]) -> None:
        """Show the rows of these fields, and the headings of their groups."""
        self._active = active
        shown = active - self._unused
        shown = shown if self._only is None else shown & self._only
        for name, row in self._rows.items():
            row.setVisible(name in shown)
        groups = {group_of(fields_of(self._lab.spec_type)[name]) for name in shown}
        for group, heading in self._headings.items():
            heading.setVisible(group in groups)
        if self._fold is not None:
            self._fold.setVisible("More" in groups)

    def _show_problems(self, problems: tuple[Problem, ...], changed: str = "") -> None:
        """Show each problem at the most recently edited one of its fields."""
        first = next(iter(self._rows))
        at: dict[str, Problem] = {}
        for problem in reversed(problems):
            fields = [name for name in problem.fields if name in self._rows and not self._rows[name].isHidden()]
            at[max(fields, key=lambda name: self._edits.get(name, 0), default=first)] = problem
        new: list[Row] = []
        for name, row in self._rows.items():
            said = row.said
            if not said and name not in at:
                continue
            row.show_problem(self._fitting(at.get(name)), self._titles)
            new += [row] if row.said not in ("", said) else []
        if new:
            edited = self._rows.get(changed)
            self._reveal(edited if edited in new else new[0])
        self._settle()
        self._note_refusal()

    def _fitting(self, problem: Problem | None) -> Problem | None:
        """Return a problem whose nearest numbers are also valid together with the other fields."""
        if problem is None or not problem.repairs:
            return problem
        hidden = {name for name, row in self._rows.items() if row.isHidden()}
        repairs: list[Repair] = []
        for repair in problem.repairs:
            if repair.field in hidden:
                continue
            legal = self._legal.get(repair.field)
            numbers = neighbours(legal, repair.value) if legal else ()
            repairs += [Repair.of(repair.field, number) for number in numbers] if legal else [repair]
        return replace(problem, repairs=tuple(dict.fromkeys(repairs)))

    def _unfold(self, row: Row) -> None:
        if self._fold is not None and self._fold.part.isAncestorOf(row):
            self._fold.expand()

    def _reveal(self, row: Row) -> None:
        """Expand and scroll to a row, once there is room for its message."""
        self._to_reveal = row
        self._settle()

    @Slot()
    def _settle(self) -> None:
        """Make room for new messages and notes, and remove that of others; not while a button is pressed.

        Widgets that are dragged, or about to be, do not move.
        """
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._settling.start()
            return
        for each in () if self.alone else self._rows.values():
            each.make_room()
        row, self._to_reveal = self._to_reveal, None
        if row is not None:
            self._unfold(row)
            QTimer.singleShot(0, row, row.scroll_into_view)

    def _note_refusal(self) -> None:
        refuses = any(row.said for row in self._rows.values())
        if refuses != self.refuses:
            self.refuses = refuses
            self.refuses_changed.emit()

    @Slot(object)
    def _repair(self, repair: Repair) -> None:
        field, *within = repair.field.split(".")
        editor = self._rows[field].editor
        editor.repair(tuple(within), repair.value)
        editor.setFocus()  # the link that had it disappears
        editor.edited.emit()

    def _add_group(self, layout: QVBoxLayout, group: English) -> QVBoxLayout:
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
        return inner


def _as_on_screen(lab: Lab) -> list[tuple[str, FieldInfo]]:
    """Return the fields of the form by group, the rarely used ones last: the tab order."""
    fields = [(name, field) for name, field in fields_of(lab.spec_type).items() if group_of(field)]
    groups = list(dict.fromkeys(group_of(field) for _, field in fields))
    return sorted(fields, key=lambda each: (group_of(each[1]) == "More", groups.index(group_of(each[1]))))


def group_of(field: FieldInfo) -> English:
    """Return the heading of a field's group, "" if the field is not in the form."""
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    group: English = str(extra.get("group", ""))
    return group


class SettingsForm(QWidget):
    """Rows of a title and an editor. `changed` is emitted on every key press, so that a preview can follow."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
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
            unit, title = (mark_of(field, Said) or Said()).unit, field_title(name, model.model_fields)
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
        give_letters(self)
        self.editors[name].setAccessibleName(title)

    def show_rows(self, names: Collection[str]) -> None:
        """Show only these rows."""
        for name, editor in self._rows.items():
            self._form.setRowVisible(editor, name in names)

    def values(self) -> dict[str, Any]:
        """Return the values of the visible editors, valid or not."""
        return {name: editor.value() for name, editor in self.editors.items() if not editor.isHidden()}

    @override
    def showEvent(self, event: QShowEvent) -> None:
        give_letters(self)
        super().showEvent(event)
