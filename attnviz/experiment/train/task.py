"""The task of a training in its spec: the name of a record of `TASKS`, and its options (or text)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Field, create_model

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.tasks import TASKS
from attnviz.definitions.tasks.task import Task
from attnviz.definitions.text import Refused
from attnviz.experiment.fields.knob import Number, Part, Whole
from attnviz.experiment.files.plain_files import open_plain

LONGEST_TEXT = 200_000
"""The most characters of a text to learn."""


class TaskChoice(Part):
    """A task with its own options; each task has a subclass with a field for each."""

    kind: str

    @property
    def record(self) -> Task:
        """The task's record."""
        return TASKS[self.kind]

    @property
    def own(self) -> dict[str, Any]:
        """Its own options, by name."""
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
    return create_model(f"{task.name.capitalize()}Task", __base__=TaskChoice, __module__=__name__, **fields)


TASK_TYPES: Mapping[str, type[TaskChoice]] = {task.name: _model_of(task) for task in TASKS.values()}
"""The type of each task in a spec, by the task's name."""
globals().update({each.__name__: each for each in TASK_TYPES.values()})  # for pickle
if TYPE_CHECKING:
    AnyTask = TaskChoice
else:
    AnyTask = Annotated[Union[tuple(TASK_TYPES.values())], Field(discriminator="kind")]  # noqa: UP007


@lru_cache(maxsize=8)
def alphabet_of(task: TaskChoice, num_tokens: int, vocab_size: int) -> tuple[str, ...]:
    """Return the words of the tokens, by token id."""
    return task.record.alphabet({"num_tokens": num_tokens, "vocab_size": vocab_size, **task.own})


_VISIBLE = {" ": "␣", "\n": "↵", "\t": "⇥"}


def shown(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return words as labels, with symbols for blanks and line ends."""
    return tuple(_VISIBLE.get(word, word) for word in tokens)


class TokenWords:
    """Marks a field of tokens that are typed as words: ``Annotated[tuple[str, ...], TokenWords()]``."""


def words_of(typed: str, alphabet: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a typed sequence: characters if every token is one, else parts separated by blanks.

    A blank is a word only if it is a token. Symbols of line ends and tabs stand for these.
    """
    if any(len(word) > 1 for word in alphabet):
        return tuple(typed.split())
    signs = {sign: character for character, sign in _VISIBLE.items() if character in alphabet and sign not in alphabet}
    characters = (signs.get(character, character) for character in typed)
    return tuple(each for each in characters if " " in alphabet or not each.isspace() or each in alphabet)


def as_typed(tokens: Sequence[str], task: TaskChoice) -> str:
    """Return a sequence as typed in one line: characters of a text or of digits without blanks."""
    signs = {character: sign for character, sign in _VISIBLE.items() if character != " "}
    return ("" if task.record.decides_vocabulary else " ").join(signs.get(word, word) for word in tokens)


_MOST_BYTES = 4
"""Of a character in UTF-8."""


def text_of_file(path: Path) -> str:
    """Return the text of a file in UTF-8, with normalised line ends.

    Raises:
        Refused: it cannot be read, is no such text, is empty, or is longer than `LONGEST_TEXT` characters.
    """
    try:
        with open_plain(path) as file:
            data = file.read(_MOST_BYTES * LONGEST_TEXT + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise Refused("{name} cannot be read: {why}", name=path.name, why=error.strerror or error) from error
    except UnicodeDecodeError as error:
        raise Refused(
            "{name} is not UTF-8 text (byte {place}); save it as UTF-8", name=path.name, place=error.start + 1
        ) from error
    if len(text) > LONGEST_TEXT or len(data) > _MOST_BYTES * LONGEST_TEXT:
        raise Refused(
            "{name} is too long: at most {most} characters are learned; save a part of it",
            name=path.name,
            most=LONGEST_TEXT,
        )
    if not text:
        raise Refused("{name} is empty: choose a file with a text", name=path.name)
    return text.replace("\r\n", "\n").replace("\r", "\n")
