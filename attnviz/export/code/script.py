"""The PyTorch script that rebuilds an experiment: short, readable, and needing nothing of attnviz."""

from attnviz.experiment.attention.inputs import FileInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import Spec
from attnviz.export.code.attention import attention_code, attention_imports
from attnviz.export.code.header import attention_words, regression_words
from attnviz.export.code.regression import regression_code

_DEFINITIONS = ("def ", "class ")
_ONE_ORDER = [
    "# MKL, torch's matrix library on x86, reads this at the first product: always add up in one order.",
    'os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")',
]
"""The setting that a run has too (`attnviz`), without which the last bits differ."""


def pytorch_code(spec: Spec) -> str:
    """Return a script in the textbook's style that prints the same numbers as the spec's run.

    After it has run, its names hold what the trace holds, bit for bit on the CPU:

    - attention: ``weights`` (batch, heads, queries, keys), before dropout and with a head axis of 1 for the
      mechanisms without heads, and ``output``, in the spec's number format (the trace widens half precision);
    - given weights: ``weights`` alone;
    - regression: ``weights`` (Q, K), ``y_hat`` (Q,), ``y_truth`` (Q,) where the function is known; for a learned width
      ``w`` (of shape () or (heads,)) and the list ``losses``; ``overlays``, a dict from names to y_hat, where there
      are any, in the order of the spec.

    Where a run ends in a failure (a training that diverges, scores that overflow) the script shows the inf and NaN
    that it ended in.

    Raises:
        PointsError: a regression's file of points, which are written out, cannot be read.
    """
    if isinstance(spec, AttentionSpec):
        from_file = isinstance(spec.inputs, FileInputs)
        further = ["import numpy as np"] if from_file else []
        if spec.is_given:  # nothing is added up
            return _script(attention_words(spec), [*further, "import torch"], attention_code(spec))
        imports = _imports(attention_imports(spec), further, nn=True)
        return _script(attention_words(spec), imports, attention_code(spec))
    return _script(regression_words(spec), _imports([], [], nn=spec.learns), regression_code(spec))


def _imports(standard: list[str], further: list[str], *, nn: bool) -> list[str]:
    torch = ["import torch", "from torch import nn"] if nn else ["import torch"]
    return [*standard, "import os", "", *_ONE_ORDER, "", *further, *torch]


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
