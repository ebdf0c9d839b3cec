"""The batches of a training, and that a small transformer learns from them what it is known to learn."""

import random
from zlib import crc32

import pytest
import torch

from attnviz.attention.descent import Descent, clip_gradients
from attnviz.attention.transformer import Transformer, next_token_accuracy, next_token_loss
from attnviz.definitions.tasks import TASKS
from attnviz.definitions.tasks.task import Task
from attnviz.engine.train.batches import HELD_OUT, draw_batch, generator_of, integers_from
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.train.spec import TrainSpec

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)


@every_task
def test_that_a_batch_is_drawn_from_its_seed_and_step_alone(task: Task) -> None:
    knobs = task.default_knobs
    state = torch.get_rng_state()
    steps = [3, HELD_OUT, 0, 3, 19_999]
    drawn = [draw_batch(task, knobs, 5, seed, step) for seed in (0, 1) for step in steps]
    assert torch.equal(torch.get_rng_state(), state), "the global generator is left alone"
    assert all(batch.tokens.shape == batch.counts.shape == (5, knobs["num_tokens"]) for batch in drawn)
    assert torch.equal(drawn[0].tokens, drawn[3].tokens)
    assert torch.equal(drawn[0].counts, drawn[3].counts)
    different = [batch.tokens for place, batch in enumerate(drawn) if place % 5 != 3]
    assert len({tuple(tokens.flatten().tolist()) for tokens in different}) == 8


@every_task
def test_that_a_batch_holds_the_sequences_of_its_task_one_by_one(task: Task) -> None:
    knobs = task.default_knobs
    numbers = iter(torch.randint(2**62, (4096,), generator=generator_of(7, 5)).tolist())
    batch = draw_batch(task, knobs, 3, 7, 5)
    for tokens, counts in zip(batch.tokens.tolist(), batch.counts.tolist(), strict=True):
        assert tokens == list(task.draw(knobs, lambda low, high: low + next(numbers) % (high - low)))
        assert counts == list(task.counts(knobs, tokens))


DRAWN_SO_FAR = {
    "repeat": (2416237798, 1420727231, 2722791857, 1261117754),
    "copy": (91633737, 3590522701, 2164039604, 3736598347),
    "reverse": (3831452958, 996368676, 2981428286, 1117470852),
    "sort": (282225396, 2506048552, 4032599367, 3370683185),
    "add": (3422085588, 1004112946, 1841886023, 2413043469),
    "text": (2412967394, 2034715880, 373114287, 144114776),
}
"""Checksums of batches of steps 0 and 7, of that of a test, and of the probe, as earlier versions have drawn them."""


@every_task
def test_that_where_nothing_is_held_out_all_is_drawn_as_in_stored_trainings(task: Task) -> None:
    knobs = task.default_knobs
    drawn = [crc32(draw_batch(task, knobs, 8, 3, step).tokens.numpy().tobytes()) for step in (0, 7, HELD_OUT)]
    assert (*drawn, crc32(bytes(task.probe(knobs)))) == DRAWN_SO_FAR[task.name]


DIVIDED = {name: each.spec for name, each in presets().items() if getattr(each.spec, "held_out", 0)}


@pytest.mark.parametrize("spec", DIVIDED.values(), ids=DIVIDED)
def test_that_no_step_of_a_preset_draws_its_probe_or_a_sequence_that_is_held_out(spec: TrainSpec) -> None:
    task, knobs = spec.task.record, spec.knobs

    def sequences(step: int) -> set[tuple[int, ...]]:
        drawn = draw_batch(task, knobs, spec.batch_size, spec.seed, step)
        return set(map(tuple, drawn.tokens.tolist()))

    learned = set().union(*map(sequences, range(spec.steps)))
    tested = sequences(HELD_OUT) | {spec.probe_tokens}
    assert len(tested) > 10
    assert not tested & learned
    if spec.task.kind == "add":
        turned = {(*tokens[3:5], 10, *tokens[:2], *tokens[5:]) for tokens in tested}
        assert not turned & learned, "the sum of the same two numbers in the other order"
    if spec.task.kind == "text":
        text, alphabet = knobs["text"], spec.alphabet
        begins = {text.find("".join(alphabet[token] for token in tokens)) for tokens in learned}
        assert max(begins) <= 0.8 * len(text) + 1 - spec.num_tokens, "no step reads the end of the text"


def test_that_presets_whose_sequences_are_few_hold_some_of_them_out() -> None:
    assert {spec.task.kind for spec in DIVIDED.values()} == {"text", "add", "sort"}


@every_task
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_that_the_share_of_sequences_is_held_out(task: Task, share: float) -> None:
    if task.reads_text:
        pytest.skip("of a text it is the end")
    knobs = {**task.default_knobs, "held_out": share}
    numbers = random.Random(4).randrange
    drawn = {task.draw(knobs, numbers) for _ in range(4000)}
    held_out = sum(bool(task.is_held_out(knobs, tokens)) for tokens in drawn) / len(drawn)
    assert held_out == pytest.approx(share, abs=0.02)


def test_that_a_sequence_is_drawn_again_a_bounded_number_of_times() -> None:
    task = TASKS["copy"]
    knobs = {"num_tokens": 5, "vocab_size": 2, "symbols": 1, "held_out": 1e-6}
    with pytest.raises(ValueError, match="held_out 1e-06"):
        task.drawn(knobs, random.Random(0).randrange, held_out=True)


def test_that_integers_are_even_over_their_range_and_do_not_end() -> None:
    integers = integers_from(generator_of(0, 0))
    counted = [0] * 5
    for _ in range(10_000):
        counted[integers(3, 8) - 3] += 1
    assert all(1800 < count < 2200 for count in counted)


def trained(seed: int, steps: int, heads: int, hiddens: int, rate: float) -> tuple[Transformer, list[float]]:
    """Return a model of two layers after so many steps on repeated segments, and its accuracy every 10 steps.

    Rotary positions, vocabulary 32, segments of 8, batches of 64; AdamW after a warm-up of 50 steps, gradients clipped
    to 1.
    """
    task = TASKS["repeat"]
    knobs = task.default_knobs
    generator = torch.Generator().manual_seed(seed)
    model = Transformer(32, 2, heads, hiddens, knobs["num_tokens"], generator=generator)
    parameters = list(model.parameters())
    descent = Descent(parameters, "adamw", rate, weight_decay=0.01)
    held_out = draw_batch(task, knobs, 128, seed, HELD_OUT)
    accuracies = []
    for step in range(steps):
        descent.learning_rate = rate * min(1, (step + 1) / 50)
        batch = draw_batch(task, knobs, 64, seed, step)
        gradients = torch.autograd.grad(next_token_loss(model(batch.tokens), *batch), parameters)
        clip_gradients(gradients, 1.0)
        descent.step(gradients)
        if step % 10 == 9:
            with torch.no_grad():
                accuracies.append(next_token_accuracy(model(held_out.tokens), *held_out).item())
    return model, accuracies


def test_that_two_layers_learn_to_continue_a_repeated_segment_by_an_induction_head() -> None:
    model, accuracies = trained(2, 200, heads=2, hiddens=32, rate=0.01)
    # First it learns to name any token of the segment but those just seen; then, in a leap, the right one.
    assert accuracies[9] < 0.4
    assert accuracies[-1] >= 0.95
    task = TASKS["repeat"]
    batch = draw_batch(task, task.default_knobs, 64, 2, HELD_OUT)
    with torch.no_grad():
        first, second = (layer.attention.weights for layer in model.stages(batch.tokens).layers)
    assert first.diagonal(-1, -2, -1).mean(dim=(0, 2)).max() > 0.5, "a head of layer 1 looks at the token before"
    item, query = batch.counts.nonzero(as_tuple=True)
    same = (batch.tokens[item] == batch.tokens[item, query][:, None]).int().argmax(dim=1)
    assert second[item, :, query, same + 1].mean(dim=0).max() > 0.6, "a head of layer 2 looks behind the earlier one"


@pytest.mark.parametrize("seed", range(5))
def test_that_the_leap_comes_within_450_steps_from_any_of_five_seeds(seed: int, long: bool) -> None:
    if not long:
        pytest.skip("a training of 5 to 10 seconds: --long")
    _, accuracies = trained(seed, 450, heads=4, hiddens=64, rate=0.003)
    assert max(accuracies) >= 0.95
