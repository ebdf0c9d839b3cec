"""attnviz for scripts and notebooks: run a spec, draw it, record a model, and show weights in the window.

Use it as ``attnviz.run``, ``attnviz.figure``, ``attnviz.record`` and ``attnviz.view``; it is imported on first use.
"""

import io
import os
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

from attnviz.api.recording import Kind, Recorded, recorded
from attnviz.api.window import View, view
from attnviz.definitions.text import said
from attnviz.experiment.labs import LABS, Spec, SpecError, Trace, is_spec, is_trace, make_spec
from attnviz.experiment.run import RichDisplay
from attnviz.experiment.session import Session
from attnviz.experiment.specs_in_files import preset

__all__ = ["Recorded", "RunFailed", "View", "figure", "record", "run", "view"]


class RunFailed(RuntimeError):  # noqa: N818 - reads well where it is caught: except attnviz.RunFailed
    """A run failed. The message is a sentence; ``code`` identifies the failure and is not translated."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def run(what: "Spec | Mapping[str, Any] | str | os.PathLike[str]", /, **changes: Any) -> Trace:
    """Run a spec and return its last trace; does not import Qt.

    The numbers equal those of `attnviz run` and of the window bit for bit on one machine, if attnviz is imported
    before torch's first matrix product; else the last bits may differ, and one warning is given.

    Args:
        what: a spec, its values, a preset's name ("multi-head-random" or "preset:multi-head-random"), or the path of a
            file: a spec, a session or an exported figure (a string with such a suffix, or a path object).
        changes: new values of fields, such as ``num_heads=4``. The changed spec is validated as a whole; fields that
            depend on them (the keys of self-attention) are adapted.

    Raises:
        SpecError: (a ValueError) there is no such preset or file, or the spec is not legal; the message says why.
        RunFailed: the run failed, because memory or a file is missing, for example.
    """
    spec = _spec_of(what, changes)
    from attnviz.engine.run import run_to_end
    from attnviz.experiment.run import Failure

    _warn_of_other_bits()
    last = run_to_end(spec)
    if isinstance(last, Failure):
        raise RunFailed(last.code, last.message)
    return last


@cache
def _warn_of_other_bits() -> None:
    from attnviz.engine.machine import sums_in_any_order

    if sums_in_any_order():
        message = "torch multiplied before attnviz was imported: the last bits may differ from those of 'attnviz run'"
        warnings.warn(f"{message}; import attnviz first", RuntimeWarning, stacklevel=3)


def record(model: Any, inputs: Any, /, *, kind: Kind = "self") -> Recorded:
    """Run a model of your own once and return what its attention got and did; does not import Qt.

    The numbers are the model's own: its own functions compute them, and what they get is kept.

    Args:
        model: a PyTorch module whose attention transformers or torch's ``nn.MultiheadAttention`` computes. It runs in
            evaluation mode, and is left as it was.
        inputs: what its ``forward`` takes: a mapping by name, as tokenizers return, or a tensor or tuple of them.
        kind: of a model with encoder and decoder: the attention of the encoder ("self"), of the decoder to its own
            tokens ("decoder"), or to the encoder ("cross").

    Raises:
        RunFailed: the attention of the model cannot be followed.
        ValueError: ``kind`` is none of these.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind {said(kind)} must be one of {', '.join(get_args(Kind))}")
    from attnviz.engine.machine import RunError

    try:
        found = recorded(model, inputs, kind)
    except RunError as error:
        raise RunFailed(error.code, str(error)) from error
    if not found.complete:
        warnings.warn("some attention of this model was not recorded", RuntimeWarning, stacklevel=2)
    return found


def figure(
    trace: Trace,
    *,
    heads: int | Iterable[int] | None = None,
    large: tuple[int, int] | str | None = None,
    item: int = 0,
    stage: str = "weights",
    contrast: bool | str | None = None,
    colour_map: str = "viridis",
    theme: str = "light",
    width_cm: float = 8.0,
    transparent: bool = False,
) -> Any:
    """Draw a trace as a ``matplotlib.figure.Figure``; a notebook displays a trace without this.

    Its ``savefig`` writes PNG, PDF and SVG with the experiment embedded, like `attnviz export`.

    Args:
        trace: what `run` returned.
        heads: which heads, counted from 0 as in ``trace.weights``; None is all.
        large: of a training, which head is drawn large: (layer, head) counted from 0, or its name, "2.1"; None is the
            first in the last layer.
        item: which item of the batch.
        stage: "scores", "capped_scores", "masked_scores", "weights", or another stage of the mechanism.
        contrast: whether colours scale to each head's largest weight instead of 1; "head", "row" or "log" is True and
            says how; None is the window's default: only for regression.
        colour_map: "viridis", "cividis", "CET-CBL1" or "Reds".
        theme: "light" or "dark".
        width_cm: the width of the page in centimetres; its height follows.
        transparent: whether to omit the background.

    Raises:
        ValueError: the trace has no such head, item or stage, there is no such map or theme, or the width is not a
            number or out of range; the message names the nearest legal value.
    """
    from attnviz.export.figures.figure import figure_with_session, paper_figure
    from attnviz.export.figures.settings import FigureSettings, seen_as
    from attnviz.export.options import checked

    if not is_trace(trace):
        raise ValueError(f"{said(trace)} must be a trace, as attnviz.run returns")
    values = {
        "heads": None if heads is None else _heads_of(heads, trace.num_heads),
        "large": large,
        "item": item,
        "stage": stage,
        "contrast": LABS[trace.spec.lab].view_type().reaches_largest if contrast is None else bool(contrast),
        "contrast_by": contrast if isinstance(contrast, str) and contrast else "head",
        "colour_map": colour_map,
        "theme": theme,
        "width_cm": width_cm,
        "transparent": bool(transparent),
    }
    settings = checked(FigureSettings, values)
    return figure_with_session(paper_figure(trace, settings), seen_as(settings, Session(spec=trace.spec)))


def _heads_of(heads: "int | Iterable[int]", count: int) -> tuple[int, ...]:
    chosen = tuple(heads) if isinstance(heads, Iterable) else (heads,)
    for head in chosen:
        if isinstance(head, bool) or not hasattr(head, "__index__"):
            raise ValueError(f"head {said(head)} must be a whole number; nearest: 0")
        if not 0 <= head < count:
            raise ValueError(f"head {head} must be in 0..{count - 1}; nearest: {min(max(int(head), 0), count - 1)}")
    return tuple(map(int, chosen))


def _drawn(trace: Any) -> bytes:
    """Return a trace as a PNG for notebooks."""
    file = io.BytesIO()
    figure(trace, width_cm=12.0).savefig(file, format="png", dpi=160)
    return file.getvalue()


RichDisplay.drawer = _drawn


def _spec_of(what: Any, changes: Mapping[str, Any]) -> Spec:
    from attnviz.export.document import OPENS, read_document

    if isinstance(what, Mapping):
        return make_spec({**what, **changes})
    match what:
        case str() if not what.lower().endswith(OPENS):
            spec = preset(what.removeprefix("preset:")).spec
        case str() | os.PathLike():
            spec = read_document(Path(what)).spec
        case _ if is_spec(what):
            spec = what
        case _:
            sentence = "{said} must be a spec, its values, a preset's name or the path of a file"
            raise SpecError.of("", "no_spec", sentence, said=said(what))
    if not changes:
        return spec
    values = {**dict(spec), **changes}
    # As in the window's form: fields that depend on others are left out, so that they adapt.
    kept = type(spec).active_fields(values) | {"lab", "device", *changes}
    return make_spec({name: value for name, value in values.items() if name in kept})
