"""``attnviz sweep``: many runs of one spec, as a table with one row per run."""

import argparse
import contextlib
import importlib.util
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.cli.words import (
    FAILED,
    CommandError,
    Progress,
    add_allow_code,
    check_free,
    checked_format,
    duration,
    engine,
    say,
    signals_as_interrupt,
    tell,
)
from attnviz.definitions.formats import formats_for
from attnviz.definitions.text import Refused

if TYPE_CHECKING:
    from attnviz.engine.sweeps.rows import Workers
    from attnviz.experiment.files.session import Session
    from attnviz.experiment.sweeps.crossing import Crossing
    from attnviz.experiment.sweeps.heads import HeadsOverRuns, HeadsPicture
    from attnviz.export.tables.growing import GrowingTable

_STOPPED = 130
_SOON = 10.0
"""The work in seconds below which this process is faster than starting workers (unless their number is given)."""
_COUNTED = 10_000
"""The most runs of a sweep whose invalid ones are counted beforehand."""
_EPILOG = """values of a knob:
  num_heads=1,2,4,8               a list; also names: positions=rotary,alibi
  seed=0:15                       from first to last, both included; seed=0:100:10 in steps of 10
  learning_rate='log(1e-4, 1e-1, 20)'   20 values evenly in the exponent, both ends included
  learning_rate='draw(1e-4, 1e-1, 20)'  20 values at random between them, evenly in the exponent
  inputs.text=@sentences.txt      a value on each line of a file
  mods.mask_mod='window(2),window(4)'   calls of a factory in the user's own file
  text=@reviews.csv:body          a column of a table (.csv, .tsv) or a field of JSON lines (.jsonl, .ndjson)

examples:
  attnviz sweep preset:causal-sentence --over num_heads=1,2,4,8 --over seed=0:15 -o entropy.csv
  attnviz sweep preset:train-induction --over num_hiddens=32,64,128 --over seed=0:7 -o learned.parquet
  attnviz sweep preset:model-induction --over text=@reviews.csv:body -o rows.csv --heads heads.csv --heads heads.pdf
  attnviz sweep mine.json --over seed=0:9999 --scheduler tcp://10.0.0.1:8786 -o seeds.jsonl

The same command goes on with a table that is not complete. 'attnviz help sweeps' says more.
"""


def add_command(commands: Any, source_of: Callable[[str], "Session"]) -> None:
    """Add the command; ``source_of`` returns the session named by SPEC."""
    sweep = commands.add_parser(
        "sweep",
        help="run a spec with many values of its settings, into a table",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sweep.add_argument("spec", metavar="SPEC", help="a spec, session or exported figure, - or preset:NAME")
    sweep.add_argument(
        "--over",
        action="append",
        required=True,
        metavar="FIELD=VALUES",
        help="a field and its values; several are crossed, and the first changes slowest",
    )
    sweep.add_argument("--zip", action="store_true", help="pair the values of several fields instead of crossing them")
    sweep.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of randomly drawn values (0)")
    endings = " ".join(form.name for form in formats_for("table"))
    sweep.add_argument("-o", "--output", type=Path, metavar="FILE", help=f"the table, by its suffix: {endings}")
    kinds = " ".join(form.name for form in formats_for("heads", "figure"))
    sweep.add_argument(
        "--heads",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=f"also write the heads, with means and spreads over the runs: a table or a figure, by its suffix: {kinds}",
    )
    sweep.add_argument(
        "--axes", default="", metavar="X,Y", help="the measures of a figure of heads (the first two, such as entropy)"
    )
    sweep.add_argument(
        "--colour-by", default="role", metavar="WHAT", help="the colours of heads: role (the usual) or layer"
    )
    sweep.add_argument(
        "--with",
        dest="extras",
        type=lambda names: tuple(name.strip() for name in names.split(",")),
        metavar="attribution",
        default=(),
        help="studies of each run whose numbers are columns too, such as attribution, which take further passes",
    )
    sweep.add_argument("--force", action="store_true", help="start over and overwrite an existing file")
    sweep.add_argument(
        "--dry-run", action="store_true", help="print what would be run and measured, without running it"
    )
    sweep.add_argument(
        "--limit", type=_seconds, metavar="SECONDS", help="the time limit of a run; a longer one becomes a failed row"
    )
    workers = sweep.add_mutually_exclusive_group()
    workers.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="processes on this machine (as many as it has cores, for more than some seconds); 1 is this process",
    )
    workers.add_argument("--scheduler", metavar="ADDRESS", help="use the workers of a Dask scheduler: tcp://HOST:PORT")
    workers.add_argument("--scheduler-file", type=Path, metavar="JSON", help="the same, from the scheduler's file")
    add_allow_code(sweep)
    sweep.set_defaults(command=_sweep, source_of=source_of)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text[:40]}' must be a whole number of at least 1; nearest: 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text[:40]}' must be a number of seconds above 0; nearest: 60")
    return seconds


def _sweep(options: argparse.Namespace) -> int:
    crossing = _crossing(options)
    if options.dry_run:
        _tell_plan(crossing, options)
        return 0
    with signals_as_interrupt(), _opened_table(crossing, options) as table:
        left = array("q", (run for run, done in enumerate(table.done) if not done))
        engine()
        seconds = _seconds_of_a_run(crossing, left)
        workers = _workers(options, len(left), seconds)
        if left:
            _say_beforehand(crossing, table, workers, seconds)
        with _telling_of(table):
            try:
                _add_rows(crossing, table, left, workers, seconds, options.limit)
                table.finish()
                _write_heads(crossing, table, options)
            except KeyboardInterrupt:
                table.check_in_place()
                say(f"stopped; {_goes_on(options.output, table)}")
                return _STOPPED
            except OSError as error:
                why = error.strerror or error
                message = f"{options.output} cannot be written: {why}; {_goes_on(options.output, table)}"
                raise CommandError(message, FAILED) from error
    tell(f"wrote {options.output}: {len(crossing)} rows")
    return 0


def _crossing(options: argparse.Namespace) -> "Crossing":
    """Return the runs; all arguments are validated before anything is computed."""
    from attnviz.experiment.sweeps.crossing import read_crossing
    from attnviz.experiment.sweeps.heads import HeadsOverRuns

    if options.output is None and not options.dry_run:
        raise CommandError("-o names no file for the table; nearest: -o table.csv")
    if options.output is not None:
        checked_format(options.output, "sweep")
        check_free(options.output, force=True)
    for path in options.heads:
        checked_format(path, "sweep --heads")
        check_free(path, force=options.force)
    try:
        spec = options.source_of(options.spec).spec
        crossing = read_crossing(spec, options.over, paired=options.zip, seed=options.seed, extras=options.extras)
    except Refused as error:
        raise CommandError(str(error)) from error
    if options.heads or options.axes:
        _picture_of(HeadsOverRuns(crossing), options)
    return crossing


def _picture_of(heads: "HeadsOverRuns", options: argparse.Namespace) -> "HeadsPicture":
    """Return the picture of heads that the options describe."""
    from attnviz.experiment.sweeps.heads import picture_of

    names = [each.strip() for each in options.axes.split(",")] if options.axes else list(heads.measures)[:2]
    if options.axes and len(names) != 2:
        nearest = ",".join([*names, *heads.measures][:2])
        raise CommandError(f"--axes '{options.axes[:40]}' must name two measures; nearest: {nearest}")
    try:
        return picture_of(heads, names[0] if names else "", names[-1] if names else "", options.colour_by)
    except Refused as error:
        raise CommandError(str(error)) from error


def _write_heads(crossing: "Crossing", table: "GrowingTable", options: argparse.Namespace) -> None:
    """Write the files of the heads of a complete table."""
    if not options.heads:
        return
    from attnviz.experiment.files.session import Session
    from attnviz.experiment.sweeps.heads import heads_of_rows, rows_of_heads
    from attnviz.export.figures.heads import write_heads
    from attnviz.export.figures.settings import FigureSettings

    heads = heads_of_rows(crossing, table.in_order())
    if not heads.heads:
        raise CommandError("no run has numbers of heads, so there is none to write", FAILED)
    for path in options.heads:
        form = checked_format(path, "sweep --heads")
        try:
            if "heads" in form.writers:
                form.writer("heads")(rows_of_heads(heads), path)
            else:
                write_heads(_picture_of(heads, options), path, FigureSettings(), Session(spec=crossing.base))
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror or error}", FAILED) from error
        tell(f"wrote {path}: {len(heads.heads)} heads")


@contextlib.contextmanager
def _telling_of(table: "GrowingTable") -> Iterator[None]:
    """End the command with a message if the table's file was removed or replaced, which names the file with the rows.

    This also holds when the command ends for another reason.
    """
    from attnviz.export.tables.growing import TableGoneError

    try:
        try:
            yield
        except CommandError:
            table.check_in_place()
            raise
    except TableGoneError as error:
        raise CommandError(str(error), FAILED) from error


@contextlib.contextmanager
def _opened_table(crossing: "Crossing", options: argparse.Namespace) -> Iterator["GrowingTable"]:
    from attnviz.export.tables.growing import TableError

    form = checked_format(options.output, "sweep")
    try:
        table: GrowingTable = form.writer("table")(options.output, crossing, force=options.force)
    except TableError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{options.output} cannot be written: {error.strerror or error}", FAILED) from error
    try:
        yield table
    finally:
        table.close()


def _add_rows(
    crossing: "Crossing",
    table: "GrowingTable",
    left: "array[int]",
    workers: "Workers",
    seconds: float,
    limit: float | None,
) -> None:
    from attnviz.engine.machine import RunError
    from attnviz.engine.sweeps.rows import rows_of

    failed = 0
    computed = rows_of(crossing, left, workers, limit=limit, seconds=seconds, tell=lambda text: say(str(text)))
    try:
        # Closed in every case: the workers end before the command reports.
        with contextlib.closing(computed), Progress("row", with_rate=True) as progress:
            for rows in computed:
                table.add(rows)
                failed += sum(bool(row["failure"]) for row in rows)
                progress.show(table.rows, len(crossing))
    except RunError as error:
        done = f"; {table.rows} of {len(crossing)} rows are done" if table.rows else ""
        raise CommandError(f"{error}{done}", FAILED) from error
    if failed:
        say(f"{failed} of {len(left)} runs failed; their rows say why")


def _workers(options: argparse.Namespace, runs: int, seconds: float) -> "Workers":
    """Return the workers for ``runs`` runs of ``seconds`` seconds each."""
    from attnviz.engine.sweeps.rows import Workers

    if options.scheduler or options.scheduler_file:
        return Workers(0, options.scheduler or _address_in(options.scheduler_file))
    wanted = options.workers or (1 if seconds * runs < _SOON else _cores())
    count = max(1, min(wanted, runs))
    if count > 1 and options.workers is None and importlib.util.find_spec("distributed") is None:
        say("one worker; several need Dask: pip install 'attnviz[cluster]'")
        count = 1
    return Workers(count)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _address_in(path: Path) -> str:
    """Return the address in the file written by a Dask scheduler."""
    import json

    from attnviz.experiment.files.plain_files import open_plain

    try:
        with open_plain(path) as file:
            address = json.loads(file.read(1 << 20))["address"]
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CommandError(f"{path} was not written by a Dask scheduler: it has no address") from error
    return str(address)


def _seconds_of_a_run(crossing: "Crossing", runs: Sequence[int]) -> float:
    from attnviz.engine.sweeps.estimate import seconds_of_a_run

    return seconds_of_a_run(crossing, runs)


def _say_beforehand(crossing: "Crossing", table: "GrowingTable", workers: "Workers", seconds: float) -> None:
    left = len(crossing) - table.rows
    there = f", of which {table.rows} are there" if table.rows else ""
    say(f"{_counted(crossing)}{there}; about {duration(seconds * left / max(1, workers.count))} {_who(workers)}")


def _who(workers: "Workers") -> str:
    if workers.scheduler:
        return "for one worker"
    return "in this process" if workers.count == 1 else f"on {workers.count} workers, after their start"


def _counted(crossing: "Crossing") -> str:
    from attnviz.experiment.labs import SpecError
    from attnviz.experiment.sweeps.crossing import counts_said

    illegal = 0
    if len(crossing) <= _COUNTED:
        illegal = sum(isinstance(crossing.spec(run), SpecError) for run in range(len(crossing)))
    return f"{counts_said(crossing)}{f', {illegal} of them illegal' if illegal else ''}"


def _tell_plan(crossing: "Crossing", options: argparse.Namespace) -> None:
    runs = range(len(crossing))
    engine()
    seconds = _seconds_of_a_run(crossing, runs)
    workers = _workers(options, len(runs), seconds)
    tell(f"{_counted(crossing)}; about {duration(seconds * len(runs) / max(1, workers.count))} {_who(workers)}")
    for over in crossing.overs:
        shown = [str(value) for value in over.values[:8]]
        more = f", ... {over.values[-1]}" if len(over.values) > len(shown) else ""
        tell(f"  {over.field}: {', '.join(shown)}{more}")
    tell("columns:")
    width = max(len(name) for name in crossing.columns if name not in crossing.fields)
    for column in crossing.text_columns:
        tell(f"  {column.name:<{width}}  {column.title}{', of each head' if column.per_head else ''}: {column.help}")
    for scalar in crossing.scalars:
        tell(
            f"  {scalar.name:<{width}}  {scalar.title}{', also of each head' if scalar.per_head else ''}: {scalar.help}"
        )


def _goes_on(path: Path, table: "GrowingTable") -> str:
    return f"{path} has {table.rows} of {len(table.done)} rows, and the same command goes on"
