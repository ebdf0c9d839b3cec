"""The script of an attention spec: the textbook's module, rebuilt from its seed and called once."""

from attnviz.experiment.attention.inputs import FileInputs, SentenceInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.inputs import converted, has_one_size, input_code, is_self, names_of, size_lines
from attnviz.export.code.masks import has_mask, mask_lines, softmax_code, weights_of
from attnviz.export.code.text import definition, indented, string

_PRINTED = 1000
"""How many numbers torch prints without leaving any out."""

_SPLIT = definition(
    "def split_heads(x, num_heads)",
    "(batch, length, hiddens) -> (batch, heads, length, hiddens / heads)",
    ["return x.reshape(*x.shape[:2], num_heads, -1).transpose(1, 2)"],
)
_MERGE = definition(
    "def merge_heads(x)",
    "(batch, heads, length, hiddens / heads) -> (batch, length, hiddens)",
    ["return x.transpose(1, 2).flatten(2)"],
)
_CLASSES = {
    "dot_product": ("DotProductAttention", "Scores are products of queries and keys; nothing is learned."),
    "additive": ("AdditiveAttention", "Scores are w_v tanh(W_q q + W_k k)."),
    "multi_head": ("MultiHeadAttention", ""),
    "causal_multi_head": ("CausalMultiHeadAttention", "Each token attends to itself and to those before it."),
}


def attention_imports(spec: AttentionSpec) -> list[str]:
    """Return the imports of the standard library."""
    needed = ["import hashlib"] if isinstance(spec.inputs, SentenceInputs) else []
    return needed + (["import math"] if _is_divided_by_root(spec) else [])


def attention_code(spec: AttentionSpec) -> list[str]:
    """Return the blocks of the script, in order."""
    if spec.is_given:
        return _given(spec)
    temperature = [f"temperature = {spec.temperature!r}"] if spec.temperature != 1 else []
    blocks = ["\n".join([*size_lines(spec), *temperature, *_place_lines(spec)])]
    masked = has_mask(spec) or spec.mechanism == "causal_multi_head"
    blocks += [softmax_code(spec)] if masked else []
    blocks += [_dropout(spec)] if spec.dropout_acts else []
    blocks += [_SPLIT, _MERGE] if spec.heads_run > 1 else []
    blocks.append(_module(spec))
    *defined, made = input_code(spec)
    where = ", ".join(name for name, lines in _places(spec).items() if lines)
    lines = [*made.split("\n"), *converted(spec, where)]
    if has_mask(spec):
        lines += ["", *mask_lines(spec), *(["mask = mask.to(device)"] if "device" in where else [])]
    lines += ["", *_built(spec), *([f"attention = attention.to({where})"] if where else [])]
    return [*blocks, *defined, "\n".join([*lines, "", *_called(spec), "", *_printed(spec)])]


def _given(spec: AttentionSpec) -> list[str]:
    """Return the blocks for weights that another model computed: they are read, and nothing else."""
    assert isinstance(spec.inputs, FileInputs)
    lines = [string("arrays = np.load(", spec.inputs.path, ")")]
    array = "arrays" if spec.inputs.path.lower().endswith(".npy") else 'arrays["weights"]'
    lines.append(f"array = {array}")
    lines.append('array = array.astype(array.dtype.newbyteorder("="))  # torch has no numbers of the other byte order')
    lines.append("weights = torch.from_numpy(array)")
    lines.append("weights = weights[(None,) * (4 - weights.dim())]  # (batch, heads, queries, keys)")
    return ["\n".join([*lines, "", *_printed(spec)])]


def _places(spec: AttentionSpec) -> dict[str, str]:
    """Return the assignments of device and number format, empty where it is the usual one."""
    on_device = spec.device not in ("auto", "cpu")
    return {
        "device": f"device = torch.device({spec.device!r})".replace("'", '"') if on_device else "",
        "dtype": f"dtype = torch.{spec.dtype}" if spec.dtype != "float32" else "",
    }


def _place_lines(spec: AttentionSpec) -> list[str]:
    return [line for line in _places(spec).values() if line]


def _dropout(spec: AttentionSpec) -> str:
    generator = "torch.Generator(device)" if _places(spec)["device"] else "torch.Generator()"
    return definition(
        "def dropout(weights, p)",
        "Return the weights with each at 0 with chance p, and the others larger for it.",
        [
            f"generator = {generator}.manual_seed(seed + 2)",
            "kept = torch.empty_like(weights).bernoulli_(1 - p, generator=generator)",
            "return weights * (kept / (1 - p))",
        ],
    )


def _module(spec: AttentionSpec) -> str:
    name, docstring = _CLASSES[spec.mechanism]
    if spec.mechanism == "multi_head":
        docstring = (
            "Each head attends within its own slice of the features."
            if spec.num_heads > 1
            else "One head, which attends with all features."
        )
    init = _init(spec)
    methods = [definition(f"def __init__({', '.join(['self', *_arguments(spec)])})", "", init), ""] if init else []
    return definition(f"class {name}(nn.Module)", docstring, [*_gap(docstring), *methods, _forward(spec)])


def _gap(docstring: str) -> list[str]:
    return [""] if docstring else []


def _arguments(spec: AttentionSpec) -> list[str]:
    """Return what the constructor takes, under the names that the sizes have outside too."""
    heads = ["num_heads"] if spec.heads_run > 1 else []
    match spec.mechanism:
        case "additive":
            return ["num_hiddens", *([] if has_one_size(spec) else ["query_size", "key_size"])]
        case "multi_head":
            sizes = [] if has_one_size(spec) else ["query_size", "key_size", "value_size"]
            return ["num_hiddens", *heads, *sizes]
        case "causal_multi_head":
            return ["d_in", "d_out", "context_length", *heads]
    return []


def _init(spec: AttentionSpec) -> list[str]:
    names, bias = names_of(spec), "" if spec.bias else ", bias=False"
    lines = ["super().__init__()", *(["self.num_heads = num_heads"] if spec.heads_run > 1 else [])]
    match spec.mechanism:
        case "additive":
            return [
                *lines,
                f"self.W_q = nn.Linear({names.query_size}, num_hiddens, bias=False)",
                f"self.W_k = nn.Linear({names.key_size}, num_hiddens, bias=False)",
                "self.w_v = nn.Linear(num_hiddens, 1, bias=False)",
            ]
        case "multi_head":
            sizes = {"W_q": names.query_size, "W_k": names.key_size, "W_v": names.value_size, "W_o": "num_hiddens"}
            return lines + [f"self.{name} = nn.Linear({size}, num_hiddens{bias})" for name, size in sizes.items()]
        case "causal_multi_head":
            return [
                *lines,
                *(f"self.{name} = nn.Linear(d_in, d_out{bias})" for name in ("W_query", "W_key", "W_value")),
                "self.out_proj = nn.Linear(d_out, d_out)",
                "later = torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1)",
                'self.register_buffer("mask", later)',
            ]
    return []


def _forward(spec: AttentionSpec) -> str:
    takes = ["X"] if spec.mechanism == "causal_multi_head" else ["queries", "keys", "values"]
    takes += ["mask"] if has_mask(spec) else []
    mask = "mask" if has_mask(spec) else ""
    body = _scores(spec)
    if spec.mechanism == "causal_multi_head":
        body += ["num_tokens = X.shape[1]"]
        body += [f"mask = {'mask & ' if mask else ''}~self.mask[:num_tokens, :num_tokens]"]
        mask = "mask"
    body.append(f"self.attention_weights = {weights_of(spec, mask)}")
    weights = "self.attention_weights"
    if spec.dropout_acts:
        body.append(f"weights = dropout(self.attention_weights, {spec.dropout!r})")
        weights = "weights"
    match spec.mechanism:
        case "multi_head" | "causal_multi_head":
            out = "W_o" if spec.mechanism == "multi_head" else "out_proj"
            pooled = f"{weights} @ values"
            body.append(f"return self.{out}({f'merge_heads({pooled})' if spec.heads_run > 1 else pooled})")
        case _:
            body.append(f"return {weights} @ values")
    return definition(f"def forward({', '.join(['self', *takes])})", "", body)


def _scores(spec: AttentionSpec) -> list[str]:
    """Return the lines from the inputs to ``scores``."""
    if spec.mechanism == "additive":
        over = "" if spec.temperature == 1 else " / temperature"
        features = "torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None])"
        return [f"features = {features}", f"scores = self.w_v(features).squeeze(-1){over}"]
    layers: dict[str, tuple[str, str]] = {}
    if spec.mechanism == "multi_head":
        layers = {"queries": ("W_q", "queries"), "keys": ("W_k", "keys"), "values": ("W_v", "values")}
    elif spec.mechanism == "causal_multi_head":
        layers = {"queries": ("W_query", "X"), "keys": ("W_key", "X"), "values": ("W_value", "X")}
    lines = []
    for name, (layer, source) in layers.items():
        projected = f"self.{layer}({source})"
        lines.append(f"{name} = {f'split_heads({projected}, self.num_heads)' if spec.heads_run > 1 else projected}")
    return [*lines, f"scores = queries @ keys.transpose(-2, -1){_divisor(spec)}"]


def _is_divided_by_root(spec: AttentionSpec) -> bool:
    return spec.scaled and spec.mechanism not in ("additive", "given")


def _divisor(spec: AttentionSpec) -> str:
    root = "math.sqrt(queries.shape[-1])"
    if spec.temperature == 1:
        return f" / {root}" if spec.scaled else ""
    return f" / (temperature * {root})" if spec.scaled else " / temperature"


def _built(spec: AttentionSpec) -> list[str]:
    """Return the lines that build the module and draw its parameters."""
    lines = [f"attention = {_CLASSES[spec.mechanism][0]}({', '.join(_arguments(spec))})"]
    if spec.mechanism == "dot_product":
        return lines
    draw = ["nn.init.xavier_uniform_(layer.weight, generator=generator)"]
    bias = [
        "bound = layer.in_features**-0.5",
        "nn.init.uniform_(layer.bias, -bound, bound, generator=generator)",
    ]
    if spec.mechanism == "causal_multi_head" and not spec.bias:
        draw += ["if layer.bias is not None:  # that of out_proj", *indented(bias)]
    elif spec.mechanism != "additive" and spec.bias:
        draw += bias
    lines += ["generator = torch.Generator().manual_seed(seed + 1)", "for layer in attention.children():"]
    return [*lines, *indented(draw), *_from_file(spec)]


def _from_file(spec: AttentionSpec) -> list[str]:
    """Return the lines that take the matrices which the user's file has."""
    if not isinstance(spec.inputs, FileInputs) or spec.inputs.path.lower().endswith(".npy"):
        return []
    layers = {
        "additive": ("W_q", "W_k"),
        "multi_head": ("W_q", "W_k", "W_v", "W_o"),
        "causal_multi_head": ("W_query", "W_key", "W_value", "out_proj"),
    }[spec.mechanism]
    given = [f'"{name}": attention.{layer}' for name, layer in zip(("W_q", "W_k", "W_v", "W_o"), layers, strict=False)]
    return [
        f"layers = {{{', '.join(given)}}}" if len(given) < 4 else "layers = {",
        *([f"    {each}," for each in given] + ["}"] if len(given) == 4 else []),
        "for name, layer in layers.items():",
        "    if name in arrays:",
        "        layer.weight.data = read(name)",
    ]


def _called(spec: AttentionSpec) -> list[str]:
    takes = ["X"] if spec.mechanism == "causal_multi_head" else ["queries", "keys", "values"]
    if is_self(spec) and spec.mechanism != "causal_multi_head":
        takes = ["X", "X", "X"]
    takes += ["mask"] if has_mask(spec) else []
    heads = "" if spec.heads_run > 1 else "[:, None]"
    comment = "  # (batch, heads, queries, keys)" if spec.heads_run > 1 else "  # (batch, 1, queries, keys)"
    return [
        "with torch.no_grad():",
        f"    output = attention({', '.join(takes)})",
        f"weights = attention.attention_weights{heads}{comment}",
    ]


def _printed(spec: AttentionSpec) -> list[str]:
    """Return the lines that print the weights: all of them, or as many as can be looked at."""
    lines = ["torch.set_printoptions(precision=6, sci_mode=False)"]
    matrix = spec.num_queries * spec.num_kvpairs
    if isinstance(spec.inputs, FileInputs) or matrix > _PRINTED:
        shown = ['print("weights", tuple(weights.shape), "of the last query in item 0, head 0:")']
        shown.append("print(weights[0, 0, -1])")
    elif spec.batch_size * spec.heads_run * matrix > _PRINTED:
        shown = ['print("weights", tuple(weights.shape), "of item 0, head 0:")', "print(weights[0, 0])"]
    else:
        shown = ['print("weights", tuple(weights.shape))', "print(weights)"]
    return lines + shown
