"""The question whether code may be run that came with a session, a figure, a lesson or a spec."""

from PySide6.QtWidgets import QWidget

from attnviz.experiment.attention.mods import Mods
from attnviz.gui.dialogs.button_dialog import ButtonDialog
from attnviz.gui.widgets.code_edit import CodeEdit
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of

_DIGITS = 16


class ConsentDialog(ButtonDialog):
    """Shows the path, the functions, the hash and the whole text; accepted if the text may be run."""

    def __init__(self, window: QWidget, mods: Mods) -> None:
        self.mods = mods
        self.code = CodeEdit(self.tr("Python code"))
        self.code.setReadOnly(True)
        self.code.show_text(mods.source or "")
        chosen = ", ".join(filter(None, (mods.mask_mod, mods.score_mod)))
        question = caption(
            self.tr(
                "This experiment brings Python code. It can do whatever a program of yours can: read, write and delete "
                "files, and reach the network. Run it only if you trust where it comes from."
            ),
            name="boxTitle",
            wraps=True,
            plain=True,
        )
        lines = [
            self.tr("File: {0}").format(mods.path or self.tr("none, it is part of the experiment")),
            self.tr("Functions: {0}").format(chosen),
            f"SHA-256: {mods.digest[:_DIGITS]}…",
        ]
        facts = caption("\n".join(lines), wraps=True, plain=True)
        facts.setToolTip(mods.digest)
        parts = column_of(None, question, facts, self.code, gap=12, wide=(self.code,))
        super().__init__(window, self.tr("Run this code?"), parts)
        self.not_now = self.button(self.tr("Not now"), self.reject)
        self.allow = self.button(self.tr("Allow and run"), self.accept, primary=True)
        self.not_now.setFocus()
        self.resize(760, 620)
