"""Steps of a score that attnviz does not know: each is one record, with its maths written once for run and script."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from registered import registered
from scripts import run_scripts

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.definitions.score_steps.step import ScoreStep
from attnviz.engine.run import run
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.cell import attention_cell
from attnviz.export.code.script import pytorch_code

KNOBS = tuple(
    NumberKnob(name=name, title=name, help="A factor.", default=1.0, least=0.1, greatest=9.0, whole=False)
    for name in ("factor", "width")
)


def _logarithm(x: Any, knobs: Any, xp: Any) -> Any:
    factor, width = knobs
    return factor * xp["log"](1 + abs(x) / width)


def _knobs(name: str) -> Any:
    return lambda spec: (spec.score_steps[name]["factor"], spec.score_steps[name]["width"])


# A sum that grows with the logarithm of the distance, as of the bias of T5 or Kerple; and a change of each score.
ADDED = ScoreStep(
    name="kerple",
    title="Far",
    help="Distance lowers a score.",
    does="add",
    knobs=KNOBS,
    line="− {factor:g} × log(1 + |i − j| ÷ {width:g})",
    amount=lambda spec, at, xp: -_logarithm(at.query - at.key, _knobs("kerple")(spec), xp),
    latex=r"- {factor:g} \log(1 + |i - j| / {width:g})",
    spoken=", minus {factor:g} times the logarithm of the distance",
)
CHANGED = ScoreStep(
    name="squeeze",
    title="Squeeze",
    help="Large scores grow slower.",
    does="change",
    knobs=KNOBS,
    line="{factor:g} × log(1 + |score| ÷ {width:g})",
    amount=lambda spec, at, xp: _knobs("squeeze")(spec),
    apply=_logarithm,
    latex=r"{factor:g} \log(1 + |{scores}| / {width:g})",
    spoken=", of which the logarithm is taken",
)
OF_HEADS = ScoreStep(
    name="slope",
    title="Slope",
    help="In each head another one.",
    does="add",
    line="+ slope",
    amount=lambda spec, at, xp: (at.head + 1) * xp["sqrt"](1 + at.query),
    latex=r"+ h \sqrt{{i}}",
    spoken=", plus the root of the query",
)
CUT = ScoreStep(
    name="cut",
    title="Cut",
    help="Negative scores become 0.",
    does="change",
    line="at least 0",
    amount=lambda spec, at, xp: 0.0,
    apply=lambda scores, least, xp: xp["max"](scores, least),  # code of which cannot be made from xp
    torch="torch.clamp({scores}, min=0.0)",
    latex=r"\max({scores}, 0)",
    spoken=", at least 0",
)
DIVIDED = ScoreStep(
    name="third",
    title="Third",
    help="Divides by 3.",
    does="divide",
    line="÷ 3",
    amount=lambda spec, at, xp: 3.0,
    latex="3",
    spoken=", divided by 3",
)
_registered = registered(SCORE_STEPS, ADDED, CHANGED, OF_HEADS, CUT, DIVIDED)

VALUES: dict[str, dict[str, Any]] = {
    "heads": {"mechanism": "multi_head", "num_heads": 2, "num_hiddens": 8},
    "half": {"mechanism": "dot_product", "dtype": "float16", "causal": True},
    "wide": {"mechanism": "additive", "dtype": "float64", "valid_lens": [2, 3]},
}
STEPS = {"kerple": {"factor": 0.5, "width": 2.0}, "squeeze": {"factor": 1.5, "width": 0.75}, "slope": {}}


def test_that_a_step_with_two_knobs_and_a_logarithm_runs_and_its_script_gives_its_numbers(tmp_path: Path) -> None:
    specs = {name: make_spec({**each, "device": "cpu", "score_steps": STEPS}) for name, each in VALUES.items()}
    traces: dict[str, Any] = {name: list(run(spec))[-1] for name, spec in specs.items()}
    left = run_scripts({name: pytorch_code(spec) for name, spec in specs.items()}, tmp_path)
    for name, trace in traces.items():
        assert np.array_equal(left[name]["weights"], trace.weights), name
        assert np.array_equal(left[name]["output"], trace.output), name
    trace = traces["wide"]
    (plain,) = run(make_spec({**VALUES["wide"], "device": "cpu"}))
    distance = np.abs(np.arange(trace.scores.shape[2])[:, None] - np.arange(trace.scores.shape[3]))
    roots = np.sqrt(1 + np.arange(trace.scores.shape[2]))[:, None]
    np.testing.assert_allclose(trace.scores, plain.scores - 0.5 * np.log(1 + distance / 2) + roots, rtol=1e-12)  # type: ignore[attr-defined]
    cell = attention_cell(trace.layer, 0, 0, 2, 1)
    assert [step.line.text for step in cell.steps[-2:]] == ["− 0.5 × log(1 + |i − j| ÷ 2)", "+ slope"]
    assert cell.changes[0].number == pytest.approx(1.5 * np.log(1 + abs(cell.score) / 0.75), rel=1e-12)


def test_that_a_step_may_bring_its_own_torch_code_and_must_where_none_is_made(tmp_path: Path) -> None:
    spec = make_spec({**VALUES["wide"], "device": "cpu", "score_steps": {"cut": {}, "third": {}}})
    (trace,) = run(spec)
    left = run_scripts({"cut": pytorch_code(spec)}, tmp_path)
    assert np.array_equal(left["cut"]["weights"], trace.weights)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="step cut changes vectors"):
        replace(CUT, does="vectors", torch="{code}")
