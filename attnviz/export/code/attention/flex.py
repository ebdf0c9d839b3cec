"""FlexAttention code: masks and score steps as a ``mask_mod`` and a ``score_mod``, and an experiment as a script.

The script has the experiment in FlexAttention and with dense tensors, and a test that both agree.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attnviz.definitions.masks import in_force
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.score_steps import acting
from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.definitions.text import Refused, Text
from attnviz.experiment.attention.fields import FileInputs, WordInputs
from attnviz.experiment.attention.mods import with_source
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.attention.inputs import (
    has_own_mask,
    input_code,
    is_self,
    mask_lines,
    names_of,
    size_lines,
    softmax_code,
    weights_of,
)
from attnviz.export.code.attention.own import TRANSFORM, own_imports, source_block
from attnviz.export.code.attention.script import (
    built_lines,
    forward_inputs,
    functions_of,
    module_of,
    score_lines,
    served_lines,
    vector_lines,
    words_of,
)
from attnviz.export.code.attention.steps import divisor_of
from attnviz.export.code.text import (
    MERGE_HEADS,
    SPLIT_HEADS,
    WIDTH,
    Script,
    below_each_other,
    definition,
    expression,
    filled,
    imports,
    listed,
    vector,
)
from attnviz.export.code.written import WRITTEN, Code, tidy

Masks = Sequence[tuple[Mask, Any]]
_MASK_MOD = "b, h, q_idx, kv_idx"
_PRODUCT = re.compile(r"(.+) @ keys\.transpose\(-2, -1\)")
"""The scores that FlexAttention computes, of these queries."""
_FROM = "from torch.nn.attention.flex_attention import "
_LOOKED_UP = 'sys.modules["mods"] = mods  # where flex_attention looks for the functions'
_NEAR = {"float16": 0.01, "bfloat16": 0.05}
"""By how much two orders of summation may differ; 1e-5 in wider dtypes."""
_QUIET = [
    "# Without torch.compile it computes all scores, and warns of it. On a GPU, compile it:",
    "# flex_attention = torch.compile(flex_attention), with tensors and block mask on that device.",
    'warnings.filterwarnings("ignore", message="flex_attention called without torch.compile")',
]


def why_not(spec: AttentionSpec) -> Text:
    """Return why an experiment has no form in FlexAttention; empty if it has one."""
    record = spec.mechanism_record
    if record.is_given:
        return Text("Given weights have no form in FlexAttention: nothing is computed")
    product = _PRODUCT.fullmatch(record.torch_scores)
    if product is None or "self." in product[1]:
        words = {"module": Text(record.title)}
        return Text("{module} has no form in FlexAttention, whose scores are dot products of queries and keys", words)
    for step in acting(spec):
        if step.does not in ("vectors", "divide", "add", "change", "share"):
            return Text("{step} has no form in FlexAttention, which has a softmax", {"step": Text(step.title)})
    if spec.dropout_acts:
        return Text("Dropout has no form in FlexAttention; nearest: train mode off")
    return Text()


def flex_source(masks: Masks, num_queries: int, num_kvpairs: int) -> str:
    """Return a file with the ``mask_mod`` of masks with their states: all of them together, if there are several."""
    return _file(masks, [], num_queries, num_kvpairs)


def flex_functions(spec: AttentionSpec) -> str:
    """Return a file with the ``mask_mod`` and the ``score_mod`` of an experiment, but for the user's own functions.

    Raises:
        Refused: it has no form in FlexAttention.
    """
    _check(spec)
    return _file(tuple(in_force(spec)), score_blocks(spec), spec.num_queries, spec.num_kvpairs)


def _file(masks: Masks, further: list[str], num_queries: int, num_kvpairs: int) -> str:
    blocks = [*mask_blocks(masks), *([_together(masks)] if len(masks) > 1 else []), *further]
    code = "\n".join(blocks)
    sizes = {"num_queries": num_queries, "num_kvpairs": num_kvpairs}
    assigned = [f"{name} = {size}" for name, size in sizes.items() if name in code]
    above = ["import torch"] if "torch." in code else []
    above += [f"{_FROM}and_masks"] if len(masks) > 1 else []
    return below_each_other(["\n".join(each) for each in (above, assigned) if each] + blocks)


def mask_blocks(masks: Masks, num_queries: str = "num_queries", num_kvpairs: str = "num_kvpairs") -> list[str]:
    """Return the blocks of code that define a function of each mask, `mask_name`, with what it reads before it."""
    blocks = []
    for mask, state in masks:
        code = mask.code(state)
        lines = [*_assigned(code.values), *(code.lines if code.flex_lines is None else code.flex_lines)]
        if lines:
            named = re.sub(r"\bnum_queries\b", num_queries, "\n".join(lines))
            blocks.append(re.sub(r"\bnum_kvpairs\b", num_kvpairs, named))
        rule = code.flex or re.sub(r"\b[ij]\b", lambda found: {"i": "q_idx", "j": "kv_idx"}[found[0]], code.rule)
        body = expression("return ", rule, WIDTH - 4)
        blocks.append(definition(f"def {mask_name(mask)}({_MASK_MOD})", "", [body]))
    return blocks


def mask_name(mask: Mask) -> str:
    """Return the name of the function of a mask."""
    return f"{mask.name}_mask"


def _together(masks: Masks, *own: str) -> str:
    names = [*(mask_name(mask) for mask, _ in masks), *own]
    return f"mask_mod = {names[0]}" if len(names) == 1 else filled("mask_mod = and_masks(", listed(names), ")")


def _assigned(values: Any) -> list[str]:
    return [vector(name, each) if isinstance(each, tuple) else f"{name} = {each!r}" for name, each in values.items()]


def score_blocks(spec: AttentionSpec, *, with_own: bool = False) -> list[str]:
    """Return the blocks that define ``score_mod``; none if it would return its score.

    ``with_own``: with the user's own function, of the module ``mods``.
    """
    lines, above = [], []
    for step in acting(spec):
        if step.does in ("add", "change") and not step.needs_run:
            rule, values = _changed(step, spec)
            above += _assigned(values)
            lines.append(expression("score = ", rule, WIDTH - 4))
    if with_own and spec.mods is not None and spec.mods.score_mod:
        above.append(f"own_score_mod = mods.{spec.mods.score_mod}")
        lines.append(f"score = own_score_mod(score, {_MASK_MOD})")
    if not lines:
        return []
    function = definition(f"def score_mod(score, {_MASK_MOD})", "", [*lines, "return score"])
    return ["\n".join(above), function] if above else [function]


def _changed(step: ScoreStep, spec: AttentionSpec) -> tuple[str, dict[str, Any]]:
    """Return the expression of a score after a step, and what it reads."""
    if step.flex is not None:
        rule, values = step.flex(spec)
        return rule, dict(values)
    place = Place(spec.num_hiddens // spec.heads_run, Code("h"), Code("q_idx"), Code("kv_idx"))
    score: Any = Code("score")
    return tidy(step.applied(score, step.amount(spec, place, WRITTEN), WRITTEN)), {}


def flex_script(spec: AttentionSpec) -> Script:
    """Return the script of an experiment in FlexAttention, with dense tensors, and with a test that both agree.

    It runs on the CPU. A query without a key has an output of 0, as in FlexAttention, under each policy of the spec.

    Raises:
        Refused: it has no form in FlexAttention.
    """
    _check(spec)
    mods = None if spec.mods is None else with_source(spec.mods, Path())
    spec = spec.model_copy(update={"device": "cpu", "mask_policy": "zero", "mods": mods})
    masks = tuple(in_force(spec))
    several = len(masks) + has_own_mask(spec) > 1
    flex = ["and_masks"] if several else []
    flex += ["create_block_mask", "create_mask"] if _is_masked(spec) else []
    flex += ["AuxRequest"] if _sinks(spec) else []
    names = sorted([*flex, "flex_attention"], key=str.lower)
    line = f"{_FROM}{', '.join(names)}"
    imported = line if len(line) <= WIDTH else filled(f"{_FROM}(", listed(names), ")")
    further = ["import numpy as np"] if isinstance(spec.inputs, FileInputs) else []
    blocks = _blocks(spec, masks)
    of_own = [*own_imports(spec.own_functions)[0], "import sys"] if spec.own_functions is not None else []
    standard = ["import hashlib"] if isinstance(spec.inputs, WordInputs) else []
    standard += ["import math"] if "math." in "\n".join(blocks) else []
    above = imports(standard, further, nn="nn." in "\n".join(blocks))
    above[above.index("import os")] = "\n".join(sorted({"import os", "import warnings", *of_own}))
    at = above.index("import torch") + 1
    at += above[at : at + 1] == ["from torch import nn"]
    above[at:at] = [imported, *([TRANSFORM] if spec.mods is not None and spec.mods.score_mod else [])]
    words = [*words_of(spec), "It is there twice, in FlexAttention and with dense tensors, and a test compares both."]
    return Script(words, [*above, "", *_QUIET], blocks)


def _check(spec: AttentionSpec) -> None:
    reason = why_not(spec)
    if reason:
        raise Refused(reason)


def _blocks(spec: AttentionSpec, masks: Masks) -> list[str]:
    amounts = [f"{step.field} = {getattr(spec, step.field)!r}" for step in acting(spec) if step.torch == step.field]
    knobs = [f"{name} = {value!r}" for name, value in spec.mechanism_knobs.items()]
    dtype = [f"dtype = torch.{spec.dtype}"] if spec.dtype != "float32" else []
    names = names_of(spec)
    blocks = ["\n".join([*size_lines(spec), *amounts, *knobs, *dtype])]
    if spec.own_functions is not None:
        blocks.append(f"{source_block(spec.own_functions)}\n{_LOOKED_UP}")
    blocks += [softmax_code(spec)] if _is_masked(spec) else []
    blocks += [SPLIT_HEADS, MERGE_HEADS] if spec.heads_run > 1 else []
    blocks += [*functions_of(spec), module_of(spec, _forward(spec)), *_inputs(spec, dtype=bool(dtype))]
    blocks += mask_blocks(masks, names.queries, names.keys)
    own = [f"mods.{spec.mods.mask_mod}"] if spec.mods is not None and has_own_mask(spec) else []
    blocks += [_together(masks, *own)] if masks or own else []
    blocks += [*score_blocks(spec, with_own=True), _flex(spec, masks)]
    blocks += (
        ["\n".join(["# The same mask as a tensor", *mask_lines(spec, masks), *_four_axes(spec, masks)])]
        if _is_masked(spec)
        else []
    )
    blocks += [_dense(spec), "\n".join([*built_lines(spec), *(["attention = attention.to(dtype)"] if dtype else [])])]
    return [*blocks, _test(spec, masks), _RUN]


def _four_axes(spec: AttentionSpec, masks: Masks) -> list[str]:
    """Return the line that gives the mask of each item an axis of heads, which one of a module without heads lacks."""
    has_items = has_own_mask(spec) or any(mask.per_item for mask, _ in masks)
    return ["mask = mask[:, None]"] if spec.heads_run == 1 and has_items else []


def _is_masked(spec: AttentionSpec) -> bool:
    return has_own_mask(spec) or any(True for _ in in_force(spec))


def _inputs(spec: AttentionSpec, *, dtype: bool) -> list[str]:
    *defined, made = input_code(spec)
    line = (
        "X = X.to(dtype)" if is_self(spec) else "queries, keys, values = (x.to(dtype) for x in (queries, keys, values))"
    )
    return [*defined, f"{made}\n{line}" if dtype else made]


def _forward(spec: AttentionSpec) -> str:
    record = spec.mechanism_record
    pooled = "attend(queries, keys, values)"
    if spec.heads_run == 1:
        pooled = "attend(queries[:, None], keys[:, None], values[:, None])[:, 0]"
    if record.output is not None:
        pooled = f"self.{record.output.attribute}({f'merge_heads({pooled})' if spec.heads_run > 1 else pooled})"
    takes = ", ".join(["self", *forward_inputs(spec), "attend"])
    return definition(f"def forward({takes})", "", [*vector_lines(spec), expression("return ", pooled, WIDTH - 8)])


def _sinks(spec: AttentionSpec) -> list[ScoreStep]:
    return [step for step in acting(spec) if step.does == "share"]


def _flex(spec: AttentionSpec, masks: Masks) -> str:
    product = _PRODUCT.fullmatch(spec.mechanism_record.torch_scores)
    assert product is not None
    divisors = [divisor_of(step, spec) for step in acting(spec) if step.does == "divide"]
    arguments = [product[1], "keys", "values", f"scale={' / '.join(['1', *divisors]) if divisors else '1.0'}"]
    arguments += ["score_mod=score_mod"] if score_blocks(spec, with_own=True) else []
    arguments += ["enable_gqa=True"] if spec.shares_keys else []
    lines = []
    if _is_masked(spec):
        sizes = ["mask_mod", *_sizes(spec, masks), "queries.shape[-2]", "keys.shape[-2]", 'device="cpu"']
        lines.append(filled("block_mask = create_block_mask(", listed(sizes), ")", WIDTH - 4))
        arguments.append("block_mask=block_mask")
    sinks = _sinks(spec)
    arguments += ["return_aux=AuxRequest(lse=True)"] if sinks else []
    lines.append(filled(f"{'heads, aux' if sinks else 'heads'} = flex_attention(", listed(arguments), ")", WIDTH - 4))
    for step in sinks:
        logit = tidy(step.amount(spec, Place(0), WRITTEN))
        lines += [
            "# The sink takes its share of the sum of exponentials.",
            f"heads = heads * torch.sigmoid(aux.lse - {logit})[..., None]",
        ]
    docstring = "(batch, heads, length, size) of each -> the values pooled by each head, in FlexAttention."
    return definition("def flex(queries, keys, values)", docstring, [*lines, "return heads.to(values)"])


def _sizes(spec: AttentionSpec, masks: Masks) -> tuple[str, str]:
    """Return the numbers of items and heads of a mask; None for those that have the same."""
    own = has_own_mask(spec)
    items = "len(queries)" if own or any(mask.per_item for mask, _ in masks) else "None"
    heads = "queries.shape[1]" if own or any(mask.per_head for mask, _ in masks) else "None"
    return items, heads


def _dense(spec: AttentionSpec) -> str:
    scores = [line.replace("self.num", "num") for line in (*served_lines(spec), *score_lines(spec))]
    if spec.heads_run == 1:  # its scores have no axis of heads there
        scores = [line.replace("modified(scores)", "modified(scores[:, 0])[:, None]") for line in scores]
    weights = expression("weights = ", weights_of(spec, "mask" if _is_masked(spec) else ""), WIDTH - 4)
    return definition(
        "def dense(queries, keys, values)",
        "The same with the scores and weights of all cells.",
        [*scores, weights, "return weights @ values"],
    )


def _test(spec: AttentionSpec, masks: Masks) -> str:
    takes = ", ".join(["X"] * len(forward_inputs(spec)) if is_self(spec) else forward_inputs(spec))
    lines = ["with torch.no_grad():"]
    lines += [f"    outputs = [attention({takes}, attend) for attend in (flex, dense)]"]
    near = _NEAR.get(spec.dtype, 1e-5)
    lines.append(f"torch.testing.assert_close(*outputs, atol={near}, rtol={near})")
    if _is_masked(spec):
        size, own = "X" if is_self(spec) else "queries", has_own_mask(spec)
        items = f"len({size})" if own or any(mask.per_item for mask, _ in masks) else "1"
        heads = str(spec.heads_run) if own or any(mask.per_head for mask, _ in masks) else "1"
        names = names_of(spec)
        sizes = ["mask_mod", items, heads, names.queries, names.keys, 'device="cpu"']
        lines.append(filled("made = create_mask(", listed(sizes), ")", WIDTH - 4))
        lines.append("assert torch.equal(made, mask.expand_as(made))")
    return definition("def test_that_flex_attention_and_dense_tensors_agree()", "", [*lines, "return outputs[0]"])


_RUN = """\
output = test_that_flex_attention_and_dense_tensors_agree()
torch.set_printoptions(precision=6, sci_mode=False)
print("FlexAttention and dense tensors agree; output", tuple(output.shape))"""
