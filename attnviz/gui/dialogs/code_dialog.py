"""The experiment as a script, in PyTorch or FlexAttention: highlighted, copied at once, saved on request."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.formats import formats_for
from attnviz.definitions.text import Refused, Text
from attnviz.experiment.files.plain_files import DataFileError
from attnviz.experiment.files.specs_in_files import proposed_name
from attnviz.experiment.labs import Spec
from attnviz.export.code.script import flex_code, pytorch_code
from attnviz.export.labs import EXPORTS
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.dialogs.text_dialog import TextDialog
from attnviz.gui.run.background import Background
from attnviz.gui.theme import DARK, Look
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate

MOST_COLOURED = 50_000
"""The most characters of a script that is highlighted: long lists of points would block the window."""
_STYLES = {"light": "friendly", "dark": "github-dark"}


@dataclass(frozen=True, slots=True)
class _Code:
    """A script, as text and highlighted; or the reason why there is none."""

    spec: Spec
    text: str = ""
    html: str = ""
    problem: Text = Text()  # noqa: RUF009 - frozen
    is_flex: bool = False
    has_flex: bool = False
    """Whether it has a form in FlexAttention."""
    no_flex: Text = Text()  # noqa: RUF009 - frozen
    """Why not; empty in labs that never have one."""


class CodeDialog(TextDialog):
    """Shows the script of the run on screen, on request in FlexAttention."""

    def __init__(self, window: QWidget, exporter: Exporter) -> None:
        super().__init__(window, translate("PyTorch code"))
        self.save = self.button(self.tr("Save ..."), self._ask_and_save)
        self._exporter = exporter
        self._code: _Code | None = None
        self._write: Callable[[bool], _Code] | None = None
        in_flex = self.tr("FlexAttention beside dense tensors, with a test that both agree")
        choices = ("", "PyTorch", self.tr("PyTorch modules and tensors")), ("flex", "FlexAttention", in_flex)
        self.form = Segments(self.tr("Form of the script"), choices)
        self.form.chosen.connect(self._start)
        self.no_flex = caption(wraps=True, plain=True)
        self.lines.insertLayout(0, row_of(None, self.form, self.no_flex, None, wide=(self.no_flex,)))
        self._background = Background(self)
        self._background.done.connect(self._take)
        self._background.failed.connect(self._say_why_not)
        self.resize(900, 640)

    def open_for(self, spec: Spec, look: Look) -> None:
        """Show and copy the script of the trace on screen, or of a spec before there is one."""
        shown = self._exporter.shown
        if shown is not None:
            # The points of a file are written out: the script is about those on screen.
            spec = shown.spec_written_out
        self._write = partial(_written, spec, _STYLES["dark" if look.theme is DARK else "light"])
        self.form.show_value("")
        self._start()

    @Slot()
    def _start(self) -> None:
        """Write the script in the chosen form."""
        if self._write is not None:
            self._background.start(partial(self._write, self.form.value == "flex"), instead=True)

    @Slot()
    @override
    def copy_text(self) -> None:
        if self._code is not None:
            QGuiApplication.clipboard().setText(self._code.text)
            imported = dict.fromkeys(re.findall(r"^(?:import|from) (\w+)", self._code.text, re.MULTILINE))
            also = [name for name in imported if name != "torch" and name not in sys.stdlib_module_names]
            needs = ", ".join(("PyTorch", *also)) if also else self.tr("nothing but PyTorch")
            self.said.setText(self.tr("The script is on the clipboard. It needs {0}.").format(needs))

    @Slot(object)
    def _take(self, code: _Code) -> None:
        if code.problem:
            self._exporter.said.emit(translate(code.problem), True)
            return
        self._code = code
        self.form.setVisible(code.has_flex)
        show_text(self.no_flex, translate(code.no_flex))
        if len(code.text) > MOST_COLOURED:
            self.text.setPlainText(code.text)
        else:
            self.text.setHtml(_page(code.html))
        self.copy_text()
        self.open()

    @Slot(str)
    def _say_why_not(self, why: str) -> None:
        self._exporter.said.emit(self.tr("There is no script: {0}").format(why), True)

    @Slot()
    def _ask_and_save(self) -> None:
        code = self._code
        if code is None:
            return
        name = proposed_name(code.spec).replace("-", "_") + ("_flex" if code.is_flex else "")
        path = self._exporter.ask_where("code", formats_for("code"), name)
        if path:
            self._exporter.write_bytes(path, code.text.encode)
            self.accept()


def _page(html: str) -> str:
    """Return lines of highlighted code as a document in monospaced type."""
    family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return f"<pre style=\"font-family: '{family}', monospace\">{html}</pre>"


def _written(spec: Spec, style: str, flex: bool) -> _Code:
    """Write the script, in FlexAttention if it has that form and ``flex`` is set, and highlight it."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers.python import PythonLexer

    in_flex, no_flex = "", Text()
    if EXPORTS[spec.lab].flex is not None:
        try:
            in_flex = flex_code(spec)
        except Refused as error:
            no_flex = error.text
    is_flex = flex and bool(in_flex)
    try:
        text = in_flex if is_flex else pytorch_code(spec)
    except DataFileError as error:
        return _Code(spec, problem=error.text)
    formatter = HtmlFormatter(noclasses=True, nowrap=True, style=style)
    html = "" if len(text) > MOST_COLOURED else highlight(text, PythonLexer(), formatter)
    return _Code(spec, text, html, is_flex=is_flex, has_flex=bool(in_flex), no_flex=no_flex)
