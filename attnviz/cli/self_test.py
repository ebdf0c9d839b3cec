"""``attnviz doctor --self-test``: uses each part of attnviz once, in a folder that is removed afterwards.

A check that raises has failed; the message of what it raised is printed. The log goes to that folder, too.
"""

import contextlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.cli.words import engine, tell
from attnviz.definitions.formats import FORMATS, Format, Output
from attnviz.definitions.labs import FIRST_LAB, LAB_NAMES
from attnviz.folders import resource
from attnviz.log import first_line
from attnviz.versions import installed_version

if TYPE_CHECKING:
    from attnviz.experiment.files.session import Session
    from attnviz.experiment.sweeps.crossing import Crossing

LIMIT_S = 30.0
"""The time in seconds that all checks together should take on two cores."""
_FOR_WORKERS_S = 10.0
"""The time in seconds that a sweep on two workers takes; with less left it is skipped."""
_STEPS = 20
"""The most training steps of a check."""
_CAUSAL = "def causal(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n"
_FORMULA = re.compile(r"\$\$?([^$]+)\$")
_PLACES = (
    *("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
)
"""Environment variables that name folders in which attnviz and its libraries store something."""

_Check = Callable[[], object]


class _SkippedError(Exception):
    """Says why a check cannot be made in this installation."""


def run_checks() -> int:
    """Make every check, print a line about each, and return the exit code: 1 if one failed."""
    start = time.monotonic()
    try:
        folder = tempfile.TemporaryDirectory(prefix="attnviz-", ignore_cleanup_errors=True)
    except OSError as error:
        tell(f"failed   no folder for temporary files: {error.strerror or error}")
        return 1
    failed = []
    with folder as place, _apart(place):
        for name, check in _checks(_Parts(Path(place), start), tuple(LAB_NAMES)):
            began = time.monotonic()
            state, why = _outcome(check)
            tell(f"{state:<8} {name}, {time.monotonic() - began:.1f} s{why and f': {why}'}")
            if state == "failed":
                failed.append(name)
    seconds = f"{time.monotonic() - start:.0f} s"
    tell(f"failed: {', '.join(failed)}; {seconds}" if failed else f"everything works; {seconds}")
    return 1 if failed else 0


@contextlib.contextmanager
def _apart(folder: str) -> Iterator[None]:
    """Let attnviz, its libraries and its child processes store everything in a folder."""
    before, temporary = os.environ.copy(), tempfile.tempdir
    os.environ.update(dict.fromkeys(_PLACES, folder))
    tempfile.tempdir = folder  # torch creates a cache there when it is imported
    try:
        yield
    finally:
        tempfile.tempdir = temporary
        os.environ.clear()
        os.environ.update(before)


def _outcome(check: _Check) -> tuple[str, str]:
    try:
        check()
    except _SkippedError as error:
        return "skipped", str(error)
    except (Exception, SystemExit) as error:  # a broken installation raises anything
        return "failed", f"{first_line(error)}{_cause(error)}"
    return "ok", ""


def _cause(error: BaseException) -> str:
    """Return the type of an error whose message may not say enough."""
    kind = type(error).__name__
    return "" if isinstance(error, OSError | RuntimeError | ImportError) or kind == first_line(error) else f" ({kind})"


def _checks(parts: "_Parts", labs: tuple[str, ...]) -> Iterator[tuple[str, _Check]]:
    yield from ((f"run of the {name} lab", partial(parts.run, name)) for name in labs)
    yield "tokenizer of the model that comes along", parts.tokenize
    yield "own functions in their process", parts.run_functions
    yield "lesson and its formulas", parts.open_lesson
    yield from ((f"export of {form.suffix}", partial(parts.export, form)) for form in FORMATS.values() if form.writers)
    yield "sweep of two runs", parts.sweep
    yield "window", parts.draw_window
    yield "sweep on two workers", parts.sweep_on_workers


class _Parts:
    """What the checks use: the runs of the labs, which exports share, and a folder."""

    def __init__(self, folder: Path, start: float) -> None:
        self._folder, self._start = folder, start

    def run(self, lab: str) -> Any:
        """Run the preset that a lab opens with, with few training steps, and return its trace."""
        from attnviz.experiment.labs import LABS

        return _trace_of(_short(LABS[lab].opening_preset))

    def run_functions(self) -> None:
        """Run a mask_mod whose result is known."""
        from attnviz.experiment.files import consent
        from attnviz.experiment.files.session import Session
        from attnviz.experiment.labs import make_spec

        consent.allow(consent.digest_of(_CAUSAL), remember=False)
        spec = make_spec({"lab": FIRST_LAB, "num_queries": 4, "mods": {"mask_mod": "causal", "source": _CAUSAL}})
        allowed = _trace_of(Session(spec=spec)).mask[0, 0].tolist()
        if allowed != [[key <= query for key in range(len(row))] for query, row in enumerate(allowed)]:
            raise ValueError(f"the mask is {allowed}")

    @cached_property
    def _session(self) -> "Session":
        return _short("causal-sentence")

    @cached_property
    def _trace(self) -> Any:
        return _trace_of(self._session)

    @cached_property
    def _crossing(self) -> "Crossing":
        from attnviz.experiment.sweeps.crossing import read_crossing

        return read_crossing(self._session.spec, ["seed=0,1"])

    @cached_property
    def _rows(self) -> list[Any]:
        from attnviz.engine.sweeps.rows import Workers, rows_of

        rows = [row for each in rows_of(self._crossing, array("q", (0, 1)), Workers()) for row in each]
        for row in rows:
            if row["failure"]:
                raise RuntimeError(row["failure"])
        return rows

    def tokenize(self) -> None:
        """Let the tokenizer's process read a text."""
        if importlib.util.find_spec("tokenizers") is None:
            raise _SkippedError("models from a folder need tokenizers")
        from attnviz.engine.model.tokenizer.process import TokenizerProcess
        from attnviz.experiment.run import never_stop

        content = (resource("models") / "induction" / "tokenizer.json").read_text(encoding="utf-8")
        described = TokenizerProcess(content, 1).describe(never_stop)
        if not described:
            raise RuntimeError("the tokenizer gave no answer")

    def open_lesson(self) -> None:
        """Run the first step of the first lesson with formulas, and typeset each of these."""
        from attnviz.engine.lessons import LessonRuns
        from attnviz.experiment.lessons.reading import lesson_named, lesson_names
        from attnviz.export.typesetting import typeset

        texts = {name: resource(f"lessons/{name}.md").read_text(encoding="utf-8") for name in lesson_names()}
        name = next((name for name, text in texts.items() if _FORMULA.search(text)), "")
        if not name:
            raise RuntimeError("no lesson with a formula is there")
        lesson = lesson_named(name)
        LessonRuns(lesson).step_shown(lesson.steps[0])
        for latex in _FORMULA.findall(texts[name]):
            typeset(latex, "#000000", 15, inline=True).svg()

    def export(self, form: Format) -> None:
        """Write a file of a format, by the first of its writers that works without a screen."""
        writers: dict[Output, Callable[[Format, Path], None]] = {
            "figure": self._figure,
            "numbers": lambda form, path: form.writer("numbers")(self._trace, path, heads=None, item=None),
            "session": lambda form, path: form.writer("session")(self._session, path),
            "code": lambda form, path: _write_text(path, form.writer("code")(self._session.spec)),
            "table": self._table,
            "animation": self._animation,
        }
        if form.name == "parquet" and importlib.util.find_spec("pyarrow") is None:
            raise _SkippedError("Parquet needs pyarrow")
        output = next((output for output in writers if output in form.writers), None)
        if output is None:
            raise RuntimeError(f"no check writes {', '.join(form.writers)}")
        path = self._folder / f"export{form.suffix}"
        writers[output](form, path)
        if not path.stat().st_size:
            raise RuntimeError("the file is empty")
        if "session" in form.inputs:
            from attnviz.export.document import read_document

            if read_document(path).spec != self._session.spec:
                raise RuntimeError("the file holds another spec than the one exported")

    def _figure(self, _: Format, path: Path) -> None:
        from attnviz.export.figures.figure import write_figure
        from attnviz.export.figures.settings import FigureSettings

        write_figure(self._trace, path, FigureSettings(heads=(0,)), session=self._session)

    def _table(self, form: Format, path: Path) -> None:
        with contextlib.closing(form.writer("table")(path, self._crossing, force=True)) as table:
            table.add(self._rows)
            table.finish()

    def _animation(self, _: Format, path: Path) -> None:
        from attnviz.export.animation.animation import AnimationSettings, write_animation
        from attnviz.export.animation.frames import film_of_stages
        from attnviz.export.figures.settings import FigureSettings

        settings = AnimationSettings(width=320, height=240, figure=FigureSettings(heads=(0,)))
        write_animation(film_of_stages(self._trace), path, settings, self._session)

    def sweep(self) -> None:
        """Compute the two rows of a sweep in this process."""
        if [row["seed"] for row in self._rows] != [0, 1]:
            raise RuntimeError("the rows are not those of seeds 0 and 1")

    def draw_window(self) -> None:
        """Open the window without a screen, and draw its first result."""
        if not installed_version("PySide6-Essentials"):
            raise _SkippedError("the window needs Qt")
        path = self._folder / "window.png"
        _attnviz("--screenshot", str(path), "--size", "1280x800", folder=self._folder, platform="offscreen")
        if not path.is_file():
            raise RuntimeError("no picture was written")

    def sweep_on_workers(self) -> None:
        """Compute the two rows of a sweep on two workers."""
        if importlib.util.find_spec("distributed") is None:
            raise _SkippedError("several workers need Dask")
        left = LIMIT_S - (time.monotonic() - self._start)
        if left < _FOR_WORKERS_S:
            raise _SkippedError(f"less than {_FOR_WORKERS_S:g} of {LIMIT_S:g} seconds are left")
        path = self._folder / "workers.csv"
        of = ("preset:causal-sentence", "--over", "seed=0,1", "--workers", "2")
        _attnviz("sweep", *of, "-o", str(path), folder=self._folder)
        if len(path.read_text(encoding="utf-8").splitlines()) != 3:
            raise RuntimeError("the table has not two rows")


def _short(name: str) -> "Session":
    """Return a preset's session, with few training steps."""
    from attnviz.experiment.files.specs_in_files import preset

    session = preset(name).session
    few = {each: _STEPS for each in ("steps", "epochs") if getattr(session.spec, each, 0) > _STEPS}
    return session.model_copy(update={"spec": session.spec.model_copy(update=few)})


def _trace_of(session: "Session") -> Any:
    from attnviz.experiment.run import Failure

    last = engine().run_to_end(session.spec)
    if isinstance(last, Failure):
        raise RuntimeError(last.message)
    return last


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _attnviz(*arguments: str, folder: Path, platform: str = "") -> None:
    """Run a command of attnviz in a process of its own; raise RuntimeError with its message if it fails."""
    paths = os.pathsep.join(path for path in sys.path if path)
    env = os.environ | {"PYTHONPATH": paths} | ({"QT_QPA_PLATFORM": platform} if platform else {})
    command = [sys.executable, "-m", "attnviz", *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"it did not end within {LIMIT_S:g} seconds") from error
    if done.returncode:
        lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        raise RuntimeError(lines[-1].removeprefix("attnviz: ") if lines else f"it ended with code {done.returncode}")
