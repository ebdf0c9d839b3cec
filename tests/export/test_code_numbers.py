"""Every script is run, in one fresh interpreter without attnviz, and its numbers are those of the spec's run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from legal_specs import attention_values, masked_values, regression_values, training_values
from scripts import run_scripts

from attnviz.definitions.decoder.optimizers import OPTIMIZERS
from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.definitions.tasks import TASKS
from attnviz.engine.run import run
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import Spec, Trace, make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Failure
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.export.code.script import pytorch_code

OF_EACH_LAB = min(26, settings.default.max_examples)  # type: ignore[union-attr]
"""How many specs are drawn: as many as of other random examples, unless those are run for an hour."""

SENTENCE = {"kind": "sentence", "text": 'Don\'t "stop", 注意 — said Ann_Lee; the cat sat'}
PAINTED = "; ".join(f"{query}: {' '.join(str(key) for key in range(0, 9, 2))}" for query in range(0, 9, 2))
ATTENTION: dict[str, dict[str, Any]] = {
    "sentence_of_odd_size": {"inputs": SENTENCE, "num_hiddens": 9, "num_heads": 3, "seed": 7},
    "painted_finely": {"num_queries": 9, "num_kvpairs": 9, "painted": PAINTED, "window": 2, "mask_policy": "book"},
    "half_without_upcast": {"dtype": "float16", "upcast": False, "valid_lens": [0, 3], "mask_policy": "book"},
    "half_in_training": {"dtype": "bfloat16", "training": True, "dropout": 1 / 3, "valid_lens": [[1, 2, 3, 4]] * 2},
    "counted_round": {"inputs": {"kind": "identity"}, "num_hiddens": 4, "num_heads": 2, "num_kvpairs": 9},
    "causal_with_lengths": {"mechanism": "causal_multi_head", "bias": True, "valid_lens": [0, 2], "query_size": 3},
    "product_of_any_threads": {"dtype": "float64", "num_hiddens": 12, "num_heads": 3, "num_queries": 18, "bias": True},
    "empty_rows_of_nan": {"mechanism": "additive", "valid_lens": [0, 2], "mask_policy": "inf", "temperature": 0.3},
}

LEARNED = {"estimator": "parametric", "epochs": 2, "learning_rate": 0.01}
MANY = {"kind": "synthetic", "n_train": 730, "noise": 0.2}
OVERLAYS = [
    {"estimator": "parametric"},
    {"estimator": "nonparametric", "kernel": "triangular", "width": 0.123456789012345},
]
REGRESSION: dict[str, dict[str, Any]] = {
    "in_blocks": LEARNED | {"data": MANY, "x_test": {"step": 0.006}, "overlays": OVERLAYS},
    "heads_in_blocks": LEARNED | {"data": MANY, "x_test": {"step": 0.01}, "num_heads": 3, "leave_one_out": False},
    "gradient_of_any_threads": LEARNED | {"epochs": 3, "data": {**MANY, "n_train": 300, "noise": 0.3, "seed": 3}},
    "kernel_in_blocks": {
        "data": MANY,
        "kernel": "boxcar",
        "mask_policy": "inf",
        "x_test": {"step": 0.006},
        "width": 0.01,
    },
    "a_gap_filled": {"kernel": "epanechnikov", "width": 0.05, "mask_policy": "book", "overlays": OVERLAYS},
    "unsorted_points": {
        "data": {"kind": "points", "x": [3, 1.5, 1.5, -2], "y": [0, -1, 1e-300, 5], "function": "book"}
    },
} | {
    f"formula_{number}": {
        "data": {"kind": "synthetic", "function": "formula", "formula": formula, "n_train": 30},
        "x_test": {"start": -3, "stop": 4, "step": 0.37},
    }
    for number, formula in enumerate(
        [
            "1/(x + 3) + exp(-99*x)",  # infinite at the first query, and beyond 1e100 at the next
            "-2^-x^2 + x²·x³ − 3/x",
            "sinc(x - 2.5)*max(x, 1) - min(sin(x), cos(x)) + max(2, 3)",
            "step(x - 1) + sign(x - 2)*step(sin(x)) - -sign(cos(x))",
            "2*pi*x/3/(x + 1) - (1 - (2 - x)) + 1/2*sqrt(2)*e^x",
            "(-0)*x + floor(x) + ceil(x)*abs(x) + 7",
            "x^(1/3) + ln(x + 1) + log10(x + 9e15) - asin(x/9) + 9007199254740993*tanh(x)",
        ]
    )
}

BARE = {"norm": False, "feed_forward": True, "tied_embedding": True}
SMALL = {"num_hiddens": 24, "batch_size": 8, "steps": 4, "warmup": 2}
TRAINING: dict[str, dict[str, Any]] = {
    **{f"held_out_of_{name}": {"task": {"kind": name}, "held_out": 0.2} for name in TASKS},
    "text_of_their_own": {"task": {"kind": "text", "text": '"É"\\\n' * 40 + "注"}, "num_tokens": 9},
    **{
        f"bare_{name}": BARE | {"positions": name, "num_layers": 3, "num_heads": 3, "num_hiddens": 30}
        for name in POSITIONS
    },
    **{f"{name}_free": {"optimizer": name, "weight_decay": 0, "clip": None, "warmup": 0} for name in OPTIMIZERS},
    "changed_and_off": {
        "changes": [{"step": 1, "learning_rate": 0.1}, {"step": 3, "learning_rate": 1e-7}],
        "heads_off": ["1.2", "2.4", "2.1"],
        "seed": 2**31 - 1,
    },
    "in_float64": {"dtype": "float64", "positions": "alibi", "num_heads": 1, "heads_off": ["1.1"]},
    "short_probe": {"probe": ["a", "b", "a", "c"], "positions": "sinusoidal", "clip": 1e-3},
    "as_in_a_lesson": {"num_layers": 3, "num_hiddens": 128, "batch_size": 64, "steps": 2},
}


def short(spec: Spec) -> Spec:
    """Return a spec that takes few steps, on the CPU."""
    few = {"steps": 3} if isinstance(spec, TrainSpec) else {}
    return spec.model_copy(update={"device": "cpu", **few})


def drawn(strategy: st.SearchStrategy[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return values that legal specs are made from, the same in each run unless it is a --long one."""
    found: list[dict[str, Any]] = []

    @settings(
        max_examples=count,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(values: dict[str, Any]) -> None:
        found.append(values)

    collect()
    return found[:count]


def files(folder: Path) -> dict[str, dict[str, Any]]:
    """Write arrays and points of a user's own and return the values of specs that read them."""
    rng = np.random.default_rng(5)
    queries, keys, values = (rng.normal(size=shape) for shape in ((2, 3, 5), (2, 4, 6), (2, 4, 7)))
    W_q, W_o = rng.normal(size=(8, 5)), rng.normal(size=(8, 8)).astype(np.float32)
    np.savez(folder / "mine.npz", queries=queries.astype(np.float16), keys=keys, values=values * 1e9, W_q=W_q, W_o=W_o)
    np.savez(folder / "flat.npz", queries=queries[0], keys=queries[0], values=queries[0], W_v=W_q)
    np.save(folder / "one.npy", np.asfortranarray(values))
    given = rng.random((2, 3, 4, 5))
    np.savez(folder / "given.npz", weights=given.astype(">f4"), mask=np.tri(4, 5, dtype=bool))
    np.save(folder / "given.npy", given[0].astype(">f8"))
    (folder / "points.csv").write_text("x;y\n3,5;4\n1;2\n2;1e-7\n")
    sizes = {"num_hiddens": 8, "num_heads": 2}
    mine, flat, one = ({"kind": "file", "path": str(folder / name)} for name in ("mine.npz", "flat.npz", "one.npy"))
    return {
        "file_multi_head": {"inputs": mine, "valid_lens": [0, 3]} | sizes,
        "file_additive": {"inputs": mine, "mechanism": "additive", "dtype": "float64", "causal": True} | sizes,
        "file_causal": {"inputs": flat, "mechanism": "causal_multi_head", "painted": "1: 0"} | sizes,
        "file_halves": {"inputs": flat, "mechanism": "dot_product", "dtype": "float16", "window": 1},
        "file_one_array": {"inputs": one, "num_hiddens": 6, "num_heads": 1, "document_lens": [1]},
        "given_big_endian": {"mechanism": "given", "inputs": {"kind": "file", "path": str(folder / "given.npz")}},
        "given_one_array": {"mechanism": "given", "inputs": {"kind": "file", "path": str(folder / "given.npy")}},
        "file_points": {"lab": "regression", "data": {"kind": "file", "path": str(folder / "points.csv")}},
    }


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Trace, dict[str, Any]]]:
    """Every spec's last trace beside what its script has left."""
    folder = tmp_path_factory.mktemp("scripts")
    # Scripts of a folder's model, which need more than torch, are compared in test_model_exports and test_every_field.
    specs: dict[str, Spec] = {
        f"preset_{name}": short(preset.spec) for name, preset in presets().items() if preset.spec.lab != "model"
    }
    written = ATTENTION | {name: {"lab": "regression"} | values for name, values in REGRESSION.items()} | files(folder)
    written |= {name: {"lab": "train"} | SMALL | values for name, values in TRAINING.items()}
    specs |= {name: make_spec({"device": "cpu"} | values) for name, values in written.items()}
    for values in [
        *drawn(attention_values(most=12), OF_EACH_LAB // 2),
        *drawn(masked_values(), OF_EACH_LAB // 2),
        *drawn(regression_values(), OF_EACH_LAB),
        *drawn(training_values(), OF_EACH_LAB // 2),
    ]:
        specs[f"drawn_{len(specs)}"] = make_spec(values)
    traces = {name: list(run(spec))[-1] for name, spec in specs.items()}
    # A spec that was drawn may overflow or diverge; then there are no numbers to compare.
    failed = [name for name, trace in traces.items() if name.startswith("drawn") and isinstance(trace, Failure)]
    assert len(failed) < OF_EACH_LAB // 2
    traces = {name: trace for name, trace in traces.items() if name not in failed}
    for name, trace in traces.items():
        assert isinstance(trace, AttentionTrace | RegressionTrace | TrainTrace), (name, trace)
    left = run_scripts({name: pytorch_code(specs[name]) for name in traces}, folder, fresh=True)
    return {name: (trace, left[name]) for name, trace in traces.items()}


def differing(
    compared: dict[str, tuple[Any, dict[str, Any]]], kind: type, expected: Callable[..., dict[str, Any]]
) -> Any:
    """Return what is not the trace's, bit for bit, of every script of a lab."""
    found = {}
    for name, (trace, left) in compared.items():
        if isinstance(trace, kind):
            arrays = expected(trace)
            wrong = [key for key, array in arrays.items() if key not in left or not same(left[key], array)]
            found[name] = wrong
    assert len(found) > OF_EACH_LAB
    return {name: wrong for name, wrong in found.items() if wrong}


def same(left: Any, right: Any) -> bool:
    return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()


def of_attention(trace: AttentionTrace) -> dict[str, Any]:
    return {"weights": trace.weights} | ({} if trace.is_given else {"output": trace.output})


def of_regression(trace: RegressionTrace) -> dict[str, Any]:
    arrays = {name: getattr(trace, name) for name in ("weights", "y_hat", "x_train", "y_train", "x_test")}
    if trace.spec.trains:
        w = trace.w_path[-1]
        arrays |= {"w": w if trace.spec.num_heads > 1 else w.reshape(()), "losses": trace.loss}
    return arrays | {f"overlay_{number}": curve.y_hat for number, curve in enumerate(trace.curves)}


def test_that_weights_and_output_of_attention_are_those_of_the_run(compared: Any) -> None:
    assert differing(compared, AttentionTrace, of_attention) == {}


def test_that_points_weights_predictions_training_and_overlays_are_those_of_the_run(compared: Any) -> None:
    assert differing(compared, RegressionTrace, of_regression) == {}


def of_training(trace: TrainTrace) -> dict[str, Any]:
    history = trace.history
    return {"losses": history.loss, "accuracies": history.accuracy, "weights": trace.weights, "logits": trace.logits}


def test_that_every_loss_and_accuracy_of_a_training_is_that_of_the_run_and_so_are_its_weights(compared: Any) -> None:
    assert differing(compared, TrainTrace, of_training) == {}
    for name, (trace, left) in compared.items():
        if isinstance(trace, TrainTrace):
            # Torch and numpy round the exponential differently.
            np.testing.assert_allclose(left["probabilities"], trace.probabilities, rtol=1e-14, err_msg=name)
            assert f"loss {trace.history.loss[0]:.4f}" in str(left["printed"])


def test_that_the_truth_is_there_where_it_is_known_and_is_that_of_the_run(compared: Any) -> None:
    known = 0
    for name, (trace, left) in compared.items():
        if "y_truth" in left:
            known += 1
            np.testing.assert_array_equal(left["y_truth"], trace.y_truth, err_msg=name)
        elif isinstance(trace, RegressionTrace):
            assert np.isnan(trace.y_truth).all(), name
    assert known > OF_EACH_LAB


def test_that_every_script_prints_numbers_and_no_more_than_can_be_looked_at(compared: Any) -> None:
    for name, (_, left) in compared.items():
        said = str(left["printed"])
        assert "weights (" in said, name
        assert "tensor(" in said, name
        assert len(said) < 40_000, name


@pytest.mark.parametrize("name", ["preset_multi-head-random", "preset_kernel-fixed"])
def test_that_what_is_printed_are_the_weights(name: str, compared: Any) -> None:
    trace, left = compared[name]
    printed = str(left["printed"])
    assert "..." not in printed
    for weight in trace.weights.reshape(-1)[:20]:
        assert f"{weight:.6f}" in printed
