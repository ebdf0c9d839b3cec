"""Invariants of a window: those after every action, and further ones once it is idle."""

import re
import time
from itertools import islice
from typing import Any

import numpy as np
from attention_hands import CELL_STAGES, cell_levels, table_of
from eyes import colours_of, ground, look
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QToolButton
from pytestqt.exceptions import format_captured_exceptions
from pytestqt.qtbot import QtBot
from small_specs import what_matters

from attnviz.definitions.counting import with_positions
from attnviz.definitions.text import Text
from attnviz.engine.run import run
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import Spec, SpecError, make_spec
from attnviz.experiment.model.shown import shown_layer
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.run import Failure, row_sum_facts
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.forms.text_editors import SentenceEdit
from attnviz.gui.run.background import Background
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.main_window import MainWindow

_PATIENCE_MS = 20_000
_MOST_WORK = 2_000_000
"""Steps times numbers per batch of a run that takes less than a second."""
_TOLERANCES = {"float32": 1e-5, "float64": 1e-9, "float16": 4e-3, "bfloat16": 2e-2}


class Witness:
    """Watches one window."""

    def __init__(self, window: MainWindow, qtbot: QtBot, log: Any, exceptions: list[Any]) -> None:
        self.window, self._qtbot = window, qtbot
        self._log, self._exceptions = log, exceptions
        self._failed: Failure[Spec] | None = None
        self._seen: object = None
        self._heard = 0
        self._checked: list[object] = []
        window.controller.failed.connect(self._note_failure)

    def _note_failure(self, failure: Failure[Spec]) -> None:
        self._failed = failure

    def begin_anew(self) -> None:
        """Discard the messages of Qt until now."""
        self._heard = len(self._log.records)

    # At once

    def check_now(self) -> None:
        """Check the invariants that hold at any time."""
        self._check_nothing_went_wrong()
        window, shown = self.window, self.window.controller.shown
        assert window.isVisible()
        assert window.runner._worker.isRunning(), "the worker has ended"
        if shown is None:
            return
        assert window.rooms[shown.spec.lab].stage.trace is shown, "the stage shows another trace than the window"
        known = None if window.lessons.now.asks else window.room.stage.trace
        assert window.status._trace is known, "the facts are not of the picture"
        if shown is not self._seen:
            self._seen = shown
            check_weights(shown, window.status.facts.text())

    def _check_nothing_went_wrong(self) -> None:
        found, self._exceptions[:] = list(self._exceptions), []
        assert not found, format_captured_exceptions(found)
        said = [it for it in self._log.records[self._heard :] if it.matches_level("WARNING") and not it.ignored]
        assert not said, f"Qt says: {said[0].message}"

    # At rest

    def rest(self) -> float:
        """Wait until the window shows what was requested and no file is being written; a training may still run.

        Return the seconds that it took.
        """
        began = time.monotonic()
        self._qtbot.waitUntil(self._rests, timeout=_PATIENCE_MS)
        return time.monotonic() - began

    def _rests(self) -> bool:
        window, controller = self.window, self.window.controller
        typing = any(it.typing.isActive() for it in window.findChildren(SentenceEdit))
        if typing or any(it.busy for it in window.findChildren(Background)):
            return False
        if controller.spec.trains and controller.up_to_date:
            return True
        return not controller.computing and not controller.computing_beside and window.runner.mailbox.quiet

    def check_at_rest(self, stopped: int) -> None:
        """Check the invariants of an idle window; the run of the generation ``stopped`` was stopped."""
        self.check_now()
        controller = self.window.controller
        if not controller.up_to_date and self.window.runner.generation != stopped:
            assert self._failed is not None, "the picture is not of the current spec, and nobody said why"
            assert self._failed.spec == controller.spec, "the picture is not of the current spec, and nobody said why"
        self._check_form()
        shown = controller.shown
        if shown is None or shown.spec.lab != controller.spec.lab:
            return
        if self.window.lessons.now.asks:
            assert not self.window.room.stage.isVisible(), "a question does not hide the picture"
            return
        self._check_words(shown)
        if isinstance(shown, AttentionTrace):
            self._check_heatmap(shown)
        elif isinstance(shown, TrainTrace):
            self._check_tiles(shown)
        elif isinstance(shown, ModelTrace):
            self._check_overview(shown)
        elif self.window.room.stage.view.page == "fit":
            _, y = self.window.room.stage.fit.curves.fit.data
            assert np.array_equal(y, shown.curve, equal_nan=True), "the curve is not the trace's"

    def check_trains_on(self) -> None:
        """Check that a running training takes steps."""
        controller = self.window.controller
        if not (controller.spec.trains and controller.computing):
            return
        self._qtbot.waitUntil(lambda: controller.up_to_date, timeout=_PATIENCE_MS)
        before: Any = controller.shown
        self._qtbot.waitUntil(lambda: controller.shown is not before or not controller.computing, timeout=_PATIENCE_MS)

    def _check_form(self) -> None:
        form, spec = self.window.room.form, self.window.controller.spec
        assert form.spec == spec
        away = self.window.panels.left.folded or self.window.lessons.is_open
        assert form.isVisible() or away, "the form of another lab is on screen"
        pressed = [
            it for it in self.window.top_bar.findChildren(QToolButton) if it.property("value") and it.isChecked()
        ]
        assert [it.property("value") for it in pressed] == [spec.lab], "the button of another lab is pressed"
        focused = QApplication.focusWidget()
        if isinstance(focused, QLineEdit | QPlainTextEdit) and form.isAncestorOf(focused):
            return  # half typed, perhaps; what stands there is not asked for yet
        if any(form.problem(name) for name in form._rows):
            return
        try:
            entered = make_spec(form.values())
        except SpecError as error:
            raise AssertionError(f"no field says what is wrong: {error}") from error
        assert what_matters(entered) == what_matters(spec), "the form shows another spec"

    def _check_words(self, trace: Any) -> None:
        facts, room = self.window.status.facts.text(), self.window.room
        random = "seed" in type(trace.spec).active_fields(dict(trace.spec))
        given = isinstance(trace, AttentionTrace) and trace.is_given
        assert trace.dtype in facts
        assert given or not random or f"{translate(Text('seed {seed}', {'seed': trace.spec.seed}))} " in f"{facts} "
        if trace.spec.trains and trace.spec.lab != "model":  # which says how many new tokens there are
            steps = trace.spec.steps if isinstance(trace, TrainTrace) else trace.spec.epochs
            assert translate(Text("step {step} of {steps}", {"step": trace.step, "steps": steps})) in facts
        assert room.stage.strip.stage in room.stage.strip.offered

    def _check_heatmap(self, trace: AttentionTrace) -> None:
        """Check axes and title of the large picture, and the colour of one cell near its centre."""
        stage: Any = self.window.room.stage
        heatmap, view, content = stage.heatmap, stage.view, stage._content
        if view.page != "stages" or view.stage not in CELL_STAGES or not heatmap.isVisible() or content is None:
            return
        assert content.layer is trace.layer, "an older trace is drawn"
        assert content.view == view.of_layer
        matrix, head = heatmap._matrix, heatmap.heads[0]
        assert heatmap.heads[1] == trace.num_heads
        assert tuple(matrix.row_labels) == with_positions(trace.query_names)
        assert tuple(matrix.column_labels) == trace.key_names
        assert matrix.levels.shape == trace.weights.shape[2:]
        assert trace.num_heads == 1 or re.search(rf"\b{head + 1}\b", matrix.title)
        cell = heatmap.cell_at(heatmap.cells.center())
        if cell is None or cell.column is None or (view.contrast and view.of_layer.shows_weights):
            return
        place = heatmap.rect_of(cell.row, cell.column)
        if min(place.width(), place.height()) < 12 or not heatmap.cells.contains(place):
            return
        at = view.item, head, cell.row, cell.column
        if trace.mask[at] and np.isfinite(trace.weights[at]):
            level = cell_levels(trace, view.stage, view.item)[head][cell.row, cell.column]
            expected = colours_of(table_of_map(self.window, view.stage), np.array([[level]]))[0, 0]
            assert ground(look(heatmap), place) == expected, f"the colour of cell {at} is not its number's"

    def _check_overview(self, trace: ModelTrace) -> None:
        """Check the map of a model's heads, the chosen one and the tokens on their page."""
        stage: Any = self.window.room.stage
        view, page, model = stage.view, stage.overview, trace.model
        if view.page != "overview" or not page.heatmap.isVisible():
            return
        assert trace.number == view.layer, "another layer than the chosen one is drawn"
        assert len(page.cells.cells) == model.num_layers * model.num_heads
        groups = trace.read.groups(joined=view.joined, hide_special=view.hide_special)
        assert [token.name for token in page.text._tokens] == [group.name for group in groups]
        layer = shown_layer(trace.layer, trace.read, joined=view.joined, hide_special=view.hide_special)
        head = page.heatmap.heads[0] - trace.number * layer.num_heads
        levels = layer.levels("weights", view.contrast_by if view.contrast else "")[0, head]
        assert np.array_equal(page.heatmap._matrix.levels, levels), "another head is drawn than the chosen one"

    def check_step(self) -> None:
        """Check that a step of a small training equals that of an independent run, bit for bit."""
        trace = self.window.controller.shown
        if not isinstance(trace, TrainTrace) or trace.step * trace.embedded.size * trace.spec.batch_size > _MOST_WORK:
            return
        if any(trace is each for each in self._checked):
            return
        self._checked = [trace]
        # Of the same batches: how many steps follow decides nothing.
        spec = trace.spec.model_copy(update={"steps": max(1, trace.step)})
        *_, truth = islice(run(spec, untrained_first=True), trace.step + 1)
        for name in ("embedded", "weights", "logits"):
            assert getattr(trace, name).tobytes() == getattr(truth, name).tobytes(), f"{name} of step {trace.step}"
        for name, values in truth.parameters.items():
            assert trace.parameters[name].tobytes() == values.tobytes(), f"{name} of step {trace.step}"
        mine, loss = trace.history, trace.history.loss[: trace.step]
        before = mine.role_steps <= trace.step
        assert np.array_equal(mine.role_steps[before], truth.history.role_steps)
        # The curves of a session with its trained model may come from another processor, with other last bits.
        here, there = slice(mine.carried, None), mine.role_steps[before] > mine.carried
        assert loss[here].tobytes() == truth.history.loss[here].tobytes()
        assert np.allclose(loss, truth.history.loss, rtol=1e-3, atol=1e-4)
        assert mine.roles[before][there].tobytes() == truth.history.roles[there].tobytes()
        assert np.allclose(mine.roles[before], truth.history.roles, atol=1e-3, equal_nan=True)

    def _check_tiles(self, trace: TrainTrace) -> None:
        """Check tiles, the chosen head, the curves, the predictions and the table of a training."""
        room: Any = self.window.room
        stage, view, page = room.stage, room.stage.view, room.stage.pages.train
        assert view.layer < len(trace.layers)
        assert room.inspector.roles.isHidden() or np.shares_memory(
            room.inspector.roles.columns[0].values, trace.role_scores
        )
        if view.page != "train" or page.isHidden():
            return
        layer, head = stage.number, min(room.selection.current.head, trace.num_heads - 1)
        tokens = len(trace.words)
        levels = np.concatenate(
            [each.levels("weights", view.contrast_by if view.contrast else "")[0] for each in trace.layers]
        )
        allowed = np.tril(np.ones((tokens, tokens), bool))
        assert np.array_equal(page.grid._levels, levels)
        assert page.heatmap.heads == (layer * trace.num_heads + head, len(trace.layers) * trace.num_heads)
        if page.heatmap.isVisible():
            place = page.heatmap.rect_of(tokens - 1, 0)
            finite = np.isfinite(trace.weights[layer, head]).all()
            if min(place.width(), place.height()) >= 10 and finite and page.heatmap.cells.contains(place):
                large = ground(look(page.heatmap), place)
                expected = colours_of(stage.weight_table, levels[layer * trace.num_heads + head])[-1, 0]
                assert allowed[-1, 0]
                assert large == expected, "the large head has another colour than its number's"
        assert tuple(each.token for each in page.chips.shown) == trace.words
        assert tuple(each.predicted for each in page.chips.shown) == tuple(
            trace.vocabulary[token] for token in trace.predicted
        )
        assert page.steps.steps.text() == f"{trace.step} / {trace.spec.steps}"
        loss = page.quality.plot.shown[0]
        assert len(loss.y) == trace.known_steps


def table_of_map(window: MainWindow, stage: str) -> Any:
    """Return the colours of a stage of cells in the chosen colour map."""
    shown: Any = window.rooms["attention"].stage
    return table_of(window, stage) if stage in ("scores", "masked_scores") else shown.weight_table


def check_weights(trace: Any, facts: str) -> None:
    """Check that rows of weights sum to 1 or are marked, and that masked cells have no weight."""
    if isinstance(trace, AttentionTrace) and trace.is_given:
        return
    sums = trace.weights.sum(axis=-1, dtype=np.float64)
    none = trace.empty_rows if hasattr(trace, "empty_rows") else np.False_
    numbers = np.isfinite(sums)
    (named, *_) = row_sum_facts(sums)
    assert numbers.all() or named.translated(translate) in facts, "rows that are no numbers are not named"
    known = sums[numbers & ~none]
    tolerance = _TOLERANCES[trace.dtype]
    if isinstance(trace, ModelTrace):  # the softmax of most models is in float32, whatever their dtype
        tolerance = max(tolerance, _TOLERANCES["float32"])
    assert (np.abs(known - 1) <= tolerance).all(), f"rows sum to {known.min()} .. {known.max()}"
    if isinstance(trace, AttentionTrace):
        masked = ~trace.mask & (numbers & ~none)[..., None]
        assert (trace.weights[masked] == 0).all(), "a masked key has weight"
        assert trace.spec.mask_policy != "zero" or (trace.weights[none] == 0).all()
