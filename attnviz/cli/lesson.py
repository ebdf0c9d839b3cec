"""``attnviz lesson``: opens a lesson, or checks or exports lessons without a window."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from attnviz.cli.words import (
    BAD_INPUT,
    FAILED,
    CommandError,
    Progress,
    add_allow_code,
    add_language,
    check_free,
    engine,
    run_failed,
    say,
    signals_as_interrupt,
    tell,
)
from attnviz.experiment.texts.languages import ENGLISH

if TYPE_CHECKING:
    from attnviz.experiment.lessons.lesson import Lesson
    from attnviz.experiment.lessons.reading import LessonError
    from attnviz.export.lessons.content import LessonContent

_FORMS = ("handout", "slides", "html")
_PARTS = ("open", "check", "export")
_EPILOG = """examples:
  attnviz lesson 4                        the fourth of those that come along
  attnviz lesson my-lesson.md
  attnviz lesson check my-lesson.md       every step runs, every question has one answer
  attnviz lesson check                    all that come along
  attnviz lesson export 4 -o handouts     as a handout, as slides and as one page for a browser
"""
_EXPORT_EPILOG = """what is written, into FOLDER:
  NAME.md       the handout; its figures are SVG files in NAME-figures. Questions stay open without --answers.
  NAME.pdf      slides, a page for each step; with --answers a page with the answer follows a question
  NAME.html     one file for a browser, which needs no network: predict, then see

examples:
  attnviz lesson export 4 -o handouts
  attnviz lesson export my-lesson.md -o . --html --notes
  attnviz lesson export 10 -o zh --lang zh_CN --handout --answers
"""


def with_open(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments of ``attnviz lesson FILE`` with the optional word "open" filled in."""
    if [*arguments[:1]] == ["lesson"] and not (set(arguments[1:2]) & {*_PARTS, "-h", "--help"}):
        return ["lesson", "open", *arguments[1:]]
    return arguments


def add_command(
    commands: Any,
    add_flags: Callable[[argparse.ArgumentParser], None],
    open_window: Callable[[argparse.Namespace, "Lesson"], int],
) -> None:
    """Add the command; ``add_flags`` adds the options of the window, ``open_window`` shows a lesson in it."""
    lesson = commands.add_parser(
        "lesson",
        help="open a lesson, or check or export lessons",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = lesson.add_subparsers(title="what to do", parser_class=type(lesson), required=True)
    opened = parts.add_parser("open", help="open a lesson in the window ('open' may be omitted)")
    opened.add_argument("file", metavar="FILE", help="a lesson's file, or the number or name of an included lesson")
    opened.add_argument("--step", type=int, metavar="N", help="the step to start with (1)")
    opened.add_argument("--desk", action="store_true", help="open the lecturer's desk beside the window")
    add_flags(opened)
    opened.set_defaults(command=lambda options: open_window(options, lesson_of(options.file, options.lang or "")))
    checked = parts.add_parser("check", help="run every step, task, answer and number of lessons")
    checked.add_argument("files", nargs="*", metavar="FILE", help="lesson files (all included ones)")
    add_allow_code(checked)
    checked.set_defaults(command=_check)
    _add_export(parts)


def _add_export(parts: Any) -> None:
    exported = parts.add_parser(
        "export",
        help="write a lesson as a handout, as slides and as one page for a browser",
        epilog=_EXPORT_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    exported.add_argument("file", metavar="FILE", help="a lesson's file, or the number or name of an included lesson")
    exported.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="the folder to write into")
    for form in _FORMS:
        exported.add_argument(f"--{form}", action="store_true", help=f"write the {form} (all)")
    exported.add_argument("--notes", action="store_true", help="include the speaker notes; slides have none (no)")
    exported.add_argument(
        "--answers", action="store_true", help="add answers at the end of the handout, and on further slides (no)"
    )
    exported.add_argument("--force", action="store_true", help="overwrite existing files")
    add_language(exported, "the language of the lesson and of what is written in figures (en)")
    exported.set_defaults(command=_export)


def lesson_of(source: str, language: str = "") -> "Lesson":
    """Return the lesson named by FILE: a file, or the number or name of an included lesson.

    Raises:
        CommandError: there is none, or it is not a lesson.
    """
    lesson, errors = _lesson_and_errors(source, language)
    if errors:
        raise CommandError(f"{source}: {errors[0]}")
    return lesson


def _lesson_and_errors(source: str, language: str = "") -> "tuple[Lesson, tuple[LessonError, ...]]":
    """Return the readable part of the lesson named by FILE, and all errors.

    Raises:
        CommandError: there is none, or its file cannot be read.
    """
    from attnviz.definitions.text import Refused
    from attnviz.experiment.lessons.reading import lesson_named, lesson_names, read_lesson_and_errors

    try:
        by_number = {str(int(name.partition("-")[0])): name for name in lesson_names()}
        name = by_number.get(source.lstrip("0"), source)
        if name in lesson_names() or ("." not in source and not Path(source).exists()):
            return lesson_named(name, language), ()
        return read_lesson_and_errors(Path(source))
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
        lesson, errors = _lesson_and_errors(source)
        problems = sorted([*errors, *check_lesson(lesson)], key=lambda error: error.line)
        for language in () if options.files else translations(lesson.name):
            problems += check_translation(lesson, lesson_of(source, language), language)
        for problem in problems:
            say(f"{source}: {problem}")
        wrong += bool(problems)
        tell(f"{source}: problems: {len(problems)}, steps run: {len(lesson.steps)}")
    return BAD_INPUT if wrong else 0


def _export(options: argparse.Namespace) -> int:
    lesson = lesson_of(options.file, options.lang or "")
    chosen = [form for form in _FORMS if getattr(options, form)] or list(_FORMS)
    folder: Path = options.output
    endings = {"handout": ".md", "slides": ".pdf", "html": ".html"}
    paths = {form: folder / f"{lesson.name}{endings[form]}" for form in chosen}
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder} cannot be made: {error.strerror or error}") from error
    for path in paths.values():
        check_free(path, force=options.force)
    with signals_as_interrupt():
        content = _content_of(lesson, options.lang or ENGLISH)
        for form, path in paths.items():
            for written in _written(form, content, path, options):
                tell(f"wrote {written} ({_size(written.stat().st_size)})")
    return 0


def _content_of(lesson: "Lesson", language: str) -> "LessonContent":
    """Run every step of a lesson.

    Raises:
        CommandError: a run fails; or the lesson refers to something its runs lack.
    """
    engine()
    from attnviz.definitions.text import Refused
    from attnviz.engine.lessons import LessonRuns
    from attnviz.engine.run import failure_of
    from attnviz.export.lessons.content import content_of

    runs, shown = LessonRuns(lesson), []
    with Progress() as progress:
        for step in lesson.steps:
            try:
                shown.append(runs.step_shown(step))
            except Exception as error:  # a bug is also reported in one line
                raise run_failed(failure_of(step.spec, error), f"step {step.number}: ") from error
            progress.show(step.number, len(lesson.steps))
    try:
        return content_of(lesson, shown, language)
    except Refused as error:
        raise CommandError(f"{lesson.name}: {error}") from error


def _written(form: str, content: "LessonContent", path: Path, options: argparse.Namespace) -> Iterator[Path]:
    """Write one format, and yield the path of its file."""
    from attnviz.definitions.text import Refused
    from attnviz.experiment.files.plain_files import write_atomically

    files: dict[Path, bytes] = {}
    try:
        if form == "html":
            from attnviz.export.lessons.page import page_of

            files[path] = page_of(content, notes=options.notes).encode()
        elif form == "slides":
            from attnviz.export.lessons.slides import signs_lost, slides_of

            if lost := signs_lost(content):
                say(f"{path}: {lost} characters have no glyph on this machine; install a font such as Noto Sans CJK")
            files[path] = slides_of(content, answers=options.answers)
        else:
            from attnviz.export.lessons.handout import handout_of

            folder = f"{content.name}-figures"
            handout = handout_of(content, folder, answers=options.answers, notes=options.notes)
            (path.parent / folder).mkdir(exist_ok=True)
            files = {path.parent / name: figure for name, figure in handout.figures.items()}
            for figure in files:
                check_free(figure, force=options.force)
            files[path] = handout.text.encode()
        for file, data in files.items():
            write_atomically(file, partial(_write, data))
    except Refused as error:
        raise CommandError(f"{content.name}: {error}") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}", FAILED) from error
    yield path


def _write(data: bytes, file: BinaryIO) -> None:
    file.write(data)


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(count // 1000, 1)} kB"
