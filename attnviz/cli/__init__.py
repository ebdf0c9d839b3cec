"""The command line: ``attnviz`` opens the window; every other command works without Qt and a display."""

import argparse
import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz import __version__
from attnviz.cli import lesson, sweep
from attnviz.cli.export import add_commands, write_numbers
from attnviz.cli.words import (
    BAD_INPUT,
    FAILED,
    CommandError,
    LateParser,
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
    tell,
    trained_of,
)
from attnviz.definitions.formats import formats_for
from attnviz.definitions.labs import FIRST_LAB, GREATEST_WINDOW, LAB_NAMES, LEAST_WINDOW, help_pages
from attnviz.definitions.text import Refused
from attnviz.experiment.texts.languages import ENGLISH
from attnviz.folders import MissingResourceError, resource_in

if TYPE_CHECKING:
    from attnviz.experiment.extras import Extra
    from attnviz.experiment.files.session import Session
    from attnviz.experiment.labs import Spec, Trace
    from attnviz.experiment.lessons.lesson import Lesson

_COMMANDS = ("gui", "run", "export", "code", "sweep", "lesson", "presets", "doctor", "help")


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 0, 1 for a failed run, 2 for bad input."""
    arguments = _command_first(arguments)
    first = next(iter(arguments), "")
    if _is_mistyped(first):
        near = get_close_matches(first.lower(), _COMMANDS, 1)
        hint = f"nearest: {near[0]}" if near else f"the commands are {', '.join(_COMMANDS)}"
        return _complain(f"there is no command or file '{first[:40]}'; {hint}", BAD_INPUT)
    has_command = first in (*_COMMANDS, "-h", "--help", "--version")
    options = _parser().parse_args(lesson.with_open(arguments) if has_command else ["gui", *arguments])
    for stream in (sys.stdout, sys.stderr):
        # A file name that stdout's encoding lacks must not raise.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if getattr(options, "allow_code", False):
        from attnviz.experiment.files import consent

        consent.allow_any()
    try:
        code: int = options.command(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except CommandError as error:
        return _complain(str(error), error.code)
    except MissingResourceError as error:
        return _complain(str(error), FAILED)
    except BrokenPipeError:
        return _mute_stdout(0)
    except OSError as error:
        if error.filename:
            return _complain(f"{error.filename}: {error.strerror}", FAILED)
        _mute_stdout(FAILED)
        return _complain(f"the output cannot be written: {error.strerror or error}", FAILED)
    except MemoryError:
        return _complain("there is not enough memory", FAILED)  # too little even to log the error
    except Exception as error:
        return _complain(f"something went wrong in attnviz itself: {log_defect(error)}", FAILED)
    return code


def _command_first(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments with a command before the options that it follows: "--lang zh_CN lesson 14".

    A word after an option may be its value, unless it is a command; a file before the command ends the search.
    """
    for place, word in enumerate(arguments):
        if word in _COMMANDS:
            return [word, *arguments[:place], *arguments[place + 1 :]]
        before = arguments[place - 1] if place else ""
        if not word.startswith("--") and (not before.startswith("--") or "=" in before):
            break
    return arguments


def _is_mistyped(first: str) -> bool:
    """Return whether the first argument is probably a mistyped command rather than a file to open."""
    return re.fullmatch("[A-Za-z]+", first) is not None and first not in _COMMANDS and not os.path.lexists(first)


def _mute_stdout(code: int) -> int:
    """Redirect stdout to the null device, so that Python's exit does not fail on a closed pipe."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _parser() -> argparse.ArgumentParser:
    parser = LateParser("attnviz", description="A desktop workbench for attention. Without a command the window opens.")
    parser.add_argument("--version", action="version", version=f"attnviz {__version__}")
    commands = parser.add_subparsers(title="commands", parser_class=LateParser, required=True)

    gui = commands.add_parser("gui", help="open the window ('gui' may be omitted)")
    source = gui.add_mutually_exclusive_group()
    source.add_argument(
        "spec",
        nargs="?",
        metavar="SPEC",
        help="a session, spec, figure, lesson, file of data or model folder, - or preset:NAME",
    )
    source.add_argument("--lab", choices=tuple(LAB_NAMES), help="the lab to open")
    source.add_argument("--preset", metavar="NAME", help="the preset to open")
    gui.add_argument("--stage", metavar="NAME", help="the stage to show, such as scores, split or heads")
    gui.add_argument(
        "--allow-code",
        dest="allows_its_code",
        action="store_true",
        help="run the Python functions that SPEC names without asking first",
    )
    _add_window_flags(gui)
    gui.set_defaults(command=_gui_or_lesson)

    run = commands.add_parser("run", help="run a spec without a window")
    run.add_argument(
        "spec",
        metavar="SPEC",
        help="a session, spec, figure, file of data or model folder, - for JSON from standard input, or preset:NAME",
    )
    endings = " ".join(form.name for form in formats_for("numbers"))
    run.add_argument(
        "-o",
        "--output",
        type=_file,
        metavar="FILE",
        help=f"the file for the numbers of the trace, by suffix: {endings}",
    )
    run.add_argument("--force", action="store_true", help="overwrite an existing file")
    run.add_argument(
        "--with",
        dest="extras",
        type=lambda names: tuple(name.strip() for name in names.split(",")),
        metavar="lens,attribution",
        default=(),
        help="further arrays of a model's run for the .npz, of all layers, such as those of the logit lens",
    )
    run.add_argument(
        "--model-folder",
        type=Path,
        metavar="FOLDER",
        help="write the trained model in a new folder, in the format of GPT-NeoX or GPT-2; the training lab has one",
    )
    add_layers(run)
    add_allow_code(run)
    run.set_defaults(command=_with_session(_run), lab=None, preset=None)

    add_commands(commands, _session_named)
    sweep.add_command(commands, _session_named)
    lesson.add_command(commands, _add_window_flags, _open_lesson)
    commands.add_parser("presets", help="list the presets").set_defaults(command=_presets)
    doctor = commands.add_parser("doctor", help="say what is installed, and what is missing")
    doctor.add_argument(
        "--self-test",
        action="store_true",
        help="instead run each lab, write each format and draw the window once, within 30 s",
    )
    doctor.set_defaults(command=_doctor)
    topics = commands.add_parser("help", help="how to use the window, files and exports")
    topics.add_argument("topic", nargs="?", choices=help_pages(), default="window", help="the topic (window)")
    add_language(topics, "the language (en)")
    topics.set_defaults(command=_help)
    return parser


def _add_window_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--theme", choices=("light", "dark"), help="the palette (as last time, or the desktop's)")
    add_language(parser, "the language (as last time, or the system's)")
    parser.add_argument("--size", type=_size, metavar="WIDTHxHEIGHT", help="the size of the window, such as 1280x800")
    parser.add_argument("--screenshot", type=Path, metavar="PNG", help="save a picture of the first result, and exit")
    parser.add_argument("--present", action="store_true", help="start in Present, with fonts sized for the screen")
    parser.add_argument("--scale", type=int, choices=(1, 2, 3), default=1, help="pixels per point of the screenshot")


def _file(text: str) -> Path:
    if text == "-":
        raise argparse.ArgumentTypeError("'-' is standard output, but arrays need a file; nearest: trace.npz")
    return Path(text)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", text)
    wanted = (int(match[1]), int(match[2])) if match else (1280, 800)
    width, height = (
        min(max(length, least), most) for least, length, most in zip(LEAST_WINDOW, wanted, GREATEST_WINDOW, strict=True)
    )
    if match and wanted == (width, height):
        return wanted
    least, most = ("x".join(map(str, limit)) for limit in (LEAST_WINDOW, GREATEST_WINDOW))
    raise argparse.ArgumentTypeError(
        f"'{text[:40]}' must be WIDTHxHEIGHT from {least} to {most}; nearest: {width}x{height}"
    )


def _with_session(command: Callable[[argparse.Namespace, "Session"], int]) -> Callable[[argparse.Namespace], int]:
    """Wrap a command so that it reads its session first and ends if that is invalid; a spec gets default settings."""

    def read_and_run(options: argparse.Namespace) -> int:
        try:
            from attnviz.experiment.labs import SpecError
        except ImportError as error:
            return _complain(f"{error}; 'attnviz doctor' says what to install", FAILED)
        try:
            session = _session_of(options)
        except SpecError as error:
            return _complain(str(error), BAD_INPUT)
        return command(options, session)

    return read_and_run


def _session_of(options: argparse.Namespace) -> "Session":
    if options.spec is not None:
        return _session_named(options.spec)
    if options.preset is not None:
        return _session_named(f"preset:{options.preset}")
    from attnviz.experiment.files.specs_in_files import opening_session

    return opening_session(options.lab or FIRST_LAB)


def _session_named(source: str) -> "Session":
    """Return the session that SPEC names: a preset, standard input, or a file."""
    from attnviz.experiment.files.specs_in_files import preset
    from attnviz.export.document import read_document, read_standard_input

    if not source:
        raise CommandError("SPEC is empty; it must be a file, - for standard input, or preset:NAME")
    if source.startswith("preset:"):
        return preset(source.removeprefix("preset:")).session
    return read_standard_input() if source == "-" else read_document(Path(source))


def _help(options: argparse.Namespace) -> int:
    for line in (
        resource_in(options.lang or ENGLISH, f"help/{options.topic}.md").read_text(encoding="utf-8").splitlines()
    ):
        tell(line)
    tell("")
    tell(f"Topics: {', '.join(help_pages())}. Every command has --help.")
    return 0


def _gui_or_lesson(options: argparse.Namespace) -> int:
    gc.disable()  # imports and spec building make no garbage; the window collects when idle
    if not (options.spec or "").lower().endswith(".md"):
        return _with_session(_gui)(options)
    if options.stage is not None:
        raise CommandError("--stage is not for a lesson, whose steps have their own")
    opened = lesson.lesson_of(options.spec, options.lang or "")
    _allow(options, *(step.session for step in opened.steps))
    return _open_lesson(options, opened)


def _allow(options: argparse.Namespace, *sessions: "Session") -> None:
    """Allow the Python functions of sessions for this window, if the command line says so."""
    if options.allows_its_code:
        from attnviz.experiment.files import consent

        for session in sessions:
            for text in session.spec.code:
                consent.allow(consent.digest_of(text), remember=False)


def _gui(options: argparse.Namespace, session: "Session") -> int:
    _allow(options, session)
    if options.stage is not None:
        from attnviz.experiment.labs import wrong_stage

        wrong = wrong_stage(options.stage, session.spec)
        if wrong:
            return _complain(str(wrong), BAD_INPUT)
    is_preset = options.spec is None or options.spec.startswith("preset:")
    if options.stage is not None:
        session = session.model_copy(update={"view": session.shown_view.at_stage(options.stage)})
    if is_preset and not options.screenshot:  # a screenshot shows the trained state
        session = session.before_training()
    return _open_window(options, session, source=None if is_preset or options.spec == "-" else Path(options.spec))


def _open_lesson(options: argparse.Namespace, opened: "Lesson") -> int:
    step = getattr(options, "step", None)  # absent except for "lesson"
    if step is not None and not 1 <= step <= len(opened.steps):
        raise CommandError(f"step {step} must be one of 1 to {len(opened.steps)}")
    index = None if step is None else step - 1
    further = {"lesson": opened, "lesson_place": index, "desk": getattr(options, "desk", False)}
    return _open_window(options, opened.steps[index or 0].session, **further)


def _open_window(options: argparse.Namespace, session: "Session", **further: Any) -> int:
    """Open the window; ``further`` are options of `attnviz.gui.app.Options`."""
    if options.screenshot:
        if options.screenshot.suffix.lower() != ".png":
            nearest = f"{options.screenshot.stem or 'window'}.png"
            raise CommandError(f"{options.screenshot} must end in .png; nearest: {nearest}")
        check_free(options.screenshot, force=True)
    if not _choose_platform(bool(options.screenshot)):
        return _complain(
            "there is no display; 'attnviz --screenshot out.png' draws without one, 'attnviz run' computes", FAILED
        )
    # While Qt is imported, Ctrl+C could raise inside a callback and be lost.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from attnviz.gui.app import Options, start
    except ImportError as error:
        if (error.name or "").startswith("attnviz") and not isinstance(error, ModuleNotFoundError):
            raise  # a bug of attnviz, not a missing package
        from attnviz.doctor import libraries_remedy
        from attnviz.log import first_line

        remedy = libraries_remedy() if ".so" in str(error) else ""
        remedy = remedy or "'attnviz doctor' says what to install"
        return _complain(f"the window needs Qt: {first_line(error)}; {remedy}", FAILED)
    except Exception as error:  # incompatible packages can raise anything
        return _complain(f"the window cannot be loaded: {log_defect(error)}", FAILED)
    looks = {"theme": options.theme, "size": options.size, "present": options.present, "language": options.lang}
    return start(Options(session, screenshot=options.screenshot, scale=options.scale, **looks, **further))


def _choose_platform(offscreen_will_do: bool) -> bool:
    """Return whether a window can open. Call it before loading Qt, which aborts the process without a display."""
    needs_display = sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM")
    if not needs_display:
        return True
    if offscreen_will_do:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _run(options: argparse.Namespace, session: "Session") -> int:
    if options.output:
        checked_format(options.output, "run")
        check_free(options.output, force=options.force)
    extras = _extras(options, session.spec)
    if session.misfit:
        say(f"{options.spec}: {session.misfit}")
    layers = options.layers
    if options.model_folder:
        trace = _written_as_folder(options.model_folder, session)
    else:
        place = place_of(session) | ({"layer": layers[0]} if layers else {})
        trace = last_trace(session.spec, session.fitting, **place, extras=extras)
    say_shown_otherwise(options.spec, session, trace)
    if layers is not None:
        try:
            trace.arrays_of(layers)  # raises for layers that do not exist, even if no file is written
        except ValueError as error:
            return _complain(str(error), BAD_INPUT)
    print(trace.summary())
    if options.output:
        write_numbers(trace, options.output, layers=options.layers)
        tell(f"wrote {options.output}")
    return 0


def _extras(options: argparse.Namespace, spec: "Spec") -> "tuple[Extra, ...]":
    """Return the records of the further arrays to compute; raises `CommandError`."""
    if not options.extras:
        return ()
    from attnviz.experiment.extras import extras_of

    try:
        extras = extras_of(spec.lab, options.extras)
    except ValueError as error:
        raise CommandError(f"--with: {error}") from error
    if options.output is None or options.output.suffix.lower() != ".npz":
        written = "no file is written" if options.output is None else f"{options.output.suffix} has no room for them"
        raise CommandError(f"--with adds arrays to an .npz, and {written}; nearest: -o numbers.npz")
    return extras


def _written_as_folder(folder: Path, session: "Session") -> "Trace":
    """Train the model of a session, write it in a folder, and return the last trace."""
    from attnviz.export.labs import EXPORTS

    spec = session.spec
    export = EXPORTS[spec.lab].folder
    if export is None:
        labs = ", ".join(each.name for each in EXPORTS.values() if each.folder is not None)
        raise CommandError(f"the lab {spec.lab} has no model to write in {folder}; nearest: a spec of {labs}")
    try:
        export.check(spec, folder)
        trace, trained = trained_of(spec, session.fitting)
        export.write(trained, folder, None)
    except Refused as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{folder} cannot be written: {error.strerror or error}", FAILED) from error
    tell(f"wrote {folder}")
    return trace


def _presets(_options: argparse.Namespace) -> int:
    try:
        from attnviz.experiment.files.specs_in_files import presets
    except ImportError as error:
        return _complain(f"{error}; 'attnviz doctor' says what to install", FAILED)
    width = max(len(name) for name in presets())
    for name, known in presets().items():
        print(f"{name:<{width}}  {known.number:>2}  {known.chapter}: {known.title}. {known.about}")
    return 0


def _doctor(options: argparse.Namespace) -> int:
    if options.self_test:
        from attnviz.cli.self_test import run_checks

        return run_checks()
    from attnviz.doctor import report

    lines, healthy = report()
    print("\n".join(lines))
    return 0 if healthy else FAILED


def _complain(message: str, code: int) -> int:
    say(message)
    return code
