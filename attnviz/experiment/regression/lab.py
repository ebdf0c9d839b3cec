"""The kernel-regression lab's row in the registry of labs."""

from attnviz.definitions.formats import suffixes_with
from attnviz.experiment.labs import DataFile, Lab
from attnviz.experiment.regression.data import FileData, edit_text
from attnviz.experiment.regression.scalars import scalars_of
from attnviz.experiment.regression.sentences import sentence_of
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import STAGES, RegressionViewSettings

LAB = Lab(
    name="regression",
    spec_type=RegressionSpec,
    trace_type=RegressionTrace,
    view_type=RegressionViewSettings,
    opening_preset="kernel-learned",
    stages=STAGES,
    stages_of=lambda _: tuple(STAGES),
    sentence_of=sentence_of,
    data_files=(
        DataFile(
            suffixes_with("points"),
            "{name} holds points, which the kernel-regression lab takes.",
            lambda path: {"data": FileData(path=str(path))},
        ),
    ),
    stroke_text=lambda old, new, _: edit_text(old.data, new.data),
    scalars=scalars_of,
)
