"""The training lab's row in the registry of labs."""

from attnviz.definitions.stages import STAGE_TITLES
from attnviz.experiment.labs import Lab
from attnviz.experiment.train.branching import change_text
from attnviz.experiment.train.scalars import scalars_of
from attnviz.experiment.train.sentences import sentence_of, stages_of
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import HeldOut
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.trained import TrainedState
from attnviz.experiment.train.view_settings import TrainViewSettings

LAB = Lab(
    name="train",
    spec_type=TrainSpec,
    trace_type=TrainTrace,
    view_type=TrainViewSettings,
    stages=STAGE_TITLES,
    stages_of=stages_of,
    sentence_of=sentence_of,
    opening_preset="train-induction",
    change_text=change_text,
    trained_type=TrainedState,
    test_of=lambda trace: HeldOut(of=trace.spec, step=trace.step),
    scalars=scalars_of,
    compares=True,
)
