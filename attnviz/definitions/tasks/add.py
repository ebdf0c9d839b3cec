"""Addition: two numbers and their sum, in digits: 58+67=521. Equals signs are the padding."""

from collections.abc import Sequence
from string import digits

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import at_least
from attnviz.definitions.roles import Places, Role
from attnviz.definitions.tasks.task import Answers, Integers, Knobs, Task, TaskRule, share_of

_PLUS, _EQUALS = 10, 11


def _sum_of(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return the digits of a sum from the ones on, one more than the longer number has."""
    count = 1 + max(len(first), len(second))
    digits_of = [enumerate(reversed(number)) for number in (first, second)]
    total = sum(digit * 10**power for each in digits_of for power, digit in each)
    return [total // 10**power % 10 for power in range(count)]


def _draw_add(knobs: Knobs, integers: Integers) -> tuple[int, ...]:
    """Return two numbers, their sum from the ones on, and equals signs to the end."""
    first, second = ([integers(0, 10) for _ in range(knobs["digits"])] for _ in range(2))
    tokens = [*first, _PLUS, *second, _EQUALS, *_sum_of(first, second)]
    return (*tokens, *[_EQUALS] * (knobs["num_tokens"] - len(tokens)))


def _answers_add(knobs: Knobs, tokens: Sequence[int]) -> Answers:
    """Return the digit that must follow each place; None where it cannot be known."""
    nothing = (None,) * len(tokens)
    if _EQUALS not in tokens:
        return nothing
    equals = tokens.index(_EQUALS)
    asked = tuple(tokens[:equals])
    if asked.count(_PLUS) != 1:
        return nothing
    plus = asked.index(_PLUS)
    if not 0 < plus < equals - 1:
        return nothing  # a number is missing
    return (*nothing[:equals], *_sum_of(asked[:plus], asked[plus + 1 :]), *nothing)[: len(tokens)]


def _pairs(tokens: Sequence[int]) -> list[tuple[int, int]]:
    """Return the places of the digits of both numbers of a sum, from the ones on; none if no sum is asked for."""
    if _PLUS not in tokens or _EQUALS not in tokens:
        return []
    plus, equals = tokens.index(_PLUS), tokens.index(_EQUALS)
    return [(plus - each, equals - each) for each in range(1, 1 + min(plus, equals - plus - 1))]


def _other_digit(tokens: Sequence[int], _knobs: Knobs) -> Places:
    """Return, for each digit of the second number, the position of the digit of equal value in the first."""
    of_second = {second: (first,) for first, second in _pairs(tokens)}
    return tuple(of_second.get(query, ()) for query in range(len(tokens)))


def _added_next(tokens: Sequence[int], _knobs: Knobs) -> Places:
    """Return, for each token from the equals sign on, the positions of the two digits to add next."""
    pairs = _pairs(tokens)
    before = tokens.index(_EQUALS) if pairs else 0
    return (*[()] * before, *pairs, *[()] * len(tokens))[: len(tokens)]


def _is_pair_held_out(knobs: Knobs, tokens: Sequence[int]) -> bool:
    """Return whether no step draws the two numbers, in whatever order."""
    plus, equals = tokens.index(_PLUS), tokens.index(_EQUALS)
    less, more = sorted((tuple(tokens[:plus]), tuple(tokens[plus + 1 : equals])))
    share: float = knobs["held_out"]
    return share_of((*less, _PLUS, *more)) < share


ADD = Task(
    name="add",
    title="Add",
    help="Write the sum of two numbers digit by digit, starting with the ones.",
    alphabet=lambda knobs: (*digits, "+", "="),
    draw=_draw_add,
    answers=_answers_add,
    is_held_out=_is_pair_held_out,
    sequences=lambda knobs: 100 ** knobs["digits"],
    knobs=(
        NumberKnob(name="digits", title="Digits", help="The digits of each number.", default=2, least=1, greatest=84),
    ),
    rules=(
        TaskRule(
            code="sum_too_long",
            field="num_tokens",
            text="a sum of numbers of {digits} digits is longer than {num_tokens} tokens; nearest: {nearest}",
            legal={
                "digits": lambda knobs: range(1, knobs["num_tokens"] // 3),
                "num_tokens": lambda knobs: at_least(3 * knobs["digits"] + 3),
            },
        ),
    ),
    roles=(
        Role(
            name="other_digit",
            title="Other digit",
            short="digit",
            heading="other",
            help="Each digit of the second number attends to the digit of the same place value in the first.",
            does="attends to the same digit of the other number",
            do="attend to the same digit of the other number",
            places="the second number",
            latex=r"\frac{1}{d-1} \sum_{i=2}^{d} b_{d+1+i,\,i}",
            spoken="the mean, over the digits of the second number, of the weight on the digit of the same "
            "place value in the first number",
            cells=_other_digit,
        ),
        Role(
            name="added_next",
            title="Added next",
            short="addends",
            heading="added",
            help="From the equals sign on, each token attends to the two digits to be added next.",
            does="attends to the digits to be added next",
            do="attend to the digits to be added next",
            places="the equals sign and the sum",
            latex=r"\frac{1}{d} \sum_{i=1}^{d} (b_{2d+1+i,\,d+1-i} + b_{2d+1+i,\,2d+2-i})",
            spoken="the mean, over the sum, of the weight on the two digits that are added next",
            cells=_added_next,
        ),
    ),
    decides_vocabulary=True,
    defaults={"num_tokens": 9, "vocab_size": 12},
)
