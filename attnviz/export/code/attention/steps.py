"""The steps of a score in the script: the functions of their records, called on names instead of arrays."""

import re
from typing import Any

from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.export.code.text import WIDTH, definition, expression, indented
from attnviz.export.code.written import WRITTEN, Code, tidy


def changed_by(step: ScoreStep, spec: AttentionSpec, scores: str = "scores") -> str:
    """Return the expression of the scores after a step, or for ``share`` and ``weigh`` of the weights."""
    heads = "self.num_heads" if spec.heads_run > 1 else "1"
    code = _code(step, spec, scores) if "{code}" in step.torch else ""
    return step.torch.format(code=code, scores=scores, heads=heads, **step.values(spec, Place(0)))


def divisor_of(step: ScoreStep, spec: AttentionSpec) -> str:
    """Return the expression of what the scores are divided by."""
    return tidy(_amount(step, spec)) if step.torch == "{code}" else step.torch


def function_of(step: ScoreStep, spec: AttentionSpec) -> str:
    """Return the definition of the function that the expression calls; empty if there is none."""
    if step.torch_function:
        name = "wide" if step.does == "vectors" else "scores"
        code = _code(step, spec, name) if "{code}" in step.torch_function else ""
        function = step.torch_function.format(code=code, **step.values(spec, Place(0)))
        lines, _, result = function.rpartition("    return ")
        return lines + "\n".join(indented([expression("return ", result, WIDTH - 4)]))
    return _bias(step, spec) if step.does == "add" and "{code}" in step.torch else ""


def _code(step: ScoreStep, spec: AttentionSpec, name: str) -> str:
    if step.apply is None:
        return f"{name} + {step.name}_bias(queries, keys)"
    return tidy(step.apply(Code(name), _amount(step, spec), WRITTEN))


def _bias(step: ScoreStep, spec: AttentionSpec) -> str:
    """Return the function that makes what a step adds, as `attnviz.attention.positions.added_to_scores` does."""
    code = tidy(_amount(step, spec, Code("h") if spec.heads_run > 1 else 0, Code("i"), Code("j")))
    indices = {
        "h": "torch.arange(queries.shape[1], dtype=dtype)[:, None, None]",
        "i": "torch.arange(queries.shape[-2], dtype=dtype)[:, None]",
        "j": "torch.arange(keys.shape[-2], dtype=dtype)",
    }
    lines = [f"{name} = {made}" for name, made in indices.items() if re.search(rf"\b{name}\b", code)]
    lines = ["dtype = torch.promote_types(queries.dtype, torch.float32)", *lines]
    result = expression("return ", f"({code}).to(queries)", WIDTH - 4)
    return definition(f"def {step.name}_bias(queries, keys)", "Return what is added to the scores.", [*lines, result])


def _amount(step: ScoreStep, spec: AttentionSpec, *place: Any) -> Any:
    features: Any = Code("queries.shape[-1]")
    return step.amount(spec, Place(features, *place), WRITTEN)
