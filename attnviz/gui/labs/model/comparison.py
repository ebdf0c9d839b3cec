"""The compare page of the model lab: this run beside that of text B, or of the unmodified model."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from attnviz.definitions.text import listed
from attnviz.experiment.layers.comparison import Aligned
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.comparison import aligned, alignment_said
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Cursor
from attnviz.gui.labs.compare_page import ComparedRun, ComparePage, differences_said
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.widgets.words import translate


class ModelComparePage(ComparePage[Picture]):
    """Positions of two texts are compared if both have the same number of tokens, or a common beginning.

    Words are joined or not as the view settings have it.
    """

    @override
    def offered(self, b: ModelTrace) -> tuple[tuple[str, Pin], ...]:
        spec = b.spec
        text_b = ((translate("Text B as A"), Pin(spec.of_text_b)),) if spec.text_b else ()
        at = None if b.generated is None or b.final else Cursor(step=b.step)
        whole = ((translate("Without interventions as A"), Pin(spec.without_changes, at)),) if spec.has_changes else ()
        own = Pin(spec.without_choices, at)
        without = ((translate("The model's own tokens as A"), own),) if spec.chosen else ()
        return (*text_b, *whole, *without)

    @override
    def layer_of(self, trace: ModelTrace, number: int) -> Layer:
        view = self._current.value
        return trace.layer_shown(joined=view.joined, hide_special=view.hide_special)

    @override
    def aligned(self, a: ModelTrace, b: ModelTrace) -> Aligned:
        return aligned(a, b, *self._names(a, b))

    def _names(self, *traces: ModelTrace) -> list[list[str]]:
        return [[group.name for group in self._current.value.groups_of(trace.read)] for trace in traces]

    @override
    def name_of(self, a: Any | None, b: Any) -> str:
        if a is not None and b.spec.text_b and a.spec == b.spec.of_text_b:
            return f"A, {translate('text B')}"
        if a is not None and b.spec.has_changes and a.spec == b.spec.without_changes:
            return f"A, {translate('without interventions')}"
        if a is not None and b.spec.chosen and a.spec == b.spec.without_choices:
            return f"A, {translate('its own tokens')}"
        return super().name_of(a, b)

    @override
    def changes(self, a: Any, shown: ComparedRun, head: int, results: Sequence[Any], *, numbers: bool) -> str:
        said = super().changes(a, shown, head, results, numbers=numbers)
        if a.spec != shown.trace.spec:
            runs = [(name, run) for name, run in (("A", a), ("B", shown.trace)) if run.altered]
            done = [f"{name}: {translate(listed(run.altered))}" for name, run in runs]
            # Text B by itself changes nothing in the pictures.
            plain = (run.spec.without_changes.without_choices for run in (a, shown.trace))
            old, new = (spec.model_copy(update={"text_b": ""}) for spec in plain)
            rest = differences_said(old, new)
            said = "   ".join(filter(None, [rest, *done]))
        elif shown.trace.step != a.step:
            said = ""
        tokens = alignment_said(a, shown.trace, *self._names(a, shown.trace))
        return "   ".join(filter(None, [said, *map(translate, tokens)]))
