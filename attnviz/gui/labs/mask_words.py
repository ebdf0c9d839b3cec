"""Why a cell is masked, in the window's words."""

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.mask_reasons import SENTENCES, reasons_at
from attnviz.gui.forms.words import translate


def mask_said(trace: AttentionTrace, item: int, query: int, key: int) -> str:
    """Return "may attend", or "masked" with every rule of the spec that forbids the cell."""
    if trace.mask[item, 0, query, key]:
        return translate("may attend")
    reasons = [translate(SENTENCES[it.code]).format(**it.numbers) for it in reasons_at(trace.spec, item, query, key)]
    return f"{translate('masked')}: {', '.join(reasons)}"
