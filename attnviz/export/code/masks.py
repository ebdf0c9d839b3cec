"""The mask in the script of an attention spec, and the masked softmax."""

from attnviz.definitions.masks import in_force, made_beside_module
from attnviz.definitions.masks.mask import FIRST, ITSELF
from attnviz.experiment.attention.fields import HALF_TYPES
from attnviz.experiment.attention.inputs import FileInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.inputs import is_self, names_of
from attnviz.export.code.text import definition, vector


def has_mask(spec: AttentionSpec) -> bool:
    """Return whether there is a mask beside those built into the module."""
    return bool(made_beside_module(spec))


def mask_lines(spec: AttentionSpec) -> list[str]:
    """Return the lines that make ``mask``, rule by rule; it broadcasts to the scores."""
    names, masks = names_of(spec), made_beside_module(spec)
    codes = [mask.code(state) for mask, state in masks]
    lines = [f"i = torch.arange({names.queries})[:, None]", f"j = torch.arange({names.keys})"]
    if any(mask.per_item for mask, _ in masks):
        heads = ", None" if spec.heads_run > 1 else ""
        lines.insert(0, f"b = torch.arange(len({'X' if is_self(spec) else 'queries'}))[:{heads}, None, None]")
    for code in codes:
        for name, value in code.values.items():
            lines.append(vector(name, value) if isinstance(value, tuple) else f"{name} = {value!r}")
        lines += code.lines
    lines.append("# True where query i may attend to key j")
    lines += [f"mask = mask & ({code.rule})" if n else f"mask = {code.rule}" for n, code in enumerate(codes)]
    return lines


def softmax_code(spec: AttentionSpec) -> str:
    """Return the definition of ``masked_softmax`` under the policy of the spec."""
    fill = "-1e6" if spec.mask_policy == "book" else "-torch.inf"
    softmax = f"torch.where(mask, scores, {fill}).softmax(dim=-1)"
    if spec.mask_policy == "zero" and _may_leave_no_key(spec):
        body = [
            f"weights = {softmax}",
            "return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)  # 0 where there is no key",
        ]
    else:
        body = [f"return {softmax}"]
    return definition(
        "def masked_softmax(scores, mask)", "Return the softmax over the keys that the mask allows.", body
    )


def weights_of(spec: AttentionSpec, mask: str) -> str:
    """Return the expression that turns ``scores`` into weights; half precision is widened if upcast is on."""
    widened = spec.dtype in HALF_TYPES and spec.upcast
    scores = "scores.float()" if widened else "scores"
    weights = f"masked_softmax({scores}, {mask})" if mask else f"{scores}.softmax(dim=-1)"
    return f"{weights}.to(scores.dtype)" if widened else weights


def _may_leave_no_key(spec: AttentionSpec) -> bool:
    """Return whether a query may have no valid key: not if all masks allow the first key, or the query's own."""
    is_square = not isinstance(spec.inputs, FileInputs) and spec.num_queries == spec.num_kvpairs
    kept = frozenset({FIRST, ITSELF} if is_square else {FIRST})
    return not kept.intersection(*(mask.keeps(state) for mask, state in in_force(spec)))
