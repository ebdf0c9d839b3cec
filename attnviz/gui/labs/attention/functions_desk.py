"""Keeps the functions the same in the form, on their page and in their file; asks before foreign code runs."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from attnviz.definitions.formats import suffixes_with
from attnviz.definitions.text import Text
from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.attention.opened import syntax_error, with_text, write_source
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files import consent
from attnviz.experiment.files.plain_files import Stamp, stamp_of
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import Failure
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.attention.consent_dialog import ConsentDialog
from attnviz.gui.labs.attention.editors.mods_edit import ModsEdit
from attnviz.gui.labs.attention.functions_page import FunctionsPage
from attnviz.gui.labs.attention.templates import TEMPLATES, Template, templates_of_masks
from attnviz.gui.labs.attention.watched_file import WatchedFile, WatchedHelpers
from attnviz.gui.run.background import Background
from attnviz.gui.widgets.words import NOT_ALLOWED, failure_text, file_filter, translate

_FIELD = "mods"
_TYPED = "mods.source"
_RESTS_MS = 3_000
"""The time in milliseconds after an edit at which the consent to its text is remembered for later windows."""


class FunctionsDesk(QObject):
    """Every change, typed, chosen or saved elsewhere, is proposed by the form as a change of its field."""

    said = Signal(str)
    """A message about the file, for the notice bar."""
    run_asked = Signal()
    """The functions may be run now, or a file that they import was saved: run the current spec again."""

    def __init__(self, form: SpecForm, stage: QWidget, page: FunctionsPage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._form, self._stage, self.page = form, stage, page
        self._asked: set[str] = set()  # the texts that were asked about
        self._refused = False  # whether the page shows a problem of the form
        self._failed: Mods | None = None  # the functions that the problem on the page is about
        self._question: ConsentDialog | None = None
        self._lost = False  # whether the file is gone, as the notice says
        self.file, self.helpers = WatchedFile(self), WatchedHelpers(self)
        self._writing = Background(self, pool="files")
        self._writing.done.connect(self._take_written)
        self._writing.failed.connect(self._say_not_saved)
        self._remembering = Background(self, pool="files")
        self._rest = QTimer(self, singleShot=True, interval=_RESTS_MS)
        self._rest.timeout.connect(self._remember)
        self.file.opened.connect(self._compare)
        self.file.changed.connect(self._take_saved)
        self.file.lost.connect(self._lose)
        self.helpers.saved.connect(self._run_with_saved)
        form.shown.connect(self._show_spec)
        self._editor.allow_asked.connect(self.ask)
        stage.installEventFilter(self)
        page.code.edited.connect(self._take_typed)
        page.code.save_pressed.connect(self.save)
        page.code.textChanged.connect(self._show_saved)
        page.role_chosen.connect(self._choose)
        page.menu_opens.connect(self._offer_masks)
        page.started.connect(self._start)
        page.open_asked.connect(self._editor.choose)
        page.save_as_asked.connect(self.save_as)
        page.revert_asked.connect(self.revert)
        page.allow_asked.connect(self.ask)

    @property
    def _editor(self) -> ModsEdit:
        editor = self._form.editor(_FIELD)
        assert isinstance(editor, ModsEdit)
        return editor

    @property
    def mods(self) -> Mods | None:
        """The functions of the current spec."""
        return self._form.spec.mods if isinstance(self._form.spec, AttentionSpec) else None

    def show_trace(self, trace: AttentionTrace) -> None:
        """Take what a run has learnt about the functions; it was not refused."""
        if trace.own is not None and trace.spec.mods is not None:
            self._editor.take_listed(trace.spec.mods.source, trace.own.listed)
        mods = self.mods
        if trace.spec.mods == mods:
            self.helpers.watch({} if trace.own is None else trace.own.files)
            idle = trace.own is None  # no function is chosen, perhaps since none could be found
            wrong = syntax_error(mods.source or "") if mods is not None and idle else None
            self.page.show_problem(*(wrong or ("",)))
            self._show_state()

    def take_failure(self, failure: Failure[Any]) -> None:
        """Show why the functions could not be run; ask first for a text that may not be run yet."""
        mods = self.mods
        if mods is None or not self.is_about(failure):
            return
        line, what = int(failure.numbers.get("line") or 0), failure.numbers.get("what")
        text = failure_text(replace(failure, text=what)) if line and isinstance(what, Text) else failure_text(failure)
        self.page.show_problem(text, line)
        self._failed = mods
        self.page.show_printed(str(failure.numbers.get("printed") or ""))
        self._show_state()
        if failure.code == NOT_ALLOWED:
            QTimer.singleShot(0, self, partial(self.ask_first, mods))

    def is_about(self, failure: Failure[Any]) -> bool:
        """Return whether a run of the current functions failed, so that the page tells why."""
        return self.mods is not None and getattr(failure.spec, _FIELD, None) == self.mods

    # Consent.

    @Slot()
    def ask(self) -> None:
        """Ask whether the text of the current spec may be run."""
        if self.mods is not None:
            self._ask_about(self.mods)

    def ask_first(self, mods: Mods) -> None:
        """Ask about a text whose run was refused, unless it was asked about."""
        if mods.digest not in self._asked:
            self._ask_about(mods)

    def _ask_about(self, mods: Mods) -> None:
        if mods.source is None or consent.is_allowed(mods.digest) or self._question is not None:
            return
        self._asked.add(mods.digest)
        self._question = ConsentDialog(self.page.window(), mods)
        self._question.finished.connect(self._take_answer)
        self._question.open()

    @Slot(int)
    def _take_answer(self, answer: int) -> None:
        question, self._question = self._question, None
        if question is None:
            return
        question.deleteLater()
        if answer:
            consent.allow(question.mods.digest)
            self._show_state()
            self.run_asked.emit()

    def _may_run(self) -> bool:
        """Return whether the current text may be run, so that the user's changes of it may be too."""
        return self.mods is None or not self.mods.source or consent.is_allowed(self.mods.digest)

    # Changes.

    @Slot()
    def _take_typed(self) -> None:
        text = self.page.code.text
        if self.mods is not None or text.strip():
            self._change(with_text(self.mods, text, self.page.known), _TYPED)

    @Slot(str, object)
    def _choose(self, role: str, text: str | None) -> None:
        self.page.code.finish()
        if self.mods is not None or text:
            self._propose(dict(self.mods or Mods(source="")) | {role: text}, f"{_FIELD}.{role}")

    def _propose(self, fields: dict[str, Any], step: str, said: str = "") -> None:
        """Propose functions, legal or not; what is wrong with them is told on the page, too."""
        if self._form.spec is not None and self.mods is not None and fields == dict(self.mods):
            self._form.set_spec(self._form.spec)  # what was refused is gone
        else:
            self._form.change(_FIELD, fields, step, said)
        problem = self._form.problem(_FIELD)
        if problem or self._refused:
            self.page.show_problem(problem)
        self._refused = bool(problem)

    @Slot()
    def _offer_masks(self) -> None:
        spec = self._form.spec
        self.page.of_masks = templates_of_masks(spec) if isinstance(spec, AttentionSpec) else ()

    @Slot(object)
    def _start(self, template: Template) -> None:
        """Replace the text by a template, as one step of undo; the file stays as it is, and its name is dropped.

        Masks of the form that it stands for are turned off: they would forbid what an edit allows.
        """
        spec = self._form.spec
        if not isinstance(spec, AttentionSpec):
            return
        before = "" if self.mods is None else self.mods.source or ""
        mods = Mods(mask_mod=template.mask_mod, score_mod=template.score_mod, source=template.source)
        self._allow(mods)
        names = {mask.name for mask in template.masks}
        fields = {mask.field for mask in template.masks if mask.field}
        off = {field: AttentionSpec.model_fields[field].default for field in fields}
        further = {name: dict(knobs) for name, knobs in spec.masks.items() if name not in names}
        started = make_spec({**dict(spec), **off, "masks": further, _FIELD: mods})
        self._form.propose(started, "", self.tr("Start from: {0}").format(translate(template.title)))
        if before.strip() and before not in {each.source for each in (*TEMPLATES, *self.page.of_masks)}:
            undo = QKeySequence(QKeySequence.StandardKey.Undo).toString(QKeySequence.SequenceFormat.NativeText)
            self.said.emit(self.tr("The text before it is replaced; Undo ({0}) brings it back.").format(undo))

    @Slot()
    def revert(self) -> None:
        """Take the text of the file again."""
        self.page.code.finish()
        if self.mods is not None and self.file.text is not None:
            said = self.tr("Take the text of {0} again").format(self.mods.name)
            self._change(with_text(self.mods, self.file.text, self.page.known), "", said)

    def _change(self, mods: Mods, step: str, said: str = "") -> None:
        """Propose functions whose text the user wrote, which may be run if the text before it may."""
        if self._may_run():
            self._allow(mods)
        self._propose(dict(mods), step, said)

    def _allow(self, mods: Mods) -> None:
        """Allow a text of the user's own, for later windows too once it rests."""
        consent.allow(mods.digest, remember=False)
        self._rest.start()

    @Slot()
    def _remember(self) -> None:
        if self.mods is not None and self.mods.source and self._may_run():
            self._remembering.start(partial(consent.allow, self.mods.digest), instead=True)

    # The file.

    @Slot(object)
    def _show_spec(self, spec: Any) -> None:
        mods = spec.mods
        self.page.show_mods(mods)
        if self._failed is not None and mods != self._failed:
            self._failed = None
            self.page.fade_problem()
        self.file.watch(Path(mods.path) if mods is not None and mods.path else None)
        self.file.check()
        self._show_state()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave a saved file for later while the window shows another lab, which a change would leave."""
        stage = getattr(self, "_stage", None)  # a window that is collected hides its parts once more
        if watched is stage is not None and event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self.file.rests = self.helpers.rests = event.type() == QEvent.Type.Hide
            self.file.check()
            self.helpers.check()
        return False

    def _show_state(self) -> None:
        self._show_saved()
        self.page.allow.setVisible(not self._may_run())
        self._editor.show_allowed()

    @Slot()
    def _show_saved(self) -> None:
        mods, file = self.mods, self.file
        text = self.page.code.text
        has_file = mods is not None and bool(mods.path)
        differs = file.text is not None and text != file.text
        self.page.show_name(mods.name if mods is not None else "", edited=has_file and (differs or file.text is None))
        self.page.save.setEnabled(bool(text) and (not has_file or text != file.text))
        self.page.save_as.setEnabled(bool(text))
        self.page.revert.setEnabled(has_file and differs)

    @Slot(str)
    def _compare(self, text: str) -> None:
        """Take the text of a file that the spec lacks; say if the file holds another text than the spec."""
        mods = self.mods
        if mods is None:
            return
        if mods.source is None:
            self._form.change(
                _FIELD, mods.model_copy(update={"source": text}), "", self.tr("Read {0}").format(mods.name)
            )
        elif mods.source != text:
            said = self.tr("{0} has changed since; Functions > Revert takes the text of the file.")
            self.said.emit(said.format(mods.name))
        self._show_state()

    @Slot(str)
    def _take_saved(self, text: str) -> None:
        """Take a text that another program has saved."""
        mods = self.mods
        if mods is not None and self._lost:
            self.said.emit(self.tr("{0} is there again").format(mods.name))  # in place of the message that it is gone
        self._lost = False
        if mods is not None and text != mods.source:
            said = self.tr("{0} was saved").format(mods.name)
            self._change(with_text(mods, text, self.page.known), "", said)
        self._show_state()

    @Slot()
    def _run_with_saved(self) -> None:
        """Run the functions with a file that they import, as it is now; the spec is the same, so Undo has no step."""
        if self.mods is not None and self._may_run():
            self.run_asked.emit()

    @Slot(str)
    def _lose(self, why: str) -> None:
        self._lost = True
        self.said.emit(why)
        self._show_state()

    @Slot()
    def save(self) -> None:
        """Save the text in its file, or ask for one."""
        self.page.code.finish()
        if self.mods is not None and self.mods.path:
            self._write(Path(self.mods.path), self.file.stamp)
        else:
            self.save_as()

    @Slot()
    def save_as(self) -> None:
        """Ask for a file, and save the text in it; it is the file of the functions from now on."""
        self.page.code.finish()
        mods = self.mods
        if mods is None or mods.source is None:
            return
        ending = suffixes_with("functions")
        proposed = mods.path or f"{mods.mask_mod or mods.score_mod or 'my_mods'}".partition("(")[0] + ending[0]
        filters = file_filter(self.tr("Python files"), ending)
        name, _ = QFileDialog.getSaveFileName(self.page.window(), self.tr("Save as ..."), proposed, filters)
        if name:
            path = Path(name).absolute()
            self._write(path if path.suffix else path.with_suffix(ending[0]), None)

    def _write(self, path: Path, known: Stamp | None) -> None:
        mods = self.mods
        assert mods is not None
        self._writing.start(partial(_written, path, mods.source or "", known))

    @Slot(object)
    def _take_written(self, written: tuple[Path, str, Stamp | None]) -> None:
        path, text, stamp = written
        mods = self.mods
        if stamp is None:
            self.said.emit(self.tr("Not saved: {0} was changed by another window or program").format(path))
            self.file.check()
            return
        if mods is not None and mods.source == text:
            if consent.is_allowed(mods.digest):
                consent.allow(mods.digest)  # remembered now
            if mods.path != str(path):
                self._propose(dict(mods) | {"path": str(path)}, "")
        if self.file.path == path:
            self.file.note_written(text, stamp)
        self._show_state()

    @Slot(str)
    def _say_not_saved(self, why: str) -> None:
        self.said.emit(self.tr("Not saved: {0}").format(why))


def _written(path: Path, text: str, known: Stamp | None) -> tuple[Path, str, Stamp | None]:
    """Write a file; return no stamp if another program has changed it since the ``known`` version."""
    if known is not None and (now := stamp_of(path)) is not None and now != known:
        return path, text, None
    write_source(path, text)
    return path, text, stamp_of(path)
