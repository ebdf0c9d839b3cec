"""What the sentences of regression may say, and how each is checked against a trace's arrays."""

import re
from typing import Any

import numpy as np
from sentence_reader import NUMBER, Check, matched, same, same_share


class RegressionKnown:
    """What the arrays of a regression trace hold at a query, for one head or the average of all (head 0)."""

    def __init__(self, trace: Any, head: int, query: int, key: int | None) -> None:
        one = head > 0 and trace.num_heads > 1
        self.trace, self.spec, self.key, self.query = trace, trace.spec, key, query
        self.x, self.keys, self.y = trace.x_test[query], trace.x_train, trace.y_train
        self.w = trace.head_weights[head - 1][query] if one else trace.weights[query]
        heights = trace.head_kernel_values
        self.k = heights[head - 1][query] if one else np.einsum("h,hk->k", trace.shares, heights[:, query])
        self.f = trace.head_y_hat[head - 1][query] if one else trace.y_hat[query]
        self.factor = trace.w_path[trace.step, max(head - 1, 0)] if trace.w_path.size else None
        self.is_empty = trace.spec.own_overlay.may_miss and not (self.k > 0).any()

    def at(self, t: dict[str, str]) -> bool:
        return same(t["x"], self.x, 4)

    def point(self, name: str) -> int:
        x, _, rest = name.removeprefix("x = ").partition(" (point ")
        near = [place for place, key in enumerate(self.keys) if same(x, key, 4)]
        assert near, name
        found = int(rest.rstrip(")")) - 1 if rest else near[0]
        assert found in near, name
        if not rest:  # another one rounds to the same digits only at a half
            assert self.key is None or self.key in near, name
            return self.key if self.key is not None else found
        assert self.key in (None, found), name
        return found

    def nearest(self, name: str) -> bool:
        return bool(abs(self.keys[self.point(name)] - self.x) <= np.abs(self.keys - self.x).min() * (1 + 1e-3) + 1e-9)

    def adds(self, t: dict[str, str]) -> bool:
        key = self.point(t["p"])
        return same(t["part"], self.w[key] * self.y[key]) and same_share(t["share"], self.w[key])

    def predicts(self, t: dict[str, str]) -> bool:
        truth = self.trace.y_truth[self.query]
        said = re.fullmatch(rf" \(truth ({NUMBER})\)", t["truth"])
        right = same(said[1], truth) if said else not np.isfinite(truth)
        return self.at(t) and same(t["y"], self.f) and right


_AT = "query x = {x:num}"
_CLOSE = "{p:point}"
DIFFERENCES: dict[str, Check] = {
    "Query x = {x:num} is exactly at the training point {p:point}: the distance is 0.": lambda k, t: (
        k.at(t) and k.keys[k.point(t["p"])] == k.x
    ),
    "Query x = {x:num} is {far:num} to the right of the training point {p:point}.": lambda k, t: (
        k.at(t) and k.x > k.keys[k.key] and same(t["far"], k.x - k.keys[k.point(t["p"])], 4)
    ),
    "Query x = {x:num} is {far:num} to the left of the training point {p:point}.": lambda k, t: (
        k.at(t) and k.x < k.keys[k.key] and same(t["far"], k.keys[k.point(t["p"])] - k.x, 4)
    ),
    "Query x = {x:num} is {near:num} from the one training point, {p:point}.": lambda k, t: (
        k.at(t) and len(k.keys) == 1 and same(t["near"], abs(k.x - k.keys[0]), 4)
    ),
    "Query x = {x:num} is {near:num} from the nearest of {n:int} training points, {p:point}, and {far:num} from the "
    "farthest.": lambda k, t: (
        k.at(t)
        and k.nearest(t["p"])
        and same(t["near"], np.abs(k.keys - k.x).min(), 4)
        and same(t["far"], np.abs(k.keys - k.x).max(), 4)
        and int(t["n"]) == len(k.keys)
    ),
}


def _u(k: RegressionKnown, t: dict[str, str]) -> bool:
    key = k.point(t["p"])
    factor = k.factor if k.factor is not None else 1 / k.spec.width
    return k.at(t) and same(t["u"], (k.x - k.keys[key]) * factor) and same(t["height"], k.k[key])


def _reach(k: RegressionKnown, t: dict[str, str]) -> bool:
    reached = int(t.get("reached", 0)) == (k.k > 0).sum() and int(t["n"]) == len(k.keys)
    return k.at(t) and reached and same(t["width"], k.spec.width)


_KERNEL = "he {kernel:text} of width {width:num} at x = {x:num} reaches "
KERNEL: dict[str, Check] = {
    "The average has no kernel: each of the {n:int} training points has the height 1.": lambda k, t: (
        int(t["n"]) == len(k.keys) and (k.k == 1).all()
    ),
    "the heights at x = {x:num} are NaN (not a number): w is not finite.": lambda k, t: not np.isfinite(k.k).all(),
    f"T{_KERNEL}none of the {{n:int}} training points.": _reach,
    f"T{_KERNEL}{{reached:int}} of {{n:int}} points; the nearest point, {_CLOSE}, has the height {{height:num}}.": (
        lambda k, t: _reach(k, t) and k.nearest(t["p"]) and same(t["height"], k.k[k.point(t["p"])])
    ),
    f"T{_KERNEL}{{reached:int}} of {{n:int}} points; the point {_CLOSE} has the height {{height:num}}.": (
        lambda k, t: _reach(k, t) and same(t["height"], k.k[k.point(t["p"])])
    ),
    "at x = {x:num}, the nearest point, {p:point}, has u = {u:num} and the height {height:num}.": (
        lambda k, t: _u(k, t) and k.nearest(t["p"])
    ),
    "at x = {x:num}, the point {p:point} has u = {u:num} and the height {height:num}.": _u,
    "at x = {x:num}, the nearest point, {p:point}, has the height {height:num}.": lambda k, t: (
        k.at(t) and k.nearest(t["p"]) and same(t["height"], k.k[k.point(t["p"])])
    ),
    "at x = {x:num}, the point {p:point} has the height {height:num}.": lambda k, t: (
        k.at(t) and same(t["height"], k.k[k.point(t["p"])])
    ),
}
_NONE = "no training point is in reach of x = {x:num}"


def _most(k: RegressionKnown, t: dict[str, str]) -> bool:
    key = k.point(t["p"])
    return k.at(t) and k.w[key] >= k.w.max() * (1 - 2e-6) and same_share(t["share"], k.w[key])


REGRESSION_WEIGHTS: dict[str, Check] = {
    f"{_NONE}: its {{n:int}} weights are NaN (not a number).": lambda k, t: (
        k.at(t) and k.is_empty and np.isnan(k.w).all() and int(t["n"]) == k.w.size
    ),
    f"{_NONE}: the fill gives all {{n:int}} the same weight, {{share:share}}.": lambda k, t: (
        k.at(t) and k.is_empty and same_share(t["share"], 1 / k.w.size) and np.ptp(k.w) == 0
    ),
    f"{_NONE}, so its {{n:int}} weights are all 0.": lambda k, t: (
        k.at(t) and k.is_empty and not k.w.any() and int(t["n"]) == k.w.size
    ),
    "the {n:int} weights of x = {x:num} are NaN (not a number): the training diverged.": lambda k, t: (
        k.at(t) and not np.isfinite(k.w).all() and not k.is_empty
    ),
    f"{_AT} gives all its attention, {{share:share}}, to the one training point, {_CLOSE}.": lambda k, t: (
        k.at(t) and k.w.size == 1 and same_share(t["share"], k.w[0])
    ),
    f"{_AT} spreads its attention evenly over all {{n:int}} training points, {{share:share}} each.": lambda k, t: (
        k.at(t) and int(t["n"]) == k.w.size and np.ptp(k.w) <= 2e-6 and same_share(t["share"], k.w.max())
    ),
    f"{_AT} gives {_CLOSE} no attention: its weight is 0; {{n:int}} of {{all:int}} points have some.": lambda k, t: (
        k.w[k.point(t["p"])] == 0 and (int(t["n"]), int(t["all"])) == (np.count_nonzero(k.w), k.w.size)
    ),
    f"{_AT} gives {{share:share}} of its attention to {_CLOSE}, rank {{rank:int}} of {{n:int}} points.": lambda k, t: (
        k.at(t)
        and same_share(t["share"], k.w[k.point(t["p"])])
        and int(t["rank"]) == 1 + sum(k.w > k.w[k.key])
        and int(t["n"]) == k.w.size
    ),
    f"{_AT} spreads its attention evenly over the {{n:int}} of {{all:int}} points in reach, {{share:share}} each.": (
        lambda k, t: (
            k.at(t)
            and np.ptp(k.w[k.w > 0]) <= 2e-6
            and (int(t["n"]), int(t["all"])) == (np.count_nonzero(k.w), k.w.size)
            and same_share(t["share"], k.w.max())
        )
    ),
    f"{_AT} gives {{share:share}} of its attention to each of {{ties:int}} points of {{n:int}}, {_CLOSE} among them, "
    "the most.": lambda k, t: _most(k, t) and int(t["ties"]) == (k.w >= k.w.max() * (1 - 1e-6)).sum(),
    f"{_AT} gives {{share:share}} of its attention to {_CLOSE}, the most of {{n:int}} points.": lambda k, t: (
        _most(k, t) and int(t["n"]) == k.w.size
    ),
}
_F = "f({x:num}) = {y:num}{truth:text}"
POOLING: dict[str, Check] = {
    f"{_NONE}: the fill predicts the mean of all {{n:int}}, {{y:num}}{{truth:text}}.": lambda k, t: (
        k.is_empty and k.predicts(t) and same(t["y"], k.y.mean()) and int(t["n"]) == k.y.size
    ),
    f"{_NONE}, so the curve has a gap there.": lambda k, t: k.at(t) and k.is_empty,
    "f({x:num}) is not finite (NaN or infinite): the training diverged.": lambda k, t: not np.isfinite(k.f),
    f"{_F}, the mean of all {{n:int}} outputs, each with the weight {{share:share}}.": lambda k, t: (
        k.predicts(t) and same(t["y"], k.y.mean()) and same_share(t["share"], 1 / k.y.size) and int(t["n"]) == k.y.size
    ),
    f"{_F}; {_CLOSE} adds {{part:num}}, the most of {{n:int}} points: {{share:share}} of y = {{output:num}}.": (
        lambda k, t: k.predicts(t) and k.adds(t) and same(t["part"].strip("−"), np.abs(k.w * k.y).max())
    ),
    f"{_F}; {_CLOSE} adds {{part:num}}: {{share:share}} of y = {{output:num}}.": lambda k, t: (
        k.predicts(t) and k.adds(t) and same(t["output"], k.y[k.point(t["p"])])
    ),
}
REGRESSION_FORMS = {
    "differences": DIFFERENCES,
    "kernel": KERNEL,
    "weights": REGRESSION_WEIGHTS,
    "pooling": POOLING,
}
_WHEN = re.compile(
    r"(Random start|Before training|Step (\d+) of (\d+))(, average of (\d+) heads|(, head (\d+))?, w = (.+?)): "
)


def read_regression(text: str, trace: Any, view: Any) -> str:
    """Check the numbers of a sentence about a view against the trace; returns the form that the sentence has."""
    query = trace.weights.shape[0] // 2 if view.query is None else view.query
    known = RegressionKnown(trace, view.head, query, view.key)
    when = _WHEN.match(text)
    assert (when is not None) == (trace.spec.trains and view.stage != "differences"), text
    if when is not None:
        step, steps, heads, head, w = when.group(2, 3, 5, 7, 8)
        assert (step is None) == (trace.step == 0), text
        assert step is None or (int(step), int(steps)) == (trace.step, trace.spec.epochs), text
        assert heads is None or (int(heads) == trace.num_heads and view.head == 0), text
        assert head is None or int(head) == view.head, text
        assert w is None or same(w, known.factor), text
        text = text[when.end() :]
    elif re.match(r"(At|Query x = .* (gives|spreads)|No) ?", text):
        text = text[0].lower() + text[1:]
    forms = REGRESSION_FORMS[view.stage]
    found, words = matched(text, forms)
    assert forms[found](known, words), f"{view.stage}: {text}\n{found}"
    return found
