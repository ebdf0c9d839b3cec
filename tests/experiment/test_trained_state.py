"""Trained models in sessions: what goes in comes out, what is wrong is refused by its name, and nothing is inflated."""

import base64
import json
import tracemalloc
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainings import SMALL, train_run, train_spec

from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.run import Cursor
from attnviz.experiment.train.trained import MOST_BYTES, TrainedState, parameter_count, state_bytes

STEP = 10


def trained(shown: int | None = None, **values: Any) -> TrainedState:
    """Return what a session carries of a small training after ten steps."""
    found = train_run(to=STEP, **values).carried(Cursor(step=shown))
    assert found is not None
    return found


@cache
def kept() -> TrainedState:
    """Return the states after 4 and 10 steps."""
    return trained(shown=4)


@pytest.fixture(scope="module")
def state() -> TrainedState:
    """The states after 4 and 10 steps."""
    return kept()


def packed(array: Any, dtype: str = "<f8") -> str:
    return base64.b64encode(zlib.compress(np.asarray(array, dtype).tobytes())).decode()


def document(state: TrainedState, change: Callable[[dict[str, Any]], None] = lambda _: None) -> str:
    """Return a session as JSON whose trained model was changed."""
    values = json.loads(session_to_json(Session(spec=train_spec()).with_trained(state)))
    change(values["trained"])
    return json.dumps(values)


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam", "adamw"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_that_a_trained_model_is_read_back_bit_for_bit(optimizer: str, dtype: str) -> None:
    state = trained(shown=4, optimizer=optimizer, dtype=dtype)
    assert (state.step, state.steps) == (STEP, (4, STEP))
    session = Session(spec=train_spec(optimizer=optimizer, dtype=dtype), notes="é").with_trained(state)
    text = session_to_json(session)
    assert text.isascii()
    read = session_from_json(text)
    assert read == session
    assert read.fitting == state
    truth = train_run(to=STEP, optimizer=optimizer, dtype=dtype).at(Cursor()).history
    for name in ("roles", "role_lowest", "role_distances"):
        np.testing.assert_array_equal(getattr(state.history, name), getattr(truth, name))


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"feed_forward": True},
        {"norm": False},
        {"norm": False, "feed_forward": True, "num_layers": 3},
        {"tied_embedding": True, "positions": "learned"},
        {"positions": "sinusoidal", "optimizer": "sgd"},
        {"positions": "alibi", "optimizer": "momentum", "dtype": "float64"},
    ],
)
def test_that_the_size_of_a_state_follows_from_its_spec(values: dict[str, Any]) -> None:
    run = train_run(to=2, **values)
    assert run.training is not None
    spec, (branch,) = train_spec(**values), run.training.branches
    assert sum(each.size for each in run.at(Cursor()).parameters.values()) == parameter_count(spec)
    for kept in run.training.carried(branch, [2]).states():
        assert kept[1].nbytes == state_bytes(spec)


def test_that_a_session_without_a_model_is_what_it_was_and_one_with_it_is_of_the_next_format(
    state: TrainedState,
) -> None:
    plain = Session(spec=train_spec(), notes="x")
    values = json.loads(session_to_json(plain))
    assert list(values) == ["format", "spec", "view", "pinned", "notes"]
    assert values["format"] == 1
    carrying = plain.with_trained(state)
    assert json.loads(session_to_json(carrying)) == values | {"format": 4, "trained": state.to_json()}
    assert session_to_json(carrying.with_trained(None)) == session_to_json(plain)
    assert session_from_json(json.dumps(values | {"format": 2})) == plain


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"steps": 400, "heads_off": ["1.1"], "probe": ["a", "b"]}, True),
        ({"steps": 5}, True),
        ({"device": "cuda:0"}, True),
        ({"changes": [{"step": STEP, "learning_rate": 1.0}]}, True),
        ({"changes": [{"step": STEP - 1, "learning_rate": 1.0}]}, False),
        ({"learning_rate": 0.5}, False),
        ({"seed": 1}, False),
        ({"num_layers": 1}, False),
        ({"dtype": "float64"}, False),
        ({"task": {"kind": "repeat", "segment": 2}}, False),
        ({"lab": "attention"}, False),
    ],
)
def test_that_a_model_is_one_of_every_spec_that_takes_the_same_steps_and_of_no_other(
    state: TrainedState, change: dict[str, Any], fits: bool
) -> None:
    spec = make_spec({"lab": "attention"}) if "lab" in change else train_spec(**change)
    session = session_from_json(session_to_json(Session(spec=spec).with_trained(state)))
    assert (session.fitting == state) == fits
    assert bool(session.misfit) != fits
    assert session.trained == state


def _with(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda trained: trained.update(values)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_with(values="x"), "values cannot be unpacked"),
        (_with(values="é" * 8), "values cannot be unpacked"),
        (_with(values=base64.b64encode(b"nothing").decode()), "values cannot be unpacked"),
        (_with(values=None), "values None must be text"),
        (lambda trained: trained.update(values=trained["values"][:-8]), "values must unpack to"),
        (lambda trained: trained.update(values=trained["values"][:-3]), "values cannot be unpacked"),
        (_with(values=packed(np.zeros(5))), "values must unpack to"),
        (_with(loss=packed(np.zeros(STEP + 1))), "loss must unpack to 80 bytes"),
        (_with(loss=packed([np.nan] * STEP)), "loss holds a number that is not finite"),
        (_with(loss=packed([np.inf] * STEP)), "loss holds a number that is not finite"),
        (_with(loss=packed([-1.0] * STEP)), "loss holds a cross-entropy of -1; it must be at least 0"),
        (_with(accuracy=packed([1.5] * STEP)), "accuracy holds a number that is not from 0 to 1"),
        (_with(accuracy=packed([np.nan] * STEP)), "accuracy holds a number that is not from 0 to 1"),
        (_with(roles=packed([0.5])), "roles must unpack to"),
        (_with(role_steps=[4, 2]), "role_steps must be increasing whole numbers from 0 to 10, not 2"),
        (_with(role_steps=[0, 11]), "not 11"),
        (_with(role_steps=[True]), "not True"),
        (_with(role_steps=[10**400]), "role_steps"),
        (_with(role_steps="0"), "role_steps '0' must be a list"),
        (_with(role_names=["x"] * 17), "role_names"),
        (_with(role_names=[3]), "role_names"),
        (_with(role_names=["uniform"] * 6), "must name each role once"),
        (_with(role_lowest=None), "role_lowest None must be text"),
        (lambda trained: trained.pop("role_distances"), "role_distances None must be text"),
        (_with(role_distances=packed(np.full(12, 8.0))), "role_distances holds a number that is no distance"),
        (_with(role_distances=packed(np.full(12, 1.5))), "role_distances holds a number that is no distance"),
        (_with(steps=[]), "must end with 10"),
        (_with(steps=[4]), "must end with 10"),
        (_with(steps=[0, 10]), "from 1 to 10"),
        (_with(steps=[10, 10]), "increasing"),
        (_with(steps=[2, 4, 10]), "at most 2"),
        (_with(steps=[10]), "values"),
        (_with(step=10), "there is no field 'step'; nearest: steps"),
        (_with(spec=None), "trained.spec None must be an object"),
        (_with(spec={"lab": "attention"}), "trained.spec must be a spec of a lab that trains a model: train"),
        (_with(spec=SMALL | {"num_heads": 3}), "in trained.spec: "),
        (_with(spec=SMALL | {"steps": STEP, "num_hiddens": 16}), "values must unpack to"),
        (lambda trained: trained.pop("loss"), "loss None"),
    ],
)
def test_that_what_is_wrong_in_a_model_is_a_short_sentence_that_names_the_place(
    state: TrainedState, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    with pytest.raises(SpecError) as caught:
        session_from_json(document(state, change))
    sentence = str(caught.value)
    assert "trained" in sentence
    assert words in sentence
    assert len(sentence) < 300


def test_that_a_share_of_minus_0_is_none(state: TrainedState) -> None:
    text = document(state, lambda values: values.update(accuracy=packed([-0.0] * STEP)))
    read = session_from_json(text).trained
    assert isinstance(read, TrainedState)
    assert not np.signbit(read.history.accuracy).any()


@pytest.mark.parametrize(
    ("place", "bad", "words"),
    [
        (-1, -1e-30, "values holds a mean of squares of -1e-30; it must be at least 0"),
        *((7, bad, "values holds a number that is not finite") for bad in (np.nan, np.inf, -np.inf)),
    ],
)
def test_that_states_that_no_training_has_are_refused(state: TrainedState, place: int, bad: float, words: str) -> None:
    numbers = np.frombuffer(state.values, np.float32).copy()
    numbers[place] = bad
    with pytest.raises(SpecError, match=words):
        session_from_json(document(state, _with(values=packed(numbers, "<f4"))))


@pytest.mark.parametrize("trained", [3, [], "x", True])
def test_that_a_model_that_is_no_object_is_refused(trained: Any) -> None:
    with pytest.raises(SpecError, match=r"trained .* must be an object"):
        session_from_json(json.dumps({"format": 2, "spec": SMALL, "trained": trained}))


def test_that_nothing_is_unpacked_beyond_what_the_spec_has(state: TrainedState) -> None:
    bomb = base64.b64encode(zlib.compress(bytes(80 << 20), 9)).decode()
    texts = [document(state, _with(**{name: bomb})) for name in ("values", "loss", "roles")]
    tracemalloc.start()
    try:
        for text in texts:
            with pytest.raises(SpecError, match=r"must unpack to|is longer than"):
                session_from_json(text)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()
    large = {"num_layers": 6, "num_hiddens": 256, "dtype": "float64", "feed_forward": True, "steps": STEP}
    assert state_bytes(train_spec(**large)) > MOST_BYTES
    with pytest.raises(SpecError, match=r"values would take 10. MiB, and at most 64 MiB are read"):
        session_from_json(document(state, _with(spec=SMALL | large, steps=[STEP])))


def test_that_roles_are_read_by_their_names(state: TrainedState) -> None:
    def other_order(values: dict[str, Any]) -> None:
        roles = state.history.roles.reshape(-1, len(values["role_names"]))
        lowest = state.history.role_lowest.reshape(roles.shape)
        values["roles"], values["role_lowest"] = (packed(each[:, ::-1][:, :-1]) for each in (roles, lowest))
        values["role_names"] = ["a role to come", *values["role_names"][::-1][1:-1]]

    read = session_from_json(document(state, other_order)).trained
    assert isinstance(read, TrainedState)
    found, truth = read.history.roles, state.history.roles
    np.testing.assert_array_equal(found[..., 1:-1], truth[..., 1:-1])
    assert np.isnan(found[..., [0, -1]]).all()


def test_that_a_session_of_an_older_version_has_its_roles_as_measured_on_its_probe_and_is_saved_as_it_was(
    state: TrainedState,
) -> None:
    def older(values: dict[str, Any]) -> None:
        values["roles"] = packed(state.history.roles[..., :-1])
        values["role_names"] = values["role_names"][:-1]
        del values["role_lowest"], values["role_distances"]

    read = session_from_json(document(state, older).replace('"format": 4', '"format": 2'))
    assert isinstance(read.trained, TrainedState)
    history = read.trained.history
    assert history.on_probe
    assert not state.history.on_probe
    np.testing.assert_array_equal(history.roles[..., :-1], state.history.roles[..., :-1])
    assert np.isnan(history.roles[..., -1]).all()
    assert json.loads(session_to_json(read.with_trained(read.trained)))["format"] == 2
    assert session_from_json(session_to_json(read)) == read


@given(st.data())
def test_that_any_flipped_byte_of_a_packed_array_is_refused_or_leaves_a_model_of_numbers(data: Any) -> None:
    state = kept()
    text = bytearray(state.to_json()["values"], "ascii")
    text[data.draw(st.integers(0, len(text) - 1))] ^= 1 << data.draw(st.integers(0, 6))
    try:
        read = session_from_json(document(state, _with(values=text.decode("ascii")))).trained
    except SpecError as error:
        assert "trained: values" in str(error)  # noqa: PT017
    else:
        assert read == state
