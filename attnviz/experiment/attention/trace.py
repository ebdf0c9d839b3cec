"""The trace of the attention lab: the result of a run."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from attnviz.definitions.masks import in_force
from attnviz.definitions.masks.own import OWN
from attnviz.definitions.stages import STAGES, stages_of
from attnviz.definitions.text import Text
from attnviz.experiment.attention.fields import WordInputs
from attnviz.experiment.attention.own_mask import OwnFunctions
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.source import Layers, LayerTrace, of_layer
from attnviz.experiment.run import row_sum_facts, run_time

_ORIGINS = {
    "random": "Random inputs",
    "sentence": "Random embeddings",
    "two_sentences": "Random embeddings",
    "ones": "All-ones inputs",
    "identity": "One-hot inputs",
    "file": "Inputs of the file",
}
_IN_A_FILE = ("q", "k", "v", "scores", "mask", "masked_scores", "weights", "heads", "merged", "output")
"""The tensors computed by the module, in file order."""


def layer_of(
    spec: AttentionSpec, file_parameters: frozenset[str] = frozenset(), own: OwnFunctions | None = None, **tensors: Any
) -> Layer:
    """Return the layer computed by a spec's module, or given, from its tensors and tokens.

    ``file_parameters``: the names of the parameters read from a file; all others were drawn at random. ``own``: the
    user's functions, if the spec names any.
    """
    random = frozenset() if spec.is_given else frozenset(tensors["parameters"]) - file_parameters
    masks = (*in_force(spec), *([(OWN, own.mask)] if own is not None and own.mask is not None else []))
    untrained = Text("Untrained: random weights, seed {seed}", {"seed": spec.seed}) if random else Text()
    return Layer(
        stages=tuple(STAGES[name] for name in stages_of(spec)),
        mechanism=spec.mechanism_record,
        knobs=spec,
        masks=None if spec.is_given else masks,
        dtype=str(tensors["weights"].dtype) if spec.is_given else spec.dtype,
        has_words=isinstance(spec.inputs, WordInputs),
        self_attention=spec.self_attention,
        mask_policy=spec.mask_policy,
        fills_with_inf=spec.fills_with_inf,
        fill_overflows=spec.fill_overflows,
        dropout=spec.dropout if spec.dropout_acts else 0.0,
        origin=_ORIGINS[spec.inputs.kind],
        random_parameters=random,
        untrained_note=untrained,
        **tensors,
    )


def trace_of(spec: AttentionSpec, arrays: Mapping[str, NDArray[Any]]) -> "AttentionTrace":
    """Return the trace with these arrays, named as in `AttentionTrace.arrays`, and tokens; it has no time.

    Raises:
        ValueError: the spec has further arrays, which are not supported here: features, changed scores or vectors,
            dropout.
        KeyError: one is missing.
    """
    record = spec.mechanism_record
    if spec.dropout_acts or spec.score_steps or spec.mods or record.features is not None or spec.is_given:
        raise ValueError("the trace of such a spec is not stored")
    mask = arrays["mask"]
    if (mask == mask[:, :1]).all():  # one mask for all heads
        mask = np.broadcast_to(mask[:, :1], mask.shape)
    tokens = {name: tuple(map(str, arrays[name])) for name in ("query_tokens", "key_tokens")}
    names = (name for each in record.parameters for name in (each.name, each.bias_name))
    tensors: dict[str, Any] = {name: arrays[name] for name in ("queries", "keys", "values", *_IN_A_FILE)}
    if tensors["weights"].shape != (
        spec.batch_size,
        spec.heads_run,
        len(tokens["query_tokens"]),
        len(tokens["key_tokens"]),
    ):
        raise ValueError("the weights have another shape")
    layer = layer_of(
        spec,
        parameters={name: arrays[name] for name in names if name in arrays},
        dropped_weights=tensors["weights"],
        **tensors | tokens | {"mask": mask},
    )
    return AttentionTrace(spec, layer, "cpu", math.nan)


@dataclass(frozen=True, eq=False)
class AttentionTrace(LayerTrace):
    """All results of one run, with its spec. All arrays are read-only.

    Half precision is widened to float32 without loss; float64 stays. The tensors of its layer are also its own
    attributes; see `Layer` for their shapes.
    """

    spec: AttentionSpec
    layer: Layer
    device: str
    milliseconds: float
    """The duration of the module's call; NaN for a stored trace."""
    number: int = 0
    """The index of its layer: given weights may have several, of which a trace has one."""
    num_layers: int = 1
    others: Mapping[int, Text] = field(default_factory=dict)
    """Descriptions of the layers without weights."""
    warning: Text = Text()  # noqa: RUF009 - frozen
    """The reason why given weights are not what their name says; empty if they are."""
    own: OwnFunctions | None = None
    """The user's own functions in this run; None without any."""

    @property
    @override
    def layers(self) -> Layers:
        return Layers(self.num_layers, {self.number: self.layer}, self.others)

    queries, keys, values, parameters = map(of_layer, ("queries", "keys", "values", "parameters"))
    q, k, v, features = map(of_layer, ("q", "k", "v", "features"))
    unrotated_q = property(lambda trace: trace.before.get("rotate", (None, None))[0])
    unrotated_k = property(lambda trace: trace.before.get("rotate", (None, None))[1])
    scores, mask, masked_scores = map(of_layer, ("scores", "mask", "masked_scores"))
    before, changed_scores, unmasked_scores = map(of_layer, ("before", "changed_scores", "unmasked_scores"))
    dropped_weights, dropped = map(of_layer, ("dropped_weights", "dropped"))
    heads, merged, output = map(of_layer, ("heads", "merged", "output"))
    query_tokens, key_tokens, has_words = map(of_layer, ("query_tokens", "key_tokens", "has_words"))
    query_names, key_names, key_labels = map(of_layer, ("query_names", "key_names", "key_labels"))
    dropped_row_sums, empty_rows = map(of_layer, ("dropped_row_sums", "empty_rows"))
    dtype, untrained_note, random_parameters = map(of_layer, ("dtype", "untrained_note", "random_parameters"))
    levels, shown, coloured, scale = map(of_layer, ("levels", "shown", "coloured", "scale"))
    statistics, knows_statistics, masks_differ = map(of_layer, ("statistics", "knows_statistics", "masks_differ"))
    projected_q = property(lambda trace: trace.layer.projected("q"))
    projected_k = property(lambda trace: trace.layer.projected("k"))
    projected_v = property(lambda trace: trace.layer.projected("v"))
    split_into_heads = of_layer("split_into_heads")

    @property
    def is_given(self) -> bool:
        """Whether the weights were given, so that nothing was computed."""
        return self.spec.is_given

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every text by the user that a figure shows."""
        return (*self.query_tokens, *self.key_tokens)

    @property
    def badge(self) -> Text:
        """A warning in the status bar: about given weights, or active dropout."""
        return self.warning or Text("train: dropout on" if self.spec.dropout_acts else "")

    def facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the run."""
        values = {"device": self.device, "dtype": self.dtype, "seed": self.spec.seed, "ms": f"{self.milliseconds:.1f}"}
        if self.is_given:
            return Text("given, {dtype}", values), Text("read {ms} ms", values)
        idle = Text("eval: dropout does nothing" if self.spec.dropout else "eval")
        mode = () if self.spec.dropout_acts else (Text("train") if self.spec.training else idle,)
        took = () if math.isnan(self.milliseconds) else (run_time(self.milliseconds),)
        return Text("{device}, {dtype}", values), *mode, Text("seed {seed}", values), *took

    def weight_facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the weights, to be joined without spaces."""
        facts = row_sum_facts(self.row_sums, given=self.is_given)
        facts += (Text("; the sink takes the rest"),) if self.spec.has_sink else ()
        after = self.dropped_row_sums[np.isfinite(self.dropped_row_sums)]
        if not self.spec.dropout_acts or not after.size:
            return facts
        values = {"low": f"{after.min():.3f}", "high": f"{after.max():.3f}"}
        return *facts, Text("; {low} .. {high} after dropout", values)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every existing array by its fixed name in a file."""
        named: dict[str, NDArray[Any]]
        if self.is_given:
            known = [name for name in _IN_A_FILE if getattr(self, name).size]
            named = {"mask": self.mask, **{name: getattr(self, name) for name in known}}
            return named | {"query_tokens": np.array(self.query_tokens), "key_tokens": np.array(self.key_tokens)}
        named = {"queries": self.queries, "keys": self.keys, "values": self.values}
        named |= self.parameters
        named |= {name: getattr(self, name) for name in _IN_A_FILE}
        if self.features is not None:
            named["features"] = self.features
        named |= self.changed_scores
        for stage, vectors in self.before.items():
            named |= {f"{STAGES[stage].before}_{letter}": x for letter, x in zip("qk", vectors, strict=True)}
        if self.own is not None and self.own.mask is not None:
            named |= self.own.mask.arrays()
        if self.spec.dropout_acts:
            named["dropped_weights"] = self.dropped_weights
        return named

    def summary(self) -> str:
        """Return a few lines for a terminal."""
        batch, heads, queries, keys = self.weights.shape
        shape = f"{self.spec.mechanism}: weights (batch {batch}, heads {heads}, queries {queries}, keys {keys})"
        if self.is_given:
            run = f"{self.dtype}, read in {self.milliseconds:.2f} ms"
            lines = (shape, run, str(self.warning), self._rows_said(self.mask, self.empty_rows))
            return "\n".join(filter(None, lines))
        run = (
            f"{self.device}, {self.dtype}, {'train' if self.spec.training else 'eval'}, seed {self.spec.seed}, "
            f"{self.milliseconds:.2f} ms"
        )
        own = self.spec.own_functions
        if own is not None:
            named = [f"{role} {text}" for role in ("mask_mod", "score_mod") if (text := getattr(own, role))]
            run += f"\n{own.name}: {', '.join(named)}"
        heads = slice(None) if self.masks_differ else 0
        rows = self._rows_said(self.mask[:, heads], self.empty_rows[:, heads])
        return f"{shape}, output {self.output.shape}\n{run}\n{rows}"

    def _rows_said(self, mask: NDArray[np.bool_], empty: NDArray[np.bool_]) -> str:
        sums = self.row_sums[~self.empty_rows]
        known = sums[~np.isnan(sums)]
        text = f"{known.min():.6f} .. {known.max():.6f}" if known.size else "NaN" if sums.size else ""
        if 0 < known.size < sums.size:
            text += f" and {sums.size - known.size} NaN"
        return (
            f"row sums {text or 'no row has a valid key'}; {np.count_nonzero(~mask)} of {mask.size} cells masked, "
            f"{np.count_nonzero(empty)} rows without a valid key"
        )
