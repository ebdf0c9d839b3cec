"""The editor of painted cells, which are typed as text."""

from typing import Any

from typing_extensions import override

from attnviz.experiment.attention import painted
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.gui.forms.text_editors import TextEdit


class PaintedEdit(TextEdit):
    """Painted cells, which are typed from one; those outside new sizes are removed."""

    fits_any = ("",)

    @override
    def value(self) -> painted.Typed:
        return painted.Typed(super().value())

    @override
    def text_of(self, value: Any) -> str:
        return value if isinstance(value, painted.Typed) else painted.typed(value)

    @override
    def follow(self, spec: AttentionSpec) -> None:
        if spec.sizes_known:
            self.set_sizes(spec.num_queries, spec.num_kvpairs)

    def set_sizes(self, queries: int, keys: int) -> None:
        """Adapt to the sizes of the weights, if the text can be parsed."""
        try:
            stored = painted.parse(self.value())
        except ValueError:
            return  # text that cannot be parsed stays as typed, with its message
        kept = painted.conform(stored, queries, keys)
        if kept != stored:
            self.set_value(kept)
