"""The PyTorch script that rebuilds an experiment: short, readable, and needing nothing of attnviz."""

from attnviz.experiment.labs import Spec
from attnviz.export.labs import EXPORTS

_DEFINITIONS = ("def ", "class ")


def pytorch_code(spec: Spec) -> str:
    """Return a script in the style of Zhang et al. that prints the same numbers as the spec's run.

    After it has run, its variables hold the trace's arrays, bit for bit on the CPU:

    - attention: ``weights`` (batch, heads, queries, keys), before dropout and with a head axis of 1 for the
      mechanisms without heads, and ``output``, in the spec's number format (the trace widens half precision);
    - given weights: ``weights`` alone;
    - regression: ``weights`` (Q, K), ``y_hat`` (Q,), ``y_truth`` (Q,) where the function is known; for a learned width
      ``w`` (of shape () or (heads,)) and the list ``losses``; ``overlays``, a dict from names to y_hat, where there
      are any, in the order of the spec.

    If a run fails (a training that diverges, scores that overflow) the script shows the inf and NaN
    that it ended with.

    Raises:
        DataFileError: a file whose numbers are written out cannot be read.
    """
    script = EXPORTS[spec.lab].script(spec)
    return _script(script.words, script.imports, script.blocks)


def _script(words: list[str], imports: list[str], blocks: list[str]) -> str:
    """Return the blocks below each other: two blank lines around a definition, one between others."""
    first, *further = words
    said = "\n".join([first, "", *further, "Written by attnviz, without which it runs; it prints the same numbers."])
    text = f'"""{said}\n"""\n\n'
    text += "\n".join(imports)
    before = ""
    for block in blocks:
        text += "\n\n\n" if f"{block} ".startswith(_DEFINITIONS) or before.startswith(_DEFINITIONS) else "\n\n"
        text, before = text + block, block
    return text + "\n"
