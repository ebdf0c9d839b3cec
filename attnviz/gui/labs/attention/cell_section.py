"""The inspector's section on one cell: from two vectors to one weight, each step with its number."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from attnviz.experiment.attention.cell import AttentionCell
from attnviz.gui.labs.attention.terms_table import TermsTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.inspector import StepList
from attnviz.gui.widgets.words import number_text, translate


class CellSection(QWidget):
    """The terms of the score in a table, and the steps from their sum to the weight."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.compared = QLabel()
        self.compared.setObjectName("number")
        self.compared.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.compared.hide()
        self.terms = TermsTable()
        self.steps = StepList()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.compared)
        layout.addWidget(self.terms)
        layout.addWidget(self.steps)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.terms.restyle(look)

    def show_compared(self, said: str) -> None:
        """Show the cell's numbers in two runs; "" hides the line."""
        self.compared.setText(said)
        self.compared.setVisible(bool(said))

    def show_cell(self, cell: AttentionCell, mask_said: str, *, dropout: bool) -> None:
        """Show the arithmetic of a cell; ``mask_said`` is why it is masked, or that it may attend."""
        self.terms.show()
        self.terms.show_terms(cell.terms)
        self.steps.show_steps(steps_of(cell, mask_said, dropout=dropout))

    def show_given(self, weight: float, mask_said: str) -> None:
        """Show a given weight, which has no arithmetic to show."""
        self.terms.hide()
        unknown = self.tr("How it was computed is not known: the weights were given.")
        self.steps.show_steps([(mask_said, ""), (self.tr("weight"), number(weight)), (unknown, "")])


def steps_of(cell: AttentionCell, mask_said: str, *, dropout: bool) -> list[tuple[str, str]]:
    """Return the lines of a cell's arithmetic: a name, and the number as text."""
    steps = [(translate(cell.terms.sum_title), number(cell.terms.total))]
    steps += [(translate(title), number(amount)) for title, amount in cell.divisors]
    steps.append((translate("= score"), number(cell.score)))
    steps.append((mask_said, number(cell.masked_score)))
    if cell.empty:
        steps.append((translate("no key of the row is valid"), ""))
    else:
        steps.append((translate("− largest of the row"), number(cell.row_max)))
        steps.append((translate("exp"), number(cell.exponential)))
        steps.append((translate("÷ sum of exp over the row"), number(cell.normaliser)))
    steps.append((translate("= weight"), number(cell.weight)))
    if dropout:
        steps.append((translate("after dropout"), number(cell.dropped_weight)))
    return steps


def number(value: float) -> str:
    """Return a number as text, for a step."""
    return number_text(value, ".5f" if 1e-4 <= abs(value) < 1e5 or value == 0 else ".4e")
