"""The two palettes, with their role colours, of the window and of exported figures."""

from dataclasses import dataclass

_MARKS = ("k", "q", "v", "output")
"""The colours of the first marks; further ones have those of overlays."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A palette. Role colours (q, k, v, output) survive colour-blindness and are never used without their letter."""

    name: str
    window: str
    panel: str
    field: str
    line: str
    """Decorative, between parts of the window."""
    edge: str
    """Around input fields, and the lines of a scale; visible by itself."""
    text: str
    muted: str
    faint: str
    accent: str
    on_accent: str
    accent_soft: str
    danger: str
    danger_soft: str
    right_soft: str
    """The background of right answers."""
    masked: str
    hatch: str
    not_finite: str
    q: str
    k: str
    v: str
    output: str
    q_text: str
    k_text: str
    v_text: str
    output_text: str
    curves: tuple[str, ...]
    """Colours of overlays, distinct from the role colours; each overlay also has its own line pattern."""

    def mark(self, index: int) -> str:
        """Return the colour of one of several named marks or curves, by its index."""
        turn, further = divmod((index - len(_MARKS)) * 2, len(self.curves))  # adjacent colours are more alike
        return (
            str(getattr(self, _MARKS[index]))
            if index < len(_MARKS)
            else self.curves[(further + turn) % len(self.curves)]
        )

    def mark_text(self, index: int) -> str:
        """Return the text colour of such a mark's name."""
        return self.text_of(_MARKS[index]) if index < len(_MARKS) else self.text

    def text_of(self, role: str) -> str:
        """Return the text colour of a role: a mark's colour, but dark or light enough to be legible."""
        return str(getattr(self, f"{role}_text", None) or getattr(self, role))


LIGHT = Theme(
    name="light",
    window="#f5f6f8",
    panel="#ffffff",
    field="#ffffff",
    line="#dfe2e8",
    edge="#7f8796",
    text="#1b1f27",
    muted="#626b7a",
    faint="#eceef2",
    accent="#3355cc",
    on_accent="#ffffff",
    accent_soft="#dfe5f8",
    danger="#b3261e",
    danger_soft="#fbe9e7",
    right_soft="#cdeae3",
    masked="#eceef2",
    hatch="#9aa2b0",
    not_finite="#e0218a",
    q="#0072b2",
    k="#d55e00",
    v="#009e73",
    output="#b5548b",
    q_text="#006fad",
    k_text="#b14d00",
    v_text="#007a59",
    output_text="#a94880",
    curves=("#008a63", "#8a4fbf", "#b07a00", "#b5354a", "#3f7f9f", "#7a6a1f", "#5f6b7a", "#9a3d8f"),
)

DARK = Theme(
    name="dark",
    window="#14171c",
    panel="#1b1f27",
    field="#14171c",
    line="#323844",
    edge="#6c7586",
    text="#e8eaf0",
    muted="#98a1b2",
    faint="#262b35",
    accent="#7c9cff",
    on_accent="#10131a",
    accent_soft="#27314f",
    danger="#ff8a80",
    danger_soft="#3a2224",
    right_soft="#1d3a37",
    masked="#262b35",
    hatch="#5b6476",
    not_finite="#ff5cb8",
    q="#56b4e9",
    k="#f0883e",
    v="#34c79a",
    output="#d98cba",
    q_text="#56b4e9",
    k_text="#f0883e",
    v_text="#34c79a",
    output_text="#d98cba",
    curves=("#4fd0a5", "#b99aff", "#f2c14e", "#ff8fa0", "#8fd0ea", "#c9c07a", "#b4bccb", "#e69ad8"),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
