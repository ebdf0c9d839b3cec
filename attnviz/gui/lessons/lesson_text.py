"""A label with a text of a lesson: Markdown with formulas, in the type of the window."""

import base64
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt, Slot
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QSizePolicy

from attnviz.experiment.lessons.reading import text_reader
from attnviz.gui.run.background import Background
from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.formula_view import coloured, set_formula

if TYPE_CHECKING:
    from markdown_it.token import Token

_SHARPNESS = 2
"""The resolution of a formula relative to the label's, so that it is sharp on high-resolution screens."""
_STYLE = (
    "strong {{ font-weight: 600; }} p, ul, ol {{ margin-top: 0px; margin-bottom: 8px; }} "
    "ul, ol {{ -qt-list-indent: {indent}; }} li {{ margin-bottom: {gap}px; }}"
)
_FORMULA = re.compile(r"\$([^$]+)\$")


class LessonText(QLabel):
    """Shows Markdown with formulas; the first one with a formula appears once that is typeset."""

    def __init__(self, name: str = "", *, bullets: bool = False) -> None:
        """Create the label; ``bullets`` separates the items of lists, each with a bullet."""
        super().__init__()
        self._bullets = bullets
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setIndent(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._look = Look(LIGHT)
        self._markdown = ""
        self._background = Background(self)
        self._background.done.connect(self._show)

    def show_markdown(self, markdown: str) -> None:
        """Show a text; hidden if it is empty."""
        self.setVisible(bool(markdown))
        if markdown != self._markdown:
            self._markdown = markdown
            self._set()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._set()

    def _set(self) -> None:
        look, formulas = self._look, _FORMULA.findall(self._markdown)
        self.setAccessibleName(self._markdown.replace("$", ""))
        if not formulas:
            self.setText(_html(self._markdown, look, self._bullets) if self._markdown else "")
            return
        size = look.px(15)
        self._background.start(
            lambda: [set_formula(coloured(each, look.theme), look.theme.text, size) for each in formulas] and None,
            instead=True,
        )

    @Slot()
    def _show(self) -> None:
        self.setText(_html(self._markdown, self._look, self._bullets))


_reader = cache(text_reader)


def _html(markdown: str, look: Look, bullets: bool) -> str:
    """Return a text as the rich text of a label."""
    style = _STYLE.format(indent=int(bullets), gap=look.px(8) if bullets else 0)
    return f"<style>{style}</style>{''.join(_pieces(_reader().parse(markdown), look))}"


def _pieces(tokens: Sequence["Token"], look: Look) -> Iterator[str]:
    reader = _reader()
    for token in tokens:
        if token.type == "inline":
            yield from _pieces(token.children or [], look)
        elif token.type.startswith("math_block"):
            yield f"<p>{_picture(token.content.strip(), look)}</p>"
        elif token.type.startswith("math_"):
            yield _picture(token.content, look)
        else:
            yield reader.renderer.render([token], reader.options, {})


def _picture(latex: str, look: Look) -> str:
    """Return the image of a formula as rich text."""
    renderer = QSvgRenderer(QByteArray(set_formula(coloured(latex, look.theme), look.theme.text, look.px(15))))
    size = renderer.defaultSize()
    image = QImage(size * _SHARPNESS, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    png = base64.b64encode(buffer.data().data()).decode()
    return (
        f'<img src="data:image/png;base64,{png}" width="{size.width()}" height="{size.height()}" '
        'style="vertical-align: middle">'
    )
