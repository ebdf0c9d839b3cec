"""The script of a regression spec: points, estimator, training, predictions."""

from attnviz.experiment.limits import BLOCK_CELLS
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.export.code.estimators import (
    Curve,
    estimator_code,
    further_curves,
    own_curve,
    prediction,
    weights_call,
)
from attnviz.export.code.points import point_count, points_code
from attnviz.export.code.text import WIDTH, definition, expression, filled, indented, joined

_PRINTED = 1000


def regression_code(spec: RegressionSpec) -> list[str]:
    """Return the blocks of the script, in order.

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
    return [*blocks, "\n".join([*lines, "", *_printed(spec, count)])]


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
    """Return the lines that make ``weights`` and ``y_hat``."""
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


def _train(spec: RegressionSpec, count: int) -> str:
    """Return the definition of the training loop."""
    rate = f"lr={spec.learning_rate!r}"
    momentum = [", ", f"momentum={spec.momentum!r}"] if spec.optimizer == "momentum" else []
    optimizer = "Adam" if spec.optimizer == "adam" else "SGD"
    rows = _block(spec.num_heads * count)
    whole = rows >= count
    step = _whole_step(spec) if whole else _step_in_blocks(spec, rows)
    others = f"others = ~torch.eye(len(x_train), dtype=torch.bool{_on_device(spec)})"
    body = [
        *([others] if spec.leave_one_out and whole else []),
        filled(f"optimizer = torch.optim.{optimizer}(", ["net.parameters(), ", rate, *momentum], ")", WIDTH - 4),
        "losses = []",
        f"for epoch in range({spec.epochs}):",
        *indented(["optimizer.zero_grad()", *step, "optimizer.step()"]),
        "return losses",
    ]
    keys = "predicted by the others" if spec.leave_one_out else "itself among its keys"
    return definition("def train(net)", f"Learn w from every point, {keys}; return the loss before each step.", body)


def _on_device(spec: RegressionSpec) -> str:
    return ", device=x_train.device" if _is_placed(spec) else ""


def _whole_step(spec: RegressionSpec) -> list[str]:
    others = ", others" if spec.leave_one_out else ""
    return [
        f"loss = (net(x_train, x_train, y_train{others}) - y_train).square().sum()",
        "loss.backward()",
        "losses.append(loss.item())",
    ]


def _step_in_blocks(spec: RegressionSpec, rows: int) -> list[str]:
    others = ", others" if spec.leave_one_out else ""
    numbers = f"torch.arange(len(x_train){_on_device(spec)})"
    return [
        "losses.append(0.0)",
        f"for rows in {numbers}.split({rows}):",
        *([f"    others = rows[:, None] != {numbers}"] if spec.leave_one_out else []),
        f"    loss = (net(x_train[rows], x_train, y_train{others}) - y_train[rows]).square().sum()",
        "    loss.backward()  # the gradients of the blocks add up",
        "    losses[-1] += loss.item()",
    ]


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
    """Return the lines that make ``overlays``, the further curves by name."""
    lines = ["overlays = {}"]
    for curve in further_curves(spec):
        head = f'overlays["{curve.name}"] = '
        if curve.is_learned and spec.trains:
            lines.append(f"{head}y_hat")  # the same training, and the same curve
        elif curve.is_learned:
            lines += [*_net(spec), "train(net)", *_without_gradients([_curve(spec, curve, count, head)])]
        else:
            lines.append(_curve(spec, curve, count, head))
    return lines


def _curve(spec: RegressionSpec, curve: Curve, count: int, head: str) -> str:
    rows, width = _block(curve.heads * count), WIDTH - 4 if curve.is_learned else WIDTH
    if rows < spec.x_test.count:
        loop = f"for queries in x_test.split({rows})"
        return joined(head, prediction(curve, weights_call(curve, "queries")), loop, width)
    return expression(head, prediction(curve, weights_call(curve, "x_test")), width)


def _printed(spec: RegressionSpec, count: int) -> list[str]:
    lines = ["torch.set_printoptions(precision=6, sci_mode=False)"]
    if spec.x_test.count * count <= _PRINTED:
        lines += ['print("weights", tuple(weights.shape))', "print(weights)"]
    else:
        lines += ['print("weights", tuple(weights.shape), "of the first query:")', "print(weights[0])"]
    lines += ['print("predictions")', "print(y_hat)"]
    if spec.trains:
        lines.append('print("w", w, "loss", losses[0], "->", losses[-1])')
    if spec.overlays:
        lines += ["for name, curve in overlays.items():", "    print(name)", "    print(curve)"]
    return lines
