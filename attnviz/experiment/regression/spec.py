"""The spec of the kernel-regression lab. Its trace is in `attnviz.experiment.regression.trace`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import FailFast, Field, model_validator

from attnviz.definitions.decoder.optimizers import OPTIMIZERS, has_momentum
from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.bases import SpecBase
from attnviz.experiment.fields.knob import (
    MASK_POLICIES,
    MaskPolicy,
    Number,
    NumberOrNone,
    OneOf,
    Part,
    Whole,
    device_knob,
    knob,
    momentum_knob,
    seed_knob,
)
from attnviz.experiment.fields.problems import problem
from attnviz.experiment.regression.data import BookData, Data, Grid

Estimator = Literal["average", "nonparametric", "parametric"]
KernelName = Annotated[str, OneOf(KERNELS)]

TEACHING_WIDTHS = (0.1, 0.2, 0.5, 1.0)
"""The widths compared in the exercises of Zhang et al."""

LEAST_WIDTH, GREATEST_WIDTH = 1e-6, 1e6


class Overlay(Part):
    """One estimator whose curve is drawn beside the spec's own, on the same points and queries."""

    estimator: Estimator = "average"
    kernel: KernelName = "gaussian"
    width: Number = Field(1.0, ge=LEAST_WIDTH, le=GREATEST_WIDTH)

    @property
    def has_width(self) -> bool:
        """Whether it is a kernel of fixed width."""
        return self.estimator == "nonparametric" and KERNELS[self.kernel].has_width

    @property
    def is_average(self) -> bool:
        """Whether all weights are equal."""
        return self.estimator != "parametric" and not self.has_width

    @property
    def may_miss(self) -> bool:
        """Whether a query may have no training point in reach."""
        return self.estimator == "nonparametric" and KERNELS[self.kernel].is_compact

    @property
    def identity(self) -> tuple[Any, ...]:
        """A key that is equal for equal curves: an average ignores kernel and width, a learned width the width."""
        if self.estimator == "parametric":
            return ("learned",)
        return (self.kernel, self.width) if self.has_width else ("average",)


MOST_OVERLAYS = 8
MOST_HEADS = 8


class RegressionSpec(SpecBase):
    """One kernel-regression experiment: queries are x, keys the training inputs, values the training outputs."""

    lab: Literal["regression"] = knob("regression", "Lab", "Which experiment this is.", group="")
    data: Data = knob(
        BookData(),
        "Points",
        "Where the training points come from.",
        group="Data",
        titles={"book": "Textbook", "synthetic": "Synthetic", "file": "File ...", "points": "Points"},
    )
    x_test: Grid = knob(Grid(), "Queries", "Where the curve is predicted: start, stop, step.", group="Data")
    estimator: Estimator = knob(
        "nonparametric",
        "Weights",
        "average: all equal. nonparametric: a kernel of fixed width. parametric: the width is learned.",
        group="Estimator",
        titles={"average": "Average", "nonparametric": "Fixed width", "parametric": "Learned width"},
    )
    kernel: KernelName = knob("gaussian", "Kernel", "How weight falls with distance.", group="Estimator")
    width: Number = knob(
        1.0,
        "Width σ",
        "How far a query looks; narrow copies the noise, wide smooths everything.",
        group="Estimator",
        slider=(0.05, 3),
        clicks=TEACHING_WIDTHS,
        ge=LEAST_WIDTH,
        le=GREATEST_WIDTH,
    )
    mask_policy: MaskPolicy = knob(
        "zero",
        "Empty rows",
        "Weights of a query with no training point in reach: all 0, all equal (as after a fill of -1e6), or NaN. The "
        "curve has a gap there in any case.",
        group="Estimator",
        titles=MASK_POLICIES,
    )
    overlays: Annotated[tuple[Overlay, ...], FailFast()] = knob(
        (),
        "Overlay",
        "Further estimators on the same points; their curves are drawn beside this one.",
        group="Estimator",
        max_length=MOST_OVERLAYS,
    )
    leave_one_out: bool = knob(
        True,
        "Leave one out",
        "While training, a point is not among its own keys, so that it cannot copy itself.",
        group="Training",
    )
    optimizer: Annotated[str, OneOf(OPTIMIZERS, only=lambda each: not each.shrinks_parameters)] = knob(
        "sgd",
        "Optimiser",
        "How the gradients move the widths: all by one step size, or each by its own.",
        group="Training",
    )
    learning_rate: Number = knob(
        0.5, "Learning rate", "Step size of the gradient descent.", group="Training", slider=(0.001, 1), gt=0, le=1e6
    )
    momentum: Number = momentum_knob()
    epochs: Whole = knob(
        5, "Epochs", "Training steps; each sees all points.", group="Training", slider=(1, 200), ge=1, le=100_000
    )
    w_init: NumberOrNone = knob(
        None,
        "Start w",
        "First value of w = 1/width (times 1, 2, ... for several heads); off draws it from [0, 1).",
        group="Training",
        nothing="drawn",
        first=0.5,
        ge=-1e6,
        le=1e6,
    )
    seed: Whole = seed_knob("Decides the first w where it is drawn.", group="Training")
    num_heads: Whole = knob(
        1,
        "Heads",
        "Beyond the textbook: several heads, each with a w of its own, averaged by shares that are learned too; the "
        "bridge to multi-head attention.",
        group="Extension",
        slider=(1, MOST_HEADS),
        ge=1,
        le=MOST_HEADS,
    )
    device: str = device_knob()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.estimator == "parametric" and not KERNELS[self.kernel].width_is_learned:
            raise problem(
                "kernel",
                "kernel_not_learnable",
                "kernel '{kernel}' cannot have a learned width here; nearest: gaussian",
                kernel=self.kernel,
            )
        identities = [overlay.identity for overlay in self.overlays]
        for index, identity in enumerate(identities):
            if identity in identities[:index]:
                raise problem(
                    "overlays",
                    "overlay_twice",
                    "overlays {first} and {second} are the same curve; nearest: one of them",
                    first=identities.index(identity) + 1,
                    second=index + 1,
                )
        return self

    @property
    def trains(self) -> bool:
        """Whether a run has several steps."""
        return self.estimator == "parametric"

    @property
    def steps(self) -> int:
        """The number of training steps of a run."""
        return self.epochs if self.trains else 0

    @property
    def heads_run(self) -> int:
        """The number of heads of a run."""
        return self.num_heads if self.trains else 1

    @property
    def name_parts(self) -> tuple[str, ...]:
        """The parts of a proposed file name for its run."""
        if self.own_overlay.has_width:
            return "kernel", self.kernel, f"width-{self.width:g}", self.data.kind
        return "kernel", "learned" if self.trains else "average", self.data.kind

    @property
    def learns(self) -> bool:
        """Whether anything is learned, in the estimator or an overlay."""
        return self.trains or any(overlay.estimator == "parametric" for overlay in self.overlays)

    @property
    def past(self) -> "RegressionSpec":
        """A spec that is equal for all trainings with the same steps, regardless of queries and length."""
        elsewhere = {"overlays": (), "x_test": Grid(), "epochs": 1, "width": 1.0, "mask_policy": "zero"}
        return self.model_copy(update=elsewhere)

    def keeps_step_of(self, other: object) -> bool:
        """Return whether its run is shown at the step on screen of another's run, with the same steps."""
        return isinstance(other, RegressionSpec) and self.trains and self != other and self.past == other.past

    @property
    def shown_first(self) -> int:
        """The last step: a training takes milliseconds, so a change shows its result."""
        return self.steps

    def only_points(self) -> "RegressionSpec":
        """Return a spec of the same points and queries with defaults elsewhere, for studies of many estimators."""
        return RegressionSpec(data=self.data, x_test=self.x_test, device=self.device)

    @property
    def own_overlay(self) -> Overlay:
        """The overlay that equals the spec's own curve."""
        return Overlay(estimator=self.estimator, kernel=self.kernel, width=self.width)

    def drawn_as(self, overlay: Overlay) -> "RegressionSpec":
        """Return the spec whose own curve is that of an overlay."""
        chosen = {"estimator": overlay.estimator, "kernel": overlay.kernel, "width": overlay.width, "overlays": ()}
        return self.model_copy(update=chosen)

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that have an effect, given these (possibly invalid) values."""
        training = {"leave_one_out", "optimizer", "learning_rate", "momentum", "epochs", "w_init", "seed", "num_heads"}
        idle = set() if _has_learned_overlay(values.get("overlays")) else set(training)
        match values.get("estimator"):
            case "average":
                idle |= {"kernel", "width", "mask_policy"}
            case "parametric":
                idle = {"kernel", "width", "mask_policy"}
            case _:
                kernel = KERNELS.get(values.get("kernel", ""))
                idle |= {"width"} if kernel is not None and not kernel.has_width else set()
                idle |= set() if kernel is not None and kernel.is_compact else {"mask_policy"}
        if not has_momentum(values.get("optimizer")):
            idle |= {"momentum"}
        return frozenset(cls.model_fields) - idle


def _has_learned_overlay(overlays: Any) -> bool:
    """Return whether one of these overlays, as models or raw values, is a learned one."""
    return any(
        (each.estimator if isinstance(each, Overlay) else isinstance(each, Mapping) and each.get("estimator"))
        == "parametric"
        for each in (overlays if isinstance(overlays, list | tuple) else ())
    )
