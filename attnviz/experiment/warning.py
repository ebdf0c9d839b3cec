"""The warning about a run that differs from what the model computes, and its text in a file."""

import math
import re
from collections.abc import Mapping
from typing import Literal

from attnviz.definitions.text import English, Text, number_said, untranslated

Outputs = Literal["logits", "last hidden states", "outputs"]
"""The compared outputs of a model."""
_WEIGHTS = Text("weights")
_OUTPUTS: Mapping[Outputs, tuple[Text, Text]] = {
    "logits": (Text("logits"), Text("logits and weights")),
    "last hidden states": (Text("last hidden states"), Text("last hidden states and weights")),
    "outputs": (Text("outputs"), Text("outputs and weights")),
}
"""What differs if the outputs do: only they, or the weights too."""
_DIFFERENT: English = "not what the model computes: {what} differ by up to {difference}"
_WRITTEN = re.compile(_DIFFERENT.format(what="(.+)", difference="(.+)"))
_BY_NAME = {str(what): what for what in (_WEIGHTS, *(what for pair in _OUTPUTS.values() for what in pair))}


def not_the_models(outputs: Outputs, outputs_apart: float, weights_apart: float) -> Text:
    """Return a message about the differences between a run and the unmodified model; empty if there are none.

    NaN stands for a difference that is within rounding, or unknown.
    """
    known = [apart for apart in (outputs_apart, weights_apart) if not math.isnan(apart)]
    if not known:
        return Text()
    alone, both = _OUTPUTS[outputs]
    sentence = _WEIGHTS if math.isnan(outputs_apart) else alone if math.isnan(weights_apart) else both
    return Text(_DIFFERENT, {"what": sentence, "difference": number_said(max(known))})


def warning_in_file(text: str) -> Text:
    """Return the warning in a file: one of `not_the_models` is translated where it is shown, others are not."""
    match = _WRITTEN.fullmatch(text)
    if match is None or match[1] not in _BY_NAME:
        return untranslated(text) if text else Text()
    return Text(_DIFFERENT, {"what": _BY_NAME[match[1]], "difference": match[2]})
