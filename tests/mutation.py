"""Break the source in a few places, one at a time, and see whether a test fails.

usage: python -m tests.mutation [--seed N] [--places N] [--near]

In a clean checkout, with the test extra installed. The places are picked by a seeded generator, as many in each layer:
a comparison, a sign, a number, a condition. Each is broken alone. The tests that name its module and those of its
folder run first, then those of its layer, then (but for --near) the short suite; the first failure ends it. A selection
runs once unbroken first, and the command ends if a test of it fails: it would be counted as one that sees. One line for
each place says what was broken and which test saw it, or that none did. The source is put back.
"""

import argparse
import ast
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("definitions", "attention", "experiment", "engine", "export", "gui")
_COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_SIGNS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.And: "or", ast.Or: "and"}
_PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header"]


@dataclass(frozen=True)
class Place:
    """One place of the source, and what is written there instead."""

    path: Path
    line: int
    start: int
    end: int
    instead: str

    def broken(self) -> str:
        """Return the file's text with the place broken."""
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        raw = lines[self.line - 1].encode()
        lines[self.line - 1] = (raw[: self.start] + self.instead.encode() + raw[self.end :]).decode()
        return "".join(lines)

    def __str__(self) -> str:
        line = self.path.read_text(encoding="utf-8").splitlines()[self.line - 1].encode()
        was = line[self.start : self.end].decode()
        return f"{self.path.relative_to(ROOT)}:{self.line}: {was.strip()} -> {self.instead.strip()}"


def places_of(path: Path) -> list[Place]:
    """Return the places of a file that can be broken, each on one line."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    found: list[Place] = []

    def between(left: ast.expr, right: ast.expr, instead: str) -> None:
        if left.end_lineno == right.lineno and left.end_lineno is not None and left.end_col_offset is not None:
            gap = lines[left.end_lineno - 1].encode()[left.end_col_offset : right.col_offset]
            if gap.strip(b" ") and not set(gap) & set(b"()[],"):
                found.append(Place(path, left.end_lineno, left.end_col_offset, right.col_offset, f" {instead} "))

    for node in _outside_decorators(ast.parse(text)):
        match node:
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                between(left, right, _COMPARED[type(sign)])
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
                between(left, right, _SIGNS[type(sign)])
            case ast.BoolOp(op=sign, values=[left, right]):
                between(left, right, _SIGNS[type(sign)])
            case ast.Constant(value=int() as number) if number in (0, 1, 2) and not isinstance(number, bool):
                if node.end_col_offset is not None:
                    found.append(Place(path, node.lineno, node.col_offset, node.end_col_offset, str(number + 1)))
            case ast.Constant(value=bool() as flag) if node.end_col_offset is not None:
                found.append(Place(path, node.lineno, node.col_offset, node.end_col_offset, str(not flag)))
            case ast.UnaryOp(op=ast.Not()):
                found.append(Place(path, node.lineno, node.col_offset, node.col_offset + len("not"), ""))
    return found


def _outside_decorators(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree but for those of decorators: a dataclass that is not frozen fails no honest test."""
    yield tree
    skipped = getattr(tree, "decorator_list", [])
    for child in ast.iter_child_nodes(tree):
        if child not in skipped:
            yield from _outside_decorators(child)


def picked(seed: int, count: int) -> list[Place]:
    """Return as many places of each layer, from as many files as possible."""
    chance = random.Random(seed)
    places: list[Place] = []
    while len(places) < count:
        files = sorted((ROOT / "attnviz" / LAYERS[len(places) % len(LAYERS)]).rglob("*.py"))
        options: list[Place] = []
        while not options:
            options = places_of(chance.choice(files))
        place = chance.choice(options)
        if place not in places:
            places.append(place)
    return places


def tests_of(place: Place) -> list[tuple[str, ...]]:
    """Return the selections to run, the likeliest first."""
    module = ".".join(place.path.relative_to(ROOT).with_suffix("").parts)
    package = module.rpartition(".")[0]
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    near = [str(path) for path in files if module in texts[path] or f"{place.path.stem}" in path.stem]
    layer = place.path.relative_to(ROOT / "attnviz").parts[0]
    mirror = ROOT / "tests" / place.path.parent.relative_to(ROOT / "attnviz")
    while not mirror.is_dir():
        mirror = mirror.parent
    if mirror != ROOT / "tests" / layer:
        near += [str(path) for path in sorted(mirror.glob("test_*.py")) if str(path) not in near]
    farther = [str(path) for path in files if package in texts[path] and str(path) not in near]
    return [tuple(selection) for selection in (near, [f"tests/{layer}"], farther, ["tests"]) if selection]


def failure_among(selection: tuple[str, ...]) -> str:
    """Return the first test of a selection that fails, or nothing."""
    workers = ["-n", "2", "--dist", "worksteal"] if selection == ("tests",) else []
    # A file broken and put back within a second could otherwise leave the broken one's bytecode to later runs.
    alone = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*_PYTEST, *workers, *selection]
    done = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=False)
    if done.returncode in (0, 5):
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else f"exit code {done.returncode}"


@cache
def check_unbroken(selection: tuple[str, ...]) -> None:
    """End the command if a test of a selection fails while nothing is broken."""
    if failed := failure_among(selection):
        sys.exit(f"a test fails on the unbroken source: {failed}")


def seen_by(place: Place, *, near: bool) -> str:
    """Break a place, run tests until one fails, put the source back, and return the test's name or nothing."""
    original = place.path.read_text(encoding="utf-8")
    for selection in tests_of(place)[: 2 if near else None]:
        check_unbroken(selection)
        try:
            place.path.write_text(place.broken(), encoding="utf-8")
            failed = failure_among(selection)
        finally:
            place.path.write_text(original, encoding="utf-8")
        if failed:
            return failed
    return ""


def main() -> int:
    """Break the places and print what saw each; return 1 where nothing did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--places", type=int, default=30)
    parser.add_argument("--near", action="store_true")
    options = parser.parse_args()
    unseen = 0
    for number, place in enumerate(picked(options.seed, options.places), 1):
        began = time.monotonic()
        what, test = str(place), seen_by(place, near=options.near)
        unseen += not test
        print(f"{number:2} {time.monotonic() - began:5.0f} s  {what}\n        {test or 'SURVIVED'}", flush=True)
    print(f"{options.places - unseen} of {options.places} were seen")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
