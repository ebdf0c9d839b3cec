"""The plain sentence about a stage of kernel regression, for a chosen query, with the trace's numbers.

Queries and training points are named by their x; a point whose x occurs twice also has its number, counted from one.
With a key chosen the sentence is about that point, else about the query's nearest or heaviest one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.empty_rows import EMPTY_ROW_POLICIES, EmptyRowPolicy
from attnviz.definitions.functions.kernels import KERNELS
from attnviz.definitions.text import English, One, Text, number_said, percent_said
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import RegressionViewSettings, StageName
from attnviz.experiment.view_settings import Chosen

_X_DIGITS = 4
_EQUAL = 1e-6
"""The relative difference up to which weights are equal except for rounding."""


def sentence_of(trace: RegressionTrace, view: RegressionViewSettings, chosen: Chosen) -> Text:
    """Return the sentence about a view of a trace, by default about its middle query.

    The head is that of the view, 0 for the average of all; ``chosen`` names the query and the key.
    """
    if view.page == "learning" and trace.spec.trains:
        return _learning(trace)
    queries, points = trace.weights.shape
    subject = _Subject(
        trace=trace,
        shown=view.shown_of(trace),
        head=view.head if trace.num_heads > 1 else 0,
        query=queries // 2 if chosen.query is None else min(chosen.query, queries - 1),
        key=None if chosen.key is None else min(chosen.key, points - 1),
    )
    return _SENTENCES[view.stage](subject)


def _learning(trace: RegressionTrace) -> Text:
    """Return the progress of the training, whatever is chosen."""
    w = trace.w_path[trace.step]
    if len(w) == 1:
        width = number_said(1 / abs(float(w[0])) if w[0] else float("inf"))
        now = Text("w is {w}, the kernel's width {width}", {"w": number_said(float(w[0])), "width": width})
    else:
        reach = {"low": number_said(float(w.min())), "high": number_said(float(w.max()))}
        now = Text("the w of {heads} heads are from {low} to {high}", {"heads": len(w), **reach})
    if not trace.step:
        return Text("Before the first step {now}.", {"now": now})
    loss = number_said(float(trace.loss[trace.step - 1]))
    return Text(
        "After {count} steps {now}; the loss before the last step was {loss}.",
        {"count": trace.step, "now": now, "loss": loss},
        "After {count} step {now}; the loss before it was {loss}.",
    )


@dataclass(frozen=True, eq=False)
class _Subject:
    """A query of a trace, and optionally a training point."""

    trace: RegressionTrace
    shown: RegressionTrace
    """The trace of the chosen head, or the whole for the average."""
    head: int
    query: int
    key: int | None

    @property
    def count(self) -> int:
        return len(self.trace.x_train)

    @property
    def x(self) -> float:
        return float(self.trace.x_test[self.query])

    @property
    def weights(self) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = self.shown.weights[self.query]
        return weights

    @cached_property
    def nearest(self) -> int:
        """The nearest training point."""
        return int(np.abs(self.x - self.trace.x_train).argmin())

    @property
    def is_empty(self) -> bool:
        return bool(self.shown.empty_rows[self.query])

    @property
    def policy(self) -> EmptyRowPolicy:
        """The policy for a query without a training point in reach."""
        return EMPTY_ROW_POLICIES[self.trace.spec.mask_policy]

    @property
    def values(self) -> dict[str, Any]:
        """The values available to every sentence."""
        points = Text("{count} points", {"count": self.count}, "{count} point")
        return {"x": number_said(self.x, _X_DIGITS), "count": self.count, "points": points}

    def point(self, key: int) -> Text:
        """Return the name of a training point."""
        x = float(self.trace.x_train[key])
        values = {"x": number_said(x, _X_DIGITS), "number": SCREEN.number(key)}
        close = self.trace.x_train[np.abs(self.trace.x_train - x) <= abs(x) * 10.0 ** (1 - _X_DIGITS)]
        repeated = sum(number_said(float(other), _X_DIGITS) == values["x"] for other in close[:100]) > 1
        return Text("x = {x} (point {number})" if repeated else "x = {x}", values)

    def say(self, template: English, one: One = "", **values: Any) -> Text:
        """Return a sentence about the weights; if they are learned it begins with the step and the w.

        ``one`` is the template for a single training point.
        """
        return self.say_text(Text(template, self.values | values, one))

    def say_text(self, sentence: Text) -> Text:
        """Return a complete sentence likewise."""
        origin = self._origin()
        return Text("{origin}: {sentence}", {"origin": origin, "sentence": sentence}) if origin else sentence

    def _origin(self) -> Text | None:
        trace = self.trace
        if not trace.spec.trains:
            return None
        values: dict[str, Any] = {"step": trace.step, "steps": trace.spec.epochs, "heads": trace.num_heads}
        when = "step {step} of {steps}"
        if trace.step == 0:
            when = "random start" if trace.spec.w_init is None else "before training"
        now = {"when": Text(when, values), "w": number_said(self.shown.w_now or 0.0)}
        if trace.num_heads == 1:
            return Text("{when}, w = {w}", now)
        if self.head:
            return Text("{when}, head {head}, w = {w}", now | {"head": self.head})
        return Text("{when}, average of {heads} heads", now | values)


def _differences(subject: _Subject) -> Text:
    trace = subject.trace
    key = subject.nearest if subject.key is None else subject.key
    difference = subject.x - float(trace.x_train[key])
    values = subject.values | {
        "point": subject.point(key),
        "difference": number_said(difference, _X_DIGITS),
        "distance": number_said(abs(difference), _X_DIGITS),
        "far": number_said(float(np.abs(subject.x - trace.x_train).max()), _X_DIGITS),
    }
    if subject.key is not None:
        return Text("Query x = {x} minus the training point {point} is {difference}.", values)
    return Text(
        "Query x = {x} is {distance} from the nearest of {count} training points, {point}, and {far} from the "
        "farthest.",
        values,
        "Query x = {x} is {distance} from the one training point, {point}.",
    )


def _kernel(subject: _Subject) -> Text:
    shown, spec = subject.shown, subject.trace.spec
    heights = shown.kernel_values[subject.query]
    key = subject.nearest if subject.key is None else subject.key
    if spec.own_overlay.is_average:
        return subject.say(
            "the average has no kernel: each of the {count} training points has the height 1.",
            "the average has no kernel: the one training point has the height 1.",
        )
    named = {"point": subject.point(key)}
    values: dict[str, Any] = {
        "kernel": Text(KERNELS[spec.kernel].title),
        "height": number_said(heights[key]),
        "the_point": Text("the nearest point, {point}," if subject.key is None else "the point {point}", named),
        "reached": np.count_nonzero(heights > 0),
        "width": number_said(spec.width),
    }
    if spec.own_overlay.may_miss:
        return subject.say(
            "the {kernel} of width {width} at x = {x} reaches {reached} of {points}; {the_point} has the height "
            "{height}.",
            **values,
        )
    if subject.trace.num_heads > 1 and not subject.head:
        return subject.say("at x = {x}, {the_point} has the height {height}.", **values)
    u = (subject.x - subject.trace.x_train[key]) * (shown.w_now if spec.trains else 1 / spec.width)
    values["u"] = number_said(float(u))
    return subject.say("at x = {x}, {the_point} has u = {u} and the height {height}.", **values)


def _weights(subject: _Subject) -> Text:
    weights = subject.weights
    if subject.is_empty:
        policy = subject.policy
        acted = {"policy": Text(policy.title), "weight": number_said(weights[0])}
        return subject.say_text(replace(policy.points, values=subject.values | acted))
    if not np.isfinite(weights).all():
        return subject.say(
            "the {count} weights of x = {x} are NaN (not a number): the training diverged.",
            "the one weight of x = {x} is NaN (not a number): the training diverged.",
        )
    most = np.flatnonzero(weights >= weights.max() * (1 - _EQUAL))
    about = int(most[0]) if subject.key is None else subject.key
    values: dict[str, Any] = {
        "point": subject.point(about),
        "share": percent_said(weights[about]),
        "reached": np.count_nonzero(weights),
        "ties": len(most),
        "rank": 1 + np.count_nonzero(weights > weights[about]),
    }
    if about in most and len(most) == values["reached"] > 1:
        return subject.say(
            "query x = {x} spreads its attention evenly over {reached} of {points}, {share} each.", **values
        )
    if about in most and len(most) > 1:
        return subject.say(
            "query x = {x} gives {share} of its attention to each of {ties} points of {count}, {point} among them, the "
            "most.",
            **values,
        )
    return subject.say("query x = {x} gives {share} of its attention to {point}, number {rank} of {points}.", **values)


def _pooling(subject: _Subject) -> Text:
    shown, trace = subject.shown, subject.trace
    prediction, truth = float(shown.y_hat[subject.query]), float(trace.y_truth[subject.query])
    values: dict[str, Any] = {"y": number_said(prediction), "truth": Text()}
    if np.isfinite(truth):
        values["truth"] = Text(" (truth {value})", {"value": number_said(truth)})
    if subject.is_empty and not (np.isfinite(prediction) and subject.weights.any()):
        return subject.say("no training point is in reach of x = {x}, so the curve has a gap there.")
    if subject.is_empty:
        values["policy"] = Text(subject.policy.title)
        return subject.say(
            "no training point is in reach of x = {x}: the policy {policy} predicts {y}{truth}, the mean of all "
            "{count} outputs.",
            "no training point is in reach of x = {x}: the policy {policy} predicts {y}{truth}, the one output.",
            **values,
        )
    if not np.isfinite(prediction):
        return subject.say("f({x}) is not finite (NaN or infinite): the training diverged.")
    key = int(np.abs(shown.contributions[subject.query]).argmax()) if subject.key is None else subject.key
    values |= {
        "point": subject.point(key),
        "part": number_said(shown.contribution(subject.query, key)),
        "share": percent_said(subject.weights[key]),
        "output": number_said(float(trace.y_train[key])),
    }
    if subject.key is None:
        return subject.say(
            "f({x}) = {y}{truth}; {point} adds {part}, the largest part of {points}: {share} of y = {output}.", **values
        )
    return subject.say("f({x}) = {y}{truth}; {point} adds {part}: {share} of y = {output}.", **values)


_SENTENCES: dict[StageName, Callable[[_Subject], Text]] = {
    "differences": _differences,
    "kernel": _kernel,
    "weights": _weights,
    "pooling": _pooling,
}
