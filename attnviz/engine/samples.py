"""Training and query points of a regression run."""

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.engine.errors import RunError
from attnviz.experiment.files import size_of_plain_file
from attnviz.experiment.functions import DOMAIN, evaluate
from attnviz.experiment.picture import read_only
from attnviz.experiment.regression import (
    FARTHEST,
    MAX_POINTS,
    BookData,
    FileData,
    PointsData,
    RegressionSpec,
    SyntheticData,
)
from attnviz.resources import resource

Vector = NDArray[np.float64]

MAX_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Samples:
    """Training points (K,), query points (Q,), and the noiseless function at the queries (NaN where unknown)."""

    x_train: Vector
    y_train: Vector
    x_test: Vector
    y_truth: Vector


def make_samples(spec: RegressionSpec) -> Samples:
    """Return the points of a spec.

    Raises:
        RunError: a file cannot be used; names the line.
    """
    x_test = spec.x_test.points()
    y_truth = np.full(len(x_test), np.nan)
    match spec.data:
        case BookData():
            x_train, y_train = _book_points()
            y_truth = evaluate("book", x_test)
        case SyntheticData() as data:
            x_train, y_train = _draw(data)
            y_truth = evaluate(data.function, x_test)
        case PointsData(x=x, y=y):
            x_train, y_train = np.array(x, dtype=np.float64), np.array(y, dtype=np.float64)
        case FileData(path=path):
            x_train, y_train = read_points(path)
    return Samples(x_train, y_train, x_test, y_truth)


def read_points(path: str) -> tuple[Vector, Vector]:
    """Return the two columns of a CSV file; a first line that is not numbers is a header.

    Raises:
        RunError: the file cannot be read, or a line is not two finite numbers; names the line.
    """
    if not path:
        raise RunError("no_file", "choose a CSV file with two columns, x and y")
    try:
        if size_of_plain_file(Path(path)) > MAX_BYTES:
            raise RunError(
                "too_large", f"{path} is larger than {MAX_BYTES >> 20} MiB, which {MAX_POINTS} points never are"
            )
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            points = _points_of(path, csv.reader(file))
    except OSError as error:
        raise RunError("unreadable", f"{path} cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise RunError("unreadable", f"{path} is not a CSV text file: {error}") from error
    if not points:
        raise RunError("no_points", f"{path} holds no points")
    x, y = np.array(points, dtype=np.float64).T
    return x, y


def _points_of(path: str, rows: Any) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = []
    first = True
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        point = _point(row)
        is_header, first = first and all(cell.strip()[:1].isalpha() for cell in row), False
        if point is None and is_header:
            continue
        if point is None:
            said = ",".join(row)[:60]
            raise RunError("bad_row", f"{path}, line {rows.line_num}: '{said}' is not two finite numbers")
        points.append(point)
        if len(points) > MAX_POINTS:
            raise RunError("too_many_points", f"{path} holds more than {MAX_POINTS} points")
    return points


def _point(row: list[str]) -> tuple[float, float] | None:
    try:
        x, y = (float(cell) for cell in row)
    except ValueError:
        return None
    return (x, y) if abs(x) <= FARTHEST and abs(y) <= FARTHEST else None


@cache
def _book_points() -> tuple[Vector, Vector]:
    document = json.loads(resource("data/kernel_regression_book.json").read_text(encoding="utf-8"))
    return read_only(np.array(document["x_train"])), read_only(np.array(document["y_train"]))


def _draw(data: SyntheticData) -> tuple[Vector, Vector]:
    """Return sorted uniform inputs and noisy outputs; the order of the draws is part of what the seed means."""
    generator = torch.Generator("cpu").manual_seed(data.seed)
    low, high = DOMAIN
    x = (
        torch.rand(data.n_train, generator=generator, dtype=torch.float64, device="cpu").sort().values * (high - low)
        + low
    )
    noise = torch.randn(data.n_train, generator=generator, dtype=torch.float64, device="cpu") * data.noise
    return x.numpy(), evaluate(data.function, x.numpy()) + noise.numpy()
