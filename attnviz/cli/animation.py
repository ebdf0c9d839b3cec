"""Animations from the command line: runs are drawn and written frame by frame."""

import argparse
import contextlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from attnviz.cli.words import FAILED, CommandError, engine, last_trace, place_of, say
from attnviz.definitions.formats import format_for

if TYPE_CHECKING:
    from attnviz.experiment.files.session import Session
    from attnviz.experiment.labs import Spec
    from attnviz.export.animation.animation import AnimationSettings
    from attnviz.export.animation.frames import Film
    from attnviz.export.figures.settings import FigureSettings

MOST_STEPS = 100
"""The most training steps shown, evenly spaced from the first to the last."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of animations."""
    from attnviz.definitions.motions import MOTIONS
    from attnviz.export.animation.animation import AnimationSettings
    from attnviz.export.options import add_flags

    moves = parser.add_mutually_exclusive_group()
    moves.add_argument(
        "--sweep", metavar="FIELD=A:B", help="animate one setting, such as num_heads=1:16 or width=0.1:2"
    )
    moves.add_argument(
        "--animate",
        choices=[name for name in MOTIONS if name != "sweep"],
        help="what to animate without a sweep (training or new tokens, if there are any)",
    )
    add_flags(parser, AnimationSettings)
    parser.add_argument("--size", metavar="WIDTHxHEIGHT", default="640x400", help="pixels of an animation (640x400)")


def animate(session: "Session", path: Path, figure: "FigureSettings", options: argparse.Namespace, prefix: str) -> None:
    """Write the animation that the options describe.

    Raises:
        CommandError: an option or a spec is invalid, or a run failed.
        ValueError: a frame cannot be drawn; the message says why.
        OSError: the file cannot be written.
    """
    from attnviz.definitions.motions import MOTIONS
    from attnviz.export.animation.animation import pace_note, write_animation
    from attnviz.export.animation.frames import FilmFailedError

    moving = "sweep" if options.sweep else options.animate or (session.spec.motion if session.spec.trains else "stages")
    settings, form = _settings(figure, options, MOTIONS[moving].pace), format_for(path, "animation")
    film = _film(session.spec, moving, options, place_of(session).get("side"))
    note = pace_note(settings, form)
    if note:
        say(f"{prefix}{note}")
    try:
        write_animation(film, path, settings, session, progress=_show_progress)
    except FilmFailedError as error:
        raise CommandError(str(error), FAILED) from error


def _settings(figure: "FigureSettings", options: argparse.Namespace, pace: float) -> "AnimationSettings":
    from attnviz.export.animation.animation import AnimationSettings
    from attnviz.export.options import checked, given

    match = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", options.size)
    if match is None:
        raise CommandError(f"size '{options.size[:40]}' must be WIDTHxHEIGHT in pixels; nearest: 640x400")
    values = {"width": int(match[1]), "height": int(match[2]), "frames_per_second": pace, "figure": figure}
    try:
        return checked(AnimationSettings, values | given(AnimationSettings, options), by_flag=True)
    except ValueError as error:
        raise CommandError(str(error)) from error


def _film(spec: "Spec", moving: str, options: argparse.Namespace, side: str | None) -> "Film":
    from attnviz.experiment.labs import SpecError
    from attnviz.experiment.sweeps.frames import parse_sweep
    from attnviz.export.animation.frames import film_of_stages, film_of_sweep, film_of_training, steps_shown

    if moving == "sweep":
        try:
            sweep = parse_sweep(options.sweep, spec)
        except SpecError as error:
            raise CommandError(str(error)) from error
        for left_out in sweep.left_out:
            say(f"left out {sweep.field} {left_out.value:g}: {left_out.why}")
        return film_of_sweep(sweep, last_trace)
    if moving == "stages":
        return film_of_stages(last_trace(spec, side=side))
    steps = steps_shown(spec, MOST_STEPS) if spec.trains else None
    return film_of_training(engine().run(spec, untrained_first=True, steps=steps, side=side), spec, MOST_STEPS)


def _show_progress(done: int, count: int) -> None:
    """Print the progress: in one updated line of a terminal, else line by line."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError):  # stderr may be closed
        end = "\r" if sys.stderr.isatty() and done < count else "\n"
        print(f"frame {done}/{count}", end=end, file=sys.stderr, flush=True)
