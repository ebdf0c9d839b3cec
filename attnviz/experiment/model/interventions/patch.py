"""Activation patching: the output of a head at a token is taken from the run of another text, at the same position."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_serializer

from attnviz.definitions.text import Text
from attnviz.experiment.fields.knob import Part
from attnviz.experiment.layers.head_names import canonical_head, head_of, heads_said
from attnviz.experiment.model.interventions.intervention import (
    ChangesOutputs,
    InScript,
    Intervention,
    RunOf,
    Undo,
    few,
)
from attnviz.experiment.view_settings import Place


class Patch(Part):
    """One head's output at a token, taken from the run of another text at the same position."""

    head: Annotated[str, AfterValidator(partial(canonical_head, "patch"))] = Field(title="Head")
    token: Place = Field(title="Token")
    source: Literal["b"] = Field("b", alias="from")
    """The text: "b" is `ModelSpec.text_b`."""

    @property
    def indices(self) -> tuple[int, int, int]:
        """Its layer, head and token, from 0."""
        return *head_of(self.head), self.token

    @model_serializer(mode="plain")
    def _written(self) -> dict[str, Any]:
        return {"head": self.head, "token": self.token, "from": self.source}


def _prepared(spec: Any, run: RunOf) -> dict[tuple[int, int, int], Any]:
    return {index: run.outputs_b(index[0])[index[1:]] for index in (each.indices for each in spec.patch)}


def _patched(vectors: Mapping[tuple[int, int, int], Any], layer: int) -> Callable[[Any, int], None] | None:
    mine = {index[1:]: vector for index, vector in vectors.items() if index[0] == layer}

    def act(outputs: Any, first: int) -> None:
        for (head, token), vector in mine.items():
            if token >= first:
                outputs[..., token - first, head, :] = vector

    return act if mine else None


PATCH = Intervention(
    prepared=_prepared,
    effect=ChangesOutputs(_patched),
    heads=lambda patches: (each.head for each in patches),
    tokens=lambda patches: (each.token for each in patches),
    reads_b=True,
    said=lambda spec, name: Text(
        "patched: {heads}", {"heads": few([f"{each.head} · {name(each.token)}" for each in spec.patch])}
    ),
    undo=Undo(
        Text("Patch {heads} from text B"),
        Text("Take the patch of {heads} back"),
        lambda patches: {"heads": heads_said(sorted({each.head for each in patches}, key=head_of))},
    ),
    script=InScript(
        lambda spec: {"patches": [each.indices for each in spec.patch]},
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
