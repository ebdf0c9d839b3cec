"""``attnviz --screenshot`` on a machine without a display: the window, drawn once and saved."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import Said, forked, process

from attnviz.experiment.files.session import session_from_json
from attnviz.experiment.files.specs_in_files import preset

QtGui = pytest.importorskip("PySide6.QtGui")


def picture_in(path: Path) -> Any:
    image = QtGui.QImage(str(path))
    assert not image.isNull()
    return image.convertToFormat(QtGui.QImage.Format.Format_RGB32)


def pixels_of(image: Any) -> np.ndarray[Any, Any]:
    """Return the (height, width, 3) colours of a picture."""
    height, width = image.height(), image.width()
    return np.frombuffer(image.constBits(), np.uint8).reshape(height, width, 4)[..., :3]


@pytest.fixture(scope="module")
def dark(tmp_path_factory: pytest.TempPathFactory) -> tuple[Said, Any]:
    folder = tmp_path_factory.mktemp("dark")
    said = process("--screenshot=out.png", "--size=1280x800", "--lab=regression", "--theme=dark", cwd=folder)
    assert os.listdir(folder) == ["out.png"]
    return said, picture_in(folder / "out.png")


@pytest.fixture(scope="module")
def light_and_sharp(tmp_path_factory: pytest.TempPathFactory) -> tuple[Said, Any]:
    folder = tmp_path_factory.mktemp("light")
    spec = preset("multi-head-random").spec.model_copy(update={"seed": 42})
    (folder / "spec.json").write_text(spec.model_dump_json(), encoding="utf-8")
    arguments = ("spec.json", "--screenshot", "out.png", "--size", "1000x640", "--scale", "2", "--theme", "light")
    return forked(*arguments, cwd=folder), picture_in(folder / "out.png")


def test_that_a_screenshot_succeeds_in_silence(dark: tuple[Said, Any], light_and_sharp: tuple[Said, Any]) -> None:
    assert dark[0] == light_and_sharp[0] == (0, "", "")


def test_that_a_screenshot_has_the_size_that_was_asked_for(dark: tuple[Said, Any]) -> None:
    assert (dark[1].width(), dark[1].height()) == (1280, 800)


def test_that_a_scale_of_two_doubles_the_pixels_each_way(light_and_sharp: tuple[Said, Any]) -> None:
    assert (light_and_sharp[1].width(), light_and_sharp[1].height()) == (2000, 1280)


def test_that_a_screenshot_shows_something_on_each_side_of_the_window(
    dark: tuple[Said, Any], light_and_sharp: tuple[Said, Any]
) -> None:
    for _, image in (dark, light_and_sharp):
        pixels = pixels_of(image)
        for part in np.array_split(pixels @ np.array([1, 256, 65536]), 4, axis=1):
            assert len(np.unique(part)) > 20


def test_that_a_screenshot_has_the_colours_of_the_theme(
    dark: tuple[Said, Any], light_and_sharp: tuple[Said, Any]
) -> None:
    assert np.median(pixels_of(dark[1])) < 64
    assert np.median(pixels_of(light_and_sharp[1])) > 192


def test_that_a_screenshot_carries_the_spec_it_shows(dark: tuple[Said, Any], light_and_sharp: tuple[Said, Any]) -> None:
    assert session_from_json(dark[1].text("attnviz-session")).spec == preset("kernel-learned").spec
    shown = session_from_json(light_and_sharp[1].text("attnviz-session"))
    assert shown.spec == preset("multi-head-random").spec.model_copy(update={"seed": 42})


def test_that_a_screenshot_of_a_run_that_fails_is_one_line_and_no_picture(tmp_path: Path) -> None:
    sizes = {"num_queries": 16384, "num_kvpairs": 16384, "num_heads": 1024, "num_hiddens": 1024, "batch_size": 256}
    (tmp_path / "huge.json").write_text(json.dumps(sizes))
    said = forked("--screenshot", "out.png", "huge.json", cwd=tmp_path)
    assert said.is_one_line(1, "this run needs about 1.", " PiB, but ")
    assert os.listdir(tmp_path) == ["huge.json"]


def test_that_a_screenshot_on_a_device_that_is_not_there_is_one_line_and_no_picture(tmp_path: Path) -> None:
    said = forked("--screenshot", "out.png", "-", cwd=tmp_path, stdin=b'{"device": "cuda:99"}')
    assert said.is_one_line(1, "there is no device cuda:99 here")
    assert os.listdir(tmp_path) == []


# The run shows its first step long before it fails, as a training does that diverges late.
FAILS_LATE = """
import sys, time
from attnviz.engine import run as engine
from attnviz.engine.machine import RunError

real = engine.start

def start(spec, past=None, **options):
    run = real(spec, past, **options)
    advance = run.advance

    def fails_late(should_stop):
        if run.known is not None:
            time.sleep(1.5)
            raise RunError("diverged", "training diverged")
        return advance(should_stop)

    run.advance = fails_late
    return run

engine.start = start
from attnviz.__main__ import main
sys.exit(main())
"""


def test_that_a_screenshot_of_a_training_that_fails_late_is_one_line_and_no_picture(tmp_path: Path) -> None:
    said = forked("--screenshot", "out.png", "--lab", "regression", cwd=tmp_path, code=FAILS_LATE)
    assert said.is_one_line(1, "training diverged")
    assert os.listdir(tmp_path) == []
