"""What each word and each phrase of the sentences of regression must be, worked out anew from a trace's arrays."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from sentence_reader import check, counted, same, words_of

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.fields.knob import MASK_POLICIES

Word = Callable[["RegressionKnown", str], Any]


class RegressionKnown:
    """What the arrays of a regression trace hold at a query, for one head or the average of all (head 0)."""

    def __init__(self, trace: Any, view: Any, words: dict[str, str]) -> None:
        head, query = view.head, trace.weights.shape[0] // 2 if view.query is None else view.query
        one = head > 0 and trace.num_heads > 1
        self.trace, self.spec, self.chosen, self.query, self.head = trace, trace.spec, view.key, query, head
        self.x, self.keys, self.y = trace.x_test[query], trace.x_train, trace.y_train
        self.w = trace.head_weights[head - 1][query] if one else trace.weights[query]
        heights = trace.head_kernel_values
        self.k = heights[head - 1][query] if one else np.einsum("h,hk->k", trace.shares, heights[:, query])
        self.f = trace.head_y_hat[head - 1][query] if one else trace.y_hat[query]
        self.factor = trace.w_path[trace.step, max(head - 1, 0)] if trace.w_path.size else None
        self.is_empty = trace.spec.own_overlay.may_miss and not (self.k > 0).any()
        self.key = self.at(words["point"]) if "point" in words else int(np.nan_to_num(self.w).argmax())

    def at(self, name: str) -> int:
        """The training point that a name means."""
        x, _, rest = name.removeprefix("x = ").partition(" (point ")
        near = [place for place, key in enumerate(self.keys) if same(x, key, 4)]
        assert near, name
        if rest:
            assert int(rest.rstrip(")")) - 1 in near, name
            return int(rest.rstrip(")")) - 1
        return self.chosen if self.chosen in near else near[0]

    @property
    def is_nearest(self) -> bool:
        return bool(abs(self.keys[self.key] - self.x) <= np.abs(self.keys - self.x).min() * (1 + 1e-3) + 1e-9)

    @property
    def u(self) -> float:
        return float((self.x - self.keys[self.key]) * (1 / self.spec.width if self.factor is None else self.factor))


_DIGITS = {"x": 4, "distance": 4, "difference": 4, "far": 4}
WORDS: dict[str, Word] = {
    "step": lambda k, t: k.trace.step,
    "steps": lambda k, t: k.spec.epochs,
    "heads": lambda k, t: k.trace.num_heads,
    "head": lambda k, t: k.head,
    "w": lambda k, t: float(k.factor),
    "x": lambda k, t: float(k.x),
    "count": lambda k, t: len(k.keys),
    "points": lambda k, t: counted(len(k.keys), "points"),
    "point": lambda k, t: k.chosen in (None, k.key),
    "distance": lambda k, t: float(np.abs(k.keys - k.x).min()),
    "difference": lambda k, t: float(k.x - k.keys[k.key]),
    "far": lambda k, t: float(np.abs(k.keys - k.x).max()),
    "kernel": lambda k, t: t.casefold() == KERNELS[k.spec.kernel].title.casefold(),
    "width": lambda k, t: float(k.spec.width),
    "height": lambda k, t: float(k.k[k.key]),
    "u": lambda k, t: k.u,
    "weight": lambda k, t: float(k.w[0]),
    "share": lambda k, t: float(k.w[k.key]),
    "policy": lambda k, t: t.casefold() == MASK_POLICIES[k.spec.mask_policy].casefold(),
    "rank": lambda k, t: 1 + int((k.w > k.w[k.key]).sum()),
    "ties": lambda k, t: int((k.w >= k.w.max() * (1 - 1e-6)).sum()),
    "y": lambda k, t: float(k.f),
    "value": lambda k, t: float(k.trace.y_truth[k.query]),
    "part": lambda k, t: float(k.w[k.key] * k.y[k.key]),
    "output": lambda k, t: float(k.y[k.key]),
}
PHRASES: dict[str, Callable[[RegressionKnown], Any]] = {
    "nearest|the one training point, x": lambda k: k.is_nearest,
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
    """Check the words and phrases of a sentence about a view against the trace; raises where one is not true."""
    read, known = dict(words_of(text)), RegressionKnown(trace, view, {})
    begins = re.match("Random start|Before training|Step ", text.text) is not None
    assert begins == (trace.spec.trains and view.stage != "differences"), text.text
    assert "y" not in read or ("value" in read) == np.isfinite(trace.y_truth[known.query])
    if view.stage == "weights" and view.key is None and "rank" in read:
        assert read["rank"] == "1", text.text
    reached = {"reached": lambda k, t: int(np.count_nonzero(k.w if view.stage == "weights" else k.k > 0))}
    check(text, WORDS | reached, PHRASES, lambda words: RegressionKnown(trace, view, words), _DIGITS)
