"""The registry of labs: one row each. A lab is one name on four shelves.

``experiment/<name>.py`` holds its spec, a row in ``engine/labs.py`` its run, ``gui/labs/<name>.py`` its ``Room``,
and ``attention/`` its maths. To add one, write those, add a row to `LABS`, and its types to the unions below.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from attnviz.definitions.sentences import nearest_word, said
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.failure import Failure
from attnviz.experiment.problems import Problem, problems_of, too_many_fields
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import Study, StudyTrace
from attnviz.experiment.regression.trace import RegressionTrace

Spec = AttentionSpec | RegressionSpec
Asked = Spec | Study
"""What the engine can be asked to run: a lab's spec, or a question beside one."""
Trace = AttentionTrace | RegressionTrace
RunEvent = Trace | Failure[Spec]
"""What comes out of a lab's run."""
Event = RunEvent | StudyTrace | Failure[Asked]
"""What comes out of the engine."""


@dataclass(frozen=True, slots=True)
class Lab:
    """One kind of experiment and its screen."""

    name: str
    title: str
    spec_type: type[AttentionSpec] | type[RegressionSpec]
    opening_preset: str
    """What the lab shows when it is entered for the first time."""


LABS: dict[str, Lab] = {
    lab.name: lab
    for lab in (
        Lab("attention", "Attention", AttentionSpec, "causal-sentence"),
        Lab("regression", "Kernel regression", RegressionSpec, "kernel-learned"),
    )
}


class SpecError(ValueError):
    """A spec that is not legal; its sentence names the first problem, `problems` has all."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.message for problem in problems[:3]))
        self.problems = problems


def make_spec(values: Mapping[str, Any]) -> Spec:
    """Return the validated spec of these values; ``lab`` says which kind, attention when it is not given.

    Raises:
        SpecError: a value is illegal, or two clash.
    """
    name = values.get("lab", "attention")
    if not isinstance(name, str) or name not in LABS:
        message = f"lab {said(name)} must be one of {', '.join(LABS)}{nearest_word(name, LABS)}"
        raise SpecError((Problem("lab", "no_such_lab", message, {"value": name}),))
    wide = too_many_fields(values)
    if wide is not None:
        raise SpecError((wide,))
    spec_type = LABS[name].spec_type
    try:
        spec = spec_type.model_validate(dict(values))
    except ValidationError as error:
        raise SpecError(problems_of(error, spec_type)) from error
    except ValueError as error:
        raise SpecError((Problem("", "unreadable_value", f"a value cannot be read: {error}", {}),)) from error
    # The names of the fields that were given would be most of what a step of undo holds on to.
    object.__setattr__(spec, "__pydantic_fields_set__", _shared(frozenset(spec.model_fields_set)))
    return spec


@lru_cache(maxsize=64)
def _shared(given: frozenset[str]) -> set[str]:
    """Return one set for all specs that were made from the same fields; pydantic copies it before a change."""
    return set(given)


def spec_to_json(spec: Spec) -> str:
    """Return the spec as readable JSON, which `session_or_spec_from_json` takes back."""
    return spec.model_dump_json(indent=2) + "\n"
