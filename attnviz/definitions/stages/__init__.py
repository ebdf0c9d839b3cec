"""The stages of attention, in the order of computation.

To add one, write its record in a file here and add it below; its plain sentences are in
`attnviz.experiment.layers.sentences`, which fails to import without them. The stage of a score step is built from the
step's record.
"""

from typing import Any

from attnviz.definitions.registry import Registry
from attnviz.definitions.stages.after_weights import HEADS, MERGE, OUTPUT
from attnviz.definitions.stages.before_scores import FEATURES, OF_VECTORS, PROJECT, ROTATE, SPLIT
from attnviz.definitions.stages.cells import DROPPED_WEIGHTS, MASKED_SCORES, OF_STEPS, SCORES, WEIGHTS
from attnviz.definitions.stages.stage import Cells, Stage
from attnviz.definitions.text import English

STAGES: Registry[Stage] = Registry(
    "stage",
    (
        PROJECT,
        SPLIT,
        *OF_VECTORS,
        ROTATE,
        FEATURES,
        SCORES,
        *OF_STEPS,
        MASKED_SCORES,
        WEIGHTS,
        DROPPED_WEIGHTS,
        HEADS,
        MERGE,
        OUTPUT,
    ),
)
STAGE_TITLES: dict[str, English] = {stage.name: stage.title for stage in STAGES.values()}


def stages_of(spec: Any) -> tuple[str, ...]:
    """Return the names of the stages of an attention spec's module, in order."""
    return tuple(stage.name for stage in STAGES.values() if stage.exists(spec))


def cells_of(stage: str) -> Cells:
    """Return the cells of a stage that has one number for each query and key.

    Raises:
        ValueError: the stage has none.
    """
    cells = STAGES[stage].cells
    if cells is None:
        have = ", ".join(each.name for each in STAGES.values() if each.cells)
        raise ValueError(f"stage {stage!r} has no number for each query and key; these have: {have}")
    return cells
