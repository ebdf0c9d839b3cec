"""The centre of the attention lab: that of a layer, with the policies' page and a brush."""

from typing_extensions import override

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.gui.labs.layered.stage import LayerStage


class AttentionStage(LayerStage[AttentionTrace, AttentionViewSettings]):
    """Given weights have no policies to compare and no mask to paint."""

    @override
    def show_trace(self, trace: AttentionTrace) -> None:
        self.paints = not trace.spec.is_given
        super().show_trace(trace)
