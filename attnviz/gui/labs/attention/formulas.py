"""What each stage of attention computes, as a formula with the current numbers put in, and in words."""

from attnviz.definitions.masks import in_force
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.stages import StageName, stages_of
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.gui.widgets.words import translate

Formula = tuple[str, str]
"""LaTeX, and how it is read aloud."""


_MOST_RULES = 2
"""How many masks are written out in a formula; more of them would make it too small to read."""


def formula_of(trace: AttentionTrace, stage: StageName, split: str = "q") -> Formula:
    """Return the formula of a stage of a trace; ``split`` is which of q, k and v the stage of that name shows."""
    spec = trace.spec
    headed = "split" in stages_of(spec)
    match stage:
        case "project":
            return _project(trace)
        case "split":
            d = trace.q.shape[-1]
            name = rf"\mathbf{{{split.upper()}}}"
            slices = rf"{name}_i = {name}_{{\,:,\;{d}(i-1)\,:\,{d}i}}\quad i = 1 \ldots {trace.num_heads}"
            return slices, translate("head i takes features {0} (i - 1) up to {0} i").format(d)
        case "features":
            return (
                r"\tanh(\mathbf{W}_q \mathbf{q} + \mathbf{W}_k \mathbf{k})",
                translate("tanh of W_q q + W_k k, {0} features").format(trace.q.shape[-1]),
            )
        case "scores":
            return _scores(trace)
        case "masked_scores":
            return _masked_scores(spec)
        case "weights" if spec.is_given:
            return r"A_{ij}\quad \mathrm{as\ it\ was\ given}", translate("the weights as they were given")
        case "weights":
            return (
                r"A_{ij} = \mathrm{softmax}(S)_{ij} = \frac{e^{S_{ij}}}{\sum_j e^{S_{ij}}}",
                translate("softmax of each row of scores"),
            )
        case "dropped_weights":
            keep = f"{1 - spec.dropout:g}"
            kept = rf"B_{{ij}} \sim \mathrm{{Bernoulli}}({keep})"
            return (
                rf"A_{{ij}} \leftarrow \frac{{A_{{ij}} B_{{ij}}}}{{{keep}}},\quad {kept}",
                translate("each weight is kept with chance {0} and divided by it").format(keep),
            )
        case "heads":
            return (
                rf"\mathbf{{H}}_i = \mathbf{{A}}_i \mathbf{{V}}_i \quad i = 1 \ldots {trace.num_heads}",
                translate("each head's weights times its values"),
            )
        case "merge":
            return (
                rf"[\,\mathbf{{H}}_1 \;\; \ldots \;\; \mathbf{{H}}_{{{trace.num_heads}}}\,]",
                translate("the heads side by side again"),
            )
        case "output":
            return _output(trace, headed)


def _project(trace: AttentionTrace) -> Formula:
    if "W_q" not in trace.parameters:
        return r"\mathbf{Q},\ \mathbf{K},\ \mathbf{V}", translate("queries, keys and values as they are given")
    names = [name for name in ("q", "k", "v") if f"W_{name}" in trace.parameters]
    bias = {name: rf" + \mathbf{{b}}_{name}" if f"b_{name}" in trace.parameters else "" for name in names}
    parts = [rf"\mathbf{{{name.upper()}}} = \mathbf{{X}}_{name} \mathbf{{W}}_{name}^\top{bias[name]}" for name in names]
    return r",\quad ".join(parts), translate("each input times its matrix transposed")


def _masked_scores(spec: AttentionSpec) -> Formula:
    fill, words = r"-\infty", translate("masked scores become minus infinity")
    if spec.mask_policy == "book":
        fill, words = r"-10^6", translate("masked scores become minus a million")
        if spec.fills_with_inf:
            fill = r"-10^6 = -\infty"
            words = translate("masked scores become minus a million, which is minus infinity in float16")
    masks = [(mask, mask.numbers(state)) for mask, state in in_force(spec)]
    if not 0 < len(masks) <= _MOST_RULES:
        return rf"S_{{ij}} \leftarrow {fill} \quad \mathrm{{where}}\ j\ \mathrm{{is\ masked\ for}}\ i", words
    rules = r",\ ".join(mask.formula.format(**numbers) for mask, numbers in masks)
    spoken = translate(" and ").join(translate(mask.spoken).format(**numbers) for mask, numbers in masks)
    return rf"S_{{ij}} \leftarrow {fill} \quad \mathrm{{unless}}\ {rules}", translate("{0} unless {1}").format(
        words, spoken
    )


def _scores(trace: AttentionTrace) -> Formula:
    spec = trace.spec
    temperature = "" if spec.temperature == 1 else f"{spec.temperature:g}"
    at = translate(", at temperature {0}").format(temperature) if temperature else ""
    if spec.mechanism == "additive":
        inner = r"\mathbf{w}_v^\top \tanh(\mathbf{W}_q \mathbf{q} + \mathbf{W}_k \mathbf{k})"
        latex = rf"S = \frac{{{inner}}}{{{temperature}}}" if temperature else f"S = {inner}"
        return latex, translate("w_v times tanh") + at
    size = trace.q.shape[-1]
    root = rf"\sqrt{{{size}}}" if spec.scaled else ""
    below = rf"{temperature}\,{root}" if temperature and root else temperature or root
    above = r"\mathbf{Q}\mathbf{K}^\top"
    words = translate("Q K transposed")
    if spec.scaled:
        words = translate("Q K transposed over the square root of {0}").format(size)
    return rf"\mathbf{{S}} = \frac{{{above}}}{{{below}}}" if below else rf"\mathbf{{S}} = {above}", words + at


def _output(trace: AttentionTrace, headed: bool) -> Formula:
    if not headed:
        return r"\mathbf{O} = \mathbf{A}\mathbf{V}", translate("weights times values")
    bias = r" + \mathbf{b}_o" if "b_o" in trace.parameters else ""
    heads = rf"[\,\mathbf{{H}}_1 \ldots \mathbf{{H}}_{{{trace.num_heads}}}\,]"
    spoken = translate("the heads side by side times W_o transposed")
    return rf"\mathbf{{O}} = {heads}\,\mathbf{{W}}_o^\top{bias}", spoken
