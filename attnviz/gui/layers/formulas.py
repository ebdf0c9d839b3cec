"""What each stage of attention computes, as a formula with the current numbers, and in words."""

from attnviz.definitions.masks import in_force
from attnviz.definitions.mechanisms.mechanism import Parameter
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.layers.stages import StageName
from attnviz.gui.widgets.words import translate

Formula = tuple[str, str]
"""LaTeX, and its text for screen readers."""
_INPUTS = {"q": "queries", "k": "keys", "v": "values"}


_MOST_RULES = 2
"""How many masks are written out in a formula; more of them would make it too small to read."""


def formula_of(trace: AttentionTrace, stage: StageName, split: str = "q") -> Formula:
    """Return the formula of a stage of a trace; ``split`` is which of q, k and v the stage of that name shows."""
    spec = trace.spec
    match stage:
        case "project":
            return _project(trace)
        case "split":
            d = trace.q.shape[-1]
            name = rf"\mathbf{{{split.upper()}}}"
            slices = rf"{name}_i = {name}_{{\,:,\;{d}(i-1)\,:\,{d}i}}\quad i = 1 \ldots {trace.num_heads}"
            return slices, translate("head i takes features {0} (i - 1) up to {0} i").format(d)
        case "rotate":
            rotation, d = spec.mechanism_record.rotation, trace.q.shape[-1]
            assert rotation is not None
            numbers = {"d": d, "half": d // 2}
            return rotation.latex.format(**numbers), translate(rotation.spoken).format(**numbers)
        case "features":
            features = spec.mechanism_record.features
            assert features is not None
            return features.latex, translate(features.spoken).format(d=trace.q.shape[-1])
        case "scores":
            return _scores(trace)
        case "masked_scores":
            return _masked_scores(spec)
        case "weights" if spec.is_given:
            return r"A_{ij}\quad \mathrm{as\ it\ was\ given}", translate("the given weights")
        case "weights":
            latex, spoken = _scored(trace)
            scores = translate("softmax of each row of scores, {0}").format(spoken)
            return rf"\mathbf{{A}} = \mathrm{{softmax}}({latex})", scores
        case "dropped_weights":
            keep = f"{1 - spec.dropout:g}"
            kept = rf"B_{{ij}} \sim \mathrm{{Bernoulli}}({keep})"
            return (
                rf"A_{{ij}} \leftarrow \frac{{A_{{ij}} B_{{ij}}}}{{{keep}}},\quad {kept}",
                translate("each weight is kept with probability {0} and divided by it").format(keep),
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
            return _output(trace)


def _project(trace: AttentionTrace) -> Formula:
    layers = {letter: trace.spec.mechanism_record.projection(of) for letter, of in _INPUTS.items()}
    parts = [
        rf"\mathbf{{{letter.upper()}}} = \mathbf{{X}}_{letter} {_linear(trace, layer)}"
        for letter, layer in layers.items()
        if layer is not None
    ]
    if not parts:
        return r"\mathbf{Q},\ \mathbf{K},\ \mathbf{V}", translate("the given queries, keys and values")
    return r",\quad ".join(parts), translate("each input times its matrix transposed")


def _linear(trace: AttentionTrace, layer: Parameter) -> str:
    """Return a layer's matrix and bias as LaTeX."""
    bias = f" + {_bold(layer.bias_name)}" if layer.bias_name in trace.parameters else ""
    return rf"{_bold(layer.name)}^\top{bias}"


def _bold(name: str) -> str:
    """Return a name such as "W_q" as LaTeX: a bold letter with an index."""
    letter, _, index = name.partition("_")
    return rf"\mathbf{{{letter}}}_{index if len(index) == 1 else f'{{{index}}}'}"


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
    latex, spoken = _scored(trace)
    return f"{trace.spec.mechanism_record.symbol} = {latex}", spoken


def _scored(trace: AttentionTrace) -> Formula:
    """Return what the scores are equal to, in a line: the header would shrink a fraction below the least type size."""
    spec, d = trace.spec, trace.q.shape[-1]
    record = spec.mechanism_record
    steps = [(step, {"d": d, "amount": step.amount(spec, d)}) for step in record.acting(spec)]
    below = r"\,".join(step.latex.format(**numbers) for step, numbers in reversed(steps))
    latex = record.latex
    if below:
        latex = rf"{record.latex} / {below}" if len(steps) == 1 else rf"{record.latex} / ({below})"
    spoken = [translate(step.spoken).format(**numbers) for step, numbers in steps]
    spoken += [translate(addend.spoken) for addend in record.addends]
    return " ".join([latex, *(addend.latex for addend in record.addends)]), "".join([translate(record.spoken), *spoken])


def _output(trace: AttentionTrace) -> Formula:
    layer = trace.spec.mechanism_record.output
    if layer is None:
        return r"\mathbf{O} = \mathbf{A}\mathbf{V}", translate("weights times values")
    heads = rf"[\,\mathbf{{H}}_1 \ldots \mathbf{{H}}_{{{trace.num_heads}}}\,]"
    spoken = translate("the heads side by side times {0} transposed").format(layer.name)
    return rf"\mathbf{{O}} = {heads}\,{_linear(trace, layer)}", spoken
