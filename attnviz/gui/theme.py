"""Two palettes, the type sizes and the role colours; the rest of the window takes its looks from here."""

from dataclasses import dataclass
from string import Template

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette

from attnviz.resources import resource

PRESENTER_SCALE = 1.6


@dataclass(frozen=True, slots=True)
class Theme:
    """A palette. Role colours (q, k, v, output) survive colour-blindness and never stand without their letter."""

    name: str
    window: str
    panel: str
    field: str
    line: str
    text: str
    muted: str
    faint: str
    accent: str
    on_accent: str
    accent_soft: str
    danger: str
    danger_soft: str
    masked: str
    hatch: str
    not_finite: str
    q: str
    k: str
    v: str
    output: str
    curves: tuple[str, ...]
    """Of overlays, none of them a role's colour; each also has a line pattern of its own."""


LIGHT = Theme(
    name="light",
    window="#f5f6f8",
    panel="#ffffff",
    field="#ffffff",
    line="#dfe2e8",
    text="#1b1f27",
    muted="#626b7a",
    faint="#eceef2",
    accent="#3355cc",
    on_accent="#ffffff",
    accent_soft="#dfe5f8",
    danger="#b3261e",
    danger_soft="#fbe9e7",
    masked="#eceef2",
    hatch="#c3c8d2",
    not_finite="#e0218a",
    q="#0072b2",
    k="#d55e00",
    v="#009e73",
    output="#b5548b",
    curves=("#008a63", "#8a4fbf", "#b07a00", "#b5354a", "#3f7f9f", "#7a6a1f", "#5f6b7a", "#9a3d8f"),
)

DARK = Theme(
    name="dark",
    window="#14171c",
    panel="#1b1f27",
    field="#14171c",
    line="#323844",
    text="#e8eaf0",
    muted="#98a1b2",
    faint="#262b35",
    accent="#7c9cff",
    on_accent="#10131a",
    accent_soft="#27314f",
    danger="#ff8a80",
    danger_soft="#3a2224",
    masked="#262b35",
    hatch="#454d5c",
    not_finite="#ff5cb8",
    q="#56b4e9",
    k="#f0883e",
    v="#34c79a",
    output="#d98cba",
    curves=("#4fd0a5", "#b99aff", "#f2c14e", "#ff8fa0", "#8fd0ea", "#c9c07a", "#b4bccb", "#e69ad8"),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


@dataclass(frozen=True, slots=True)
class Look:
    """A theme at a type scale: what every drawn widget is restyled with."""

    theme: Theme
    scale: float = 1.0

    def px(self, length: float) -> int:
        """Return a length of the 8-px grid at this scale."""
        return round(length * self.scale)

    def font(self, size: str = "body", *, bold: bool = False) -> QFont:
        """Return the small, body or large face, with figures of equal width."""
        font = QFont("Inter")
        font.setPixelSize(self.px({"small": 11, "body": 13, "large": 18}[size]))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def color(self, role: str) -> QColor:
        """Return one of the theme's colours."""
        return QColor(getattr(self.theme, role))


def load_fonts() -> None:
    """Register the bundled faces; where that fails Qt falls back to the desktop's own."""
    for name in ("Regular", "Medium", "SemiBold"):
        QFontDatabase.addApplicationFont(str(resource("fonts") / f"Inter-{name}.otf"))


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette, for what the style sheet does not reach (tooltips, dialogs, selections)."""
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


def style_sheet(look: Look) -> str:
    """Return the application's style sheet, from resources/style.qss with colours and sizes filled in."""
    names = {name: getattr(look.theme, name) for name in Theme.__dataclass_fields__}
    sizes = {f"px{length}": f"{look.px(length)}px" for length in (1, 2, 4, 6, 8, 11, 12, 13, 16, 18, 20, 24, 28, 32)}
    icons = resource("icons").as_posix()
    template = Template((resource("style.qss")).read_text(encoding="utf-8"))
    return template.substitute(names, **sizes, icons=icons)
