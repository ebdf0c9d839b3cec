"""The studies of a training: they take no step that was taken, and each number is that of a model worked by hand."""

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from trainings import counted_steps, shown_at, state_of, train_run

from attnviz.attention.transformer import next_token_accuracy, next_token_loss
from attnviz.engine.run import run
from attnviz.engine.train.batches import HELD_OUT, draw_batch
from attnviz.engine.train.studies import SEQUENCES, chances_of
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import Failure
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import (
    HeadsInTurn,
    HeadsInTurnTrace,
    HeldOut,
    HeldOutTrace,
    RolesInTurn,
    RolesInTurnTrace,
    Study,
    TraceAt,
    TraceAtTrace,
    Writing,
    WritingTrace,
)


def result(study: Study, past: Any = None) -> Any:
    """Return the one result of a study beside a run."""
    (found,) = run(study, past=past)
    assert not isinstance(found, Failure), found.message
    return found


@pytest.mark.parametrize("step", [0, 8, 24])
def test_that_a_study_beside_a_run_takes_no_step_that_was_taken(step: int) -> None:
    going = train_run()
    spec = going.spec
    studies: list[Study] = [
        TraceAt(of=spec, step=step),
        HeldOut(of=spec, step=step),
        HeadsInTurn(of=spec.model_copy(update={"heads_off": ("1.2",)}), step=step),
        Writing(of=spec, step=step, prompt=("a",), count=3),
    ]
    for study in studies:
        with counted_steps() as taken:
            result(study, going)
        assert taken == []
    before = state_of(shown_at(going))
    assert before == state_of(shown_at(train_run())), "a study leaves the run as it was, with every head on"


def test_that_a_study_beyond_the_last_step_takes_the_steps_that_are_missing() -> None:
    going = train_run(to=5)
    with counted_steps() as taken:
        found = result(TraceAt(of=going.spec, step=7), going)
    assert taken == [5, 6]
    assert isinstance(found, TraceAtTrace)
    assert state_of(found.trace) == state_of(shown_at(train_run(), 7))
    assert shown_at(going).step == 5


def quality(going: Any, step: int, off: set[tuple[int, int]]) -> tuple[float, float]:
    """Return loss and accuracy on the held-out sequences, all at once, with W_o's columns of some heads 0."""
    spec = going.spec
    model, _ = going.model_at(step)
    kept = {name: values.clone() for name, values in model.state_dict().items()}
    size = spec.num_hiddens // spec.num_heads
    batch = draw_batch(spec.task.record, spec.knobs, SEQUENCES, spec.seed, HELD_OUT)
    with torch.no_grad():
        for layer, head in off:
            model.layers[layer].attention.W_o.weight[:, head * size : (head + 1) * size] = 0.0
        logits = model(batch.tokens)
        model.load_state_dict(kept)
    return next_token_loss(logits, *batch).item(), next_token_accuracy(logits, *batch).item()


def test_that_held_out_quality_and_effects_are_those_of_models_whose_output_matrix_has_no_such_head() -> None:
    going = train_run(heads_off=["2.1"])
    spec, step = going.spec, 20
    found, turns = result(HeldOut(of=spec, step=step), going), result(HeadsInTurn(of=spec, step=step), going)
    assert isinstance(found, HeldOutTrace)
    assert isinstance(turns, HeadsInTurnTrace)
    assert found.sequences == turns.sequences == SEQUENCES
    whole, shown = quality(going, step, set()), quality(going, step, {(1, 0)})
    assert (found.whole.loss, found.whole.accuracy) == pytest.approx(whole, rel=1e-6)
    assert (found.shown.loss, found.shown.accuracy) == pytest.approx(shown, rel=1e-6)
    assert turns.shown == found.shown
    places = int(draw_batch(spec.task.record, spec.knobs, SEQUENCES, spec.seed, HELD_OUT).counts.sum())
    for accuracy in (found.whole.accuracy, found.shown.accuracy, *turns.accuracy.flat):
        assert accuracy == round(accuracy * places) / places, "a count of places, not a sum of rounded means"
    for layer, head in np.ndindex(2, 2):
        expected = quality(going, step, {(1, 0), (layer, head)})
        assert (turns.loss[layer, head], turns.accuracy[layer, head]) == pytest.approx(expected, rel=1e-6)
    assert turns.effect[1, 0] == 0, "it is off already"
    np.testing.assert_array_equal(turns.effect, turns.shown.accuracy - turns.accuracy)


def test_that_roles_and_pairs_are_off_together_as_in_models_whose_output_matrix_has_no_such_heads() -> None:
    going = train_run(num_heads=4)
    study = RolesInTurn(of=going.spec, step=20)
    found, trace = result(study, going), shown_at(going, 20)
    assert isinstance(found, RolesInTurnTrace)
    named = {(layer, head): trace.role(layer, head) for layer, head in np.ndindex(2, 4)}
    of_roles = {each.role: each.heads for each in found.roles}
    assert of_roles == {
        role.name: tuple(place for place in named if named[place] is role)
        for role in going.spec.roles
        if role in named.values()
    }
    pairs = [
        (name, pair) for name, heads in of_roles.items() if len(heads) > 2 for pair in itertools.combinations(heads, 2)
    ]
    assert pairs
    assert [(each.role, each.heads) for each in found.pairs] == pairs
    for each in (*found.roles, *found.pairs[:4]):
        expected = quality(going, 20, set(each.heads))
        assert (each.quality.loss, each.quality.accuracy) == pytest.approx(expected, rel=1e-6)


def test_that_held_out_sequences_are_read_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from attnviz.attention.transformer import Transformer

    read: list[int] = []
    forward = Transformer.forward
    going = train_run(batch_size=16)
    monkeypatch.setattr(
        Transformer, "forward", lambda model, tokens: (read.append(len(tokens)), forward(model, tokens))[1]
    )
    result(HeldOut(of=going.spec, step=24), going)
    assert read == [16, 16, 16, 16]


# Writing


def test_that_writing_without_temperature_is_greedy_and_sees_what_the_context_holds() -> None:
    going = train_run()
    spec = going.spec
    found = result(Writing(of=spec, step=24, prompt=("c", "a"), count=20, temperature=0), going)
    assert isinstance(found, WritingTrace)
    numbers = list(found.prompt)
    assert numbers == [2, 0]
    model, _ = going.model_at(24)
    for each in found.written:
        assert each.seen == tuple(numbers[-spec.num_tokens :])
        with torch.no_grad():
            logits = model(torch.tensor([each.seen]))
        assert each.token == int(logits[0, -1].argmax())
        assert each.probability == 1.0
        numbers.append(each.token)
    assert len(found.written) == 20


@given(logits=st.lists(st.floats(-50, 50), min_size=2, max_size=6), temperature=st.floats(1e-300, 100))
def test_that_chances_are_the_softmax_of_the_logits_over_the_temperature(
    logits: list[float], temperature: float
) -> None:
    chances = chances_of(torch.tensor(logits, dtype=torch.float64), temperature).numpy()
    raised = [np.exp(max((each - max(logits)) / temperature, -800)) for each in logits]
    np.testing.assert_allclose(chances, np.array(raised) / sum(raised), atol=1e-12)


def test_that_tokens_are_drawn_as_often_as_their_chances_say_and_from_the_seed_alone() -> None:
    going = train_run(num_tokens=4, task={"kind": "repeat", "segment": 2}, vocab_size=3, steps=2)

    def written(**values: Any) -> Any:
        return result(Writing(of=going.spec, step=2, prompt=("a",), temperature=1.5, **values), going).written

    first = [written(count=1, seed=seed)[0].token for seed in range(300)]
    expected = chances_of(torch.tensor(logits_after(going, (0,))), 1.5).numpy()
    drawn = np.bincount(first, minlength=3) / 300
    np.testing.assert_allclose(drawn, expected, atol=0.1)
    same, again = written(count=30, seed=3), written(count=30, seed=3)
    assert [each.token for each in same] == [each.token for each in again]
    assert [each.token for each in same] != [each.token for each in written(count=30, seed=4)]
    for each in same:
        chances = chances_of(torch.tensor(logits_after(going, each.seen)), 1.5)
        assert each.probability == pytest.approx(float(chances[each.token]))


def logits_after(going: Any, seen: tuple[int, ...]) -> list[float]:
    model, _ = going.model_at(going.spec.steps)
    with torch.no_grad():
        return [float(each) for each in model(torch.tensor([seen]))[0, -1]]


def test_that_a_prompt_of_other_tokens_is_refused_with_the_token_and_the_nearest() -> None:
    spec = make_spec({"lab": "train", "task": {"kind": "text", "text": "to be or not to be, that is the question"}})
    assert isinstance(spec, TrainSpec)
    with pytest.raises(ValueError, match="token 2 of the prompt, 'Z', is not among the 14 that the model knows: "):
        Writing(of=spec, step=0, prompt=("t", "Z"))
    with pytest.raises(ValueError, match="at least 1"):
        Writing(of=spec, step=0, prompt=())


def test_that_a_study_that_is_stopped_has_no_result() -> None:
    going = train_run()
    for study in (
        HeadsInTurn(of=going.spec, step=24),
        RolesInTurn(of=going.spec, step=24),
        Writing(of=going.spec, step=24, prompt=("a",)),
        TraceAt(of=going.spec.model_copy(update={"seed": 9}), step=3),
    ):
        past = going if study.of.seed == going.spec.seed else None
        assert list(run(study, past=past, should_stop=lambda: True)) == []
