"""The optimisers of a training: what each remembers, and its class in PyTorch."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimizer:
    """One way to move parameters against their gradients; `attention.descent` has the arithmetic, by its name."""

    name: str
    title: English
    help: English
    torch_class: str
    """Its class in ``torch.optim``."""
    remembers: int
    """How many numbers it keeps of each parameter from one step to the next."""
    has_momentum: bool = False
    """Whether it keeps a share of its last step, which the spec's ``momentum`` sets."""
    own_step_sizes: bool = False
    """Whether each parameter has a step size of its own, about the learning rate."""
    shrinks_parameters: bool = False
    """Whether weight decay shrinks the parameters, in place of adding to the gradients; its default is not 0."""

    def torch_arguments(self, momentum: float, weight_decay: float) -> tuple[str, ...]:
        """Return the arguments of its class in a script, behind parameters and learning rate."""
        return (
            *((f"momentum={momentum!r}",) if self.has_momentum else ()),
            *((f"weight_decay={weight_decay!r}",) if weight_decay or self.shrinks_parameters else ()),
        )


OPTIMIZERS: Registry[Optimizer] = Registry(
    "optimiser",
    (
        Optimizer(name="sgd", title="SGD", help="Plain gradient descent.", torch_class="SGD", remembers=0),
        Optimizer(
            name="momentum",
            title="SGD, momentum",
            help="Gradient descent with momentum: each step keeps a share of the previous one.",
            torch_class="SGD",
            remembers=1,
            has_momentum=True,
        ),
        Optimizer(
            name="adam",
            title="Adam",
            help="Each parameter has its own step size.",
            torch_class="Adam",
            remembers=2,
            own_step_sizes=True,
        ),
        Optimizer(
            name="adamw",
            title="AdamW",
            help="Each parameter has its own step size; weight decay shrinks the parameters.",
            torch_class="AdamW",
            remembers=2,
            own_step_sizes=True,
            shrinks_parameters=True,
        ),
    ),
)


def has_momentum(name: object) -> bool:
    """Return whether a (perhaps invalid) name is of an optimiser that keeps a share of its last step."""
    record = OPTIMIZERS.get(name) if isinstance(name, str) else None
    return record is not None and record.has_momentum
