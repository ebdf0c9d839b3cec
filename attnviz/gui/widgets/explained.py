"""Explanations of widgets: tooltips from the glossary, and sections of the manual."""

from PySide6.QtWidgets import QLabel, QWidget

from attnviz.experiment.texts.glossary import terms_in
from attnviz.gui.language import language_now
from attnviz.gui.widgets.labels import as_plain

_PLACE = "manual"


def explanation(text: str, before: str = "") -> str:
    """Return a tooltip: a sentence ``before``, and the glossary's entry on every term in a text, one per line."""
    lines = [before] if before else []
    for term in terms_in(text, language_now()):
        formula = f" {term.formula}" if term.formula else ""
        lines.append(f"{term.title}: {term.sentence}{formula}")
    return "\n".join(lines)


def explain(label: QLabel, text: str = "", before: str = "") -> QLabel:
    """Give a label a tooltip that explains the terms of a text, by default its own; return the label."""
    label.setToolTip(as_plain(explanation(text or label.text(), before)))
    return label


def place_in_manual(widget: QWidget, section: str) -> None:
    """Declare the section of the manual about a widget and its children: "attention#settings-mask"."""
    widget.setProperty(_PLACE, section)


def declared_place(widget: QWidget | None) -> str:
    """Return the section of a widget or of its nearest parent that declares one; "" if none does."""
    while widget is not None:
        section = widget.property(_PLACE)
        if section:
            return str(section)
        widget = widget.parentWidget()
    return ""
