"""Checks of attention sentences: their numbers are in the trace's arrays, and their phrases are true."""

from collections.abc import Callable
from typing import Any

import numpy as np
from plain_numpy import slopes_of
from sentence_reader import Numbers, check, position


class AttentionRow:
    """The arrays of a trace at the cell of a view."""

    def __init__(self, trace: Any, view: Any, words: dict[str, str]) -> None:
        self.trace, self.spec, self.stage = trace, trace.spec, "weights" if trace.is_given else view.drawn
        self.query = trace.weights.shape[2] - 1 if view.query is None else view.query
        self.place = view.item, view.head, self.query
        before = trace.scores if self.stage in ("scores", "features", "capped_scores") else trace.unmasked_scores
        self.w, self.d, self.s, self.fills, self.out = (
            np.asarray(array[self.place], np.float64)
            for array in (trace.weights, trace.dropped_weights, before, trace.masked_scores, trace.heads)
        )
        self.mask = np.asarray(trace.mask[self.place])
        self.final = np.asarray(trace.output[view.item, self.query], np.float64)
        self.shown = self.mask | (self.w > 0)
        chosen = int(np.nan_to_num(self.w).argmax()) if view.key is None else view.key
        self.key = position(words["key"], trace.key_tokens, self.query) if "key" in words else chosen
        pooled = np.count_nonzero(np.nan_to_num(self.d))
        assert view.key is None or self.key == chosen or pooled == 1, "another key than the chosen one is named"

    @property
    def numbers(self) -> Numbers:
        """The numbers that may occur in a sentence about the row."""
        trace, spec, (item, head, query) = self.trace, self.spec, self.place
        w, d = self.w, self.d
        shares = [*w, *d, w.sum(), d.sum(), 1 - w.sum(), w[~self.mask].sum()]
        shown = [*shares, *self.s, *self.fills, *self.out, *np.sort(self.final)[[0, -1] if self.final.size else []]]
        knobs = [value for knobs in spec.score_steps.values() for value in knobs.values()]
        shown += [spec.dropout, 1 / (1 - min(spec.dropout, 0.99)), *knobs]
        shown += [np.tanh(self.s[self.key] / cap) * cap for cap in knobs if cap]
        shown += [slopes_of(spec.num_heads)[head]] if spec.mechanism == "alibi" else []
        if self.stage in ("norm", "rotate"):
            pair = trace.before[self.stage]
            vectors = [
                pair[0][item, head, query],
                trace.q[item, head, query],
                pair[1][item, head % len(pair[1][item]), self.key],
            ]
            for vector in np.asarray(vectors, np.float64):
                shown += [*vector, length := float(np.sqrt((vector**2).sum()))]
                shown.append(length / float(np.sqrt((vector**2).mean() + 1e-6)))
        if self.stage == "features":
            shown += [trace.features[item, query, self.key].min(), trace.features[item, query, self.key].max()]
        arrays = [value for value in vars(trace.layer).values() if isinstance(value, np.ndarray)]
        counts = {size for array in (*arrays, *trace.parameters.values()) for size in array.shape} | {head + 1, 1}
        width = trace.v.shape[-1] if self.stage == "merge" else trace.q.shape[-1]
        counts |= {head * width + 1, (head + 1) * width, 1 + width // 2, *range(2 + len(w)), query, query + 1}
        counts |= {int((array == 0).sum()) for array in (w, d, self.mask)} | {abs(query - self.key), self.key + 1}
        counts |= {int(value) for knobs in spec.masks.values() for value in knobs.values()}
        return Numbers(shares, shown, counts)


PHRASES: dict[str, Callable[[AttentionRow], Any]] = {
    "turns the largest of": lambda k: k.s[k.key] == k.s.max(),
    "The sink takes": lambda k: "sink" in k.spec.score_steps,
    "the sink takes all": lambda k: "sink" in k.spec.score_steps and not k.w.any(),
    "evenly": lambda k: np.ptp(k.w[k.shown]) <= 2e-6 * k.w.max(),
    "the most of its|the one of|is the largest of": lambda k: k.w[k.key] >= k.w.max() * (1 - 2e-6),
    "to one key alone": lambda k: k.shown.sum() == 1,
    "may attend to no key": lambda k: not k.mask.any(),
    "so .* weight is": lambda k: np.isnan(k.w).all() or (np.ptp(k.w) == 0 and (k.fills == k.fills[0]).all()),
    "sets its .* to 0": lambda k: k.spec.mask_policy == "zero" and not k.w.any(),
    "attends to no key": lambda k: not k.w.any(),
    "is masked": lambda k: not k.mask[k.key],
    "not far below": lambda k: k.w[~k.mask].any(),
    "not to 1": lambda k: abs(k.w.sum() - 1) > 0.02,
    "sets the weight": lambda k: k.d[k.key] == 0,
    "the mask keeps": lambda k: k.mask[k.key] and k.fills[k.key] == k.s[k.key],
    "No mask is on|no mask forbids": lambda k: k.mask.all(),
    "the score of .* becomes": lambda k: np.flatnonzero(~k.mask).tolist() == [k.key],
    "pools no value": lambda k: not np.nan_to_num(k.d).any(),
    "pools no value .* head": lambda k: not k.out.any(),
    "its output is .* 0": lambda k: not k.final.any(),
    "what head .* not finite": lambda k: not np.isfinite(k.out).all(),
    "output .* not finite": lambda k: not np.isfinite(k.final).all(),
    "compared as they are": lambda k: k.trace.queries.shape[-1] == k.trace.keys.shape[-1],
    "compared through": lambda k: k.trace.spec.mechanism == "bilinear",
}


def read_attention(text: Any, trace: Any, view: Any) -> None:
    """Check the numbers and phrases of a sentence about a view against the trace; raise if one is not true."""
    row = check(text, PHRASES, lambda words: AttentionRow(trace, view, words))
    pooled, (_, head, query) = row.stage in ("heads", "output"), row.place
    of_key = {"share": row.d if pooled else row.w, "score": row.s}
    known: dict[str, Any] = {
        name: float(values[row.key]) for name, values in of_key.items() if values.size and row.w.any()
    }
    known |= {"head": head + 1, "allowed": int(row.mask.sum()), "dtype": row.spec.dtype}
    known["query"] = lambda name: position(name.partition(" in head ")[0], trace.query_tokens, -1) == query
    known |= {"name": known["query"]} if row.stage == "project" and view.split == "q" else {}
    ranked = row.s if row.stage == "scores" else np.where(row.shown, row.w, -1)
    known["rank"] = 1 + int((ranked > ranked[row.key]).sum())
    row.numbers.check(text, known)
