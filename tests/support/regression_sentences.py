"""Checks of regression sentences: their numbers are in the trace's arrays, and their phrases are true."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from sentence_reader import Numbers, check, same, words_of


class RegressionRow:
    """The arrays of a regression trace at a query, for one head or the average of all (head 0)."""

    def __init__(self, trace: Any, view: Any, words: dict[str, str]) -> None:
        head, query = view.head, trace.weights.shape[0] // 2 if view.query is None else view.query
        one = head > 0 and trace.num_heads > 1
        self.trace, self.spec, self.chosen, self.query, self.head = trace, trace.spec, view.key, query, head
        self.x, self.keys, self.y = trace.x_test[query], trace.x_train, trace.y_train
        self.w = trace.head_weights[head - 1][query] if one else trace.weights[query]
        heights = trace.head_kernel_values
        self.k = heights[head - 1][query] if one else np.einsum("h,hk->k", trace.shares, heights[:, query])
        self.f = trace.head_y_hat[head - 1][query] if one else trace.y_hat[query]
        self.factor = trace.w_path[trace.step, max(head - 1, 0)] if trace.w_path.size else 1 / trace.spec.width
        self.is_empty = trace.spec.own_overlay.may_miss and not (self.k > 0).any()
        self.key = self.at(words["point"]) if "point" in words else int(np.nan_to_num(self.w).argmax())
        assert "point" not in words or self.chosen in (None, self.key), "another point than the chosen one is named"

    def at(self, name: str) -> int:
        """The training point with a name."""
        x, _, rest = name.removeprefix("x = ").partition(" (point ")
        near = [place for place, key in enumerate(self.keys) if same(x, key, 4)]
        assert near, name
        if rest:
            assert int(rest.rstrip(")")) - 1 in near, name
            return int(rest.rstrip(")")) - 1
        return self.chosen if self.chosen in near else near[0]

    @property
    def numbers(self) -> Numbers:
        """The numbers that may occur in a sentence about the row."""
        far, trace, spec = self.keys - self.x, self.trace, self.spec
        shown = [*self.w, *self.k, *self.y, *(self.w * self.y), *self.keys, *far, *-far, *(-far * self.factor)]
        shown += [self.x, self.f, trace.y_truth[self.query], self.factor, spec.width]
        counts = {trace.step, spec.epochs, trace.num_heads, self.head, *range(1 + len(self.keys))}
        return Numbers(self.w, shown, counts)


PHRASES: dict[str, Callable[[RegressionRow], Any]] = {
    "nearest|the one training point, x": lambda k: (
        abs(k.keys[k.key] - k.x) <= np.abs(k.keys - k.x).min() * (1 + 1e-3) + 1e-9
    ),
    "has no kernel": lambda k: (k.k == 1).all(),
    "no training point is in reach": lambda k: k.is_empty,
    "curve has a gap": lambda k: not np.isfinite(k.f) or not k.w.any(),
    "sets its .* to 0": lambda k: k.spec.mask_policy == "zero" and not k.w.any(),
    "makes its .* equal": lambda k: k.spec.mask_policy == "book" and np.ptp(k.w) == 0,
    "makes its .* NaN": lambda k: k.spec.mask_policy == "inf" and np.isnan(k.w).all(),
    "the mean of all|the one output": lambda k: abs(k.f - k.y.mean()) < 1e-6,
    "weights .* the training diverged": lambda k: not np.isfinite(k.w).all() and not k.is_empty,
    "evenly": lambda k: np.ptp(k.w[k.w > 0]) <= 2e-6,
    "the most\\.": lambda k: k.w[k.key] >= k.w.max() * (1 - 2e-6),
    "adds .* the largest part": lambda k: np.abs(k.w * k.y)[k.key] == np.abs(k.w * k.y).max(),
    "not finite \\(": lambda k: not np.isfinite(k.f),
    "Random start|Before training": lambda k: k.trace.step == 0,
}


def read_regression(text: Any, trace: Any, view: Any) -> None:
    """Check the numbers and phrases of a sentence about a view against the trace; raise if one is not true."""
    read = dict(words_of(text))
    begins = re.match("Random start|Before training|Step ", text.text) is not None
    assert begins == (trace.spec.trains and view.stage != "differences"), text.text
    row = check(text, PHRASES, lambda words: RegressionRow(trace, view, words))
    assert "y" not in read or ("value" in read) == np.isfinite(trace.y_truth[row.query])
    if view.stage == "weights" and view.key is None and "rank" in read:
        assert read["rank"] == "1", text.text
    at_key = {"share": row.w[row.key], "height": row.k[row.key], "part": row.w[row.key] * row.y[row.key]}
    row.numbers.check(text, at_key | {"y": row.f, "w": row.factor})
