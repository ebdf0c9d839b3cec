"""What the sentences of attention may say, and how each is checked against a trace's arrays."""

import re
from typing import Any

import numpy as np
from plain_numpy import slopes_of
from sentence_reader import Check, matched, position, same, same_share


class AttentionKnown:
    """What the arrays of a trace hold at a place, worked out anew."""

    def __init__(self, trace: Any, item: int, head: int, query: int, key: int | None, split: str = "q") -> None:
        self.trace, self.spec, self.query, self.key, self.head, self.item = trace, trace.spec, query, key, head, item
        place = item, head, query
        self.w, self.d, self.s, self.fills, self.out = (
            np.asarray(array[place], np.float64)
            for array in (trace.weights, trace.dropped_weights, trace.scores, trace.masked_scores, trace.heads)
        )
        self.mask = np.asarray(trace.mask[place])
        self.final = np.asarray(trace.output[item, query], np.float64)
        self.split = split
        self.n = int(self.mask.sum())

    def q(self, name: str) -> bool:
        return position(name, self.trace.query_tokens, -1) == self.query

    def k(self, name: str) -> int:
        found = position(name, self.trace.key_tokens, self.query)
        assert self.key is None or found == self.key or (self.d != 0).sum() == 1, name
        return found

    def rank(self, of: np.ndarray, key: int, among: Any = True) -> int:
        return int(1 + sum(other > of[key] for other in of[np.broadcast_to(among, of.shape)]))

    def is_top(self, of: np.ndarray, key: int) -> bool:
        return of[key] >= np.nanmax(of) * (1 - 2e-6)

    def rules(self, key: int) -> list[str]:
        """The masks of the spec that forbid a key, but for what is painted."""
        spec, found = self.spec, []
        if spec.causal and key > self.query:
            found.append("causal")
        if spec.valid_lens is not None:
            length: Any = spec.valid_lens[self.item]
            length = length[self.query] if isinstance(length, tuple) else length
            found += ["valid lengths"] if key >= length else []
        if spec.window is not None and abs(self.query - key) >= spec.window:
            found.append("window")
        if spec.document_lens is not None:
            ends = np.cumsum(spec.document_lens)
            found += ["documents"] if (ends <= key).sum() != (ends <= self.query).sum() else []
        return found

    def why(self, text: str, key: int) -> bool:
        signs = {"causal": "causal", "valid lengths": "valid length", "window": "window of", "documents": "document ("}
        named = [rule for rule, sign in signs.items() if sign in text]
        return not self.mask[key] and named == self.rules(key) and ("painted" in text or bool(named))

    def why_row(self, text: str) -> bool:
        every = [rule for key in range(self.mask.size) for rule in self.rules(key)]
        said = dict(part.rpartition(" ")[::2] for part in text.split(", ")) if re.search(r"\d", text) else {text: ""}
        said.pop("painted by hand", None)
        if "" in said.values():
            return set(said) == set(every)
        return {name: int(count) for name, count in said.items()} == {rule: every.count(rule) for rule in set(every)}

    def how(self, text: str) -> bool:
        """Whether the divisors and features that a score is said to come from are those of the spec."""
        spec, d = self.spec, self.trace.q.shape[-1]
        additive = spec.mechanism == "additive"
        made = f"w_v times their {d} tanh features" if additive else "their dot product"
        made = "Σ q · k" if spec.mechanism == "wordless" else made
        made = "their dot product as rotated" if spec.mechanism == "rotary" else made
        made += f" ÷ √{d}" if spec.scaled and not additive else ""
        made += " ÷ temperature" if spec.temperature != 1 else ""
        if spec.mechanism == "alibi":
            before, sign, behind = text.partition(" − ")
            slope, _, distance = behind.partition(" × ")
            return (
                before == made
                and bool(sign)
                and distance == "|i − j|"
                and same(slope, slopes_of(spec.num_heads)[self.head])
            )
        return text == made

    def slice(self, t: dict[str, str], size: int) -> bool:
        first, last = int(t["first"]) - 1, int(t["last"])
        return int(t["head"]) == self.head + 1 and (first, last) == (self.head * size, (self.head + 1) * size)

    def pool(self, t: dict[str, str], *, largest: bool = False) -> bool:
        key, pooled = self.k(t["k"]), np.nan_to_num(self.d)
        acts = self.spec.training and self.spec.dropout > 0
        share = same(t["share"], pooled[key]) if acts else same_share(t["share"], pooled[key])
        count = int(t.get("n", 1)) == np.count_nonzero(pooled)
        return share and count and (not largest or pooled[key] == pooled.max())

    def ends(self, t: dict[str, str], array: np.ndarray) -> bool:
        return same(t["low"], array.min()) and same(t["high"], array.max())


def _spread(k: AttentionKnown, t: dict[str, str]) -> bool:
    weights = k.w[k.mask | (k.w > 0)]
    equal = np.ptp(weights) <= 2e-6 * weights.max()
    return k.q(t["q"]) and int(t["n"]) == weights.size and same_share(t["share"], weights.max()) and bool(equal)


def _score(k: AttentionKnown, t: dict[str, str], name: str = "k") -> bool:
    return k.q(t["q"]) and same(t["score"], k.s[k.k(t[name])])


_TO = "{q:name} gives {share:share} of its attention"
_GIVES = "{q:name} gives {k:name} the"
WEIGHTS: dict[str, Check] = {
    f"{_TO} to {{k:name}}: {{score:num}} is the largest of its {{n:int}} scores.": lambda k, t: (
        _score(k, t)
        and k.is_top(k.w, k.k(t["k"]))
        and same_share(t["share"], k.w[k.k(t["k"])])
        and k.s[k.k(t["k"])] == k.s[k.mask].max()
        and int(t["n"]) == k.n
    ),
    f"{_TO} to {{k:name}}: its score, {{score:num}}, is rank {{rank:int}} of {{n:int}}.": lambda k, t: (
        _score(k, t)
        and same_share(t["share"], k.w[k.key])
        and int(t["rank"]) == k.rank(k.s, k.key, k.mask)
        and int(t["n"]) == k.n
    ),
    "{q:name} spreads its attention evenly over its {n:int} keys, {share:share} each: their scores are all "
    "{score:num}.": lambda k, t: _spread(k, t) and all(same(t["score"], score) for score in k.s[k.mask]),
    "{q:name} spreads its attention evenly over its {n:int} keys, {share:share} each: their scores are equal.": (
        lambda k, t: _spread(k, t) and np.allclose(k.s[k.mask], k.s[k.mask][0], rtol=1e-2)
    ),
    "{q:name} spreads its attention evenly over its {n:int} keys, {share:share} each.": _spread,
    f"{_TO} each to {{first:name}} and {{second:name}}: {{score:num}} is the largest of its {{n:int}} scores.": (
        lambda k, t: (
            all(
                k.is_top(k.w, k.k(t[name])) and same_share(t["share"], k.w[k.k(t[name])])
                for name in ("first", "second")
            )
            and (k.w >= k.w.max() * (1 - 1e-6)).sum() == 2
            and same(t["score"], k.s[k.mask].max())
            and int(t["n"]) == k.n
        )
    ),
    f"{_TO} to each of {{count:int}} keys, {{k:name}} among them, whose score of {{score:num}} is the largest.": (
        lambda k, t: (
            _score(k, t)
            and (k.w >= k.w.max() * (1 - 1e-6)).sum() == int(t["count"])
            and k.is_top(k.w, k.k(t["k"]))
            and same_share(t["share"], k.w.max())
        )
    ),
    "{q:name} may attend to one key alone: all its attention, {share:share}, goes to {k:name}.": lambda k, t: (
        k.q(t["q"]) and k.n == 1 and bool(k.mask[k.k(t["k"])]) and same_share(t["share"], k.w[k.k(t["k"])])
    ),
    "The weight that {q:name} gives {k:name} is 0: {why:text}.": lambda k, t: (
        k.q(t["q"]) and k.w[k.k(t["k"])] == 0 and k.why(t["why"], k.key)
    ),
    "{q:name} may attend to no key, so its {n:int} weights are all 0.": lambda k, t: (
        k.q(t["q"]) and k.n == 0 and not k.w.any() and int(t["n"]) == k.w.size
    ),
    "{q:name} may attend to no key: equal fills of {fill:num} give each of its {n:int} keys the same weight, "
    "{share:share}.": lambda k, t: (
        k.n == 0 and same(t["fill"], -1e6) and int(t["n"]) == k.w.size and same_share(t["share"], 1 / k.w.size)
    ),
    "{q:name} may attend to no key: its scores are all −∞, so its {n:int} weights are NaN (not a number).": (
        lambda k, t: k.n == 0 and np.isnan(k.w).all() and np.isneginf(k.fills).all() and int(t["n"]) == k.w.size
    ),
    "{q:name} may attend to no key: −1e6 is −∞ in float16, so its {n:int} weights are NaN (not a number).": (
        lambda k, t: k.n == 0 and np.isnan(k.w).all() and k.spec.dtype == "float16" and int(t["n"]) == k.w.size
    ),
    "the weights of {q:name} are not finite (NaN); a score of its row overflows.": lambda k, t: (
        k.q(t["q"]) and k.n > 0 and not np.isfinite(k.w).all()
    ),
}
GIVEN: dict[str, Check] = {
    "the file holds NaN (not a number) for {n:int} of the {all:int} weights of {q:name}.": lambda k, t: (
        k.q(t["q"]) and int(t["n"]) == np.isnan(k.w).sum() and int(t["all"]) == k.w.size
    ),
    "{q:name} may attend to no key, so its {n:int} weights are all 0.": lambda k, t: (
        k.q(t["q"]) and k.n == 0 and not k.w.any() and int(t["n"]) == k.w.size
    ),
    "{q:name} attends to no key: its {n:int} weights are all 0.": lambda k, t: (
        k.q(t["q"]) and k.n > 0 and not k.w.any() and int(t["n"]) == k.w.size
    ),
    "{q:name} may not attend to {k:name} by the mask that was given: its weight is 0.": lambda k, t: (
        k.q(t["q"]) and k.w[k.k(t["k"])] == 0 and not k.mask[k.key]
    ),
    f"{_TO} to {{k:name}}, which the given mask forbids; rank {{rank:int}} of {{n:int}}.": lambda k, t: (
        same_share(t["share"], k.w[k.k(t["k"])])
        and not k.mask[k.k(t["k"])]
        and int(t["rank"]) == k.rank(k.w, k.k(t["k"]))
        and int(t["n"]) == (k.mask | (k.w > 0)).sum()
    ),
    f"{_GIVES} weight {{weight:num}}, rank {{rank:int}} of {{n:int}}; they sum to {{total:num}}, not to 1.": (
        lambda k, t: (
            same(t["weight"], k.w[k.k(t["k"])])
            and int(t["rank"]) == k.rank(k.w, k.k(t["k"]))
            and abs(k.w.sum() - 1) > 0.02
            and same(t["total"], k.w.sum())
        )
    ),
    "{q:name} attends to one key alone: all its attention, {share:share}, goes to {k:name}.": lambda k, t: (
        same_share(t["share"], k.w[k.k(t["k"])]) and (k.mask | (k.w > 0)).sum() == 1
    ),
    "{q:name} spreads its attention evenly over its {n:int} keys, {share:share} each.": _spread,
    f"{_TO} to {{k:name}}, rank {{rank:int}} of its {{n:int}} keys.": lambda k, t: (
        same_share(t["share"], k.w[k.k(t["k"])])
        and int(t["rank"]) == k.rank(k.w, k.key)
        and int(t["n"]) == (k.mask | (k.w > 0)).sum()
    ),
    f"{_TO} each to {{first:name}} and {{second:name}}, the most of its {{n:int}} keys.": lambda k, t: (
        sorted(np.flatnonzero(k.w == k.w.max())) == sorted((k.k(t["first"]), k.k(t["second"])))
        and same_share(t["share"], k.w.max())
    ),
    f"{_TO} to each of {{count:int}} keys, {{k:name}} among them, the most of its {{n:int}}.": lambda k, t: (
        int(t["count"]) == (k.w == k.w.max()).sum() and k.w[k.k(t["k"])] == k.w.max()
    ),
    f"{_TO} to {{k:name}}, the most of its {{n:int}} keys.": lambda k, t: (
        k.q(t["q"])
        and k.w[k.k(t["k"])] == k.w.max()
        and same_share(t["share"], k.w.max())
        and int(t["n"]) == (k.mask | (k.w > 0)).sum()
    ),
}
DROPPED: dict[str, Check] = {
    "dropout {rate:num} sets the weight that {q:name} gives {k:name}, {before:num}, to 0.": lambda k, t: (
        same(t["rate"], k.spec.dropout) and same(t["before"], k.w[k.k(t["k"])]) and k.d[k.k(t["k"])] == 0
    ),
    "dropout {rate:num} keeps the weight that {q:name} gives {k:name}: {before:num} × {factor:num} = {after:num}.": (
        lambda k, t: (
            same(t["before"], k.w[k.k(t["k"])])
            and same(t["factor"], 1 / (1 - k.spec.dropout))
            and same(t["after"], k.d[k.k(t["k"])])
        )
    ),
    "dropout {rate:num} sets all {n:int} weights of {q:name} to 0.": lambda k, t: (
        not k.d.any() and int(t["n"]) == np.count_nonzero(k.w)
    ),
    "dropout {rate:num} sets {count:int} of the {n:int} weights of {q:name} to 0; the rest, × {factor:num}, sum to "
    "{total:num}.": lambda k, t: (
        int(t["count"]) == np.count_nonzero((k.w != 0) & (k.d == 0))
        and int(t["n"]) == np.count_nonzero(k.w)
        and same(t["factor"], 1 / (1 - k.spec.dropout))
        and same(t["total"], k.d.sum())
    ),
}
SCORES: dict[str, Check] = {
    "{wrong:int} of the {n:int} scores of {q:name} did not stay finite in {dtype:text} (infinite or "
    "NaN).": lambda k, t: (
        int(t["wrong"]) == (~np.isfinite(k.s)).sum() and int(t["n"]) == k.s.size and t["dtype"] == k.spec.dtype
    ),
    "the one key of {q:name} has the score {score:num}: {how:text}.": lambda k, t: (
        k.s.size == 1 and same(t["score"], k.s[0]) and k.how(t["how"])
    ),
    "{q:name} gives each of its {n:int} keys the score {score:num}: {how:text}.": lambda k, t: (
        int(t["n"]) == k.s.size and all(same(t["score"], score) for score in k.s) and k.how(t["how"])
    ),
    f"{_GIVES} highest of its {{n:int}} scores, {{score:num}}: {{how:text}}.": lambda k, t: (
        _score(k, t) and k.s[k.k(t["k"])] == k.s.max() and int(t["n"]) == k.s.size and k.how(t["how"])
    ),
    f"{_GIVES} score {{score:num}}, rank {{rank:int}} of {{n:int}}: {{how:text}}.": lambda k, t: (
        _score(k, t) and int(t["rank"]) == k.rank(k.s, k.key) and int(t["n"]) == k.s.size and k.how(t["how"])
    ),
}
MASKED: dict[str, Check] = {
    "{q:name} may attend to {k:name}: the mask keeps its score, {score:num}.": lambda k, t: (
        _score(k, t) and bool(k.mask[k.key]) and k.fills[k.key] == k.s[k.key]
    ),
    "{fill:num} replaces the score that {q:name} gives {k:name}, {score:num}: {why:text}.": lambda k, t: (
        _score(k, t) and same(t["fill"], k.fills[k.key]) and k.why(t["why"], k.key)
    ),
    "{q:name} may attend to its one key, {k:name}.": lambda k, t: k.mask.size == k.n == 1 and k.k(t["k"]) == 0,
    "No mask is on: {q:name} may attend to all its keys, {n:int} of {all:int}.": lambda k, t: (
        k.q(t["q"]) and int(t["n"]) == int(t["all"]) == k.n == k.mask.size
    ),
    "{q:name} may attend to all its keys, {n:int} of {all:int}; no mask forbids one ({masks:text}).": lambda k, t: (
        k.q(t["q"]) and int(t["n"]) == int(t["all"]) == k.n == k.mask.size
    ),
    "{q:name} may attend to none of its {n:int} keys: all scores become {fill:num} ({why:text}).": lambda k, t: (
        k.n == 0 and int(t["n"]) == k.mask.size and same(t["fill"], k.fills[0]) and k.why_row(t["why"])
    ),
    "{q:name} may attend to {n:int} of {all:int} keys; the score of {k:name} becomes {fill:num} ({why:text}).": (
        lambda k, t: (
            (int(t["n"]), int(t["all"])) == (k.n, k.mask.size)
            and np.flatnonzero(~k.mask).tolist() == [k.k(t["k"])]
            and same(t["fill"], k.fills[k.k(t["k"])])
            and k.why_row(t["why"])
        )
    ),
    "{q:name} may attend to {n:int} of {all:int} keys; {masked:int} scores become {fill:num} ({why:text}).": (
        lambda k, t: (
            (int(t["n"]), int(t["all"]), int(t["masked"])) == (k.n, k.mask.size, k.mask.size - k.n)
            and all(same(t["fill"], fill) for fill in k.fills[~k.mask])
            and k.why_row(t["why"])
        )
    ),
}
_NO_KEY = "which may attend to no key"
HEADS: dict[str, Check] = {
    f"Head {{head:int}} has NaN (not a number) for {{q:name}}, {_NO_KEY}.": lambda k, t: (
        int(t["head"]) == k.head + 1 and k.q(t["q"]) and k.n == 0 and np.isnan(k.out).all()
    ),
    f"Head {{head:int}} has {{size:int}} zeros for {{q:name}}, {_NO_KEY}.": lambda k, t: (
        int(t["head"]) == k.head + 1 and k.n == 0 and not k.out.any() and int(t["size"]) == k.out.size
    ),
    "dropout leaves head {head:int} no value for {q:name}: its {size:int} numbers are 0.": lambda k, t: (
        int(t["head"]) == k.head + 1 and not k.d.any() and not k.out.any() and int(t["size"]) == k.out.size
    ),
    "head {head:int} pools one value for {q:name} into {size:int} numbers, {k:name} with weight {share:text}.": (
        lambda k, t: int(t["head"]) == k.head + 1 and int(t["size"]) == k.out.size and k.pool(t)
    ),
    "head {head:int} takes the mean of {n:int} values for {q:name}: {size:int} numbers.": lambda k, t: (
        int(t["head"]) == k.head + 1
        and int(t["n"]) == np.count_nonzero(k.d)
        and np.ptp(k.d[k.d != 0]) <= 2e-6
        and int(t["size"]) == k.out.size
    ),
    "head {head:int} pools {n:int} values for {q:name} into {size:int} numbers, {k:name} with the largest weight, "
    "{share:text}.": lambda k, t: (
        int(t["head"]) == k.head + 1 and int(t["size"]) == k.out.size and k.pool(t, largest=True)
    ),
    "head {head:int} pools {n:int} values for {q:name} into {size:int} numbers, {k:name} with weight {share:text}.": (
        lambda k, t: int(t["head"]) == k.head + 1 and int(t["size"]) == k.out.size and k.pool(t)
    ),
}
OUTPUT: dict[str, Check] = {
    "The output of {q:name} is NaN (not a number): it may attend to no key.": lambda k, t: (
        k.q(t["q"]) and k.n == 0 and np.isnan(k.final).any()
    ),
    "the output of {q:name} is not finite (NaN or infinite).": lambda k, t: not np.isfinite(k.final).all(),
    "{layer:text} turns the {merged:int} numbers of {q:name} into its output: {size:int} numbers, from {low:num} to "
    "{high:num}.": lambda k, t: (
        int(t["merged"]) == k.trace.merged.shape[-1] and int(t["size"]) == k.final.size and k.ends(t, k.final)
    ),
    "{q:name} may attend to no key: {layer:text} turns {merged:int} zeros into {size:int} zeros.": lambda k, t: (
        k.n == 0 and not k.trace.merged[k.item, k.query].any() and not k.final.any() and int(t["size"]) == k.final.size
    ),
    "{q:name} may attend to no key, so the {size:int} numbers of its output are 0.": lambda k, t: (
        k.n == 0 and not k.final.any() and int(t["size"]) == k.final.size
    ),
    "dropout leaves {q:name} no value: the {size:int} numbers of its output are 0.": lambda k, t: (
        not k.d.any() and not k.final.any() and int(t["size"]) == k.final.size
    ),
    "the output of {q:name} is the mean of {n:int} values: {size:int} numbers, from {low:num} to {high:num}.": (
        lambda k, t: int(t["n"]) == np.count_nonzero(k.d) and np.ptp(k.d[k.d != 0]) <= 2e-6 and k.ends(t, k.final)
    ),
    "{q:name} pools one value, {k:name} with weight {share:text}: {size:int} numbers, from {low:num} to {high:num}.": (
        lambda k, t: k.pool(t) and int(t["size"]) == k.final.size and k.ends(t, k.final)
    ),
    "{q:name} pools {n:int} values, {k:name} with the largest weight, {share:text}: {size:int} numbers, from {low:num} "
    "to {high:num}.": lambda k, t: k.pool(t, largest=True) and k.ends(t, k.final),
    "{q:name} pools {n:int} values, {k:name} with weight {share:text}: {size:int} numbers, from {low:num} to "
    "{high:num}.": lambda k, t: k.pool(t) and k.ends(t, k.final),
}


def _parts(k: AttentionKnown, t: dict[str, str]) -> bool:
    """Whether each layer is said to turn as many numbers into as many as its matrix does."""
    found = re.findall(r"(\w+) turns (\w+) of (\d+) numbers into (\d+)", t["parts"])
    given = {"queries": k.trace.queries, "keys": k.trace.keys, "values": k.trace.values}
    return bool(found) and all(
        k.trace.parameters[layer].shape == (int(made), int(size)) and given[kind].shape[-1] == int(size)
        for layer, kind, size, made in found
    )


PROJECT: dict[str, Check] = {
    "nothing is projected; queries and keys of {size:int} numbers are compared as they are.": lambda k, t: (
        int(t["size"]) == k.trace.queries.shape[-1] == k.trace.keys.shape[-1]
    ),
    "{layers:text} turn inputs of {given:int} numbers into {kinds:text} of {made:int}.": lambda k, t: all(
        k.trace.parameters[name].shape == (int(t["made"]), int(t["given"])) for name in t["layers"].split(", ")
    ),
    "{parts:text}.": _parts,
}
SPLIT: dict[str, Check] = {
    "One head takes all {size:int} features of {name:text}.": lambda k, t: (
        k.trace.num_heads == 1 and int(t["size"]) == getattr(k.trace, t["name"].lower()).shape[-1]
    ),
    "The {all:int} features of {name:text} are shared by {heads:int} heads: head {head:int} takes {first:int} to "
    "{last:int}.": lambda k, t: (
        t["name"].lower() == k.split
        and int(t["all"]) == getattr(k.trace, f"projected_{k.split}").shape[-1]
        and int(t["heads"]) == k.trace.num_heads
        and k.slice(t, getattr(k.trace, k.split).shape[-1])
    ),
}


def _turned(k: AttentionKnown, t: dict[str, str]) -> bool:
    """Whether the first pair of features was turned by as many radians as there are places before the query."""
    half = k.trace.q.shape[-1] // 2
    before, after = (x[k.item, k.head, k.query, [0, half]] for x in (k.trace.unrotated_q, k.trace.q))
    said = [t["x"], t["x2"], t["y"], t["y2"]]
    place = (int(t["first"]), int(t["second"]), int(t["head"])) == (1, 1 + half, k.head + 1)
    return k.q(t["q"]) and place and all(map(same, said, (*before, *after))) and same(t["angle"], k.query)


def _apart(k: AttentionKnown, t: dict[str, str]) -> bool:
    named = position(t["k"], k.trace.key_tokens, k.query) == k.key == int(t["other"]) - 1
    places = int(t["place"]) == k.query + 1 and same(t["angle"], k.query) and same(t["turned"], k.key)
    return k.q(t["q"]) and named and places and int(t["distance"]) == abs(k.query - k.key)


ROTATE: dict[str, Check] = {
    "features {first:int} and {second:int} of {q:name} at place {place:int} are turned by {angle:num} rad in head "
    "{head:int}: {x:num} and {x2:num} become {y:num} and {y2:num}.": _turned,
    "Features {first:int} and {second:int} of {q:name} at place {place:int} are turned by {angle:num} rad, of {k:name} "
    "at place {other:int} by {turned:num} rad: the distance is {distance:int}.": _apart,
}
MERGE: dict[str, Check] = {
    "The {size:int} numbers of the one head are already the row of {q:name}.": lambda k, t: (
        k.trace.num_heads == 1 and int(t["size"]) == k.trace.merged.shape[-1] and k.q(t["q"])
    ),
    "The {heads:int} heads are put side by side, {all:int} numbers for {q:name}: head {head:int} fills {first:int} to "
    "{last:int}.": lambda k, t: (
        k.q(t["q"])
        and int(t["heads"]) == k.trace.num_heads
        and int(t["all"]) == k.trace.merged.shape[-1]
        and k.slice(t, k.out.size)
    ),
}


def _of_features(k: AttentionKnown, t: dict[str, str]) -> bool:
    key = k.k(t["k"])
    found = k.trace.features[k.item, k.query, key]
    top = k.key is not None or k.s[key] == k.s.max()
    return bool(top) and k.q(t["q"]) and int(t["n"]) == found.size and k.ends(t, found)


FEATURES: dict[str, Check] = {
    "{q:name} and {k:name} have {n:int} tanh features, from {low:num} to {high:num}; w_v weighs and sums them.": (
        _of_features
    ),
}
FORMS: dict[str, dict[str, Check]] = {
    "project": PROJECT,
    "split": SPLIT,
    "rotate": ROTATE,
    "features": FEATURES,
    "scores": SCORES,
    "masked_scores": MASKED,
    "weights": WEIGHTS,
    "dropped_weights": DROPPED | WEIGHTS,
    "heads": HEADS,
    "merge": MERGE,
    "output": OUTPUT,
}
_ORIGINS = ("Random weights", "Given weights", "Random inputs", "Random embeddings", "All-ones inputs")
_ORIGINS += ("One-hot inputs", "Inputs of the file")


def read_attention(text: str, trace: Any, view: Any) -> str:
    """Check the numbers of a sentence about a view against the trace; returns the form that the sentence has."""
    origin, _, rest = text.partition(": ")
    said = rest if origin in _ORIGINS else text
    query = trace.weights.shape[2] - 1 if view.query is None else view.query
    known = AttentionKnown(trace, view.item, view.head, query, view.key, view.split)
    found, words = matched(said, GIVEN if trace.is_given else FORMS[view.stage])
    forms = GIVEN if trace.is_given else FORMS[view.stage]
    assert forms[found](known, words), f"{view.stage}: {text}\n{found}"
    return found
