"""The temperature that divides the scores of all heads."""

from attnviz.definitions.text import Text, number_said
from attnviz.experiment.model.interventions.intervention import Divides, InScript, Intervention

TEMPERATURE = Intervention(
    prepared=lambda spec, run: spec.temperature,
    effect=Divides(lambda temperature: temperature),
    heads=lambda temperature: (),
    tokens=lambda temperature: (),
    reads_b=False,
    said=lambda spec, name: Text("temperature {temperature}", {"temperature": number_said(spec.temperature)}),
    undo=None,
    script=InScript(lambda spec: {"temperature": spec.temperature}, "", "temperature", ""),
)
