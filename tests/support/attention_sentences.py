"""What each word and each phrase of the sentences of attention must be, worked out anew from a trace's arrays."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from plain_numpy import slopes_of
from sentence_reader import check, counted, position, same, words_of

Word = Callable[["AttentionKnown", dict[str, str]], Any]


class AttentionKnown:
    """What the arrays of a trace hold at a place."""

    def __init__(self, trace: Any, view: Any, words: dict[str, str]) -> None:
        self.trace, self.spec, self.head, self.item, self.split = trace, trace.spec, view.head, view.item, view.split
        self.query = trace.weights.shape[2] - 1 if view.query is None else view.query
        place = self.item, self.head, self.query
        self.w, self.d, self.s, self.fills, self.out = (
            np.asarray(array[place], np.float64)
            for array in (trace.weights, trace.dropped_weights, trace.scores, trace.masked_scores, trace.heads)
        )
        if view.drawn == "masked_scores":
            self.s = np.asarray(trace.unmasked_scores[place], np.float64)
        self.mask = np.asarray(trace.mask[place])
        self.final = np.asarray(trace.output[self.item, self.query], np.float64)
        self.n = int(self.mask.sum())
        self.shown = self.mask | (self.w > 0)
        self.chosen = view.key
        self.key = self.at(words.get("key") or words.get("first", ""))
        self.acts = self.spec.training and self.spec.dropout > 0

    def at(self, name: str) -> int:
        """The key that a name means; without a name the one with the most weight."""
        if not re.match("“|key|itself", name):
            return int(np.nan_to_num(self.w).argmax()) if self.chosen is None else self.chosen
        return position(name, self.trace.key_tokens, self.query)

    def is_the_chosen_key(self, _: Any) -> bool:
        return self.chosen in (None, self.key) or (self.d != 0).sum() == 1

    def rank(self, of: np.ndarray, among: Any = True) -> int:
        return int(1 + sum(other > of[self.key] for other in of[np.broadcast_to(among, of.shape)]))

    def is_top(self, of: np.ndarray) -> bool:
        return bool(of[self.key] >= np.nanmax(of) * (1 - 2e-6))

    @property
    def tops(self) -> int:
        most = self.w >= self.w.max() * (1 - 1e-6)
        return int(most.sum()) if np.isfinite(self.w).all() else self.w.size

    def rules(self, key: int) -> list[str]:
        """The masks of the spec that forbid a key, but for what is painted."""
        spec, rules = self.spec, []
        if spec.causal and key > self.query:
            rules.append("causal")
        if spec.valid_lens is not None:
            length: Any = spec.valid_lens[self.item]
            length = length[self.query] if isinstance(length, tuple) else length
            rules += ["valid lengths"] if key >= length else []
        if spec.window is not None and abs(self.query - key) >= spec.window:
            rules.append("window")
        if spec.document_lens is not None:
            ends = np.cumsum(spec.document_lens)
            rules += ["documents"] if (ends <= key).sum() != (ends <= self.query).sum() else []
        return rules

    def why(self, text: str) -> bool:
        """Whether a text names the masks that forbid the key; of several keys, with how many each forbids."""
        if self.chosen is not None:
            signs = {"causal": "causal", "valid lengths": "valid length", "window": "window of"}
            signs["documents"] = "document ("
            named = [rule for rule, sign in signs.items() if sign in text]
            return (
                not self.mask[self.chosen] and named == self.rules(self.chosen) and ("painted" in text or named != [])
            )
        every = [rule for key in range(self.mask.size) for rule in self.rules(key)]
        named = dict(part.rpartition(" ")[::2] for part in text.split(", ")) if re.search(r"\d", text) else {text: ""}
        named.pop("painted by hand", None)
        if "" in named.values():
            return set(named) == set(every)
        return {name: int(count) for name, count in named.items()} == {rule: every.count(rule) for rule in set(every)}

    def how(self, text: str) -> bool:
        """Whether the divisors and features that a score is said to come from are those of the spec."""
        spec, d = self.spec, self.trace.q.shape[-1]
        own = {"additive": f"w_v times their {d} tanh features", "wordless": "Σ q · k"}
        own["rotary"] = "their dot product as rotated"
        made = own.get(spec.mechanism, "their dot product")
        made += f" ÷ √{d}" if spec.scaled and spec.mechanism != "additive" else ""
        made += " ÷ temperature" if spec.temperature != 1 else ""
        before, _, slope = text.partition(" − ")
        if spec.mechanism == "alibi" and not same(
            slope.removesuffix(" × |i − j|"), slopes_of(spec.num_heads)[self.head]
        ):
            return False
        return before == made and bool(slope) == (spec.mechanism == "alibi")

    def layers(self, names: str) -> bool:
        """Whether the matrices of these layers have one shape, as many rows as features are made of so many."""
        shapes = {self.trace.parameters[name].shape for name in names.split(", ")}
        return len(shapes) == 1

    def parts(self, text: str) -> bool:
        """Whether each layer is said to turn as many numbers into as many as its matrix does."""
        parts = re.findall(r"(\w+) turns (\w+) of (\d+) numbers? into (\d+)", text)
        return bool(parts) and all(
            self.trace.parameters[layer].shape == (int(made), int(size))
            and getattr(self.trace, kind).shape[-1] == int(size)
            for layer, kind, size, made in parts
        )

    def turned(self, array: str, half: int) -> Any:
        numbers = {"x": self.trace.unrotated_q, "y": self.trace.q}[array]
        return float(numbers[self.item, self.head, self.query, half * self.trace.q.shape[-1] // 2])

    @property
    def cap(self) -> float:
        cap: float = self.spec.score_steps["softcap"]["cap"]
        return cap

    @property
    def features(self) -> np.ndarray:
        return np.asarray(self.trace.features[self.item, self.query, self.key])


def _first_layer(k: AttentionKnown, t: dict[str, str]) -> tuple[int, int]:
    shape: tuple[int, int] = k.trace.parameters[t["layers"].split(", ")[0]].shape
    return shape


WORDS: dict[str, Word] = {
    "query": lambda k, t: position(t["query"], k.trace.query_tokens, -1) == k.query,
    "key": lambda k, t: k.is_the_chosen_key(t),
    "first": lambda k, t: k.w[k.at(t["first"])] == k.w.max(),
    "second": lambda k, t: k.w[k.at(t["second"])] >= k.w.max() * (1 - 2e-6) and t["second"] != t["first"],
    "head": lambda k, t: k.head + 1,
    "heads": lambda k, t: k.trace.num_heads,
    "dtype": lambda k, t: k.spec.dtype,
    "share": lambda k, t: float(k.w[k.key]),
    "sink": lambda k, t: max(0.0, 1 - float(k.w.sum())),
    "score": lambda k, t: float(k.s[k.key]),
    "rank": lambda k, t: k.rank(k.s, k.mask),
    "keys": lambda k, t: k.n or k.w.size,
    "count": lambda k, t: k.tops,
    "fill": lambda k, t: float(k.fills[~k.mask][0]),
    "masked": lambda k, t: float(k.w[~k.mask].sum()),
    "why": lambda k, t: k.why(t["why"]),
    "how": lambda k, t: k.how(t["how"]),
}
_GIVEN: dict[str, Word] = {
    "wrong": lambda k, t: int(np.isnan(k.w).sum()),
    "keys": lambda k, t: int(k.shown.sum()) if np.nan_to_num(k.w).any() and np.isfinite(k.w).all() else k.w.size,
    "rank": lambda k, t: k.rank(k.w),
    "weight": lambda k, t: float(k.w[k.key]),
    "total": lambda k, t: float(k.w.sum()),
}
_POOLED: dict[str, Word] = {
    "keys": lambda k, t: int(np.count_nonzero(np.nan_to_num(k.d))),
    "share": lambda k, t: float(np.nan_to_num(k.d)[k.key]),
    "count": lambda k, t: k.out.size,
    "numbers": lambda k, t: counted(k.out.size, "numbers"),
}
_SLICE: dict[str, Word] = {
    "all": lambda k, t: k.trace.merged.shape[-1],
    "count": lambda k, t: k.trace.merged.shape[-1],
    "first": lambda k, t: k.head * k.out.size + 1,
    "last": lambda k, t: (k.head + 1) * k.out.size,
}
OF_STAGES: dict[str, dict[str, Word]] = {
    "project": {
        "numbers": lambda k, t: counted(k.trace.queries.shape[-1], "numbers"),
        "layers": lambda k, t: k.layers(t["layers"]),
        "kinds": lambda k, t: len(t["kinds"].split(", ")) == len(t["layers"].split(", ")),
        "made": lambda k, t: _first_layer(k, t)[0],
        "given": lambda k, t: counted(_first_layer(k, t)[1], "numbers"),
        "parts": lambda k, t: k.parts(t["parts"]),
    },
    "split": {
        "name": lambda k, t: k.split.upper(),
        "count": lambda k, t: getattr(k.trace, k.split).shape[-1],
        "all": lambda k, t: getattr(k.trace, f"projected_{k.split}").shape[-1],
        "first": lambda k, t: k.head * getattr(k.trace, k.split).shape[-1] + 1,
        "last": lambda k, t: (k.head + 1) * getattr(k.trace, k.split).shape[-1],
    },
    "rotate": {
        "first": lambda k, t: 1,
        "second": lambda k, t: 1 + k.trace.q.shape[-1] // 2,
        "place": lambda k, t: k.query + 1,
        "angle": lambda k, t: float(k.query),
        "other": lambda k, t: k.key + 1,
        "turned": lambda k, t: float(k.key),
        "distance": lambda k, t: abs(k.query - k.key),
        **{f"{array}_{1 + half}": lambda k, t, a=array, h=half: k.turned(a, h) for array in "xy" for half in (0, 1)},
    },
    "features": {
        "key": lambda k, t: k.chosen in (None, k.key) and (k.chosen is not None or k.s[k.key] == k.s.max()),
        "features": lambda k, t: counted(k.features.size, "tanh features"),
        "factors": lambda k, t: "w_v",
        "low": lambda k, t: float(k.features.min()),
        "high": lambda k, t: float(k.features.max()),
    },
    "scores": {
        "wrong": lambda k, t: int((~np.isfinite(k.s)).sum()),
        "count": lambda k, t: k.s.size,
        "rank": lambda k, t: k.rank(k.s),
    },
    "capped_scores": {
        "cap": lambda k, t: k.cap,
        "count": lambda k, t: k.s.size,
        "before": lambda k, t: float(k.s[k.key]),
        "after": lambda k, t: float(k.cap * np.tanh(k.s[k.key] / k.cap)),
    },
    "masked_scores": {
        "keys": lambda k, t: k.mask.size,
        "count": lambda k, t: k.mask.size,
        "allowed": lambda k, t: k.n,
        "masked": lambda k, t: k.mask.size - k.n,
        "masks": lambda k, t: bool(t["masks"]),
        "fill": lambda k, t: float(k.fills[k.key if "key" in t else np.flatnonzero(~k.mask)[0]]),
    },
    "weights": {},
    "dropped_weights": {
        "rate": lambda k, t: float(k.spec.dropout),
        "factor": lambda k, t: 1 / (1 - k.spec.dropout),
        "before": lambda k, t: float(k.w[k.key]),
        "after": lambda k, t: float(k.d[k.key]),
        "weights": lambda k, t: int(np.count_nonzero(k.w)),
        "count": lambda k, t: int(np.count_nonzero((k.w != 0) & (k.d == 0))) if "rate" in t else k.tops,
        "total": lambda k, t: float(k.d.sum()),
    },
    "heads": _POOLED,
    "merge": _SLICE,
    "output": {
        **_POOLED,
        "count": lambda k, t: k.final.size,
        "numbers": lambda k, t: counted(k.final.size, "numbers"),
        "given": lambda k, t: counted(k.trace.merged.shape[-1], "zeros"),
        "made": lambda k, t: counted(k.final.size, "zeros"),
        "layer": lambda k, t: t["layer"] in k.trace.parameters,
        "merged": lambda k, t: counted(k.trace.merged.shape[-1], "numbers"),
        "low": lambda k, t: float(k.final.min()),
        "high": lambda k, t: float(k.final.max()),
    },
}
PHRASES: dict[str, Callable[[AttentionKnown], Any]] = {
    "is the largest of its|is the largest\\.": lambda k: k.is_top(k.w) and k.s[k.key] >= k.s[k.mask].max(),
    "turns the largest of": lambda k: k.s[k.key] == k.s.max(),
    "The sink takes": lambda k: "sink" in k.spec.score_steps,
    "all its attention": lambda k: k.trace.is_given or "sink" not in k.spec.score_steps,
    "the highest of its": lambda k: k.s[k.key] == k.s.max(),
    "gives each of its .* the score": lambda k: np.allclose(k.s, k.s[0], rtol=1e-2),
    "their scores are": lambda k: np.allclose(k.s[k.mask], k.s[k.mask][0], rtol=1e-2),
    "the most of its": lambda k: k.w[k.key] == k.w.max(),
    "evenly": lambda k: np.ptp(k.w[k.shown]) <= 2e-6 * k.w.max(),
    " each to ": lambda k: k.tops == 2,
    "to one key alone": lambda k: k.shown.sum() == 1,
    "may attend to (no key|none)": lambda k: k.n == 0,
    "attends to no key": lambda k: k.n > 0 and not k.w.any(),
    "weights are all 0|one weight is 0": lambda k: not k.w.any(),
    "is 0: |its weight is 0": lambda k: k.w[k.key] == 0 and not k.mask[k.key],
    "to masked keys": lambda k: k.w[~k.mask].any(),
    "is masked \\(": lambda k: not k.mask[k.key] and k.w[k.key] > 0,
    "the same weight": lambda k: np.ptp(k.w) == 0 and (k.fills == k.fills[0]).all(),
    "weights are NaN": lambda k: np.isnan(k.w).all(),
    "scores are all −∞": lambda k: np.isneginf(k.fills).all(),
    "weights of .* not finite": lambda k: k.n > 0 and not np.isfinite(k.w).all(),
    "the given mask forbids|may not attend": lambda k: not k.mask[k.key],
    "not to 1": lambda k: abs(k.w.sum() - 1) > 0.02,
    "sets the weight": lambda k: k.d[k.key] == 0,
    "sets all": lambda k: not k.d.any(),
    "the mask keeps": lambda k: k.mask[k.key] and k.fills[k.key] == k.s[k.key],
    "all its keys": lambda k: k.n == k.mask.size,
    "may attend to its one key": lambda k: k.n == k.mask.size == 1,
    "the score of": lambda k: np.flatnonzero(~k.mask).tolist() == [k.key],
    "has NaN": lambda k: np.isnan(k.out).all(),
    "zeros for": lambda k: not k.out.any(),
    "into .* zeros|output are 0": lambda k: not k.final.any(),
    "dropout leaves": lambda k: not k.d.any(),
    "the mean of": lambda k: np.ptp(k.d[k.d != 0]) <= 2e-6,
    "the largest weight": lambda k: k.is_top(k.d),
    "output .* is (NaN|not finite)": lambda k: not np.isfinite(k.final).all(),
    "[Oo]ne head": lambda k: k.trace.num_heads == 1,
    "nothing is projected": lambda k: k.trace.queries.shape[-1] == k.trace.keys.shape[-1],
}


def read_attention(text: Any, trace: Any, view: Any) -> None:
    """Check the words and phrases of a sentence about a view against the trace; raises where one is not true."""
    known = AttentionKnown(trace, view, dict(words_of(text)))
    words = WORDS | (_GIVEN if trace.is_given else OF_STAGES[view.drawn])
    check(text, words, PHRASES, known)
