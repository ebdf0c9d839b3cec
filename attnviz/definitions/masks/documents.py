"""Documents packed into one sequence, each attending only to itself: a block mask."""

import itertools
from bisect import bisect_right

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.functions.formula import Array, Functions
from attnviz.definitions.masks.mask import ITSELF, Mask, MaskCode

Ends = tuple[int, ...]
"""The end of each document; the positions after the last one are one more document."""


def _allows(ends: Ends, b: Array, h: Array, i: Array, j: Array, xp: Functions) -> Array:
    return xp["searchsorted"](ends, i) == xp["searchsorted"](ends, j)


def _code(ends: Ends) -> MaskCode:
    return MaskCode(
        values={"document_lens": tuple(end - start for start, end in itertools.pairwise((0, *ends)))},
        lines=("ends = document_lens.cumsum(0)",),
        rule="torch.bucketize(i, ends, right=True) == torch.bucketize(j, ends, right=True)",
        flex_lines=(
            "positions = torch.arange(max(num_queries, num_kvpairs))",
            "document = torch.bucketize(positions, document_lens.cumsum(0), right=True)",
        ),
        flex="document[q_idx] == document[kv_idx]",
    )


DOCUMENTS = Mask(
    name="documents",
    title="Documents",
    help="Lengths of documents packed into the sequence, such as 4, 3, 3; each attends to itself alone.",
    field="document_lens",
    example=(4, 3),
    prepare=lambda lens: tuple(itertools.accumulate(lens)),
    allows=_allows,
    reason="another document ({of_query} and {of_key})",
    reason_code="document",
    numbers_at=lambda ends, b, h, i, j: {
        "of_query": SCREEN.number(bisect_right(ends, i)),
        "of_key": SCREEN.number(bisect_right(ends, j)),
    },
    formula=r"\text{{document}}(i) = \text{{document}}(j)",
    spoken="i and j are of one document",
    words="documents",
    code=_code,
    keeps=lambda ends: frozenset({ITSELF}),
)
