"""The user's own functions in the script of an attention spec: their source as it is, and the calls of torch."""

from pathlib import Path

from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.text import WIDTH, definition, filled, listed, literal, string

CREATE_MASK = "from torch.nn.attention.flex_attention import create_mask"
TRANSFORM = "from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex"
_AXES = ("(0, None, None, None, 0)", "(0, None, None, 0, None)", "(0, None, 0, None, None)", "(0, 0, None, None, None)")
"""The axes of torch.vmap for (score, b, h, q_idx, kv_idx), from the keys outwards."""


def own_imports(mods: Mods | None) -> tuple[list[str], list[str]]:
    """Return the imports of the standard library and of torch that the functions need."""
    if mods is None:
        return [], []
    standard = ["import runpy"] if mods.source is None else []
    standard += ["import sys"] if mods.path and mods.source is not None else []
    needed = [(TRANSFORM, mods.score_mod), (CREATE_MASK, mods.mask_mod)]
    return [*standard, "import types"], [line for line, is_needed in needed if is_needed]


def source_block(mods: Mods) -> str:
    """Return the lines that make ``mods``, a module with the user's functions, from the source of a spec."""
    if mods.source is None:
        return string("mods = types.SimpleNamespace(**runpy.run_path(", mods.path, "))")
    name = Path(mods.path).name or "mods.py"
    is_plain = "'''" not in mods.source and not mods.source.endswith(("\\", "'"))
    is_plain = is_plain and all(sign.isprintable() or sign in "\n\t" for sign in mods.source)
    written = f"SOURCE = r'''{mods.source}'''" if is_plain else string("SOURCE = (", mods.source, ")")
    lines = [f"# The text of {name}.", written]
    if mods.path:
        folder = literal(str(Path(mods.path).parent))
        lines.append(f"sys.path.insert(0, {folder})  # where it looks for what it imports")
    lines += ['mods = types.ModuleType("mods")', f'exec(compile(SOURCE, {literal(name)}, "exec"), vars(mods))']
    return "\n".join(lines)


def mask_code(spec: AttentionSpec, queries: str, keys: str, inputs: str) -> str:
    """Return the expression of the user's mask, (batch, heads, queries, keys), or without heads in a script of one."""
    assert spec.mods is not None
    sizes = [f"len({inputs})", str(spec.heads_run), queries, keys]
    call = filled("create_mask(", listed([f"mods.{spec.mods.mask_mod}", *sizes, 'device="cpu"']), ")", WIDTH - 20)
    return call if spec.heads_run > 1 else f"{call}[:, 0]"


def score_function(spec: AttentionSpec) -> str:
    """Return the definition of ``modified``, which calls the user's score_mod for every score; "" without one."""
    if spec.mods is None or not spec.mods.score_mod:
        return ""
    heads = [] if spec.heads_run > 1 else ["wide = wide[:, None]  # one head"]
    wide = "wide = scores.to(torch.promote_types(scores.dtype, torch.float32))"
    body = [
        f"score_mod = mods.{spec.mods.score_mod}",
        filled("for axes in (", listed(_AXES), "):", WIDTH - 4),
        "    score_mod = torch.vmap(score_mod, in_dims=axes)",
        wide,
        *heads,
        "indices = [torch.arange(size, device=wide.device) for size in wide.shape]",
        "with TransformGetItemToIndex():",
        f"    return score_mod(wide, *indices){'' if heads == [] else '[:, 0]'}.to(scores.dtype)",
    ]
    return definition("def modified(scores)", "Return the scores after score_mod, as in flex_attention.", body)
