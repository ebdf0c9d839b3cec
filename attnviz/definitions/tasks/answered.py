"""Copy, reverse, sort: symbols, a bar, the answer, and bars to the end. The bar is the last token of the alphabet."""

from collections.abc import Callable, Sequence

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import at_least, at_most
from attnviz.definitions.roles import Cells, Places, Role
from attnviz.definitions.tasks.task import Answers, Integers, Knobs, Task, TaskRule, symbols
from attnviz.definitions.text import English


def _same(asked: Sequence[int]) -> Sequence[int]:
    """Return the answer to symbols."""
    return asked


def _backwards(asked: Sequence[int]) -> Sequence[int]:
    """Return the answer to symbols."""
    return asked[::-1]


def _in_order(asked: Sequence[int]) -> Sequence[int]:
    """Return the answer to symbols."""
    return sorted(asked)


def _drawn_symbols(knobs: Knobs, integers: Integers) -> list[int]:
    """Return the symbols before the bar, which is the last token of the alphabet."""
    count = integers((knobs["symbols"] + 1) // 2, knobs["symbols"] + 1)
    return [integers(0, knobs["vocab_size"] - 1) for _ in range(count)]


def _asked(knobs: Knobs, tokens: Sequence[int]) -> list[int]:
    """Return the symbols before the bar of a sequence that has one; else none."""
    bar = knobs["vocab_size"] - 1
    return list(tokens[: tokens.index(bar)]) if bar in tokens else []


def _where(wanted: Callable[[list[int]], Sequence[Sequence[int]]]) -> Cells:
    """Return the cells at the wanted positions for each token of the answer; the bar asks for the first one."""

    def cells(tokens: Sequence[int], knobs: Knobs) -> Places:
        asked = _asked(knobs, tokens)
        found = [*[()] * len(asked), *map(tuple, wanted(asked)), *[()] * len(tokens)]
        return tuple(found[: len(tokens)])

    return cells


def _one_after_the_other(asked: list[int]) -> list[list[int]]:
    return [[place] for place in range(len(asked))]


def _mirrored(asked: list[int]) -> list[list[int]]:
    return [[place] for place in reversed(range(len(asked)))]


def _next_larger(asked: list[int]) -> list[list[int]]:
    return [[place for place, token in enumerate(asked) if token == wanted] for wanted in sorted(asked)]


def _answered(
    name: str, title: English, help_: English, answer: Callable[[Sequence[int]], Sequence[int]], role: Role
) -> Task:
    """Return the task of answering symbols, with the role of a head that answers."""

    def draw(knobs: Knobs, integers: Integers) -> tuple[int, ...]:
        """Return symbols, a bar, their answer, and bars to the end."""
        asked, bar = _drawn_symbols(knobs, integers), knobs["vocab_size"] - 1
        bars = knobs["num_tokens"] - 2 * len(asked)
        return (*asked, bar, *answer(asked), *[bar] * (bars - 1))

    def answers(knobs: Knobs, tokens: Sequence[int]) -> Answers:
        """Return the token that must follow each place; None where it cannot be known."""
        bar = knobs["vocab_size"] - 1
        asked = list(tokens[: tokens.index(bar)]) if bar in tokens else list(tokens)
        found = [*[None] * len(asked), *answer(asked), *[None] * len(tokens)]
        return tuple(found[: len(tokens)])

    def draw_at(knobs: Knobs, integers: Integers, count: int) -> tuple[int, ...]:
        """Return a sequence with so many symbols."""
        asked, bar = [integers(0, knobs["vocab_size"] - 1) for _ in range(count)], knobs["vocab_size"] - 1
        return (*asked, bar, *answer(asked), *[bar] * (knobs["num_tokens"] - 2 * count - 1))

    return Task(
        name=name,
        title=title,
        help=help_,
        alphabet=lambda knobs: (*symbols(knobs["vocab_size"] - 1), "|"),
        draw=draw,
        answers=answers,
        lags=lambda knobs: range((knobs["symbols"] + 1) // 2, knobs["symbols"] + 1),
        draw_at=draw_at,
        roles=(role,),
        knobs=(
            NumberKnob(
                name="symbols",
                title="Symbols",
                help="How many symbols there are at most; at least half as many.",
                default=8,
                least=1,
                greatest=127,
            ),
        ),
        rules=(
            TaskRule(
                code="answer_too_long",
                field="symbols",
                text="{symbols} symbols, a bar and their answer are more than {num_tokens} tokens; nearest: {nearest}",
                legal={
                    "symbols": lambda knobs: at_most((knobs["num_tokens"] - 1) // 2),
                    "num_tokens": lambda knobs: at_least(2 * knobs["symbols"] + 1),
                },
            ),
        ),
        defaults={"num_tokens": 17, "vocab_size": 16},
    )


COPY = _answered(
    "copy",
    "Copy",
    "After the bar, write the symbols once more.",
    _same,
    Role(
        name="copied_next",
        title="Copied next",
        short="copied",
        heading="copy",
        help="From the bar on, each token attends to the symbol to be copied next.",
        does="attends to the symbol to be copied next",
        do="attend to the symbol to be copied next",
        places="the bar and the answer",
        latex=r"\frac{1}{m-1} \sum_{i=2}^{m} b_{m+i,\,i}",
        spoken="the mean, over the answer, of the weight on the symbol to be copied next",
        cells=_where(_one_after_the_other),
    ),
)
REVERSE = _answered(
    "reverse",
    "Reverse",
    "After the bar, write the symbols backwards.",
    _backwards,
    Role(
        name="mirrored",
        title="Mirrored position",
        short="mirrored",
        heading="mirr",
        help="From the bar on, each token attends to the symbol mirrored by the position after it.",
        does="attends to the mirrored position",
        do="attend to the mirrored position",
        places="the bar and the answer",
        latex=r"\frac{1}{m-1} \sum_{i=1}^{m-1} b_{m+i,\,m+1-i}",
        spoken="the mean, over the answer, of the weight on the symbol that the bar mirrors to the next position",
        cells=_where(_mirrored),
    ),
)
SORT = _answered(
    "sort",
    "Sort",
    "After the bar, write the symbols in the order of the alphabet.",
    _in_order,
    Role(
        name="next_larger",
        title="Next larger",
        short="larger",
        heading="larger",
        help="From the bar on, each token attends to the next larger symbol, or to all that are equal to it.",
        does="attends to the next larger token",
        do="attend to the next larger token",
        places="the bar and the answer",
        latex=r"\frac{1}{m} \sum_{i=1}^{m} \sum_{1<j\le m,\, x_j = y_i} b_{m+i,\,j}",
        spoken="the mean, over the answer, of the weight on the symbols that must come next",
        cells=_where(_next_larger),
    ),
)
