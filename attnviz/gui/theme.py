"""The look of the window: palette, fonts and style sheet at a type scale."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from string import Template

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from attnviz.folders import CHINESE_FONT, chinese_font, resource
from attnviz.log import note
from attnviz.palette import DARK, LIGHT, THEMES, Theme

__all__ = ["DARK", "LIGHT", "THEMES", "Look", "Theme", "dress", "load_fonts", "palette", "style_sheet"]

_PRESENT_LINES = 500
"""The height in pixels at scale 1 of a screen in Present: its smallest type, of 11 pixels, is 2.2 % of the height."""


_SIZES = {"small": 11, "body": 13, "large": 18}


@lru_cache(maxsize=64)
def _font(pixels: int, bold: bool) -> QFont:
    font = QFont("Inter")
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@dataclass(frozen=True, slots=True)
class Look:
    """A theme at a type scale, passed to the method `restyle` of every widget that draws itself."""

    theme: Theme
    scale: float = 1.0
    present: bool = False
    """Whether the window is shown to an audience."""
    numbers: bool = True
    """Whether pictures, and the sentence about them, show their numbers."""
    motion: bool = False
    """Whether cells move to the numbers that the next stage computes from them."""

    def presented(self, height: int) -> "Look":
        """Return the look for an audience, on a screen of this height in pixels."""
        return replace(self, scale=height / _PRESENT_LINES, present=True)

    def px(self, length: float) -> int:
        """Return a length in pixels at this scale."""
        return round(length * self.scale)

    def font(self, size: str = "body", *, bold: bool = False) -> QFont:
        """Return the small, body or large font, with figures of equal width."""
        return QFont(_font(self.px(_SIZES[size]), bold))

    def token_font(self, size: str = "body") -> QFont:
        """Return the font of tokens, which distinguishes l from a bar and 0x9C from a product."""
        font = self.font(size)
        font.setFeature(QFont.Tag("calt"), 0)
        font.setFeature(QFont.Tag("cv05"), 1)
        return font

    def color(self, role: str) -> QColor:
        """Return one of the theme's colours."""
        return QColor(getattr(self.theme, role))

    def text_color(self, role: str) -> QColor:
        """Return the text colour of a role."""
        return QColor(self.theme.text_of(role))


def load_fonts() -> None:
    """Register Inter, and the Chinese font of resources/ if the system has none; log a file that Qt cannot use.

    Qt then uses the desktop's fonts.
    """
    _register(*(resource("fonts") / f"Inter-{name}.otf" for name in ("Regular", "Medium", "SemiBold")))
    if not QFontMetrics(_font(_SIZES["body"], bold=False)).inFontUcs4(ord("中")):
        _register(*chinese_font())
        QFont.insertSubstitution("Inter", CHINESE_FONT)


def _register(*files: Path) -> None:
    for file in files:
        if QFontDatabase.addApplicationFont(str(file)) < 0:
            note(f"the font {file} is missing or broken; Qt uses the desktop's")


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette, for parts that the style sheet does not cover (tooltips, dialogs, selections)."""
    colours = QPalette()
    role = QPalette.ColorRole
    for target, name in (
        (role.Window, "window"),
        (role.Base, "field"),
        (role.AlternateBase, "faint"),
        (role.Button, "panel"),
        (role.ToolTipBase, "panel"),
        (role.Text, "text"),
        (role.WindowText, "text"),
        (role.ButtonText, "text"),
        (role.ToolTipText, "text"),
        (role.Highlight, "accent"),
        (role.HighlightedText, "on_accent"),
        (role.PlaceholderText, "muted"),
        (role.Link, "accent"),
    ):
        colours.setColor(target, QColor(getattr(theme, name)))
    for target in (role.Text, role.WindowText, role.ButtonText):
        colours.setColor(QPalette.ColorGroup.Disabled, target, QColor(theme.muted))
    return colours


def dress(part: QWidget, look: Look) -> None:
    """Give a part of a window the style sheet of a look, and restyle the widgets in it.

    The window itself has none: Qt would apply it to two thousand widgets at once, most of them hidden.
    """
    sheet = style_sheet(look)
    if part.styleSheet() != sheet:
        if part.styleSheet():
            part.ensurePolished()  # in a part that was never on screen, Qt leaves children in the last sheet's type
        part.setStyleSheet(sheet)
    restyle(part, look)


def restyle(part: QWidget, look: Look) -> None:
    """Call ``restyle(look)`` of each widget in a part that has such a method, of children before their parents.

    A widget that paints or measures itself has one. Code that adds a widget later calls this, or passes the look.
    """
    for widget in (*reversed(part.findChildren(QWidget)), part):
        take = getattr(widget, "restyle", None)
        if take is not None:
            take(look)


def set_state(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the rules of the style sheet ask for, and apply them anew."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Styled(QWidget):
    """A widget that paints itself with the colours and lengths of a look."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = Look(LIGHT)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.updateGeometry()
        self.update()


def style_sheet(look: Look) -> str:
    """Return the style sheet of a window's parts, from resources/style.qss with colours and sizes filled in."""
    return _style_sheet(replace(look, present=False, numbers=True))


@lru_cache(maxsize=8)
def _style_sheet(look: Look) -> str:
    names = {name: getattr(look.theme, name) for name in Theme.__dataclass_fields__}
    lengths = (1, 2, 4, 6, 8, 11, 12, 13, 16, 18, 20, 24, 28, 32)
    sizes = {f"px{length}": f"{look.px(length)}px" for length in lengths}
    sizes |= {f"less{length}": f"{look.px(length) - 1}px" for length in lengths}
    icons = resource("icons").as_posix()
    template = Template((resource("style.qss")).read_text(encoding="utf-8"))
    return template.substitute(names, **sizes, icons=icons)


@lru_cache(maxsize=64)
def icon(name: str, colour: str, size: int = 16) -> QIcon:
    """Return an icon in one colour, sharp on screens of up to three pixels per point."""
    text = (resource("icons") / f"{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour).encode()))
    made = QIcon()
    # Qt's own disabled icons are as bright as enabled ones if a light icon is on a dark button.
    for factor in (1, 2, 3):
        normal, disabled = QPixmap(QSize(size, size) * factor), QPixmap(QSize(size, size) * factor)
        for pixmap in (normal, disabled):
            pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(normal) as painter:
            renderer.render(painter, QRectF(normal.rect()))
        with QPainter(disabled) as painter:
            painter.setOpacity(0.35)
            painter.drawPixmap(0, 0, normal)
        for pixmap, mode in ((normal, QIcon.Mode.Normal), (disabled, QIcon.Mode.Disabled)):
            pixmap.setDevicePixelRatio(factor)
            made.addPixmap(pixmap, mode)
    return made
