"""Specs in text files: reading and writing them with every error as a sentence, and the names proposed for files."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.labs import Spec, SpecError, spec_to_json
from attnviz.experiment.presets import presets
from attnviz.experiment.problems import Problem

MAX_BYTES = 8 << 20


def text_of(stream: BinaryIO, name: str) -> str:
    """Return the text in UTF-8 that a stream holds; ``name`` is what a sentence calls it.

    Raises:
        SpecError: it is too large, or no text.
        OSError: the stream cannot be read.
    """
    content: bytes | None = stream.read(MAX_BYTES + 1)
    if content is None:  # from a stream that was set not to wait
        raise unreadable(name, "cannot be read: nothing has come yet")
    if len(content) > MAX_BYTES:
        raise unreadable(name, f"is larger than {MAX_BYTES >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable(name, "is not a text file") from error


@contextmanager
def saying(name: str) -> Iterator[None]:
    """Put the name of a file in front of what is wrong in it, once for all of it."""
    try:
        yield
    except SpecError as error:
        first, *others = error.problems
        raise SpecError((replace(first, message=f"{name}: {first.message}"), *others)) from error


def write_spec(spec: Spec, path: Path) -> None:
    """Write the spec as JSON; raises OSError when the place cannot be written, and then the old file is whole."""
    text = spec_to_json(spec)
    write_atomically(path, lambda file: file.write(text.encode()))


def unreadable(name: str, why: str) -> SpecError:
    """Return the error of a file that cannot be read."""
    return SpecError((Problem("", "unreadable", f"{name} {why}", {"path": name}),))


def proposed_name(spec: Spec) -> str:
    """Return a file name without its ending, such as "multi-head-8-heads-causal"; a preset's is its own."""
    preset = next((each.name for each in presets().values() if each.spec == spec), None)
    if preset is not None:
        return preset
    return "-".join(part for part in spec.name_parts if part).replace("_", "-")
