"""Multi-head attention with linear biases, ALiBi (Press et al. 2022): a score falls with the distance of its key."""

import math
from dataclasses import replace
from typing import Any

from attnviz.definitions.mechanisms.multi_head import MULTI_HEAD
from attnviz.definitions.score_steps.step import ScoreStep


def alibi_slopes(num_heads: int) -> tuple[float, ...]:
    """Return by how much each head's scores fall per place of distance.

    For h = 2^n heads they are 2^(-8/h), 2^(-16/h), ... 2^(-8). For another number the slopes of
    the power of two below it are followed by every other slope of twice that power.
    """
    power = 2 ** int(math.log2(num_heads))
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    between = [2 ** (-4 * (head + 1) / power) for head in range(0, 2 * (num_heads - power), 2)]
    return (*slopes, *between)


def distance_bias(torch: Any, num_heads: int, length: int) -> Any:
    """Return (heads, length, length): minus the slope of each head times the distance."""
    slopes = torch.tensor(alibi_slopes(num_heads), dtype=torch.float32, device="cpu")
    places = torch.arange(length, dtype=torch.float32, device="cpu")
    return -slopes[:, None, None] * (places[:, None] - places).abs()


def _slope(spec: Any, head: int) -> float:
    return alibi_slopes(spec.num_heads)[head]


ALIBI_BIAS = ScoreStep(
    name="alibi",
    does="add",
    acts=lambda spec: True,
    line="− {slope} × |i − j|",
    numbers=lambda spec, at: {"slope": f"{_slope(spec, at.head):.3g}"},
    amount=lambda spec, at, xp: -_slope(spec, at.head) * abs(at.query - at.key),
    latex=r"- m_h\,|i - j|",
    spoken=", minus the slope of the head times the distance",
    torch="scores + alibi_bias({heads}, queries, keys)",
    flex=lambda spec: ("score - slopes[h] * (q_idx - kv_idx).abs()", {"slopes": alibi_slopes(spec.num_heads)}),
    torch_function='''\
def alibi_bias(num_heads, queries, keys):
    """Minus the slope of each head times the distance (Press et al. 2022)."""
    power = 2 ** int(math.log2(num_heads))
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    slopes += [2 ** (-4 * (head + 1) / power) for head in range(0, 2 * (num_heads - power), 2)]
    dtype = torch.promote_types(queries.dtype, torch.float32)
    slopes = torch.tensor(slopes, dtype=dtype)[:, None, None]
    distance = (torch.arange(queries.shape[-2])[:, None] - torch.arange(keys.shape[-2])).abs()
    return (-slopes * distance).to(queries)''',
)
"""The same in both directions: |i - j|, so that it also has a meaning without a causal mask."""
ALIBI = replace(
    MULTI_HEAD,
    name="alibi",
    title="Multi-head, ALiBi",
    help="Multi-head attention in which distance lowers a score, in each head by a slope of its own.",
    description="ALiBi multi-head attention",
    steps=(*MULTI_HEAD.steps, ALIBI_BIAS),
    # The bias of each head and their stack, and the scores before it was added.
    scratch=lambda sizes, number: 3 * max(number, 4) * sizes["num_heads"] * sizes["num_queries"] * sizes["num_kvpairs"],
    class_name="ALiBiAttention",
    docstring="Multi-head attention whose scores fall with the distance, by a slope for each head.",
    docstring_of_one_head="One head, whose scores fall with the distance.",
)
