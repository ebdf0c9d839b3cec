"""The mask in the script of an attention spec, and the softmax that honours it."""

from attnviz.experiment.attention import valid_lens as lens
from attnviz.experiment.attention.fields import HALF_TYPES
from attnviz.experiment.attention.inputs import FileInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.inputs import names_of
from attnviz.export.code.text import definition, filled, listed, vector

_PAINTED_AT_ONCE = 12
"""How many painted strokes are written one by one; more of them make a list."""


def has_mask(spec: AttentionSpec) -> bool:
    """Return whether anything is forbidden beside what the causal module's own buffer forbids."""
    return _has_triangle(spec) or bool(spec.valid_lens or spec.window or spec.document_lens or spec.painted)


def mask_lines(spec: AttentionSpec) -> list[str]:
    """Return the lines that make ``mask``, which broadcasts to the scores, rule by rule."""
    names = names_of(spec)
    of_cells = _of_cells(spec)
    lines, made = [], bool(of_cells)
    if spec.valid_lens is not None:
        lines.append(vector("valid_lens", spec.valid_lens))
    if spec.document_lens is not None:
        lines.append(filled("document_lens = torch.tensor([", listed(map(str, spec.document_lens)), "])"))
    if spec.window is not None:
        lines.append(f"window = {spec.window}")
    lines.append("# True where a query may attend to a key")
    lines += of_cells
    if spec.document_lens is not None:
        lines.append("ends = document_lens.cumsum(0)")
        rows = f"torch.bucketize(torch.arange({names.queries}), ends, right=True)"
        if names.queries == names.keys:
            lines.append(f"document = {rows}")
            rule = "document[:, None] == document"
        else:
            lines.append(f"document_of_query = {rows}")
            lines.append(f"document_of_key = torch.bucketize(torch.arange({names.keys}), ends, right=True)")
            rule = "document_of_query[:, None] == document_of_key"
        lines.append(f"mask = mask & ({rule})" if made else f"mask = {rule}")
        made = True
    if spec.valid_lens is not None:
        rule = f"torch.arange({names.keys}) < valid_lens[{_axes(spec)}]"
        lines.append(f"mask = mask & ({rule})" if made else f"mask = {rule}")
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
    """Return the expression that turns ``scores`` into weights; half precision is widened for it where it should be."""
    widened = spec.dtype in HALF_TYPES and spec.upcast
    scores = "scores.float()" if widened else "scores"
    weights = f"masked_softmax({scores}, {mask})" if mask else f"{scores}.softmax(dim=-1)"
    return f"{weights}.to(scores.dtype)" if widened else weights


def _has_triangle(spec: AttentionSpec) -> bool:
    return spec.causal and spec.mechanism != "causal_multi_head"


def _axes(spec: AttentionSpec) -> str:
    """Return the index that puts valid lengths (batch,) or (batch, queries) beside the axes of the scores."""
    heads = ", None" if spec.heads_run > 1 else ""
    return f":{heads}, :, None" if lens.is_per_query(spec.valid_lens) else f":{heads}, None, None"


def _of_cells(spec: AttentionSpec) -> list[str]:
    """Return the lines for what is forbidden cell by cell: triangle, window and paint."""
    if not (_has_triangle(spec) or spec.window or spec.painted):
        return []
    names = names_of(spec)
    shape = ""
    if _has_triangle(spec):
        shape = ".tril()" + (".triu(1 - window)" if spec.window else "")
    elif spec.window:
        shape = ".tril(window - 1).triu(1 - window)"
    ones = f"mask = torch.ones({names.queries}, {names.keys}, dtype=torch.bool){shape}"
    return [ones, *_painted(spec.painted)]


def _painted(painted: str) -> list[str]:
    """Return the lines that forbid what was painted by hand, written as ``1: 3-5 7; 4-6: 0``."""
    strokes = []
    for entry in painted.split("; ") if painted else ():
        queries, keys = entry.split(": ")
        strokes += [(_span(queries), _span(run)) for run in keys.split(" ")]
    if len(strokes) <= _PAINTED_AT_ONCE:
        return [f"mask[{_slice(*queries)}, {_slice(*keys)}] = False" for queries, keys in strokes]
    cells = [str((*queries, *keys)) for queries, keys in strokes]
    return [
        filled("painted = [", listed(cells), "]"),
        "for top, bottom, left, right in painted:",
        "    mask[top : bottom + 1, left : right + 1] = False",
    ]


def _span(run: str) -> tuple[int, int]:
    first, _, last = run.partition("-")
    return int(first), int(last or first)


def _slice(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}:{last + 1}"


def _may_leave_no_key(spec: AttentionSpec) -> bool:
    """Return whether a query may be left without a key: not where all see the first one, or each sees itself."""
    lengths = spec.valid_lens or ()
    if spec.painted or 0 in lengths or any(isinstance(row, tuple) and 0 in row for row in lengths):
        return True
    if not spec.window and not spec.document_lens:
        return False
    is_square = not isinstance(spec.inputs, FileInputs) and spec.num_queries == spec.num_kvpairs
    return not is_square or spec.valid_lens is not None
