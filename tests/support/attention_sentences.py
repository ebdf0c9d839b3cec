"""What each word and each phrase of the sentences of attention must be, worked out anew from a trace's arrays."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from plain_numpy import slopes_of
from sentence_reader import check, counted, position, same, words_of

from attnviz.experiment.fields.knob import MASK_POLICIES

Word = Callable[["AttentionKnown", str], Any]


class AttentionKnown:
    """What the arrays of a trace hold at a place."""

    def __init__(self, trace: Any, view: Any, words: dict[str, str]) -> None:
        self.trace, self.spec, self.head, self.item, self.split = trace, trace.spec, view.head, view.item, view.split
        self.query = trace.weights.shape[2] - 1 if view.query is None else view.query
        place = self.item, self.head, self.query
        self.drawn = "weights" if trace.is_given else view.drawn
        before = trace.scores if view.drawn in ("scores", "features", "capped_scores") else trace.unmasked_scores
        self.w, self.d, self.s, self.fills, self.out = (
            np.asarray(array[place], np.float64)
            for array in (trace.weights, trace.dropped_weights, before, trace.masked_scores, trace.heads)
        )
        self.mask = np.asarray(trace.mask[place])
        self.final = np.asarray(trace.output[self.item, self.query], np.float64)
        self.n, self.pooled = int(self.mask.sum()), int(np.count_nonzero(np.nan_to_num(self.d)))
        self.shown = self.mask | (self.w > 0)
        self.chosen = view.key
        largest = int(np.nan_to_num(self.w).argmax())  # where all keys have the same, none of them is named
        unnamed = largest if self.chosen is None else self.chosen
        self.key = position(words["key"], trace.key_tokens, self.query) if "key" in words else unnamed
        self.of_row = self.chosen is None

    def names_key(self, name: str) -> bool:
        """Whether a name is that of the chosen key; without one, of the largest number of the row at its stage."""
        key = position(name, self.trace.key_tokens, self.query)
        if not self.of_row:
            return key == self.chosen or self.pooled == 1
        if self.drawn == "masked_scores":
            return bool(key == np.flatnonzero(~self.mask)[0])
        scored = self.drawn in ("scores", "features", "capped_scores")
        of = np.nan_to_num(self.s if scored else self.d if self.drawn in ("heads", "output") else self.w)
        return bool(of[key] >= of.max() - 2e-6 * abs(of.max()))

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
        if self.trace.is_given:
            return text == "by the mask that was given"
        if not self.of_row:
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
        own["rotary"] = "their dot product after rotation"
        made = own.get(spec.mechanism, "their dot product")
        made += " after the norm" if "query_key_norm" in spec.score_steps else ""
        made += f" ÷ √{d}" if spec.scaled and spec.mechanism != "additive" else ""
        made += " ÷ temperature" if spec.temperature != 1 else ""
        before, _, slope = text.partition(" − ")
        if spec.mechanism == "alibi" and not same(
            slope.removesuffix(" × |i − j|"), slopes_of(spec.num_heads)[self.head]
        ):
            return False
        return before == made and bool(slope) == (spec.mechanism == "alibi")

    @property
    def projected(self) -> str:
        """What is projected: the inputs by their name."""
        return {"q": "queries", "k": "keys", "v": "values"}[self.split]

    def is_projected(self, name: str) -> bool:
        """Whether a name is that of the chosen row: of a key without a chosen one, that at the place of the query."""
        if self.split == "q":
            return position(name, self.trace.query_tokens, -1) == self.query
        row = self.query if self.chosen is None else self.chosen
        return position(name, self.trace.key_tokens, -1) == min(row, len(self.trace.key_tokens) - 1)

    def turned(self, array: str, half: int) -> Any:
        numbers = {"x": self.trace.before["rotate"][0], "y": self.trace.q}[array]
        return float(numbers[self.item, self.head, self.query, half * self.trace.q.shape[-1] // 2])

    def is_the_query_of_its_head(self, text: str) -> bool:
        name, _, head = text.partition(" in head ")
        headed = self.spec.mechanism_record.headed
        return position(name, self.trace.query_tokens, -1) == self.query and head == f"{self.head + 1}" * headed

    def length_of(self, of: str, when: str) -> float:
        """The length of the query ("") or the key before the norm, or after it."""
        place = self.head, self.key if of else self.query
        before = self.trace.before["norm"][1 if of else 0][self.item][place].astype(np.float64)
        length = float(np.sqrt((before**2).sum()))
        return length if when == "before" else length / float(np.sqrt((before**2).mean() + 1e-6))

    @property
    def cap(self) -> float:
        cap: float = self.spec.score_steps["softcap"]["cap"]
        return cap

    @property
    def features(self) -> np.ndarray:
        return np.asarray(self.trace.features[self.item, self.query, self.key])

    def slice_of(self, array: Any) -> int:
        return int(array.shape[-1])


WORDS: dict[str, Word] = {
    "query": lambda k, t: position(t, k.trace.query_tokens, -1) == k.query,
    "key": lambda k, t: k.names_key(t),
    "head": lambda k, t: k.head + 1,
    "dtype": lambda k, t: k.spec.dtype,
    "share": lambda k, t: float(k.w[k.key]),
    "weight": lambda k, t: float(k.w[0 if k.n == 0 and not k.trace.is_given else k.key]),
    "total": lambda k, t: float(k.w.sum()),
    "wrong": lambda k, t: int(np.isnan(k.w).sum()),
    "sink": lambda k, t: max(0.0, 1 - float(k.w.sum())),
    "score": lambda k, t: float(k.s[k.key]),
    "name": lambda k, t: "capped score" if "softcap" in k.spec.score_steps else "score",
    "rank": lambda k, t: 1 + int((k.w[k.shown] > k.w[k.key]).sum()),
    "keys": lambda k, t: int(k.shown.sum()),
    "count": lambda k, t: k.w.size,
    "ties": lambda k, t: int((k.w[k.shown] >= k.w[k.shown].max() * (1 - 1e-6)).sum()),
    "fill": lambda k, t: float(k.fills[~k.mask][0]),
    "policy": lambda k, t: t.casefold() == MASK_POLICIES[k.spec.mask_policy].casefold(),
    "masked": lambda k, t: float(k.w[~k.mask].sum()),
    "why": lambda k, t: k.why(t),
    "how": lambda k, t: k.how(t),
    "numbers": lambda k, t: counted(k.out.size, "numbers"),
    "heads": lambda k, t: counted(k.trace.num_heads, "heads"),
    "low": lambda k, t: float(k.final.min()),
    "high": lambda k, t: float(k.final.max()),
}
_POOLED: dict[str, Word] = {
    "count": lambda k, t: k.pooled,
    "share": lambda k, t: float(np.nan_to_num(k.d)[k.key]),
}
OF_STAGES: dict[str, dict[str, Word]] = {
    "project": {
        "numbers": lambda k, t: counted(k.trace.queries.shape[-1], "numbers"),
        "layer": lambda k, t: t == f"W_{k.split}" and t in k.trace.parameters,
        "kinds": lambda k, t: t == k.projected and f"W_{k.split}" not in k.trace.parameters,
        "kind": lambda k, t: {"query": "q", "key": "k", "value": "v"}[t] == k.split,
        "name": lambda k, t: k.is_projected(t),
        "given": lambda k, t: counted(getattr(k.trace, k.projected).shape[-1], "numbers"),
        "made": lambda k, t: k.trace.parameters[f"W_{k.split}"].shape[0],
    },
    "split": {
        "name": lambda k, t: k.split.upper(),
        "features": lambda k, t: counted(getattr(k.trace, f"projected_{k.split}").shape[-1], "features"),
        "first": lambda k, t: k.head * getattr(k.trace, k.split).shape[-1] + 1,
        "last": lambda k, t: (k.head + 1) * getattr(k.trace, k.split).shape[-1],
    },
    "norm": {
        "query": lambda k, t: k.is_the_query_of_its_head(t),
        "count": lambda k, t: k.trace.q.shape[-1],
        **{
            f"{of}{when}": lambda k, t, o=of, w=when: k.length_of(o, w)
            for of in ("", "key_")
            for when in ("before", "after")
        },
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
        "features": lambda k, t: counted(k.features.size, "tanh features"),
        "factors": lambda k, t: "w_v",
        "low": lambda k, t: float(k.features.min()),
        "high": lambda k, t: float(k.features.max()),
    },
    "scores": {
        "wrong": lambda k, t: int((~np.isfinite(k.s)).sum()),
        "keys": lambda k, t: counted(k.s.size, "keys"),
        "rank": lambda k, t: 1 + int((k.s > k.s[k.key]).sum()),
    },
    "capped_scores": {
        "cap": lambda k, t: k.cap,
        "before": lambda k, t: float(k.s[k.key]),
        "after": lambda k, t: float(k.cap * np.tanh(k.s[k.key] / k.cap)),
    },
    "masked_scores": {
        "keys": lambda k, t: counted(k.mask.size, "keys"),
        "count": lambda k, t: k.mask.size - k.n,
        "allowed": lambda k, t: k.n,
        "masks": lambda k, t: bool(t),
        "fill": lambda k, t: float(k.fills[np.flatnonzero(~k.mask)[0] if k.of_row else k.key]),
    },
    "weights": {},
    "dropped_weights": {
        "rate": lambda k, t: float(k.spec.dropout),
        "factor": lambda k, t: 1 / (1 - k.spec.dropout),
        "before": lambda k, t: float(k.w[k.key]),
        "after": lambda k, t: float(k.d[k.key]),
        "weights": lambda k, t: counted(int(np.count_nonzero(k.w)), "weights"),
        "dropped": lambda k, t: int(np.count_nonzero((k.w != 0) & (k.d == 0))),
        "total": lambda k, t: float(k.d.sum()),
    },
    "heads": _POOLED,
    "merge": {
        "numbers": lambda k, t: counted(k.trace.merged.shape[-1], "numbers"),
        "first": lambda k, t: k.head * k.out.size + 1,
        "last": lambda k, t: (k.head + 1) * k.out.size,
    },
    "output": {
        **_POOLED,
        "numbers": lambda k, t: counted(k.final.size, "numbers"),
        "layer": lambda k, t: t in k.trace.parameters,
        "merged": lambda k, t: counted(k.trace.merged.shape[-1], "numbers"),
    },
}
PHRASES: dict[str, Callable[[AttentionKnown], Any]] = {
    "turns the largest of": lambda k: k.s[k.key] == k.s.max(),
    "The sink takes": lambda k: "sink" in k.spec.score_steps,
    "the sink takes all": lambda k: "sink" in k.spec.score_steps and not k.w.any(),
    "evenly": lambda k: np.ptp(k.w[k.shown]) <= 2e-6 * k.w.max(),
    "the most of its|the one of": lambda k: k.w[k.key] >= k.w.max() * (1 - 2e-6),
    "to one key alone": lambda k: k.shown.sum() == 1,
    "may attend to no key": lambda k: k.n == 0,
    "so .* weight is": lambda k: np.isnan(k.w).all() or (np.ptp(k.w) == 0 and (k.fills == k.fills[0]).all()),
    "sets its .* to 0": lambda k: k.spec.mask_policy == "zero" and not k.w.any(),
    "attends to no key": lambda k: not k.w.any(),
    "is masked": lambda k: not k.mask[k.key],
    "not far below": lambda k: k.w[~k.mask].any(),
    "not to 1": lambda k: abs(k.w.sum() - 1) > 0.02,
    "sets the weight": lambda k: k.d[k.key] == 0,
    "the mask keeps": lambda k: k.mask[k.key] and k.fills[k.key] == k.s[k.key],
    "No mask is on|no mask forbids": lambda k: k.n == k.mask.size,
    "the score of .* becomes": lambda k: np.flatnonzero(~k.mask).tolist() == [k.key],
    "pools no value": lambda k: not np.nan_to_num(k.d).any(),
    "pools no value .* head": lambda k: not k.out.any(),
    "its output is .* 0": lambda k: not k.final.any(),
    "what head .* not finite": lambda k: not np.isfinite(k.out).all(),
    "output .* not finite": lambda k: not np.isfinite(k.final).all(),
    "nothing is projected": lambda k: k.trace.queries.shape[-1] == k.trace.keys.shape[-1],
}


def read_attention(text: Any, trace: Any, view: Any) -> None:
    """Check the words and phrases of a sentence about a view against the trace; raises where one is not true."""
    words = WORDS if trace.is_given else WORDS | OF_STAGES[view.drawn]
    if "rate" not in dict(words_of(text)) and view.drawn == "dropped_weights":
        words = WORDS  # dropout changes nothing there
    check(text, words, PHRASES, lambda read: AttentionKnown(trace, view, read))
