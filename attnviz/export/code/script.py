"""The PyTorch script that rebuilds an experiment: short, readable, and needing nothing of attnviz."""

from attnviz.definitions.text import Refused
from attnviz.experiment.labs import Spec
from attnviz.export.code.text import Script, below_each_other
from attnviz.export.labs import EXPORTS


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
    return _text(
        EXPORTS[spec.lab].script(spec), "Written by attnviz, without which it runs; it prints the same numbers."
    )


def flex_code(spec: Spec) -> str:
    """Return a script with the experiment in FlexAttention, with dense tensors, and a test that both agree.

    After it has run, its variable ``output`` holds the output of the run, up to rounding, but 0 for a query without a
    key.

    Raises:
        Refused: it has no form in FlexAttention.
    """
    flex = EXPORTS[spec.lab].flex
    if flex is None:
        with_code = ", ".join(export.name for export in EXPORTS.values() if export.flex is not None)
        raise Refused("the lab {lab} has no FlexAttention code; nearest: {nearest}", lab=spec.lab, nearest=with_code)
    return _text(flex(spec), "Written by attnviz, without which it runs.")


def _text(script: Script, promise: str) -> str:
    """Return a script with its description at the top."""
    words, imports, blocks = script
    first, *further = words
    said = "\n".join([first, "", *further, promise])
    text = f'"""{said}\n"""\n\n'
    return text + below_each_other(["\n".join(imports), *blocks])
