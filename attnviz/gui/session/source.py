"""Where sessions are from: which one the window holds, and which one stands in a file."""

from pathlib import Path
from typing import NamedTuple

from attnviz.experiment.labs import Spec
from attnviz.export.document import ENDING
from attnviz.gui.session.parts import Work


class Home(NamedTuple):
    """Where a session is from, and what of it is safe there."""

    number: int = 0
    """Which session of the window it is: what ends late, such as a save, belongs to one and not to the next."""
    path: Path | None = None
    """The file that it is in; a figure or a bare spec that was opened is none."""
    name: str = ""
    """What it is called as long as it has no file."""
    saved: Work | None = None
    """Its work as it stands in the file, or as it began."""


class Saved(NamedTuple):
    """A session that is written to a file, or is to be."""

    path: Path
    work: Work
    number: int
    """Of the session, see `Home`."""


class Homes:
    """The home of the session in the window, among those of the sessions before it."""

    def __init__(self, work: Work) -> None:
        self.now = Home(saved=work)
        self._count = 0
        self._in_file: dict[Path, int] = {}  # the number of the session that was last read from a file, or written to

    def begin(self, source: Path | None, work: Work) -> None:
        """Begin a session that is from a file, or from none."""
        self._count += 1
        path = source.absolute() if source is not None and source.suffix.lower() == ENDING else None
        self.now = Home(self._count, path, "" if source is None else source.stem, work)
        if path is not None:
            self._in_file[path] = self._count

    def come_back(self, home: Home) -> None:
        """Go to a session that was left; where its file holds another by now, it has none, and nothing is saved."""
        if home.path is not None and self._in_file.get(home.path) != home.number:
            home = home._replace(path=None, name=home.path.stem, saved=None)
        self.now = home

    def take_saved(self, saved: Saved) -> bool:
        """Note that a session is in a file, and return whether it is still the one in the window."""
        self._in_file[saved.path] = saved.number
        if saved.number != self.now.number:
            return False  # another session does not inherit the file
        self.now = self.now._replace(path=saved.path, name=saved.path.stem, saved=saved.work)
        return True

    def note_unsaved(self) -> None:
        """Note that nothing of the session is safe."""
        self.now = self.now._replace(saved=None)

    def take_device(self, before: Spec, now: Spec) -> None:
        """Note that the spec runs on another device than before: that is nothing to save."""
        saved = self.now.saved
        if saved is not None and saved.spec == before:
            self.now = self.now._replace(saved=saved._replace(spec=now))
