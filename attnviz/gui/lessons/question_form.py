"""Editor of a step's question: its form, its choices with a reason each, and its answer."""

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QFrame, QRadioButton, QWidget

from attnviz.experiment.lessons.lesson import LETTERS, MOST_CHOICES
from attnviz.experiment.lessons.typed import FieldProblem, TypedChoice, TypedStep, with_choice, without_choice
from attnviz.gui.lessons.lesson_draft import Checked, LessonDraft
from attnviz.gui.lessons.typed_fields import Field, Problems
from attnviz.gui.widgets.buttons import Segments, tiny_button
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import Part, column_of, row_of


class ChoiceForm(QWidget):
    """A choice: whether it is the right one, its text, its reason, and when it is right."""

    def __init__(self, place: int, draft: LessonDraft) -> None:
        super().__init__()
        self._place, self._draft = place, draft
        letter = LETTERS[place]
        self.right = QRadioButton(letter)
        self.right.setAccessibleName(self.tr("Choice {0} is the right one").format(letter))
        self.right.setToolTip(self.tr("Marks the right choice"))
        self.text = Field(draft, "text", self.tr("Choice {0}").format(letter), offers="text")
        self.why = Field(draft, "why", self.tr("Why is {0} right or wrong?").format(letter), lines=2)
        self.condition = Field(
            draft,
            "condition",
            self.tr("{0} is right if").format(letter),
            self.tr("An expression that is true of the run, such as weights[0, 0, 0, 1] > 0.5"),
            offers="condition",
        )
        removes = self.tr("Remove choice {0}").format(letter)
        self.remove = tiny_button("✕", self._remove, removes, removes)
        self.fields = self.text, self.why, self.condition
        texts = column_of(None, self.text, self.condition, self.why, gap=2)
        row_of(self, column_of(None, self.right, self.remove, None, gap=2), texts, gap=6, wide=(texts,))
        for field in self.fields:
            field.typed.connect(self._write)

    def show_choice(self, choice: TypedChoice, *, by_run: bool) -> None:
        """Show a choice."""
        self.text.put(choice.text)
        self.why.put(choice.why)
        self.condition.put(choice.condition)
        self.condition.setVisible(by_run)
        self.right.setEnabled(not by_run)

    @Slot(str, str)
    def _write(self, name: str, text: str) -> None:
        step = self._draft.step
        if step is not None and self._place < len(step.choices):
            choices = list(step.choices)
            choices[self._place] = replace(choices[self._place], **{name: text})
            self._draft.write(choices=tuple(choices))

    @Slot()
    def _remove(self) -> None:
        step = self._draft.step
        if step is not None:
            less = without_choice(step, self._place)
            self._draft.write(choices=less.choices, right=less.right)


class QuestionForm(QFrame):
    """The question before the picture is shown."""

    def __init__(self, draft: LessonDraft) -> None:
        super().__init__()
        self.setObjectName("question")
        self._draft = draft
        title = caption(self.tr("Question"), name="boxTitle")
        self.form = Segments(
            self.tr("Question"),
            (
                ("", self.tr("None"), self.tr("The step asks nothing")),
                ("choices", self.tr("Choices"), self.tr("One of up to six choices, each with a reason")),
                ("number", self.tr("Number"), self.tr("A number of the run")),
                ("cells", self.tr("Cells"), self.tr("Cells of the picture to mark")),
            ),
        )
        self.form.chosen.connect(self._choose_form)
        self.question = Field(draft, "question", self.tr("The question"), lines=2, offers="text")
        self.by_run = QCheckBox(self.tr("The run decides which is right"))
        self.by_run.setToolTip(self.tr("Each choice has a condition, and the one whose condition is true is right"))
        self.by_run.clicked.connect(self._write_by_run)
        self.choices = [ChoiceForm(place, draft) for place in range(MOST_CHOICES)]
        self.group = QButtonGroup(self)
        for place, choice in enumerate(self.choices):
            self.group.addButton(choice.right, place)
        self.group.idClicked.connect(self._mark)
        self.of_choices = Problems()
        self.add = tiny_button(self.tr("Add a choice"), self._add)
        tip = self.tr("An expression of the run")
        self.number = Field(draft, "number", self.tr("The number that is asked for"), tip, offers="number")
        self.within = Field(draft, "within", self.tr("Tolerance"))
        self.cells = Field(draft, "cells", self.tr("The cells to mark"), tip, offers="cells")
        self.by_the_run = caption(wraps=True, plain=True)
        self.answer = Field(draft, "answer", self.tr("Text shown after the answer"), lines=2, offers="text")
        own = self.question, self.number, self.within, self.cells, self.answer
        self.fields = {field.name: field for field in own}
        for field in self.fields.values():
            field.typed.connect(draft.type_in)
        of_choices: tuple[Part, ...] = (*self.choices, self.of_choices, row_of(None, self.add, self.by_run, None))
        asked = (self.question, *of_choices, self.number, self.within, self.cells, self.by_the_run, self.answer)
        column_of(self, title, self.form, *asked, gap=6).setContentsMargins(10, 6, 10, 8)

    @property
    def every_field(self) -> dict[str, Field]:
        """The fields, by their names in problems."""
        of_choices = {
            f"{name}.{place}": field
            for place, choice in enumerate(self.choices)
            for name, field in zip(("choice", "why", "condition"), choice.fields, strict=True)
        }
        return self.fields | of_choices

    def show_step(self, step: TypedStep) -> None:
        """Show a question."""
        self.form.show_value(step.form)
        for name, field in self.fields.items():
            field.put(getattr(step, name))
        has_choices = step.form == "choices"
        for place, form in enumerate(self.choices):
            there = has_choices and place < len(step.choices)
            if there:
                form.show_choice(step.choices[place], by_run=step.by_run)
                form.remove.setEnabled(len(step.choices) > 1)
            form.setVisible(there)
        if not step.by_run:
            self._show_right(step.right)
        self.by_run.setChecked(step.by_run)
        self.by_run.setVisible(has_choices)
        self.add.setVisible(has_choices and len(step.choices) < MOST_CHOICES)
        self.number.setVisible(step.form == "number")
        self.within.setVisible(step.form == "number")
        self.cells.setVisible(step.form == "cells")
        for part in (self.question, self.answer):
            part.setVisible(bool(step.form))
        if not has_choices:
            self.of_choices.hide()

    def show_found(self, now: Checked, of_choices: list[FieldProblem]) -> None:
        """Show the right answer by the run, and the problems of the choices as a whole."""
        step = now.step
        self.of_choices.say(of_choices)
        said = ""
        if step is not None and step.form and now.answer:
            cells, other = self.tr("By the run: {0} cells"), self.tr("By the run: {0}")
            said = (cells if step.form == "cells" else other).format(now.answer)
        show_text(self.by_the_run, said)
        if step is not None and step.by_run:
            self._show_right(LETTERS.index(now.answer) if len(now.answer) == 1 and now.answer in LETTERS else None)

    def _show_right(self, place: int | None) -> None:
        self.group.setExclusive(False)
        for at, choice in enumerate(self.choices):
            choice.right.setChecked(at == place)
        self.group.setExclusive(True)

    @Slot()
    def _choose_form(self) -> None:
        step, form = self._draft.step, self.form.value
        if step is None or step.form == form:
            return
        empty = () if step.choices or form != "choices" else (TypedChoice(), TypedChoice())
        self._draft.write(form=form, choices=step.choices or empty)
        if form:
            self.question.setFocus()

    @Slot()
    def _add(self) -> None:
        step = self._draft.step
        if step is not None:
            self._draft.write(choices=with_choice(step).choices)
            self.choices[len(step.choices)].text.setFocus()

    @Slot(int)
    def _mark(self, place: int) -> None:
        self._draft.write(right=place)

    @Slot(bool)
    def _write_by_run(self, on: bool) -> None:
        self._draft.write(by_run=on)
