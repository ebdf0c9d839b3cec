"""Image files of any kind: converted with a note, or refused with a sentence, in bounded time and memory."""

import json
import os
import re
import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from image_folders import image_file, image_folder
from PIL import Image

from attnviz.engine.machine import RunError
from attnviz.engine.model.images.families import FAMILIES
from attnviz.engine.model.images.picture_file import read_picture
from attnviz.engine.model.images.preparing import MOST_SIDE, preparation_of
from attnviz.engine.run import run_to_end
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.run import Failure


def png_of_size(width: int, height: int) -> bytes:
    """Return a PNG that announces a size and holds a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    )


def converted(path: Path) -> tuple[np.ndarray, str]:
    picture = read_picture(path)
    assert picture.image.mode == "RGB"
    return np.asarray(picture.image), str(picture.note)


def test_that_unusual_images_are_converted_with_a_note(tmp_path: Path) -> None:
    grey = np.full((4, 6), 0x1234, np.uint16)
    Image.fromarray(grey).save(tmp_path / "16.png")
    pixels, note = converted(tmp_path / "16.png")
    assert (pixels == 0x12).all()
    assert "16 bits" in note
    clear = np.zeros((4, 6, 4), np.uint8)
    clear[:, 3:] = (10, 20, 30, 255)
    Image.fromarray(clear).save(tmp_path / "clear.png")
    pixels, note = converted(tmp_path / "clear.png")
    assert (pixels[:, :3] == 255).all()
    assert (pixels[:, 3:] == (10, 20, 30)).all()
    assert "white" in note
    pixels, note = converted(image_file(tmp_path / "cmyk.jpg", mode="CMYK"))
    assert "CMYK" in note
    frames = [Image.new("RGB", (6, 4), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "moves.png", save_all=True, append_images=frames[1:])
    pixels, note = converted(tmp_path / "moves.png")
    assert (pixels == (255, 0, 0)).all()
    assert "first frame" in note
    exif = Image.Exif()
    exif[0x0112] = 6
    image_file(tmp_path / "turned.jpg", (50, 40), exif=exif)
    pixels, note = converted(tmp_path / "turned.jpg")
    assert pixels.shape == (50, 40, 3)
    assert "upright" in note
    for mode in ("L", "P", "1"):
        assert not converted(image_file(tmp_path / f"{mode}.png", mode=mode))[1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no PNG or JPEG image"),
        (b"GIF89a" + bytes(100), "no PNG or JPEG image"),
        (b"\x89PNG\r\n\x1a\n", "broken|no PNG or JPEG"),
        (png_of_size(40_000, 10), "40000 × 10"),
        (png_of_size(16_000, 16_000), "16000 × 16000|far more"),
        (png_of_size(2**31 - 1, 2**31 - 1), "far more|2147483647"),
        (png_of_size(50, 40), "broken"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "no PNG or JPEG image"),
    ],
)
def test_that_files_that_are_no_images_are_refused_in_little_memory(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(content)
    tracemalloc.start()
    with pytest.raises(RunError) as error:
        read_picture(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert re.search(said, str(error.value)), str(error.value)
    assert "picture.png" in str(error.value)
    assert peak < 32 << 20


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_that_a_truncated_image_is_refused_at_every_length(tmp_path: Path, suffix: str) -> None:
    whole = image_file(tmp_path / f"whole.{suffix}").read_bytes()
    for length in range(0, len(whole) - 16, max(1, len(whole) // 25)):
        path = tmp_path / f"cut.{suffix}"
        path.write_bytes(whole[:length])
        with pytest.raises(RunError):
            read_picture(path)


def test_that_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    for path in (tmp_path, tmp_path / "pipe.png", tmp_path / "none.png", Path("/dev/zero"), tmp_path / "a\0b.png"):
        with pytest.raises(RunError, match="cannot read the image"):
            read_picture(path)


def test_that_a_run_reports_a_broken_image_and_settings(tmp_path: Path) -> None:
    folder = image_folder(tmp_path / "folder")
    (tmp_path / "broken.png").write_bytes(b"nothing")

    def failure(image: Path) -> str:
        outcome = run_to_end(ModelSpec(folder=str(folder), image=str(image)))
        assert isinstance(outcome, Failure)
        return str(outcome.text)

    assert "no PNG or JPEG image" in failure(tmp_path / "broken.png")
    good = image_file(tmp_path / "good.png")
    for settings, said in [
        ("[]", "no JSON object"),
        ("{", "no JSON object"),
        (json.dumps({"size": {"height": 10**9, "width": 1}}), f"of 1 to {MOST_SIDE} pixels"),
        (json.dumps({"size": -3}), "size in preprocessor_config.json is -3"),
        (json.dumps({"size": {"longest_edge": 28}}), "size in preprocessor_config.json"),
        (json.dumps({"resample": 99}), "a number from 0 to 5"),
        (json.dumps({"image_std": [0, 1, 1]}), "other than 0"),
        (json.dumps({"image_mean": "grey"}), "a number, or three"),
        (json.dumps({"do_pad": True}), "a step that is not known here"),
        (json.dumps({"do_resize": "yes"}), "true or false"),
    ]:
        (folder / "preprocessor_config.json").write_text(settings)
        assert said in failure(good)


def test_that_a_narrow_image_is_not_blown_up(tmp_path: Path) -> None:
    narrow = read_picture(image_file(tmp_path / "narrow.png", (10_000, 2))).image
    with pytest.raises(RunError, match="too narrow"):
        preparation_of({"size": {"shortest_edge": 224}}, FAMILIES["clip"].defaults, (224, 224)).pixels(narrow)


def test_that_names_of_classes_bring_no_control_characters_and_no_end(tmp_path: Path) -> None:
    folder = image_folder(tmp_path / "folder", "vit_classes")
    config = json.loads((folder / "config.json").read_text())
    names = ["\x1b[31mred", "a\u202eb", "x" * 5000, "", 7, None, *(f"class {at}" for at in range(6, 12))]
    image = image_file(tmp_path / "good.png")

    def outcome(labels: object) -> object:
        (folder / "config.json").write_text(json.dumps(config | {"id2label": labels}))
        return run_to_end(ModelSpec(folder=str(folder), image=str(image)))

    trace = outcome({str(at): name for at, name in enumerate(names)})
    assert isinstance(trace, ModelTrace)
    assert trace.prediction is not None
    shown = trace.prediction.tokens
    assert all(name.isprintable() and len(name) <= 200 for name in shown)
    assert {"LABEL_3", "LABEL_4", "LABEL_5"} & set(shown)
    assert "classes: " in trace.summary()
    for labels, said in [
        ({"a": "b"}, "not the numbers from 0 on"),
        ({str(at): "" for at in range(40_000)}, "more than 32768 entries"),
        ({"0": "one"}, "they belong to different models"),
    ]:
        failed = outcome(labels)
        assert isinstance(failed, Failure)
        assert said in str(failed.text)
