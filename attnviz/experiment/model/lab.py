"""The model lab's row in the registry of labs."""

from attnviz.definitions.stages import STAGE_TITLES
from attnviz.experiment.labs import Lab
from attnviz.experiment.model.extras import EXTRAS
from attnviz.experiment.model.generation import ChosenTokens
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.model.scalars import scalars_of, text_columns_of
from attnviz.experiment.model.sentences import change_said, sentence_of
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings

LAB = Lab(
    name="model",
    spec_type=ModelSpec,
    trace_type=ModelTrace,
    view_type=ModelViewSettings,
    stages=STAGE_TITLES,
    stages_of=lambda _: tuple(STAGE_TITLES),
    sentence_of=sentence_of,
    change_text=change_said,
    takes_all_cores=lambda _: True,
    overview=OVERVIEW,
    extras=EXTRAS,
    scalars=scalars_of,
    text_columns=text_columns_of,
    test_of=EXTRAS["attribution"].study,
    opening_preset="model-induction",
    # An image is not continued, nor patched.
    picture_values=lambda path: {"image": str(path), "generate": 0, "chosen": ChosenTokens(), "patch": ()},
    folder_file="config.json",
    folder_ending=".safetensors",
    compares=True,
)
