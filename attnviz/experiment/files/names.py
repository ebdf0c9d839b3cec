"""Names for files, proposed from the spec that they are about."""

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import Spec
from attnviz.experiment.presets import presets
from attnviz.experiment.regression.spec import RegressionSpec


def proposed_name(spec: Spec) -> str:
    """Return a file name without its ending, such as "multi-head-8-heads-causal"; a preset's is its own."""
    preset = next((each.name for each in presets().values() if each.spec == spec), None)
    if preset is not None:
        return preset
    parts = _of_attention(spec) if isinstance(spec, AttentionSpec) else _of_regression(spec)
    return "-".join(part for part in parts if part).replace("_", "-")


def _of_attention(spec: AttentionSpec) -> tuple[str, ...]:
    heads = f"{spec.heads_run}-heads" if spec.heads_run > 1 else ""
    causal = "causal" if spec.causal and not spec.mechanism_record.is_causal else ""
    return spec.mechanism, heads, causal, spec.inputs.kind if spec.inputs.kind != "random" else f"seed-{spec.seed}"


def _of_regression(spec: RegressionSpec) -> tuple[str, ...]:
    if spec.own_overlay.has_width:
        return "kernel", spec.kernel, f"width-{spec.width:g}", spec.data.kind
    return "kernel", "learned" if spec.trains else "average", spec.data.kind
