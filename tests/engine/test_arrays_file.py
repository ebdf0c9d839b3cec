import io
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import the_failure

from attnviz.engine import arrays_file
from attnviz.engine.arrays_file import read_arrays
from attnviz.engine.machine import RunError

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
GOOD: dict[str, Any] = {"queries": X, "keys": X, "values": X}


@pytest.fixture
def npz(tmp_path: Path) -> Callable[..., str]:
    """Save arrays, the good ones unless they are given, and return the path."""

    def save(**arrays: Any) -> str:
        path = tmp_path / "mine.npz"
        np.savez(path, **{name: array for name, array in {**GOOD, **arrays}.items() if array is not None})
        return str(path)

    return save


@pytest.fixture
def holding(tmp_path: Path) -> Callable[[bytes, str], str]:
    """Write bytes into a file of that ending and return the path."""

    def write(content: bytes, ending: str) -> str:
        path = tmp_path / f"mine{ending}"
        path.write_bytes(content)
        return str(path)

    return write


def refused(path: str) -> RunError:
    with pytest.raises(RunError) as caught:
        read_arrays(path)
    assert path in str(caught.value)
    assert len(str(caught.value)) < len(path) + 250
    return caught.value


def bytes_of(array: Any, allow_pickle: bool = False) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=allow_pickle)
    return buffer.getvalue()


def header(shape: str, descr: str = "'<f4'") -> bytes:
    """Return the start of an .npy file that claims this shape."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def zipped(member: bytes, ending: str = ".npy") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in GOOD:
            archive.writestr(name + ending, member)
    return buffer.getvalue()


def test_that_arrays_come_back_as_they_were_saved_and_foreign_names_stay_unread(npz: Callable[..., str]) -> None:
    arrays = read_arrays(npz(W_q=np.eye(4), notes=np.array("mine"), evil=np.array([{}], dtype=object)))
    assert list(arrays) == ["queries", "keys", "values", "W_q"]
    np.testing.assert_array_equal(arrays["queries"], X)


@pytest.mark.parametrize(
    ("dtype", "kept"),
    [
        ("f8", "f8"),
        ("f4", "f4"),
        ("f2", "f4"),
        (">f4", "f4"),
        (">f8", "f8"),
        ("i2", "f4"),
        ("u1", "f4"),
        ("i4", "f8"),
        ("i8", "f8"),
    ],
)
def test_that_numbers_are_read_as_float32_unless_it_takes_float64_to_hold_them(
    npz: Callable[..., str], dtype: str, kept: str
) -> None:
    queries = read_arrays(npz(queries=X.astype(dtype)))["queries"]
    assert queries.dtype == np.dtype(kept)
    np.testing.assert_array_equal(queries, X)


def test_that_fortran_order_is_read_like_any_other(npz: Callable[..., str]) -> None:
    queries = read_arrays(npz(queries=np.asfortranarray(X)))["queries"]
    assert queries.flags.c_contiguous
    np.testing.assert_array_equal(queries, X)


def test_that_an_npy_file_gives_its_one_array_three_names(holding: Callable[[bytes, str], str]) -> None:
    arrays = read_arrays(holding(bytes_of(X[0]), ".npy"))
    assert set(arrays) == set(GOOD)
    assert {array.shape for array in arrays.values()} == {(1, 3, 4)}


NAN, INF = (np.where(X == 13, wrong, X) for wrong in (np.nan, np.inf))


@pytest.mark.parametrize(
    ("arrays", "code", "said"),
    [
        ({"keys": None, "values": None}, "missing_arrays", "has no array keys, values"),
        ({"queries": None, "Queries": X}, "missing_arrays", "has no array queries"),
        ({"keys": NAN}, "not_finite", "keys holds nan at (1, 0, 1); every number must be finite"),
        ({"values": INF}, "not_finite", "values holds inf at (1, 0, 1)"),
        ({"W_o": np.array([[np.nan]])}, "not_finite", "W_o holds nan at (0, 0)"),
        ({"queries": X[0, 0]}, "file_shapes", "queries has shape (4,); needed (length, size) or (batch, length, size)"),
        ({"queries": X[None]}, "file_shapes", "queries has shape (1, 2, 3, 4)"),
        ({"keys": np.float32(5)}, "file_shapes", "keys has shape ()"),
        ({"keys": X[:, :0]}, "file_shapes", "keys has shape (2, 0, 4)"),
        ({"W_q": X}, "file_shapes", "W_q has shape (2, 3, 4); needed (out, in)"),
        ({"queries": X + 1j}, "file_type", "queries holds complex64, not real numbers"),
        ({"queries": X > 3}, "file_type", "queries holds bool, not real numbers"),
        ({"queries": X.astype(str)}, "file_type", "not real numbers"),
        ({"queries": X.astype("m8[s]")}, "file_type", "queries holds timedelta64[s], not real numbers"),
        ({"queries": np.zeros((2, 3), [("x", "f4")])}, "file_type", "not real numbers"),
        (
            {"queries": np.array([[{}]], dtype=object)},
            "unreadable",
            "queries holds pickled objects, which are never read; nearest: queries.astype('float32')",
        ),
    ],
    ids=str,
)
def test_that_an_array_which_cannot_be_used_is_refused_by_name(
    npz: Callable[..., str], arrays: dict[str, Any], code: str, said: str
) -> None:
    error = refused(npz(**arrays))
    assert error.code == code
    assert said in str(error)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"keys": X[:, :2]}, "do not fit each other: (2, 3, 4), (2, 2, 4), (2, 3, 4)"),
        ({"queries": X[:1]}, "do not fit each other: (1, 3, 4), (2, 3, 4), (2, 3, 4)"),
        ({"W_q": np.ones((8, 5))}, "W_q in the file has shape (8, 5); num_hiddens 8 and the inputs need (8, 4)"),
        ({"W_o": np.ones((4, 8))}, "W_o in the file has shape (4, 8)"),
    ],
)
def test_that_arrays_which_do_not_fit_each_other_are_a_failure_that_names_their_shapes(
    npz: Callable[..., str], arrays: dict[str, Any], said: str
) -> None:
    failure = the_failure(inputs={"kind": "file", "path": npz(**arrays)}, num_hiddens=8, num_heads=2)
    assert failure.code == "file_shapes"
    assert said in failure.message


def test_that_nothing_is_ever_unpickled(holding: Callable[[bytes, str], str], tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    trap = np.array([Trap()], dtype=object)
    for content, ending in [
        (pickle.dumps(Trap()), ".npy"),
        (bytes_of(trap, allow_pickle=True), ".npy"),
        (zipped(bytes_of(trap, allow_pickle=True)), ".npz"),
        (pickle.dumps(Trap()), ".npz"),
    ]:
        assert refused(holding(content, ending)).code == "unreadable"
    assert not (tmp_path / "sprung").exists()


WHOLE_NPY, WHOLE_NPZ = bytes_of(X), zipped(bytes_of(X))
SPOILT = {
    "text.npy": b"hello",
    "text.npz": b"hello",
    "empty.npy": b"",
    "empty.npz": b"",
    "cut in the magic.npy": WHOLE_NPY[:5],
    "cut in the header.npy": WHOLE_NPY[:20],
    "cut in the data.npy": WHOLE_NPY[:-5],
    "cut in two.npz": WHOLE_NPZ[: len(WHOLE_NPZ) // 2],
    "cut at the end.npz": WHOLE_NPZ[:-5],
    "one bit flipped.npz": WHOLE_NPZ[:200] + bytes([WHOLE_NPZ[200] ^ 1]) + WHOLE_NPZ[201:],
    "absurd shape.npy": header("(1000000, 1000000, 1000000)") + b"\0" * 64,
    "absurd shape.npz": zipped(header("(1000000, 1000000, 1000000)") + b"\0" * 64),
    "negative shape.npz": zipped(header("(-1, 2)") + b"\0" * 64),
    "shape of text.npy": header("('a',)") + b"\0" * 64,
    "code for a shape.npy": header("__import__('os').getcwd()") + b"\0" * 64,
    "nonsense type.npy": header("(1, 2)", "'nonsense'") + b"\0" * 64,
}


@pytest.mark.parametrize("name", SPOILT)
def test_that_a_spoilt_file_is_refused_with_one_sentence(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(SPOILT[name])
    assert refused(str(path)).code == "unreadable"
    assert the_failure(inputs={"kind": "file", "path": str(path)}).message.startswith(str(path))


def test_that_a_file_which_unpacks_beyond_the_limit_is_refused_unread(
    npz: Callable[..., str], holding: Callable[[bytes, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays_file, "MAX_BYTES", 200)
    for path in (npz(), holding(bytes_of(np.zeros((100, 9))), ".npy")):
        assert refused(path).code == "too_large"


def test_that_an_empty_path_asks_for_a_file() -> None:
    assert the_failure(inputs={"kind": "file", "path": ""}).message.startswith("choose an .npz or .npy file")


@pytest.mark.parametrize("path", ["missing.npz", "missing.npy", "folder.npz", "a\0b.npz", "x.txt", "x", "~/x.npz/"])
def test_that_a_path_which_leads_nowhere_is_a_failure_that_names_it(path: str, tmp_path: Path) -> None:
    (tmp_path / "folder.npz").mkdir()
    failure = the_failure(inputs={"kind": "file", "path": str(tmp_path / path)})
    assert failure.code == "unreadable"
    assert path.rstrip("/") in failure.message


ESCAPES = {
    "shape beyond a machine word.npy": header("(99999999999999999999999, 3)"),
    "shape beyond a machine word.npz": zipped(header("(99999999999999999999999, 3)")),
    "encrypted.npz": WHOLE_NPZ.replace(b"PK\x03\x04\x14\0\0", b"PK\x03\x04\x14\0\1").replace(
        b"PK\x01\x02\x14\x03\x14\0\0", b"PK\x01\x02\x14\x03\x14\0\1"
    ),
}


@pytest.mark.parametrize("name", ESCAPES)
def test_that_no_spoilt_file_lets_another_exception_out(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(ESCAPES[name])
    assert refused(str(path)).code == "unreadable"


@pytest.mark.parametrize("ending", ["", ".npy"])
def test_that_members_which_are_no_arrays_are_refused(holding: Callable[[bytes, str], str], ending: str) -> None:
    assert refused(holding(zipped(b"hi", ending), ".npz")).code == "unreadable"


@pytest.mark.parametrize("dtype", [">f8", "longdouble"])
def test_that_a_wide_number_keeps_its_digits(npz: Callable[..., str], dtype: str) -> None:
    third = np.full((2, 3, 4), 1 / 3)
    np.testing.assert_array_equal(read_arrays(npz(queries=third.astype(dtype)))["queries"], third)


def test_that_nobody_is_told_to_load_a_text_file_unsafely(holding: Callable[[bytes, str], str]) -> None:
    assert "allow_pickle" not in str(refused(holding(b"hello", ".npy")))


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_that_a_long_double_beyond_float64_is_refused_without_a_warning(npz: Callable[..., str]) -> None:
    assert refused(npz(queries=X.astype(np.longdouble) * np.longdouble("1e4000"))).code == "not_finite"


def test_that_an_output_beyond_float32_is_told_of_a_wider_format(npz: Callable[..., str]) -> None:
    path = npz(values=np.full_like(X, 3e38))
    failure = the_failure(inputs={"kind": "file", "path": path}, num_hiddens=8, num_heads=2)
    assert failure.code == "not_finite"
    assert "float64 reaches further" in failure.message


def test_that_the_ending_may_be_in_capitals(holding: Callable[[bytes, str], str]) -> None:
    try:
        read_arrays(holding(WHOLE_NPZ, ".NPZ"))
    except RunError as error:
        raise AssertionError(str(error)) from error
