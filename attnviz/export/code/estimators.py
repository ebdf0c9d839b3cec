"""The estimators in the script of a regression spec: kernels, and the module whose width is learned."""

from typing import NamedTuple

from attnviz.experiment.attention.fields import MaskPolicy
from attnviz.experiment.regression.estimators import SHORT_KERNELS, Overlay
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.export.code.text import definition

_HEIGHTS = {
    "boxcar": (
        "Return the weights of a kernel that is 1 within one width, (queries, keys).",
        "(u.abs() < 1).to(u.dtype)",
    ),
    "epanechnikov": (
        "Return the weights of a kernel that is 1 - u² within one width, (queries, keys).",
        "(1 - u**2).clamp(min=0)",
    ),
    "triangular": (
        "Return the weights of a kernel that is 1 - |u| within one width, (queries, keys).",
        "(1 - u.abs()).clamp(min=0)",
    ),
}
_GAUSSIAN = definition(
    "def gaussian(queries, keys, width)",
    "Return the weights of a gaussian kernel, a softmax, (queries, keys).",
    ["u = (queries[:, None] - keys) / width", "return (-(u**2) / 2).softmax(dim=-1)"],
)
_AVERAGE = definition(
    "def average(queries, keys)",
    "Return equal weights, (queries, keys).",
    ["return queries.new_full((len(queries), len(keys)), 1 / len(keys))"],
)
_OVER_SUMS = definition(
    "def over_sums(heights, empty)",
    "Return each row over its sum; a row of zeros becomes `empty`.",
    [
        "total = heights.sum(dim=-1, keepdim=True)",
        "return torch.where(total > 0, heights / total, empty)",
    ],
)
_PREDICT = definition(
    "def predict(weights, values)",
    "Return weights @ values; a gap (NaN) where no training point is in reach.",
    ["return torch.where(weights.any(dim=-1), weights @ values, torch.nan)"],
)


class Curve(NamedTuple):
    """One estimator, what it holds where no training point is in reach, and how many w it has."""

    estimator: Overlay
    policy: MaskPolicy
    heads: int

    @property
    def is_learned(self) -> bool:
        """Whether its width is learned."""
        return self.estimator.estimator == "parametric"

    @property
    def is_average(self) -> bool:
        """Whether all weights are equal."""
        return self.estimator.identity == ("average",)

    @property
    def is_short(self) -> bool:
        """Whether a query may find no training point in reach."""
        return self.estimator.estimator == "nonparametric" and self.estimator.kernel in SHORT_KERNELS

    @property
    def has_gaps(self) -> bool:
        """Whether the curve is nowhere where no training point is in reach."""
        return self.is_short and self.policy == "zero"

    @property
    def name(self) -> str:
        """What the script calls it."""
        if self.is_learned:
            return "learned width"
        return "average" if self.is_average else f"{self.estimator.kernel}, width {self.estimator.width!r}"


def own_curve(spec: RegressionSpec) -> Curve:
    """Return the spec's own estimator."""
    return Curve(spec.own_overlay, spec.mask_policy, spec.num_heads if spec.trains else 1)


def further_curves(spec: RegressionSpec) -> list[Curve]:
    """Return the estimators of the overlays, which have gaps under every policy."""
    return [Curve(each, "zero", spec.num_heads if each.estimator == "parametric" else 1) for each in spec.overlays]


def estimator_code(spec: RegressionSpec) -> list[str]:
    """Return the definitions that the curves of a spec need, each once."""
    curves = [own_curve(spec), *further_curves(spec)]
    blocks = [_AVERAGE] if any(curve.is_average for curve in curves) else []
    kernels = {curve.estimator.kernel for curve in curves if curve.estimator.estimator == "nonparametric"}
    blocks += [_GAUSSIAN] if "gaussian" in kernels else []
    blocks += [_OVER_SUMS] if any(curve.is_short for curve in curves) else []
    for kernel, (docstring, heights) in _HEIGHTS.items():
        if kernel in kernels:
            body = ["u = (queries[:, None] - keys) / width", f"return over_sums({heights}, empty)"]
            blocks.append(definition(f"def {kernel}(queries, keys, width, empty=0.0)", docstring, body))
    blocks += [_PREDICT] if any(curve.has_gaps for curve in curves) else []
    return blocks + ([_module(spec)] if spec.learns else [])


def weights_call(curve: Curve, queries: str) -> str:
    """Return the expression for the weights of a curve at some queries."""
    if curve.is_learned:
        return f"net.weights({queries}, x_train)"
    if curve.is_average:
        return f"average({queries}, x_train)"
    empty = {"zero": "", "book": ", empty=1 / len(x_train)", "inf": ", empty=torch.nan"}[curve.policy]
    kernel = f"{curve.estimator.kernel}({queries}, x_train, width={curve.estimator.width!r}"
    return f"{kernel}{empty if curve.is_short else ''})"


def prediction(curve: Curve, weights: str) -> str:
    """Return the expression that makes predictions of weights."""
    return f"predict({weights}, y_train)" if curve.has_gaps else f"{weights} @ y_train"


def _module(spec: RegressionSpec) -> str:
    several = spec.num_heads > 1
    mask = ", mask" if spec.leave_one_out else ""
    init = ["super().__init__()", "self.w = nn.Parameter(w)"]
    init += ["self.mixture = nn.Parameter(torch.zeros_like(w))"] if several else []
    scale = "self.w[:, None, None]" if several else "self.w"
    scores = [f"scores = -(((queries[:, None] - keys) * {scale}) ** 2) / 2"]
    if spec.leave_one_out:
        scores += ["if mask is not None:", "    scores = scores.masked_fill(~mask, -torch.inf)"]
    of_heads = "head_weights" if several else "weights"
    optional = f"{mask}=None" if mask else ""
    weights = definition(
        f"def {of_heads}(self, queries, keys{optional})", "", [*scores, "return scores.softmax(dim=-1)"]
    )
    pooled = f"(self.{of_heads}(queries, keys{mask}) * values).sum(dim=-1)"
    forward = f"return {'self.shares() @ ' if several else ''}{pooled}"
    methods = [definition("def __init__(self, w)", "", init), weights]
    docstring = "Kernel regression with one learned number: w is 1 / width."
    if several:
        docstring = "Kernel regression with heads: each has a w = 1 / width, and learned shares average them."
        einsum = 'return torch.einsum("h,hqk->qk", self.shares(), self.head_weights(queries, keys))'
        methods += [
            definition("def shares(self)", "", ["return self.mixture.softmax(dim=-1)"]),
            definition("def weights(self, queries, keys)", "", [einsum]),
        ]
    methods.append(definition(f"def forward(self, queries, keys, values{mask})", "", [forward]))
    body = [line for method in methods for line in ("", method)]
    return definition("class NadarayaWatson(nn.Module)", docstring, body)
