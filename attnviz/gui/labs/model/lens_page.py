"""The page of the logit lens: what the state after each layer predicts at every token, and the rank of one of these."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text
from attnviz.experiment.colours import WEIGHT_SCALE
from attnviz.experiment.labs import Asked
from attnviz.experiment.model.extras import EXTRAS
from attnviz.experiment.model.lens import Lens, LensAt, LensTrace
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Failure
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.model.editors.token_edit import TokenEdit
from attnviz.gui.labs.model.lens_grid import LensGrid, shown_name
from attnviz.gui.labs.model.lens_parts import Candidate, RankCurve, TopTokens
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text, translate

_GAP, _TITLE, _EDIT, _LIST = 10, 28, 150, 0.4
"""The gap between parts, the height of a title and the width of the choice of a token at scale 1; the share of the
width for the list of tokens."""
_PARTS, _LEAST_PARTS, _MOST_PARTS = 0.4, 150, 280
"""The share of the height for the list and the curve, and the limits of their height at scale 1."""


class LensPage(StudyPage[Picture]):
    """First the row of the chosen token is requested, then all of them; the selection is that of every page."""

    asked = Signal()
    """`wanted` has changed."""
    pointed = Signal(str)
    """A text about the cell under the mouse; "" for none."""

    def __init__(self, look: Look, selection: SelectionModel, current: CurrentView[ModelViewSettings]) -> None:
        super().__init__(look, selection, current)
        self._trace: ModelTrace | None = None
        self._table: ColourTable | None = None
        self._first: LensAt | None = None  # what is requested first
        self._part: tuple[Asked, int, int] | None = None
        self._halted = False  # by the user, until it is requested again
        self._hovered: Cell | None = None
        self._column = 1 << 30  # the held token of a decoder, while the rows of another side are chosen
        self._requested: tuple[Asked, ...] = ()
        self.hint = self.tr("Point at a cell to see its most probable tokens, click one of these to follow it.")
        self.stopped = self.tr("Stopped. Choose the page again to read the state after each layer.")
        self.grid = LensGrid(look, self.tr("The top token after each layer, at every token"), self)
        self.top = TopTokens(look, self.tr("Most probable tokens"), self)
        self.curve = RankCurve(look, self.tr("Rank of the followed token after each layer"), self)
        self.top_title, self.curve_title, self.ignores = caption(plain=True), caption(plain=True), caption(plain=True)
        self.ignores.setText(translate(EXTRAS["lens"].ignores))
        self.ignores.setWordWrap(True)
        self.token = TokenEdit(self.tr("top prediction"), self, takes_text=True)
        self.token.box.setAccessibleName(self.tr("Followed token"))
        self.token.setToolTip(
            translate("One of the most probable tokens, or any other: type its text, or #7 for its number")
        )
        self.token.edited.connect(self._choose_token)
        self.missing = QLabel(self, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.missing.setTextFormat(Qt.TextFormat.PlainText)
        for part in (self.top_title, self.curve_title, self.ignores):
            part.setParent(self)
        self.grid.hovered.connect(self._point)
        self.grid.clicked.connect(self._hold)
        self.grid.painted.connect(self.painted)
        self.top.clicked.connect(self._follow)
        self.curve.hovered.connect(self._point_layer)
        self.curve.clicked.connect(self._hold_layer)

    # The studies.

    @property
    def _key(self) -> dict[str, Any]:
        assert self._trace is not None
        return {"of": self._trace.spec, "continued": self._trace.continued}

    @property
    def _all(self) -> Lens | None:
        return None if self._trace is None else Lens(**self._key)

    @property
    def _chosen(self) -> LensAt | None:
        """The study of the chosen token at the held position; None if the prediction is followed."""
        token = self._current.value.lens_token
        if self._trace is None or token is None:
            return None
        return LensAt(**self._key, position=self._held.column or 0, token=token)

    @override
    def studies(self) -> tuple[Asked, ...]:
        if self._trace is None or self._first is None:
            return ()
        return tuple(each for each in (self._first, self._chosen, self._all) if each is not None)

    @override
    def wanted(self) -> tuple[Asked, ...]:
        if isinstance(self.result(self._all), Failure):
            return ()
        wanted = [each for each in super().wanted() if each != self._first or self._found is None]
        return tuple(wanted[:1])

    @property
    def _found(self) -> LensTrace | None:
        """All positions, or before these are there the first one."""
        results = (self.result(self._all), self.result(self._first))
        return next((each for each in results if isinstance(each, LensTrace)), None)

    @override
    def show_part(self, asked: Asked, done: int, count: int) -> None:
        if asked in self.studies():
            self._part, self._halted = (asked, done, count), False
            self._say()

    @override
    def say_stopped(self) -> None:
        self._halted = bool(self.wanted())
        self._say()

    @override
    def draw_results(self) -> None:
        self.redraw_asked.emit()
        self._ask()

    def _ask(self) -> None:
        """Request what is wanted next, once."""
        wanted = self.wanted()
        if wanted != self._requested:
            self._requested = wanted
            if wanted:
                self.asked.emit()

    # Drawing.

    @override
    def show_data(self, data: Picture) -> None:
        trace = data.trace
        if self._trace is None or (trace.spec, trace.continued) != (self._trace.spec, self._trace.continued):
            self._part, self._first, self._halted = None, None, False
        self._trace, self._table = trace, data.weights
        if self._first is None:
            self._first = LensAt(**self._key, position=self._held.column or 0)
        found, failed = self._found, self._failure
        self.grid.show_lens(found, data.weights)
        self.missing.setText("" if failed is None else failure_text(failed))
        for part in (self.grid, self.top, self.curve, self.top_title, self.curve_title, self.ignores, self.token):
            part.setVisible(failed is None)
        self.missing.setVisible(failed is not None)
        self._place()
        self._say()

    @property
    @override
    def study_on_screen(self) -> LensTrace | None:
        found = self._found
        return found if found is not None and found.spec == self._all else None

    @property
    def _failure(self) -> Failure[Any] | None:
        found = (self.result(each) for each in (self._first, self._all))
        return next((each for each in found if isinstance(each, Failure)), None)

    @override
    def select(self) -> None:
        cell, trace, found = self._cell, self._trace, self._found
        self.grid.select(cell)
        if trace is None or found is None:
            self.top.show_tokens((), None)
            self.curve.show_ranks((), (), 1, None)
            return
        if self._hovered is None:
            self.grid.reveal(cell.column or 0)
        column = cell.column or 0
        followed = self._followed_at(column)
        token = found.names[column]
        if column in found.positions:
            at, row = found.positions.index(column), min(cell.row, len(found.ids) - 1)
            names = [shown_name(found.name(each)) for each in found.ids[row, at].tolist()]
            self._offer(found, at)
            lines = map(Candidate, found.ids[row, at].tolist(), names, found.probabilities[row, at].tolist())
            chosen = None if followed is None else int(followed.followed[followed.positions.index(column)])
            self.top.show_tokens(tuple(lines), chosen)
            words = {"layer": SCREEN.number(row), "token": token}
            self.top_title.setText(translate(Text("after layer {layer}, at “{token}”", words)))
        if followed is None:
            self.curve.show_ranks((), (), 1, None)
            self.curve_title.setText("")
        else:
            at = followed.positions.index(column)
            ranks, shares = followed.ranks[:, at].tolist(), followed.shares[:, at].tolist()
            self.curve.show_ranks(tuple(ranks), tuple(shares), followed.vocabulary, cell.row)
            words = {"name": shown_name(followed.name(int(followed.followed[at]))), "token": token}
            self.curve_title.setText(translate(Text("rank of “{name}” at “{token}”", words)))
        self._say()
        self._ask()

    def _offer(self, found: LensTrace, at: int) -> None:
        """Offer the most probable tokens after the last layer to be followed, and show the chosen one."""
        named = {token: shown_name(found.name(token)) for token in found.ids[-1, at].tolist()}
        chosen = self._current.value.lens_token
        if isinstance(chosen, int) and 0 <= chosen < found.vocabulary:
            named[chosen] = shown_name(found.name(chosen))
        if not self.token.box.hasFocus():
            self.token.show_named(tuple(named.items()))
            self.token.set_value(chosen)

    def _followed_at(self, column: int) -> LensTrace | None:
        """Return the result with the ranks of the followed token at a position, if it is there."""
        asked = self.result(self._chosen) if self._chosen is not None else self._found
        return asked if isinstance(asked, LensTrace) and column in asked.positions else None

    def _say(self) -> None:
        found, study = self._found, self._all
        if study is None or self._failure is not None:
            self.say("")
            return
        column = self._held.column or 0
        followed, chosen = self._followed_at(column), self.result(self._chosen)
        said = "" if followed is None else followed.said(column).translated(translate)
        said = failure_text(chosen) if isinstance(chosen, Failure) else said
        if found is not None and found.spec == study:
            self.say(f"{said} {found.checked.translated(translate)} {self._chosen_otherwise(found, column)}".strip())
            return
        if self._halted:
            self.say(self.stopped)
            return
        reading = Text("The state after each layer is being read.")
        if self._part is not None and self._part[0] == study:
            words = {"done": self._part[1], "count": self._part[2]}
            reading = Text("The state after each layer is being read: {done} of {count}.", words)
        self.say(f"{said} {translate(reading)}".strip())

    def _chosen_otherwise(self, found: LensTrace, column: int) -> str:
        """Return a sentence if the settings of the folder lead to another token than the logits of a position."""
        prediction = None if self._trace is None else self._trace.prediction
        if prediction is None or prediction.position != column or prediction.ids[0] == found.ids[-1, column, 0]:
            return ""
        return translate(Text("The folder's own settings make it “{token}”.", {"token": prediction.tokens[0]}))

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._place()

    @override
    def colour_line(self) -> ColourLine | None:
        if self._table is None or self._failure is not None:
            return None
        return ColourLine(WEIGHT_SCALE, self._table, self.tr("probability of the top token"))

    @override
    def _place(self) -> None:
        px, width, height = self._look.px, self.width(), self.height()
        gap, title = px(_GAP), px(_TITLE)
        self.missing.setGeometry(0, 0, width, height)
        ignores = max(title, self.ignores.heightForWidth(width))
        layers = 1 if self._found is None else len(self._found.ids)
        room = height - ignores - title - 2 * gap
        parts = max(round(_PARTS * room), min(px(_LEAST_PARTS), room // 2), room - self.grid.most_height(layers))
        high = max(1, room - parts)
        parts = min(parts, px(_MOST_PARTS))
        self.grid.setGeometry(0, 0, width, high)
        top, left = high + gap, round(_LIST * width)
        self.top_title.setGeometry(0, top, left, title)
        edit = min(px(_EDIT), (width - left) // 2)
        self.curve_title.setGeometry(left + gap, top, max(1, width - left - edit - 2 * gap), title)
        self.token.setGeometry(width - edit, top, edit, title)
        top += title
        self.top.setGeometry(0, top, left, max(1, parts))
        self.curve.setGeometry(QRect(left + gap, top, max(1, width - left - gap), max(1, parts)))
        self.ignores.setGeometry(0, top + parts + gap, width, ignores)

    # The selection: rows are layers of the model, columns its tokens; the other pages' rows may be words.

    @property
    def _held(self) -> Cell:
        trace, view = self._trace, self._current.value
        found = self._found
        row = view.lens_layer if view.lens_layer is not None else 1 << 30
        row = 0 if found is None else min(row, len(found.ids) - 1)
        if trace is None:
            return Cell(row, 0)
        query, groups = self._selection.locked.query, view.groups_of(trace.read)
        if trace.read is not trace.written:
            return Cell(row, min(self._column, len(trace.written) - 1))
        if query is None or query >= len(groups):
            return Cell(row, len(trace.written) - 1)
        return Cell(row, groups[query].tokens[-1])

    @property
    def _cell(self) -> Cell:
        """The cell under the mouse, or the held one."""
        held = self._held
        if self._hovered is not None:
            return Cell(self._hovered.row, held.column if self._hovered.column is None else self._hovered.column)
        return held

    @Slot(object)
    def _point(self, cell: Cell | None) -> None:
        self._hovered = cell
        self.pointed.emit("" if cell is None else self.grid.told(cell.row, cell.column or 0))
        self.select()

    @Slot(object)
    def _hold(self, cell: Cell) -> None:
        trace = self._trace
        if trace is None:
            return
        self._column = 0 if cell.column is None else cell.column
        self._current.propose(lens_layer=cell.row)
        groups = self._current.value.groups_of(trace.read)
        place = next((at for at, group in enumerate(groups) if cell.column in group.tokens), None)
        if trace.read is trace.written and place is not None:
            self._selection.lock(replace(self._selection.locked, query=place, key=None))
        self.select()

    @Slot(object)
    def _point_layer(self, layer: int | None) -> None:
        self._point(None if layer is None else Cell(layer, self._held.column))

    @Slot(int)
    def _hold_layer(self, layer: int) -> None:
        self._current.propose(lens_layer=layer)
        self.select()

    @Slot(object)
    def _follow(self, token: int) -> None:
        """Follow a token over the layers; the followed one again: the prediction."""
        now = self._followed_at(self._held.column or 0)
        again = self._chosen is not None and now is not None and token in now.followed.tolist()
        self._current.propose(lens_token=None if again else token)
        self.select()

    @Slot()
    def _choose_token(self) -> None:
        self._current.propose(lens_token=self.token.value())
        self.select()
