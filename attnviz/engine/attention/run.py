"""The attention lab's run: inputs and module from a spec, one trace from the module's stages."""

import operator
import time
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from attnviz.attention import AttentionStages
from attnviz.attention.array_functions import TORCH
from attnviz.attention.module import AttentionModule, ModuleOptions
from attnviz.attention.modules import make_module
from attnviz.definitions.counting import FLAGS, Position
from attnviz.definitions.masks import made_beside_module
from attnviz.definitions.mechanisms.mechanism import Mechanism
from attnviz.definitions.number_formats import NUMBER_FORMATS
from attnviz.definitions.score_steps.own import SCORE_MOD
from attnviz.definitions.text import Text
from attnviz.engine import memory
from attnviz.engine.attention import LESS_MEMORY
from attnviz.engine.attention.given import GivenRun
from attnviz.engine.attention.inputs import FLOAT32, InputTensors, compared, make_inputs
from attnviz.engine.attention.mask_study import run_study
from attnviz.engine.attention.own import own_run
from attnviz.engine.kept_results import AFRESH, KeptResults, Results
from attnviz.engine.machine import RunError, choose, wait_for
from attnviz.engine.single_run import SingleRun
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.attention.fields import FileInputs
from attnviz.experiment.attention.mask_study import MaskStudy
from attnviz.experiment.attention.memory import attention_bytes
from attnviz.experiment.attention.own_mask import Clause, OwnFunctions
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace, layer_of
from attnviz.experiment.run import Progress, Run, StoppedError


def start(asked: AttentionSpec | MaskStudy, _past: Any, _progress: Progress) -> Run:
    """Return the run of a spec or study; it has one step."""
    return start_keeping(asked, None)


def start_keeping(asked: AttentionSpec | MaskStudy, kept: KeptResults | None) -> Run:
    """Return the run of a spec or study, which uses and extends the cache ``kept``, if given."""
    trace_of = partial(attention_trace, kept=kept)
    if isinstance(asked, MaskStudy):
        return SingleRun(asked, partial(run_study, trace_of=trace_of))
    return GivenRun(asked) if asked.is_given else SingleRun(asked, trace_of)


def attention_trace(
    spec: AttentionSpec, should_stop: Callable[[], bool], kept: KeptResults | None = None
) -> AttentionTrace | None:
    """Return the one trace of a spec; None if stopped.

    Raises:
        RunError: the device, the memory or the inputs are insufficient, or a result is not finite.
    """
    if should_stop():
        return None
    device = choose(spec.device)
    _check_precision(spec, device)
    inputs, results = _inputs_that_fit(spec, device, kept)
    if should_stop():
        return None
    module = build_module(inputs, device, results).train(spec.training)
    if should_stop():
        return None
    try:
        own = own_run(spec, should_stop)
        mask = make_mask(inputs.spec, device, None if own is None else own.mask(inputs.spec))
        mask = None if mask is None else results.same(mask)
        module.score_mod = own.modified if own is not None and SCORE_MOD.is_in(spec) else None
        with results.of_torch():
            tensors = _tensors(inputs, device)
            stages, milliseconds = _run_module(module, inputs.spec, tensors, mask)
            if should_stop():
                return None
            trace = _trace(spec, inputs, tensors, module, stages, milliseconds, None if own is None else own.learned)
    except StoppedError:
        return None
    results.complete()
    _check_finite(trace)
    return trace


def _inputs_that_fit(
    spec: AttentionSpec, device: torch.device, kept: KeptResults | None
) -> tuple[InputTensors, Results]:
    """Return the inputs of a run after checking its memory, and its cache; a file's sizes are known once read."""
    read = make_inputs(spec) if isinstance(spec.inputs, FileInputs) else None
    needed = attention_bytes(read.spec if read else spec)
    results = AFRESH if kept is None else kept.for_run(needed, memory.available_bytes(device))
    memory.require(needed, device, LESS_MEMORY)
    return (compared(read, results) if read else make_inputs(spec, results)), results


def build_module(inputs: InputTensors, device: torch.device, results: Results = AFRESH) -> AttentionModule:
    """Return the module of a spec on a device, in its dtype, with its seeded (or the file's) parameters."""
    spec = inputs.spec
    with torch.device("meta"):  # neither allocates memory nor draws random numbers
        module = make_module(
            spec.mechanism_record,
            spec.sizes,
            bias=spec.bias,
            dropout=spec.dropout,
            **{name: getattr(spec, name) for name in ModuleOptions.__annotations__},
        )
    shapes = tuple((name, tuple(parameter.shape)) for name, parameter in module.named_parameters())
    drawn = results.of(_draw_parameters, shapes, spec.seed)
    state = {name: results.same(buffer).to(device) for name, buffer in module.named_buffers()}
    for (name, _), tensor in zip(shapes, drawn, strict=True):
        held = _from_file_or(tensor, book_name(name, spec.mechanism_record), inputs)
        state[name] = results.of(_parameter, held, device, getattr(torch, spec.dtype))
    module.load_state_dict(state, assign=True)
    if results.keeps:
        module.functions = TORCH
    return module


def _draw_parameters(shapes: tuple[tuple[str, tuple[int, ...]], ...], seed: int) -> tuple[Tensor, ...]:
    """Return every parameter: matrices Xavier-uniform as in ``nn.MultiheadAttention``, biases as in ``nn.Linear``.

    Xavier keeps the scores of random inputs near variance 1, so rows are neither flat nor saturated. The generator
    is separate from the inputs' one, so a longer sentence gets the same matrices.
    """
    generator = torch.Generator("cpu").manual_seed(seed + 1)
    drawn = {name: torch.empty(shape, **FLOAT32) for name, shape in shapes}
    for name, tensor in drawn.items():
        if tensor.dim() == 2:
            nn.init.xavier_uniform_(tensor, generator=generator)
        else:
            reach = drawn[name.replace("bias", "weight")].shape[1] ** -0.5
            tensor.uniform_(-reach, reach, generator=generator)
    return tuple(drawn.values())


def _parameter(tensor: Tensor, device: torch.device, dtype: torch.dtype) -> Tensor:
    return nn.Parameter(tensor.to(device, dtype))


def _from_file_or(drawn: Tensor, name: str, inputs: InputTensors) -> Tensor:
    matrix = inputs.matrices.get(name)
    if matrix is None:
        return drawn
    if matrix.shape != drawn.shape:
        raise RunError(
            "file_shapes",
            "{name} in the file has shape {shape}; num_hiddens {num_hiddens} and the inputs need {needed}",
            name=name,
            shape=tuple(matrix.shape),
            num_hiddens=inputs.spec.num_hiddens,
            needed=tuple(drawn.shape),
        )
    return matrix


def book_name(parameter: str, record: Mechanism) -> str:
    """Return the name of a parameter in traces and files: ``W_query.bias`` is ``b_q``."""
    layer, kind = parameter.rsplit(".", 1)
    matching = next(each for each in record.parameters if each.attribute == layer)
    return matching.name if kind == "weight" else matching.bias_name


def _tensors(inputs: InputTensors, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    """Return queries, keys and values on the device, in the module's dtype."""
    dtype = getattr(torch, inputs.spec.dtype)
    queries = inputs.queries.to(device, dtype)
    # In self-attention all three are one tensor, which is copied to the device once; keys and values may be one.
    keys = queries if inputs.keys is inputs.queries else inputs.keys.to(device, dtype)
    values = keys if inputs.values is inputs.keys else inputs.values.to(device, dtype)
    return queries, keys, values


def _run_module(
    module: AttentionModule, spec: AttentionSpec, tensors: tuple[Tensor, Tensor, Tensor], mask: Tensor | None
) -> tuple[AttentionStages, float]:
    device = tensors[0].device
    module.dropout.generator = torch.Generator(device).manual_seed(spec.seed + 2) if spec.dropout_acts else None
    wait_for(device)
    start = time.perf_counter()
    called_with = tensors[:1] if spec.mechanism_record.attends_to_itself else tensors
    stages = module.stages(*called_with, mask=mask)  # type: ignore[operator]
    wait_for(device)
    return stages, (time.perf_counter() - start) * 1e3


def _trace(
    spec: AttentionSpec,
    inputs: InputTensors,
    tensors: tuple[Tensor, Tensor, Tensor],
    module: nn.Module,
    stages: AttentionStages,
    milliseconds: float,
    own: OwnFunctions | None,
) -> AttentionTrace:
    to_numpy, record = _Exporter(), spec.mechanism_record
    weights = to_numpy(stages.weights)
    layer = layer_of(
        spec,
        frozenset(inputs.matrices),
        own,
        queries=to_numpy(tensors[0]),
        keys=to_numpy(tensors[1]),
        values=to_numpy(tensors[2]),
        parameters={book_name(name, record): to_numpy(p.detach()) for name, p in module.named_parameters()},
        q=to_numpy(stages.q),
        k=to_numpy(stages.k),
        v=to_numpy(stages.v),
        scores=to_numpy(stages.scores),
        mask=_full_mask(stages.mask, weights.shape),
        masked_scores=to_numpy(stages.masked_scores),
        weights=weights,
        dropped_weights=to_numpy(stages.dropped_weights),
        heads=to_numpy(stages.heads),
        merged=to_numpy(stages.merged),
        output=to_numpy(stages.output),
        changed_scores={name: to_numpy(scores) for name, scores in stages.changed_scores.items()},
        features=None if stages.features is None else to_numpy(stages.features),
        before={stage: (to_numpy(q), to_numpy(k)) for stage, (q, k) in stages.before.items()},
        query_tokens=inputs.query_tokens,
        key_tokens=inputs.key_tokens,
    )
    return AttentionTrace(spec, layer, str(stages.output.device), milliseconds, own=own)


class _Exporter:
    """Turns tensors into read-only arrays; the same tensor gives the same array."""

    def __init__(self) -> None:
        self._done: dict[int, tuple[Tensor, NDArray[Any]]] = {}

    def __call__(self, tensor: Tensor) -> NDArray[Any]:
        if id(tensor) not in self._done:
            wide = tensor.float() if tensor.itemsize == 2 else tensor
            array = wide.cpu().numpy()
            array.setflags(write=False)
            self._done[id(tensor)] = (tensor, array)
        return self._done[id(tensor)][1]


def _full_mask(mask: Tensor | None, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    small = np.True_ if mask is None else mask.cpu().numpy()
    return np.broadcast_to(small, shape)


def _check_precision(spec: AttentionSpec, device: torch.device) -> None:
    if device.type == "mps" and spec.dtype == "float64":
        raise RunError("no_float64", "mps has no float64; nearest: float32, or the cpu")


def _check_finite(trace: AttentionTrace) -> None:
    """Raise a RunError at the first row that is not finite, unless the mask policy produces NaN."""
    asked_for = trace.empty_rows if trace.spec.fills_with_inf else np.False_
    wrong = ~np.isfinite(trace.row_sums) & ~asked_for
    if not wrong.any() and (np.isfinite(trace.output).all() or np.any(asked_for)):
        return
    if not wrong.any():
        values = {"dtype": trace.dtype, "further": Text(NUMBER_FORMATS[trace.dtype].wider)}
        raise RunError("not_finite", "the output is not finite in {dtype}; {further}", **values)
    item, head, query = (int(i) for i in np.argwhere(wrong)[0])
    raise RunError(
        "not_finite",
        "the weights of item {item}, head {head_number}, query {query} are not finite: the scores overflow {dtype}; "
        "a wider precision, scaling or a higher temperature helps",
        item=Position(item),
        head=head,
        head_number=FLAGS.head(head),
        query=Position(query),
        dtype=trace.dtype,
    )


def make_mask(spec: AttentionSpec, device: torch.device, own: Clause | None = None) -> Tensor | None:
    """Return the logical and of all masks of the spec and of the user's: (Q, K), (B, Q, K) or (B, h, Q, K), or None.

    It has batch items only if they differ, and heads only if they do; then there may be one batch item for all.

    Masks built into the module are left to it.
    """
    masks = made_beside_module(spec)
    if not masks and own is None:
        return None
    sizes = spec.batch_size, spec.heads_run, spec.num_queries, spec.num_kvpairs
    # On the CPU numpy compares integers several times as fast as torch.
    on_cpu = device.type == "cpu"
    b, h, i, j = (_places(size, None if on_cpu else device) for size in sizes)
    b, h, i, xp = b[:, None, None, None], h[:, None, None], i[:, None], NUMPY if on_cpu else TORCH
    made = [mask.allows(state, b, h, i, j, xp) for mask, state in masks]
    if own is not None:
        made.append(own.allowed.copy() if on_cpu else torch.from_numpy(own.allowed.copy()).to(device))
    mask = torch.as_tensor(reduce(operator.and_, made))
    if mask.dim() < 3:
        return mask.expand(sizes[2:])
    mask = mask if mask.dim() == 4 else mask[None]
    mask = mask.expand(*mask.shape[:2], *sizes[2:])
    if mask.shape[1] > 1:
        return mask
    return mask[0, 0] if len(mask) == 1 else mask[:, 0]


def _places(size: int, device: torch.device | None) -> Any:
    if device is None:
        return np.arange(size, dtype=np.int32)
    return torch.arange(size, dtype=torch.int32, device=device)
