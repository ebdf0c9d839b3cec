"""No type is smaller than 11 pixels at the usual scale: what is painted, what widgets have, what the sheet asks for."""

import re
from typing import Any

import pytest
from pyqtgraph import AxisItem
from PySide6.QtGui import QFontInfo, QPainter
from PySide6.QtWidgets import QWidget
from small_specs import attention, regression, training
from windows import At

from attnviz.definitions.stages import stages_of
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec
from attnviz.folders import resource
from attnviz.gui.plots.curves.curve_plot import CurvePlot

LEAST = 11


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The smallest type in which each text is painted by our own widgets, by the text."""
    smallest: dict[str, int] = {}
    draw = QPainter.drawText

    def note(painter: QPainter, *args: Any) -> Any:
        text = next(each for each in args if isinstance(each, str))
        smallest[text] = min(smallest.get(text, 99), QFontInfo(painter.font()).pixelSize())
        return draw(painter, *args)

    monkeypatch.setattr(QPainter, "drawText", note)
    return smallest


@pytest.mark.parametrize(
    "spec",
    [attention(valid_lens=(3, 0)), attention(dropout=0.5, training=True), preset("many-heads").spec, training()],
    ids=["empty row", "dropout", "many heads", "training"],
)
def test_that_nothing_is_painted_in_smaller_type(spec: Spec, at: At, painted: dict[str, int]) -> None:
    window = at(spec)
    room: Any = window.room
    stages = stages_of(spec) if spec.lab == "attention" else ()  # type: ignore[arg-type]
    for stage in stages or (room.stage.view.stage,):
        room.stage.strip.go_to(stage)
        window.grab()
    assert len(painted) > 5
    assert {text: size for text, size in painted.items() if size < LEAST} == {}


@pytest.mark.parametrize("spec", [attention(), regression()], ids=["attention", "regression"])
def test_that_no_widget_has_smaller_type(spec: Spec, at: At) -> None:
    window = at(spec)
    small = [it for it in window.findChildren(QWidget) if QFontInfo(it.font()).pixelSize() < LEAST]
    assert [(type(it).__name__, it.objectName(), QFontInfo(it.font()).pixelSize()) for it in small] == []


def test_that_no_axis_has_smaller_type(at: At) -> None:
    plots = at(training()).findChildren(CurvePlot)
    axes: list[AxisItem] = [plot.getAxis(side) for plot in plots for side in ("left", "bottom")]
    assert len(axes) > 3
    assert min(QFontInfo(axis.style["tickFont"]).pixelSize() for axis in axes) >= LEAST
    titles = [axis.labelStyle["font-size"] for axis in axes]
    assert min(int(size.removesuffix("px")) for size in titles) >= LEAST


def test_that_the_style_sheet_asks_for_no_smaller_type() -> None:
    sizes = re.findall(r"font-size: \$px(\d+)", resource("style.qss").read_text(encoding="utf-8"))
    assert min(map(int, sizes)) >= LEAST
    assert len(sizes) > 5
