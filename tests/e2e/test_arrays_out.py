"""``attnviz run ... -o``: the names and shapes in the file, which other programs rely on."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import attnviz

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.tasks import TASKS
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import make_spec

Shapes = dict[str, tuple[int, ...]]

# Sizes of queries, keys and values, and all of the mechanisms' spaces, differ: a mixed-up axis shows.
SIZES: dict[str, Any] = {"batch_size": 2, "num_queries": 4, "num_kvpairs": 6}
SIZES |= {"query_size": 7, "key_size": 5, "value_size": 3, "num_hiddens": 12, "num_heads": 3, "device": "cpu"}
INPUTS: Shapes = {"queries": (2, 4, 7), "keys": (2, 6, 5), "values": (2, 6, 3)}
CAUSAL: dict[str, Any] = {"mechanism": "causal_multi_head", "num_queries": 4, "query_size": 7}
CAUSAL |= {"num_hiddens": 12, "num_heads": 3}
FIRST_WORDS = (
    *(name for name, record in MECHANISMS.items() if not record.is_given),
    "average",
    "nonparametric",
    "parametric",
    *TASKS,
    "induction",
)
ON_CELLS = ("scores", "mask", "masked_scores", "weights")


def headed(queries: int, keys: int) -> Shapes:
    """The shapes of 3 heads of 4 features each."""
    return {
        "q": (2, 3, queries, 4),
        "k": (2, 3, keys, 4),
        "v": (2, 3, keys, 4),
        **dict.fromkeys(ON_CELLS, (2, 3, queries, keys)),
        "heads": (2, 3, queries, 4),
        "merged": (2, queries, 12),
        "output": (2, queries, 12),
    }


def single(features: int) -> Shapes:
    """The shapes of a mechanism without heads, which pools the values as they are."""
    return {
        "q": (2, 1, 4, features),
        "k": (2, 1, 6, features),
        "v": (2, 1, 6, 3),
        **dict.fromkeys(ON_CELLS, (2, 1, 4, 6)),
        "heads": (2, 1, 4, 3),
        "merged": (2, 4, 3),
        "output": (2, 4, 3),
    }


MULTI_HEAD = INPUTS | headed(4, 6) | {"W_q": (12, 7), "W_k": (12, 5), "W_v": (12, 3), "W_o": (12, 12)}
CAUSAL_SHAPES = headed(4, 4) | dict.fromkeys(("queries", "keys", "values"), (2, 4, 7))
CAUSAL_SHAPES |= dict.fromkeys(("W_q", "W_k", "W_v"), (12, 7)) | {"W_o": (12, 12), "b_o": (12,)}
POINTS: Shapes = {"x_train": (50,), "y_train": (50,), "x_test": (10,), "y_truth": (10,), "y_hat": (10,)}
POINTS |= {"kernel_values": (10, 50), "weights": (10, 50)}

FIXED: dict[str, tuple[dict[str, Any], Shapes]] = {
    "multi-head": (SIZES, MULTI_HEAD),
    "with bias": (SIZES | {"bias": True}, MULTI_HEAD | dict.fromkeys(("b_q", "b_k", "b_v", "b_o"), (12,))),
    "dropout acts": (SIZES | {"training": True, "dropout": 0.5}, MULTI_HEAD | {"dropped_weights": (2, 3, 4, 6)}),
    "causal": (CAUSAL, CAUSAL_SHAPES),
    "causal with bias": (CAUSAL | {"bias": True}, CAUSAL_SHAPES | dict.fromkeys(("b_q", "b_k", "b_v"), (12,))),
    "additive": (
        SIZES | {"mechanism": "additive"},
        INPUTS | single(12) | {"W_q": (12, 7), "W_k": (12, 5), "w_v": (1, 12), "features": (2, 4, 6, 12)},
    ),
    "dot product": (
        SIZES | {"mechanism": "dot_product", "key_size": 7},
        INPUTS | single(7) | {"keys": (2, 6, 7)},
    ),
    "average": ({"lab": "regression", "estimator": "average"}, POINTS),
    "fixed width": ({"lab": "regression"}, POINTS),
    "learned width": (
        {"lab": "regression", "estimator": "parametric", "epochs": 7},
        POINTS | {"loss": (7,), "w": (7,), "step": ()},
    ),
    "learned widths": (
        {"lab": "regression", "estimator": "parametric", "epochs": 7, "num_heads": 3},
        POINTS
        | {"kernel_values": (3, 10, 50), "head_weights": (3, 10, 50), "shares": (3,)}
        | {"loss": (7,), "w": (7, 3), "step": ()},
    ),
    "with overlays": (
        {"lab": "regression", "overlays": [{"estimator": "average"}, {"estimator": "parametric"}]},
        POINTS | {"overlays_y_hat": (2, 10)},
    ),
}


def arrays_of(values: dict[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Run these values into out.npz and return what other programs find there."""
    said = attnviz("run", "-", "-o", "out.npz", "--force", stdin=json.dumps(values).encode())
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("wrote out.npz\n")
    with np.load("out.npz", allow_pickle=False) as file:
        return dict(file)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(("values", "shapes"), FIXED.values(), ids=FIXED)
def test_that_the_names_and_shapes_in_a_file_are_fixed(values: dict[str, Any], shapes: Shapes) -> None:
    found = arrays_of(values)
    spec = found.pop("spec")
    assert {name: array.shape for name, array in found.items()} == shapes
    assert (spec.shape, spec.dtype.kind) == ((), "U")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("values", [values for values, _ in FIXED.values()], ids=list(FIXED))
def test_that_the_spec_in_a_file_makes_the_same_spec_and_the_same_file_again(values: dict[str, Any]) -> None:
    first = arrays_of(values)
    text = first["spec"].item()
    assert session_or_spec_from_json(text).spec == make_spec(values)
    again = arrays_of(json.loads(text))
    assert list(again) == list(first)
    assert all(np.array_equal(again[name], first[name], equal_nan=name == "y_truth") for name in set(first) - {"spec"})


@pytest.mark.usefixtures("elsewhere")
def test_that_a_file_alone_tells_how_its_output_came_about() -> None:
    found = arrays_of(SIZES | {"bias": True, "valid_lens": [3, 2]})
    projected = found["queries"] @ found["W_q"].T + found["b_q"]
    assert projected.reshape(2, 4, 3, 4).swapaxes(1, 2) == pytest.approx(found["q"], abs=1e-5)
    assert found["scores"] == pytest.approx(found["q"] @ found["k"].swapaxes(-1, -2) / 2, abs=1e-5)
    assert found["mask"].dtype == bool
    assert found["mask"].sum(axis=-1).tolist() == [[[3] * 4] * 3, [[2] * 4] * 3]
    raised = np.where(found["mask"], np.exp(found["scores"]), 0)
    assert found["weights"] == pytest.approx(raised / raised.sum(axis=-1, keepdims=True), abs=1e-5)
    assert found["heads"] == pytest.approx(found["weights"] @ found["v"], abs=1e-5)
    assert found["merged"] == pytest.approx(found["heads"].swapaxes(1, 2).reshape(2, 4, 12))
    assert found["output"] == pytest.approx(found["merged"] @ found["W_o"].T + found["b_o"], abs=1e-5)


@pytest.mark.usefixtures("elsewhere")
def test_that_a_file_tells_how_a_width_was_learned() -> None:
    found = arrays_of({"lab": "regression", "estimator": "parametric", "epochs": 30, "learning_rate": 0.02})
    assert found["loss"][-1] < found["loss"][0]
    distances = (found["x_test"][:, None] - found["x_train"]) * found["w"][-1]
    raised = np.exp(-(distances**2) / 2)
    assert found["weights"] == pytest.approx(raised / raised.sum(axis=-1, keepdims=True))
    assert found["y_hat"] == pytest.approx(found["weights"] @ found["y_train"])


@pytest.mark.usefixtures("elsewhere")
def test_that_a_file_tells_how_several_widths_were_learned() -> None:
    found = arrays_of({"lab": "regression", "estimator": "parametric", "num_heads": 3, "learning_rate": 0.02})
    distances = (found["x_test"][:, None] - found["x_train"]) * found["w"][-1][:, None, None]
    assert found["kernel_values"] == pytest.approx(np.exp(-(distances**2) / 2))
    raised = found["kernel_values"]
    assert found["head_weights"] == pytest.approx(raised / raised.sum(axis=-1, keepdims=True))
    assert found["shares"].sum() == pytest.approx(1)
    assert found["weights"] == pytest.approx(np.einsum("h,hqk->qk", found["shares"], found["head_weights"]))
    assert found["y_hat"] == pytest.approx(found["weights"] @ found["y_train"])


def test_that_a_preset_and_a_file_and_a_stream_of_its_spec_give_the_same_arrays(elsewhere: Path) -> None:
    spec = presets()["causal-random"].spec.model_dump_json()
    (elsewhere / "spec.json").write_text(spec, encoding="utf-8")
    written = {"preset:causal-random": "preset.npz", "spec.json": "file.npz", "-": "stream.npz"}
    for source, output in written.items():
        assert attnviz("run", source, "-o", output, stdin=spec.encode()).code == 0
    one, two, three = (dict(np.load(elsewhere / output)) for output in written.values())
    assert sorted(one) == sorted(two) == sorted(three)
    assert all(np.array_equal(one[name], two[name]) and np.array_equal(one[name], three[name]) for name in one)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("name", presets())
def test_that_every_preset_runs_and_says_what_came_out(name: str, long: bool) -> None:
    if presets()[name].spec.steps > 100 and not long:
        pytest.skip("a training of 3 to 30 seconds: --long")
    said = attnviz("run", f"preset:{name}")
    assert said.code == 0
    assert all(re.fullmatch(r"step \d+/\d+, \d+ s left", line) for line in said.err.splitlines()), said.err
    assert said.out.splitlines()[0].split(":")[0] in FIRST_WORDS
    assert "weights (" in said.out


def test_that_nothing_is_written_unless_asked_for(elsewhere: Path) -> None:
    assert attnviz("run", "preset:multi-head-book").code == 0
    assert list(elsewhere.iterdir()) == []
