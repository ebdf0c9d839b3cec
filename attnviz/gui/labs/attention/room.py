"""The attention lab's room."""

from typing import cast

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import FUNCTIONS, AttentionViewSettings
from attnviz.experiment.fields import painted
from attnviz.experiment.labs import Event, Spec
from attnviz.experiment.run import Failure
from attnviz.gui.labs.attention.editors import EDITORS
from attnviz.gui.labs.attention.editors.mods_edit import ModsEdit
from attnviz.gui.labs.attention.editors.painted_edit import PaintedEdit
from attnviz.gui.labs.attention.functions_desk import FunctionsDesk
from attnviz.gui.labs.attention.functions_page import FunctionsPage
from attnviz.gui.labs.attention.mask_page import MaskMap
from attnviz.gui.labs.layered.room import LayerRoom
from attnviz.gui.theme import Look
from attnviz.gui.widgets.code_edit import CodeEdit
from attnviz.gui.widgets.words import NOT_ALLOWED


class AttentionRoom(LayerRoom[AttentionTrace, AttentionViewSettings]):
    """All heads, one head large, and the selected row and cell; a brush paints the mask into the form."""

    lab_name = "attention"
    editors = EDITORS
    with_gestures = (CodeEdit, MaskMap)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._painted.brush_chosen.connect(self._choose_brush)
        page = self.stage.pages.page_of(FunctionsPage)
        self.functions = FunctionsDesk(self.form, self.stage, page, self)
        self.functions.said.connect(self.said)
        self.functions.run_asked.connect(self._run_again)
        page.heads.item_chosen.connect(self._choose_item)
        page.mask_asked.connect(self._show_mask)
        cast("ModsEdit", self.form.editor("mods")).page_asked.connect(self._show_functions)

    @override
    def show_trace(self, trace: AttentionTrace) -> None:
        super().show_trace(trace)
        self.functions.show_trace(trace)

    @override
    def take_failure(self, failure: Failure[Spec]) -> None:
        super().take_failure(failure)
        self.functions.take_failure(failure)

    @override
    def tells_failure(self, failure: Failure[Spec]) -> bool:
        if self.stage.trace is None and self.functions.is_about(failure):
            # The text can be read, and mended, before there is a first picture.
            if failure.code != NOT_ALLOWED:
                self._show_functions()
            self.stage.page_buttons.show_value(FUNCTIONS)
            self.stage.pages.setCurrentWidget(self.functions.page)
            self.stage.show_nothing()
            return True
        return self.functions.is_about(failure) and self.functions.page.message.isVisible()

    @override
    def show_beside(self, events: tuple[Event, ...]) -> None:
        super().show_beside(events)
        pin = self.stage.pages.compare.pin
        mods = getattr(None if pin is None else pin.spec, "mods", None)
        if mods is not None and any(isinstance(each, Failure) and each.code == NOT_ALLOWED for each in events):
            self.functions.ask_first(mods)

    @Slot()
    def _run_again(self) -> None:
        compare = self.stage.pages.compare
        compare.show_pin(compare.pin)  # it may have been refused, too
        for page in self.stage.pages.pages.values():
            page.forget()
        self.beginning_asked.emit(self.form.spec, "")

    @Slot()
    def _show_functions(self) -> None:
        self.current_view.insist(page=FUNCTIONS)

    @Slot()
    def _show_mask(self) -> None:
        self.current_view.insist(page="mask")

    @Slot(int)
    def _choose_item(self, item: int) -> None:
        self.current_view.propose(item=item)

    @property
    def _painted(self) -> PaintedEdit:
        return cast("PaintedEdit", self.form.editor("painted"))

    @Slot(str)
    def _choose_brush(self, brush: str) -> None:
        """Take the brush of the form; show a picture that can be painted."""
        if brush and not (self.view.page == "stages" and self.view.shows_cells):
            self.current_view.propose(page="stages", stage="weights")
        self.stage.tools.brushes.press(brush)

    @Slot(str)
    @override
    def take_brush(self, brush: str) -> None:
        self._painted.show_brush(brush)
        super().take_brush(brush)

    @override
    def painted_mask(self, trace: AttentionTrace) -> str:
        """Return the mask in the form; if it cannot be parsed, that of the trace."""
        try:
            return painted.parse(self._painted.value())
        except ValueError:
            return trace.spec.painted
