"""The steps that divide the scores: the square root of the head size, and the temperature."""

import math

from attnviz.definitions.score_steps.step import ScoreStep

ROOT = ScoreStep(
    name="root",
    does="divide",
    field="scaled",
    acts=lambda spec: bool(spec.scaled),
    line="÷ √{d}",
    amount=lambda spec, place, xp: math.sqrt(place.d),
    numbers=lambda spec, place: {"d": place.d},
    latex=r"\sqrt{{{d}}}",
    spoken=" over the square root of {d}",
    torch="math.sqrt(queries.shape[-1])",
)
TEMPERATURE = ScoreStep(
    name="temperature",
    does="divide",
    field="temperature",
    acts=lambda spec: bool(spec.temperature != 1),
    line="÷ temperature",
    amount=lambda spec, place, xp: float(spec.temperature),
    numbers=lambda spec, place: {"temperature": spec.temperature},
    latex="{temperature:g}",
    spoken=", at temperature {temperature:g}",
    torch="temperature",
)
