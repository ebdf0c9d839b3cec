"""A study of the mask of a run: its clauses, findings and blocks, and whether other softmaxes give the same.

Shape letters: B batch, h heads, Q queries, K keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.masks.own import OWN
from attnviz.definitions.text import Text, untranslated
from attnviz.experiment.arrays import NUMPY, read_only
from attnviz.experiment.attention.findings import BLOCK_SIZES, Allowed, Blocks, Finding, blocks_of, findings
from attnviz.experiment.attention.own_mask import Clause
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.study import StudyOf, StudyResult

Convention = Literal["allowed", "masked", "additive"]
"""What a mask holds: True = may attend; True = masked; or the number that is added to a score, 0 or -inf."""


class MaskStudy(StudyOf):
    """The mask of a spec's run."""

    of: AttentionSpec


@dataclass(frozen=True, slots=True)
class Agreement:
    """By how much another computation differs from the run, over the queries that have a key."""

    with_sdpa: float | None
    """The largest difference of the pooled values from ``scaled_dot_product_attention``; None where it has no form."""
    with_dense: float
    """The largest difference of the weights from a softmax of the run's scores in float64."""
    tolerance: float
    """The difference to expect from rounding in the dtype of the run."""


@dataclass(frozen=True, eq=False)
class MaskTrace(StudyResult):
    """The mask of a run."""

    spec: MaskStudy
    whole: Clause
    """All masks together; its operands are those of the run, the user's own ones included."""
    parts: tuple[tuple[Text, Clause], ...]
    """The clauses with their titles, outer ones before their operands; empty if there is one mask without operands."""
    findings: tuple[Finding, ...]
    blocks: Mapping[int, Blocks]
    """By the sides in `BLOCK_SIZES`."""
    agreement: Agreement

    def title_of(self, clause: Clause) -> Text:
        """Return the title of one of the clauses."""
        return next((title for title, each in self.parts if each is clause), untranslated(clause.name))

    def said(self, finding: Finding) -> Text:
        """Return a finding, after the title of the clause that it is about."""
        if finding.clause is None:
            return finding.text
        return Text("{clause}: {finding}", {"clause": self.title_of(finding.clause), "finding": finding.text})


def mask_trace(study: MaskStudy, layer: Layer, agreement: Agreement) -> MaskTrace:
    """Return the result of a study from the layer of its run."""
    whole, parts = clauses_of(layer)
    blocks = {size: blocks_of(whole.allowed, size) for size in BLOCK_SIZES}
    return MaskTrace(study, whole, parts, findings(whole), blocks, agreement)


def clauses_of(layer: Layer) -> tuple[Clause, tuple[tuple[Text, Clause], ...]]:
    """Return the mask of a layer whose masks are known, and its clauses with their titles."""
    own, operands = [], []
    titles: dict[int, Text] = {}
    for mask, state in layer.masks or ():
        if mask is OWN:
            own.append(state)
        else:
            clause = Clause(mask.name, _evaluated(layer, mask, state))
            titles[id(clause)] = Text(mask.title)
            operands.append(clause)
    for clause in own:  # its own operands of "and" are those of the whole
        operands += clause.clauses if clause.does == "and" else [clause]
    if len(operands) == 1:
        whole = operands[0]
    else:
        allowed = np.ones((1, 1, *layer.weights.shape[2:]), bool)
        for clause in operands:
            allowed = allowed & clause.allowed
        whole = Clause("", read_only(allowed), "and" if operands else "", tuple(operands))
    below = tuple(each for each in whole.walk() if each is not whole)
    return whole, tuple((titles.get(id(each)) or untranslated(each.name), each) for each in below)


def _evaluated(layer: Layer, mask: Mask, state: object) -> Allowed:
    """Return a mask as (1 or B, 1 or h, Q, K)."""
    items, heads, queries, keys = layer.weights.shape
    b, h, i, j = (np.arange(size, dtype=np.int32) for size in (items, heads, queries, keys))
    allowed = np.asarray(mask.allows(state, b[:, None, None, None], h[:, None, None], i[:, None], j, NUMPY))
    leading = (1,) * (4 - allowed.ndim) + allowed.shape
    return read_only(np.array(np.broadcast_to(allowed.reshape(leading), (*leading[:2], queries, keys))))
