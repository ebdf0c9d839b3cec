"""What the compare page of the model lab says."""

from attnviz.gui.labs.layered.comparison import LayerComparison


class ModelComparison(LayerComparison):
    """A is a pinned run: perhaps of text B, or of the model without the interventions."""
