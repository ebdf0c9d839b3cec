"""Arrays and points that mean harm, through the command line: one sentence, nothing unpickled, nothing waited for."""

import io
import os
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import attnviz
from hostile_files import npy, npy_header, pickled, pickled_npy, spec_of_file, zipped

GOOD = np.full((3, 3), 1 / 3, np.float32)
INPUTS = ("queries", "keys", "values")


def every(member: bytes) -> bytes:
    """Return an archive that has this under every name that is read."""
    return zipped({f"{name}.npy": member for name in ("weights", *INPUTS)})


def tables(columns: int) -> bytes:
    return npy_header("(1, 1)", "[" + "".join(f"('a{n}','<f4')," for n in range(columns)) + "]") + bytes(4 * columns)


MEMBERS: dict[str, bytes] = {
    "text": b"hello",
    "nothing": b"",
    "another version": b"\x93NUMPY\x09\x00" + npy(GOOD)[8:],
    "names of columns": npy_header("(1, 1)", version=3) + bytes(4),
    "more than there is": npy_header("(1048576, 1048576)") + bytes(100),
    "sides beyond a word": npy_header(f"({2**64}, 1)"),
    "sides of 4000 digits": npy_header(f"({'9' * 4000}, {'9' * 4000})"),
    "a negative side": npy_header("(-1, 2)") + bytes(100),
    "sides that are true": npy_header("(True, True)") + bytes(100),
    "sides of text": npy_header("('a', 2)"),
    "a thousand dimensions": npy_header("(" + "1," * 1000 + ")") + bytes(4),
    "no dimension": npy(np.float32(1)),
    "one dimension": npy(np.ones(3, np.float32)),
    "five dimensions": npy(np.ones((1, 1, 1, 2, 2), np.float32)),
    "no rows": npy(np.ones((0, 3), np.float32)),
    "no rows of endless length": npy_header("(0, 4611686018427387904)"),
    "more rows than are shown": npy_header("(20000, 2)") + bytes(160_000),
    "complex": npy(GOOD + 1j),
    "text for numbers": npy(GOOD.astype(str)),
    "bytes for numbers": npy(GOOD.astype("S5")),
    "times": npy(np.zeros((3, 3), "M8[s]")),
    "booleans": npy(GOOD > 0),
    "a table": tables(1),
    "a table of 600 columns": tables(600),
    "a table of tables": npy_header("(1, 1)", "[('a'," * 90 + "'<f4'" + ")]" * 90) + bytes(4),
    "entries of 2 GiB": npy_header("(2147483647, 2147483647)", "'|V2147483647'"),
    "a nonsensical type": npy_header("(3, 3)", "'nonsense'") + bytes(36),
    "code for a shape": npy_header("__import__('os').getcwd()") + bytes(36),
    "brackets without end": npy_header("(" * 5000),
    "signs without end": b"\x93NUMPY\1\0" + (9900).to_bytes(2, "little") + b"-" * 9899 + b"1",
    "a header without end": npy_header("(3, 3)", version=2, length=0xFFFFFFF0) + bytes(1000),
    "infinite": npy(np.full((3, 3), np.inf, np.float32)),
    "cut": npy(GOOD)[:-5],
}  # fmt: skip


@pytest.mark.timeout(20)
@pytest.mark.parametrize("ending", [".npy", ".npz"])
@pytest.mark.parametrize("name", MEMBERS)
def test_that_a_hostile_array_is_one_sentence_that_names_its_file(name: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine{ending}"
    path.write_bytes(MEMBERS[name] if ending == ".npy" else every(MEMBERS[name]))
    for fields in ({}, {"mechanism": "given"}):
        said = attnviz("run", spec_of_file(tmp_path, path, **fields))
        assert said.is_one_line(1, str(path))
        assert len(said.err) < len(str(path)) + 300


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(GOOD),
        GOOD.astype(">f4"),
        GOOD.astype("<f8"),
        np.float16(GOOD),
        np.full((3, 3), 1e-45, np.float32),
        np.full((3, 3), -0.0),
        np.full((1, 1), 1.0),
    ],
    ids=["columns first", "big-endian", "double", "half", "denormal", "negative zero", "one"],
)
def test_that_an_unusual_array_of_numbers_is_read_as_it_is(array: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", array)
    for fields in ({}, {"mechanism": "given"}):
        said = attnviz(
            "run", spec_of_file(tmp_path, tmp_path / "mine.npy", **fields), "--force", "-o", str(tmp_path / "trace.npz")
        )
        assert (said.code, said.err) == (0, "")
    with np.load(tmp_path / "trace.npz") as trace:
        np.testing.assert_array_equal(trace["weights"][0, 0], array)


@pytest.mark.parametrize("name", ["weights", "mask", "query_tokens", "key_tokens"])
def test_that_one_pickled_member_among_good_ones_is_refused_by_its_name(name: str, trap: Path, tmp_path: Path) -> None:
    members = {"weights.npy": npy(GOOD), f"{name}.npy": pickled_npy(trap)}
    (tmp_path / "mine.npz").write_bytes(zipped(members))
    said = attnviz("run", spec_of_file(tmp_path, tmp_path / "mine.npz", mechanism="given"))
    assert said.is_one_line(1, f"mine.npz: {name} holds pickled objects, which are never read; nearest: ")
    assert not trap.exists()


@pytest.mark.parametrize("ending", [".npy", ".npz", ".csv"])
def test_that_a_pickle_is_never_loaded_whatever_it_is_called(ending: str, trap: Path, tmp_path: Path) -> None:
    path = tmp_path / f"mine{ending}"
    for content in (pickled(trap), pickled_npy(trap), every(pickled(trap)), every(pickled_npy(trap))):
        path.write_bytes(content)
        assert attnviz("run", spec_of_file(tmp_path, path)).is_one_line(1, str(path))
    assert not trap.exists()


def test_that_an_archive_with_an_array_twice_is_refused(tmp_path: Path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("weights.npy", npy(GOOD))
        archive.writestr("weights", npy(GOOD))
    (tmp_path / "mine.npz").write_bytes(content.getvalue())
    said = attnviz("run", spec_of_file(tmp_path, tmp_path / "mine.npz", mechanism="given"))
    assert said.is_one_line(1, "mine.npz: weights occurs twice")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_that_an_archive_packed_as_numpy_never_does_is_refused(method: int, tmp_path: Path) -> None:
    (tmp_path / "mine.npz").write_bytes(zipped({"weights.npy": npy(GOOD)}, method))
    said = attnviz("run", spec_of_file(tmp_path, tmp_path / "mine.npz", mechanism="given"))
    assert said.is_one_line(1, "compressed in a way that numpy never uses; nearest: np.savez_compressed")


def test_that_the_name_of_a_member_leads_nowhere(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    members = {"../weights.npy": npy(GOOD), "/weights.npy": npy(GOOD), "weights.npy": npy(GOOD), "a\0b.npy": b""}
    (inner / "mine.npz").write_bytes(zipped(members))
    said = attnviz("run", spec_of_file(inner, inner / "mine.npz", mechanism="given"))
    assert (said.code, said.err) == (0, "")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["inner", "mine.npz", "spec_of_file.json"]


def test_that_a_size_which_the_list_of_an_archive_makes_up_is_not_believed(tmp_path: Path) -> None:
    whole = zipped({"weights.npy": npy(GOOD)}, zipfile.ZIP_DEFLATED)
    at = whole.index(b"PK\1\2")
    for size in (10, 0xFFFFFFF0):
        (tmp_path / "mine.npz").write_bytes(whole[: at + 24] + struct.pack("<L", size) + whole[at + 28 :])
        said = attnviz("run", spec_of_file(tmp_path, tmp_path / "mine.npz", mechanism="given"))
        assert said.code == 0 or said.is_one_line(1, "mine.npz")


POINTS: dict[str, bytes] = {
    "a line of a megabyte": b"1," + b"9" * 1_000_000,
    "cells without number": b"1," * 1_000_000,
    "quotes": b'"a' * 1_000_000,
    "gaps": b"a  " * 500_000,
    "blank lines": b"\n" * 1_000_000,
    "zeros": b"1,2\n\0\0,\0\n",
    "infinite": b"1,inf\n",
    "not a number": b"nan,1\n",
    "too far": b"1e300,1\n",
    "half a character": b"1,2\n\xed\xa0\x80,3\n",
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", POINTS)
def test_that_hostile_points_are_one_sentence_that_names_their_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(POINTS[name])
    said = attnviz("run", spec_of_file(tmp_path, path))
    assert said.is_one_line(1, str(path))
    assert len(said.err) < len(str(path)) + 300


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX")
@pytest.mark.timeout(20)
@pytest.mark.parametrize("ending", [".npz", ".npy", ".csv"])
def test_that_what_is_no_plain_file_is_refused_and_not_waited_for(ending: str, tmp_path: Path) -> None:
    odd = tmp_path / f"odd{ending}"
    for make in (
        odd.mkdir,
        lambda: os.mkfifo(odd),
        lambda: odd.symlink_to("/dev/zero"),
        lambda: odd.symlink_to(tmp_path / "gone"),
        lambda: odd.symlink_to(odd),
    ):
        make()
        assert attnviz("run", spec_of_file(tmp_path, odd)).is_one_line(1, f"{odd} cannot be read")
        (odd.rmdir if odd.is_dir() and not odd.is_symlink() else odd.unlink)()
