"""What a model reads as tokens: of a text with their spans and words, or of an image."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby

from attnviz.definitions.counting import patch_name
from attnviz.experiment.model.image import SeenImage


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Neighbouring tokens shown as one: the pieces of a word, or a single token."""

    name: str
    tokens: tuple[int, ...]
    """Their positions, ascending."""


@dataclass(frozen=True, eq=False)
class ReadText:
    """A text and its T tokens."""

    text: str
    ids: tuple[int, ...]
    names: tuple[str, ...]
    """The names on screen."""
    spans: tuple[tuple[int, int], ...]
    """The start and end of each token's characters, possibly none; the bytes of one character share its span."""
    special: tuple[bool, ...]
    """Whether the tokenizer adds it around a text, such as [SEP]; [UNK] and [MASK] count as words."""
    word_ids: tuple[int | None, ...]
    """The index of the word that each is a piece of; None for those added by the tokenizer."""
    others: tuple[int, ...] = ()
    """The positions of further tokens with a meaning of their own, such as [UNK]."""
    image: SeenImage | None = None
    """The image whose patches are the tokens; None for a text."""

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, count: int) -> "ReadText":
        """Return the first tokens, with the text up to the last of them."""
        if count == len(self):
            return self
        cut = slice(count)
        end = max((last for _, last in self.spans[cut]), default=0)
        others = tuple(place for place in self.others if place < count)
        return ReadText(
            self.text[:end],
            self.ids[cut],
            self.names[cut],
            self.spans[cut],
            self.special[cut],
            self.word_ids[cut],
            others,
        )

    @property
    def key(self) -> tuple[object, ...]:
        """Identifies what the model reads."""
        return self.text, self.ids, None if self.image is None else self.image.fingerprint

    @cached_property
    def sinks(self) -> tuple[int, ...]:
        """The positions of attention sinks of idle heads: the special tokens, and the first one of a text."""
        of_text = self.image is None
        return tuple(at for at, special in enumerate(self.special) if special or (of_text and not at))

    @lru_cache(maxsize=8)  # noqa: B019 - the last texts may stay
    def groups(self, *, joined: bool, hide_special: bool) -> tuple[Group, ...]:
        """Return the shown groups: words instead of their pieces, and special tokens or not.

        Special tokens are shown if there are no others.
        """

        def word_of(position: int) -> tuple[int, int]:
            word = self.word_ids[position]
            return (-1, position) if word is None or not joined else (word, -1)

        hides = hide_special and not all(self.special)
        kept = (position for position in range(len(self)) if not (hides and self.special[position]))
        groups = [tuple(tokens) for _, tokens in groupby(kept, word_of)]
        return tuple(Group(self._name(tokens), tokens) for tokens in groups)

    def _name(self, tokens: tuple[int, ...]) -> str:
        if len(tokens) == 1:
            return self.names[tokens[0]]
        first, last = self.spans[tokens[0]][0], self.spans[tokens[-1]][1]
        return self.text[first:last].strip() or "".join(self.names[token] for token in tokens)


def read_image(image: SeenImage, special: tuple[str, ...]) -> ReadText:
    """Return the tokens of an image: the special ones by their names, then its patches, row by row."""
    places = [(row, column) for row in range(image.rows) for column in range(image.columns)]
    names = (*special, *(patch_name(*place) for place in places))
    count = len(names)
    return ReadText(
        text="",
        ids=tuple(range(count)),
        names=names,
        spans=((0, 0),) * count,
        special=tuple(place < len(special) for place in range(count)),
        word_ids=tuple(None if place < len(special) else place for place in range(count)),
        image=image,
    )
