"""The batches of a training, and that a small transformer learns from them what it is known to learn."""

import pytest
import torch

from attnviz.attention.descent import Descent, clip_gradients
from attnviz.attention.transformer import Transformer, next_token_accuracy, next_token_loss
from attnviz.definitions.tasks import TASKS, Task
from attnviz.engine.train.batches import HELD_OUT, draw_batch, generator_of, integers_from

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
