"""The attention lab's row in the registry of labs."""

from attnviz.definitions.formats import suffixes_with
from attnviz.definitions.stages import STAGE_TITLES, stages_of
from attnviz.definitions.text import Text
from attnviz.experiment.attention.fields import values_of_arrays
from attnviz.experiment.attention.memory import takes_all_cores
from attnviz.experiment.attention.opened import change_said, values_of_functions
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace, trace_of
from attnviz.experiment.attention.view import FUNCTIONS, AttentionViewSettings
from attnviz.experiment.labs import DataFile, Lab
from attnviz.experiment.layers.scalars import statistics_of_layers
from attnviz.experiment.layers.sentences import sentence_about

_HEAD_STATISTICS = statistics_of_layers(lambda trace: trace.layer)
LAB = Lab(
    name="attention",
    spec_type=AttentionSpec,
    trace_type=AttentionTrace,
    view_type=AttentionViewSettings,
    opening_preset="causal-sentence",
    stages=STAGE_TITLES,
    stages_of=stages_of,
    sentence_of=sentence_about,
    data_files=(
        DataFile(suffixes_with("arrays"), "{name} holds arrays, which the attention lab takes.", values_of_arrays),
        DataFile(
            suffixes_with("functions"),
            "{name} holds Python functions, which the attention lab takes.",
            values_of_functions,
            alone={"self_attention": True, "batch_size": 1, "num_queries": 16, "num_heads": 4, "num_hiddens": 64},
            page=FUNCTIONS,
        ),
    ),
    stroke_text=lambda *changed: Text("Paint the mask" if changed[2] == "painted" else ""),
    change_text=change_said,
    takes_all_cores=lambda asked: takes_all_cores(getattr(asked, "of", asked)),
    scalars=lambda _: _HEAD_STATISTICS,
    trace_of=trace_of,
    compares=True,
)
