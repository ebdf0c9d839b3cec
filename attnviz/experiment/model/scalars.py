"""The scalars of the model lab: the measures of every head, and the prediction."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from attnviz.definitions.roles import ROLES
from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.model.overview import OVERVIEW, WITHIN_A_TEXT, Overview
from attnviz.experiment.model.sides import SIDES, has_sides
from attnviz.experiment.scalars import Scalar, TextColumn

_SCALARS = (
    *OVERVIEW.values(),
    Scalar(
        name="top_probability",
        title=Text("Top probability"),
        help=Text("Probability of the top prediction at the position shown; none where nothing is predicted"),
        of=lambda trace: np.nan if trace.prediction is None else trace.prediction.probabilities[0],
        number=percent_said,
    ),
    Scalar(
        name="output_cosine",
        title=Text("Output, cosine"),
        help=Text("Cosine of the last hidden states with and without the interventions, mean over the tokens"),
        of=lambda trace: np.nan if trace.effect is None else trace.effect.cosine,
    ),
)
_NEW_TOKENS = Scalar(
    name="new_tokens",
    title=Text("New tokens"),
    help=Text("The number of tokens that the model continued the text with"),
    of=lambda trace: 0 if trace.generated is None else len(trace.generated.ids),
)
_GENERATED_TEXT = TextColumn(
    name="generated_text",
    title=Text("Generated text"),
    help=Text("The text of the tokens that the model continued with"),
    of=lambda trace: "" if trace.generated is None else trace.generated.text,
)


def _roles_of(overview: Overview) -> dict[tuple[int, int], str]:
    """Return the names of the roles that each head stands out in; "" for none."""
    known = np.argwhere(np.isfinite(overview.thumbnails).all(axis=(2, 3))).tolist()
    texts = dict.fromkeys(((layer, head) for layer, head in known), "")
    for at in overview.head_roles:
        distance = int(next(measure.distances[at] for name, measure in overview.roles.items() if ROLES[name].at))
        out = overview.standing_out(*at)
        texts[at] = " ".join(role.name if role.at is None else f"{role.name}({distance})" for role in out)
    return texts


_ROLE = TextColumn(
    name="role",
    title=Text("Role"),
    help=Text("The roles that a head stands out in, first the one that it is named after; empty for none"),
    of=lambda trace: _roles_of(trace.overview),
    per_head=True,
)


def _on_side(side: str, name: str, trace: Any) -> Any:
    """Return a measure of the heads of a side of an encoder-decoder; NaN where a trace has no such side."""
    if side not in trace.sides:
        return np.full(trace.overview.of(name).shape, np.nan)
    return trace.sides[side].overview().of(name)


def _roles_on_side(side: str, trace: Any) -> dict[tuple[int, int], str]:
    return _roles_of(trace.sides[side].overview()) if side in trace.sides else {}


_ON_SIDES = tuple(
    replace(
        each,
        name=f"{side.name}_{name}",
        stack=side.name,
        title=Text("{title}, {side}", {"title": each.title, "side": Text(side.title)}),
        of=partial(_on_side, side.name, name),
    )
    for side in SIDES.values()
    if side.kind != "self"
    for name, each in OVERVIEW.items()
    if side.kind != "cross" or name not in WITHIN_A_TEXT
)
"""The measures of heads beside those of an encoder."""
_ROLE_ON_SIDES = tuple(
    replace(
        _ROLE,
        name=f"{side.name}_role",
        stack=side.name,
        title=Text("{title}, {side}", {"title": _ROLE.title, "side": Text(side.title)}),
        of=partial(_roles_on_side, side.name),
    )
    for side in SIDES.values()
    if side.kind == "decoder"
)


def scalars_of(spec: Any) -> tuple[Scalar, ...]:
    """Return the scalars of a trace of a spec."""
    sided = _has_sides(spec)
    written = (_NEW_TOKENS,) if spec.generate or sided else ()
    return (*_SCALARS, *(_ON_SIDES if sided else ()), *written)


def text_columns_of(spec: Any) -> tuple[TextColumn, ...]:
    """Return the texts about a trace of a spec."""
    sided = _has_sides(spec)
    written = (_GENERATED_TEXT,) if spec.generate or sided else ()
    return (*written, _ROLE, *(_ROLE_ON_SIDES if sided else ()))


def _has_sides(spec: Any) -> bool:
    return not spec.image and has_sides(spec.path)
