"""Why a cell is masked, in the window's words."""

from attnviz.experiment.attention.mask_reasons import reasons_at
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.gui.widgets.words import translate


def mask_said(trace: AttentionTrace, place: tuple[int, int, int, int]) -> str:
    """Return "may attend" for a cell (item, head, query, key), or "masked" with every mask that forbids it."""
    item, _, query, key = place
    if trace.mask[place]:
        return translate("may attend")
    reasons = [translate(it.template).format(**it.numbers) for it in reasons_at(trace.spec, item, query, key)]
    return f"{translate('masked')}: {', '.join(reasons)}"
