import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import FORMULAS, FUNCTIONS, SEEDS
from running import regression_trace, the_failure

from attnviz.engine.regression.samples import Samples, function_at, make_samples
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression import points
from attnviz.experiment.regression.data import MAX_POINTS, truth_line
from attnviz.experiment.regression.points import book_points
from attnviz.experiment.regression.spec import RegressionSpec


def samples(**data: Any) -> Samples:
    spec = make_spec({"lab": "regression", "data": data})
    assert isinstance(spec, RegressionSpec)
    return make_samples(spec)


def function(name: Any, x: np.ndarray[Any, Any], formula: str = "") -> np.ndarray[Any, Any]:
    return function_at(torch.tensor(x), name, formula).numpy()


@pytest.fixture
def csv(tmp_path: Path) -> Any:
    """Write text, or bytes as they are, into a CSV file and return its path."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "mine.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def test_that_the_books_points_are_its_fifty_with_their_mean() -> None:
    book = samples(kind="book")
    assert len(book.x_train) == len(book.y_train) == 50
    assert (book.x_train[0], book.y_train[-1]) == (0.175, 1.4659)
    assert round(float(book.y_train.mean()), 4) == 2.2875
    assert (np.diff(book.x_train) > 0).all()


@given(seed=SEEDS, count=st.integers(1, 200), name=st.sampled_from(FUNCTIONS))
def test_that_synthetic_inputs_are_sorted_in_0_to_5_and_without_noise_lie_on_the_function(
    seed: int, count: int, name: Any
) -> None:
    made = samples(kind="synthetic", function=name, n_train=count, noise=0, seed=seed)
    assert len(made.x_train) == count
    assert (np.diff(made.x_train) >= 0).all()
    assert ((made.x_train >= 0) & (made.x_train < 5)).all()
    np.testing.assert_array_equal(made.y_train, function(name, made.x_train))
    np.testing.assert_array_equal(made.y_truth, function(name, made.x_test))


def test_that_noise_is_normal_of_the_given_size_and_grows_in_place() -> None:
    quiet, loud = (samples(kind="synthetic", n_train=5000, noise=noise, seed=3) for noise in (0.5, 1.0))
    np.testing.assert_array_equal(quiet.x_train, loud.x_train)
    noise = quiet.y_train - function("book", quiet.x_train)
    assert abs(noise.mean()) < 0.03
    assert abs(noise.std() - 0.5) < 0.02
    np.testing.assert_allclose(loud.y_train - function("book", loud.x_train), 2 * noise, atol=1e-12)


def test_that_synthetic_points_hang_on_their_own_seed_and_not_on_that_of_the_training() -> None:
    data = {"kind": "synthetic", "seed": 4}
    first, same = (regression_trace(data=data, seed=seed).y_train for seed in (1, 2))
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, regression_trace(data={**data, "seed": 5}).y_train)


def test_that_points_of_the_spec_are_taken_as_they_are_in_the_order_of_x() -> None:
    made = samples(kind="points", x=[3, 1.5, 1.5, -2, 1.5], y=[0, -1, 1e100, 5, -7])
    assert made.x_train.tolist() == [-2, 1.5, 1.5, 1.5, 3]
    assert made.y_train.tolist() == [5, -1, 1e100, -7, 0]  # those at one place stay in the order they came in
    assert np.isnan(made.y_truth).all()


@given(name=st.sampled_from([*FUNCTIONS, "formula"]), formula=st.sampled_from(FORMULAS))
def test_that_points_of_the_spec_keep_the_truth_they_were_drawn_from(name: Any, formula: str) -> None:
    made = samples(kind="points", x=[4, 1], y=[2, -1], function=name, formula=formula)
    np.testing.assert_array_equal(made.y_truth, function(name, made.x_test, formula))
    assert (made.x_train.tolist(), made.y_train.tolist()) == ([1, 4], [-1, 2])


@pytest.mark.parametrize(
    ("formula", "worked_out"),
    [
        ("2*sin(x) + x^0.8", lambda x: 2 * np.sin(x) + x**0.8),
        ("3 - x/2", lambda x: 3 - x / 2),
        ("exp(-x)*cos(5*x)", lambda x: np.exp(-x) * np.cos(5 * x)),
    ],
)
def test_that_samples_and_truth_of_a_formula_follow_it(formula: str, worked_out: Any) -> None:
    data = {"kind": "synthetic", "function": "formula", "formula": formula, "seed": 2}
    still, noisy = (samples(**data, noise=noise) for noise in (0, 0.25))
    np.testing.assert_allclose(still.y_train, worked_out(still.x_train), rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(still.y_truth, worked_out(still.x_test), rtol=1e-14, atol=1e-14)
    np.testing.assert_array_equal(noisy.x_train, still.x_train)
    assert 0.15 < (noisy.y_train - still.y_train).std() < 0.35


def test_that_a_formula_draws_the_same_points_as_the_named_function_it_spells() -> None:
    named, spelt = (
        samples(kind="synthetic", function=function, formula="2*sin(x) + x", seed=8)
        for function in ("sine_plus_x", "formula")
    )
    np.testing.assert_array_equal(named.x_train, spelt.x_train)
    np.testing.assert_allclose(named.y_train, spelt.y_train, rtol=1e-14)


@pytest.mark.parametrize(
    ("formula", "value"), [("log(x - 2.5)", "nan"), ("5e200 + x", "5e+200"), ("1/(step(x - 2.5) - 1)", "inf")]
)
def test_that_a_formula_which_is_no_number_at_a_training_input_is_a_failure_that_names_the_input(
    formula: str, value: str
) -> None:
    data = {"kind": "synthetic", "function": "formula", "formula": formula, "n_train": 9}
    failure = the_failure(lab="regression", data=data)
    assert failure.code == "formula_not_finite"
    x = failure.numbers["x"]
    assert 0 <= x < 5
    assert f"formula '{formula}' is " in failure.message
    assert f"{value}" in failure.message
    assert failure.message.endswith(f" at x = {x:.4g}; it must be a number of at most 1e+100 in size there")
    assert not abs(function("formula", np.array([x]), formula)[0]) <= 1e100


def test_that_a_formula_may_be_no_number_at_a_query_and_the_truth_is_not_known_there() -> None:
    data = {"kind": "synthetic", "function": "formula", "formula": "1/x + 0*log(x)", "n_train": 9}
    trace = regression_trace(data=data, x_test={"start": -1, "stop": 3, "step": 1})
    np.testing.assert_array_equal(trace.y_truth, [np.nan, np.nan, 1.0, 0.5])  # log(-1), 1/0, 1/1 and 1/2
    assert np.isfinite(trace.error_to_truth)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"x,y\n1,2\n3,oops\n", "bad_row"),
        (b"x,y\n1,2\n1,nan\n", "bad_row"),
        (b"0.5,oops\n3,4\n", "bad_row"),
        (b"x,y\n", "no_points"),
        (b"1,2\n" * (MAX_POINTS + 1), "too_many_points"),
        (b"\xff\xfex\0,", "unreadable"),
        (b"1," + b"9" * 200_000, "bad_row"),
    ],
    ids=["words", "nan", "no header", "none", "many", "utf-16", "long cell"],
)
def test_that_a_file_which_holds_no_points_is_a_failure_with_the_readers_own_words(
    csv: Any, content: bytes, code: str
) -> None:
    path = csv(content)
    with pytest.raises(points.PointsError) as refused:
        points.read_points(path)
    failure = the_failure(lab="regression", data={"kind": "file", "path": path})
    assert failure.code == refused.value.code == code
    assert failure.message == str(refused.value)
    assert failure.numbers == refused.value.numbers
    assert "mine.csv" in failure.message
    assert len(failure.message) < len(path) + 200


@pytest.mark.parametrize(
    ("path", "said"), [("", "choose a CSV file"), ("missing.csv", "cannot be read"), (".", "cannot")]
)
def test_that_a_path_which_leads_to_no_file_is_a_failure_with_a_sentence(path: str, said: str, tmp_path: Path) -> None:
    failure = the_failure(lab="regression", data={"kind": "file", "path": path and str(tmp_path / path)})
    assert failure.code in {"no_file", "unreadable"}
    assert said in failure.message
    assert path.strip(".") in failure.message


def test_that_the_points_of_a_file_are_the_traces_and_the_truth_is_not_known(csv: Any) -> None:
    trace = regression_trace(data={"kind": "file", "path": csv("\n\nx;y\n3,0;4\n1;2\n")})
    assert (trace.x_train.tolist(), trace.y_train.tolist()) == ([1, 3], [2, 4])
    assert np.isnan(trace.y_truth).all()
    assert np.isfinite(trace.y_hat).all()


def test_that_a_file_is_read_anew_by_every_run(csv: Any) -> None:
    data = {"kind": "file", "path": csv("1,2\n")}
    assert regression_trace(data=data).y_hat[0] == 2
    csv("1,5\n")
    assert regression_trace(data=data).y_hat[0] == 5


def test_that_nobody_can_change_the_books_points_for_later_runs() -> None:
    assert not samples(kind="book").x_train.flags.writeable
    assert not any(each.flags.writeable for each in book_points())


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
        file.truncate(points.MOST_BYTES + 1)
    assert the_failure(lab="regression", data={"kind": "file", "path": str(path)}).code == "too_large"


@given(name=st.sampled_from(FUNCTIONS), step=st.sampled_from([0.01, 0.3, 2.0]))
def test_that_the_line_of_the_truth_is_smooth_and_passes_through_the_truth_at_every_query(
    name: Any, step: float
) -> None:
    spec = RegressionSpec.model_validate(
        {"data": {"kind": "synthetic", "function": name}, "x_test": {"stop": 5, "step": step}}
    )
    made = make_samples(spec)
    x, y = truth_line(spec.data, made.x_test)
    assert (x[0], x[-1]) == (made.x_test[0], made.x_test[-1])
    np.testing.assert_allclose(y[np.searchsorted(x, made.x_test)], made.y_truth, rtol=1e-12, atol=1e-12)
    straight = np.interp(x, x[::2], y[::2])  # without every other point it is nearly the same, but at a jump
    assert np.sum(np.abs(straight - y) > 0.02) <= 1
