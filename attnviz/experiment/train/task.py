"""The task of a training in its spec: the name of a record of `TASKS`, and the numbers (or the text) it takes."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Field, create_model

from attnviz.definitions.masks.mask import NumberKnob
from attnviz.definitions.tasks import TASKS, Task
from attnviz.experiment.knob import Number, Whole
from attnviz.experiment.regression.data import Part

LONGEST_TEXT = 200_000
"""The most characters of a text to learn."""


class TaskChoice(Part):
    """A task with its own knobs; each task has a subclass with a field for each."""

    kind: str

    @property
    def record(self) -> Task:
        """The task's record."""
        return TASKS[self.kind]

    @property
    def own(self) -> dict[str, Any]:
        """Its own knobs, by name."""
        return {name: value for name, value in self if name != "kind"}


def _field(knob: NumberKnob) -> Any:
    number = int if knob.whole else float
    return Field(
        number(knob.default),
        title=knob.title,
        description=knob.help,
        ge=number(knob.least),
        le=number(knob.greatest),
        json_schema_extra={"slider": [knob.least, knob.greatest]},
    )


def _model_of(task: Task) -> type[TaskChoice]:
    fields: dict[str, Any] = {"kind": (Literal[task.name], task.name)}
    fields |= {knob.name: (Whole if knob.whole else Number, _field(knob)) for knob in task.knobs}
    if task.reads_text:
        text = Field(task.defaults["text"], title="Text", description="The text to learn.", max_length=LONGEST_TEXT)
        fields["text"] = (str, text)
    return create_model(f"{task.name.capitalize()}Task", __base__=TaskChoice, **fields)


TASK_TYPES: Mapping[str, type[TaskChoice]] = {task.name: _model_of(task) for task in TASKS.values()}
"""The type of each task in a spec, by the task's name."""
if TYPE_CHECKING:
    AnyTask = TaskChoice
else:
    AnyTask = Annotated[Union[tuple(TASK_TYPES.values())], Field(discriminator="kind")]  # noqa: UP007


@lru_cache(maxsize=8)
def alphabet_of(task: TaskChoice, num_tokens: int, vocab_size: int) -> tuple[str, ...]:
    """Return the words of the tokens, by their numbers."""
    return task.record.alphabet({"num_tokens": num_tokens, "vocab_size": vocab_size, **task.own})


_VISIBLE = {" ": "␣", "\n": "↵", "\t": "⇥"}


def shown(words: Sequence[str]) -> tuple[str, ...]:
    """Return words as labels: blanks and line ends have a sign."""
    return tuple(_VISIBLE.get(word, word) for word in words)
