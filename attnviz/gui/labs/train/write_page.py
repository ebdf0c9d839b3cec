"""The model continues a text: prompt, temperature and seed above, and the written tokens below."""

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from typing_extensions import override

from attnviz.experiment.run import Failure
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import MOST_WRITTEN, Writing, WritingTrace
from attnviz.experiment.train.task import as_typed, shown, words_of
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.labs.train.written_text import WrittenText
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text

_COUNT = 80
_GREATEST = 2.0
_MOST_SEED = 2**31 - 1


class WritePage(StudyPage[Shown]):
    """Writes with the model of the current step on request; the text stays until the next one."""

    asked = Signal()
    """`wanted` has changed: the user presses Write."""
    view_proposed = Signal(object)
    """Changes of the view settings, by name: temperature, seed or prompt."""
    moment_chosen = Signal(object)
    """The model's context before a token that the user chose: to become the probe, with its last row selected."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.hint = self.tr("Click a token to see the attention before it.")
        self.stopped = self.tr("Stopped. Press Write to begin again.")
        self._shown: Shown | None = None
        self._asked: Writing | None = None
        self._typed: Writing | None = None
        """One token after the prompt that is being typed."""
        self._event: WritingTrace | Failure[Writing] | None = None
        """What was written last, or why nothing was."""
        self.prompt = QLineEdit()
        self.prompt.setAccessibleName(self.tr("Prompt"))
        self.prompt.setMaxLength(1000)
        self.temperature = FloatEdit(0, _GREATEST, (0, _GREATEST))
        self.seed = IntEdit(0, _MOST_SEED, None)
        self.count = IntEdit(1, MOST_WRITTEN, None)
        self.count.set_value(_COUNT)
        self.write = QPushButton(self.tr("Write"))
        self.write.setToolTip(self.tr("Sample one token after another from the predictions of the step on screen"))
        self.text = WrittenText(look)
        self.sure = caption(self.tr("The stronger the colour behind a token, the less probable it was."))
        self._lay_out()
        self.prompt.editingFinished.connect(self._note)
        self.prompt.returnPressed.connect(self._write)
        self.prompt.textEdited.connect(self._foresee)
        for editor in (self.temperature, self.seed):
            editor.edited.connect(self._note)
        self.write.clicked.connect(self._write)
        self.text.chosen.connect(self._choose)
        self.text.hovered.connect(self._point)
        self.text.painted.connect(self.painted)

    @override
    def studies(self) -> tuple[Writing, ...]:
        return tuple(dict.fromkeys(each for each in (self._asked, self._typed) if each is not None))

    @override
    def show_data(self, data: Shown) -> None:
        self._shown = data
        view = data.view
        self.temperature.set_value(view.temperature)
        self.seed.set_value(view.writing_seed)
        if self._asked is None and not self.words:
            self.say(self.tr("Press Write: the model continues the prompt with its own predictions."))
        typed = view.prompt or self._own_prompt(data.trace.spec)
        if not self.prompt.hasFocus() and self.prompt.text() != typed:
            self.prompt.setText(typed)

    @override
    def draw_results(self) -> None:
        expected, event = self.result(self._typed), self.result(self._asked)
        if expected is not None:
            self._typed = None
            self._say_expected(expected)
        if event is None or event is self._event:
            return
        self._event = event
        if isinstance(event, WritingTrace):
            alphabet = event.spec.of.alphabet
            written = tuple(alphabet[each.token] for each in event.written)
            probabilities = tuple(each.probability for each in event.written)
            self.text.show_text(event.spec.prompt, written, probabilities)
            self._say_written(event)
        elif isinstance(event, Failure):
            self.say(failure_text(event))

    @override
    def say_stopped(self) -> None:
        super().say_stopped()
        if self.wanted():
            self._asked = self._typed = None

    def say_of_another(self) -> None:
        """Report that the context of this text cannot be shown."""
        self.say(self.tr("Another model wrote this: its tokens or its length differ. Press Write again."))

    def _lay_out(self) -> None:
        parts: list[QWidget] = []
        for title, editor in (
            (self.tr("Temperature"), self.temperature),
            (self.tr("Seed"), self.seed),
            (self.tr("Count"), self.count),
        ):
            label = QLabel(title)
            label.setBuddy(editor)
            editor.set_name(title)
            parts += [label, editor]
        self.temperature.setToolTip(
            self.tr("0 always takes the top prediction, 1 samples from the predicted probabilities")
        )
        label = QLabel(self.tr("Prompt"))
        label.setBuddy(self.prompt)
        first = row_of(None, label, self.prompt, self.write, wide=(self.prompt,))
        second = row_of(None, *parts, wide=(self.temperature,))
        column_of(self, first, second, self.sure, self.text, wide=(self.text,))

    def _own_prompt(self, spec: TrainSpec) -> str:
        """Return the first half of the task's own probe as typed."""
        words = tuple(spec.alphabet[token] for token in spec.own_probe)
        return as_typed(words[: max(len(words) // 2, 1)], spec.task)

    @Slot()
    def _note(self) -> None:
        """Keep what is set in the view settings."""
        typed = self.prompt.text()
        if (
            self._shown is not None
            and not self._shown.view.prompt
            and typed == self._own_prompt(self._shown.trace.spec)
        ):
            typed = ""
        temperature = min(max(self.temperature.value(), 0.0), 100.0)
        seed = min(max(self.seed.value(), 0), _MOST_SEED)
        self.view_proposed.emit({"temperature": temperature, "writing_seed": seed, "prompt": typed})

    def _words_typed(self) -> tuple[str, ...]:
        """Return the words of the prompt; report errors, and return none, if the model cannot read it."""
        alphabet = () if self._shown is None else self._shown.trace.spec.alphabet
        words = words_of(self.prompt.text(), alphabet)
        unknown = [word for word in words if word not in alphabet]
        if unknown or not words:
            wrong = self.tr("“{0}” is not in the training text: leave it out of the prompt.")
            self.say(wrong.format(*shown(unknown[:1])) if unknown else self.tr("Type a prompt of at least one token."))
        return () if unknown else words

    @Slot()
    def _foresee(self) -> None:
        """Request the prediction after the typed prompt; only the newest request is answered."""
        self._typed, words = None, self._words_typed()
        if self._shown is None or not words:
            return
        trace = self._shown.trace
        self._typed = Writing(of=trace.spec, step=trace.step, prompt=words, count=1, temperature=0, seed=0)
        self.asked.emit()

    def _say_expected(self, event: WritingTrace | Failure[Writing]) -> None:
        if isinstance(event, Failure):
            self.say(failure_text(event))
            return
        (token,) = event.written
        (word,) = shown((event.spec.of.alphabet[token.token],))
        self.say(self.tr("After the prompt the model predicts “{0}”. Press Write to continue.").format(word))

    @Slot()
    def _write(self) -> None:
        if self._shown is None:
            return
        trace, words = self._shown.trace, self._words_typed()
        if not words:
            return
        self._note()
        self._typed = None
        self._asked = Writing(
            of=trace.spec,
            step=trace.step,
            prompt=words,
            count=min(max(self.count.value(), 1), MOST_WRITTEN),
            temperature=min(max(self.temperature.value(), 0.0), 100.0),
            seed=min(max(self.seed.value(), 0), _MOST_SEED),
        )
        if self.wanted():
            self.say(self.tr("Writing ..."))
        self.asked.emit()

    @Slot(int)
    def _choose(self, token: int) -> None:
        if isinstance(self._event, WritingTrace):
            self._point(token)
            alphabet = self._event.spec.of.alphabet
            self.moment_chosen.emit(tuple(alphabet[each] for each in self._event.written[token].seen))

    @Slot(object)
    def _point(self, token: int | None) -> None:
        if not isinstance(self._event, WritingTrace):
            return
        if token is None:
            self._say_written(self._event)
            return
        written = self._event.written[token]
        (word,) = shown((self._event.spec.of.alphabet[written.token],))
        said = self.tr("Token {0}, “{1}”: probability {2}, after {3} tokens that the model saw.")
        self.say(said.format(token + 1, word, f"{written.probability:.3f}", len(written.seen)))

    def _say_written(self, event: WritingTrace) -> None:
        mean = sum(each.probability for each in event.written) / len(event.written)
        said = self.tr("{0} tokens after step {1} at temperature {2}; mean probability {3}.")
        self.say(said.format(len(event.written), event.spec.step, f"{event.spec.temperature:g}", f"{mean:.2f}"))
