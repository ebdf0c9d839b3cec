"""Hypothesis strategies for legal values of specs, and for values of hostile files."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.tasks import TASKS
from attnviz.experiment.attention.masks import FurtherMasks, ScoreSteps
from attnviz.experiment.fields import painted
from attnviz.experiment.regression.spec import Overlay

HEADED = ("multi_head", "causal_multi_head", "rotary", "alibi")
MECHANISMS = ("dot_product", "additive", *HEADED)
WORDS = ("the", "The", "cat", "didn't", "mat", ",", "注", "意", "_", "Straße", "é", "7")

ESTIMATORS = ("average", "nonparametric", "parametric")
KERNELS = ("gaussian", "boxcar", "epanechnikov", "triangular", "constant")
SHORT_KERNELS = ("boxcar", "epanechnikov", "triangular")
OPTIMIZERS = ("sgd", "momentum", "adam")
FUNCTIONS = ("book", "sine_plus_x", "step", "chirp", "sinc")
FORMULAS = ("2*sin(x) + cos(3*x)", "x", "-0.5*x^2 + abs(x)", "step(x - 2.5)")

SEEDS = st.integers(0, 2**31 - 1)

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.sampled_from(["", "0", "{value}", "causal_multi_head", "sentence", "\ud800", "\0", "9" * 5000])
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["kind", "text", "path", "x", "start"]) | st.text(max_size=4), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@st.composite
def attention_values(draw: st.DrawFn, most: int = 40) -> dict[str, Any]:
    """Draw the values of a legal attention spec without files, with sizes up to ``most``."""
    size = st.integers(1, most)
    mechanism = draw(st.sampled_from(MECHANISMS))
    causal_module = mechanism == "causal_multi_head"
    heads = draw(st.integers(1, 4))
    each = heads * (2 if mechanism == "rotary" else 1)  # which turns features in pairs
    hiddens = each * draw(st.integers(1, max(most // each, 1))) if mechanism in HEADED else draw(size)
    values: dict[str, Any] = {
        "lab": "attention",
        "mechanism": mechanism,
        "num_heads": heads,
        "num_kv_heads": draw(st.sampled_from([None, *(each for each in range(1, heads + 1) if heads % each == 0)])),
        "num_hiddens": hiddens,
        "batch_size": draw(st.integers(1, 3)),
        "num_queries": draw(size),
        "num_kvpairs": draw(size),
        "self_attention": causal_module or draw(st.booleans()),
        "causal": causal_module or draw(st.booleans()),
        "positions": draw(st.sampled_from(["sentences", "none", "sinusoidal"])),
        "query_size": draw(st.none() | size),
        "value_size": draw(st.none() | size),
        "scaled": draw(st.booleans()),
        "bias": draw(st.booleans()),
        "training": draw(st.booleans()),
        "dropout": draw(st.floats(0, 0.9)),
        "temperature": draw(st.floats(0.1, 10)),
        "mask_policy": draw(st.sampled_from(["zero", "book", "inf"])),
        "dtype": draw(st.sampled_from(["float32", "float64", "bfloat16", "float16"])),
        "seed": draw(SEEDS),
        "device": "cpu",
    }
    values["inputs"] = draw(_inputs(most))
    if values["inputs"]["kind"] == "two_sentences" and causal_module:
        values["inputs"] = {"kind": "random"}  # a module that attends to itself
    if values["inputs"]["kind"] == "two_sentences":
        counts = (len(values["inputs"][name].split()) for name in ("text", "keys_text"))
        values |= {"self_attention": False, "batch_size": 1} | dict(
            zip(("num_queries", "num_kvpairs"), counts, strict=True)
        )
    if values["inputs"]["kind"] == "sentence":
        values |= {"self_attention": True, "batch_size": 1, "num_queries": len(values["inputs"]["text"].split())}
    if values["self_attention"]:
        values |= {"num_kvpairs": values["num_queries"], "value_size": values["query_size"]}
    if values["self_attention"] or mechanism == "dot_product":
        values["key_size"] = values["query_size"]
    else:
        values["key_size"] = draw(st.none() | size)
    if values["inputs"] == {"kind": "ones", "values": "arange"} and values["self_attention"]:
        values["inputs"] = {"kind": "ones"}  # arange values differ from the queries
    if values["inputs"]["kind"] == "two_sentences":
        values["value_size"] = values["key_size"]
    values["context_length"] = values["num_queries"] + draw(st.integers(0, 5))
    queries, keys = values["num_queries"], values["num_kvpairs"]
    values["valid_lens"] = draw(lengths_for(values["batch_size"], queries, keys))
    values["window"] = draw(st.none() | st.integers(1, most))
    values["document_lens"] = draw(st.none() | st.lists(st.integers(1, most), min_size=1, max_size=4))
    values["painted"] = draw(painted_for(queries, keys))
    values["upcast"] = draw(st.booleans())
    return values


@st.composite
def given_values(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the values of a legal spec with given weights, with any values for its inactive knobs."""
    file = {"kind": "file", "path": draw(st.sampled_from(["", "mine.npz", "weights.npy"]))}
    return draw(attention_values(most=6)) | {"mechanism": "given", "inputs": file}


@st.composite
def given_arrays(draw: st.DrawFn, most: int = 4) -> dict[str, Any]:
    """Draw weights as of another model, in any accepted shape, perhaps with a mask and tokens."""
    shape = draw(st.lists(st.integers(1, most), min_size=2, max_size=4).map(tuple))
    weight = st.sampled_from([0.0, 0.125, 1 / 3, 0.5, 1.0, float("nan")])
    dtype = draw(st.sampled_from([np.float16, np.float32, np.float64]))
    found: dict[str, Any] = {"weights": draw(arrays.arrays(dtype, shape, elements=weight.map(dtype)))}
    of_mask = draw(st.none() | st.integers(1, len(shape)).map(lambda axes: shape[-axes:]))
    if of_mask is not None:
        found["mask"] = draw(arrays.arrays(bool, of_mask))
    for name, count in (("query_tokens", shape[-2]), ("key_tokens", shape[-1])):
        if draw(st.booleans()):
            found[name] = np.array(draw(st.lists(st.sampled_from(WORDS), min_size=count, max_size=count)))
    return found


@st.composite
def regression_values(draw: st.DrawFn) -> dict[str, Any]:
    """Draw values of all fields of a legal regression spec without a file."""
    estimator = draw(st.sampled_from(ESTIMATORS))
    start = draw(st.floats(-10, 10))
    x = draw(st.lists(st.floats(-10, 10), min_size=2, max_size=6))
    return {
        "lab": "regression",
        "data": draw(
            st.just({"kind": "book"})
            | st.fixed_dictionaries(
                {
                    "kind": st.just("synthetic"),
                    "function": st.sampled_from([*FUNCTIONS, "formula"]),
                    "formula": st.sampled_from(FORMULAS),
                    "n_train": st.integers(2, 20),
                    "noise": st.floats(0, 2),
                    "seed": SEEDS,
                }
            )
            | st.fixed_dictionaries(
                {
                    "kind": st.just("points"),
                    "x": st.just(x),
                    "y": st.just(x[::-1]),
                    "function": st.none() | st.sampled_from([*FUNCTIONS, "formula"]),
                    "formula": st.sampled_from(FORMULAS),
                }
            )
        ),
        "x_test": {"start": start, "stop": start + draw(st.floats(0.5, 5)), "step": draw(st.floats(0.1, 1))},
        "estimator": estimator,
        "kernel": "gaussian" if estimator == "parametric" else draw(st.sampled_from(KERNELS)),
        "width": draw(st.floats(0.01, 10)),
        "mask_policy": draw(st.sampled_from(["zero", "book", "inf"])),
        "overlays": draw(st.just([]) | overlay_lists()),
        "leave_one_out": draw(st.booleans()),
        "optimizer": draw(st.sampled_from(OPTIMIZERS)),
        "learning_rate": draw(st.floats(0.001, 1)),
        "momentum": draw(st.floats(0, 0.95)),
        "epochs": draw(st.integers(1, 6)),
        "w_init": draw(st.none() | st.floats(-2, 2)),
        "seed": draw(SEEDS),
        "num_heads": draw(st.sampled_from([1, 1, 1, 2, 3])),
        "device": "cpu",
    }


@st.composite
def training_values(draw: st.DrawFn) -> dict[str, Any]:
    """Draw values of all fields of a legal training of a few steps."""
    kind = draw(st.sampled_from(["repeat", "copy", "reverse", "sort", "add", "text"]))
    heads, layers = draw(st.sampled_from([1, 2, 4])), draw(st.integers(1, 3))
    sizes: dict[str, Any] = {}
    task: dict[str, Any] = {"kind": kind}
    match kind:
        case "repeat":
            task["segment"] = segment = draw(st.integers(2, 6))
            length = draw(st.integers(max(4, 2 * segment), 3 * segment))
            sizes = {"num_tokens": length, "vocab_size": draw(st.integers(length - segment, 40))}
        case "add":
            task["digits"] = number = draw(st.integers(1, 3))
            sizes = {"num_tokens": 3 * number + 3 + draw(st.integers(0, 4))}
        case "text":
            task["text"] = text = draw(st.text(min_size=8, max_size=90).filter(lambda text: len(set(text)) > 1))
            sizes = {"num_tokens": draw(st.integers(4, len(text)))}
        case _:
            task["symbols"] = number = draw(st.integers(2, 6))
            sizes = {"num_tokens": 2 * number + 1 + draw(st.integers(0, 3)), "vocab_size": draw(st.integers(3, 70))}
    rate = st.floats(1e-5, 0.1)
    steps = draw(st.lists(st.integers(0, 9), unique=True, max_size=3).map(sorted))
    off = st.tuples(st.integers(1, layers), st.integers(1, heads)).map(lambda pair: f"{pair[0]}.{pair[1]}")
    own = {name: value for name, value in task.items() if name != "kind"}
    knobs = {**TASKS[kind].default_knobs, **sizes, **own, "held_out": draw(st.floats(0.01, 0.5))}
    record = TASKS[kind]
    divides = draw(st.booleans()) and not record.problem(knobs) and record.has_both(knobs, record.sample(knobs))
    return sizes | {
        "lab": "train",
        "task": task,
        **({"held_out": knobs["held_out"]} if divides else {}),
        "num_layers": layers,
        "num_heads": heads,
        "num_hiddens": 8 * draw(st.integers(1, 3)),
        "positions": draw(st.sampled_from(["none", "sinusoidal", "learned", "rotary", "alibi"])),
        "feed_forward": draw(st.booleans()),
        "norm": draw(st.booleans()),
        "tied_embedding": draw(st.booleans()),
        "optimizer": draw(st.sampled_from(["adamw", "adam", "momentum", "sgd"])),
        "momentum": draw(st.floats(0, 0.95)),
        "learning_rate": draw(rate),
        "warmup": draw(st.integers(0, 5)),
        "weight_decay": draw(st.floats(0, 0.5)),
        "clip": draw(st.none() | st.floats(0.01, 2)),
        "batch_size": draw(st.integers(1, 5)),
        "steps": draw(st.integers(1, 4)),
        "changes": [{"step": step, "learning_rate": draw(rate)} for step in steps],
        "heads_off": draw(st.lists(off, max_size=3)),
        "seed": draw(SEEDS),
        "dtype": draw(st.sampled_from(["float32", "float64"])),
        "device": "cpu",
    }


def overlay_lists(most: int = 4) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Draw a few overlays with different curves."""
    one = st.fixed_dictionaries(
        {
            "estimator": st.sampled_from(ESTIMATORS),
            "kernel": st.sampled_from(KERNELS),
            "width": st.sampled_from([0.1, 0.5, 1.0]),
        }
    )
    return st.lists(one, max_size=most, unique_by=lambda values: Overlay(**values).identity)


def lengths_for(batch_size: int, num_queries: int, num_kvpairs: int) -> st.SearchStrategy[Any]:
    """Draw valid lengths for these sizes: none, one per item, or one per query."""
    length = st.integers(0, num_kvpairs)
    per_query = st.lists(length, min_size=num_queries, max_size=num_queries)
    return (
        st.none()
        | st.lists(length, min_size=batch_size, max_size=batch_size)
        | st.lists(per_query, min_size=batch_size, max_size=batch_size)
    )


def painted_for(num_queries: int, num_kvpairs: int) -> st.SearchStrategy[str]:
    """Draw a painted mask for these sizes: empty, or rectangles of forbidden cells."""

    def write(strokes: list[tuple[int, int, int, int]]) -> str:
        cells = np.zeros((num_queries, num_kvpairs), bool)
        for top, bottom, left, right in strokes:
            cells[top : bottom + 1, left : right + 1] = True
        return painted.write(cells)

    query, key = st.integers(0, num_queries - 1), st.integers(0, num_kvpairs - 1)
    return st.just("") | st.lists(st.tuples(query, query, key, key), max_size=4).map(write)


def _inputs(most: int) -> st.SearchStrategy[dict[str, Any]]:
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=min(most, 12))
    return (
        st.sampled_from(
            [{"kind": "random"}, {"kind": "ones"}, {"kind": "ones", "values": "arange"}, {"kind": "identity"}]
        )
        | words.map(lambda chosen: {"kind": "sentence", "text": " ".join(chosen)})
        | st.tuples(words, words).map(
            lambda both: {"kind": "two_sentences", "text": " ".join(both[0]), "keys_text": " ".join(both[1])}
        )
    )


@st.composite
def masked_values(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the values of a legal spec with any of the masks."""
    values = draw(attention_values(most=5))
    shape = values["num_queries"], values["num_kvpairs"]
    for kind in (FurtherMasks, ScoreSteps):
        records = {
            name: st.fixed_dictionaries({knob.name: _numbers(knob) for knob in record.knobs})
            for name, record in kind.records().items()
            if getattr(record, "does", "") not in {"weigh", *(["vectors"] if values["mechanism"] == "additive" else [])}
        }
        if records:
            values[kind.field] = draw(st.fixed_dictionaries({}, optional=records))
    return values | {
        "window": draw(st.none() | st.integers(1, 5)),
        "document_lens": draw(st.none() | st.lists(st.integers(1, 3), min_size=1, max_size=3)),
        "painted": draw(st.just("") | arrays.arrays(bool, shape).map(painted.write)),
        "upcast": draw(st.booleans()),
    }


def _numbers(knob: NumberKnob) -> st.SearchStrategy[float]:
    if knob.whole:
        return st.integers(int(knob.least), min(int(knob.greatest), 8))
    return st.floats(max(knob.least, -8), min(knob.greatest, 8))
