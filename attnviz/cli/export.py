"""``attnviz export`` and ``attnviz code``: export without a window. Neither Qt nor a display is needed."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attnviz.cli.animation import add_options, animate
from attnviz.cli.words import (
    FAILED,
    WRITES,
    CommandError,
    LateParser,
    Progress,
    add_allow_code,
    add_language,
    add_layers,
    check_free,
    checked_format,
    last_trace,
    log_defect,
    place_of,
    say,
    say_shown_otherwise,
    signals_as_interrupt,
    tell,
)
from attnviz.definitions.formats import Format, format_of, formats_for
from attnviz.definitions.text import Refused, nearest_word
from attnviz.experiment.texts.languages import ENGLISH, translator

if TYPE_CHECKING:
    from attnviz.experiment.files.session import Session
    from attnviz.experiment.labs import Trace
    from attnviz.export.figures.settings import FigureSettings

_EPILOG = """examples:
  attnviz export preset:causal-sentence -o heads.pdf --heads 1,3
  attnviz export preset:multi-head-random -o heads.gif --sweep num_heads=1:16
  attnviz export preset:kernel-learned -o training.apng
  attnviz export specs/*.json -o 'figures/{name}.svg' -o 'numbers/{name}.npz'
"""


def add_commands(commands: Any, source_of: Callable[[str], "Session"]) -> None:
    """Add both commands; ``source_of`` returns the session named by SPEC."""
    _add_export(commands).set_defaults(command=_export, source_of=source_of)
    _add_code(commands).set_defaults(command=_code, source_of=source_of)


def _add_export(commands: Any) -> LateParser:
    export: LateParser = commands.add_parser(
        "export",
        help="write figures, numbers and animations",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = " ".join(form.name for form in formats_for(*WRITES["export"]))
    export.add_argument("specs", nargs="+", metavar="SPEC", help="a spec, session or exported figure, - or preset:NAME")
    export.add_argument(
        "-o",
        "--output",
        type=Path,
        action="append",
        required=True,
        metavar="FILE",
        help=f"the file to write, by its suffix: {names}; {{name}} becomes the spec's name; may be given several times",
    )
    export.add_argument("--force", action="store_true", help="overwrite existing files")
    export.late = _add_settings
    return export


def _add_settings(export: argparse.ArgumentParser) -> None:
    """Add the options of figures and animations; late, because the settings import packages that may be missing."""
    try:
        from attnviz.export.figures.settings import FigureSettings
        from attnviz.export.options import add_flags
    except ImportError as error:
        say(f"{error}; 'attnviz doctor' says what to install")
        raise SystemExit(FAILED) from error
    add_flags(export, FigureSettings)
    sides = "encoder, decoder or cross; that of the session, else encoder"
    export.add_argument("--side", metavar="NAME", help=f"which side of an encoder-decoder: {sides}")
    add_layers(export)
    add_allow_code(export)
    add_language(export, "the language of what is written in figures (en)")
    add_options(export)


def _add_code(commands: Any) -> argparse.ArgumentParser:
    code: argparse.ArgumentParser = commands.add_parser("code", help="print the experiment as a PyTorch script")
    code.add_argument("spec", metavar="SPEC", help="a spec, session or exported figure, - or preset:NAME")
    code.add_argument("-o", "--output", type=_file_or_stdout, metavar="PY", help="write it to this file instead")
    code.add_argument("--force", action="store_true", help="overwrite an existing file")
    code.add_argument(
        "--flex",
        action="store_true",
        help="in FlexAttention instead, beside dense tensors and with a test that both agree; attention lab only",
    )
    return code


def _file_or_stdout(text: str) -> Path | None:
    return None if text == "-" else Path(text)


@dataclass(frozen=True, slots=True)
class _Job:
    """One spec and the files to write for it."""

    source: str
    session: "Session"
    paths: tuple[Path, ...]
    side: str | None
    """The side of an encoder-decoder that an option asks for."""


def _export(options: argparse.Namespace) -> int:
    """Run every job; if one fails, the others continue."""
    jobs = list(_jobs(options))
    worst = 0
    with signals_as_interrupt():
        for index, job in enumerate(jobs, 1):
            prefix = f"[{index}/{len(jobs)}] " if len(jobs) > 1 else ""
            try:
                for path in _carried_out(job, options, prefix):
                    tell(f"{prefix}wrote {path}")
            except CommandError as error:
                if len(jobs) == 1:
                    raise
                say(f"{prefix}{job.source}: {error}")
                worst = max(worst, error.code)
    return worst


def _jobs(options: argparse.Namespace) -> Iterator[_Job]:
    """Return the jobs; all are checked before anything is computed or written."""
    from attnviz.experiment.files.specs_in_files import proposed_name
    from attnviz.experiment.labs import SpecError

    source_of: dict[str, str] = {}
    several = len(options.specs) > 1
    for source in options.specs:
        try:
            session = options.source_of(source)
        except SpecError as error:
            raise CommandError(str(error)) from error
        session = _on_side(session, options.side)
        name = proposed_name(session.spec) if source == "-" else source.removeprefix("preset:")
        name = Path(name).stem if not source.startswith("preset:") else name
        paths = tuple(Path(str(path).replace("{name}", name)) for path in options.output)
        job = _Job(source, session, paths, options.side)
        _check_settings(job, options)
        for path in paths:
            real = os.path.realpath(path)
            if real in source_of:
                unnamed = several and not any("{name}" in str(each) for each in options.output)
                hint = "; write {name} into -o" if unnamed else ""
                raise CommandError(f"{path} would be written twice, for {source_of[real]} and {source}{hint}")
            source_of[real] = source
            _check_place(path, options)
        yield job


def _on_side(session: "Session", side: str | None) -> "Session":
    """Return a session that shows a side of an encoder-decoder."""
    if side is None:
        return session
    from attnviz.experiment.model.sides import SIDES

    if side not in SIDES:
        raise CommandError(f"side '{side[:40]}' must be one of {', '.join(SIDES)}{nearest_word(side, SIDES, cutoff=0)}")
    if "side" not in type(session.shown_view).model_fields:
        raise CommandError(f"the lab {session.spec.lab} has no sides; nearest: no --side")
    return session.with_view(side=side)


def _check_settings(job: _Job, options: argparse.Namespace) -> None:
    """Reject settings such as heads or items that the spec's run will not have, as far as the spec tells."""
    from attnviz.export.figures.settings import check_names, check_settings
    from attnviz.export.labs import figure_of_page

    spec, settings = job.session.spec, _settings(job, options)
    try:
        if spec.sizes_known:
            check_settings(settings, spec, spec.heads_run, spec.items_run, spec.layers_run)
        else:
            check_names(settings, spec)  # the numbers of heads and items are known only once the file is read
        forms = [format_of(path) for path in job.paths]
        if any(form is not None and "figure" in form.writers and not _moves(form, options) for form in forms):
            figure_of_page(spec, settings.page)
    except Refused as error:
        raise CommandError(str(error)) from error


def _check_place(path: Path, options: argparse.Namespace) -> None:
    form = checked_format(path, "export")
    if (options.sweep or options.animate) and "animation" not in form.writers:
        raise CommandError(f"{path} cannot be animated; nearest: {path.with_suffix('.gif')}")
    check_free(path, force=options.force)


def _moves(form: Format, options: argparse.Namespace) -> bool:
    """Return whether to write an animation: the format can, and an option requests it or there is no still figure."""
    return "animation" in form.writers and bool("figure" not in form.writers or options.sweep or options.animate)


def _carried_out(job: _Job, options: argparse.Namespace, prefix: str) -> Iterator[Path]:
    """Write the files of a job and yield each path; the spec runs once for all files of its last trace."""
    settings = _settings(job, options)
    last: Trace | None = None
    for path in job.paths:
        form = checked_format(path, "export")
        check_free(path, force=options.force)  # again, in case another program created it meanwhile
        try:
            if _moves(form, options):
                animate(_carried(job, settings), path, settings, options, prefix)
            elif "session" in form.writers:
                form.writer("session")(job.session, path)
            elif "numbers" in form.writers:
                last = last or _last_trace(job)
                chosen = {"heads": settings.heads, "item": options.item, "layers": options.layers}
                write_numbers(last, path, **chosen, settings=settings, prefix=prefix)
            else:
                from attnviz.export.figures.figure import write_figure
                from attnviz.export.labs import study_of_page

                study = study_of_page(job.session.spec, settings.page, job.session.shown_view)
                if study is None:
                    last = last or _last_trace(job)
                shown: Any = last if study is None else last_trace(cast("Any", study))
                write_figure(shown, path, settings, session=_carried(job, settings))
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror or error}", FAILED) from error
        except ValueError as error:
            raise CommandError(str(error)) from error
        except CommandError:
            raise
        except MemoryError as error:
            raise CommandError(f"{path} cannot be made: there is not enough memory. {error}", FAILED) from error
        except Exception as error:
            # A library can raise anything; the other files and specs are still written.
            raise CommandError(f"{path} cannot be made: {log_defect(error)}", FAILED) from error
        yield path


def _last_trace(job: _Job) -> "Trace":
    trace = last_trace(job.session.spec, job.session.fitting, **place_of(job.session))
    if job.side and not trace.cursor.side:
        raise CommandError(f"this model is no encoder-decoder, so it has no side {job.side}; nearest: no --side")
    say_shown_otherwise(job.source, job.session, trace)
    return trace


def write_numbers(
    trace: "Trace",
    path: Path,
    *,
    heads: tuple[int, ...] | None = None,
    item: int | None = None,
    layers: tuple[int, ...] | None = None,
    settings: "FigureSettings | None" = None,
    prefix: str = "",
) -> None:
    """Write the numbers of a trace in the format of a path's suffix.

    Raises:
        CommandError: the file cannot be written, or the trace has no such head, item or layer.
    """
    from attnviz.export.numbers import size_of_table

    writer = checked_format(path, "run").writer("numbers")
    try:
        if size := size_of_table(trace, path, heads=heads, item=item, settings=settings):
            say(f"{prefix}{path}: {size}")
        with Progress("row") as progress:
            writer(trace, path, heads=heads, item=item, layers=layers, settings=settings, progress=progress.show)
    except ValueError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}", FAILED) from error


def _settings(job: _Job, options: argparse.Namespace) -> "FigureSettings":
    """Return the figure's settings: the session's view, overridden by the command line."""
    from attnviz.export.figures.settings import FigureSettings, looked_at
    from attnviz.export.options import checked, given

    view = job.session.shown_view
    seen: dict[str, Any] = {
        "language": translator(options.lang or ENGLISH),
        "contrast": view.reaches_largest,
        "contrast_by": view.stretched_by,
    }
    if job.session.view is not None:
        seen |= {"item": view.batch_item, **looked_at(view, job.session.spec)}
        if options.sweep:  # their specs may have fewer heads
            seen["large"] = None
    try:
        chosen = given(FigureSettings, options)
        if "contrast_by" in chosen:  # a choice of how to stretch colours implies stretching
            chosen = {"contrast": True} | chosen
        return checked(FigureSettings, seen | chosen, by_flag=True)
    except ValueError as error:
        raise CommandError(str(error)) from error


def _carried(job: _Job, settings: "FigureSettings") -> "Session":
    """Return the session to embed in a figure: with the drawn settings, without its private notes."""
    from attnviz.export.figures.settings import seen_as

    return seen_as(settings, job.session.model_copy(update={"notes": ""}))


def _code(options: argparse.Namespace) -> int:
    from attnviz.experiment.files.plain_files import DataFileError
    from attnviz.experiment.labs import SpecError
    from attnviz.export.code.script import flex_code, pytorch_code

    if options.output is not None:
        checked_format(options.output, "code")
        check_free(options.output, force=options.force)
    try:
        spec = options.source_of(options.spec).spec
        script = flex_code(spec) if options.flex else pytorch_code(spec)
    except (SpecError, Refused) as error:
        raise CommandError(str(error)) from error
    except DataFileError as error:
        raise CommandError(str(error), FAILED) from error
    if options.output is None:
        if sys.stdout is None:
            raise CommandError("standard output is closed; -o writes a file", FAILED)
        print(script, end="")
        return 0
    from attnviz.experiment.files.plain_files import write_atomically

    try:
        write_atomically(options.output, lambda file: file.write(script.encode()))
    except OSError as error:
        raise CommandError(f"{options.output} cannot be written: {error.strerror or error}", FAILED) from error
    tell(f"wrote {options.output}")
    return 0
