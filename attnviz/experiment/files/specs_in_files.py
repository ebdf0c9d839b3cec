"""Specs in text files: the presets of resources/presets, and files that users read and write.

Every example of Zhang et al. is a preset, with a seeded random twin. Every error in a file is reported as a message.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from attnviz.definitions.labs import FIRST_LAB
from attnviz.definitions.text import English, Text, nearest_word, quoted
from attnviz.experiment.fields.problems import Problem
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.files.session import FORMAT, Session, session_of
from attnviz.experiment.labs import LABS, Spec, SpecError, spec_to_json
from attnviz.folders import resource


@dataclass(frozen=True, eq=False)
class Preset:
    """A named example."""

    name: str
    number: int
    """Its position in the material, counted from 1."""
    lab: str
    chapter: English
    """The title of its chapter; presets of one chapter follow each other."""
    title: English
    about: English
    """One sentence about what it shows."""
    knob: str
    """The field of its spec to change in front of an audience."""
    values: Mapping[str, Any]
    """The spec and the view settings in its file."""

    @cached_property
    def session(self) -> Session:
        """Its spec and all view settings: those of its file, and the lab's defaults for the others.

        Raises:
            SpecError: its spec is invalid, or its field ``knob`` has no effect there.
        """
        session = session_of({"format": FORMAT, **self.values})
        active = type(session.spec).active_fields(vars(session.spec))
        if self.knob not in active:
            words = {"said": quoted(self.knob), "name": self.name, "near": nearest_word(self.knob, active)}
            raise SpecError.of("knob", "no_such_knob", "{said} is no active field of preset {name}{near}", **words)
        return session

    @property
    def spec(self) -> Spec:
        """Its spec."""
        return self.session.spec


@cache
def presets() -> dict[str, Preset]:
    """Return every preset by name, in the order of the material."""
    documents = [
        (path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(resource("presets").glob("*.json"))
    ]
    documents.sort(key=lambda item: item[1]["order"])
    return {name: _preset(name, number, document) for number, (name, document) in enumerate(documents, start=1)}


def _preset(name: str, number: int, document: dict[str, Any]) -> Preset:
    lab = document["spec"].get("lab", FIRST_LAB)
    chapter, title, about, knob = (document[field] for field in ("chapter", "title", "about", "knob"))
    values = {"spec": document["spec"], "view": document.get("view", {})}
    return Preset(name, number, lab, chapter, title, about, knob, values)


def preset(name: str) -> Preset:
    """Return the preset with that name.

    Raises:
        SpecError: there is no such preset; the message names the nearest, or how to list them.
    """
    known = presets()
    if name not in known:
        near = nearest_word(name, known) or Text("; 'attnviz presets' lists them")
        raise SpecError.of("preset", "no_such_preset", "there is no preset {said}{near}", said=quoted(name), near=near)
    return known[name]


def preset_of(spec: Spec) -> Preset | None:
    """Return the preset that a spec equals; None for the user's own."""
    return _presets_by_spec(spec.lab).get(spec)


def nearest_preset(spec: Spec, most: int) -> Preset | None:
    """Return the preset of its lab that differs from a spec in the fewest fields; None if all exceed ``most``.

    The window calls this at every change of a field, so the presets' fields are cached, and differences are counted
    only up to those of the nearest preset so far.
    """
    values, active = vars(spec), type(spec).active_fields(vars(spec))
    nearest, fewest = None, most + 1
    for candidate, theirs in _presets_of(spec.lab):
        own = vars(candidate.spec)
        differing = (name for name in active | theirs if own[name] != values[name])
        count = sum(1 for _ in islice(differing, fewest))
        if count < fewest:
            nearest, fewest = candidate, count
    return nearest


@cache
def _presets_of(lab: str) -> tuple[tuple[Preset, frozenset[str]], ...]:
    """Return the presets of a lab, each with the fields of its spec that have an effect."""
    of_lab = (each for each in presets().values() if each.lab == lab)
    return tuple((each, type(each.spec).active_fields(vars(each.spec))) for each in of_lab)


@cache
def _presets_by_spec(lab: str) -> dict[Spec, Preset]:
    return {each.spec: each for each, _ in reversed(_presets_of(lab))}


def opening_session(lab: str) -> Session:
    """Return the session of a lab that is opened without a spec: its opening preset."""
    return preset(LABS[lab].opening_preset).session


MAX_BYTES = 8 << 20
"""The limit of a text in bytes, without the arrays in it."""
MOST_PACKED = 96 << 20
"""The limit of the arrays in a text in bytes, as in a session with a trained model."""
_PACKED = re.compile(rb'"[A-Za-z0-9+/=]{4096,}')
"""Matches a packed array: one long text, which is parsed quickly, unlike as many bytes of anything else."""


def size_problem(content: bytes, name: Text | str) -> Text:
    """Return a message about the size of a text with a name; empty if it is acceptable."""
    packed = sum(len(match[0]) for match in _PACKED.finditer(content))
    if len(content) - packed > MAX_BYTES:
        return Text("{name} is larger than {most} MiB", {"name": name, "most": MAX_BYTES >> 20})
    most = {"name": name, "most": MOST_PACKED >> 20}
    return Text("{name} has arrays of more than {most} MiB", most) if packed > MOST_PACKED else Text()


def text_of(stream: BinaryIO, name: Text | str) -> str:
    """Return the UTF-8 text in a stream; ``name`` is its name in messages.

    Raises:
        SpecError: it is too large, or no text.
        OSError: the stream cannot be read.
    """
    content: bytes | None = stream.read(MAX_BYTES + 1)
    if content is None:  # a non-blocking stream without data
        raise unreadable(name, "{name} cannot be read: no data has arrived yet")
    problem = size_problem(content, name)
    if not problem and len(content) > MAX_BYTES:
        content += stream.read(MOST_PACKED + 1) or b""
        problem = size_problem(content, name)
    if problem:
        raise SpecError((Problem("", "unreadable", problem),))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable(name, "{name} is not a text file") from error


@contextmanager
def saying(name: Text | str) -> Iterator[None]:
    """Prefix errors with the name of a file, once for all of them."""
    try:
        yield
    except SpecError as error:
        first, *others = error.problems
        named = Text("{name}: {problem}", {"name": name, "problem": first.text})
        raise SpecError((replace(first, text=named), *others)) from error


def write_spec(spec: Spec, path: Path) -> None:
    """Write the spec as JSON; raises OSError if the file cannot be written, and keeps the old one."""
    text = spec_to_json(spec)
    write_atomically(path, lambda file: file.write(text.encode()))


def unreadable(name: Text | str, template: English, /, **values: Any) -> SpecError:
    """Return the error of a file that cannot be read; its text has the ``name``."""
    return SpecError.of("", "unreadable", template, name=name, **values)


def proposed_name(spec: Spec) -> str:
    """Return a file name without its suffix, such as "multi-head-8-heads-causal-seed-7"; a preset's is its own."""
    preset = preset_of(spec)
    if preset is not None:
        return preset.name
    return "-".join(part for part in spec.name_parts if part).replace("_", "-")
