"""The base of all labs' studies: a study examines the run of a spec, on demand, and has one result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from attnviz.definitions.text import Text


class StudyOf(BaseModel):
    """A study of a spec; a lab's studies narrow ``of`` and add fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    of: Any

    @property
    def lab(self) -> str:
        """The lab whose room shows it."""
        return str(self.of.lab)

    @property
    def device(self) -> str:
        """The device it runs on."""
        return str(self.of.device)

    @property
    def trains(self) -> bool:
        """Whether it has several steps: never."""
        return False


@dataclass(frozen=True, eq=False)
class StudyResult:
    """The common part of every study's result."""

    @property
    def warning(self) -> Text:
        """See `attnviz.experiment.bases.TraceBase.warning`."""
        return Text()

    if TYPE_CHECKING:

        @property
        def spec(self) -> Any:
            """The study."""

    @property
    def final(self) -> bool:
        """Whether no further event of the same run follows: always."""
        return True

    def values(self) -> Mapping[str, Any]:
        """Return the values for the expressions of lessons: none."""
        return {}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that it adds to a file of its run, by name: none."""
        return {}

    def prepare(self, watched: str = "") -> None:
        """Compute what the screen will need: nothing."""
