"""`Descent` is torch.optim's arithmetic, and descends."""

import pytest
import torch

from attnviz.attention import Descent
from attnviz.attention.descent import clip_gradients

dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
OPTIMIZERS = {
    "sgd": lambda learned, rate, decay: torch.optim.SGD(learned, lr=rate, weight_decay=decay),
    "momentum": lambda learned, rate, decay: torch.optim.SGD(learned, lr=rate, momentum=0.8, weight_decay=decay),
    "adam": lambda learned, rate, decay: torch.optim.Adam(learned, lr=rate, weight_decay=decay),
    "adamw": lambda learned, rate, decay: torch.optim.AdamW(learned, lr=rate, weight_decay=decay),
}


def loss(w, mixture):
    """Return something smooth that ties all of its numbers together."""
    return (torch.sin(3 * w) + w**2 / 2).sum() + (mixture - w.mean()).square().sum() + torch.cosh(mixture[0] * w[1])


def start(dtype):
    w = torch.tensor([0.3, -1.2, 2.5], dtype=dtype, requires_grad=True)
    return w, torch.tensor([0.0, 0.7], dtype=dtype, requires_grad=True)


def gradients(learned):
    return torch.autograd.grad(loss(*learned), learned)


@dtypes
@pytest.mark.parametrize("rate", [0.03, 1e-3])
@pytest.mark.parametrize("decay", [0.0, 0.1])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_fifty_steps_are_bit_for_bit_those_of_torch(optimizer, dtype, rate, decay):
    mine, theirs = start(dtype), start(dtype)
    descent = Descent(mine, optimizer, rate, momentum=0.8, weight_decay=decay)
    reference = OPTIMIZERS[optimizer](theirs, rate, decay)
    for step in range(50):
        if step == 20:  # a rate that is changed on the way
            descent.learning_rate = reference.param_groups[0]["lr"] = rate / 3
        descent.step(gradients(mine))
        reference.zero_grad()
        loss(*theirs).backward()
        reference.step()
        for ours, torchs in zip(mine, theirs, strict=True):
            assert torch.isfinite(ours).all()
            assert torch.equal(ours, torchs), step
    assert loss(*mine) < loss(*start(dtype))


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("taken", [0, 7])
def test_that_a_descent_goes_on_from_a_state_as_if_it_had_not_stopped(optimizer, taken):
    learned = start(torch.float32)
    descent = Descent(learned, optimizer, 0.03, weight_decay=0.1)
    for _ in range(taken):
        descent.step(gradients(learned))
    state, kept = descent.state(), [each.detach().clone() for each in learned]
    for _ in range(5):
        descent.step(gradients(learned))
    for _ in range(2):  # twice, since a state that was moved by the first would not do for the second
        again = [each.clone().requires_grad_() for each in kept]
        other = Descent(again, optimizer, 0.03, weight_decay=0.1)
        other.restore(state)
        for _ in range(5):
            other.step(gradients(again))
        assert all(torch.equal(*pair) for pair in zip(again, learned, strict=True))


@dtypes
@pytest.mark.parametrize("most", [0.5, 1.0, 100.0])
def test_that_gradients_are_clipped_bit_for_bit_as_torch_does(dtype, most):
    learned = start(dtype)
    mine = gradients(learned)
    loss(*learned).backward()
    norm = torch.nn.utils.clip_grad_norm_(learned, most)
    assert torch.equal(clip_gradients(mine, most), norm)
    assert 1.0 < norm < 100.0
    assert all(torch.equal(ours, each.grad) for ours, each in zip(mine, learned, strict=True))


def test_that_two_steps_of_each_optimizer_worked_by_hand_come_out():
    # The gradients are 2 and then 1, the rate is 1/4 and the momentum 1/2.
    # sgd: -1/2, then -1/4 more. momentum: -1/2, then (2/2 + 1)/4 = 1/2 more.
    # adam: 1/4 against the sign; then m = 0.28 / 0.19 and v = 0.004996 / 0.001999 (bias corrected).
    adam = -0.25 - 0.25 * (0.28 / 0.19) / (0.004996 / 0.001999) ** 0.5
    for optimizer, after in {"sgd": -0.75, "momentum": -1.0, "adam": adam, "adamw": adam}.items():
        number = torch.zeros((), dtype=torch.float64)
        descent = Descent([number], optimizer, 0.25, momentum=0.5)
        for gradient in (2.0, 1.0):
            descent.step([torch.tensor(gradient, dtype=torch.float64)])
        assert number.item() == pytest.approx(after, rel=1e-7), optimizer


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_a_step_leaves_the_gradients_alone(optimizer):
    number, gradient = torch.zeros(3), torch.tensor([1.0, -2.0, 0.5])
    descent = Descent([number], optimizer, 0.1)
    for _ in range(3):
        descent.step([gradient])
    assert gradient.tolist() == [1.0, -2.0, 0.5]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_two_descents_share_nothing(optimizer):
    together, alone = torch.zeros(2), torch.zeros(2)
    first, other = Descent([together], optimizer, 0.1), Descent([torch.zeros(2)], optimizer, 0.1)
    reference = Descent([alone], optimizer, 0.1)
    for gradient in (torch.tensor([1.0, 2.0]), torch.tensor([-3.0, 0.5])):
        first.step([gradient])
        other.step([10 * gradient])
        reference.step([gradient])
    assert torch.equal(together, alone)
