"""Whether a dropped file of arrays is taken for weights, and that this takes no time."""

import os
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnviz.experiment.files.given_weights import holds_weights

DICE = np.random.default_rng(0)
EVEN = np.full((4, 4), 0.25)


@pytest.mark.parametrize(
    ("arrays", "are_weights"),
    [
        ({"weights": EVEN}, True),
        ({"weights": EVEN, "mask": EVEN > 0, "queries": EVEN}, True),
        ({"weights": EVEN, "queries": EVEN, "keys": EVEN, "values": EVEN}, False),
        ({"queries": EVEN, "keys": EVEN, "values": EVEN}, False),
        ({"attention": EVEN}, False),
        ({"weights": np.array([{}], dtype=object)}, True),  # by its name; that it is no array of numbers is said then
    ],
)
def test_that_an_archive_is_judged_by_its_names(arrays: dict[str, Any], are_weights: bool, tmp_path: Path) -> None:
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "a.NPZ.npz", **arrays)
        assert holds_weights(tmp_path / "a.NPZ.npz") is are_weights


@pytest.mark.parametrize(
    ("array", "are_weights"),
    [
        (EVEN, True),
        (EVEN.astype(np.float16), True),
        (np.asfortranarray(DICE.random((2, 3, 4, 4))), True),
        (np.array([[1.0, np.nan], [0.5, 0.5]]), True),
        (np.array([[1.0, 1.1], [0.5, 0.5]]), False),
        (DICE.standard_normal((5, 8)), False),
        (np.full(4, 0.25), False),
        (np.full((1, 1, 1, 2, 2), 0.5), False),
        (np.eye(3, dtype=int), False),
        (np.zeros((0, 3)), False),
        (np.full((2, 2), np.nan), False),
        (np.array([["a", "b"]]), False),
    ],
)
def test_that_an_array_alone_is_judged_by_its_numbers(array: Any, are_weights: bool, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", array)
    assert holds_weights(tmp_path / "a.npy") is are_weights


def test_that_large_and_broken_files_are_soon_judged(tmp_path: Path) -> None:
    np.save(tmp_path / "cut.npy", EVEN)
    whole = (tmp_path / "cut.npy").read_bytes()
    (tmp_path / "cut.npy").write_bytes(whole[:-3])
    (tmp_path / "negative.npy").write_bytes(whole.replace(b"(4, 4)", b"(-1,4)"))
    (tmp_path / "empty.npz").write_bytes(b"")
    with zipfile.ZipFile(tmp_path / "many.npz", "w") as archive:
        for number in range(20_000):
            archive.writestr(f"{number:060}", b"")
        archive.writestr("weights.npy", b"")
    with (tmp_path / "huge.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"shape": (1 << 20, 1 << 10), "fortran_order": False, "descr": "<f4"}
        )
        file.truncate(8 << 30)  # of nothing
    os.mkfifo(tmp_path / "pipe.npy")
    start = time.process_time()
    found = {path.name for path in tmp_path.iterdir() if holds_weights(path)}
    assert time.process_time() - start < 2
    assert found == {"huge.npy"}
    assert not holds_weights(tmp_path / "gone.npz")
