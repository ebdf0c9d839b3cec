"""The run of given weights: nothing is computed, and each layer of the file is read when it is shown."""

import time

import torch

from attnviz.definitions.text import Text
from attnviz.engine import memory
from attnviz.engine.arrays_file import layers_given, read_given
from attnviz.experiment.attention.fields import FileInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.source import Layers
from attnviz.experiment.run import Cursor, ShouldStop

_NOT_GIVEN = Text("not in the file")


class GivenRun:
    """A run without steps; the layers that were read stay in memory, so that they do not change while shown."""

    nbytes = 0
    """Not kept when suspended: reading again takes as long as a run of one step."""

    def __init__(self, spec: AttentionSpec) -> None:
        assert isinstance(spec.inputs, FileInputs), "checked by the spec"
        self.spec = spec
        self._path = spec.inputs.path
        self._layers = Layers(1, {})  # of the file
        self._is_numbered = False
        self._traces: dict[int, AttentionTrace] = {}

    @property
    def known(self) -> Cursor | None:
        """Its only step; None before it started."""
        return Cursor() if self._traces else None

    @property
    def final(self) -> bool:
        """Whether the first layer has been read."""
        return bool(self._traces)

    def advance(self, should_stop: ShouldStop) -> bool:
        """Read the first layer; return False if stopped before.

        Raises:
            RunError: the file holds no valid weights, or more than fit into memory.
        """
        if should_stop():
            return False
        numbers = layers_given(self._path)
        self._is_numbered = bool(numbers)
        count = max(numbers, default=0) + 1
        self._layers = Layers(count, {}, {each: _NOT_GIVEN for each in range(count) if each not in (numbers or (0,))})
        self._trace(self._layers.nearest(0))
        return True

    def at(self, cursor: Cursor) -> AttentionTrace:
        """Return the trace of a layer, or of the nearest one that the file has.

        Raises:
            ValueError: not started.
            RunError: the layer cannot be read.
        """
        if not self._traces or cursor.step:
            raise ValueError(f"a run of one step has no {cursor}" if self.final else "the run has not begun")
        return self._trace(self._layers.nearest(cursor.layer or 0))

    def rest(self) -> None:
        """Release memory while suspended; does nothing, since the run is not kept."""

    def _trace(self, layer: int) -> AttentionTrace:
        if layer not in self._traces:
            start = time.perf_counter()
            arrays = read_given(self._path, layer if self._is_numbered else None)
            memory.require(memory.given_bytes(arrays), torch.device("cpu"), Text("a part of the weights needs less"))
            shown_layer = layer_of_arrays(
                arrays.weights,
                arrays.mask,
                arrays.query_tokens,
                arrays.key_tokens,
                q=arrays.q,
                k=arrays.k,
                v=arrays.v,
                scale=arrays.scale,
            )
            took = (time.perf_counter() - start) * 1e3
            self._traces[layer] = AttentionTrace(
                self.spec, shown_layer, "cpu", took, layer, self._layers.num_layers, self._layers.others, arrays.warning
            )
        return self._traces[layer]
