"""Ablated heads: their output is zero, or its mean over the tokens of the run."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from attnviz.definitions.text import Text
from attnviz.experiment.layers.head_names import head_of, heads_said
from attnviz.experiment.model.interventions.intervention import ChangesOutputs, InScript, Intervention, Undo

Ablation = Literal["zero", "mean"]
"""The output of an ablated head."""


def _ablated(heads: Mapping[tuple[int, int], Ablation], layer: int) -> Callable[[Any], None] | None:
    mine = {head: ablation for (of_layer, head), ablation in sorted(heads.items()) if of_layer == layer}
    if not mine:
        return None
    zeros, means = ([head for head, each in mine.items() if each == ablation] for ablation in ("zero", "mean"))

    def act(outputs: Any) -> None:
        if zeros:
            outputs[..., zeros, :] = 0.0
        if means:
            outputs[..., means, :] = outputs[..., means, :].mean(-3, keepdim=True)

    return act


HEADS_OFF = Intervention(
    prepared=lambda spec, run: dict.fromkeys(spec.pairs_off, spec.ablation),
    effect=ChangesOutputs(_ablated),
    heads=lambda heads: heads,
    tokens=lambda heads: (),
    reads_b=False,
    said=lambda spec, name: Text(
        "off, as their mean: {heads}" if spec.ablation == "mean" else "off: {heads}",
        {"heads": heads_said(spec.heads_off)},
    ),
    undo=Undo(
        Text("Turn heads {heads} off", one="Turn head {heads} off"),
        Text("Turn heads {heads} on again", one="Turn head {heads} on again"),
        lambda heads: {"heads": heads_said(sorted(heads, key=head_of))},
    ),
    script=InScript(
        lambda spec: {"ablation": spec.ablation, "heads_off": list(spec.pairs_off)},
        "",
        """\
off = [head for of_layer, head in heads_off if of_layer == layer]
pooled[:, :, off] = pooled[:, :, off].mean(1, keepdim=True) if ablation == "mean" else 0.0""",
    ),
)
