"""The numbers of the heads of a training: their roles, each role's score, and the loss without them."""

from math import isfinite

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import Role
from attnviz.experiment.colours import without_left_out
from attnviz.experiment.layers.statistics import HeadValues, score_said
from attnviz.experiment.train.effects import HeadEffect, change_said, head_sentence, loss_said
from attnviz.experiment.train.studies import HeadsInTurnTrace
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.widgets.words import translate


def role_values(trace: TrainTrace) -> HeadValues:
    """Return the score of each head in the role that it is named after."""
    scores = np.full(trace.role_scores.shape[:2], np.nan)
    for at, named in trace.head_roles.items():
        scores[at] = named.score
    return HeadValues(
        values=scores, number=score_said, roles=trace.head_roles, offered=trace.spec.roles, off=trace.spec.pairs_off
    )


def pictures_of(trace: TrainTrace, contrast: str) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the levels of the weights of all heads by a contrast, and the mask that is hatched."""
    levels = np.concatenate([layer.levels("weights", contrast)[0] for layer in trace.layers])
    return levels, without_left_out(trace.layers[0].mask[0, 0], contrast)


def score_columns(trace: TrainTrace) -> tuple[HeadValues, ...]:
    """Return the score of each head in each role; in the role that it is named after, it is bold."""
    return tuple(
        _scores_in(trace, role, scores)
        for role, scores in zip(trace.spec.roles, np.moveaxis(trace.role_scores, 2, 0), strict=True)
    )


def _scores_in(trace: TrainTrace, role: Role, scores: NDArray[np.float64]) -> HeadValues:
    help_said = f"{translate(role.title)}: {translate(role.help)}\n{translate(role.spoken)}"

    def told(layer: int, head: int) -> str:
        """Return a text about the certainty of a score."""
        score = trace.score(role, layer, head)
        if not isfinite(score):
            return translate(
                "Too few rows count: the head has nothing to do there, or parks its attention on the first token"
            )
        words = score_said(score), len(trace.spec.role_sequences), score_said(trace.lowest(role, layer, head))
        name = role.title_at(trace.distance(layer, head)).translated(translate)
        return f"{name}: " + translate("{0} on average over {1} sequences, at least {2} in each").format(*words)

    return HeadValues(
        values=scores,
        number=_narrow,
        heading=translate(role.heading),
        help=help_said,
        spoken=help_said,
        bold=frozenset(at for at, named in trace.head_roles.items() if named.role is role),
        off=trace.spec.pairs_off,
        told=told,
    )


def _narrow(score: float) -> str:
    """Return a short text of a score: ".69", "1.0"."""
    said = score_said(score)
    return "1.0" if said == "1.00" else said.removeprefix("0")


def lost_values(
    trace: TrainTrace, study: HeadsInTurnTrace, effects: tuple[HeadEffect, ...]
) -> tuple[HeadValues, HeadValues]:
    """Return the lost accuracy without each head, and the increase of the loss."""
    lost = HeadValues(
        values=study.effect,
        number=change_said,
        title=translate("without it: accuracy"),
        heading=translate("without"),
        roles=trace.head_roles,
        off=trace.spec.pairs_off,
        told=lambda layer, head: head_sentence(effects[layer * trace.num_heads + head]).translated(translate),
    )
    return lost, HeadValues(values=study.loss - study.shown.loss, number=loss_said, title=translate("loss"))
