"""The optimisers of a training: their state, and their classes in PyTorch."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimizer:
    """One optimiser; `attention.descent` has the arithmetic, by its name."""

    name: str
    title: English
    help: English
    torch_class: str
    """Its class in ``torch.optim``."""
    remembers: int
    """The number of values it keeps for each parameter from one step to the next."""
    has_momentum: bool = False
    """Whether it has momentum, which the spec's ``momentum`` sets."""
    own_step_sizes: bool = False
    """Whether each parameter has its own step size, around the learning rate."""
    shrinks_parameters: bool = False
    """Whether weight decay shrinks the parameters instead of adding to the gradients; its default is not 0."""

    def torch_arguments(self, momentum: float, weight_decay: float) -> tuple[str, ...]:
        """Return the arguments of its class in a script, after parameters and learning rate."""
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
    """Return whether a (possibly invalid) name is that of an optimiser with momentum."""
    record = OPTIMIZERS.get(name) if isinstance(name, str) else None
    return record is not None and record.has_momentum
