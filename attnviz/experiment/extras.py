"""Further numbers of a run, which a file of arrays has beside the trace's own if they are named: studies of a run."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.text import English, Refused, nearest_word, quoted
from attnviz.experiment.labs import LABS
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.study import StudyOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """One of them: a row of its lab's registry. Its arrays are those of the study's result."""

    name: str
    """On the command line and in Python."""
    title: English
    ignores: English
    """What its numbers do not tell, in one sentence."""
    arrays: tuple[str, ...]
    """The names of the arrays that the study's result has."""
    study: Callable[[Any], StudyOf]
    """Returns the study of a trace's run."""
    scalars: Callable[[Any], tuple[Scalar, ...]] | None = None
    """Returns the columns that it adds to a sweep of a spec, each a number of the study's result; None: it adds none.
    """


def extras_of(lab: str, names: Iterable[str]) -> tuple[Extra, ...]:
    """Return the extras of a lab by their names, each once.

    Raises:
        Refused: the lab has none, or none of that name; names the legal ones.
    """
    known, chosen = LABS[lab].extras, dict.fromkeys(names)
    for name in chosen:
        if not known:
            others = ", ".join(each for each, row in LABS.items() if row.extras)
            sentence = "{said} cannot be added to a run of the lab {lab}; nearest: the lab {others}"
            raise Refused(sentence, said=quoted(name), lab=lab, others=others)
        if name not in known:
            sentence = "{said} cannot be added to a run; it must be one of {known}{near}"
            raise Refused(sentence, said=quoted(name), known=", ".join(known), near=nearest_word(name, known))
    return tuple(known[name] for name in chosen)


def extras_of_sweep(lab: str, names: Iterable[str]) -> tuple[Extra, ...]:
    """Return the extras of a lab that add columns to a sweep; raises as `extras_of`, also for those that add none."""
    extras = extras_of(lab, names)
    for extra in extras:
        if extra.scalars is None:
            able = ", ".join(name for name, each in LABS[lab].extras.items() if each.scalars is not None)
            sentence = "{said} has no number for each run of a sweep; nearest: {able}"
            raise Refused(sentence, said=quoted(extra.name), able=able)
    return extras
