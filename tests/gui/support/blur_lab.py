"""A small lab for tests: attention to nearby positions, sharper with each training step.

It shares no type with attnviz's labs: it has its own spec, trace, view settings, editor and room.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from attnviz.definitions.labs import LabName
from attnviz.engine.labs import EngineLab
from attnviz.experiment.bases import SpecBase, TraceBase
from attnviz.experiment.fields.knob import Part, knob
from attnviz.experiment.labs import Lab
from attnviz.experiment.run import Cursor, ShouldStop
from attnviz.experiment.view_settings import ViewSettings
from attnviz.export.labs import LabExport, Script
from attnviz.gui.forms.editor import Editor
from attnviz.gui.labs.one_picture import OnePictureRoom
from attnviz.gui.labs.rooms import LabRoom
from attnviz.gui.widgets.layouts import row_of

NAME = "blur"


class Tone(Part):
    """A type of field that only this lab has."""

    letters: str = "abc"


class BlurSpec(SpecBase):
    lab: Literal["blur"] = knob("blur", "Lab", "Which experiment this is.", group="")
    size: int = knob(5, "Places", "How many places there are.", group="Blur", slider=(1, 9), ge=1, le=9)
    steps: int = knob(0, "Steps", "How often the weights are sharpened.", group="Blur", slider=(0, 9), ge=0, le=9)
    tone: Tone = knob(Tone(), "Tone", "What the places are called.", group="Blur")
    device: str = knob("cpu", "Device", "Where it runs.", group="")

    @override
    def keeps_step_of(self, other: object) -> bool:
        return isinstance(other, BlurSpec) and self.trains and self.size == other.size and self != other


@dataclass(frozen=True, eq=False)
class BlurTrace(TraceBase):
    spec: BlurSpec
    weights: NDArray[np.float64]
    """(Q, K)."""
    step: int = 0
    known_steps: int = 0
    device: str = "cpu"
    dtype: str = "float64"
    milliseconds: float = 0.5

    @property
    @override
    def tokens(self) -> tuple[str, ...]:
        return tuple((self.spec.tone.letters * self.spec.size)[: self.spec.size])


class BlurView(ViewSettings):
    lab: Literal["blur"] = "blur"
    stage: Literal["weights"] = "weights"
    page: Literal["only"] = "only"


def weights_of(size: int, step: int = 0) -> NDArray[np.float64]:
    near = (1.0 / (1.0 + np.abs(np.subtract.outer(np.arange(size), np.arange(size))))) ** (step + 1)
    return np.asarray(near / near.sum(axis=-1, keepdims=True))


class ToneEdit(Editor):
    """A line edit that applies its text while typing."""

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


class BlurRoom(OnePictureRoom[BlurTrace, BlurView]):
    lab_name = NAME
    trains = True
    editors = {Tone: lambda _: ToneEdit()}  # noqa: RUF012 - a ClassVar


class BlurRun:
    """Sharpens the weights step by step; counts the steps of all runs."""

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


PRESETS = {
    "blur-near": {
        "order": 1000,
        "chapter": "Blur",
        "title": "Near places",
        "about": "Each place attends to those near it.",
        "knob": "size",
        "spec": {"lab": NAME},
    }
}
TERMS = {
    "en": {
        "Places": "What attends, and is attended to.",
        "Steps": "How often the weights are sharpened.",
        "Tone": "The letters that name the places.",
    }
}
LAB_NAME = LabName(NAME, "Blur")
LAB = Lab(
    name=NAME,
    spec_type=BlurSpec,
    trace_type=BlurTrace,
    view_type=BlurView,
    opening_preset="blur-near",
    stages={"weights": "weights"},
    stages_of=lambda _: ("weights",),
)
ENGINE = EngineLab(NAME, lambda spec, past, _: BlurRun(spec, past), "take fewer places", identity=_identity)
EXPORT = LabExport(name=NAME, draw=_draw, script=_script, columns=("query", "key", "weight"), rows=_rows)
ROOM = LabRoom(NAME, lambda: BlurRoom)
