"""A reference implementation in float64 with loops over items, heads and queries, without the project's code."""

import math
from typing import Any

import numpy as np

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace

Array = np.ndarray[Any, Any]


def recomputed(trace: AttentionTrace) -> dict[str, Array]:
    """Return q, k, v, scores, mask, weights, heads, merged and output from a trace's inputs and parameters alone."""
    spec, p = trace.spec, {name: array.astype(np.float64) for name, array in trace.parameters.items()}
    queries, keys, values = (x.astype(np.float64) for x in (trace.queries, trace.keys, trace.values))
    found: dict[str, Array] = {"mask": allowed(spec, queries.shape[1], keys.shape[1], len(queries))}
    found["q"] = split(linear(queries, p, "q"), spec.heads_run)
    found["k"] = split(linear(keys, p, "k"), spec.heads_run)
    found["v"] = split(linear(values, p, "v"), spec.heads_run)
    if "query_key_norm" in spec.score_steps:
        found |= {f"unnormed_{letter}": found[letter] for letter in "qk"}
        found |= {letter: normed(found[letter]) for letter in "qk"}
    if spec.mechanism == "rotary":
        found |= {f"unrotated_{letter}": found[letter] for letter in "qk"}
        found |= {letter: turned(found[letter]) for letter in "qk"}
    found["scores"] = scores(spec, found["q"], found["k"], p)
    policy = "inf" if spec.fills_with_inf else spec.mask_policy
    capped = found["scores"]
    if "softcap" in spec.score_steps:
        cap = spec.score_steps["softcap"]["cap"]
        capped = found["capped_scores"] = np.vectorize(lambda score: cap * math.tanh(score / cap))(capped)
    sink = spec.score_steps["sink"]["logit"] if "sink" in spec.score_steps else None
    found["weights"] = softmax(capped, found["mask"], policy, sink)
    found["heads"] = pooled(found["weights"], found["v"])
    found["merged"] = np.concatenate([found["heads"][:, head] for head in range(spec.heads_run)], axis=-1)
    found["output"] = linear(found["merged"], p, "o")
    return found


def terms_of(trace: AttentionTrace, item: int, head: int, query: int, key: int) -> dict[str, Array]:
    """Return the columns of the score's terms by their titles, in float64; a score is the sum of the last one."""

    def vectors(name: str, arrays: tuple[Array, Array]) -> dict[str, Array]:
        places = (item, head, query), (item, trace.layer.kv_head(head), key)
        both = zip("qk", arrays, places, strict=True)
        return {name.format(letter): array[place].astype(np.float64) for letter, array, place in both}

    if trace.features is not None:
        tanh, factors = (x.astype(np.float64) for x in (trace.features[item, query, key], trace.parameters["w_v"][0]))
        columns = vectors("W_{0} {0}", (trace.q, trace.k))
        return columns | {"tanh": tanh, "w_v": factors, "product": factors * tanh}
    prime = "′" if "norm" in trace.before else ""
    rotates = "rotate" in trace.before
    columns = vectors("{}" + prime * rotates, trace.before["rotate" if rotates else "norm"]) if trace.before else {}
    columns |= vectors(("R {}" if rotates else "{}") + prime, (trace.q, trace.k))
    left, right = list(columns.values())[-2:]
    return columns | {"product" if rotates else f"q{prime} · k{prime}": left * right}


def linear(x: Array, parameters: dict[str, Array], letter: str) -> Array:
    """Return ``x W.T + b``, or x itself if the module has no such matrix."""
    if f"W_{letter}" not in parameters:
        return x
    return np.einsum("bli,oi->blo", x, parameters[f"W_{letter}"]) + parameters.get(f"b_{letter}", 0.0)


def split(x: Array, heads: int) -> Array:
    """Return (B, h, L, d); head i has the i-th slice of the features."""
    size = x.shape[-1] // heads
    return np.stack([x[..., head * size : (head + 1) * size] for head in range(heads)], axis=1)


def normed(x: Array) -> Array:
    """Return x (B, h, L, d), each vector divided by its root mean square."""
    found = np.array(x)
    for row in np.ndindex(x.shape[:3]):
        found[row] /= math.sqrt(math.fsum(number**2 for number in x[row]) / len(x[row]) + 1e-6)
    return found


def turned(x: Array, base: float = 10000) -> Array:
    """Return x (B, h, L, d), each pair (j, j + d / 2) as a complex number times e^(i angle), as in LLaMA."""
    length, half = x.shape[2], x.shape[3] // 2
    pairs = x[..., :half] + 1j * x[..., half:]
    for place, pair in np.ndindex(length, half):
        pairs[:, :, place, pair] *= np.exp(1j * place / base ** (2 * pair / x.shape[3]))
    return np.concatenate([pairs.real, pairs.imag], axis=-1)


def slopes_of(heads: int) -> list[float]:
    """Return ALiBi's slopes as in the paper's code: a geometric sequence, with recursion between powers of two."""
    if math.log2(heads).is_integer():
        start = 2 ** (-(2 ** -(math.log2(heads) - 3)))
        return [start * start**head for head in range(heads)]
    power = 2 ** math.floor(math.log2(heads))
    return slopes_of(power) + slopes_of(2 * power)[0::2][: heads - power]


def scores(spec: AttentionSpec, q: Array, k: Array, parameters: dict[str, Array]) -> Array:
    """Return the scores (B, h, Q, K), one pair of query and key at a time."""
    found = np.empty((*q.shape[:3], k.shape[2]))
    for item, head, query, key in np.ndindex(found.shape):
        one, other = q[item, head, query], k[item, head * k.shape[1] // q.shape[1], key]
        if spec.mechanism == "additive":
            score = float(parameters["w_v"][0] @ np.tanh(one + other))
        else:
            score = float(one @ other) / (math.sqrt(len(one)) if spec.scaled else 1)
        found[item, head, query, key] = score / spec.temperature
    return found - fall(spec, *found.shape[2:])


def fall(spec: AttentionSpec, num_queries: int, num_keys: int) -> Array:
    """Return ALiBi's penalty of each score (h, Q, K), 0 for other mechanisms."""
    found = np.zeros((spec.heads_run, num_queries, num_keys))
    if spec.mechanism == "alibi":
        for head, query, key in np.ndindex(found.shape):
            found[head, query, key] = slopes_of(spec.num_heads)[head] * abs(query - key)
    return found


def allowed(spec: AttentionSpec, num_queries: int, num_keys: int, batch: int) -> Array:
    """Return the mask (B, h, Q, K), True where every rule of the spec lets a query attend to a key."""
    found = np.ones((batch, spec.heads_run, num_queries, num_keys), bool)
    by_hand = painted_cells(spec.painted)
    # The positions after the last document are one more.
    documents = [document for document, length in enumerate(spec.document_lens or ()) for _ in range(length)]
    documents += [len(spec.document_lens or ())] * max(num_queries, num_keys)
    for item, _, query, key in np.ndindex(found.shape):
        length: Any = num_keys if spec.valid_lens is None else spec.valid_lens[item]
        if isinstance(length, tuple):
            length = length[query]
        rules = [key < length, key <= query or not spec.causal, documents[query] == documents[key]]
        rules += [spec.window is None or -spec.window < query - key < spec.window, (query, key) not in by_hand]
        found[item, :, query, key] = all(rules) and further_rules(spec, query, key)
    return found


def further_rules(spec: AttentionSpec, query: int, key: int) -> bool:
    """Return whether each mask without a field of its own lets a query attend to a key."""
    rules = []
    if found := spec.masks.get("prefix_lm"):
        rules.append(key in range(max(query + 1, int(found["length"]))))
    if found := spec.masks.get("dilated_window"):
        steps = range(1 - int(found["window"]), int(found["window"]))
        rules.append(abs(query - key) in {abs(step * int(found["dilation"])) for step in steps})
    if found := spec.masks.get("global_tokens"):
        rules.append(min(query, key) < found["tokens"] or abs(query - key) < found["window"])
    return all(rules)


def painted_cells(painted: str) -> set[tuple[int, int]]:
    """Return the cells masked by "1: 3-5 7; 4-6: 0"."""
    cells = set()
    for entry in filter(None, painted.split(";")):
        head, _, tail = entry.partition(":")
        cells |= {(query, key) for query in span(head) for part in tail.split() for key in span(part)}
    return cells


def span(text: str) -> range:
    """Return the numbers of "3" or "3-5"."""
    first, _, last = text.strip().partition("-")
    return range(int(first), int(last or first) + 1)


def softmax(masked: Array, mask: Array, policy: str, sink: float | None = None) -> Array:
    """Return the weights, row by row; an empty row is 0, even or NaN, by the policy; 0 with a sink."""
    weights = np.zeros_like(masked, dtype=np.float64)
    for row in np.ndindex(masked.shape[:3]):
        keys = np.flatnonzero(mask[row])
        if len(keys):
            heights = np.exp(masked[row][keys].astype(np.float64) - masked[row][keys].max())
            further = 0.0 if sink is None else math.exp(sink - masked[row][keys].max())
            weights[row][keys] = heights / (heights.sum() + further)
        elif sink is None:
            weights[row] = {"zero": 0.0, "book": 1 / masked.shape[-1], "inf": np.nan}[policy]
    return weights


def pooled(weights: Array, v: Array) -> Array:
    """Return each row of weights times the values, (B, h, Q, d)."""
    return np.einsum("bhqk,bhkd->bhqd", weights.astype(np.float64), v.astype(np.float64))


def nadaraya_watson(x_test: Array, x_train: Array, kernel: str, width: float) -> Array:
    """Return the normalised kernel weights (Q, K); a row without a point in reach is 0."""
    weights = np.zeros((len(x_test), len(x_train)))
    for row, x in enumerate(x_test):
        u = (x - x_train) / width
        heights = {
            "gaussian": np.exp((u**2).min() / 2 - u**2 / 2),
            "boxcar": (np.abs(u) < 1).astype(float),
            "epanechnikov": np.maximum(0, 1 - u**2),
            "triangular": np.maximum(0, 1 - np.abs(u)),
            "constant": np.ones_like(u),
        }[kernel]
        weights[row] = heights / heights.sum() if heights.sum() else 0.0
    return weights


def loss_and_gradient(w: float, x: Array, y: Array, leave_one_out: bool) -> tuple[float, float]:
    """Return the sum of squared errors of the training points, and its derivative by w, derived by hand."""
    loss = gradient = 0.0
    for i in range(len(x)):
        others = np.arange(len(x)) != i if leave_one_out else np.ones(len(x), bool)
        squares, values = (x[i] - x[others]) ** 2, y[others]
        heights = np.exp((squares.min() - squares) * w**2 / 2)
        weights = heights / heights.sum()
        slopes = -squares * w  # the derivative of -(d w)²/2
        error = float(weights @ values - y[i])
        loss += error**2
        gradient += 2 * error * float(weights @ ((slopes - weights @ slopes) * values))
    return loss, gradient
