"""The estimators in the script of a regression spec: kernels, and the module whose width is learned."""

from typing import NamedTuple

from attnviz.definitions.functions.kernels import KERNELS, Kernel
from attnviz.experiment.fields.knob import MaskPolicy
from attnviz.experiment.regression.spec import Overlay, RegressionSpec
from attnviz.export.code.formula import expression_code
from attnviz.export.code.text import WIDTH, chosen, definition, expression

_AVERAGE = definition(
    "def average(queries, keys)",
    "Return equal weights, (queries, keys).",
    ["return queries.new_full((len(queries), len(keys)), 1 / len(keys))"],
)
_OVER_SUMS = definition(
    "def over_sums(heights, empty)",
    "Return each row divided by its sum; a row of zeros becomes `empty`.",
    ["total = heights.sum(dim=-1, keepdim=True)", "return torch.where(total > 0, heights / total, empty)"],
)
_PREDICT = definition(
    "def predict(weights, values)",
    "Return weights @ values; a gap (NaN) where no training point is in reach.",
    ["return torch.where(weights.any(dim=-1), weights @ values, torch.nan)"],
)
_MODULE = '''\
class NadarayaWatson(nn.Module):
    """Kernel regression with heads: each has a w = 1 / width, and learned shares average them."""  #? several
    """Kernel regression with one learned number: w is 1 / width."""  #? not several

    def __init__(self, w):
        super().__init__()
        self.w = nn.Parameter(w)
        self.mixture = nn.Parameter(torch.zeros_like(w))  #? several

    def $of_heads(self, queries, keys$optional):
        scores = -(((queries[:, None] - keys) * $scale) ** 2) / 2
        if mask is not None:  #? mask
            scores = scores.masked_fill(~mask, -torch.inf)  #? mask
        return scores.softmax(dim=-1)

    def shares(self):  #? several
        return self.mixture.softmax(dim=-1)  #? several
  #? several
    def weights(self, queries, keys):  #? several
        return torch.einsum("h,hqk->qk", self.shares(), self.head_weights(queries, keys))  #? several
  #? several
    def forward(self, queries, keys, values$mask):
        return $shares(self.$of_heads(queries, keys$mask) * values).sum(dim=-1)'''


class CurveCode(NamedTuple):
    """One estimator, its policy for empty rows, and its number of w."""

    estimator: Overlay
    policy: MaskPolicy
    heads: int

    @property
    def is_learned(self) -> bool:
        """Whether its width is learned."""
        return self.estimator.estimator == "parametric"

    @property
    def has_gaps(self) -> bool:
        """Whether the curve has gaps where no training point is in reach."""
        return self.estimator.may_miss and self.policy == "zero"

    @property
    def name(self) -> str:
        """Its name in the script."""
        if self.is_learned:
            return "learned width"
        return "average" if self.estimator.is_average else f"{self.estimator.kernel}, width {self.estimator.width!r}"


def own_curve(spec: RegressionSpec) -> CurveCode:
    """Return the spec's own estimator."""
    return CurveCode(spec.own_overlay, spec.mask_policy, spec.num_heads if spec.trains else 1)


def further_curves(spec: RegressionSpec) -> list[CurveCode]:
    """Return the estimators of the overlays, which have gaps under every policy."""
    return [CurveCode(each, "zero", spec.num_heads if each.estimator == "parametric" else 1) for each in spec.overlays]


def estimator_code(spec: RegressionSpec) -> list[str]:
    """Return the definitions that a spec's curves need, each once."""
    curves = [own_curve(spec), *further_curves(spec)]
    blocks = [_AVERAGE] if any(curve.estimator.is_average for curve in curves) else []
    used = {curve.estimator.kernel for curve in curves if curve.estimator.has_width}
    kernels = [kernel for kernel in KERNELS.values() if kernel.name in used]
    blocks += [_OVER_SUMS] if any(kernel.log_height is None for kernel in kernels) else []
    for kernel in kernels:
        blocks += [block for block in _kernel_code(kernel) if block not in blocks]
    blocks += [_PREDICT] if any(curve.has_gaps for curve in curves) else []
    return blocks + ([_module(spec)] if spec.learns else [])


def _kernel_code(kernel: Kernel) -> list[str]:
    """Return the definition of a kernel's weights, after those of the functions that it calls."""
    takes = "queries, keys, width" if kernel.log_height or not kernel.is_compact else "queries, keys, width, empty=0.0"
    if kernel.log_height:
        code, helpers = expression_code(kernel.log_height, "u")
        weights = f"({code}).softmax(dim=-1)"
    else:
        code, helpers = expression_code(kernel.height, "u")
        weights = f"over_sums({code}, {'empty' if kernel.is_compact else '0.0'})"
    docstring = f"Return the weights of the kernel {kernel.text}, (queries, keys)."
    body = ["u = (queries[:, None] - keys) / width", expression("return ", weights, WIDTH - 4)]
    return [*helpers, definition(f"def {kernel.name}({takes})", docstring, body)]


def weights_call(curve: CurveCode, queries: str) -> str:
    """Return the expression for the weights of a curve at some queries."""
    if curve.is_learned:
        return f"net.weights({queries}, x_train)"
    if curve.estimator.is_average:
        return f"average({queries}, x_train)"
    empty = {"zero": "", "book": ", empty=1 / len(x_train)", "inf": ", empty=torch.nan"}[curve.policy]
    kernel = f"{curve.estimator.kernel}({queries}, x_train, width={curve.estimator.width!r}"
    return f"{kernel}{empty if curve.estimator.may_miss else ''})"


def prediction(curve: CurveCode, weights: str) -> str:
    """Return the expression that computes predictions from weights."""
    return f"predict({weights}, y_train)" if curve.has_gaps else f"{weights} @ y_train"


def _module(spec: RegressionSpec) -> str:
    several = spec.num_heads > 1
    parts = {
        "several": several,
        "of_heads": "head_weights" if several else "weights",
        "scale": "self.w[:, None, None]" if several else "self.w",
        "shares": "self.shares() @ " if several else "",
        "mask": ", mask" if spec.leave_one_out else "",
        "optional": ", mask=None" if spec.leave_one_out else "",
    }
    return chosen(_MODULE, parts)
