"""The switch of the overview that names heads by their roles over many texts."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox

from attnviz.experiment.sweeps.files import ValueFile
from attnviz.experiment.sweeps.roles import RolesOverRuns, fingerprint_of
from attnviz.gui.run.background import Background
from attnviz.gui.widgets.labels import as_plain


class CorpusBox(QCheckBox):
    """Says how many texts the roles are of, and whether their file has changed since."""

    def __init__(self) -> None:
        super().__init__()
        self._corpus: RolesOverRuns | None = None
        self._now: str | None = None  # the fingerprint of the file; "" if it cannot be read, None before it was
        self._reading = Background(self)
        self._reading.done.connect(self._take)
        self.hide()

    def show_corpus(self, corpus: RolesOverRuns | None) -> None:
        """Offer roles over many texts; None hides the switch. The file is read once, outside the window's thread."""
        self.setVisible(corpus is not None)
        if corpus is None or corpus is self._corpus:
            return
        self._corpus, self._now = corpus, None
        if corpus.file:
            self._reading.start(lambda: (corpus, _fingerprint_in(corpus.file)), instead=True)
        self._say()

    @property
    def is_changed(self) -> bool:
        """Whether the file now has other texts."""
        return self._corpus is not None and bool(self._now) and self._now != self._corpus.fingerprint

    @Slot(object)
    def _take(self, read: tuple[RolesOverRuns, str]) -> None:
        corpus, now = read
        if corpus is self._corpus:
            self._now = now
            self._say()

    def _say(self) -> None:
        corpus = self._corpus
        assert corpus is not None
        said = self.tr("Roles: {0} texts (changed)") if self.is_changed else self.tr("Roles: {0} texts")
        self.setText(said.format(f"{corpus.runs:,}"))
        tip = self.tr(
            "The map names heads by the role in which they stand out in most of these texts; the large head and the "
            "inspector are of the text on screen."
        )
        if self.is_changed:
            tip += " " + self.tr("{0} now has other texts than those that were measured.").format(corpus.file)
        elif corpus.file and self._now == "":
            tip += " " + self.tr("{0} cannot be read now.").format(corpus.file)
        elif corpus.file:
            tip += f" {corpus.file}"
        self.setToolTip(as_plain(tip))


def _fingerprint_in(file: str) -> str:
    """Return the fingerprint of the texts in a file; "" if it cannot be read."""
    try:
        return fingerprint_of(value for _, value in ValueFile.of(file).values())
    except ValueError:
        return ""
