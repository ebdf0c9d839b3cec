"""The named examples, from resources/presets/*.json: every example of the textbook and its seeded random twin."""

import json
from dataclasses import dataclass
from functools import cache

from attnviz.definitions.sentences import nearest_word, said
from attnviz.experiment.labs import LABS, Spec, SpecError, make_spec
from attnviz.experiment.problems import Problem
from attnviz.resources import resource


@dataclass(frozen=True, slots=True)
class Preset:
    """A named example."""

    name: str
    title: str
    about: str
    spec: Spec


@cache
def presets() -> dict[str, Preset]:
    """Return every preset by name, in the order of a lecture."""
    documents = [
        (path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(resource("presets").glob("*.json"))
    ]
    documents.sort(key=lambda item: item[1]["order"])
    return {
        name: Preset(name, document["title"], document["about"], make_spec(document["spec"]))
        for name, document in documents
    }


def preset(name: str) -> Preset:
    """Return the preset of that name.

    Raises:
        SpecError: there is no such preset; the sentence names the nearest, or how to list them.
    """
    known = presets()
    if name not in known:
        near = nearest_word(name, known) or "; 'attnviz presets' lists them"
        message = f"there is no preset {said(name)}{near}"
        raise SpecError((Problem("preset", "no_such_preset", message, {"value": name}),))
    return known[name]


def opening_spec(lab: str) -> Spec:
    """Return the spec shown when a lab is first opened."""
    name = LABS[lab].opening_preset
    return preset(name).spec if name else make_spec({"lab": lab})
