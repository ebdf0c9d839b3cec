"""A format of figures that nothing in attnviz knows: one record and its writer, and it is offered and written."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pytestqt.qtbot import QtBot
from registered import registered

from attnviz.cli import main
from attnviz.definitions.formats import FORMATS, Format, Writer
from attnviz.gui.dialogs.figure_choices import FigureChoices


def tiff(figure: Any, _session: Any, dpi: float, colour: Any) -> bytes:
    """Return a figure as TIFF."""
    file = io.BytesIO()
    figure.savefig(file, format="tiff", dpi=dpi, facecolor=colour)
    return file.getvalue()


TIFF = Format(
    name="tiff",
    title="TIFF",
    help="Pixels for a printer",
    writers={"figure": Writer(function=f"{__name__}:tiff")},
    media_type="image/tiff",
    has_pixels=True,
)

_registered = registered(FORMATS, TIFF)


def test_that_the_command_line_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "out.tiff"
    assert main(["export", "preset:kernel-average", "-o", str(path), "--dpi", "100", "--width", "10"]) == 0
    with Image.open(path) as image:
        assert image.format == "TIFF"
        assert image.width == pytest.approx(10 / 2.54 * 100, abs=1)


def test_that_the_dialog_offers_it_for_a_paper_with_its_sharpness_and_not_of_the_screen(qtbot: QtBot) -> None:
    choices = FigureChoices()
    qtbot.addWidget(choices)
    choices.source.press("paper")
    choices.kind.press("tiff")
    assert choices.choice.kind == "tiff"
    assert not choices.form.editors["dpi"].isHidden()
    choices.source.press("screen")
    assert choices.choice.kind == "png"
