"""The scalars of every lab: what each says, that it is the number of the trace, and the columns of the heads."""

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from every_field import WITHOUT_RUNS

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.statistics import STATISTICS
from attnviz.engine.run import run_to_end
from attnviz.experiment.labs import Trace, make_spec, scalars_of, text_columns_of
from attnviz.experiment.scalars import column_of_head, numbers_of, summed_up
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, SPEC, SWEEP
from attnviz.experiment.sweeps.fields import swept_fields
from attnviz.experiment.texts.languages import languages, translator
from attnviz.folders import resource_in

SMALL: dict[str, dict[str, Any]] = {
    "attention": {"num_heads": 2, "num_hiddens": 8, "batch_size": 3},
    "attention, no heads": {"mechanism": "dot_product"},
    "regression": {},
    "regression, two w": {"estimator": "parametric", "num_heads": 2, "epochs": 3},
    "train": {"num_layers": 2, "num_heads": 2, "num_hiddens": 16, "steps": 9, "learning_rate": 0.01},
    "model": {"heads_off": ["1.2"]},
    "model, continued": {"generate": 3},
}


@pytest.fixture(scope="module", params=SMALL)
def trace(request: pytest.FixtureRequest) -> Trace:
    lab = request.param.partition(",")[0]
    if lab in WITHOUT_RUNS:
        pytest.skip("the packages of this lab are not installed")
    found = run_to_end(make_spec({"lab": lab, "device": "cpu", **SMALL[request.param]}))
    assert isinstance(found, Trace)
    return found


def test_that_every_lab_says_its_scalars() -> None:
    assert {name.partition(",")[0] for name in SMALL} == set(LAB_NAMES)


def test_that_scalars_have_names_that_no_field_has_and_words(trace: Trace) -> None:
    scalars = scalars_of(trace.spec)
    names = [scalar.name for scalar in scalars]
    assert len(set(names)) == len(names)
    assert set(names).isdisjoint({RUN, FAILURE, SPEC, SWEEP, *swept_fields(trace.spec)})
    assert all(scalar.name.isidentifier() and str(scalar.title) and str(scalar.help) for scalar in scalars)
    assert "milliseconds" in names


def test_that_a_scalar_of_heads_has_a_number_of_each_and_one_of_all(trace: Trace) -> None:
    numbers, spec = numbers_of(trace, scalars_of(trace.spec)), trace.spec
    layers, heads_run = (2, 4) if spec.lab == "model" else (spec.layers_run, spec.heads_run)
    for scalar in scalars_of(spec):
        heads = [
            numbers[column_of_head(scalar.name, *((layer, head) if layers else (head,)))]
            for layer in range(max(1, layers))
            for head in range(heads_run)
            if scalar.per_head
        ]
        whole = numbers[scalar.name]
        if scalar.per_head and not all(map(math.isnan, heads)):
            assert whole == (np.nanmax(heads) if scalar.summary == "largest" else np.nanmean(heads))
    assert all(isinstance(number, float) for number in numbers.values())
    per_head = max(1, layers) * heads_run
    assert len(numbers) == sum(1 + per_head * scalar.per_head for scalar in scalars_of(spec))


def trained(**values: Any) -> Trace:
    found = run_to_end(make_spec({"lab": "train", "device": "cpu", **SMALL["train"], **values}))
    assert isinstance(found, Trace)
    return found


def test_that_statistics_are_those_of_the_layers_in_the_mean_of_the_batch_items() -> None:
    found = run_to_end(make_spec({"device": "cpu", **SMALL["attention"]}))
    numbers: dict[str, float] = numbers_of(found, scalars_of(found.spec))
    for name, statistic in STATISTICS.items():
        of_items = np.array([found.layer.statistics(item)[name] for item in range(3)])  # type: ignore[union-attr]
        joined = of_items.max(0) if statistic.summary == "largest" else of_items.mean(0)
        assert [numbers[f"{name}_1"], numbers[f"{name}_2"]] == joined.tolist()
    trace = trained()
    numbers = numbers_of(trace, scalars_of(trace.spec))
    assert numbers["entropy_2.1"] == trace.layers[1].statistics(0)["entropy"][0]  # type: ignore[attr-defined]


def test_that_a_training_has_the_numbers_of_its_last_step_and_the_roles_of_its_heads() -> None:
    trace: Any = trained()
    numbers = numbers_of(trace, scalars_of(trace.spec))
    assert numbers["loss"] == trace.history.loss[-1]
    assert numbers["accuracy"] == trace.history.accuracy[-1]
    for role in trace.spec.roles:
        assert numbers[f"role_{role.name}_1.2"] == trace.score(role, 0, 1)


def test_that_steps_to_a_goal_are_the_first_that_reach_it_and_infinite_if_none_does() -> None:
    trace: Any = trained(steps=5)
    role = [each.name for each in trace.spec.roles].index("induction")
    roles = np.zeros_like(trace.history.roles)
    history = replace(trace.history, accuracy=np.array([0.1, 0.94, 0.2, 0.95, 0.3]), roles=roles)
    numbers = numbers_of(replace(trace, history=history), scalars_of(trace.spec))
    assert (numbers["steps_to_95"], numbers["steps_to_induction"]) == (4, math.inf)
    roles[-1, 1, 0, role] = 0.4
    history = replace(history, accuracy=np.full(5, 0.9))
    numbers = numbers_of(replace(trace, history=history), scalars_of(trace.spec))
    assert (numbers["steps_to_95"], numbers["steps_to_induction"]) == (math.inf, trace.history.role_steps[-1])


@pytest.mark.skipif("model" in WITHOUT_RUNS, reason="the packages of the model lab are not installed")
def test_that_a_model_has_the_numbers_of_its_heads_and_of_what_it_predicts() -> None:
    trace: Any = run_to_end(make_spec({"lab": "model", "device": "cpu", "heads_off": ["1.2"]}))
    numbers = numbers_of(trace, scalars_of(trace.spec))
    assert numbers["top_probability"] == trace.prediction.probabilities[0]
    assert numbers["output_cosine"] == trace.effect.cosine < 1
    assert numbers["role_induction_2.1"] == trace.overview.roles["induction"].scores[1, 0]
    assert numbers["sink_share_1.3"] == trace.overview.numbers["sink_share"][0, 2]


def test_that_a_regression_has_its_errors_and_what_it_has_learned() -> None:
    trace: Any = run_to_end(make_spec({"lab": "regression", "device": "cpu", **SMALL["regression, two w"]}))
    numbers = numbers_of(trace, scalars_of(trace.spec))
    assert numbers["error_to_truth"] == trace.error_to_truth
    assert numbers["loss"] == trace.loss[-1]
    assert [numbers["learned_w_1"], numbers["learned_w_2"]] == trace.w_path[-1].tolist()
    assert numbers["learned_width_2"] == 1 / abs(trace.w_path[-1][1])


def test_that_what_is_not_a_number_is_left_out_of_the_number_of_all() -> None:
    assert summed_up(np.array([1.0, np.nan, 2.0]), "mean") == 1.5
    assert summed_up(np.array([1.0, np.nan, 2.0]), "largest") == 2
    assert np.isnan(summed_up(np.array([np.nan]), "mean"))


@pytest.mark.parametrize("language", languages())
def test_that_the_manual_has_every_scalar(language: str) -> None:
    page = resource_in(language, "help/sweeps.md").read_text(encoding="utf-8")
    translate = translator(language)
    lines = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.MULTILINE))
    said = {}
    for name, values in SMALL.items():
        spec = make_spec({"lab": name.partition(",")[0], **values})
        for scalar in (*scalars_of(spec), *text_columns_of(spec)):
            said[re.sub(r"^(role|steps_to)_(?!95)\w+$", r"\1_ROLE", scalar.name)] = scalar.help.filled(translate)
    assert set(lines) == set(said)
    in_other_words = {"role_ROLE", "loss", "learned_width"}
    assert {name: line for name, line in lines.items() if name not in in_other_words} == {
        name: line for name, line in said.items() if name not in in_other_words
    }
