"""How it joins a desktop: the .deb and install.sh add the menu entry and the file type, and leave nothing behind."""

import configparser
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from checking.bare_tree import BARE, Inside, copy_of, make_tree
from checking.screen import Screen
from checking.site import HOME, PLACE, Site, WrongError, check, expect
from checking.starts import wait_for_window
from checking.upgrade import EARLIER
from checking.work import give_to_user

DESKTOP = ("desktop-file-utils", "libglib2.0-bin", "shared-mime-info")
"""The parts of a desktop that read menu entries and file types, and open files."""
_TYPE = "application/x-attnviz+json"
_OF_DPKG = ("var/lib/dpkg", "var/log", "var/cache", "etc/ld.so.cache")
"""Dpkg's own records."""
SUITE = "bookworm"


def depends(control: str) -> list[str]:
    """Return the packages that a .deb depends on, from its control file; of alternatives the first."""
    match = re.search(r"^Depends: (.*)$", control, re.MULTILINE)
    return [each.split("|")[0].split("(")[0].strip() for each in match[1].split(",")] if match else []


def listing(tree: Path) -> dict[str, tuple[int, int, str]]:
    """Return the files of a tree with mode, size and where links lead, without dpkg's own records."""
    found = {}
    for path in tree.rglob("*"):
        name = str(path.relative_to(tree))
        if not name.startswith((*_OF_DPKG, "dev", "proc", "tmp", "run", "mnt", "srv")):
            state = path.lstat()
            size = 0 if path.is_dir() else state.st_size
            found[name] = (state.st_mode, size, str(path.readlink()) if path.is_symlink() else "")
    return found


def desktop(site: Site, *packages: str) -> Path:
    """Return a new copy of a minimal Debian with some packages and the parts of a desktop."""
    tree = make_tree(site.trees, SUITE, sorted({*packages, *DESKTOP}))
    copy = site.folder / "desktop"
    shutil.rmtree(copy, ignore_errors=True)
    return copy_of(tree, copy)


def expect_launch(inside: Inside, screen: Screen, command: str, title: str) -> None:
    """Run a shell command that opens a window, and raise `WrongError` unless the window has the title."""
    screen.wait_until(lambda: screen.lit() < 0.1, 10)
    with inside.start("/bin/sh", "-c", f"{command} && sleep 600") as shell:
        try:
            wait_for_window(screen, 60)
        except WrongError as error:
            raise WrongError(f"{command}: {error}; {shell.wait(0).out.strip()[-300:]}") from None
        found = screen.wait_until(lambda: any(title in each for each in screen.titles()), 20)
        expect(found, f"{command} opens {screen.titles()} instead of {title}")


@check("the .deb installs with what it declares, opens a session by its type, and leaves nothing")
def _deb(site: Site) -> str:
    if site.package is None:
        raise WrongError(f"there is no .deb beside {site.archive.name}")
    control = subprocess.run(["dpkg-deb", "-f", str(site.package)], capture_output=True, text=True, check=True).stdout
    needed = [name for name in depends(control) if name != "libc6"]
    tree = desktop(site, *needed)
    before = listing(tree)
    root = Inside(tree, {"/mnt/a.deb": site.package}, env={"DEBIAN_FRONTEND": "noninteractive"}, user=False)
    done = root.run("dpkg", "-i", "/mnt/a.deb", timeout=300)
    expect(done.code == 0, f"dpkg -i ends with {done.code}: {done.last}")
    home = site.home()
    shutil.copy(EARLIER / "0.4/saved.attnviz", home / "my session.attnviz")
    give_to_user(home)
    user = Inside(tree, {HOME: home}, env={"HOME": HOME, "LANG": "C.UTF-8"}, cwd=HOME)
    version = user.run("attnviz", "--version")
    expect(version.code == 0, f"attnviz --version ends with {version.code}: {version.last}")
    doctor = user.run("attnviz", "doctor")
    expect(doctor.code == 0 and "missing" not in doctor.out, doctor.last)
    kind = user.run("gio", "info", "-a", "standard::content-type", "my session.attnviz").out
    expect(_TYPE in kind, f"a session's type is {kind.strip().splitlines()[-1:]}")
    with Screen() as screen:
        shown = replace(user, binds=user.binds | {f"/tmp/.X11-unix/{screen.socket.name}": screen.socket},
                        env={**user.env, "DISPLAY": screen.display})  # fmt: skip
        entry = "/usr/share/applications/attnviz.desktop"
        expect_launch(shown, screen, f"gio launch {entry}", "Untitled")
        expect_launch(shown, screen, "gio open 'my session.attnviz'", "my session")
    own = sorted(path.name for path in home.iterdir())
    done = root.run("dpkg", "-P", "attnviz", timeout=300)
    expect(done.code == 0 and "warning" not in done.err, f"dpkg -P: {done.code} {done.last}")
    left = {name for name, state in listing(tree).items() if before.get(name) != state}
    lost = set(before) - set(listing(tree))
    cached = {name for name in left if name.startswith(("usr/share/mime/", "usr/share/applications/mimeinfo"))
              and name in before}  # fmt: skip
    expect(not (left - cached or lost), f"left or changed: {sorted(left - cached)[:5]}; lost: {sorted(lost)[:5]}")
    expect(sorted(path.name for path in home.iterdir()) == own, "files of the user are gone")
    shutil.rmtree(tree)
    return f"depends on {', '.join(needed)}; its users keep {', '.join(own)}"


@check("install.sh adds the menu entry and the file type for one user, and removes them")
def _install_script(site: Site) -> str:
    tree = desktop(site, *BARE)
    home = site.home()
    shutil.copy(EARLIER / "0.4/saved.attnviz", home / "my session.attnviz")
    give_to_user(home)
    inside = replace(site.inside(home), tree=tree)
    script = f"{PLACE}/{site.top}/install.sh"
    before = sorted(files_of(home))
    done = inside.run(script)
    expect(done.code == 0, f"install.sh ends with {done.code}: {done.last}")
    entry = home / ".local/share/applications/attnviz.desktop"
    parser = configparser.RawConfigParser(delimiters=("=",))
    parser.read(entry, encoding="utf-8")
    program = shlex.split(parser["Desktop Entry"]["Exec"])[0]
    expect(program.replace("\\\\", "\\") == site.program, f"the menu entry starts {program}")
    check_entry = inside.run("desktop-file-validate", f"{HOME}/.local/share/applications/attnviz.desktop")
    expect(check_entry.code == 0, check_entry.last)
    with Screen() as screen:
        shown = replace(site.inside(home, screen), tree=tree)
        expect_launch(shown, screen, f"gio launch {HOME}/.local/share/applications/attnviz.desktop", "Untitled")
        expect_launch(shown, screen, "gio open 'my session.attnviz'", "my session")
    version = inside.run(f"{HOME}/.local/bin/attnviz", "--version")
    expect(version.code == 0, f"~/.local/bin/attnviz --version: {version.last}")
    again = inside.run(script)
    expect(again.code == 0, f"a second install.sh ends with {again.code}: {again.last}")
    done = inside.run(script, "--remove")
    expect(done.code == 0, f"install.sh --remove ends with {done.code}: {done.last}")
    state = (".local/state/", ".config/", ".cache/", ".local/share/attnviz")
    cached = (".local/share/mime/", ".local/share/applications/mimeinfo.cache")
    left = [name for name in files_of(home) if name not in before and not name.startswith((*state, *cached))]
    expect(not left, f"it leaves {', '.join(left[:5])}")
    kind = inside.run("gio", "info", "-a", "standard::content-type", "my session.attnviz").out
    expect(_TYPE not in kind, "the file type is still there")
    expect(any(name.startswith(".local/state/attnviz") for name in files_of(home)), "the state of the user is gone")
    shutil.rmtree(tree)
    return done.out.strip().splitlines()[-1]


def files_of(folder: Path) -> Iterator[str]:
    """Yield the files of a folder by their paths in it."""
    yield from (str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
