"""The further numbers of a run of the model lab."""

from typing import Any

from attnviz.definitions.registry import Registry
from attnviz.experiment.extras import Extra
from attnviz.experiment.model.lens import Lens


def _read(trace: Any) -> dict[str, Any]:
    """Return the fields that every study of a trace's run has: the spec, and the new tokens that were read."""
    return {"of": trace.spec, "continued": trace.continued}


EXTRAS: Registry[Extra] = Registry(
    "extra",
    (
        Extra(
            name="lens",
            title="Logit lens",
            ignores="It reads each layer's state as if no layer followed; later layers may still turn it.",
            arrays=("lens_ids", "lens_probabilities"),
            study=lambda trace: Lens(**_read(trace)),
        ),
    ),
)
