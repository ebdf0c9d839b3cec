"""The maths of a record as torch code: its function is called once on names, and writes its operations on them.

The code repeats the operations of `attnviz.attention.array_functions` one by one, so that its numbers are equal to
the last bit.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.functions.formula import FUNCTIONS, Functions


@dataclass(frozen=True, slots=True)
class Code:
    """An expression of the script, such as the name of a tensor, which a function takes in place of an array."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __neg__(self) -> "Code":
        return Code(f"(-{self})")

    def __abs__(self) -> "Code":
        return Code(f"{self}.abs()")

    def __add__(self, other: Any) -> "Code":
        return Code(f"({self} + {other})")

    def __radd__(self, other: Any) -> "Code":
        return Code(f"({other} + {self})")

    def __sub__(self, other: Any) -> "Code":
        return Code(f"({self} - {other})")

    def __rsub__(self, other: Any) -> "Code":
        return Code(f"({other} - {self})")

    def __mul__(self, other: Any) -> "Code":
        return Code(f"({self} * {other})")

    def __rmul__(self, other: Any) -> "Code":
        return Code(f"({other} * {self})")

    def __truediv__(self, other: Any) -> "Code":
        return Code(f"({self} / {other})")

    def __rtruediv__(self, other: Any) -> "Code":
        return Code(f"({other} / {self})")

    def __pow__(self, other: Any) -> "Code":
        return Code(f"({self} ** {other})")

    def __getitem__(self, index: Any) -> "Code":
        return Code(f"{self}[{', '.join(map(_index, index if isinstance(index, tuple) else (index,)))}]")

    def mean(self, *, axis: int, keepdims: bool) -> "Code":
        """Return the mean along an axis, with the arguments of numpy."""
        return Code(f"{self}.mean(dim={axis}, keepdim={keepdims})")


def _index(index: Any) -> str:
    if isinstance(index, slice):
        return ":".join("" if end is None else str(end) for end in (index.start, index.stop))
    return "..." if index is ... else str(index)


def _call(name: str) -> Callable[..., Code]:
    return lambda *values: Code(f"torch.{name}({', '.join(map(str, values))})")


WRITTEN: Functions = {
    **{name: _call(name) for name in FUNCTIONS.keys() - {"min", "max", "sign", "step", "box"}},
    "ln": _call("log"),
    "divide": lambda x, divisor: x / divisor,
    "pad": lambda x, value: Code(f"torch.nn.functional.pad({x}, (0, 1), value={value})"),
    "concatenate": lambda arrays, axis: Code(f"torch.cat([{', '.join(map(str, arrays))}], dim={axis})"),
    "softmax": lambda scores: Code(f"{scores}.softmax(dim=-1)"),
    "sigmoid": _call("sigmoid"),
}
"""The functions of `attnviz.attention.array_functions` that are one call in torch too."""


def tidy(code: Any) -> str:
    """Return an expression without the brackets that it does not need."""
    return re.sub(r"(?<=\de)-0", "-", ast.unparse(ast.parse(str(code), mode="eval")))
