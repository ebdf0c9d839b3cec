"""Queries, keys, values, mask and masked softmax in the script of an attention spec, made as in its run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.decoder.positions import sinusoidal_positions
from attnviz.definitions.masks import in_force, made_beside_module
from attnviz.definitions.masks.mask import FIRST, ITSELF, Mask
from attnviz.definitions.number_formats import is_half
from attnviz.definitions.score_steps import acting, policy_acts, weigher
from attnviz.experiment.attention.fields import (
    FileInputs,
    IdentityInputs,
    OnesInputs,
    RandomInputs,
    SentenceInputs,
    TwoSentencesInputs,
    WordInputs,
)
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.attention.own import mask_code
from attnviz.export.code.attention.steps import changed_by
from attnviz.export.code.source import source_of
from attnviz.export.code.text import definition, filled, listed, literal, string, vector

_OF_INPUTS = ("query_size", "key_size", "value_size")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the sizes in the script, assigned at its top (or taken from the file's arrays)."""

    queries: str
    keys: str
    query_size: str
    key_size: str
    value_size: str


def name_of(spec: AttentionSpec, size: str) -> str:
    """Return the name of a size of a spec in Zhang et al., or in the mechanism's own code."""
    size = "num_queries" if size == "num_kvpairs" and is_self(spec) else size
    usual = "num_hiddens" if size in _OF_INPUTS and has_one_size(spec) else size
    return spec.mechanism_record.names.get(size, usual)


def names_of(spec: AttentionSpec) -> Names:
    """Return the names of the sizes of the inputs."""
    return Names(*(name_of(spec, size) for size in ("num_queries", "num_kvpairs", *_OF_INPUTS)))


def is_self(spec: AttentionSpec) -> bool:
    """Return whether one tensor serves as queries, keys and values."""
    from_file = isinstance(spec.inputs, FileInputs)
    return spec.self_attention and (spec.mechanism_record.attends_to_itself or not from_file)


def has_one_size(spec: AttentionSpec) -> bool:
    """Return whether queries, keys and values all have the hidden size."""
    sizes = {spec.size_of_queries, spec.size_of_keys, spec.size_of_values, spec.num_hiddens}
    return len(sizes) == 1 and not isinstance(spec.inputs, FileInputs)


def is_drawn(spec: AttentionSpec) -> bool:
    """Return whether the script needs a seed."""
    drawn = isinstance(spec.inputs, RandomInputs | WordInputs)
    return drawn or bool(spec.mechanism_record.parameters) or spec.dropout_acts


def module_sizes(spec: AttentionSpec) -> dict[str, str]:
    """Return the sizes that the module's constructor takes, in order, and their names in the script."""
    left_out = {"num_heads"} if spec.heads_run == 1 else set()
    left_out |= set() if spec.shares_keys else {"num_kv_heads"}
    return {size: name_of(spec, size) for size in spec.mechanism_record.sizes if size not in left_out}


def size_lines(spec: AttentionSpec) -> list[str]:
    """Return the assignments of seed and sizes that the script needs, apart from inputs from a file."""
    lines = [f"seed = {spec.seed}"] if is_drawn(spec) else []
    module = module_sizes(spec)
    inputs = {size: name_of(spec, size) for size in _OF_INPUTS}
    if isinstance(spec.inputs, FileInputs):  # their arrays have the sizes of the inputs
        module = {size: name for size, name in module.items() if size not in inputs}
        inputs = {}
    else:
        lines.append(_assigned(_shape_sizes(spec)))
    of_module = {name: spec.sizes[size] for size, name in module.items()}
    of_inputs = {name: spec.sizes[size] for size, name in inputs.items() if name not in of_module}
    return [line for line in (*lines, _assigned(of_module), _assigned(of_inputs)) if line]


def input_code(spec: AttentionSpec) -> list[str]:
    """Return the blocks of code that make ``queries, keys, values``, or one ``X`` for all three."""
    match spec.inputs:
        case FileInputs(path=path):
            return _from_file(spec, path)
        case SentenceInputs(text=text, tokens=tokens):
            return _sentence(spec, text, tokens)
        case TwoSentencesInputs() as sentences:
            return _two_sentences(spec, sentences)
        case RandomInputs():
            lines = ["generator = torch.Generator().manual_seed(seed)"]
            lines += _each(spec, "torch.randn(batch_size, {length}, {size}, generator=generator)")
        case OnesInputs(values=filling):
            lines = _each(spec, "torch.ones(batch_size, {length}, {size})")
            if filling == "arange" and not is_self(spec):
                lines[-1:] = _counted(names_of(spec))
        case IdentityInputs():
            lines = _one_hot(spec)
    return [*_positions(spec), "\n".join([*lines, *_added(spec)])]


def _positions(spec: AttentionSpec) -> list[str]:
    return source_of(sinusoidal_positions) if spec.adds_positions else []


def _added(spec: AttentionSpec) -> list[str]:
    """Return the lines that add positions to the inputs."""
    if not spec.adds_positions:
        return []
    names = names_of(spec)
    sizes = {"queries": (names.queries, names.query_size), "keys": (names.keys, names.key_size)}
    if is_self(spec):
        sizes = {"X": sizes["queries"]}
    elif not isinstance(spec.inputs, TwoSentencesInputs):  # whose values are the keys
        sizes["values"] = names.keys, names.value_size
    return [f"{name} = {name} + sinusoidal_positions({', '.join(shape)})" for name, shape in sizes.items()]


def converted(spec: AttentionSpec, where: str) -> list[str]:
    """Return the line that converts the inputs to another dtype or device."""
    if not where:
        return []
    if is_self(spec):
        return [f"X = X.to({where})"]
    return [f"queries, keys, values = (x.to({where}) for x in (queries, keys, values))"]


def _shape_sizes(spec: AttentionSpec) -> dict[str, int]:
    names = names_of(spec)
    if isinstance(spec.inputs, WordInputs):
        return {}  # they follow from the tokens
    return {"batch_size": spec.batch_size, names.queries: spec.num_queries, names.keys: spec.num_kvpairs}


def _assigned(sizes: dict[str, int]) -> str:
    """Return ``a, b = 1, 2``; empty if there are no sizes."""
    return f"{', '.join(sizes)} = {', '.join(map(str, sizes.values()))}" if sizes else ""


def _each(spec: AttentionSpec, call: str) -> list[str]:
    names = names_of(spec)
    if is_self(spec):
        return [f"X = {call.format(length=names.queries, size=names.query_size)}"]
    return [
        f"queries = {call.format(length=names.queries, size=names.query_size)}",
        f"keys = {call.format(length=names.keys, size=names.key_size)}",
        f"values = {call.format(length=names.keys, size=names.value_size)}",
    ]


def _counted(names: Names) -> list[str]:
    count = f"{names.keys} * {names.value_size}"
    return [
        f"values = torch.arange({count}, dtype=torch.float32)",
        f"values = values.reshape(1, {names.keys}, {names.value_size}).expand(batch_size, -1, -1)",
    ]


def _one_hot(spec: AttentionSpec) -> list[str]:
    names = names_of(spec)
    rows = [("queries", names.queries, names.query_size, spec.num_queries, spec.size_of_queries)]
    if is_self(spec):
        rows = [("X", *rows[0][1:])]
    else:
        rows.append(("keys", names.keys, names.key_size, spec.num_kvpairs, spec.size_of_keys))
        rows.append(("values", names.keys, names.value_size, spec.num_kvpairs, spec.size_of_values))
    lines = []
    for name, length, size, count, features in rows:
        # With more tokens than features the unit vectors repeat.
        unit = f"eye({length}, {size})" if count <= features else f"eye({size})[torch.arange({length}) % {size}]"
        lines.append(f"{name} = torch.{unit}.expand(batch_size, -1, -1)")
    return lines


def _sentence(spec: AttentionSpec, text: str, tokens: tuple[str, ...]) -> list[str]:
    names, size = names_of(spec), names_of(spec).query_size
    made = [
        _words("tokens", text, tokens),
        f"{names.queries} = len(tokens)",
        f"X = torch.stack([embedding(token, {size}) for token in tokens])[None]  # one sentence",
        *_added(spec),
    ]
    return [_EMBEDDING, *_positions(spec), "\n".join(made)]


def _two_sentences(spec: AttentionSpec, inputs: TwoSentencesInputs) -> list[str]:
    names = names_of(spec)
    made = [
        _words("tokens", inputs.text, inputs.tokens),
        _words("key_tokens", inputs.keys_text, inputs.key_tokens),
        f"{names.queries}, {names.keys} = len(tokens), len(key_tokens)",
        f"queries = torch.stack([embedding(token, {names.query_size}) for token in tokens])[None]",
        f"keys = torch.stack([embedding(token, {names.key_size}) for token in key_tokens])[None]",
        *_added(spec),
        "values = keys",
    ]
    return [_EMBEDDING, *_positions(spec), "\n".join(made)]


_EMBEDDING = definition(
    "def embedding(token, size)",
    "Return the vector of a word, which depends only on the seed and the word.",
    [
        'word = f"{seed} {token.casefold()}".encode()',
        'number = int.from_bytes(hashlib.blake2b(word, digest_size=7).digest(), "big")',
        "return torch.randn(size, generator=torch.Generator().manual_seed(number))",
    ],
)


def _words(name: str, text: str, tokens: tuple[str, ...]) -> str:
    """Return the line or lines that assign the words of a text."""
    if tuple(text.split()) != tokens:
        return filled(f"{name} = [", listed(map(literal, tokens)), "]")
    return string(f"{name} = (", text, ").split()") if len(text) > 70 else f"{name} = {literal(text)}.split()"


def _from_file(spec: AttentionSpec, path: str) -> list[str]:
    names, one_array = names_of(spec), path.lower().endswith(".npy")
    array, name = ("arrays", "") if one_array else ("arrays[name]", "name")
    kept = "x.dim() == 3" if one_array else "x.dim() == 3 or name not in INPUTS"
    read = definition(
        f"def read({name})",
        "Return an array of the file as a tensor; inputs without a batch axis get one.",
        [
            f"x = torch.from_numpy(np.ascontiguousarray({array}, dtype=np.float64))",
            f"x = x.to(torch.{spec.dtype})",
            f"return x if {kept} else x[None]",
        ],
    )
    load = string("arrays = np.load(", path, ")")
    head = [load] if one_array else ['INPUTS = ("queries", "keys", "values")', load]
    if is_self(spec):
        made = ["X = read()" if one_array else 'X = read("queries")']
        made.append(f"{names.queries}, {names.query_size} = X.shape[1:]")
    else:
        made = ["queries = keys = values = read()" if one_array else "queries, keys, values = map(read, INPUTS)"]
        made.append("num_queries, num_kvpairs = queries.shape[1], keys.shape[1]")
        arrays = dict(zip(_OF_INPUTS, ("queries", "keys", "values"), strict=True))
        sizes = [size for size in _OF_INPUTS if size in module_sizes(spec)]
        if sizes:
            made.append(f"{', '.join(sizes)} = {', '.join(f'{arrays[size]}.shape[2]' for size in sizes)}")
    return ["\n".join(head), read, "\n".join(made)]


def has_mask(spec: AttentionSpec) -> bool:
    """Return whether there is a mask besides those built into the module."""
    return bool(made_beside_module(spec)) or has_own_mask(spec)


def has_own_mask(spec: AttentionSpec) -> bool:
    """Return whether there is a mask of the user's."""
    return spec.mods is not None and bool(spec.mods.mask_mod)


def mask_lines(spec: AttentionSpec, masks: Sequence[tuple[Mask, Any]] | None = None) -> list[str]:
    """Return the lines that make ``mask``, rule by rule; it broadcasts to the scores.

    ``masks``: those to make, with their states; None: all that are not built into the module.
    """
    names, masks = names_of(spec), made_beside_module(spec) if masks is None else masks
    codes = [mask.code(state) for mask, state in masks]
    inputs = "X" if is_self(spec) else "queries"
    own = mask_code(spec, names.queries, names.keys, inputs) if has_own_mask(spec) else ""
    if not codes:
        return [f"# True where query i may attend to key j\nmask = {own}"]
    lines = [f"i = torch.arange({names.queries})[:, None]", f"j = torch.arange({names.keys})"]
    heads = ", None" if spec.heads_run > 1 else ""
    if any(mask.per_head for mask, _ in masks):
        lines.insert(0, f"h = torch.arange({spec.heads_run})[:, None, None]")
    if any(mask.per_item for mask, _ in masks):
        lines.insert(0, f"b = torch.arange(len({inputs}))[:{heads}, None, None]")
    for code in codes:
        for name, value in code.values.items():
            lines.append(vector(name, value) if isinstance(value, tuple) else f"{name} = {value!r}")
        lines += code.lines
    lines.append("# True where query i may attend to key j")
    lines += [f"mask = mask & ({code.rule})" if n else f"mask = {code.rule}" for n, code in enumerate(codes)]
    return [*lines, *([f"mask = mask & {own}"] if own else [])]


def softmax_code(spec: AttentionSpec) -> str:
    """Return the definition of ``masked_softmax``, or of the function in its place, under the policy of the spec."""
    fill = "-1e6" if spec.mask_policy == "book" else "-torch.inf"
    softmax = _softmax(spec, f"torch.where(mask, scores, {fill})")
    if spec.mask_policy == "zero" and policy_acts(acting(spec)) and _may_leave_no_key(spec):
        body = [
            f"weights = {softmax}",
            "return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)  # 0 where there is no key",
        ]
    else:
        body = [f"return {softmax}"]
    return definition(
        f"def masked_{_name(spec)}(scores, mask)", f"Return the {_name(spec)} over the keys that the mask allows.", body
    )


def weights_of(spec: AttentionSpec, mask: str) -> str:
    """Return the expression that turns ``scores`` into weights; half precision is widened if upcast is on."""
    widened = is_half(spec.dtype) and spec.upcast
    scores = "scores.float()" if widened else "scores"
    weights = f"masked_{_name(spec)}({scores}, {mask})" if mask else _softmax(spec, scores)
    return f"{weights}.to(scores.dtype)" if widened else weights


def _name(spec: AttentionSpec) -> str:
    """Return the name of the softmax, or of the step in its place."""
    step = weigher(acting(spec))
    return step.name if step else "softmax"


def _softmax(spec: AttentionSpec, scores: str) -> str:
    """Return the softmax of an expression, or the result of the step that modifies or replaces it."""
    shares = [step for step in acting(spec) if step.does in ("share", "weigh")]
    return changed_by(shares[0], spec, scores) if shares else f"{scores}.softmax(dim=-1)"


def _may_leave_no_key(spec: AttentionSpec) -> bool:
    """Return whether a query may have no valid key: not if all masks allow the first key, or the query's own."""
    is_square = not isinstance(spec.inputs, FileInputs) and spec.num_queries == spec.num_kvpairs
    kept = frozenset({FIRST, ITSELF} if is_square else {FIRST})
    return has_own_mask(spec) or not kept.intersection(*(mask.keeps(state) for mask, state in in_force(spec)))
