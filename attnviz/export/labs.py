"""The exports of each lab: its figure, script, table rows and frames. A lab is one row of `EXPORTS`.

Positions in rows are counted as described in `numbers.write_long_table`.
"""

import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import CSV, head_name
from attnviz.definitions.labs import LabRow
from attnviz.definitions.registry import Registry
from attnviz.definitions.text import Refused, Text, quoted
from attnviz.experiment.labs import LABS, Outcome
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.study import StudyOf, StudyResult
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.view_settings import LAB_FIGURE, NoFigure, PageTable, ViewSettings
from attnviz.export.code.attention.flex import flex_script
from attnviz.export.code.attention.script import attention_script
from attnviz.export.code.model.script import model_script
from attnviz.export.code.regression.script import regression_script
from attnviz.export.code.text import Script
from attnviz.export.code.train import train_script
from attnviz.export.figures.layers import draw_layer
from attnviz.export.figures.model.overview import draw_model
from attnviz.export.figures.regression.figure import draw_regression, extent_of
from attnviz.export.figures.settings import Extent
from attnviz.export.figures.train.figure import draw_train
from attnviz.export.figures.train.figure import extent_of as extent_of_train
from attnviz.export.train import model_folder

ATTENTION_COLUMNS = ("batch", "head", "query", "key", "query_token", "key_token", "score", "masked", "weight")
TRAIN_COLUMNS = ("head", *ATTENTION_COLUMNS[2:])
REGRESSION_COLUMNS = ("head", "query", "key", "x_query", "x_key", "y_key", "kernel_value", "weight")


def layer_rows(layer: Layer, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a head, row after row."""
    weights, mask, scores = layer.weights[item, head], layer.mask[item, head], layer.scores[item, head]
    unknown = [""] * weights.shape[1]
    for query, query_token in enumerate(layer.query_tokens):
        row = zip(
            layer.key_tokens,
            _digits(scores[query]) if scores.shape == weights.shape else unknown,  # given weights have no scores
            np.logical_not(mask[query]).astype(int).tolist(),
            _digits(weights[query]),
            strict=True,
        )
        for key, (key_token, score, masked, weight) in enumerate(row):
            yield (
                CSV.number(item),
                CSV.head(head),
                CSV.number(query),
                CSV.number(key),
                query_token,
                key_token,
                score,
                masked,
                weight,
            )


def _digits(row: NDArray[np.floating]) -> list[str]:
    """Return numbers with the digits that their own dtype needs to be unique: fewer in float32."""
    digits: list[str] = row.astype(str).tolist()
    return digits


def train_rows(trace: TrainTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a head of every layer, named "1.4", like those of the attention lab."""
    for layer, of_layer in enumerate(trace.layers):
        for _, _, *cell in layer_rows(of_layer, item, head):
            yield head_name(layer, head), *cell


def model_rows(trace: ModelTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a head of the trace's layer, named "1.4", or "cross 1.4"."""
    for _, _, *cell in layer_rows(trace.layer, item, head):
        yield trace.name_of_head(head), *cell


def regression_rows(trace: RegressionTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of a head, query after query; there is one batch item."""
    del item
    keys = list(zip(trace.x_train.tolist(), trace.y_train.tolist(), strict=True))
    for query, x in enumerate(trace.x_test.tolist()):
        heights, weights = trace.head_kernel_values[head, query].tolist(), trace.head_weights[head, query].tolist()
        for key, ((x_key, y_key), height, weight) in enumerate(zip(keys, heights, weights, strict=True)):
            yield CSV.head(head), CSV.number(query), CSV.number(key), x, x_key, y_key, height, weight


def training_frames(traces: Iterable[RegressionTrace], shown: frozenset[int]) -> Iterator[tuple[RegressionTrace, Text]]:
    """Yield the traces of the shown steps with captions, and with the overlays."""
    early: RegressionTrace | None = None
    for trace in traces:
        if trace.incomplete:
            early = trace  # the slow overlays come with the next trace
            continue
        if early is not None and early.step in shown and early.step != trace.step:
            whole = replace(early, curves=trace.curves)
            yield whole, _caption(whole)
        early = None
        if trace.step in shown:
            yield trace, _caption(trace)


def _caption(trace: RegressionTrace) -> Text:
    values: dict[str, Any] = {"step": trace.step, "steps": trace.spec.epochs}
    values["w"] = ", ".join(f"{each:.3g}" for each in trace.w_path[trace.step])
    if not trace.step:
        return Text("step {step} of {steps}: untrained, w {w}", values)
    values["loss"] = f"{trace.loss[trace.step - 1]:.4g}"  # the loss of a step is that of the fit before it
    return Text("step {step} of {steps}: loss before it {loss}, w {w}", values)


def frames_of_train(traces: Iterable[TrainTrace], shown: frozenset[int]) -> Iterator[tuple[TrainTrace, Text]]:
    """Yield the traces of the shown steps with captions."""
    for trace in traces:
        if trace.step in shown:
            values: dict[str, Any] = {"step": trace.step, "steps": trace.spec.steps}
            if not trace.step:
                yield trace, Text("step {step} of {steps}", values)
                continue
            loss, accuracy = (numbers[trace.step - 1] for numbers in (trace.history.loss, trace.history.accuracy))
            values |= {"loss": f"{loss:.3g}", "accuracy": f"{100 * accuracy:.0f}"}
            yield trace, Text("step {step} of {steps}: loss {loss}, accuracy {accuracy} %", values)


def frames_of_model(traces: Iterable[ModelTrace], shown: frozenset[int]) -> Iterator[tuple[ModelTrace, Text]]:
    """Yield the traces of the shown passes of a generation, with the tokens that they lead to."""
    for trace in traces:
        if trace.generated is not None and (trace.step in shown or trace.final):
            values = {"count": trace.step + 1, "most": trace.spec.generate, "token": trace.generated.names[trace.step]}
            yield trace, Text("new token {count} of {most}: “{token}”", values)


Frames = Iterator[tuple[Any, Text]]
"""Traces with captions."""


def _no_extent(trace: Any) -> None:
    del trace


def _every_step(traces: Iterable[Any], shown: frozenset[int]) -> Frames:
    for trace in traces:
        if trace.step in shown:
            yield trace, Text("step {step} of {steps}", {"step": trace.step, "steps": trace.spec.steps})


@dataclass(frozen=True, slots=True)
class FolderExport:
    """Writes a trained model as a folder of a family of pretrained models; see `attnviz.export.train.model_folder`."""

    check: Callable[[Any, Path | None], object]
    """Raises `Refused` if no family computes the same as the model of a spec, or if a folder is not empty."""
    write: Callable[[Any, Path, int | None], int]
    """Writes the trained state after a step in a new folder, and returns the step."""
    text: Callable[[Any], str]
    """Returns the sequence that a spec shows, as a text for the folder's tokenizer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabExport(LabRow):
    """The exports of a lab. Traces and specs are those of the lab."""

    draw: Callable[[Any, Any], Any]
    """Returns the matplotlib figure of a trace and `FigureSettings`."""
    script: Callable[[Any], Script]
    """Returns the script of a spec; raises `DataFileError` if a file whose numbers are written out cannot be read."""
    flex: Callable[[Any], Script] | None = None
    """Returns the script of a spec in FlexAttention; raises `Refused` if it has none there."""
    columns: tuple[str, ...]
    """The header of the long table."""
    rows: Callable[[Any, int, int], Iterator[tuple[Any, ...]]]
    """Yields the rows of a trace's batch item and head."""
    extent_of: Callable[[Any], Extent | None] = _no_extent
    """Returns the data limits of a trace's figure if an animation's frames must share them, else None."""
    training_frames: Callable[[Iterable[Any], frozenset[int]], Frames] = _every_step
    """Yields the traces of the shown steps of a training, with captions."""
    points_of: Callable[[Any], tuple[NDArray[Any], NDArray[Any]]] | None = None
    """Returns the training points (x, y) of a trace; None for a lab without any."""
    folder: FolderExport | None = None
    """Writes a trained model as a model folder; None for a lab without such models."""


def study_of_page(spec: Any, page: str, view: ViewSettings | None = None) -> StudyOf | None:
    """Return the study whose result a page shows, with its view settings; None for a page that shows runs."""
    view = LABS[spec.lab].view_type() if view is None else view
    runs = [each for _, each in view.changed(page=page).runs(spec)] if page in view.pages else []
    return runs[0] if runs and isinstance(runs[0], StudyOf) else None


def figure_of_page(spec: Any, page: str, of: Outcome | None = None) -> Callable[[Any, Any], Any]:
    """Return the function that draws a page's figure of a trace or of its study, which ``of`` is to be drawn with.

    Raises:
        ValueError: the page has no figure of its own, or shows another run or study than ``of``.
    """
    view = LABS[spec.lab].view_type
    if isinstance(of, StudyResult) and page in view.pages and view.pages[page].of_study:
        return pkgutil.resolve_name(view.pages[page].of_study)  # type: ignore[no-any-return]
    drawn = {name: each.figure for name, each in view.pages.items() if not isinstance(each.figure, NoFigure)}
    if not view.pages:
        drawn = {view().page: LAB_FIGURE}  # the one picture of the lab
    if page and page not in drawn:
        raise Refused("the page {page} has no figure; nearest: {pages}", page=quoted(page), pages=", ".join(drawn))
    if of is not None and (study_of_page(spec, page) is None) == isinstance(of, StudyResult):
        others = ", ".join(each for each in drawn if each != page)
        sentence = "the page {page} shows a study of its own, which has no figure here; nearest: {pages}"
        raise Refused(sentence, page=quoted(page), pages=others)
    own = drawn.get(page, LAB_FIGURE)
    return EXPORTS[spec.lab].draw if own == LAB_FIGURE else pkgutil.resolve_name(own)


def table_of_page(trace: Any, page: str) -> PageTable | None:
    """Return the table of a page that a trace has the data for; None if its numbers are those of the cells."""
    pages = LABS[trace.spec.lab].view_type.pages
    return pages[page].table if page in pages and pages[page].offered(trace) else None


EXPORTS: Registry[LabExport] = Registry(
    "lab",
    (
        LabExport(
            name="attention",
            draw=lambda trace, settings: draw_layer(trace.layer, settings),
            script=attention_script,
            flex=flex_script,
            columns=ATTENTION_COLUMNS,
            rows=lambda trace, item, head: layer_rows(trace.layer, item, head),
        ),
        LabExport(
            name="regression",
            draw=draw_regression,
            script=regression_script,
            columns=REGRESSION_COLUMNS,
            rows=regression_rows,
            extent_of=extent_of,
            training_frames=training_frames,
            points_of=lambda trace: (trace.x_train, trace.y_train),
        ),
        LabExport(
            name="train",
            draw=draw_train,
            script=train_script,
            columns=TRAIN_COLUMNS,
            rows=train_rows,
            extent_of=extent_of_train,
            training_frames=frames_of_train,
            folder=FolderExport(model_folder.check, model_folder.write_model_folder, model_folder.probe_text),
        ),
        LabExport(
            name="model",
            draw=draw_model,
            script=model_script,
            training_frames=frames_of_model,
            columns=TRAIN_COLUMNS,
            rows=model_rows,
        ),
    ),
)
