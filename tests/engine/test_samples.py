import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_specs import SEEDS
from running import regression_trace, the_failure

from attnviz.engine import samples as module
from attnviz.engine.errors import RunError
from attnviz.engine.samples import Samples, make_samples, read_points
from attnviz.experiment.functions import evaluate
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression import MAX_POINTS, RegressionSpec

FUNCTIONS = ["book", "sine_plus_x", "step", "chirp", "sinc"]


def samples(**data: Any) -> Samples:
    spec = make_spec({"lab": "regression", "data": data})
    assert isinstance(spec, RegressionSpec)
    return make_samples(spec)


@pytest.fixture
def csv(tmp_path: Path) -> Any:
    """Write text, or bytes as they are, into a CSV file and return its path."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "mine.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def refused(path: str) -> RunError:
    with pytest.raises(RunError) as caught:
        read_points(path)
    assert len(str(caught.value)) < len(path) + 200
    return caught.value


def test_that_the_books_points_are_its_fifty_with_their_mean() -> None:
    book = samples(kind="book")
    assert len(book.x_train) == len(book.y_train) == 50
    assert (book.x_train[0], book.y_train[-1]) == (0.175, 1.4659)
    assert round(float(book.y_train.mean()), 4) == 2.2875
    assert (np.diff(book.x_train) > 0).all()


@given(seed=SEEDS, count=st.integers(1, 200), function=st.sampled_from(FUNCTIONS))
@settings(max_examples=40, deadline=None)
def test_that_synthetic_inputs_are_sorted_in_0_to_5_and_without_noise_lie_on_the_function(
    seed: int, count: int, function: Any
) -> None:
    made = samples(kind="synthetic", function=function, n_train=count, noise=0, seed=seed)
    assert len(made.x_train) == count
    assert (np.diff(made.x_train) >= 0).all()
    assert ((made.x_train >= 0) & (made.x_train < 5)).all()
    np.testing.assert_array_equal(made.y_train, evaluate(function, made.x_train))
    np.testing.assert_array_equal(made.y_truth, evaluate(function, made.x_test))


def test_that_noise_is_normal_of_the_given_size_and_grows_in_place() -> None:
    quiet, loud = (samples(kind="synthetic", n_train=5000, noise=noise, seed=3) for noise in (0.5, 1.0))
    np.testing.assert_array_equal(quiet.x_train, loud.x_train)
    noise = quiet.y_train - evaluate("book", quiet.x_train)
    assert abs(noise.mean()) < 0.03
    assert abs(noise.std() - 0.5) < 0.02
    np.testing.assert_allclose(loud.y_train - evaluate("book", loud.x_train), 2 * noise, atol=1e-12)


def test_that_synthetic_points_hang_on_their_own_seed_and_not_on_that_of_the_training() -> None:
    data = {"kind": "synthetic", "seed": 4}
    first, same = (regression_trace(data=data, seed=seed).y_train for seed in (1, 2))
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, regression_trace(data={**data, "seed": 5}).y_train)


def test_that_points_of_the_spec_are_taken_as_they_are_and_their_truth_is_not_known() -> None:
    made = samples(kind="points", x=[3, 1.5, 1.5], y=[0, -1, 1e100])
    assert made.x_train.tolist() == [3, 1.5, 1.5]
    assert made.y_train.tolist() == [0, -1, 1e100]
    assert np.isnan(made.y_truth).all()


@pytest.mark.parametrize(
    "content",
    [
        "1,2\n3,4\n",
        "x,y\n1,2\n3,4",
        "\ufeffx,y\r\n1,2\r\n3,4\r\n",
        "\ufeff1,2\n3,4\n",
        "x,y\n\n1,2\n   \n3,4\n\n\n",
        ' 1 , 2\n"3","4"\n',
        "x,y\r1,2\r3,4",
        "the input,the output (°C)\n1e0,2.0\n+3,4\n",
    ],
    ids=repr,
)
def test_that_two_columns_are_read_with_or_without_header_mark_and_blank_lines(csv: Any, content: str) -> None:
    x, y = read_points(csv(content))
    assert (x.tolist(), y.tolist()) == ([1, 3], [2, 4])
    assert x.dtype == np.float64


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("x,y\n1,2\n3,oops\n", 3, "'3,oops' is not two finite numbers"),
        ("x,y\n1,nan\n", 2, "'1,nan' is not two finite numbers"),
        ("x,y\n1,2\ninf,2\n", 3, "'inf,2' is not two finite numbers"),
        ("1,2\n1,1e999\n", 2, "'1,1e999' is not two finite numbers"),
        ("x,y\n1,2,3\n", 2, "'1,2,3' is not two finite numbers"),
        ("1,2\n5\n", 2, "'5' is not two finite numbers"),
        ("x;y\n1;2\n", 2, "'1;2' is not two finite numbers"),
        ("x,y\n1,2\n\n\n,\n3,4\na,b\n", 7, "'a,b' is not two finite numbers"),
        ("x,y\n" + "a" * 5000 + ",1\n", 2, "'" + "a" * 60 + "' is not two finite numbers"),
        ("1,2\n\0,3\n", 2, "is not two finite numbers"),
    ],
    ids=range(10),
)
def test_that_a_bad_line_is_named_by_its_number(csv: Any, content: str, line: int, said: str) -> None:
    error = refused(csv(content))
    assert error.code == "bad_row"
    assert f"mine.csv, line {line}: " in str(error)
    assert said in str(error)


@pytest.mark.parametrize("content", ["", "\n\n", "x,y\n", "\ufeff"])
def test_that_a_file_without_points_is_refused(csv: Any, content: str) -> None:
    error = refused(csv(content))
    assert error.code == "no_points"
    assert str(error).endswith("mine.csv holds no points")


def test_that_as_many_points_as_allowed_are_read_and_one_more_is_refused(csv: Any) -> None:
    assert len(read_points(csv("1,2\n" * MAX_POINTS))[0]) == MAX_POINTS
    error = refused(csv("1,2\n" * (MAX_POINTS + 1)))
    assert error.code == "too_many_points"
    assert f"more than {MAX_POINTS} points" in str(error)


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfex\0,\0y\0", b"\x89PNG\r\n\x1a\n\xff", b"1," + b"9" * 200_000],
    ids=["utf-16", "png", "long cell"],
)
def test_that_a_file_which_is_no_text_table_is_refused_by_name(csv: Any, content: bytes) -> None:
    error = refused(csv(content))
    assert error.code == "unreadable"
    assert "mine.csv is not a CSV text file: " in str(error)


@pytest.mark.parametrize(
    ("path", "said"), [("", "choose a CSV file"), ("missing.csv", "cannot be read"), (".", "cannot")]
)
def test_that_a_path_which_leads_to_no_file_is_a_failure_with_a_sentence(path: str, said: str, tmp_path: Path) -> None:
    failure = the_failure(lab="regression", data={"kind": "file", "path": path and str(tmp_path / path)})
    assert failure.code in {"no_file", "unreadable"}
    assert said in failure.message
    assert path.strip(".") in failure.message


def test_that_the_points_of_a_file_are_the_traces_and_the_truth_is_not_known(csv: Any) -> None:
    trace = regression_trace(data={"kind": "file", "path": csv("x,y\n1,2\n3,4\n")})
    assert (trace.x_train.tolist(), trace.y_train.tolist()) == ([1, 3], [2, 4])
    assert np.isnan(trace.y_truth).all()
    assert np.isfinite(trace.y_hat).all()


def test_that_a_file_is_read_anew_by_every_run(csv: Any) -> None:
    data = {"kind": "file", "path": csv("1,2\n")}
    assert regression_trace(data=data).y_hat[0] == 2
    csv("1,5\n")
    assert regression_trace(data=data).y_hat[0] == 5


@pytest.mark.parametrize("first", ["1,nan", "0.5,oops", "1,2,3", "1;2", "1e400,2"])
def test_that_a_first_line_which_holds_a_number_is_no_header(csv: Any, first: str) -> None:
    assert refused(csv(f"{first}\n3,4\n")).code == "bad_row"


def test_that_blank_lines_may_stand_before_the_header(csv: Any) -> None:
    assert read_points(csv("\n\nx,y\n1,2\n"))[0].tolist() == [1]


def test_that_nobody_can_change_the_books_points_for_later_runs() -> None:
    module._book_points.cache_clear()  # a run locks the arrays that all runs share
    assert not samples(kind="book").x_train.flags.writeable


def test_that_a_path_with_a_nul_is_told_with_the_path() -> None:
    assert the_failure(lab="regression", data={"kind": "file", "path": "a\0b.csv"}).code == "unreadable"


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_that_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    worker = threading.Thread(
        target=the_failure, kwargs={"lab": "regression", "data": {"kind": "file", "path": str(pipe)}}
    )
    worker.start()
    worker.join(0.5)
    waits = worker.is_alive()
    if waits:
        pipe.write_text("")  # lets the worker go
        worker.join()
    assert not waits


def test_that_a_file_far_larger_than_its_points_could_be_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "endless.csv"
    with path.open("wb") as file:
        file.truncate(module.MAX_BYTES + 1)
    assert the_failure(lab="regression", data={"kind": "file", "path": str(path)}).code == "too_large"
