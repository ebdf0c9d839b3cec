"""Where and how it starts: offscreen and on a screen, read-only, without a home, with LANG=C, moved, cut off."""

import shutil
import signal
from dataclasses import replace
from pathlib import Path

from checking.bare_tree import Inside, copy_of
from checking.screen import Screen
from checking.site import HOME, PLACE, SIZE, Site, WrongError, check, expect, with_env

LABS = ("attention", "regression", "train", "model")
_LIT = 0.9
"""The share of the screen that a window of its size covers."""


@check("the tree has no Python, and the archive one top folder with the program")
def _has_no_python(site: Site) -> str:
    pythons = [path for pattern in ("usr/bin/python*", "usr/lib/python3*", "usr/local/bin/python*")
               for path in site.tree.glob(pattern)]  # fmt: skip
    expect(not pythons, f"the bare tree has {pythons[:1]}")
    tops = [path.name for path in site.unpacked.iterdir()]
    expect(tops == [site.archive.name.removesuffix(".tar.zst")], f"the archive's top holds {', '.join(tops)}")
    program = site.unpacked / site.top / "attnviz/attnviz"
    with program.open("rb") as file:
        expect(file.read(4) == b"\x7fELF", f"{program.name} is no ELF program")
    beside = ("install.sh", "attnviz.svg", "attnviz.desktop", "attnviz-mime.xml", "licences")
    missing = [name for name in beside if not (site.unpacked / site.top / name).exists()]
    expect(not missing, f"the archive lacks {', '.join(missing)}")
    owners = {path.stat().st_uid for path in program.parent.iterdir()}
    expect(0 not in owners, "it was not unpacked by an unprivileged user")
    size = sum(path.lstat().st_size for path in site.unpacked.rglob("*"))
    packed = site.archive.stat().st_size
    return f"{packed / 1e6:.0f} MB packed, {size / 1e6:.0f} MB unpacked in '{PLACE}'"


@check("doctor finds everything")
def _doctor(site: Site) -> str:
    done = site.attnviz("doctor")
    bad = [line for line in done.out.splitlines() if "missing" in line or "cannot" in line or "too old" in line]
    expect(not bad, "; ".join(bad))
    return f"{len(done.out.splitlines())} lines"


@check("doctor --self-test is green within 30 s")
def _self_test(site: Site) -> str:
    done = site.attnviz("doctor", "--self-test")
    expect(done.seconds < 30, f"it takes {done.seconds:.0f} s")
    return f"{done.seconds:.0f} s: {done.last}"


@check("it draws offscreen what the checkout draws, in each lab and theme")
def _draws_offscreen(site: Site) -> str:
    for lab in LABS:
        theme = "dark" if lab == "regression" else "light"
        _compare_shots(site, lab, "--lab", lab, "--size", "1280x800", "--theme", theme)
    return "every pixel but the last 30 rows, the status bar, which has times"


@check("it draws Chinese as the checkout does")
def _draws_chinese(site: Site) -> str:
    _compare_shots(site, "attention", *SIZE)
    _compare_shots(site, "zh_CN", "--lang", "zh_CN", *SIZE)
    english, chinese = (site.folder / f"shot-{name}.png" for name in ("attention", "zh_CN"))
    expect(site.difference(english, chinese) != "same", "the Chinese window is the English one")
    return "without a Chinese font in the system"


def _compare_shots(site: Site, name: str, *arguments: str) -> None:
    home = site.home()
    done = site.attnviz(*arguments, "--screenshot", "out.png", inside=site.inside(home))
    shutil.copy(home / "out.png", site.folder / f"shot-{name}.png")
    other = site.checkout(*arguments, "--screenshot", "theirs.png", cwd=home)
    expect("cannot" not in done.err and done.err == other.err, f"it prints: {done.last}")
    site.expect_same(home / "out.png", home / "theirs.png", f"the screenshot of {name}")


@check("it opens a window on a screen, and ends with it")
def _opens_window(site: Site) -> str:
    home = site.home()
    with Screen() as screen:
        inside = site.inside(home, screen)
        with inside.start(site.program, *SIZE) as window:
            title = wait_for_window(screen)
            screen.wait_for_rest()
            screen.save(site.folder / "started.png")
            screen.click(640, 785)
            screen.press("ctrl+q")
            done = window.wait(20)
            expect(done.code == 0, f"Ctrl+Q ends it with {done.code}: {done.out}")
    log = (home / ".local/state/attnviz/reports/attnviz.log").read_text(encoding="utf-8")
    expect("Traceback" not in log and "ended after" in log, f"its log says: {log.splitlines()[-1]}")
    return f"'{title}', the picture is {site.folder / 'started.png'}"


def wait_for_window(screen: Screen, timeout: float = 90) -> str:
    """Wait for the window to cover the screen; return its title."""
    if not screen.wait_until(lambda: screen.lit() > _LIT, timeout):
        raise WrongError(f"no window within {timeout:.0f} s")
    return next((title for title in screen.titles() if " - " in title), "no title")


@check("it starts read-only")
def _read_only(site: Site) -> None:
    inside = replace(site.inside(), read_only=(PLACE,))
    site.attnviz("--screenshot", "out.png", *SIZE, inside=inside)
    site.attnviz("export", "preset:causal-sentence", "-o", "heads.pdf", inside=inside)


@check("it starts without a home, and with one that cannot be written")
def _without_home(site: Site) -> None:
    for home in (None, "/nonexistent", "/etc"):
        inside = with_env(replace(site.inside(), cwd="/tmp"), HOME=home)
        site.attnviz("--screenshot", "/tmp/out.png", *SIZE, inside=inside)
        site.attnviz("export", "preset:causal-sentence", "-o", "/tmp/heads.pdf", inside=inside)


@check("it starts with LANG=C and with no LANG, in silence")
def _language_c(site: Site) -> None:
    for lang in ("C", None):
        done = site.attnviz("--screenshot", "out.png", *SIZE, inside=with_env(site.inside(), LANG=lang))
        expect(not done.err, f"with LANG={lang} it prints: {done.err.splitlines()[:1]}")
        done = site.attnviz("help", "files", inside=with_env(site.inside(), LANG=lang))
        expect(bool(done.out), "help says nothing")


@check("it starts after it was moved")
def _moved(site: Site) -> None:
    home = site.home()
    site.attnviz("--screenshot", "before.png", *SIZE, inside=site.inside(home))
    elsewhere = "/opt/another 地方"
    binds = {HOME: home, elsewhere: site.unpacked}
    inside = replace(site.inside(home), binds=binds)
    done = inside.run(f"{elsewhere}/{site.top}/attnviz/attnviz", "--screenshot", "after.png", *SIZE)
    expect(done.code == 0, f"it ends with {done.code}: {done.last}")
    site.expect_same(home / "before.png", home / "after.png", "the screenshots before and after")


@check("it starts through a link, and from another folder")
def _linked(site: Site) -> None:
    home = site.home()
    (home / "bin").mkdir()
    (home / "bin/attnviz").symlink_to(site.program)
    done = replace(site.inside(home), cwd="/").run(f"{HOME}/bin/attnviz", "--version")
    expect(done.code == 0 and done.out.startswith("attnviz "), f"it ends with {done.code}: {done.last}")


@check("a disk without space is told in one line, and the window opens")
def _full_disk(site: Site) -> None:
    inside = replace(site.inside(), tmpfs={"/mnt": "16k"}, cwd="/mnt")
    inside = with_env(inside, HOME="/mnt")
    done = inside.run(site.program, "export", "preset:causal-sentence", "-o", "heads.pdf")
    lines = done.err.strip().splitlines()
    expect(done.code == 1 and len(lines) == 1 and "No space left" in lines[0], f"{done.code}: {done.err[-300:]}")
    site.attnviz("--screenshot", "/tmp/out.png", *SIZE, inside=inside)


def _without(site: Site, name: str, *patterns: str) -> Inside:
    """Return the tree without some libraries."""
    tree = copy_of(site.tree, site.folder / name)
    for path in [path for pattern in patterns for path in tree.glob(f"usr/lib/*/{pattern}")]:
        path.unlink()
    return replace(site.inside(), tree=tree)


@check("without libEGL it says what to install, and computes")
def _without_egl(site: Site) -> str:
    inside = _without(site, "without-egl", "libEGL.so*", "libGL.so*")
    done = inside.run(site.program, *SIZE)
    lines = [line for line in done.err.splitlines() if line.startswith("attnviz: ")]
    expect(done.code == 1 and len(lines) == 1, f"{done.code}: {done.err[-300:]}")
    expect("libegl1" in lines[0] and "libgl1" in lines[0], lines[0])
    site.attnviz("run", "preset:multi-head-random", "-o", "out.npz", inside=inside)
    return lines[0]


@check("without a display it says so")
def _without_display(site: Site) -> str:
    done = with_env(site.inside(), QT_QPA_PLATFORM=None).run(site.program)
    expect(done.code == 1 and "there is no display" in done.err and "Traceback" not in done.err, done.err[-300:])
    return done.last


@check("a crash leaves a report, which the next start finds")
def _crash(site: Site) -> str:
    home = site.home()
    reports = home / ".local/state/attnviz/reports"
    with Screen() as screen:
        inside = site.inside(home, screen)
        with inside.start(site.program, *SIZE) as window:
            wait_for_window(screen)
            expect(screen.wait_until(lambda: any(reports.glob("*.running")), 20), "it keeps no crash file")
            window.signal("attnviz", signal.SIGSEGV)
            window.wait(20)
        screen.wait_until(lambda: screen.lit() < 0.1, 10)
        with inside.start(site.program, *SIZE):
            found = screen.wait_until(lambda: any(reports.glob("crash-*.txt")), 60)
            expect(found, "the next start writes no report")
            (report,) = reports.glob("crash-*.txt")
    text = report.read_text(encoding="utf-8")
    expect("Segmentation fault" in text and "in main" in text and "attnviz " in text, f"it says: {text[:300]}")
    return f"{len(text.splitlines())} lines of traceback"


@check("work that a kill cut off is offered and restored")
def _recovery(site: Site) -> str:
    home = site.home()
    state = home / ".local/state/attnviz"
    with Screen() as screen:
        inside = site.inside(home, screen)
        with inside.start(site.program, *SIZE) as window:
            wait_for_window(screen)
            screen.wait_for_rest()
            change_heads(screen)
            expect(screen.wait_until(lambda: any(state.glob("*.attnviz")), 20), "unsaved work is not written")
            window.signal("attnviz", signal.SIGKILL)
            window.wait(20)
        screen.wait_until(lambda: screen.lit() < 0.1, 10)
        return restore(site, inside, screen, state)


def change_heads(screen: Screen) -> None:
    """Type 4 into the field of the number of heads."""
    screen.click(221, 245, 3)
    screen.press("ctrl+a")
    screen.press("4")
    screen.press("enter")


def restore(site: Site, inside: Inside, screen: Screen, state: Path) -> str:
    """Start the window with an unsaved session, restore it, and return its title."""
    (orphan,) = state.glob("*.attnviz")
    expect('"num_heads": 4' in orphan.read_text(encoding="utf-8"), "the unsaved work lacks the change")
    with inside.start(site.program, *SIZE):
        wait_for_window(screen)
        screen.wait_for_rest()
        screen.save(site.folder / "restore.png")
        screen.click(*RESTORE)
        adopted = screen.wait_until(lambda: not orphan.exists() and any(state.glob("*.attnviz")), 20)
        expect(adopted, f"the button Restore takes nothing over; see {site.folder / 'restore.png'}")
        (own,) = state.glob("*.attnviz")
        expect('"num_heads": 4' in own.read_text(encoding="utf-8"), "the restored work lacks the change")
        return next(title for title in screen.titles() if " - " in title)


RESTORE = (866, 71)
"""Where the button Restore is in a window of 1280x800."""
