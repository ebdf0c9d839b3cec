"""Small files that unpack to more than a machine holds: refused for what they announce, in little memory and time."""

import json
import os
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from hostile_files import PNG_SIGN, bomb, chunk, end_of_archive, end_of_long_archive, npy_header, sparse, spec_of_file

from attnviz.export.embedded_session import KEY

ROOT = Path(__file__).resolve().parents[2]
MEBI = 1 << 20
AT_ONCE = 5.0
"""Seconds that any of them may take on a machine that does other things beside."""
LITTLE = 100
"""MiB by which the memory may grow meanwhile; what the files announce is more."""


def archives(folder: Path) -> dict[str, str]:
    """Write hostile files of weights, and return what each is refused with by its path."""
    whole, rows = npy_header("(60000, 1024)"), 240 * MEBI
    token = npy_header("(1,)", "'<U60000000'")
    long = 30 << 30
    return {
        str(bomb(folder / "zeros.npz", {"weights.npy": (whole, rows)})): "weights has 60000 queries; at most 16384",
        str(
            bomb(folder / "bz2.npz", {"weights.npy": (npy_header("(60000, 512)"), rows // 2)}, zipfile.ZIP_BZIP2)
        ): "in a way that numpy never uses",
        str(
            bomb(folder / "tokens.npz", {"weights.npy": (npy_header("(1, 1)"), MEBI), "key_tokens.npy": (token, rows)})
        ): "key_tokens takes 228 MiB; at most 64 MiB",
        str(
            bomb(folder / "header.npz", {"weights.npy": (npy_header("(4, 4)", version=2, length=rows), rows)})
        ): "is longer than 10000 bytes",
        str(sparse(folder / "list.npz", 4 << 30, end=end_of_archive(0xFFFFFFF0))): "longer than 1 MiB",
        str(sparse(folder / "long list.npz", long, end=end_of_long_archive(long, long - 200))): "longer than 1 MiB",
        str(sparse(folder / "nothing.npz", long)): "its list of arrays is missing",
        str(
            sparse(folder / "header.npy", 5 << 30, npy_header("(4, 4)", version=2, length=0xFFFFFFF0))
        ): "is longer than 10000 bytes",
        str(sparse(folder / "short.npy", 4096, npy_header("(1048576, 1048576)"))): "announces 4398046511104 bytes",
        str(sparse(folder / "sparse.npy", 9 << 30, npy_header("(131072, 16384)"))): "weights has 131072 queries",
        str(sparse(folder / "much.npy", 9 << 30, npy_header("(8, 16384, 16384)"))): "unpacks to 8192 MiB; at most 4096",
    }


def documents(folder: Path) -> dict[str, str]:
    """Write hostile documents, and return what each is refused with by its path."""
    packed = zlib.compress(bytes(200 * MEBI), 1)
    pdf = (
        b"%%PDF-1.5\n3 0 obj\n<</Type/XRef/Size 4/W[1 2 1]/Root 1 0 R/Info 2 0 R/Filter/FlateDecode"
        b"/DecodeParms<</Predictor 12/Columns 1>>/Length %d>>\nstream\n%b\nendstream\nendobj\nstartxref\n9\n%%%%EOF\n"
    )
    none = "without an attnviz session"
    contents: dict[str, tuple[bytes, str]] = {
        "packed.pdf": (pdf % (len(packed), packed), none),
        "packed.png": (PNG_SIGN + chunk(b"zTXt", KEY.encode() + b"\0\0" + packed), none),
        "packed in two.png": (PNG_SIGN + chunk(b"iTXt", KEY.encode() + b"\0\1\0\0\0" + zlib.compress(packed)), none),
    }
    found = {}
    for name, (content, why) in contents.items():
        (folder / name).write_bytes(content)
        found[str(folder / name)] = why
    for name, start in (("sparse.png", PNG_SIGN), ("sparse.gif", b"GIF89a"), ("sparse.pdf", b"%PDF-1.4\n")):
        found[str(sparse(folder / name, 200 * MEBI, start))] = none
    found[str(sparse(folder / "sparse.svg", 200 * MEBI, b"<svg>"))] = none
    for name in ("huge.png", "huge.json"):
        found[str(sparse(folder / name, 1 << 40))] = "is larger than 256 MiB"
    found[str(sparse(folder / "large.attnviz", 200 * MEBI))] = "is larger than 8 MiB"
    found[str(sparse(folder / "points.csv", 1 << 40))] = "is larger than 8 MiB"
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="limits that Linux keeps")
def test_that_what_unpacks_to_gigabytes_is_refused_unread_in_little_memory(tmp_path: Path) -> None:
    expected = archives(tmp_path) | documents(tmp_path)
    sources = {}
    for number, path in enumerate(expected):
        folder = tmp_path / str(number)
        folder.mkdir()
        holds_arrays = path.endswith((".npz", ".npy"))
        is_data = holds_arrays or path.endswith(".csv")
        fields = {"mechanism": "given"} if holds_arrays else {}
        sources[spec_of_file(folder, path, **fields) if is_data else path] = path
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "bounded.py"), *sources],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
        timeout=100,
        text=True,
    )
    outcomes = json.loads(done.stdout)
    assert set(outcomes) == set(sources)
    for source, outcome in outcomes.items():
        path = sources[source]
        assert outcome["code"] in (1, 2), (path, outcome)
        assert path in outcome["said"], outcome
        assert expected[path] in outcome["said"], outcome
        assert outcome["said"].count("\n") == 1, outcome
        assert outcome["seconds"] < AT_ONCE, (path, outcome)
        assert outcome["mebibytes"] < LITTLE, (path, outcome)
