"""The exports of each lab: its figure, script, rows of numbers and frames. A lab is one row of `EXPORTS`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

from attnviz.definitions.labs import LAB_NAMES
from attnviz.definitions.registry import Registry
from attnviz.experiment.attention.inputs import FileInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.export.animation.training import training_frames
from attnviz.export.code.attention import attention_code, attention_imports
from attnviz.export.code.header import attention_words, regression_words
from attnviz.export.code.regression import regression_code
from attnviz.export.figures.attention import draw_attention
from attnviz.export.figures.regression import draw_regression, extent_of
from attnviz.export.figures.settings import Extent
from attnviz.export.table_rows import ATTENTION_COLUMNS, REGRESSION_COLUMNS, attention_rows, regression_rows


class Script(NamedTuple):
    """The parts of a PyTorch script."""

    words: list[str]
    """Lines that describe the experiment."""
    imports: list[str]
    blocks: list[str]


Frames = Iterator[tuple[Any, str]]
"""Traces, each with its caption."""


def _no_extent(trace: Any) -> None:
    del trace


def _every_step(traces: Iterable[Any], shown: frozenset[int]) -> Frames:
    for trace in traces:
        if trace.step in shown:
            yield trace, f"step {trace.step} of {trace.spec.steps}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabExport:
    """The exports of a lab. Traces and specs are those of the lab."""

    name: str
    draw: Callable[[Any, Any], Any]
    """Returns the matplotlib figure of a trace and `FigureSettings`."""
    script: Callable[[Any], Script]
    """Returns the script of a spec; raises `PointsError` if a file of points cannot be read."""
    columns: tuple[str, ...]
    """The header of the long table."""
    rows: Callable[[Any, int, int], Iterator[tuple[Any, ...]]]
    """Yields the rows of a trace's batch item and head."""
    extent_of: Callable[[Any], Extent | None] = _no_extent
    """Returns the data limits of a trace's figure, if frames of an animation must share them."""
    training_frames: Callable[[Iterable[Any], frozenset[int]], Frames] = _every_step
    """Yields the traces of the shown steps of a training, with captions."""
    points_of: Callable[[Any], tuple[NDArray[Any], NDArray[Any]]] | None = None
    """Returns the training points (x, y) of a trace, if its lab has any to save."""

    @property
    def title(self) -> str:
        """The lab's title."""
        return LAB_NAMES[self.name].title


_ONE_ORDER = [
    "# MKL, torch's matrix library on x86, reads this at the first product: always sum in the same order.",
    'os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")',
]
"""The setting that a run uses too (`attnviz`); without it the last bits differ."""


def _attention_script(spec: AttentionSpec) -> Script:
    further = ["import numpy as np"] if isinstance(spec.inputs, FileInputs) else []
    if spec.is_given:  # no sums are computed
        return Script(attention_words(spec), [*further, "import torch"], attention_code(spec))
    return Script(attention_words(spec), _imports(attention_imports(spec), further, nn=True), attention_code(spec))


def _regression_script(spec: RegressionSpec) -> Script:
    return Script(regression_words(spec), _imports([], [], nn=spec.learns), regression_code(spec))


def _imports(standard: list[str], further: list[str], *, nn: bool) -> list[str]:
    torch = ["import torch", "from torch import nn"] if nn else ["import torch"]
    return [*standard, "import os", "", *_ONE_ORDER, "", *further, *torch]


EXPORTS: Registry[LabExport] = Registry(
    "lab",
    (
        LabExport(
            name="attention",
            draw=draw_attention,
            script=_attention_script,
            columns=ATTENTION_COLUMNS,
            rows=attention_rows,
        ),
        LabExport(
            name="regression",
            draw=draw_regression,
            script=_regression_script,
            columns=REGRESSION_COLUMNS,
            rows=regression_rows,
            extent_of=extent_of,
            training_frames=training_frames,
            points_of=lambda trace: (trace.x_train, trace.y_train),
        ),
    ),
)
