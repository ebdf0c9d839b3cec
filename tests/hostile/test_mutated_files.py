"""Whatever bits of a good file are flipped, cut, put in or doubled: what it held is read, or it is refused by name."""

import contextlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_files import SESSION, figures, npy
from hypothesis import given
from hypothesis import strategies as st
from trainings import train_run, train_spec

from attnviz.engine.arrays_file import read_arrays, read_given
from attnviz.engine.machine import RunError
from attnviz.experiment.files.given_weights import holds_weights
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.labs import SpecError, spec_to_json
from attnviz.experiment.regression.points import PointsError, read_points
from attnviz.experiment.run import Cursor
from attnviz.export.document import read_document

WEIGHTS = np.full((2, 3, 4), 0.25, np.float32)
TOKENS = np.array(list("abcd"))


def npz(save: Callable[..., None]) -> bytes:
    content = io.BytesIO()
    save(
        content, weights=WEIGHTS, mask=WEIGHTS[0] > 0, key_tokens=TOKENS, queries=WEIGHTS, keys=WEIGHTS, values=WEIGHTS
    )
    return content.getvalue()


GOOD: dict[str, bytes] = {
    "spec.json": spec_to_json(SESSION.spec).encode(),
    "session.attnviz": session_to_json(SESSION).encode(),
    "trained.attnviz": session_to_json(
        Session(spec=train_spec(steps=3)).with_trained(train_run(steps=3).carried(Cursor(step=2)))
    ).encode(),
    "points.csv": b"x,y\n" + b"".join(b"%d,%d.5\n" % (n, n * n) for n in range(20)),
    "alone.npy": npy(WEIGHTS),
    "plain.npz": npz(np.savez),
    "packed.npz": npz(np.savez_compressed),
} | {f"figure.{kind}": content for kind, content in figures().items()}
PIECES = (b"\0", b"\xff" * 4, b'"', b"{", b"}" * 3, b"9" * 5000, b"NaN", b"-1", b",", b"\\ud800", b"PK\1\2", b"(", b"O")


@st.composite
def mutated(draw: Any, content: bytes) -> bytes:
    """Draw a file that is near this one."""
    found = bytearray(content)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(found) - 1, 0)))
        match draw(st.sampled_from(("flip", "flip", "cut", "take out", "put in", "double"))):
            case "flip" if found:
                found[at] ^= 1 << draw(st.integers(0, 7))
            case "cut":
                del found[at:]
            case "take out":
                del found[at : at + draw(st.integers(1, 40))]
            case "put in":
                found[at:at] = draw(st.sampled_from(PIECES) | st.binary(min_size=1, max_size=8))
            case "double":
                found[at:at] = found[at : at + draw(st.integers(1, 200))]
    return bytes(found)


def read(path: Path) -> None:
    """Read a file by every reader that its name leads to."""
    match path.suffix:
        case ".csv":
            x, y = read_points(str(path))
            assert x.shape == y.shape
            assert np.isfinite([x, y]).all()
        case ".npy" | ".npz":
            holds_weights(path)
            with contextlib.suppress(RunError):
                arrays = read_arrays(str(path))
                assert all(np.isfinite(array).all() for array in arrays.values())
            weights = read_given(str(path)).weights
            assert not ((weights < -0.01) | (weights > 1.01)).any()
        case _:
            session = read_document(path)
            assert session_from_json(session_to_json(session)) == session


@pytest.mark.parametrize("name", GOOD)
@given(data=st.data())
def test_that_a_damaged_file_is_legal_or_one_sentence_that_names_it(name: str, data: Any, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data.draw(mutated(GOOD[name]), label="content"))
    try:
        read(path)
    except (SpecError, RunError, PointsError) as error:
        sentence = str(error)
        assert str(path) in sentence
        assert len(sentence) < 3 * len(str(path)) + 900
        assert "Error" not in sentence


@pytest.mark.parametrize("name", GOOD)
def test_that_the_whole_file_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(GOOD[name])
    read(path)
    if path.suffix not in (".csv", ".npy", ".npz"):
        session = read_document(path)
        assert session.spec == (SESSION.spec if session.trained is None else session.trained.spec)


def test_that_a_file_that_shrinks_while_it_is_read_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from attnviz.engine import arrays_file

    path = tmp_path / "alone.npy"
    path.write_bytes(GOOD["alone.npy"])
    check = arrays_file.check_forms  # after what the file announces was looked at, and before it is read

    def shrinking(forms: Any) -> None:
        check(forms)
        path.write_bytes(GOOD["alone.npy"][:-20])

    monkeypatch.setattr(arrays_file, "check_forms", shrinking)
    with pytest.raises(RunError, match=r"alone\.npy"):
        read_given(str(path))


def test_that_a_json_text_says_where_it_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps({"inputs": {"kind": "ones", "valeus": 3}}))
    with pytest.raises(SpecError, match="there is no field 'valeus'; nearest: values"):
        read_document(path)
