"""``attnviz run`` and ``export`` of a session with its trained model: only what is left of the training is run."""

from pathlib import Path

import numpy as np
import pytest
from calling import attnviz
from trainings import counted_steps, train_run, train_spec

from attnviz.experiment.files.session import Session
from attnviz.experiment.run import Cursor
from attnviz.export.document import read_document, write_session


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A session with the model after 10 of 24 steps."""
    path = tmp_path / "trained.attnviz"
    write_session(Session(spec=train_spec()).with_trained(train_run(to=10).carried(Cursor())), path)
    return path


def test_that_a_run_takes_only_the_steps_that_are_left_and_its_numbers_are_those_of_the_whole_training(
    saved: Path, tmp_path: Path
) -> None:
    with counted_steps() as taken:
        assert attnviz("run", str(saved), "-o", str(tmp_path / "x.npz")).code == 0
        assert taken == list(range(10, 24))
    truth = train_run().at(Cursor()).arrays()
    with np.load(tmp_path / "x.npz") as found:
        assert set(truth) <= set(found.files)
        for name, values in truth.items():
            np.testing.assert_array_equal(found[name], values)


def test_that_a_model_of_another_spec_is_left_out_and_said(saved: Path, tmp_path: Path) -> None:
    session = read_document(saved)
    write_session(session.model_copy(update={"spec": train_spec(seed=4)}), saved)
    with counted_steps() as taken:
        said = attnviz("run", str(saved))
        assert taken == list(range(24))
    assert said.code == 0
    assert f"{saved}: the trained model in it is of another spec and was left out" in said.err


def test_that_a_broken_model_is_refused_in_one_line(saved: Path) -> None:
    saved.write_text(saved.read_text().replace('"values": "', '"values": "####'))
    assert attnviz("run", str(saved)).is_one_line(2, str(saved), "in trained: values cannot be unpacked")


def test_that_exported_numbers_go_on_from_it_and_an_exported_picture_carries_none(saved: Path, tmp_path: Path) -> None:
    with counted_steps() as taken:
        said = attnviz("export", str(saved), "-o", str(tmp_path / "x.npz"), "-o", str(tmp_path / "x.png"))
        assert said.code == 0, said
        assert taken == list(range(10, 24))
    assert read_document(tmp_path / "x.png").trained is None
