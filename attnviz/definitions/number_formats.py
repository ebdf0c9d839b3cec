"""The dtypes that a run computes in (precision on screen)."""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A floating-point dtype, by its name in numpy and torch."""

    name: str
    bytes: int
    wider: English
    """The remedy if its numbers overflow."""

    @property
    def title(self) -> str:
        """Its name."""
        return self.name

    @property
    def is_half(self) -> bool:
        """Whether it has 16 bits, so that a softmax may be computed in float32; numpy gets it as float32."""
        return self.bytes == 2


NUMBER_FORMATS: Registry[NumberFormat] = Registry(
    "number format",
    (
        NumberFormat("float32", 4, "float64 reaches further"),
        NumberFormat("float64", 8, "smaller inputs help"),
        NumberFormat("bfloat16", 2, "float64 reaches further"),
        NumberFormat("float16", 2, "bfloat16 and float32 reach further"),
    ),
)


def is_half(name: object) -> bool:
    """Return whether a (possibly invalid) name is that of a 16-bit dtype."""
    record = NUMBER_FORMATS.get(name) if isinstance(name, str) else None
    return record is not None and record.is_half
