"""Activation patching: the output of a head at a token is taken from the run of another text, at the same position."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_serializer

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text
from attnviz.experiment.fields.knob import Part
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.model.interventions.intervention import (
    At,
    ChangesOutputs,
    InScript,
    Intervention,
    RunOf,
    Undo,
    few,
)
from attnviz.experiment.model.sides import HeadAt, at_of, canonical_on_side, order_of
from attnviz.experiment.view_settings import Place


class Patch(Part):
    """One head's output at a token, taken from the run of another text at the same position."""

    head: Annotated[str, AfterValidator(partial(canonical_on_side, "patch"))] = Field(title="Head")
    token: Place = Field(title="Token")
    source: Literal["b"] = Field("b", alias="from")
    """The text: "b" is `ModelSpec.text_b`."""

    @property
    def at(self) -> HeadAt:
        """Its head."""
        return at_of(self.head)

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Its place in a sorted list."""
        return *order_of(self.head), self.token

    @model_serializer(mode="plain")
    def _written(self) -> dict[str, Any]:
        return {"head": self.head, "token": self.token, "from": self.source}


def _prepared(spec: Any, run: RunOf) -> dict[tuple[HeadAt, int], Any]:
    heads = ((each.at, each.token) for each in spec.patch)
    return {(at, token): run.outputs_b(at.kind, at.layer)[at.head, token] for at, token in heads}


def _patched(vectors: Mapping[tuple[HeadAt, int], Any], at: At) -> Callable[[Any, int], None] | None:
    layer = at.kind, at.layer
    mine = {(head.head, token): vector for (head, token), vector in vectors.items() if head[:2] == layer}

    def act(outputs: Any, first: int) -> None:
        for (head, token), vector in mine.items():
            if token >= first:
                outputs[..., token - first, head, :] = vector

    return act if mine else None


def _named(patch: Patch, name: Callable[[int], str]) -> str:
    """Return the name of a patch's token; of one of a decoder, whose names are not known here, its number."""
    return name(patch.token) if patch.at.kind == "self" else str(SCREEN.number(patch.token))


PATCH = Intervention(
    prepared=_prepared,
    effect=ChangesOutputs(_patched),
    heads=lambda patches: (each.head for each in patches),
    tokens=lambda patches: (each.token for each in patches),
    reads_b=True,
    said=lambda spec, name: Text(
        "patched: {heads}", {"heads": few([f"{each.head} · {_named(each, name)}" for each in spec.patch])}
    ),
    undo=Undo(
        Text("Patch {heads} from text B"),
        Text("Take the patch of {heads} back"),
        lambda patches: {"heads": heads_said(sorted({each.head for each in patches}, key=order_of))},
    ),
    script=InScript(
        lambda spec: {"patches": [(each.at, each.token) for each in spec.patch]},
        "  # (layer, head, token)",
        """\
for of_layer, head, token in patches:
    if of_layer == layer:
        pooled[:, token, head] = heads_of_b[layer][:, token, head]""",
        generating="""\
for of_layer, head, token in patches:
    if of_layer == layer and token >= first:
        pooled[:, token - first, head] = heads_of_b[layer][:, token, head]""",
    ),
)
