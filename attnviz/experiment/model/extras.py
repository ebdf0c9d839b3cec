"""The further numbers of a run of the model lab."""

from dataclasses import replace
from functools import partial
from typing import Any

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import Text
from attnviz.definitions.token_maps import TOKEN_MAPS, TokenMap
from attnviz.experiment.extras import Extra
from attnviz.experiment.model.lens import Lens
from attnviz.experiment.model.residual.attribution import IGNORES, Attribution
from attnviz.experiment.model.sides import SIDES, has_sides
from attnviz.experiment.model.studies import HeadsInTurn, RandomSets
from attnviz.experiment.model.token_maps.study import TokenMapOf
from attnviz.experiment.scalars import Scalar


def _read(trace: Any) -> dict[str, Any]:
    """Return the fields that every study of a trace's run has: the spec, and the new tokens that were read."""
    return {"of": trace.spec, "continued": trace.continued}


def _attribution_scalars(spec: Any) -> tuple[Scalar, ...]:
    """Return what each head adds, of an encoder-decoder by sides, and what they add up to."""
    adds = Scalar(
        name="attribution",
        title=Text("Attribution"),
        help=Text("What a head adds to the logit of the top prediction (direct logit attribution)"),
        of=lambda found: found.of_kind["self"],
        per_head=True,
        summary="largest",
    )
    per_head = tuple(
        replace(
            adds,
            name=f"{side}_attribution",
            stack=side,
            title=Text("{title}, {side}", {"title": adds.title, "side": Text(SIDES[side].title)}),
            of=partial(_of_side, side),
        )
        for side in ("decoder", "cross")
    )
    logit = Scalar(
        name="attribution_logit",
        title=Text("Logit"),
        help=Text("The logit of the top prediction, before a soft cap"),
        of=lambda found: found.logit,
    )
    return (*(per_head if has_sides(spec.path) and not spec.image else (adds,)), logit)


def _of_side(side: str, found: Any) -> Any:
    return found.of_kind[SIDES[side].kind]


def _ablation_scalars(_: Any) -> tuple[Scalar, ...]:
    lost = Scalar(
        name="ablation_lost",
        title=Text("Lost by ablation"),
        help=Text("The probability that the top prediction loses without a head; without a prediction, 1 − cosine"),
        of=lambda found: found.effect,
        per_head=True,
        summary="largest",
    )
    return (lost,)


def _of_map(record: TokenMap) -> Extra:
    """Return the extra of a map of tokens, with its usual settings."""
    name = record.name
    settings = ("heads", "layer", *(["residual"] * record.has_share), *(["token"] * (record.of == "gradients")))
    return Extra(
        name=name,
        title=record.title,
        ignores=record.ignores,
        arrays=(name, *(f"{name}_{each}" for each in settings)),
        study=lambda trace: TokenMapOf(**_read(trace), side=trace.side, map=name),
    )


EXTRAS: Registry[Extra] = Registry(
    "extra",
    (
        Extra(
            name="lens",
            title="Logit lens",
            ignores="It reads each layer's state as if no layer followed; later layers may still turn it.",
            arrays=("lens_ids", "lens_probabilities"),
            study=lambda trace: Lens(**_read(trace)),
        ),
        Extra(
            name="attribution",
            title="Attribution by head",
            ignores=IGNORES,
            arrays=tuple(
                f"attribution{each}" for each in ("", "_mlp", "_embedding", "_bias", "_logit", "_token", "_rest")
            ),
            study=lambda trace: Attribution(**_read(trace)),
            scalars=_attribution_scalars,
        ),
        Extra(
            name="ablation",
            title="Each head turned off",
            ignores="Heads are turned off one at a time, so heads that stand in for each other seem to do nothing.",
            arrays=("ablation_probability", "ablation_logit_lost", "ablation_cosine", "ablation_shown"),
            study=lambda trace: HeadsInTurn(**_read(trace), side=trace.side),
            scalars=_ablation_scalars,
        ),
        Extra(
            name="random_sets",
            title="Beside random heads",
            ignores="It compares with heads of the same layers only, turned off in the same way, on this one text.",
            arrays=tuple(f"random_sets{each}" for each in ("", "_lost", "_chosen", "_possible", "_seed")),
            study=lambda trace: RandomSets(**_read(trace)),
        ),
        *map(_of_map, (record for record in TOKEN_MAPS.values() if record.name != "raw")),
    ),
)
