"""A mechanism that nothing in attnviz knows: one record, and it runs, is drawn, taken apart, undone and exported."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands import Hands
from scripts import run_scripts
from small_specs import attention
from windows import Opener

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Column, Mechanism, Parameter
from attnviz.definitions.score_steps.divide import ROOT, TEMPERATURE
from attnviz.definitions.score_steps.step import ScoreStep
from attnviz.engine.run import run
from attnviz.experiment.files.session import Session, session_to_json
from attnviz.experiment.labs import make_spec
from attnviz.export.code.script import pytorch_code
from attnviz.export.document import read_document
from attnviz.export.figures.figure import write_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SKEWED = Mechanism(
    name="skewed",
    title="Skewed",
    help="A learned matrix stands between queries and keys, which may differ in size.",
    description="Skewed attention",
    parameters=(Parameter("W_s", "query_size", "key_size"),),
    scores=lambda q, k, p, xp: q @ p["W_s"] @ k.swapaxes(-2, -1),
    columns=(
        Column("q W_s", lambda cell: cell.q @ cell.parameters["W_s"]),
        Column("k", lambda cell: cell.k),
        Column("product", lambda cell: (cell.q @ cell.parameters["W_s"]) * cell.k),
    ),
    sum_title="Σ q W_s · k",
    steps=(
        ROOT,
        TEMPERATURE,
        ScoreStep(
            name="distance",
            does="add",
            acts=lambda spec: True,
            line="− distance",
            numbers=lambda spec, at: {},
            amount=lambda spec, at, xp: -abs(at.query - at.key),
            latex="- |i - j|",
            spoken=", minus the distance",
        ),
    ),
    latex=r"\mathbf{Q}\mathbf{W}_s\mathbf{K}^\top",
    spoken="Q W_s K transposed",
    class_name="SkewedAttention",
    docstring="Scores are q W_s k.",
    torch_scores="queries @ self.W_s.weight @ keys.transpose(-2, -1)",
)
SIZES = {"query_size": 4, "key_size": 6, "temperature": 0.5}


@pytest.fixture
def skewed() -> Iterator[Mechanism]:
    """The record, registered as long as a test runs."""
    yield MECHANISMS.add(SKEWED)
    MECHANISMS.remove("skewed")


@pytest.fixture
def window(skewed: Mechanism, open_window: Opener) -> MainWindow:
    """A window on multi-head attention, which the mechanism was registered before."""
    return open_window(attention(**SIZES))


def test_that_a_new_mechanism_is_chosen_drawn_taken_apart_undone_and_exported(
    window: MainWindow, hands: Hands, settle: Any, tmp_path: Path
) -> None:
    room: Any = window.room
    hands.pick(room.form.editor("mechanism"), "skewed")
    settle(window)
    trace = room.stage.trace
    assert trace.spec.mechanism == "skewed"
    assert "Multi-head → Skewed" in window.controller.undo_stack.undoText()
    q, k, w = (array.astype(np.float64) for array in (trace.queries, trace.keys, trace.parameters["W_s"]))
    assert w.shape == (4, 6)
    distance = np.abs(np.arange(3)[:, None] - np.arange(4))
    scores = np.einsum("bqi,ij,bkj->bqk", q, w, k)[:, None] / (0.5 * math.sqrt(4)) - distance
    np.testing.assert_allclose(trace.scores, scores, rtol=1e-4, atol=1e-5)
    heights = np.exp(scores)
    np.testing.assert_allclose(trace.weights, heights / heights.sum(axis=-1, keepdims=True), rtol=1e-4, atol=1e-6)
    form = room.form
    shown = {name for name in ("num_heads", "bias", "scaled") if form.editor(name).isVisibleTo(form)}
    assert shown == {"scaled"}, "it has neither heads nor biases"

    # Drawn, with its formula and its matrix.
    room.stage.strip.go_to("scores")
    said = "Q W_s K transposed over the square root of 4, at temperature 0.5, minus the distance"
    assert room.stage.formula.accessibleName() == said
    assert "(B, Lq, Lk) = (2, 3, 4)" in _plain(room.stage.shapes.text())
    room.stage.strip.go_to("project")
    matrices = [panel for row in room.stage.pages.tensors.rows for panel in row]
    assert [panel.name for panel in matrices] == ["Q", "K", "V", "W_s"]
    assert np.array_equal(matrices[-1].values, trace.parameters["W_s"])
    room.stage.strip.go_to("weights")

    # Taken apart: the terms add up to the score, by the steps on screen.
    room.selection.lock(Selection(0, 2, 1))
    terms = room.inspector.of_layer.cell.terms.terms
    steps = dict(room.inspector.of_layer.cell.steps.steps)
    assert [name for name, _ in terms.columns] == ["q W_s", "k", "product"]
    assert list(steps)[:5] == ["Σ q W_s · k", "÷ √4", "÷ temperature", "− distance", "= score"]
    assert terms.total / 2 / 0.5 - 1 == pytest.approx(scores[0, 0, 2, 1], rel=1e-12)
    assert float(steps["= score"]) == pytest.approx(scores[0, 0, 2, 1], abs=1e-4)

    # Taken away: a figure of the scores, and numbers; its scripts are run below.
    write_figure(trace, tmp_path / "bilinear.pdf", FigureSettings(stage="scores"), session=window.exporter.session())
    assert read_document(tmp_path / "bilinear.pdf").spec == trace.spec
    window.exporter.save_numbers(tmp_path / "bilinear.npz")
    hands.qtbot.waitUntil((tmp_path / "bilinear.npz").exists)
    with np.load(tmp_path / "bilinear.npz") as arrays:
        assert np.array_equal(arrays["W_s"], trace.parameters["W_s"])
        assert np.array_equal(arrays["weights"], trace.weights)

    # Undone, saved and reopened.
    window.controller.undo_stack.undo()
    settle(window)
    assert room.form.editor("mechanism").value() == room.stage.trace.spec.mechanism == "multi_head"
    window.controller.undo_stack.redo()
    settle(window)
    path = tmp_path / "bilinear.attnviz"
    path.write_text(session_to_json(window.session_state.session()), encoding="utf-8")
    session = read_document(path)
    assert isinstance(session, Session)
    window.controller.propose(attention())
    settle(window)
    window.keeper.open_path(path)
    hands.qtbot.waitUntil(lambda: window.controller.spec == session.spec)
    settle(window)
    assert np.array_equal(room.stage.trace.weights, trace.weights)


def test_that_its_script_gives_its_numbers_from_a_file_in_any_format_and_with_any_mask(
    skewed: Mechanism, tmp_path: Path
) -> None:
    rng = np.random.default_rng(3)
    queries, keys, values = (rng.normal(size=shape) for shape in ((2, 3, 4), (2, 5, 6), (2, 5, 7)))
    W_s = rng.normal(size=(4, 6))
    np.savez(tmp_path / "mine.npz", queries=queries, keys=keys, values=values, W_s=W_s)
    source = {"kind": "file", "path": str(tmp_path / "mine.npz")}
    values_of = {
        "file": {"inputs": source, "dtype": "float64", "valid_lens": [0, 3]},
        "halves": {"dtype": "float16", "training": True, "dropout": 0.4, "causal": True, "num_hiddens": 8},
        "itself": {"dtype": "bfloat16", "self_attention": True, "scaled": False, "query_size": 5},
        "plain": {**SIZES, "num_hiddens": 8},
    }
    specs = {name: make_spec({"mechanism": "skewed", "device": "cpu", **each}) for name, each in values_of.items()}
    traces: dict[str, Any] = {name: list(run(spec))[-1] for name, spec in specs.items()}
    assert np.array_equal(traces["file"].parameters["W_s"], W_s)
    left = run_scripts({name: pytorch_code(spec) for name, spec in specs.items()}, tmp_path)
    for name, trace in traces.items():
        assert np.array_equal(left[name]["weights"], trace.weights), name
        assert np.array_equal(left[name]["output"], trace.output), name


def _plain(text: str) -> str:
    return text.replace("<sub>", "").replace("</sub>", "").replace("_", "")
