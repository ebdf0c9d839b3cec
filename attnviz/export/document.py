"""Reading a document: a session, a spec, an exported figure or file of arrays, or the data of a lab."""

import errno
import sys
from pathlib import Path

from attnviz.definitions.formats import FORMATS
from attnviz.definitions.text import Text, quoted
from attnviz.experiment.fields.problems import Problem
from attnviz.experiment.files.arrays_file import CorruptFileError, spec_text_of
from attnviz.experiment.files.plain_files import (
    ON_WINDOWS,
    is_folder,
    is_of_another_machine,
    open_plain,
    size_of,
    write_atomically,
)
from attnviz.experiment.files.session import Session, session_from_json, session_or_spec_from_json, session_to_json
from attnviz.experiment.files.specs_in_files import saying, size_problem, text_of, unreadable, write_spec
from attnviz.experiment.labs import SpecError, is_no_model, lab_of_data, lab_of_folder, make_spec
from attnviz.export.embedded_session import LARGEST, carried_text, is_figure

ENDING = FORMATS["attnviz"].suffix
"""The suffix of session files."""


def read_document(path: Path, *, is_own: bool = False) -> Session:
    """Return the session of a file; a bare spec becomes a session with default settings.

    A file of a lab's data, or a folder that a lab accepts, becomes a spec for it with default values.

    Args:
        path: the file or folder.
        is_own: whether attnviz wrote it for itself, so that the user has chosen the files named in it.

    Raises:
        SpecError: it cannot be read, is too large, truncated, of a newer attnviz, or invalid, or it names a file of
            another machine; the message names the file and the position.
    """
    about_data = None if is_own else _session_about(path)
    if about_data is not None:
        return about_data
    session = _read(path)
    if not is_own:
        with saying(str(path)):
            _check_machines(session)
    return session.beside(path.absolute().parent)


def _session_about(path: Path) -> Session | None:
    """Return a session for a folder or a file of data; None if it is neither, or holds a session or spec."""
    of_folder = lab_of_folder(path)
    if of_folder is not None:
        lab, folder = of_folder
        return Session(spec=make_spec({"lab": lab.name, "folder": str(folder.absolute())}))
    of_data = lab_of_data(path)
    if of_data is None or holds_session(path):
        return None
    lab, data = of_data
    view = lab.view_type(page=data.page) if data.page else None
    return Session(spec=make_spec({"lab": lab.name, **data.alone, **data.values(path.absolute())}), view=view)


def holds_session(path: Path) -> bool:
    """Return whether a file with a data suffix is a session, spec or figure, or cannot be read at all."""
    try:
        with open_plain(path) as file:
            first = file.read(1024) or b""
        is_json = first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
        return is_json or is_figure(first) or spec_text_of(path) is not None
    except CorruptFileError:
        return False  # the run reports errors in the arrays
    except OSError:
        return True


_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")
"""The first bytes of PNG and JPEG files."""


def is_picture_alone(path: Path) -> bool:
    """Return whether a file is a PNG or JPEG image without a session; False if it cannot be read."""
    try:
        with open_plain(path) as file:
            return file.read(8).startswith(_SIGNATURES) and carried_text(file) is None
    except OSError:
        return False


def _check_machines(session: Session) -> None:
    """Reject files of other machines on Windows, where reading them would log in there with the user's name.

    Raises:
        SpecError: a spec of the session names one.
    """
    specs = [session.spec, *(pin.spec for pin in session.all_pins)]
    specs += [] if session.trained is None else [session.trained.spec]
    for spec in specs if ON_WINDOWS else ():
        for field, part in dict(spec).items():
            path, name = (part, field) if field in _PATHS else (getattr(part, "path", ""), f"{field}.path")
            if is_of_another_machine(path):
                sentence = (
                    "{field} {said} is on another machine, which attnviz does not contact; nearest: a copy on this one"
                )
                raise SpecError.of(name, "other_machine", sentence, field=name, said=quoted(path))


_PATHS = ("folder", "image")
"""The fields that are a path."""


def _read(path: Path) -> Session:
    name = str(path)
    if is_folder(path):
        raise SpecError((Problem("", "unreadable", is_no_model(path)),))
    try:
        if (spec := spec_text_of(path)) is not None:
            with saying(Text("the spec in {name}", {"name": name})):
                return session_or_spec_from_json(spec)
        with open_plain(path) as file:
            if size_of(file) > LARGEST:
                raise unreadable(name, "{name} is larger than {most} MiB", most=LARGEST >> 20)
            first = file.read(1024) or b""  # None if the read would block
            if not is_figure(first):
                file.seek(0)
                text = text_of(file, name)
                with saying(name):
                    return (session_from_json if path.suffix.lower() == ENDING else session_or_spec_from_json)(text)
            carried = carried_text(file)
    except OSError as error:
        raise unreadable(name, "{name} cannot be read: {why}", why=error.strerror or error) from error
    except CorruptFileError as error:
        raise unreadable(name, "{name}: {problem}", problem=error.text) from error
    if carried is None:
        raise unreadable(name, "{name} is a picture without an attnviz session, or is damaged")
    with saying(Text("the session in {name}", {"name": name})):
        return session_from_json(carried)


def read_standard_input() -> Session:
    """Return the session or bare spec on standard input; raises `SpecError` as `read_document`."""
    name = Text("standard input")
    if sys.stdin is None:
        raise unreadable(name, "{name} is closed")
    try:
        text = text_of(sys.stdin.buffer, name)
    except OSError as error:
        raise unreadable(name, "{name} cannot be read: {why}", why=error.strerror or error) from error
    with saying(name):
        session = session_or_spec_from_json(text)
        _check_machines(session)
        return session.beside(Path.cwd())


def write_bare_spec(session: Session, path: Path) -> None:
    """Write only the spec of a session; raises OSError as `write_session`."""
    write_spec(session.spec, path)


def write_session(session: Session, path: Path) -> None:
    """Write a session as a file.

    Raises:
        OSError: the path cannot be written, or the session is too large to be opened again; an older file is kept.
    """
    content = session_to_json(session).encode()
    problem = size_problem(content, Text("the session"))
    if problem:
        raise OSError(errno.EFBIG, problem, str(path))
    write_atomically(path, lambda file: file.write(content))
