"""Files and texts that mean harm, dropped, opened and pasted: the window says why not, and stays as it was."""

import os
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands import Hands
from hostile_files import GIF_HEAD, bomb, end_of_archive, npy, npy_header, pickled, pickled_npy, png, sparse, zipped
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from regression_hands import form_of
from session_hands import drop, file_of, sentence
from small_specs import SMALL, attention, regression
from windows import At, Settle

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.session import Session
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.gui.window.main_window import MainWindow

SPARSE = pytest.mark.skipif(os.name != "posix", reason="a file of gigabytes of nothing takes as much room elsewhere")
MOST = 2**31 - 1


def documents(folder: Path, trap: Path) -> dict[Path, str]:
    """Write hostile documents, and return what is said of each."""
    contents: dict[str, tuple[bytes, str]] = {
        "pickle.attnviz": (pickled(trap), "is not a text file"),
        "pickle.json": (pickled(trap), "is not a text file"),
        "deep.json": (b"[" * 100_000, "this is not JSON"),
        "digits.attnviz": (b'{"format": ' + b"9" * 100_000 + b"}", "this is not JSON"),
        "fields.json": (b"{" + b",".join(b'"a%d": 0' % n for n in range(50_000)) + b"}", "at most 100 are read"),
        "markup.json": (b"{\"<img src='file:///nowhere.png'>\": 1}", "there is no field"),
        "future.attnviz": (b'{"format": 99, "spec": {}}', "of a newer attnviz"),
        "deep.png": (png("[" * 100_000), "this is not JSON"),
        "blocks.gif": (GIF_HEAD + b"!\xf9\0" * 500_000, "without an attnviz session"),
        "mentions.pdf": (b"%PDF-1.4\n" + b"/AttnvizSession (" * 100_000, "without an attnviz session"),
    }
    found = {}
    for name, (content, why) in contents.items():
        (folder / name).write_bytes(content)
        found[folder / name] = why
    found[sparse(folder / "huge.png", 1 << 40)] = "is larger than 256 MiB"
    os.mkfifo(folder / "pipe.json")
    (folder / "zeros.attnviz").symlink_to("/dev/zero")
    (folder / "loop.json").symlink_to(folder / "loop.json")
    return found | {folder / name: "cannot be read" for name in ("pipe.json", "zeros.attnviz", "loop.json")}


@SPARSE
def test_that_hostile_documents_are_refused_wherever_they_come_in(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    for number, (path, why) in enumerate(documents(tmp_path, tmp_path / "sprung").items()):
        come_in = partial(drop, begun, path) if number % 2 else partial(begun.keeper.open_path, path)
        said = sentence(begun, qtbot, come_in)
        assert why in said, path
        assert path.name in said
        assert len(said) < len(str(path)) + 1000
        assert begun.notice.property("kind") == "problem"
        assert begun.controller.spec == SMALL
    assert not (tmp_path / "sprung").exists()


@SPARSE
def test_that_hostile_arrays_which_are_dropped_fail_their_run_and_can_be_undone(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    shown = begun.controller.shown
    weights = npy_header("(60000, 1024)")
    contents: dict[str, bytes] = {
        "pickle.npy": pickled_npy(tmp_path / "sprung"),
        "pickle.npz": zipped({"weights.npy": pickled_npy(tmp_path / "sprung")}),
        "short.npy": npy_header("(1048576, 1048576)"),
        "packed.npz": zipped({"weights.npy": npy(np.eye(3))}, zipfile.ZIP_BZIP2),
        "infinite.npy": npy(np.full((3, 3), np.inf)),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    bomb(tmp_path / "bomb.npz", {"weights.npy": (weights, 240 << 20)})
    sparse(tmp_path / "list.npz", 4 << 30, end=end_of_archive(0xFFFFFFF0))
    sparse(tmp_path / "header.npy", 5 << 30, npy_header("(4, 4)", version=2, length=0xFFFFFFF0))
    for name in (*contents, "bomb.npz", "list.npz", "header.npy"):
        with qtbot.waitSignal(begun.controller.failed):
            drop(begun, tmp_path / name)
        assert name in begun.notice.text()
        assert begun.controller.shown is shown, "the last good picture stays"
        begun.actions_["undo"].trigger()
        assert begun.controller.spec == SMALL
        settle(begun)
        shown = begun.controller.shown
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "view",
    [
        AttentionViewSettings(item=MOST, head=MOST, query=MOST, key=MOST, stage="scores", page="compare"),
        RegressionViewSettings(step=MOST, query=MOST, key=MOST, head=MOST, page="errors"),
    ],
)
def test_that_a_session_which_was_looked_at_beyond_all_bounds_opens_within_them(
    view: Any, begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    spec = attention(seed=41) if view.lab == "attention" else regression()
    path = file_of(Session(spec=spec, view=view), tmp_path / "far.attnviz")
    begun.keeper.open_path(path)
    qtbot.waitUntil(lambda: begun.keeper.path == path)
    settle(begun)
    assert begun.controller.spec == spec
    assert not begun.notice.isVisible()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 2\n" * 3_000_000, "too much text"),
        ("1," + "9" * 200_000, "is not two finite numbers"),
        ("\0\ud800,1\n", "is not two finite numbers"),
        ("\n" * 100_000, "holds no points"),
        ("1 2\n" * 20_001, "holds more than 20000 points"),
    ],
    ids=["too much", "a long number", "no characters", "nothing", "too many"],
)
def test_that_a_hostile_text_which_is_pasted_is_refused_at_the_field(text: str, why: str, at: At, hands: Hands) -> None:
    window = at(regression())
    QGuiApplication.clipboard().setText(text)
    hands.press(form_of(window).editor("data"), "Paste")
    said = form_of(window).problem("data")
    assert why in said
    assert len(said) < 400
    assert window.controller.spec == regression()
    QGuiApplication.clipboard().clear()
