#!/usr/bin/env python3
"""Make the README's screenshots with the app itself: resources/screenshots/*.png.

usage: QT_QPA_PLATFORM=offscreen .venv/bin/python packaging/screenshots.py [NAME ...]

Each picture is a real window after a real run; the sweep takes about a minute on two cores.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop
from PySide6.QtWidgets import QComboBox

from attnviz.experiment.files import consent
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import make_spec
from attnviz.experiment.model.spec import OWN_FOLDER, OWN_IMAGE, ModelSpec
from attnviz.folders import resource
from attnviz.gui.app import make_application
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

FOLDER = Path(__file__).resolve().parent.parent / "resources/screenshots"
_LONGEST = 900.0
"""Seconds that a run may take."""


def wait(done: Callable[[], bool]) -> None:
    """Let the window go on until a condition holds; raises `TimeoutError`."""
    loop, end = QEventLoop(), time.monotonic() + _LONGEST
    while not done():
        loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)
        if time.monotonic() > end:
            raise TimeoutError
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    end = time.monotonic() + 1  # what is computed beside the run, and motion
    while time.monotonic() < end:
        loop.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)


def settle(window: MainWindow) -> None:
    """Wait until the window shows the run of its spec."""
    wait(lambda: window.controller.up_to_date and not window.controller.computing)


def open_preset(window: MainWindow, name: str, *, trained: bool = False, **view: object) -> None:
    """Open a preset, train it to its end if asked, and change its view."""
    window.session_state.open_preset(name)
    settle(window)
    if trained:
        window.actions_["run"].trigger()
        settle(window)
    window.room.current_view.propose(**view)
    settle(window)


def sweep(window: MainWindow) -> None:
    """Sweep the hidden size of the induction preset with eight seeds."""
    open_preset(window, "train-induction", trained=True, page="train")
    window.actions_["sweep"].trigger()
    choices = window.sweeps.page.choices
    fields: QComboBox = choices.first.field
    fields.setCurrentIndex(fields.findData("num_hiddens"))
    choices.first.values.setText("16,32,64,128")
    choices.seeds.setText("0:7")
    window.sweeps.page.follow(window.controller.spec)
    wait(choices.run.isEnabled)
    choices.measure.setCurrentIndex(choices.measure.findData("steps_to_95"))
    choices.run.click()
    wait(lambda: not choices.stop.isEnabled())


def image(window: MainWindow) -> None:
    """Show an image to a small vision transformer whose weights are random, and large enough for heads to differ."""
    import torch
    from transformers import ViTConfig, ViTForImageClassification

    folder = Path(tempfile.mkdtemp()) / "random-vit"
    torch.manual_seed(2)  # noqa: TID251 - a picture, not a run
    sizes = {"hidden_size": 48, "num_hidden_layers": 4, "num_attention_heads": 6, "intermediate_size": 96}
    names = dict(enumerate(["cat", "dog", "fox", "bird", "tree", "house", "car", "ship", "sun", "moon"]))
    config = ViTConfig(**sizes, image_size=224, patch_size=16, id2label=names, initializer_range=0.22)
    ViTForImageClassification(config).save_pretrained(folder)
    window.controller.propose(ModelSpec(folder=str(folder), image=OWN_IMAGE))
    settle(window)
    window.room.current_view.propose(page="image", layer=1, contrast=True, contrast_by="row")
    window.room.selection.lock(Selection(2, 1 + 6 * 14 + 9))
    settle(window)


def cross(window: MainWindow) -> None:
    """Let a small encoder-decoder whose weights are random answer a text, in the words of the included model."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    folder = Path(tempfile.mkdtemp()) / "random-t5"
    torch.manual_seed(5)  # noqa: TID251 - a picture, not a run
    sizes = {"vocab_size": 32, "d_model": 64, "d_kv": 16, "d_ff": 96, "num_layers": 3, "num_heads": 4}
    config = T5Config(**sizes, decoder_start_token_id=3, eos_token_id=None, pad_token_id=0, initializer_factor=1.3)
    T5ForConditionalGeneration(config).save_pretrained(folder)
    shutil.copy(resource(OWN_FOLDER) / "tokenizer.json", folder)
    text = "the old dog sat with his blue bird under a tree"
    window.controller.propose(ModelSpec(folder=str(folder), text=text, target="one red fox ran", generate=6))
    settle(window)
    window.room.current_view.propose(side="cross", layer=1)
    window.room.selection.lock(Selection(1, 4))
    settle(window)


_MODS = '''\
import torch
from torch.nn.attention.flex_attention import and_masks

document_id = torch.tensor([0] * 6 + [1] * 10)


def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def same_document(b, h, q_idx, kv_idx):
    return document_id[q_idx] == document_id[kv_idx]


packed = and_masks(causal, same_document)


def nearer(score, b, h, q_idx, kv_idx):
    """The farther, the less; a slope for each head."""
    return score - torch.exp2(-(h + 1.0)) * (q_idx - kv_idx).abs()
'''


def functions(window: MainWindow) -> None:
    """Write a mask and a change of the scores for packed documents."""
    mods = {"path": "my_mods.py", "mask_mod": "packed", "score_mod": "nearer", "source": _MODS}
    consent.allow(consent.digest_of(_MODS), remember=False)
    sizes = {"self_attention": True, "batch_size": 1, "num_queries": 16, "num_heads": 4, "num_hiddens": 64}
    window.controller.propose(make_spec(sizes | {"mods": mods}))
    settle(window)
    window.room.current_view.propose(page="functions")
    settle(window)


_INDUCTION = {"head": 0, "layer": 1, "query": 21}
"""Head 2.1 at a token of the repeated segment."""
PICTURES: dict[str, Callable[[MainWindow], object]] = {
    "attention": lambda window: open_preset(window, "causal-sentence"),
    "model": lambda window: open_preset(window, "model-induction"),
    "adds": lambda window: open_preset(window, "model-induction", by_attribution=True, head=1),
    "lens": lambda window: open_preset(window, "model-induction", page="lens"),
    "rollout": lambda window: open_preset(window, "model-induction", page="rollout"),
    "writes": lambda window: open_preset(window, "model-writes"),
    "cross": cross,
    "image": image,
    "functions": functions,
    "regression": lambda window: open_preset(window, "kernel-learned-book", trained=True),
    "train": lambda window: open_preset(window, "train-induction", trained=True, page="train", **_INDUCTION),
    "learning": lambda window: open_preset(window, "train-induction", trained=True, page="learning", **_INDUCTION),
    "sweep": sweep,
}
"""The windows of 1280x800; *Present* is made by the command line, which gives it a screen of its size."""


def main() -> int:
    """Make the named pictures, by default all; return the exit code."""
    names = sys.argv[1:] or [*PICTURES, "present"]
    if "present" in names:
        size = ("--size", "1920x1080", "--present", "--preset", "causal-sentence", "--theme", "light")
        picture = str(FOLDER / "present.png")
        subprocess.run([sys.executable, "-m", "attnviz", "--screenshot", picture, *size], check=True)
    make_application()
    windows = []  # kept: a window that is collected while it is shown still gets events
    for name in [each for each in PICTURES if each in names]:
        window = MainWindow(presets()["causal-sentence"].spec)
        windows.append(window)
        window.resize(1280, 800)
        window.show()
        window.start()
        window.runner.begin()
        settle(window)
        PICTURES[name](window)
        window.grab().save(str(FOLDER / f"{name}.png"))
        print(f"wrote {name}.png", flush=True)
        window.hide()
    os._exit(0)  # closing would ask whether to save


if __name__ == "__main__":
    main()
