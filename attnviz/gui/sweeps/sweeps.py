"""The pages *Sweep* of a window: one for each lab, in place of its picture while it is open."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviz.experiment.labs import Spec
from attnviz.experiment.sweeps.heads import Head
from attnviz.experiment.sweeps.roles import RolesOverRuns
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.run.controller import Controller
from attnviz.gui.theme import Look, dress
from attnviz.gui.window.panels import Panels

if TYPE_CHECKING:
    from attnviz.gui.sweeps.sweep_page import SweepPage
    from attnviz.gui.sweeps.sweep_process import SweepProcess


class Sweeps(QObject):
    """Opens and closes the page of the current lab; a sweep continues while its page is closed."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""
    opened = Signal(bool)
    """Whether a page is open now."""

    def __init__(self, controller: Controller, exporter: Exporter, panels: Panels, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._controller, self._exporter, self._panels, self._look = controller, exporter, panels, look
        self.pages: dict[str, SweepPage] = {}
        """The pages that were opened, by lab."""
        self.is_open = False
        controller.spec_changed.connect(self._follow)

    @property
    def page(self) -> "SweepPage":
        """The page of the current lab."""
        spec = self._controller.spec
        return self.pages.get(spec.lab) or self._added(spec)

    def _added(self, spec: Spec, process: "SweepProcess | None" = None) -> "SweepPage":
        from attnviz.gui.sweeps.sweep_page import SweepPage  # imports a plotting library that few windows need

        page = self.pages[spec.lab] = SweepPage(spec, self._look, self._exporter, process)
        dress(page, self._look)
        page.left.connect(self.close)
        page.run_opened.connect(self._open_run)
        page.head_opened.connect(self._open_head)
        page.roles_taken.connect(self._take_roles)
        page.said.connect(self.said)
        return page

    def take_over(self, others: "Sweeps") -> None:
        """Show the sweeps of another window, and continue them."""
        for page in others.pages.values():
            self._added(page.spec, page.process)
        others.pages = {}
        if others.is_open:
            self.toggle()

    @Slot()
    def toggle(self) -> None:
        """Open the page, or return to the picture."""
        if self.is_open:
            self.close()
        else:
            self.is_open = True
            self._panels.show_instead(self.page)
            self.page.follow(self._controller.spec)
            self.page.choices.first.values.setFocus()
            self.opened.emit(True)

    @Slot()
    def close(self) -> None:
        """Return to the picture."""
        if self.is_open:
            self.is_open = False
            self._panels.show_instead(None)
            self.opened.emit(False)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        for page in self.pages.values():
            dress(page, look)

    def finish(self) -> None:
        """Stop all sweeps: the window is being closed."""
        for page in self.pages.values():
            page.process.close()

    @Slot(object)
    def _follow(self, spec: Spec) -> None:
        if self.is_open and self._panels.instead is not self.pages.get(spec.lab):
            self.close()  # another lab was entered
        elif self.is_open:
            self.page.follow(spec)

    @Slot(object, object)
    def _take_roles(self, roles: RolesOverRuns, base: Spec) -> None:
        """Name the heads of the lab's overview by their roles over the runs, and show it."""
        room = self._exporter.rooms[base.lab]
        view = room.view_settings().with_roles(roles, base)
        if view is None:
            self.said.emit(self.tr("These roles are of another model than the one on screen."), True)
            return
        room.apply_view(view)
        self.close()
        self.said.emit(self.tr("The overview names heads by {0} texts.").format(f"{roles.runs:,}"), False)

    @Slot(object, str, object)
    def _open_head(self, spec: Spec, message: str, head: Head) -> None:
        """Show a head of a run in the lab, in place of the page."""
        room = self._exporter.rooms[spec.lab]
        self._controller.propose(spec, said=message)
        view = room.view_settings()
        wanted = {"head": head.head, "query": None, "key": None, "layer": head.layer, "side": head.stack or "encoder"}
        room.apply_view(
            view.changed(**{name: each for name, each in wanted.items() if name in type(view).model_fields})
        )
        self.close()
        self.said.emit(message, False)

    @Slot(object, str)
    def _open_run(self, spec: Spec, message: str) -> None:
        self._controller.propose(spec, said=message)
