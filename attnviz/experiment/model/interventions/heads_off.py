"""Ablated heads: their output is zero, or its mean over the tokens of the run."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from attnviz.definitions.text import Text
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.model.interventions.intervention import At, ChangesOutputs, InScript, Intervention, Undo
from attnviz.experiment.model.sides import HeadAt, Kind, at_of, order_of

Ablation = Literal["zero", "mean"]
"""The output of an ablated head."""


class OffHeads(dict[HeadAt, Ablation]):
    """The ablated heads of a run, with the means of the prompt that a generation's new tokens get."""

    def __init__(self, heads: Iterable[HeadAt], ablation: Ablation) -> None:
        super().__init__(dict.fromkeys(heads, ablation))
        self.means: dict[tuple[Kind, int], Any] = {}


def _ablated(heads: Mapping[HeadAt, Ablation], at: At) -> Callable[[Any, int], None] | None:
    layer = at.kind, at.layer
    mine = {each.head: ablation for each, ablation in sorted(heads.items()) if each[:2] == layer}
    if not mine:
        return None
    zeros, means = ([head for head, each in mine.items() if each == ablation] for ablation in ("zero", "mean"))
    kept = heads.means if isinstance(heads, OffHeads) else {}

    def act(outputs: Any, first: int) -> None:
        if zeros:
            outputs[..., zeros, :] = 0.0
        if means:
            if not first:
                kept[layer] = outputs[..., means, :].mean(-3, keepdim=True)
            outputs[..., means, :] = kept[layer]

    return act


HEADS_OFF = Intervention(
    prepared=lambda spec, run: OffHeads(map(at_of, spec.heads_off), spec.ablation),
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
        lambda heads: {"heads": heads_said(sorted(heads, key=order_of))},
    ),
    script=InScript(
        lambda spec: {"ablation": spec.ablation, "heads_off": [(at_of(name),) for name in spec.heads_off]},
        "",
        """\
off = [head for of_layer, head in heads_off if of_layer == layer]
pooled[:, :, off] = pooled[:, :, off].mean(1, keepdim=True) if ablation == "mean" else 0.0""",
        generating="""\
off = [head for of_layer, head in heads_off if of_layer == layer]
mean = means.setdefault(layer, pooled[:, :, off].mean(1, keepdim=True))  # over the text
pooled[:, :, off] = mean if ablation == "mean" else 0.0""",
    ),
)
