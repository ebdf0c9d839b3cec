"""Python source composed line by line: no line is too long, and user text occurs only inside literals."""

import io
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from string import Template
from typing import NamedTuple

WIDTH = 100
"""The longest line of a script."""

PRINTED = 1000
"""The most numbers that torch prints without abbreviation."""

_INDENT = "    "
_DEFINITIONS = ("def ", "class ")
_PIECE = 80
_SIGNS = ("+", "-", "*", "/", "**", ">=")


class Script(NamedTuple):
    """The parts of a PyTorch script."""

    words: list[str]
    """Lines that describe the experiment."""
    imports: list[str]
    blocks: list[str]


_ONE_ORDER = [
    "# MKL, torch's matrix library on x86, reads this at the first product: always sum in the same order.",
    'os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")',
]
"""The setting that a run uses too (see `attnviz`); without it the last bits differ."""
ALL_CORES, ALL_BUT_ONE, ONE_THREAD = "os.cpu_count() or 2", "max(1, (os.cpu_count() or 2) - 1)", "1"
"""Numbers of threads, as code."""
_WHY_THREADS = "# The order of some sums depends on the number of threads; attnviz has this number too."


def imports(
    standard: Iterable[str] = (),
    further: Iterable[str] = (),
    *,
    nn: bool,
    threads: str = ALL_BUT_ONE,
    of_torch: Iterable[str] = (),
) -> list[str]:
    """Return the first lines of a script that sums: imports, the order of sums, and its run's number of threads."""
    libraries = [*further, "import torch", *(["from torch import nn"] * nn), *of_torch]
    threads_taken = ["", _WHY_THREADS, f"torch.set_num_threads({threads})"]
    return [*sorted([*standard, "import os"]), "", *_ONE_ORDER, "", *libraries, *threads_taken]


def below_each_other(blocks: Iterable[str]) -> str:
    """Return blocks as a file: two blank lines around a definition, one between others."""
    text, before = "", ""
    for block in blocks:
        is_beside_definition = f"{block} ".startswith(_DEFINITIONS) or before.startswith(_DEFINITIONS)
        text += ("\n\n\n" if is_beside_definition else "\n\n") if text else ""
        text, before = text + block, block
    return f"{text}\n" if text else ""


def chosen(template: str, parts: Mapping[str, object]) -> str:
    """Return a template of code with its parts filled in, as ``$name``; the lines of a part are indented as its first.

    A line that ends with ``  #? name, not other`` is left out unless the first part is true and the other is not.
    """
    lines = []
    for line in template.split("\n"):
        code, _, conditions = line.partition("  #? ")
        wanted = ((each.removeprefix("not "), not each.startswith("not ")) for each in conditions.split(", ") if each)
        if all(bool(parts[name]) is is_true for name, is_true in wanted):
            indent = code[: len(code) - len(code.lstrip())]
            lines += [indent + each if each else "" for each in Template(code.strip()).substitute(parts).split("\n")]
    return "\n".join(lines)


def definition(head: str, docstring: str, body: Iterable[str]) -> str:
    """Return a function or class: its first line, a one-line docstring (or none) and its lines, indented."""
    lines = [f'"""{docstring}"""'] if docstring else []
    return "\n".join([f"{head}:", *indented([*lines, *body])])


def indented(lines: Iterable[str]) -> list[str]:
    """Return lines (some strings may hold several) indented by one step; blank ones stay blank."""
    return [_INDENT + line if line else "" for many in lines for line in many.split("\n")]


def filled(head: str, pieces: Sequence[str], tail: str, width: int = WIDTH) -> str:
    """Return ``head pieces tail`` on one line, or with the pieces on separate lines between the brackets."""
    one_line = head + "".join(pieces) + tail
    if len(one_line) <= width:
        return one_line
    return "\n".join([head, *indented(_lines(pieces, width - len(_INDENT))), tail])


def expression(head: str, text: str, width: int = WIDTH) -> str:
    """Return ``head text``, in brackets over several lines if it is too long for one."""
    return head + text if len(head + text) <= width else filled(f"{head}(", _tokens(text), ")", width)


def joined(head: str, each: str, loop: str, width: int = WIDTH) -> str:
    """Return the line or lines that concatenate a loop's results for each block."""
    one_line = f"{head}torch.cat([{each} {loop}])"
    return one_line if len(one_line) <= width else "\n".join([f"{head}torch.cat([", *indented([each, loop]), "])"])


def vector(name: str, values: Iterable[object]) -> str:
    """Return the line or lines that create a tensor from numbers or rows of numbers, with all digits."""
    return filled(f"{name} = torch.tensor([", listed(_numbers(values)), "])")


def listed(items: Iterable[str]) -> list[str]:
    """Return the items of a list as pieces for `filled`."""
    each = list(items)
    return [f"{item}, " for item in each[:-1]] + each[-1:]


def string(head: str, text: str, tail: str = "") -> str:
    """Return ``head``, which ends with an opening bracket, a text as a literal, and ``tail``."""
    return filled(head, _literals(text), tail)


def literal(text: str) -> str:
    """Return a text as one Python literal, in the quotes that need fewer escapes, fully escaped."""
    written = repr(text)
    return f'"{written[1:-1]}"' if written[0] == "'" and '"' not in written and "'" not in text else written


def _literals(text: str) -> list[str]:
    """Return a text as string literals that Python concatenates, each of one line of it or of a part of one."""
    found = []
    for line in text.splitlines(keepends=True):
        start = 0
        while start < len(line):
            size = _PIECE
            while len(written := literal(line[start : start + size])) > _PIECE and size > 1:
                size //= 2  # an escape takes up to ten characters for one of the text's
            found.append(written)
            start += size
    return found or ['""']


def _lines(pieces: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines, each with as many pieces as fit."""
    line = ""
    for piece in pieces:
        if line and len(line) + len(piece.rstrip()) > width:
            yield line.rstrip()
            line = ""
        line += piece
    yield line.rstrip()


def _tokens(text: str) -> list[str]:
    """Return an expression split where a bracketed line may break: before operators and after brackets."""
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.string.strip()]
    starts = [0]
    for before, token in pairwise(tokens):
        is_before_sign = token.string in _SIGNS and before.string not in _SIGNS
        if is_before_sign or before.string in ("(", ",") or before.string == token.string == ")":
            starts.append(token.start[1])
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _numbers(values: Iterable[object]) -> Iterator[str]:
    """Yield numbers as code; a row of them has brackets, and may span several lines."""
    for value in values:
        row = [repr(number) for number in value] if isinstance(value, tuple) else [repr(value)]
        if isinstance(value, tuple):
            row[0], row[-1] = f"[{row[0]}", f"{row[-1]}]" if len(row) > 1 else f"[{row[0]}]"
        yield from row


SPLIT_HEADS = definition(
    "def split_heads(x, num_heads)",
    "(batch, length, hiddens) -> (batch, heads, length, hiddens / heads)",
    ["return x.reshape(*x.shape[:2], num_heads, -1).transpose(1, 2)"],
)
MERGE_HEADS = definition(
    "def merge_heads(x)",
    "(batch, heads, length, hiddens / heads) -> (batch, length, hiddens)",
    ["return x.transpose(1, 2).flatten(2)"],
)
