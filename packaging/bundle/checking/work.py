"""What it computes and writes: every export format, model folders, sweeps on two workers, lessons, training."""

import csv
import hashlib
import json
import os
import shutil
from pathlib import Path

from checking.bare_tree import USER
from checking.screen import Screen
from checking.site import ROOT, SIZE, Site, check, expect
from checking.starts import wait_for_window

_FIGURES = ("png", "pdf", "svg", "npz", "csv", "json", "attnviz", "gif", "apng")
_TIMES = ("seconds", "milliseconds", "host", "memory_mb")


@check("it exports every format as the checkout does")
def _exports(site: Site) -> str:
    home = site.home()
    site.attnviz("export", "preset:causal-sentence", *outputs("ours"), inside=site.inside(home))
    site.checkout("export", "preset:causal-sentence", *outputs("theirs"), cwd=home)
    same = []
    for suffix in _FIGURES:
        ours, theirs = home / f"ours.{suffix}", home / f"theirs.{suffix}"
        expect(ours.stat().st_size > 0, f"{ours.name} is empty")
        if suffix == "npz":
            site.expect_same(ours, theirs, "the numbers")
        elif digest(ours) == digest(theirs):
            same.append(suffix)
        elif suffix == "png":
            site.expect_same(ours, theirs, "the figure")
        elif suffix in ("csv", "json", "attnviz"):
            expect(False, f"{ours.name} differs from the checkout's")
    return f"the same bytes: {', '.join(same)}; the same numbers: npz"


def outputs(name: str) -> list[str]:
    """Return options that write a file of each format."""
    return [option for suffix in _FIGURES for option in ("-o", f"{name}.{suffix}")]


def digest(path: Path) -> str:
    """Return a digest of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@check("it runs a model folder as the checkout does, with the logit lens and attribution")
def _model_folder(site: Site) -> None:
    home = site.home()
    for name in ("model", "theirs"):
        shutil.copytree(ROOT / "resources/models/induction", home / name)
    arguments = ("run", "model", "--with", "lens,attribution", "-o")
    site.attnviz(*arguments, "ours.npz", inside=site.inside(home))
    site.checkout(*arguments, "theirs.npz", cwd=home)
    site.expect_same(home / "ours.npz", home / "theirs.npz", "the numbers of the model folder")


_MODS = """\
import torch
from torch.nn.attention.flex_attention import and_masks, flex_attention

flex_attention = torch.compile(flex_attention)  # as many files do, for their own runs
documents = torch.tensor([0] * 5 + [1] * 11)


def same_document(b, h, q_idx, kv_idx):
    return documents[q_idx] == documents[kv_idx]


mine = and_masks(lambda b, h, q_idx, kv_idx: q_idx >= kv_idx, same_document)


def nearer(score, b, h, q_idx, kv_idx):
    return score - 0.1 * (q_idx - kv_idx)
"""


@check("it runs the user's own functions as the checkout does, in a process of its own program")
def _own_functions(site: Site) -> str:
    home = site.home()
    (home / "mods.py").write_text(_MODS, encoding="utf-8")
    done = site.attnviz("run", "mods.py", "-o", "ours.npz", inside=site.inside(home))
    site.checkout("run", "mods.py", "-o", "theirs.npz", cwd=home)
    site.expect_same(home / "ours.npz", home / "theirs.npz", "the numbers of the functions")
    return next(line for line in done.out.splitlines() if "mask_mod" in line)


@check("it trains, writes a model folder and reads it")
def _trains(site: Site) -> None:
    home = site.home()
    inside = site.inside(home)
    site.attnviz("run", "preset:train-copy", "--model-folder", "trained", "-o", "run.npz", inside=inside)
    (home / "spec.json").write_text(json.dumps({"lab": "model", "folder": "trained", "text": "a b c a b c"}))
    site.attnviz("run", "spec.json", "-o", "again.npz", inside=inside)
    expect((home / "trained/model.safetensors").stat().st_size > 0, "the model folder has no weights")


@check("it sweeps on two workers, into csv, jsonl and parquet, as the checkout does")
def _sweeps(site: Site) -> str:
    home = site.home()
    inside = site.inside(home)
    over = ("sweep", "preset:multi-head-random", "--over", "num_heads=1,2", "--over", "seed=0:2")
    for suffix in ("csv", "jsonl", "parquet"):
        done = site.attnviz(*over, "--workers", "2", "-o", f"ours.{suffix}", "--heads", f"heads-{suffix}.csv",
                            inside=inside)  # fmt: skip
    site.checkout(*over, "--workers", "1", "-o", "theirs.csv", cwd=home)
    ours, theirs = (list(csv.DictReader((home / name).open(encoding="utf-8"))) for name in ("ours.csv", "theirs.csv"))
    expect(len(ours) == 6, f"the table has {len(ours)} rows instead of 6")
    for mine, other in zip(ours, theirs, strict=True):
        wrong = [name for name in other if mine.get(name) != other[name] and name not in _TIMES]
        expect(not wrong, f"the tables differ in {', '.join(wrong)}")
    lines = [json.loads(line) for line in (home / "ours.jsonl").read_text(encoding="utf-8").splitlines()]
    expect(len(lines) >= 6, f"the .jsonl has {len(lines)} lines")
    expect((home / "ours.parquet").read_bytes()[:4] == b"PAR1", "the .parquet is none")
    return done.last


@check("it sweeps from the window, which starts the program again")
def _sweeps_from_window(site: Site) -> str:
    home = site.home()
    with Screen() as screen, site.inside(home, screen).start(site.program, *SIZE) as window:
        wait_for_window(screen)
        screen.wait_for_rest()
        screen.click(640, 785)
        screen.press("ctrl+shift+w")
        screen.wait_for_rest(timeout=3)  # a cursor blinks in a field
        before = _middle(screen)
        screen.click(*_RUN_THE_SWEEP)
        started = screen.wait_until(lambda: len(window.pids("attnviz")) > 1, 30)
        expect(started, "no process is started")
        expect(screen.wait_until(lambda: len(window.pids("attnviz")) == 1, 90), "the sweep does not end")
        screen.wait_for_rest()
        screen.save(site.folder / "sweep.png")
        expect(_middle(screen) > before + 200, f"nothing is plotted; see {site.folder / 'sweep.png'}")
    return f"the picture is {site.folder / 'sweep.png'}"


_RUN_THE_SWEEP = (505, 107)
"""Where the button is in a window of 1280x800."""


def _middle(screen: Screen) -> int:
    """Return the number of pixels in the middle of the screen that differ from their left neighbour."""
    pixels, line = screen.pixels(), 4 * 1280
    rows = (pixels[row * line + 4 * 320 : row * line + 4 * 940] for row in range(260, 700, 4))
    return sum(row[at : at + 4] != row[at - 4 : at] for row in rows for at in range(4, len(row), 4))


@check("it checks a lesson and exports it, in both languages")
def _lessons(site: Site) -> None:
    home = site.home()
    inside = site.inside(home)
    site.attnviz("lesson", "check", "4", inside=inside)
    site.attnviz("lesson", "export", "4", "-o", "handouts", inside=inside)
    site.attnviz("lesson", "export", "4", "--lang", "zh_CN", "-o", "handouts-zh", inside=inside)
    files = [path for path in home.glob("handouts*/**/*") if path.is_file()]
    expect(len({path.suffix for path in files}) > 1, f"it wrote {', '.join(path.name for path in files)}")


@check("it prints a script that quotes its own mathematics, as the checkout's")
def _code(site: Site) -> None:
    for preset in ("causal-sentence", "kernel-learned", "train-copy"):
        ours = site.attnviz("code", f"preset:{preset}").out
        theirs = site.checkout("code", f"preset:{preset}", cwd=site.home()).out
        expect(ours == theirs, f"the script of {preset} differs from the checkout's")


@check("two versions side by side share a home")
def _side_by_side(site: Site) -> str:
    home = site.home()
    second = site.unpacked / f"{site.top}-second"
    shutil.rmtree(second, ignore_errors=True)
    shutil.copytree(site.unpacked / site.top, second, symlinks=True, copy_function=os.link)
    try:
        with Screen() as one, Screen() as other:
            program = site.program.replace(site.top, second.name)
            with site.inside(home, one).start(site.program), site.inside(home, other).start(program):
                wait_for_window(one)
                wait_for_window(other)
                running = home / ".local/state/attnviz/reports"
                expect(one.wait_until(lambda: len([*running.glob("*.running")]) == 2, 20), "they share a crash file")
        expect(not [*home.rglob("*.broken*")], "one broke what the other wrote")
        site.attnviz("--screenshot", "out.png", inside=site.inside(home))
    finally:
        shutil.rmtree(second, ignore_errors=True)
    return "the second is a copy of the first"


def give_to_user(folder: Path) -> None:
    """Make the unprivileged user the owner of a folder and of all in it."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, USER, USER)
