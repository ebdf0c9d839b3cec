"""Contrast of both palettes, by the formula of WCAG: 4.5 to 1 for text, 3 to 1 for marks that carry meaning."""

import re

import numpy as np
import pytest

from attnviz.experiment.colours import (
    DARK_TEXT,
    DIVERGING,
    HIGHEST,
    LIGHT_TEXT,
    LOWEST,
    SEQUENTIAL,
    colours_of_levels,
    takes_dark_text,
)
from attnviz.folders import resource
from attnviz.gui.labs.train.written_text import STRONGEST
from attnviz.palette import THEMES, Theme

TEXT, MARK = 4.5, 3.0
TEXTS = {
    "text": ("window", "panel", "field", "faint", "accent_soft", "danger_soft", "right_soft", "masked"),
    "muted": ("window", "panel", "field", "faint"),
    "accent": ("window", "panel", "accent_soft", "danger_soft"),  # links, the chosen stage, the least error
    "danger": ("panel", "danger_soft"),
    "on_accent": ("accent",),
    "q": ("window", "panel", "faint"),
    "k": ("window", "panel", "faint"),
    "v": ("window", "panel", "faint"),
    "output": ("window", "panel", "faint"),
}
MARKS = {
    "edge": ("window", "panel", "field", "faint"),
    "accent": ("window", "panel", "field", "faint"),  # focus, the chosen head, the handles of sliders, curves
    "danger": ("panel", "field"),
    "muted": ("window", "panel"),
    "not_finite": ("window",),
    "text": ("accent_soft",),
    "q": ("window", "panel"),
    "k": ("window", "panel"),
    "v": ("window", "panel"),
    "output": ("window", "panel"),
}
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")

each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
each_map = pytest.mark.parametrize("name", [*SEQUENTIAL, DIVERGING])


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def hexadecimal(name: str, theme: Theme) -> list[str]:
    return ["#{:02x}{:02x}{:02x}".format(*colour) for colour in colours_of_levels(name, theme)]


@each_theme
def test_that_every_text_can_be_read_on_its_grounds(theme: Theme) -> None:
    for role, grounds in TEXTS.items():
        found = {ground: contrast(theme.text_of(role), getattr(theme, ground)) for ground in grounds}
        assert min(found.values()) >= TEXT, (role, found)


@each_theme
def test_that_what_a_model_writes_can_be_read_on_the_ground_of_the_least_probable_token(theme: Theme) -> None:
    of_ground, of_window = (np.array([int(c[at : at + 2], 16) for at in (1, 3, 5)]) for c in (theme.k, theme.window))
    mixed = np.rint(STRONGEST * of_ground + (1 - STRONGEST) * of_window).astype(int)
    assert contrast(theme.text, "#{:02x}{:02x}{:02x}".format(*mixed)) >= TEXT


@each_theme
def test_that_every_mark_can_be_seen_on_its_grounds(theme: Theme) -> None:
    for role, grounds in MARKS.items():
        found = {ground: contrast(getattr(theme, role), getattr(theme, ground)) for ground in grounds}
        assert min(found.values()) >= MARK, (role, found)
    assert min(contrast(curve, theme.window) for curve in theme.curves) >= MARK


@each_theme
def test_that_hatching_shows_where_its_words_are_not_read(theme: Theme) -> None:
    assert contrast(theme.hatch, theme.masked) >= 2


@each_theme
def test_that_every_text_of_the_style_sheet_can_be_read(theme: Theme) -> None:
    sheet = re.sub(r"/\*.*?\*/", "", resource("style.qss").read_text(encoding="utf-8"), flags=re.DOTALL)
    checked = 0
    for selector, body in RULE.findall(sheet):
        named = dict(re.findall(r"([\w-]+): (?:1px solid )?\$(\w+)", body))
        if "color" not in named or ":disabled" in selector:
            continue
        around = ["faint"] if "segments" in selector else ["window", "panel"]
        grounds = [named["background"]] if "background" in named else around
        for ground in grounds:
            found = contrast(getattr(theme, named["color"]), getattr(theme, ground))
            assert found >= TEXT, (selector.strip(), ground, found)
            checked += 1
    assert checked > 15


@each_theme
def test_that_what_takes_a_value_has_a_border_that_can_be_seen(theme: Theme) -> None:
    sheet = resource("style.qss").read_text(encoding="utf-8")
    fields = {"QComboBox": "", "QSpinBox": "", "QLineEdit": "", "QPlainTextEdit": "", "QTableWidget": ""}
    for selectors, body in RULE.findall(sheet):
        border = re.search(r"border(?:-color)?: (?:1px solid )?\$(\w+)", body)
        fields |= {each.strip(): border[1] for each in selectors.split(",") if border and each.strip() in fields}
    for name, role in fields.items():
        for ground in ("field", "panel", "window"):
            assert contrast(getattr(theme, role), getattr(theme, ground)) >= MARK, (name, role, ground)


@each_theme
@each_map
def test_that_a_number_can_be_read_in_a_cell_of_any_colour(name: str, theme: Theme) -> None:
    levels = slice(LOWEST, None)
    dark = takes_dark_text(colours_of_levels(name, theme))[levels]
    for colour, is_dark in zip(hexadecimal(name, theme)[levels], dark, strict=True):
        assert contrast(colour, DARK_TEXT if is_dark else LIGHT_TEXT) >= TEXT, colour


@each_theme
@each_map
def test_that_frames_are_seen_on_the_ends_of_a_map_by_the_better_of_their_two_lines(name: str, theme: Theme) -> None:
    colours = hexadecimal(name, theme)
    for role in ("q", "k", "muted"):
        own = getattr(theme, role)
        assert contrast(own, theme.window) >= MARK, "the two lines are seen beside each other"
        for level in (0, LOWEST, HIGHEST, 255):
            assert max(contrast(line, colours[level]) for line in (own, theme.window)) >= MARK, (role, colours[level])
