"""`Descent` is torch.optim's arithmetic, and descends."""

import pytest
import torch

from attnviz.attention import Descent

dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
OPTIMIZERS = {
    "sgd": lambda learned, rate: torch.optim.SGD(learned, lr=rate),
    "momentum": lambda learned, rate: torch.optim.SGD(learned, lr=rate, momentum=0.8),
    "adam": lambda learned, rate: torch.optim.Adam(learned, lr=rate),
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
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_that_fifty_steps_are_bit_for_bit_those_of_torch(optimizer, dtype, rate):
    mine, theirs = start(dtype), start(dtype)
    descent = Descent(mine, optimizer, rate, momentum=0.8)
    reference = OPTIMIZERS[optimizer](theirs, rate)
    for step in range(50):
        descent.step(gradients(mine))
        reference.zero_grad()
        loss(*theirs).backward()
        reference.step()
        for ours, torchs in zip(mine, theirs, strict=True):
            assert torch.isfinite(ours).all()
            assert torch.equal(ours, torchs), step
    assert loss(*mine) < loss(*start(dtype))


def test_that_two_steps_of_each_optimizer_worked_by_hand_come_out():
    # The gradients are 2 and then 1, the rate is 1/4 and the momentum 1/2.
    # sgd: -1/2, then -1/4 more. momentum: -1/2, then (2/2 + 1)/4 = 1/2 more.
    # adam: 1/4 against the sign; then m = 0.28 / 0.19 and v = 0.004996 / 0.001999 (bias corrected).
    adam = -0.25 - 0.25 * (0.28 / 0.19) / (0.004996 / 0.001999) ** 0.5
    for optimizer, after in {"sgd": -0.75, "momentum": -1.0, "adam": adam}.items():
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
