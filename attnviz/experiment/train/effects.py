"""The role of each head beside its importance: how much accuracy and loss depend on it."""

from dataclasses import dataclass

import numpy as np

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.layers.statistics import HeadRole
from attnviz.experiment.train.studies import HeadsInTurn, HeadsInTurnTrace, RolesInTurn
from attnviz.experiment.train.trace import TrainTrace

_NOTHING = Text()
_FEW = 0.1
"""A head of a clear role that costs less than this share of accuracy is worth a sentence."""


@dataclass(frozen=True, slots=True)
class HeadEffect:
    """One head."""

    layer: int
    head: int
    named: HeadRole | None
    """Its role, if it has one."""
    off: bool
    """Whether the spec ablates it already, so that ablating it changes nothing."""
    accuracy: float
    """The accuracy without it."""
    lost: float
    """The accuracy lost without it."""
    loss_gained: float
    """The increase of the loss without it."""

    @property
    def name(self) -> str:
        """Its name, "1.4"."""
        return head_name(self.layer, self.head)


def effects_of(trace: TrainTrace, study: HeadsInTurnTrace) -> tuple[HeadEffect, ...]:
    """Return every head of a trace, layer by layer, with its result in the study of the same model."""
    lost, off = study.effect, trace.spec.pairs_off
    return tuple(
        HeadEffect(
            layer=at[0],
            head=at[1],
            named=trace.head_roles.get(at),
            off=at in off,
            accuracy=float(study.accuracy[at]),
            lost=float(lost[at]),
            loss_gained=float(study.loss[at] - study.shown.loss),
        )
        for at in np.ndindex(*lost.shape)
    )


def most_needed_first(effects: tuple[HeadEffect, ...]) -> tuple[HeadEffect, ...]:
    """Return heads by the loss without them: accuracy, then loss; heads ablated by the spec last."""
    return tuple(sorted(effects, key=lambda each: (each.off, -each.lost, -each.loss_gained)))


def head_sentence(effect: HeadEffect) -> Text:
    """Return a text about a head's role and its effect."""
    values = {"head": _seen(effect), "accuracy": change_said(effect.lost), "loss": loss_said(effect.loss_gained)}
    if effect.off:
        return Text("{head} is off. What is lost without it is not measured.", values)
    return Text("{head}. Without it: accuracy {accuracy}, loss {loss}.", values)


def effect_sentence(effects: tuple[HeadEffect, ...], study: HeadsInTurnTrace, of_roles: Text = _NOTHING) -> Text:
    """Return a text about the most needed head, and about a hardly needed head of a clear role, if there is one.

    That second part is replaced by the sentence about roles, `spare_heads_sentence`, unless it is empty.
    """
    on = tuple(each for each in effects if not each.off)
    if not on:
        return Text("Every head is off.")
    if study.spec.step == 0:
        change = {"most": percent_said(max(abs(each.lost) for each in on)), **_now(study)}
        return Text("Untrained: accuracy is {now}, and no head changes it by more than {most}.", change)
    most = most_needed_first(on)[0]
    if most.lost <= 0:
        return Text("No head is needed: without any one of them accuracy stays at {now} or rises.", _now(study))
    values = {"head": _seen(most), "then": percent_said(most.accuracy), "lost": _points(most.lost), **_now(study)}
    if values["then"] == values["now"]:
        sentence = Text("Without {head} accuracy falls by only {lost} percentage points, from {now}.", values)
    else:
        sentence = Text("Without {head} accuracy falls from {now} to {then}.", values)
    if of_roles:
        return Text("{first} {second}", {"first": sentence, "second": of_roles})
    spare = [
        each for each in on if each.named is not None and each is not most and each.lost < min(_FEW, most.lost / 2)
    ]
    if not spare:
        return sentence
    clearest = max(spare, key=lambda each: each.named.score if each.named else 0.0)
    other = {"head": _seen(clearest), "lost": _points(clearest.lost)}
    if clearest.lost > 0:
        second = Text("Without {head} it falls by only {lost} percentage points.", other)
    else:
        second = Text("Without {head} it does not fall.", other)
    return Text("{first} {second}", {"first": sentence, "second": second})


def computing_sentence(done: int, count: int, *, together: bool = False) -> Text:
    """Return the number of heads ablated so far, or (``together``) of heads of one role."""
    if together:
        return Text(
            "Computing: {done} of {count} roles and pairs of heads were turned off.", {"done": done, "count": count}
        )
    return Text("Computing: {done} of {count} heads were turned off.", {"done": done, "count": count})


def old_study_sentence(old: HeadsInTurn | RolesInTurn, new: HeadsInTurn | RolesInTurn) -> Text:
    """Return the origin of the study on screen while another is not ready."""
    if not old.is_of_another_training(new):
        return Text("The picture shows step {step}.", {"step": old.step})
    values = {"layers": old.of.num_layers, "heads": old.of.num_heads, "step": old.step}
    return Text("The picture shows the study of the model before: {layers} × {heads} heads, step {step}.", values)


def change_said(lost: float) -> str:
    """Return the change of the accuracy in percentage points: "−4 %", "0 %"."""
    digits = 1 if 0 < abs(lost) < 0.01 else 0
    text = f"{-100 * lost:+.{digits}f} %".replace("-", "−")
    return text if any(figure in text for figure in "123456789") else "0 %"


def loss_said(gained: float) -> str:
    """Return the change of the loss: "+0.41", "−0.0004" if it is small, "0"."""
    text = f"{gained:+.{2 if abs(gained) >= 0.005 else 4}f}".replace("-", "−")
    return text if any(figure in text for figure in "123456789") else "0"


def _points(lost: float) -> str:
    """Return the lost accuracy in percentage points: "4", "< 0.1"."""
    return percent_said(lost).removesuffix(" %")


def _now(study: HeadsInTurnTrace) -> dict[str, str]:
    return {"now": percent_said(study.shown.accuracy)}


def _seen(effect: HeadEffect) -> Text:
    named = effect.named
    if named is None:
        return Text("{head} (no clear role)", {"head": effect.name})
    values = {"head": effect.name, "role": named.role.named_at(named.distance), "score": f"{named.score:.2f}"}
    return Text("{head} ({role} {score})", values)
