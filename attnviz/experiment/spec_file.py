"""Specs in JSON files, with every error as a sentence."""

from dataclasses import replace
from pathlib import Path

from attnviz.experiment.files import size_of_plain_file, write_atomically
from attnviz.experiment.labs import Spec, SpecError, spec_from_json, spec_to_json
from attnviz.experiment.problems import Problem

MAX_BYTES = 8 << 20


def read_spec(path: Path) -> Spec:
    """Return the spec in a JSON file.

    Raises:
        SpecError: the file cannot be read, is too large, or holds no legal spec; the sentence names the file.
    """
    try:
        if size_of_plain_file(path) > MAX_BYTES:
            raise _unreadable(path, f"is larger than {MAX_BYTES >> 20} MiB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise _unreadable(path, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, "is not a text file") from error
    try:
        return spec_from_json(text)
    except SpecError as error:
        named = (replace(each, message=f"{path}: {each.message}") for each in error.problems)
        raise SpecError(tuple(named)) from error


def write_spec(spec: Spec, path: Path) -> None:
    """Write the spec as JSON; raises OSError when the place cannot be written, and then the old file is whole."""
    text = spec_to_json(spec)
    write_atomically(path, lambda file: file.write(text.encode()))


def _unreadable(path: Path, why: str) -> SpecError:
    return SpecError((Problem("", "unreadable", f"{path} {why}", {"path": str(path)}),))
