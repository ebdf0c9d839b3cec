"""The right column of the attention lab: one row, one cell, the formula and the shapes."""

import numpy as np
from PySide6.QtWidgets import QLabel, QWidget

from attnviz.experiment.attention import AttentionSpec
from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.gui.formula_view import FormulaView
from attnviz.gui.inspector import Facts, Inspector
from attnviz.gui.plots.colour_table import ColourTable
from attnviz.gui.plots.row_bars import Row, RowBars
from attnviz.gui.selection import Selection
from attnviz.gui.theme import Look


class AttentionInspector(Inspector):
    """Everything about the chosen row and cell; every number is the trace's."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = RowBars(look)
        self._row_caption = self.add_section("", self.bars)
        self.row_facts = Facts((self.tr("sum"), self.tr("entropy"), self.tr("keys")))
        self._cell_caption = self.add_section("", self.row_facts)
        self._cell_caption.hide()
        self.cell_facts = Facts((self.tr("score"), self.tr("mask"), self.tr("weight")))
        self._cell_title = self.add_section("", self.cell_facts)
        self.formula = FormulaView(look)
        self.add_section(self.tr("Formula"), self.formula)
        self.shapes = QLabel()
        self.shapes.setObjectName("caption")
        self.add_section(self.tr("Shapes"), self.shapes)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.bars.restyle(look)
        self.formula.restyle(look)

    def show_selection(self, trace: AttentionTrace, item: int, chosen: Selection, table: ColourTable) -> None:
        """Show the chosen row and cell of a batch item."""
        head = min(chosen.head, trace.num_heads - 1)
        query = min(chosen.query or 0, trace.weights.shape[2] - 1)
        self._row_caption.setText(self._title(trace, head, query))
        place = item, head, query
        weights, mask = trace.weights[place], trace.mask[place]
        lit = chosen.key if chosen.key is not None and chosen.key < len(weights) else None
        self.bars.show_row(Row(trace.key_tokens, weights, trace.levels()[place], mask | (weights > 0), lit), table)
        self.row_facts.show_facts(
            (
                f"{trace.row_sums[place]:.4f}",
                self.tr("{0} bit").format(f"{_entropy(weights):.3f}"),
                self.tr("{0} of {1} allowed").format(np.count_nonzero(mask), len(mask)),
            )
        )
        self._cell_title.setVisible(lit is not None)
        self.cell_facts.setVisible(lit is not None)
        if lit is not None:
            self._cell_title.setText(self.tr("Cell: query {0}, key {1}").format(query, lit).upper())
            self.cell_facts.show_facts(
                (
                    f"{trace.scores[place][lit]:.5f}",
                    self.tr("may attend") if mask[lit] else self.tr("masked"),
                    f"{weights[lit]:.5f}",
                )
            )
        self.formula.show_formula(*formula_of(trace.spec))
        self.shapes.setText(self._shapes(trace))

    def _title(self, trace: AttentionTrace, head: int, query: int) -> str:
        token = trace.query_tokens[query]
        name = token if token == str(query) else f"“{token}”"
        if trace.num_heads == 1:
            return self.tr("QUERY {0}").format(name)
        return self.tr("QUERY {0}, HEAD {1}").format(name, head + 1)

    def _shapes(self, trace: AttentionTrace) -> str:
        rows = (
            ("Q", trace.queries.shape, trace.q.shape),
            ("K", trace.keys.shape, trace.k.shape),
            ("V", trace.values.shape, trace.v.shape),
        )
        lines = [f"{name} {_shape(before)} → {_shape(after)}" for name, before, after in rows]
        lines.append(self.tr("scores, weights {0}").format(_shape(trace.weights.shape)))
        lines.append(self.tr("heads {0}").format(_shape(trace.heads.shape)))
        lines.append(self.tr("output {0}").format(_shape(trace.output.shape)))
        return "\n".join(lines)


def formula_of(spec: AttentionSpec) -> tuple[str, str]:
    """Return the formula of a spec's weights with its sizes put in, as LaTeX and in words."""
    temperature = "" if spec.temperature == 1 else f"{spec.temperature:g}"
    if spec.mechanism == "additive":
        inner = r"\mathbf{w}_v^\top \tanh(\mathbf{W}_q \mathbf{q} + \mathbf{W}_k \mathbf{k})"
        score = rf"\frac{{{inner}}}{{{temperature}}}" if temperature else inner
        return rf"\mathrm{{softmax}}\left({score}\right)", "softmax of w_v transposed tanh(W_q q + W_k k)"
    size = (
        spec.num_hiddens // spec.num_heads if spec.heads_run > 1 or "multi" in spec.mechanism else spec.size_of_queries
    )
    root = rf"\sqrt{{{size}}}" if spec.scaled else ""
    below = rf"{temperature}\,{root}" if temperature and root else temperature or root
    above = r"\mathbf{Q}\mathbf{K}^\top"
    score = rf"\frac{{{above}}}{{{below}}}" if below else above
    words = f"softmax of Q K transposed over the square root of {size}" if spec.scaled else "softmax of Q K transposed"
    words += f", at temperature {temperature}" if temperature else ""
    return rf"\mathrm{{softmax}}\left({score}\right)\mathbf{{V}}", words


def _entropy(weights: np.ndarray) -> float:
    if np.isnan(weights).any():
        return float("nan")
    held = weights[weights > 0].astype(np.float64)
    return float(-(held * np.log2(held)).sum()) + 0.0 if held.size else 0.0


def _shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"
