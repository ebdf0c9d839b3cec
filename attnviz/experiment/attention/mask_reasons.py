"""Why a cell is masked: the rules of a spec that forbid it, as codes with their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from attnviz.experiment.attention import painted
from attnviz.experiment.attention.document_lens import document_of
from attnviz.experiment.attention.spec import AttentionSpec

SENTENCES = {
    "causal": "causal",
    "valid_length": "beyond valid length {length}",
    "window": "outside the window of {window}",
    "document": "another document ({of_query} and {of_key})",
    "painted": "painted",
    "given": "by the mask that was given",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule that forbids a cell; ``code`` is a key of `SENTENCES`."""

    code: str
    numbers: Mapping[str, int]

    @property
    def sentence(self) -> str:
        """The reason in English."""
        return SENTENCES[self.code].format(**self.numbers)


def reasons_at(spec: AttentionSpec, item: int, query: int, key: int) -> tuple[Reason, ...]:
    """Return every rule of a spec that forbids a cell of a batch item; none where the query may attend to the key.

    Of given weights only their mask is known, which is asked whether a cell is masked before this is asked why.
    """
    if spec.is_given:
        return (Reason("given", {}),)
    reasons = []
    if spec.causal and key > query:
        reasons.append(Reason("causal", {}))
    if spec.valid_lens is not None:
        row = spec.valid_lens[item]
        length = row[query] if isinstance(row, tuple) else row
        if key >= length:
            reasons.append(Reason("valid_length", {"length": length}))
    if spec.window is not None and abs(query - key) >= spec.window:
        reasons.append(Reason("window", {"window": spec.window}))
    if spec.document_lens is not None:
        of_query, of_key = document_of(spec.document_lens, query), document_of(spec.document_lens, key)
        if of_query != of_key:
            reasons.append(Reason("document", {"of_query": of_query, "of_key": of_key}))
    if painted.forbids(spec.painted, query, key):
        reasons.append(Reason("painted", {}))
    return tuple(reasons)
