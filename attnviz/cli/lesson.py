"""``attnviz lesson``: opens a lesson, or checks lessons without a window."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.cli.words import BAD_INPUT, CommandError, engine, say, tell

if TYPE_CHECKING:
    from attnviz.experiment.lessons.lesson import Lesson

_PARTS = ("open", "check")
_EPILOG = """examples:
  attnviz lesson 4                        the fourth of those that come along
  attnviz lesson my-lesson.md
  attnviz lesson check my-lesson.md       every step runs, every question has one answer
  attnviz lesson check                    all that come along
"""


def with_open(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments of ``attnviz lesson FILE`` with the word "open", which may be left out."""
    if [*arguments[:1]] == ["lesson"] and not (set(arguments[1:2]) & {*_PARTS, "-h", "--help"}):
        return ["lesson", "open", *arguments[1:]]
    return arguments


def add_command(
    commands: Any,
    add_flags: Callable[[argparse.ArgumentParser], None],
    open_window: Callable[[argparse.Namespace, "Lesson"], int],
) -> None:
    """Add the command; ``add_flags`` adds those of the window, ``open_window`` shows a lesson in it."""
    lesson = commands.add_parser(
        "lesson",
        help="open a lesson, or check lessons",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = lesson.add_subparsers(title="what to do", parser_class=type(lesson), required=True)
    opened = parts.add_parser("open", help="open a lesson in the window ('open' may be omitted)")
    opened.add_argument("file", metavar="FILE", help="a lesson's file, or the number or name of one that comes along")
    opened.add_argument("--step", type=int, default=1, metavar="N", help="the step to begin with (1)")
    opened.add_argument("--desk", action="store_true", help="open the lecturer's desk beside the window")
    add_flags(opened)
    opened.set_defaults(command=lambda options: open_window(options, lesson_of(options.file, options.lang or "")))
    checked = parts.add_parser("check", help="run every step, task, answer and number of lessons")
    checked.add_argument("files", nargs="*", metavar="FILE", help="their files (all that come along)")
    checked.set_defaults(command=_check)


def lesson_of(source: str, language: str = "") -> "Lesson":
    """Return the lesson that FILE names: a file, or the number or name of one that comes along.

    Raises:
        CommandError: there is none, or it is not a lesson.
    """
    from attnviz.definitions.text import Refused
    from attnviz.experiment.lessons.reading import lesson_named, lesson_names, read_lesson

    try:
        by_number = {str(int(name.partition("-")[0])): name for name in lesson_names()}
        name = by_number.get(source.lstrip("0"), source)
        if name in lesson_names() or ("." not in source and not Path(source).exists()):
            return lesson_named(name, language)
        return read_lesson(Path(source))
    except Refused as error:
        raise CommandError(f"{source}: {error}") from error
    except OSError as error:
        raise CommandError(f"{source} cannot be read: {error.strerror or error}") from error


def _check(options: argparse.Namespace) -> int:
    engine()
    from attnviz.engine.lessons import check_lesson, check_translation
    from attnviz.experiment.lessons.reading import lesson_names, translations

    wrong = 0
    for source in options.files or lesson_names():
        lesson = lesson_of(source)
        problems = list(check_lesson(lesson))
        for language in () if options.files else translations(lesson.name):
            problems += check_translation(lesson, lesson_of(source, language), language)
        for problem in problems:
            say(f"{source}: {problem}")
        wrong += bool(problems)
        tell(f"{source}: {len(lesson.steps)} steps, {len(problems)} problems")
    return BAD_INPUT if wrong else 0
