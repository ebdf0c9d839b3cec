"""Specs in JSON files, with every error as a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from attnviz.experiment.files import open_plain, write_atomically
from attnviz.experiment.labs import Spec, SpecError, spec_from_json, spec_to_json
from attnviz.experiment.problems import Problem

MAX_BYTES = 8 << 20


def read_spec(path: Path) -> Spec:
    """Return the spec in a JSON file.

    Raises:
        SpecError: the file cannot be read, is too large, or holds no legal spec; the sentence names the file.
    """
    try:
        with open_plain(path) as file:
            return read_spec_from(file, str(path))
    except OSError as error:
        raise unreadable(str(path), f"cannot be read: {error.strerror or error}") from error


def read_spec_from(stream: BinaryIO, name: str) -> Spec:
    """Return the spec that a stream holds as JSON in UTF-8; ``name`` is what a sentence calls it.

    Raises:
        SpecError: it is too large, no text, or no legal spec.
        OSError: the stream cannot be read.
    """
    text = text_of(stream, name)
    with saying(name):
        return spec_from_json(text)


def text_of(stream: BinaryIO, name: str) -> str:
    """Return the text in UTF-8 that a stream holds; raises as `read_spec_from`."""
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
    """Put the name of a file in front of what is wrong in it."""
    try:
        yield
    except SpecError as error:
        raise SpecError(tuple(replace(each, message=f"{name}: {each.message}") for each in error.problems)) from error


def write_spec(spec: Spec, path: Path) -> None:
    """Write the spec as JSON; raises OSError when the place cannot be written, and then the old file is whole."""
    text = spec_to_json(spec)
    write_atomically(path, lambda file: file.write(text.encode()))


def unreadable(name: str, why: str) -> SpecError:
    """Return the error of a file that cannot be read."""
    return SpecError((Problem("", "unreadable", f"{name} {why}", {"path": name}),))
