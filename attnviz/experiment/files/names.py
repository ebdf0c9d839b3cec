"""Names for files, proposed from the spec that they are about."""

from attnviz.experiment.labs import Spec
from attnviz.experiment.presets import presets


def proposed_name(spec: Spec) -> str:
    """Return a file name without its ending, such as "multi-head-8-heads-causal"; a preset's is its own."""
    preset = next((each.name for each in presets().values() if each.spec == spec), None)
    if preset is not None:
        return preset
    return "-".join(part for part in spec.name_parts if part).replace("_", "-")
