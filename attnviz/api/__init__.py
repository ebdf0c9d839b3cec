"""attnviz for scripts and notebooks: run a spec or many, draw one, record a model, and show weights in the window.

Use it as ``attnviz.run``, ``sweep``, ``figure``, ``record`` and ``view``; it is imported on first use.
"""

import io
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

from attnviz.api.recording import Kind, Recorded, RecordingWarning, recorded, warning_of, wrong_inputs
from attnviz.api.window import View, view
from attnviz.definitions.text import quoted
from attnviz.experiment.extras import extras_of
from attnviz.experiment.files import consent
from attnviz.experiment.files.consent import digest_of
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import LABS, Spec, SpecError, Trace, endings_opened, make_spec
from attnviz.experiment.run import RichDisplay, no_progress
from attnviz.experiment.sweeps.crossing import crossed

__all__ = ["Recorded", "RecordingWarning", "RunFailed", "View", "figure", "record", "run", "sweep", "view"]


class RunFailed(RuntimeError):  # noqa: N818 - reads well where it is caught: except attnviz.RunFailed
    """A run failed. The message is translated; ``code`` identifies the failure and is not."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def run(
    what: "Spec | Mapping[str, Any] | str | os.PathLike[str]",
    /,
    *,
    with_: "str | Iterable[str]" = (),
    allow_code: bool = False,
    **changes: Any,
) -> Trace:
    """Run a spec and return its last trace; does not import Qt.

    The numbers equal those of `attnviz run` and of the window bit for bit on one machine, if attnviz is imported
    before torch's first matrix product; else the last bits may differ, and a warning is issued once.

    Args:
        what: a spec, its values, a preset's name ("multi-head-random" or "preset:multi-head-random"), or the path of a
            file: a spec, a session or an exported figure (a string with such a suffix, or a path object).
        with_: names of further numbers of a model's run, as of ``attnviz run --with``: ``"lens"`` or ``("lens",
            "attribution")``. Their arrays are among ``trace.arrays()``, for all layers: ``lens_ids`` and
            ``lens_probabilities`` (layers, positions, 10).
        allow_code: whether to run the Python functions that a file names; those that the caller names are run.
        changes: new values of fields, such as ``num_heads=4``. The changed spec is validated as a whole; fields that
            depend on them (the keys of self-attention) are adapted.

    Raises:
        SpecError: (a ValueError) there is no such preset or file, or the spec is invalid; the message says why.
        ValueError: there are no such further numbers of this lab's runs; the message names the legal ones.
        RunFailed: the run failed, because memory or a file is missing, for example.
    """
    spec = _spec_of(what, changes, allow_code=allow_code)
    extras = extras_of(spec.lab, with_.split(",") if isinstance(with_, str) and with_ else with_)
    from attnviz.engine.machine import on_cpu_by_default
    from attnviz.engine.run import run_to_end, with_extras
    from attnviz.experiment.run import Failure

    _warn_of_other_bits()
    with on_cpu_by_default():
        last = run_to_end(spec)
        if not isinstance(last, Failure):
            last = with_extras(last, extras)
    if isinstance(last, Failure):
        raise RunFailed(last.code, last.message)
    return last


def sweep(
    what: "Spec | Mapping[str, Any] | str | os.PathLike[str]",
    over: "Mapping[str, str | Iterable[Any]]",
    /,
    *,
    paired: bool = False,
    seed: int = 0,
    workers: int = 1,
    scheduler: str = "",
    limit: float | None = None,
    with_: "str | Iterable[str]" = (),
    allow_code: bool = False,
    progress: Callable[[int, int], object] = no_progress,
    **changes: Any,
) -> Any:
    """Run a spec with many values of its fields and return a table with one row per run.

    It is the table of `attnviz sweep`: a pandas data frame if pandas is installed, else a dict of columns. An invalid
    or failed run is a row with a message in ``failure``. Each run has one thread, so its last bits may differ from
    those of `run`.

    Args:
        what: as in `run`.
        over: the values by field ("num_heads", "data.noise"): a list, or a text in the syntax of the command line, such
            as "0:15" or "log(1e-4, 1e-1, 20)". The first field changes slowest.
        paired: combine the fields' first values, then their second, ...; else run every combination.
        seed: the seed of values that are drawn.
        workers: the number of processes on this machine; 1 is this process. More than one needs the usual ``if __name__
            == "__main__":`` in a script.
        scheduler: the address of a Dask scheduler whose workers are used instead.
        limit: the timeout of a run in seconds; a longer run is a failed row.
        with_: studies whose numbers are columns too, as of ``attnviz sweep --with``: ``"attribution"``.
        allow_code: as in `run`.
        progress: called with the number of finished rows and of all rows.
        changes: new values of fields, as in `run`.

    Raises:
        SpecError: (a ValueError) the spec is invalid, or a field cannot be swept; the message says why.
        ValueError: there is no such study of this lab, or it adds no column; the message names the legal ones.
        RunFailed: there are no workers, their versions differ, or the scheduler cannot be reached.
    """
    extras = tuple(with_.split(",") if isinstance(with_, str) and with_ else with_)
    crossing = crossed(
        _spec_of(what, changes, allow_code=allow_code), over.items(), paired=paired, seed=seed, extras=extras
    )
    from attnviz.api.table import table_of
    from attnviz.engine.machine import RunError, on_cpu_by_default

    _warn_of_other_bits()
    try:
        with on_cpu_by_default():
            return table_of(crossing, max(1, workers), scheduler, limit, progress)
    except RunError as error:
        raise RunFailed(error.code, str(error)) from error


@cache
def _warn_of_other_bits() -> None:
    from attnviz.engine.machine import sums_in_any_order

    if sums_in_any_order():
        message = "torch multiplied before attnviz was imported: the last bits may differ from those of 'attnviz run'"
        warnings.warn(f"{message}; import attnviz first", RuntimeWarning, stacklevel=3)


def record(model: Any, inputs: Any, /, *, kind: Kind = "self", generate: int = 0) -> Recorded:
    """Run a model of your own and return the inputs and outputs of its attention; does not import Qt.

    The model's own functions compute the numbers; their arguments and results are kept. The output is compared with
    that of the unmodified model. A `RecordingWarning` is issued if they differ by more than rounding (see `Recorded`),
    or if some attention was not recorded.

    Args:
        model: a PyTorch module with attention by transformers or ``nn.MultiheadAttention``. It runs in evaluation mode,
            without `torch.compile`, and is left unchanged.
        inputs: the arguments of its ``forward``: a mapping by name, as tokenizers return, or a tensor or tuple of them.
        kind: for encoder-decoder models: the self-attention of the encoder ("self") or of the decoder ("decoder"), or
            the cross-attention ("cross").
        generate: the most tokens that one text is continued by, through the model's own ``generate`` with its key-value
            cache, its ``generation_config`` and the most probable token at each step. Every row is recorded in the pass
            that computed it, and the output is compared with one pass over all tokens. An encoder-decoder answers the
            text, or goes on from the ``decoder_input_ids`` among its inputs.

    Raises:
        RunFailed: the attention of the model cannot be recorded.
        ValueError: ``kind`` is none of these, ``inputs`` hold no tensor, or ``generate`` is negative.
        TypeError: ``model`` is no PyTorch module.
    """
    if not callable(getattr(model, "named_modules", None)):
        raise TypeError(f"model must be a torch.nn.Module, not {type(model).__name__}")
    if kind not in get_args(Kind):
        raise ValueError(f"kind {quoted(kind)} must be one of {', '.join(get_args(Kind))}")
    if wrong := wrong_inputs(inputs):
        raise ValueError(wrong)
    if isinstance(generate, bool) or not isinstance(generate, int) or generate < 0:
        raise ValueError(f"generate {quoted(generate)} must be a whole number, 0 or more; nearest: 0")
    from attnviz.engine.machine import RunError

    try:
        recording = recorded(model, inputs, kind, generate)
    except RunError as error:
        raise RunFailed(error.code, str(error)) from error
    if warning := warning_of(recording):
        warnings.warn(warning, RecordingWarning, stacklevel=2)
    return recording


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
    """Draw a trace as a ``matplotlib.figure.Figure``; notebooks display a trace without this call.

    Its ``savefig`` writes PNG, PDF and SVG with the experiment embedded, like `attnviz export`.

    Args:
        trace: the result of `run`.
        heads: the heads to draw, counted from 0 as in ``trace.weights``; None draws all.
        large: the head of a training run to draw large: (layer, head) counted from 0, or its name, "2.1"; None is the
            first of the last layer.
        item: the batch item, counted from 0.
        stage: "scores", "capped_scores", "masked_scores", "weights", or another stage of the mechanism.
        contrast: whether colours scale to each head's largest weight instead of 1; "head", "row" or "log" choose how;
            None is the window's default: only for regression.
        colour_map: "viridis", "cividis", "CET-CBL1" or "Reds".
        theme: "light" or "dark".
        width_cm: the width of the page in centimetres; its height follows.
        transparent: whether to omit the background.

    Raises:
        ValueError: the trace has no such head, item or stage, there is no such map or theme, or the width is not a
            number or out of range; the message names the nearest valid value.
    """
    from attnviz.export.figures.figure import figure_with_session, paper_figure
    from attnviz.export.figures.settings import FigureSettings, seen_as
    from attnviz.export.options import checked

    if not isinstance(trace, Trace):
        raise ValueError(f"{quoted(trace)} must be a trace, as attnviz.run returns")
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
            raise ValueError(f"head {quoted(head)} must be a whole number; nearest: 0")
        if not 0 <= head < count:
            raise ValueError(f"head {head} must be in 0..{count - 1}; nearest: {min(max(int(head), 0), count - 1)}")
    return tuple(map(int, chosen))


def _drawn(trace: Any) -> bytes:
    """Return a trace as PNG bytes, for notebooks."""
    file = io.BytesIO()
    figure(trace, width_cm=12.0).savefig(file, format="png", dpi=160)
    return file.getvalue()


RichDisplay.drawer = _drawn


def _spec_of(source: Any, changes: Mapping[str, Any], *, allow_code: bool = False) -> Spec:
    """Return the spec to run. Python code that names a file of functions has consented to it, a document has not."""
    spec = _changed_spec(source, changes)
    if allow_code or "mods" in changes or isinstance(source, Spec | Mapping):
        spec = spec.beside(Path.cwd())
        for text in spec.code:
            consent.allow(digest_of(text), remember=False)
    return spec


def _changed_spec(source: Any, changes: Mapping[str, Any]) -> Spec:
    from attnviz.export.document import read_document

    if isinstance(source, Mapping):
        return make_spec({**source, **changes})
    match source:
        case str() if not source.lower().endswith(endings_opened()):
            spec = preset(source.removeprefix("preset:")).spec
        case str() | os.PathLike():
            spec = read_document(Path(source)).spec
        case Spec():
            spec = source
        case _:
            sentence = "{said} must be a spec, its values, a preset's name or the path of a file"
            raise SpecError.of("", "no_spec", sentence, said=quoted(source))
    if not changes:
        return spec
    values = {**dict(spec), **changes}
    # As in the window's form: dependent fields are left out, so that they adapt.
    kept = type(spec).active_fields(values) | {"lab", "device", *changes}
    return make_spec({name: value for name, value in values.items() if name in kept})
