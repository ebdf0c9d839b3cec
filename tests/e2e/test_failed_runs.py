"""A legal spec that cannot be carried out: exit code 1, one sentence, and no file."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from calling import attnviz

FAR_APART: dict[str, Any] = {"kind": "points", "x": [0, 1, 2, 3], "y": [1e90, -1e90, 1e90, -1e90]}
FAILING: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "no such device": ({"device": "cuda:99"}, ("there is no device cuda:99 here; this machine has cpu",)),
    "too large": (
        {"num_queries": 16384, "num_kvpairs": 16384, "num_heads": 1024, "num_hiddens": 1024, "batch_size": 256},
        ("this run needs about 1.", " PiB, but ", "fewer queries, keys, heads or batch items need less"),
    ),
    "diverging": (
        {"lab": "regression", "estimator": "parametric", "data": FAR_APART},
        ("training diverged at step 1", "try a learning rate below 0.5"),
    ),
    "file gone": ({"inputs": {"kind": "file", "path": "gone.npz"}}, ("gone.npz",)),
    "points gone": ({"lab": "regression", "data": {"kind": "file", "path": "gone.csv"}}, ("gone.csv",)),
}


@pytest.mark.parametrize(("values", "words"), FAILING.values(), ids=FAILING)
def test_that_a_failed_run_is_told_in_one_line_leaves_the_old_file_whole_and_makes_no_new_one(
    values: dict[str, Any], words: tuple[str, ...], elsewhere: Path
) -> None:
    old = elsewhere / "old.npz"
    old.write_bytes(b"old")
    for output in ((), ("-o", "old.npz", "--force"), ("-o", "new.npz", "--force")):
        said = attnviz("run", "-", *output, stdin=json.dumps(values).encode())
        assert said.is_one_line(1, *words)
        assert said.out == ""
    assert os.listdir(elsewhere) == ["old.npz"]
    assert old.read_bytes() == b"old"
