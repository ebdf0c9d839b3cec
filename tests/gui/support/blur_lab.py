"""A small lab that attnviz does not have: attention of places to places near them, sharper with each training step.

It shares no type with the labs of attnviz: it has a spec, a trace, view settings, an editor and a room of its own.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.definitions.labs import LabName
from attnviz.definitions.text import Text
from attnviz.engine.labs import EngineLab
from attnviz.experiment.colours import WEIGHT_SCALE, quantise
from attnviz.experiment.knob import knob
from attnviz.experiment.labs import Lab
from attnviz.experiment.run import Cursor, ShouldStop, row_sum_facts
from attnviz.experiment.view_settings import PageName, ViewSettings
from attnviz.export.labs import LabExport, Script
from attnviz.gui.forms.editor import Editor
from attnviz.gui.labs.lab_stage import ColourLine, LabStage, Page, PageStack
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.labs.rooms import LabRoom
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import Inspector
from attnviz.gui.widgets.layouts import row_of

NAME = "blur"
PAGES = {"only": PageName("only", "Weights", "The weights.")}


class Tone(BaseModel):
    """A type of field that no other lab has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    letters: str = "abc"


class BlurSpec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    lab: Literal["blur"] = knob("blur", "Lab", "Which experiment this is.", group="")
    size: int = knob(5, "Places", "How many places there are.", group="Blur", slider=(1, 9), ge=1, le=9)
    steps: int = knob(0, "Steps", "How often the weights are sharpened.", group="Blur", slider=(0, 9), ge=0, le=9)
    tone: Tone = knob(Tone(), "Tone", "What the places are called.", group="Blur")
    device: str = knob("cpu", "Device", "Where it runs.", group="")

    is_given: ClassVar[bool] = False
    heads_run: ClassVar[int] = 1
    layers_run: ClassVar[int] = 0
    items_run: ClassVar[int] = 1
    sizes_known: ClassVar[bool] = True

    @property
    def trains(self) -> bool:
        return self.steps > 0

    def keeps_step_of(self, other: object) -> bool:
        return isinstance(other, BlurSpec) and self.trains and self.size == other.size and self != other

    @property
    def name_parts(self) -> tuple[str, ...]:
        return "blur", str(self.size)

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        del values
        return frozenset(cls.model_fields)

    @classmethod
    def notes(cls, values: Mapping[str, Any]) -> Mapping[str, str]:
        return {"size": "One place looks at itself."} if values.get("size") == 1 else {}

    @classmethod
    def legal_values(cls, values: Mapping[str, Any]) -> Mapping[str, Sequence[int]]:
        del values
        return {}


@dataclass(frozen=True, eq=False)
class BlurTrace:
    spec: BlurSpec
    weights: NDArray[np.float64]
    """(Q, K)."""
    device: str = "cpu"
    dtype: str = "float64"
    milliseconds: float = 0.5
    num_heads: int = 1
    items: int = 1
    step: int = 0
    known_steps: int = 0
    incomplete: Text = Text()  # noqa: RUF009 - frozen
    badge: Text = Text()  # noqa: RUF009 - frozen
    untrained_note: Text = Text()  # noqa: RUF009 - frozen

    @property
    def final(self) -> bool:
        return self.step == self.spec.steps

    @property
    def cursor(self) -> Cursor:
        return Cursor(step=self.step)

    @property
    def spec_written_out(self) -> BlurSpec:
        return self.spec

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple((self.spec.tone.letters * self.spec.size)[: self.spec.size])

    @property
    def row_sums(self) -> NDArray[np.float64]:
        return np.asarray(self.weights.sum(axis=-1))

    def prepare(self, watched: str = "") -> None:
        del watched

    def facts(self) -> tuple[Text, ...]:
        return (Text("blurred over {size} places", {"size": self.spec.size}),)

    def weight_facts(self) -> tuple[Text, ...]:
        return row_sum_facts(self.row_sums)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"weights": self.weights}

    def summary(self) -> str:
        return f"blur: {self.spec.size} places"


class BlurView(ViewSettings):
    lab: Literal["blur"] = "blur"
    stage: Literal["weights"] = "weights"
    page: Literal["only"] = "only"


def weights_of(size: int, step: int = 0) -> NDArray[np.float64]:
    near = (1.0 / (1.0 + np.abs(np.subtract.outer(np.arange(size), np.arange(size))))) ** (step + 1)
    return np.asarray(near / near.sum(axis=-1, keepdims=True))


class ToneEdit(Editor):
    """One line; it counts as it is typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.line.textEdited.connect(self.edited)
        row_of(self, self.line)

    @override
    def value(self) -> Any:
        return {"letters": self.line.text()}

    @override
    def set_value(self, value: Any) -> None:
        self.line.setText(value.letters)


class BlurPage(Page[BlurTrace]):
    def __init__(self, stage: "BlurStage", look: Look) -> None:
        super().__init__()
        self._stage = stage
        self.heatmap = Heatmap(look, "Weights")
        self.heatmap.painted.connect(self.painted)
        layout = QVBoxLayout(self)
        layout.addWidget(self.heatmap)

    @override
    def show_data(self, data: BlurTrace) -> None:
        levels = quantise(data.weights, None, 0.0, 1.0)
        names, axes = data.tokens, ("queries", "keys")
        self.heatmap.show_matrix(
            Matrix(levels, data.weights, None, names, names, data.row_sums, "blur", *axes), self._stage.weight_table
        )

    @override
    def colour_line(self) -> ColourLine:
        return ColourLine(WEIGHT_SCALE, self._stage.weight_table, "weight")

    @override
    def restyle(self, look: Look) -> None:
        self.heatmap.restyle(look)


class BlurStage(LabStage[BlurTrace, BlurView]):
    def __init__(self, room: "BlurRoom", look: Look) -> None:
        super().__init__(room.lab, look, room.selection, room.current_view, PAGES)
        self.only = BlurPage(self, look)
        self.pages = PageStack({"only": self.only})
        self.only.heatmap.hovered.connect(room.selection.hover_cell)
        self.only.heatmap.clicked.connect(room.selection.lock_cell)
        self.only.painted.connect(self.painted)
        self.lay_out()

    @override
    def show_trace(self, trace: BlurTrace) -> None:
        self.trace = trace
        self._selection.fit(1, *trace.weights.shape)
        self.show_view()

    @override
    def show_view(self) -> None:
        if self.trace is not None:
            self.show_header("A", "A", f"(Q, K) = {self.trace.weights.shape}")
            self.only.show_data(self.trace)
            self.show_colours(self.only.colour_line())

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.pages.restyle(look)
        self.show_view()

    @override
    def select(self) -> None:
        chosen = self._selection.current
        self.only.heatmap.select(None if chosen.query is None else Cell(chosen.query, chosen.key))


class BlurInspector(Inspector):
    def __init__(self) -> None:
        super().__init__()
        self.cell = QLabel()
        self.add_section("Cell", self.cell)


class BlurRoom(BaseRoom[BlurTrace, BlurView]):
    lab_name = NAME
    editors = {Tone: lambda _: ToneEdit()}  # noqa: RUF012 - a ClassVar
    trains = True
    stage: BlurStage
    inspector: BlurInspector

    @override
    def make_stage(self, look: Look) -> BlurStage:
        return BlurStage(self, look)

    @override
    def make_inspector(self, look: Look) -> BlurInspector:
        return BlurInspector()

    @override
    def show_choice(self, trace: BlurTrace) -> None:
        chosen = self.selection.current
        if chosen.query is not None and chosen.key is not None:
            self.inspector.cell.setText(f"{trace.weights[chosen.query, chosen.key]:.3f}")


class BlurRun:
    """Sharpens the weights step by step; it counts the steps that all runs have taken."""

    steps_taken = 0

    def __init__(self, spec: BlurSpec, past: "BlurRun | None") -> None:
        self.spec = spec
        self._reached: int | None = None if past is None else past._reached

    @property
    def known(self) -> Cursor | None:
        return None if self._reached is None else Cursor(step=self._reached)

    @property
    def final(self) -> bool:
        return self._reached is not None and self._reached >= self.spec.steps

    nbytes = 1_000

    def advance(self, should_stop: ShouldStop) -> bool:
        del should_stop
        BlurRun.steps_taken += self._reached is not None
        self._reached = 0 if self._reached is None else self._reached + 1
        return True

    def at(self, cursor: Cursor) -> BlurTrace:
        assert self._reached is not None
        step = self._reached if cursor.step is None else cursor.step
        weights = weights_of(self.spec.size, step)
        return BlurTrace(self.spec, weights, step=step, known_steps=self._reached)

    def rest(self) -> None:
        pass


def _identity(spec: BlurSpec) -> Hashable:
    return spec.size if spec.trains else None


def _draw(trace: BlurTrace, settings: Any) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(settings.width, settings.width))
    figure.add_subplot().imshow(trace.weights)
    return figure


def _script(spec: BlurSpec) -> Script:
    lines = [
        f"steps = {spec.steps}",
        f"i = torch.arange({spec.size})",
        "near = (1 / (1 + (i[:, None] - i).abs().double())) ** (steps + 1)",
    ]
    return Script(["Blur."], ["import torch"], ["\n".join([*lines, "weights = near / near.sum(-1, keepdim=True)"])])


def _rows(trace: BlurTrace, item: int, head: int) -> Iterator[tuple[Any, ...]]:
    del item, head
    for (query, key), weight in np.ndenumerate(trace.weights):
        yield query, key, weight


LAB_NAME = LabName(NAME, "Blur")
LAB = Lab(
    name=NAME,
    spec_type=BlurSpec,
    trace_type=BlurTrace,
    view_type=BlurView,
    stages={"weights": "weights"},
    stages_of=lambda _: ("weights",),
)
ENGINE = EngineLab(NAME, lambda spec, past, _: BlurRun(spec, past), "take fewer places", identity=_identity)
EXPORT = LabExport(name=NAME, draw=_draw, script=_script, columns=("query", "key", "weight"), rows=_rows)
ROOM = LabRoom(NAME, lambda: BlurRoom)
