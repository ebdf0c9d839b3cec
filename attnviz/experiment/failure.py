"""Why a run ended without a trace."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

SpecT_co = TypeVar("SpecT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Failure(Generic[SpecT_co]):
    """A failed run: the spec, a code, the sentence for the user, and the numbers in it."""

    spec: SpecT_co
    code: str
    message: str
    numbers: Mapping[str, Any] = field(default_factory=dict)
