"""Cells masked by hand, of a head or of all heads of a layer."""

import re
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from attnviz.definitions.masks.of_layers import BY_HAND
from attnviz.definitions.text import Text, quoted
from attnviz.experiment.fields.chosen_records import Frozen
from attnviz.experiment.fields.painted import extent, forbidden, parse, runs_of
from attnviz.experiment.fields.problems import problem
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.model.interventions.intervention import At, Forbids, InScript, Intervention, RunOf, Undo
from attnviz.experiment.model.sides import Kind, at_of, canonical_on_side, order_of, side_and_rest


class PaintedMasks(Frozen[str]):
    """Masked cells painted per head ("3.4", "cross 3.4") or per layer ("3"); see `experiment.fields.painted`."""

    @override
    @classmethod
    def _parse(cls, raw: Any) -> Self:
        if not isinstance(raw, Mapping):
            sentence = "painted {said} must be an object with a text for each head or layer; nearest: {{}}"
            raise problem("painted", "painted_form", sentence, said=quoted(raw))
        cells: dict[str, str] = {}
        for name, text in raw.items():
            side, rest = side_and_rest(name) if isinstance(name, str) else ("", "")
            if not ("." in rest or (re.fullmatch("[0-9]{1,6}", rest) and int(rest))):
                sentence = "{said} in painted must name a head or a layer, such as 3.4 or 3; nearest: 1"
                raise problem("painted", "no_head_name", sentence, said=quoted(name))
            within = str(int(rest)) if "." not in rest else ""
            of_layer = within if side in ("", "encoder") else f"{side} {within}"
            named = of_layer if within else canonical_on_side("painted", name)
            if named in cells:
                sentence = "painted names {said} twice; nearest: one text with all its cells"
                raise problem("painted", "painted_twice", sentence, said=quoted(named))
            cells[named] = parse(text)
        return cls({name: cells[name] for name in sorted(cells, key=order_of) if cells[name]})


def _prepared(spec: Any, run: RunOf) -> dict[tuple[Kind, int], NDArray[np.bool_]]:
    """Return the cells that the heads of each painted layer may attend to, (1 or h, Q, K)."""
    texts = {at_of(name): text for name, text in spec.painted.items()}
    allowed: dict[tuple[Kind, int], NDArray[np.bool_]] = {}
    for kind, layer in {(at.kind, at.layer) for at in texts}:
        mine = {at.head: text for at, text in texts.items() if (at.kind, at.layer) == (kind, layer)}
        cells = run.cells(kind)
        allowed[kind, layer] = np.ones((1 if max(mine) < 0 else run.heads(kind, layer), *cells), bool)
        for head, text in mine.items():
            allowed[kind, layer][slice(None) if head < 0 else head] &= ~forbidden(text, *cells)
    return allowed


def _allowed(cells: Mapping[tuple[Kind, int], NDArray[np.bool_]], at: At) -> NDArray[np.bool_] | None:
    return cells.get((at.kind, at.layer))


def _runs(spec: Any) -> list[tuple[Any, ...]]:
    return [
        (at_of(name), (first, last + 1), (left, right + 1))
        for name, text in spec.painted.items()
        for (first, last), (left, right) in runs_of(text)
    ]


PAINTED = Intervention(
    prepared=_prepared,
    effect=Forbids(_allowed, BY_HAND, lambda layers, cells: cells),
    heads=lambda masks: masks,
    tokens=lambda masks: (max(extent(text)) - 1 for text in masks.values()),
    reads_b=False,
    said=lambda spec, name: Text("painted: {heads}", {"heads": heads_said(list(spec.painted))}),
    undo=Undo(
        Text("Paint the mask of {heads}"),
        Text("Take the mask of {heads} back"),
        lambda masks: {"heads": heads_said(sorted({name for name, _ in masks}, key=order_of))},
    ),
    script=InScript(
        lambda spec: {"painted": _runs(spec)},
        "  # (layer, head or -1, queries, keys)",
        """\
for of_layer, head, queries, keys in painted:
    if of_layer == layer:
        chosen = allowed[:, head : head + 1] if head >= 0 else allowed
        chosen[:, :, slice(*queries), slice(*keys)] = False""",
        "",
    ),
)
