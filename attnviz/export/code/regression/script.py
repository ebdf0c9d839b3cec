"""The script of a regression spec: points, estimator, training, predictions."""

from attnviz.definitions.decoder.optimizers import OPTIMIZERS
from attnviz.definitions.functions.sample_functions import DOMAIN, SAMPLE_FUNCTIONS
from attnviz.experiment.arrays import BLOCK_CELLS
from attnviz.experiment.regression.data import FARTHEST, BookData, Grid, PointsData, SyntheticData
from attnviz.experiment.regression.points import written_points
from attnviz.experiment.regression.spec import Overlay, RegressionSpec
from attnviz.export.code.formula import function_code
from attnviz.export.code.regression.estimators import (
    CurveCode,
    estimator_code,
    further_curves,
    own_curve,
    prediction,
    weights_call,
)
from attnviz.export.code.text import (
    PRINTED,
    WIDTH,
    Script,
    chosen,
    expression,
    filled,
    imports,
    indented,
    joined,
    listed,
    vector,
)

_BOOK_FORMULA = "2*sin(x) + x^0.8"
"""The function of Zhang et al. if no x is below 0; it gives the same numbers."""


def points_code(spec: RegressionSpec) -> list[str]:
    """Return the blocks that create ``x_train, y_train, x_test``, and ``f`` and ``y_truth`` if they are known.

    Raises:
        PointsError: the spec's file cannot be read, or holds no points.
    """
    function, typed = _function(spec)
    formula = "" if function is None else SAMPLE_FUNCTIONS[function].formula_with(typed)
    if function == "book" and spec.x_test.start >= 0:
        formula = _BOOK_FORMULA
    if isinstance(spec.data, SyntheticData):
        lines = _drawn(spec.data)
    else:
        x, y = written_points(spec.data)
        lines = [vector("x_train", x.tolist()), vector("y_train", y.tolist())]
    lines.append(_grid(spec.x_test))
    lines += ["y_truth = f(x_test)"] if formula else []
    if function is not None and not SAMPLE_FUNCTIONS[function].formula:  # a typed formula may be infinite
        near = f"y_truth.abs() <= {FARTHEST!r}"
        lines.append("# There is no truth where the function is infinite")
        lines.append(f"y_truth = torch.where({near}, y_truth, torch.nan)")
    return [*(function_code(formula) if formula else []), "\n".join(lines)]


def point_count(spec: RegressionSpec) -> int:
    """Return the number of training points of a spec; raises PointsError as `points_code` does."""
    return spec.data.n_train if isinstance(spec.data, SyntheticData) else len(written_points(spec.data)[0])


def _function(spec: RegressionSpec) -> tuple[str | None, str]:
    match spec.data:
        case BookData():
            return "book", ""
        case SyntheticData(function=function, formula=typed) | PointsData(function=function, formula=typed):
            return function, typed
    return None, ""


def _drawn(data: SyntheticData) -> list[str]:
    low, high = DOMAIN
    shift = f" + {low!r}" if low else ""
    return [
        f"generator = torch.Generator().manual_seed({data.seed})",
        f"x_train = torch.rand({data.n_train}, generator=generator).sort().values * {high - low:g}{shift}",
        *(
            [
                f"noise = torch.randn({data.n_train}, generator=generator) * {data.noise!r}",
                "y_train = f(x_train) + noise",
            ]
            if data.noise
            else ["y_train = f(x_train)"]
        ),
    ]


def _grid(grid: Grid) -> str:
    # Not arange(start, stop, step), which rounds in another order.
    steps = f"{grid.step!r} * torch.arange({grid.count})"
    return f"x_test = {grid.start!r} + {steps}" if grid.start else f"x_test = {steps}"


_DATA = {
    "book": "on the textbook's points",
    "synthetic": "on points drawn from a function",
    "file": "on points from a file",
    "points": "on the user's own points",
}


def _estimator(curve: Overlay) -> str:
    if curve.estimator == "parametric":
        return "a gaussian whose width is learned"
    return "the average" if curve.is_average else f"a {curve.kernel} kernel of fixed width"


def regression_script(spec: RegressionSpec) -> Script:
    """Return the script of a spec.

    Raises:
        PointsError: the spec's file cannot be read, or holds no points.
    """
    *defined, points = points_code(spec)
    count = point_count(spec)
    blocks = ["torch.set_default_dtype(torch.float64)", *defined, *estimator_code(spec)]
    if spec.learns:
        blocks.append(_train(spec, count))
    lines = [points, *_place(spec), ""]
    lines += [*_net(spec), "losses = train(net)", "w = net.w.detach()", ""] if spec.trains else []
    lines += _fit(spec, count)
    lines += ["", *_overlays(spec, count)] if spec.overlays else []
    words = [f"Kernel regression {_DATA[spec.data.kind]}: {_estimator(spec.own_overlay)}."]
    return Script(words, imports(nn=spec.learns), [*blocks, "\n".join([*lines, "", *_printed(spec, count)])])


def _is_placed(spec: RegressionSpec) -> bool:
    return spec.device not in ("auto", "cpu")


def _place(spec: RegressionSpec) -> list[str]:
    if not _is_placed(spec):
        return []
    where = f'"{spec.device}"' + (", torch.float32" if spec.device == "mps" else "")
    return [f"x_train, y_train, x_test = (x.to({where}) for x in (x_train, y_train, x_test))"]


def _block(cells_each: int) -> int:
    """Return the number of queries per block."""
    return max(1, BLOCK_CELLS // max(cells_each, 1))


def _fit(spec: RegressionSpec, count: int) -> list[str]:
    """Return the lines that compute ``weights`` and ``y_hat``."""
    curve = own_curve(spec)
    rows = _block(curve.heads * count)
    width = WIDTH - 4 if curve.is_learned else WIDTH
    lines = [f"weights = {weights_call(curve, 'x_test')}", f"y_hat = {prediction(curve, 'weights')}"]
    if rows < spec.x_test.count:
        lines = [
            "# In blocks of queries, which take less memory",
            joined("weights = ", weights_call(curve, "queries"), f"for queries in x_test.split({rows})", width),
            joined("y_hat = ", prediction(curve, "some"), f"for some in weights.split({rows})", width),
        ]
    return _without_gradients(lines) if curve.is_learned else lines


def _without_gradients(lines: list[str]) -> list[str]:
    return ["with torch.no_grad():", *indented(lines)]


_TRAIN = '''\
def train(net):
    """Learn w from every point, $keys; return the loss before each step."""
    others = ~torch.eye(len(x_train), dtype=torch.bool$placed)  #? others, not blocks
    $optimizer
    losses = []
    for epoch in range($epochs):
        optimizer.zero_grad()
        loss = (net(x_train, x_train, y_train$others) - y_train).square().sum()  #? not blocks
        loss.backward()  #? not blocks
        losses.append(loss.item())  #? not blocks
        losses.append(0.0)  #? blocks
        for rows in $numbers.split($rows):  #? blocks
            others = rows[:, None] != $numbers  #? others, blocks
            loss = (net(x_train[rows], x_train, y_train$others) - y_train[rows]).square().sum()  #? blocks
            loss.backward()  # the gradients of the blocks add up  #? blocks
            losses[-1] += loss.item()  #? blocks
        optimizer.step()
    return losses'''


def _train(spec: RegressionSpec, count: int) -> str:
    """Return the definition of the training loop."""
    record = OPTIMIZERS[spec.optimizer]
    takes = listed(["net.parameters()", f"lr={spec.learning_rate!r}", *record.torch_arguments(spec.momentum, 0.0)])
    rows = _block(spec.num_heads * count)
    placed = ", device=x_train.device" if _is_placed(spec) else ""
    parts = {
        "keys": "predicted by the others" if spec.leave_one_out else "itself among its keys",
        "others": ", others" if spec.leave_one_out else "",
        "blocks": rows < count,
        "rows": rows,
        "numbers": f"torch.arange(len(x_train){placed})",
        "placed": placed,
        "optimizer": filled(f"optimizer = torch.optim.{record.torch_class}(", takes, ")", WIDTH - 4),
        "epochs": spec.epochs,
    }
    return chosen(_TRAIN, parts)


def _net(spec: RegressionSpec) -> list[str]:
    several = spec.num_heads > 1
    lines = []
    if spec.w_init is None:
        lines.append(f"generator = torch.Generator().manual_seed({spec.seed})")
        w = f"torch.rand({spec.num_heads if several else '()'}, generator=generator)"
    else:
        counted = f"{spec.w_init!r} * torch.arange(1, {spec.num_heads + 1})"
        w = counted if several else f"torch.tensor({spec.w_init!r})"
    if _is_placed(spec):
        w = f"({w}).to(x_train)" if several else f"{w}.to(x_train)"
    return [*lines, f"net = NadarayaWatson({w})"]


def _overlays(spec: RegressionSpec, count: int) -> list[str]:
    """Return the lines that compute ``overlays``, the further curves by name."""
    lines = ["overlays = {}"]
    for curve in further_curves(spec):
        head = f'overlays["{curve.name}"] = '
        if curve.is_learned and spec.trains:
            lines.append(f"{head}y_hat")  # the same training, and therefore the same curve
        elif curve.is_learned:
            lines += [*_net(spec), "train(net)", *_without_gradients([_curve(spec, curve, count, head)])]
        else:
            lines.append(_curve(spec, curve, count, head))
    return lines


def _curve(spec: RegressionSpec, curve: CurveCode, count: int, head: str) -> str:
    rows, width = _block(curve.heads * count), WIDTH - 4 if curve.is_learned else WIDTH
    if rows < spec.x_test.count:
        loop = f"for queries in x_test.split({rows})"
        return joined(head, prediction(curve, weights_call(curve, "queries")), loop, width)
    return expression(head, prediction(curve, weights_call(curve, "x_test")), width)


def _printed(spec: RegressionSpec, count: int) -> list[str]:
    lines = ["torch.set_printoptions(precision=6, sci_mode=False)"]
    if spec.x_test.count * count <= PRINTED:
        lines += ['print("weights", tuple(weights.shape))', "print(weights)"]
    else:
        lines += ['print("weights", tuple(weights.shape), "of the first query:")', "print(weights[0])"]
    lines += ['print("predictions")', "print(y_hat)"]
    if spec.trains:
        lines.append('print("w", w, "loss", losses[0], "->", losses[-1])')
    if spec.overlays:
        lines += ["for name, curve in overlays.items():", "    print(name)", "    print(curve)"]
    return lines
