"""Texts for choices in forms, messages, and numbers as text."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic.fields import FieldInfo
from PySide6.QtCore import QCoreApplication

from attnviz.definitions.counting import PATCH, SCREEN
from attnviz.definitions.text import English, Text
from attnviz.experiment.fields.differences import differing
from attnviz.experiment.fields.knob import title_of_choice
from attnviz.experiment.fields.problems import Problem
from attnviz.experiment.files.specs_in_files import Preset, nearest_preset
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.run import Failure

NOT_ALLOWED = "code_not_allowed"
"""The code of a run that was refused, since its Python code was not allowed."""


def title_of(value: str, field: FieldInfo | None) -> str:
    """Return the label of a field's choice in the window's language."""
    title = title_of_choice(field, value)
    return translate(title) if title else value


def problem_text(problem: Problem, titles: Mapping[str, str] | None = None, *, with_nearest: bool = True) -> str:
    """Return a problem's message in the window's language: translated, then filled in, with positions counted from one.

    With the ``titles`` of a form's fields, the message has these instead of the fields' names. ``with_nearest=False``
    leaves out the ending that names the nearest valid values.
    """
    if titles is None:
        return translate(problem.text)

    def with_titles(template: English, count: int | None = None, /) -> str:
        return _FIELD_NAME.sub(lambda name: titles.get(name[0], name[0]), translate(template, count))

    text = replace(problem.text, template=problem.template_in_form) if problem.template_in_form else problem.text
    text = text if with_nearest else text.without_nearest
    language = translate if problem.template_in_form else with_titles
    return _named(text, translate(problem.title)).filled(language, SCREEN)


def _named(text: Text, title: str) -> Text:
    """Return a text that refers to the field by its title, if it has one."""
    values = {
        name: _named(word, title) if isinstance(word, Text) else title if title and name == "field" else word
        for name, word in text.values.items()
    }
    return replace(text, values=values)


_FIELD_NAME = re.compile(r"^[a-z_]+\b|(?<![{\w])[a-z]+_[a-z_]+\b(?!})")
"""Matches the possible name of a field: a word at the beginning of a sentence, or one with an underscore."""


def field_title(name: str, fields: Mapping[str, FieldInfo]) -> str:
    """Return the title of one of these fields in the window's language; its name if it has no title."""
    title = fields[name].title if name in fields else None
    return translate(title) if title else name


def error_text(error: SpecError) -> str:
    """Return a message for each of the first problems of a spec, in the window's language."""
    return "; ".join(map(problem_text, error.problems[:3]))


def failure_text(failure: Failure[Any]) -> str:
    """Return the reason why a run failed, in the window's language, and by the names of its buttons."""
    if failure.code == NOT_ALLOWED:
        return translate("This Python code was not allowed to run: Read and allow ... shows it, and asks again.")
    return translate(failure.text)


def file_filter(title: str, suffixes: Iterable[str]) -> str:
    """Return the filter of a file dialog: "Two columns (*.csv *.tsv)"."""
    return f"{title} ({' '.join(f'*{suffix}' for suffix in suffixes)})"


def translate(text: English | Text, count: int | None = None, /) -> str:
    """Return a text in the window's language, with positions counted from one; ``count`` chooses among its plurals."""
    if isinstance(text, Text):
        return with_patches(text.filled(translate, SCREEN))
    return QCoreApplication.translate("attnviz", text, None, -1 if count is None else count)


def with_patches(text: str) -> str:
    """Return a text with the names of an image's patches in the window's language."""
    return PATCH.sub(lambda found: translate("row {0}, column {1}").format(found[1], found[2]), text)


def named_as_changed(title: str) -> str:
    """Return the name of a changed preset with this title."""
    return translate("{0}, changed").format(title)


_CHANGES = 4
"""The most fields in which a spec may differ from a preset to be named after it."""


def preset_before(spec: Spec, last: Preset | None = None) -> Preset | None:
    """Return the preset that a spec was derived from: the ``last`` one, else the nearest; None without one."""
    if last is None or last.lab != spec.lab or len(differing(last.spec, spec)) > _CHANGES:
        return nearest_preset(spec, _CHANGES)
    return last


def spec_title(spec: Spec, before: Preset | None) -> str:
    """Return the name of a spec that is no preset: after the preset ``before`` the changes, or after its content."""
    if before is not None and before.spec.subject == spec.subject:
        return named_as_changed(translate(before.title))
    return translate(spec.subject) if spec.subject else translate("Own settings")


_HUGE = 1e7


def number_text(value: float, digits: str = "z.4f") -> str:
    """Return a number with a format; one that is not a number is written NaN, an infinite one ∞, a negative 0 as 0."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    # A hundred digits before the point would not fit, and say no more than five.
    return f"{value:.5g}" if abs(value) >= _HUGE else f"{value:{digits}}"


def cell_text(value: float, decimals: int) -> str:
    """Return a number for a cell of a picture: an exact 0 is "0", unlike one that is rounded to it, "0.00"."""
    return number_text(value, f".{decimals}f") if value else "0"


def weight_text(weight: float, decimals: int) -> str:
    """Return a weight for a reader who wants to know: as `cell_text`, but one rounded to 0 has digits, "2.1e-05"."""
    text = cell_text(weight, decimals)
    return text if not weight or text.strip("-0.") else number_text(weight, ".1e")
