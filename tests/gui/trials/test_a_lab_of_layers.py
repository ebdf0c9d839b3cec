"""A lab whose source is arrays from a file, three layers given one by one, is drawn and taken apart by shared parts."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from eyes import colours_of, grid_colours, heatmap_colours
from hands import Hands
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot
from small_specs import SMALL
from typing_extensions import override
from windows import Opener, Settle

from attnviz.definitions.labs import LAB_NAMES, LabName
from attnviz.definitions.masks.window import WINDOW
from attnviz.definitions.stages import STAGES
from attnviz.engine.labs import ENGINE_LABS, EngineLab
from attnviz.engine.machine import RunError
from attnviz.experiment.bases import SpecBase, TraceBase
from attnviz.experiment.colours import DIVERGING, quantise
from attnviz.experiment.fields.knob import knob
from attnviz.experiment.labs import LABS, Lab, make_spec
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.sentences import sentence_about
from attnviz.experiment.layers.source import Layers
from attnviz.experiment.layers.view import LayerViewSettings
from attnviz.experiment.run import Cursor, ShouldStop
from attnviz.export.document import read_document, write_session
from attnviz.export.figures.figure import write_figure
from attnviz.export.figures.layers import draw_layer
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.labs import ATTENTION_COLUMNS, EXPORTS, LabExport, Script, layer_rows
from attnviz.gui.labs.layered.room import LayerRoom
from attnviz.gui.labs.rooms import ROOMS, LabRoom
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

Array = NDArray[np.float32]
NAME, HEADS, GROUPS, TOKENS, D_K, D_V = "stack", 4, 2, 5, 6, 10
CAP, SINK, SPAN = 0.7, 0.5, 2
STEPS: tuple[dict[str, dict[str, float]], ...] = ({}, {"softcap": {"cap": CAP}}, {"sink": {"logit": SINK}})


def mask_of(layer: int) -> NDArray[np.bool_]:
    """Return (Q, K): a window in the first layer, none in the others."""
    apart = np.abs(np.subtract.outer(np.arange(TOKENS), np.arange(TOKENS)))
    return apart < SPAN if layer == 0 else apart >= 0


def weights_of(q: Array, k: Array, layer: int) -> NDArray[np.float64]:
    """Return (h, Q, K), computed one head and one row at a time."""
    weights = np.zeros((HEADS, TOKENS, TOKENS))
    for head, query in np.ndindex(HEADS, TOKENS):
        scores = k[head // 2].astype(float) @ q[head, query] / np.sqrt(D_K)
        scores = CAP * np.tanh(scores / CAP) if layer == 1 else scores
        shares = np.exp(scores) * mask_of(layer)[query]
        weights[head, query] = shares / (shares.sum() + (np.exp(SINK) if layer == 2 else 0))
    return weights


class StackSpec(SpecBase):
    lab: Literal["stack"] = knob("stack", "Lab", "Which experiment this is.", group="")
    path: str = knob("", "File", "Where the arrays are.", group="")
    sharp: int = knob(1, "Sharpness", "What the queries are multiplied by.", group="Stack", slider=(1, 4), ge=1, le=4)
    device: str = knob("cpu", "Device", "Where it runs.", group="")
    steps: int = 0


@dataclass(frozen=True, eq=False)
class StackTrace(TraceBase):
    spec: StackSpec
    layer: Layer
    number: int
    step: int = 0
    device: str = "cpu"
    dtype: str = "float32"
    milliseconds: float = 0.5

    @property
    @override
    def cursor(self) -> Cursor:
        return Cursor(layer=self.number)

    @property
    def layers(self) -> Layers:
        return Layers(3, {self.number: self.layer})

    @property
    @override
    def weights(self) -> Any:
        return self.layer.weights

    @property
    @override
    def num_heads(self) -> int:
        return HEADS

    @override
    def prepare(self, watched: str = "") -> None:
        self.layer.prepare()

    @override
    def arrays(self) -> dict[str, NDArray[Any]]:
        names = ("q", "k", "v", "scores", "weights", "heads")
        return {name: getattr(self.layer, name) for name in names} | dict(self.layer.changed_scores)


class StackRun:
    """Reads a layer when it is looked at; the last one waits for `gate`, and fails if `broken`."""

    gate = threading.Event()
    broken = False
    nbytes = 0

    def __init__(self, spec: StackSpec) -> None:
        self.spec, self.final = spec, False

    @property
    def known(self) -> Cursor | None:
        return Cursor() if self.final else None

    def advance(self, _should_stop: ShouldStop) -> bool:
        self.final = True
        return True

    def at(self, cursor: Cursor) -> StackTrace:
        number = min(cursor.layer or 0, 2)
        if number == 2:
            assert StackRun.gate.wait(20)
            if StackRun.broken:
                raise RunError("broken", "the disk is gone")
        with np.load(self.spec.path) as file:
            q, k, v = (file[f"{name}.{number + 1}"] for name in "qkv")
        weights = weights_of(q * self.spec.sharp, k, number).astype(np.float32)
        tokens = tuple("abcde")
        layer = layer_of_arrays(
            weights[None],
            np.broadcast_to(mask_of(number), (1, HEADS, TOKENS, TOKENS)),
            tokens,
            tokens,
            q=q[None] * self.spec.sharp,
            k=k[None],
            v=v[None],
            masks=((WINDOW, SPAN),) if number == 0 else (),
            score_steps=STEPS[number],
        )
        return StackTrace(self.spec, layer, number)

    def rest(self) -> None: ...


class StackView(LayerViewSettings):
    lab: Literal["stack"] = "stack"


class StackRoom(LayerRoom[StackTrace, StackView]):
    lab_name = NAME


ROWS: tuple[tuple[Any, Any], ...] = (
    (LAB_NAMES, LabName(NAME, "Stack")),
    (
        LABS,
        Lab(
            name=NAME,
            spec_type=StackSpec,
            trace_type=StackTrace,
            view_type=StackView,
            opening_preset="causal-sentence",
            stages={stage.name: stage.title for stage in STAGES.values()},
            stages_of=lambda _: tuple(STAGES),
            sentence_of=sentence_about,
            compares=True,
        ),
    ),
    (ENGINE_LABS, EngineLab(NAME, lambda spec, _past, _progress: StackRun(spec), "take fewer tokens")),
    (
        EXPORTS,
        LabExport(
            name=NAME,
            draw=lambda trace, settings: draw_layer(trace.layer, settings),
            script=lambda _: Script([], [], []),
            columns=ATTENTION_COLUMNS,
            rows=lambda trace, item, head: layer_rows(trace.layer, item, head),
        ),
    ),
    (ROOMS, LabRoom(NAME, lambda: StackRoom)),
)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    StackRun.gate.set()
    StackRun.broken = False
    for registry, row in ROWS:
        registry.add(row)
    yield
    for registry, row in ROWS:
        registry.remove(row.name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rng, shapes = np.random.default_rng(3), {"q": (HEADS, D_K), "k": (GROUPS, D_K), "v": (GROUPS, D_V)}
    arrays = {
        f"{name}.{layer + 1}": rng.normal(size=(heads, TOKENS, size)).astype(np.float32)
        for layer in range(3)
        for name, (heads, size) in shapes.items()
    }
    np.savez(tmp_path / "stack.npz", **arrays)  # type: ignore[arg-type]
    return tmp_path / "stack.npz"


@pytest.fixture
def window(file: Path, open_window: Opener, settle: Settle) -> MainWindow:
    opened = open_window(SMALL)
    opened.controller.propose(make_spec({"lab": NAME, "path": str(file)}))
    settle(opened)
    return opened


def truth(file: Path, layer: int, sharp: int = 1) -> NDArray[np.float64]:
    with np.load(file) as arrays:
        return weights_of(arrays[f"q.{layer + 1}"] * sharp, arrays[f"k.{layer + 1}"], layer)


def go_to(window: MainWindow, layer: int, settle: Settle) -> Any:
    stage: Any = window.room.stage
    stage.outer.go_to(str(layer))
    settle(window)
    return stage


def test_that_each_layer_is_drawn_with_stages_of_its_own(window: MainWindow, file: Path, settle: Settle) -> None:
    for layer, further in enumerate(((), ("capped_scores",), ())):
        stage = go_to(window, layer, settle) if layer else window.room.stage
        assert stage.outer.offered == ("0", "1", "2")
        scored = ("scores", *further, "masked_scores")
        assert stage.strip.offered == (*scored, "weights", "heads", "merge")
        levels = quantise(truth(file, layer).astype(np.float32), mask_of(layer), 0.0, 1.0)
        assert (heatmap_colours(stage.heatmap, (5, 5)) == colours_of(stage.weight_table, levels[0])).all()
        assert (grid_colours(stage.grid, (5, 5)) == colours_of(stage.weight_table, levels)).all()
        if not layer:
            window.room.selection.lock(Selection(0, 0, 4))
            assert f"masked: outside the window of {SPAN}" in stage.read_out.text()
    assert "sink" in stage.formula.accessibleName()


def test_that_a_late_layer_has_no_numbers_of_another_one_under_its_name(
    window: MainWindow, file: Path, settle: Settle, qtbot: QtBot
) -> None:
    stage: Any = window.room.stage
    window.room.selection.lock(Selection(1, 2, 1))
    StackRun.gate.clear()
    stage.outer.go_to("2")
    assert stage.missing.text() == "Layer 3 has not come yet."
    assert stage.missing.isVisible()
    assert not stage.heatmap.isVisible()
    assert not window.room.inspector.of_layer.row.isVisible()
    assert stage.sentence.text() == stage.read_out.text() == ""
    StackRun.gate.set()
    qtbot.waitUntil(stage.heatmap.isVisible)
    settle(window)
    levels = quantise(truth(file, 2).astype(np.float32), None, 0.0, 1.0)
    assert (heatmap_colours(stage.heatmap, (5, 5)) == colours_of(stage.weight_table, levels[1])).all()
    assert "head 3.2" in stage.read_out.text()


def test_that_a_layer_that_fails_says_why_and_the_others_are_still_shown(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    StackRun.broken = True
    stage: Any = window.room.stage
    stage.outer.go_to("2")
    qtbot.waitUntil(lambda: "the disk is gone" in stage.missing.text())
    assert stage.missing.text().startswith("Layer 3 cannot be shown: ")
    assert go_to(window, 1, settle).heatmap.isVisible()


@pytest.mark.parametrize(("layer", "line"), [(1, "0.7 × tanh(score ÷ 0.7)"), (2, "exp of the sink, 0.5")])
def test_that_a_cell_is_taken_apart_to_its_weight(
    layer: int, line: str, window: MainWindow, file: Path, settle: Settle
) -> None:
    go_to(window, layer, settle)
    window.room.selection.lock(Selection(3, 1, 2))
    inspector: Any = window.room.inspector
    cell, row = inspector.of_layer.cell, inspector.of_layer.row
    steps = dict(cell.steps.steps)
    assert line in steps
    with np.load(file) as arrays:
        q, k = arrays[f"q.{layer + 1}"][3, 1], arrays[f"k.{layer + 1}"][1, 2]
    assert [len(numbers) for _, numbers in cell.terms.terms.columns] == [D_K] * 3
    assert float(steps["Σ q · k"]) == pytest.approx(float(q.astype(float) @ k), abs=1e-5)
    weights = truth(file, layer)[3, 1]
    assert float(steps["= weight"]) == pytest.approx(weights[2], abs=1e-5)
    assert float(row.facts.texts()[0].split(",")[0]) == pytest.approx(weights.sum(), abs=1e-4)


def test_that_two_runs_are_compared_at_the_same_layer(
    window: MainWindow, file: Path, hands: Hands, settle: Settle, qtbot: QtBot
) -> None:
    before, page = window.controller.spec, window.room.stage.pages.compare  # type: ignore[attr-defined]
    window.room.current_view.propose(page="compare")
    hands.qtbot.mouseClick(page.pair.pin, hands.left)
    window.controller.propose(before.model_copy(update={"sharp": 3}))
    settle(window)
    go_to(window, 1, settle)
    qtbot.waitUntil(page.pair.difference.isVisible)
    difference = (truth(file, 1, 3).astype(np.float32).astype(float) - truth(file, 1).astype(np.float32))[0]
    reach = np.abs(difference).max()
    colours = colours_of(colour_table(DIVERGING, window.look.theme), quantise(difference, None, -reach, reach))
    assert (heatmap_colours(page.pair.difference, (5, 5)) == colours).all()


def test_that_its_figure_and_its_numbers_leave(window: MainWindow, file: Path, settle: Settle, qtbot: QtBot) -> None:
    go_to(window, 1, settle)
    path = file.parent / "numbers.npz"
    window.exporter.save_numbers(path)
    qtbot.waitUntil(path.is_file)
    with np.load(path) as arrays:
        np.testing.assert_allclose(arrays["weights"][0], truth(file, 1), atol=1e-6)
        np.testing.assert_allclose(arrays["capped_scores"], CAP * np.tanh(arrays["scores"] / CAP), atol=1e-6)
    assert window.controller.shown is not None
    figure = file.parent / "figure.png"
    write_figure(window.controller.shown, figure, FigureSettings(dpi=60), session=window.exporter.session())
    assert read_document(figure).view == StackView(layer=1, query=4)


def test_that_a_session_at_a_layer_is_saved_and_opens_there(
    window: MainWindow, file: Path, settle: Settle, qtbot: QtBot
) -> None:
    go_to(window, 1, settle).strip.go_to("capped_scores")
    window.room.selection.lock(Selection(2, 3, 1))
    saved = window.session_state.session()
    write_session(saved, file.parent / "mine.attnviz")
    assert read_document(file.parent / "mine.attnviz") == saved
    window.controller.propose(SMALL)
    settle(window)
    window.keeper.open_path(file.parent / "mine.attnviz")
    qtbot.waitUntil(lambda: window.controller.spec == saved.spec)
    settle(window)
    stage: Any = window.room.stage
    assert window.room.view_settings() == StackView(layer=1, stage="capped_scores", head=2, query=3, key=1)
    assert (stage.trace.cursor, stage.strip.stage) == (Cursor(layer=1), "capped_scores")
