"""The script of an attention spec: the module in the style of Zhang et al., rebuilt from its seed and called once."""

from attnviz.definitions.masks import made_beside_module
from attnviz.definitions.score_steps import acting
from attnviz.experiment.attention.fields import FileInputs, WordInputs
from attnviz.experiment.attention.memory import takes_all_cores
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.attention.inputs import (
    converted,
    has_mask,
    has_own_mask,
    input_code,
    is_self,
    mask_lines,
    module_sizes,
    name_of,
    size_lines,
    softmax_code,
    weights_of,
)
from attnviz.export.code.attention.own import own_imports, score_function, source_block
from attnviz.export.code.attention.steps import changed_by, divisor_of, function_of
from attnviz.export.code.text import (
    ALL_BUT_ONE,
    ALL_CORES,
    MERGE_HEADS,
    PRINTED,
    SPLIT_HEADS,
    WIDTH,
    Script,
    definition,
    expression,
    filled,
    imports,
    indented,
    listed,
    string,
)

_INPUTS = {
    "random": "on random inputs",
    "ones": "on all-ones inputs",
    "identity": "on one-hot inputs",
    "sentence": "on the words of a sentence",
    "two_sentences": "between two sentences",
    "file": "on arrays from a file",
}


def attention_script(spec: AttentionSpec) -> Script:
    """Return the script of a spec."""
    further = ["import numpy as np"] if isinstance(spec.inputs, FileInputs) else []
    if spec.is_given:  # no sums are computed
        return Script(words_of(spec), [*further, "import torch"], _given(spec))
    _, of_torch = own_imports(spec.own_functions)
    threads = ALL_CORES if takes_all_cores(spec) else ALL_BUT_ONE
    above = imports(_imports(spec), further, nn=True, threads=threads, of_torch=of_torch)
    return Script(words_of(spec), above, _blocks(spec))


def words_of(spec: AttentionSpec) -> list[str]:
    """Return a description of an attention spec, in one or two lines."""
    heads = f" with {spec.num_heads} heads" if spec.heads_run > 1 else ""
    shared = spec.kv_heads_run
    heads += f" and {shared} key-value {'heads' if shared > 1 else 'head'}" if spec.shares_keys else ""
    masks = [] if spec.is_given else [mask.words for mask, _ in made_beside_module(spec)]
    if has_own_mask(spec) and not spec.is_given and spec.mods is not None:
        masks.append(f"{spec.mods.mask_mod} of {spec.mods.name}" if spec.mods.path else str(spec.mods.mask_mod))
    masked = [f"Its mask: {', '.join(masks)}."] if masks else []
    return [f"{spec.mechanism_record.description}{heads} {_INPUTS[spec.inputs.kind]}.", *masked]


def _imports(spec: AttentionSpec) -> list[str]:
    """Return the imports of the standard library."""
    needed = ["import hashlib"] if isinstance(spec.inputs, WordInputs) else []
    needed += ["import math"] if "math." in "".join([_divisor(spec), *functions_of(spec)]) else []
    return [*needed, *own_imports(spec.own_functions)[0]]


def _blocks(spec: AttentionSpec) -> list[str]:
    amounts = [f"{step.field} = {getattr(spec, step.field)!r}" for step in acting(spec) if step.torch == step.field]
    knobs = [f"{name} = {value!r}" for name, value in spec.mechanism_knobs.items()]
    blocks = ["\n".join([*size_lines(spec), *amounts, *knobs, *filter(None, _places(spec).values())])]
    blocks += [source_block(spec.own_functions)] if spec.own_functions is not None else []
    masked = has_mask(spec) or spec.mechanism_record.torch_mask
    blocks += [softmax_code(spec)] if masked else []
    blocks += [_dropout(spec)] if spec.dropout_acts else []
    blocks += [SPLIT_HEADS, MERGE_HEADS] if spec.heads_run > 1 else []
    blocks += functions_of(spec)
    blocks.append(module_of(spec, _forward(spec)))
    *defined, made = input_code(spec)
    where = ", ".join(name for name, lines in _places(spec).items() if lines)
    lines = [*made.split("\n"), *converted(spec, where)]
    if has_mask(spec):
        lines += ["", *mask_lines(spec), *(["mask = mask.to(device)"] if "device" in where else [])]
    lines += ["", *built_lines(spec), *([f"attention = attention.to({where})"] if where else [])]
    return [*blocks, *defined, "\n".join([*lines, "", *_called(spec), "", *_printed(spec)])]


def _given(spec: AttentionSpec) -> list[str]:
    """Return the blocks for weights computed by another model, which are only read."""
    assert isinstance(spec.inputs, FileInputs)
    lines = [string("arrays = np.load(", spec.inputs.path, ")")]
    array = "arrays" if spec.inputs.path.lower().endswith(".npy") else 'arrays["weights"]'
    lines.append(f"array = {array}")
    lines.append('array = array.astype(array.dtype.newbyteorder("="))  # torch supports native byte order only')
    lines.append("weights = torch.from_numpy(array)")
    lines.append("weights = weights[(None,) * (4 - weights.dim())]  # (batch, heads, queries, keys)")
    return ["\n".join([*lines, "", *_printed(spec)])]


def _places(spec: AttentionSpec) -> dict[str, str]:
    """Return the assignments of device and dtype that differ from torch's defaults."""
    on_device = spec.device not in ("auto", "cpu")
    return {
        "device": f"device = torch.device({spec.device!r})".replace("'", '"') if on_device else "",
        "dtype": f"dtype = torch.{spec.dtype}" if spec.dtype != "float32" else "",
    }


def _dropout(spec: AttentionSpec) -> str:
    generator = "torch.Generator(device)" if _places(spec)["device"] else "torch.Generator()"
    return definition(
        "def dropout(weights, p)",
        "Return weights that are each 0 with probability p, and the others divided by 1 - p.",
        [
            f"generator = {generator}.manual_seed(seed + 2)",
            "kept = torch.empty_like(weights).bernoulli_(1 - p, generator=generator)",
            "return weights * (kept / (1 - p))",
        ],
    )


def module_of(spec: AttentionSpec, forward: str) -> str:
    """Return the class of the module with a ``forward``."""
    record = spec.mechanism_record
    docstring = (record.docstring_of_one_head if spec.heads_run == 1 else "") or record.docstring
    init = _init(spec)
    methods = [definition(f"def __init__({', '.join(['self', *_arguments(spec)])})", "", init), ""] if init else []
    gap = [""] if docstring else []
    return definition(f"class {record.class_name}(nn.Module)", docstring, [*gap, *methods, forward])


def functions_of(spec: AttentionSpec) -> list[str]:
    """Return the definitions that the module calls."""
    rotation = spec.mechanism_record.rotation
    rotated = [rotation.torch_function] if rotation and rotation.torch_function else []
    of_steps = (function_of(step, spec) for step in acting(spec))
    return [*rotated, *filter(None, [score_function(spec), *of_steps])]


def _arguments(spec: AttentionSpec) -> list[str]:
    """Return the constructor's arguments, by the names of the sizes in the script."""
    return list(dict.fromkeys(module_sizes(spec).values()))


def _init(spec: AttentionSpec) -> list[str]:
    record, lines = spec.mechanism_record, []
    for each in record.parameters:
        out_size, in_size = (name_of(spec, str(size)) for size in (each.out_size, each.in_size))
        out_size += " // num_heads * num_kv_heads" if each.shared and spec.shares_keys else ""
        bias = "" if each.has_bias(spec.bias) else ", bias=False"
        lines.append(f"self.{each.attribute} = nn.Linear({in_size}, {out_size}{bias})")
    lines += record.torch_init
    heads = ["self.num_heads = num_heads"] if spec.heads_run > 1 else []
    heads += ["self.num_kv_heads = num_kv_heads"] if spec.shares_keys else []
    return ["super().__init__()", *heads, *lines] if lines else []


def forward_inputs(spec: AttentionSpec) -> list[str]:
    """Return the arguments of ``forward`` apart from a mask."""
    return ["X"] if spec.mechanism_record.attends_to_itself else ["queries", "keys", "values"]


def _forward(spec: AttentionSpec) -> str:
    record, mask = spec.mechanism_record, "mask" if has_mask(spec) else ""
    takes = [*forward_inputs(spec), *([mask] if mask else [])]
    body = [*vector_lines(spec), *served_lines(spec), *record.torch_lines, *score_lines(spec)]
    if record.torch_mask:
        body += [f"mask = {'mask & ' if mask else ''}{record.torch_mask}"]
        mask = "mask"
    body.append(expression("self.attention_weights = ", weights_of(spec, mask), WIDTH - 8))
    weights = "self.attention_weights"
    if spec.dropout_acts:
        body.append(f"weights = dropout(self.attention_weights, {spec.dropout!r})")
        weights = "weights"
    pooled = f"{weights} @ values"
    if record.output is not None:
        pooled = f"self.{record.output.attribute}({f'merge_heads({pooled})' if spec.heads_run > 1 else pooled})"
    return definition(f"def forward({', '.join(['self', *takes])})", "", [*body, f"return {pooled}"])


def vector_lines(spec: AttentionSpec) -> list[str]:
    """Return the lines of ``forward`` that make queries, keys and values per head from the inputs."""
    rotation = spec.mechanism_record.rotation
    changes = [step.torch for step in acting(spec) if step.does == "vectors"]
    changes += [rotation.torch] if rotation else []
    return [*_projections(spec), *(f"queries, keys = {each}(queries), {each}(keys)" for each in changes)]


def score_lines(spec: AttentionSpec) -> list[str]:
    """Return the lines that make ``scores`` from queries and keys, up to the mask."""
    scores = [f"scores = {spec.mechanism_record.torch_scores}{_divisor(spec)}"]
    steps = (step for step in acting(spec) if step.does in ("add", "change"))
    return scores + [expression("scores = ", changed_by(step, spec), WIDTH - 8) for step in steps]


def _projections(spec: AttentionSpec) -> list[str]:
    """Return the lines that project the inputs and split them into heads."""
    lines = []
    for name in ("queries", "keys", "values"):
        layer = spec.mechanism_record.projection(name)
        if layer is not None:
            projected = f"self.{layer.attribute}({'X' if forward_inputs(spec) == ['X'] else name})"
            heads = "self.num_kv_heads" if layer.shared and spec.shares_keys else "self.num_heads"
            lines.append(f"{name} = {f'split_heads({projected}, {heads})' if spec.heads_run > 1 else projected}")
    return lines


def served_lines(spec: AttentionSpec) -> list[str]:
    """Return the lines that give every head the keys and values of its group."""
    if not spec.shares_keys:
        return []
    repeated = "(x.repeat_interleave(each, dim=1) for x in (keys, values))"
    return [
        "each = self.num_heads // self.num_kv_heads  # heads that share keys and values",
        f"keys, values = {repeated}",
    ]


def _divisor(spec: AttentionSpec) -> str:
    amounts = [divisor_of(step, spec) for step in reversed(acting(spec)) if step.does == "divide"]
    product = " * ".join(amounts)
    return f" / ({product})" if len(amounts) > 1 else f" / {product}" if amounts else ""


def built_lines(spec: AttentionSpec) -> list[str]:
    """Return the lines that build the module and draw its parameters."""
    record = spec.mechanism_record
    lines = [f"attention = {record.class_name}({', '.join(_arguments(spec))})"]
    if not record.parameters:
        return lines
    draw = ["nn.init.xavier_uniform_(layer.weight, generator=generator)"]
    bias = ["bound = layer.in_features**-0.5", "nn.init.uniform_(layer.bias, -bound, bound, generator=generator)"]
    biased = [each.attribute for each in record.parameters if each.has_bias(spec.bias)]
    if len(biased) == len(record.parameters):
        draw += bias
    elif biased:
        draw += [f"if layer.bias is not None:  # that of {', '.join(biased)}", *indented(bias)]
    lines += ["generator = torch.Generator().manual_seed(seed + 1)", "for layer in attention.children():"]
    return [*lines, *indented(draw), *_from_file(spec)]


def _from_file(spec: AttentionSpec) -> list[str]:
    """Return the lines that use the matrices in the user's file."""
    if not isinstance(spec.inputs, FileInputs) or spec.inputs.path.lower().endswith(".npy"):
        return []
    matrices = [each for each in spec.mechanism_record.parameters if each.is_matrix]
    given = listed(f'"{each.name}": attention.{each.attribute}' for each in matrices)
    return [
        filled("layers = {", given, "}"),
        "for name, layer in layers.items():",
        "    if name in arrays:",
        "        layer.weight.data = read(name)",
    ]


def _called(spec: AttentionSpec) -> list[str]:
    takes = ["X"] * len(forward_inputs(spec)) if is_self(spec) else forward_inputs(spec)
    takes += ["mask"] if has_mask(spec) else []
    heads = "" if spec.heads_run > 1 else "[:, None]"
    comment = "  # (batch, heads, queries, keys)" if spec.heads_run > 1 else "  # (batch, 1, queries, keys)"
    return [
        "with torch.no_grad():",
        f"    output = attention({', '.join(takes)})",
        f"weights = attention.attention_weights{heads}{comment}",
    ]


def _printed(spec: AttentionSpec) -> list[str]:
    """Return the lines that print the weights: all of them, or a part if there are many."""
    lines = ["torch.set_printoptions(precision=6, sci_mode=False)"]
    matrix = spec.num_queries * spec.num_kvpairs
    if isinstance(spec.inputs, FileInputs) or matrix > PRINTED:
        shown = ['print("weights", tuple(weights.shape), "of the last query in item 0, head 0:")']
        shown.append("print(weights[0, 0, -1])")
    elif spec.batch_size * spec.heads_run * matrix > PRINTED:
        shown = ['print("weights", tuple(weights.shape), "of item 0, head 0:")', "print(weights[0, 0])"]
    else:
        shown = ['print("weights", tuple(weights.shape))', "print(weights)"]
    return lines + shown
