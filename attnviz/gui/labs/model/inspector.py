"""The right column of the model lab: a row and a cell, the terms of its score, and the next token."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.text import Text
from attnviz.experiment.colours import quantise
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.sentences import key_head_said
from attnviz.experiment.model.sentences import effect_said, role_said
from attnviz.experiment.model.terms import score_terms
from attnviz.experiment.model.trace import ModelTrace, changes_said
from attnviz.gui.labs.model.effects_part import Effects, EffectsPart
from attnviz.gui.labs.model.generation_part import GenerationPart
from attnviz.gui.layers.inspector import LayerInspector, number
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.tensors.row_bars import Row, RowBars, told_from
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import StepList
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import translate

_LOOKED_AT, _TERMS = 6, 6
"""The number of keys of a row with a bar, and of terms of a score."""


class ModelInspector(LayerInspector):
    """Below the row and the cell: the terms of the score, the next token, and what the interventions change."""

    _told: tuple[object, ...] = ()  # the state last shown by `show_model`

    @override
    def add_further(self, look: Look) -> None:
        self.of_layer.row.bars.most = _LOOKED_AT
        self.shared = caption(wraps=True, plain=True)
        """Which head of the keys serves the chosen head, and what that head does."""
        self.terms = StepList()
        self._why = self.add_section(self.tr("Why this weight"), self.terms), self.terms
        self.next = RowBars(look)
        self.next.setAccessibleName(self.tr("Most probable tokens"))
        self.no_next = caption(wraps=True, plain=True)
        following = QWidget()
        column_of(following, self.next, self.no_next, gap=4)
        self._next_caption = self.add_section("", following)
        self._next_caption.setTextFormat(Qt.TextFormat.PlainText)
        self.generation = GenerationPart(look)
        self._generation = self.add_section(self.tr("Generation"), self.generation), self.generation
        self.changed = caption(wraps=True, plain=True)
        self._changes = self.add_section(self.tr("What the interventions do"), self.changed), self.changed
        self.effects = EffectsPart(look)
        self._effects = self.add_section(self.tr("What heads add and cost"), self.effects), self.effects
        self.words = caption(wraps=True, plain=True)
        self.add_section(self.tr("This head"), self.shared)
        self.add_section(self.tr("What was checked"), self.words)

    def show_model(self, trace: ModelTrace, table: ColourTable, others: tuple[bool, bool] = (False, False)) -> None:
        """Show facts about a run that do not depend on the head.

        ``others``: whether by now the folder holds another model, and the file another image.
        """
        if self._told == (id(trace), id(table), others):
            return  # called with every move of the mouse
        self._told = id(trace), id(table), others
        now, masked = trace.prediction, trace.model.head == "masked"
        self.next.setVisible(now is not None)
        self.no_next.setVisible(now is None)
        if now is None:
            said = self.tr("Next token") if trace.read.image is None else self.tr("classes of the image")
            self._next_caption.setText(said.upper())
            to_mask = self.tr("Put a mask token, such as [MASK], into the text to see what is predicted there.")
            headless = self.tr("This folder has no head that predicts tokens; all else is shown.")
            if trace.read.image is not None:
                headless = self.tr("This folder has no head that names classes; all else is shown.")
            self.no_next.setText(to_mask if masked else headless)
        else:
            said = self.tr("in place of “{0}”") if masked else self.tr("next token after “{0}”")
            said = self.tr("classes of the image") if trace.model.head == "class" else said
            self._next_caption.setText(said.upper().format(trace.written.names[now.position]))
            levels = quantise(now.probabilities, None, 0.0, 1.0)
            pairs = () if now.other is None else zip(now.other, now.probabilities, strict=True)
            before = tuple(self.tr("was {0}").format(told_from(*pair)) for pair in pairs)
            whole = np.ones(len(now.tokens), bool)
            taken = None if trace.generated is None else trace.generated.ids[trace.generated.step]
            lit = now.ids.index(taken) if taken in now.ids else None
            row = Row(now.tokens, now.probabilities, levels, whole, lit=lit, extra=before, of_one=True)
            self.next.show_row(row, table)
        self.next.offer_choice(trace.generated is not None)
        for part in self._generation:
            part.setVisible(trace.generated is not None)
        self.generation.show_trace(trace)
        lines = (*changes_said(trace.spec, trace.source), *effect_said(trace))
        self.changed.setText("\n".join(map(translate, lines)))
        for part in self._changes:
            part.setVisible(bool(lines))
        words = [self.tr("The folder now holds another model than the one seen before.")] if others[0] else []
        words += [self.tr("The image is another one than was seen before.")] if others[1] else []
        words += [translate(trace.checked), translate(trace.note)]
        words.append(self.tr("Attention is not attribution: a large weight need not matter for the prediction."))
        words.append(self.tr("Rows are states at a token: above layer 1 they hold what other tokens wrote there."))
        self.words.setText("\n".join(filter(None, words)))

    def show_effects(self, effects: Effects, layer: int, head: int) -> None:
        """Show the results of studies about heads, with the chosen head marked."""
        any_known = self.effects.show_effects(effects, layer, head)
        for part in self._effects:
            part.setVisible(any_known)

    def show_why(self, trace: ModelTrace, layer: Layer | None, chosen: Selection) -> None:
        """Show the exact terms of the chosen score, and facts about the head; nothing without a layer."""
        self.shared.setVisible(layer is not None)
        found = None
        if layer is not None:
            head = min(chosen.head, layer.num_heads - 1)
            self.shared.setText("\n".join(self._about(trace, head)))
            if chosen.query is not None and chosen.key is not None and chosen.query < layer.weights.shape[2]:
                found = score_terms(layer, head, chosen.query, chosen.key, trace.rotary)
        for part in self._why:
            part.setVisible(found is not None)
        if found is None:
            return
        largest = found.largest(_TERMS)
        steps = [(translate(term.name), number(term.value)) for term in largest]
        rest = len(found.terms) - len(largest)
        if rest > 0:
            left = found.total - sum(term.value for term in largest)
            steps.append((translate(Text("{count} further terms", {"count": rest}, "1 further term")), number(left)))
        steps += [(self.tr("= their sum"), number(found.total)), (self.tr("the score shown"), number(found.score))]
        self.terms.show_steps(steps)

    def _about(self, trace: ModelTrace, head: int) -> list[str]:
        said = [translate(role_said(trace.overview, trace.number, head, trace.kind))]
        role = trace.overview.role(trace.number, head)
        if trace.read.image is not None:
            said.append(self.tr("Patches have no order: roles about earlier tokens or repetition are not measured."))
        if role is not None and not role.of_first:
            said.append(self.tr("This is measured without the first and the special tokens."))
        if trace.layer.note:
            said.append(translate(trace.layer.note))
        shared = key_head_said(trace.layer, head)
        return [*said, translate(shared)] if shared else said
