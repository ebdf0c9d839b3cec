"""An upgrade: sessions, unsaved work and settings of earlier versions, as these wrote them themselves.

`earlier/` has them by version: saved and unsaved work of a window, and its settings file. 0.5 to 0.7 wrote the very
bytes that 0.4 did; ``{home}`` stands for the home folder.
"""

import shutil
from pathlib import Path

from checking.screen import Screen
from checking.site import HOME, Site, check, expect
from checking.starts import restore, wait_for_window
from checking.work import give_to_user

EARLIER = Path(__file__).with_name("earlier")
_DARK = 80
"""The most that a colour of the dark theme's background has, of 255."""


def home_of(site: Site, version: Path) -> Path:
    """Return a home as a version left it after it was killed."""
    home = site.home()
    config, state = home / ".config/attnviz", home / ".local/state/attnviz"
    for folder in (config, state):
        folder.mkdir(parents=True)
    settings = (version / "attnviz.conf").read_text(encoding="utf-8").replace("{home}", HOME)
    (config / "attnviz.conf").write_text(settings, encoding="utf-8")
    shutil.copy(version / "saved.attnviz", home)
    shutil.copy(version / "unsaved.attnviz", state / "0123456789abcdef0123456789abcdef.attnviz")
    give_to_user(home)
    return home


@check("sessions of 0.4 to 0.9 give the checkout's numbers")
def _sessions(site: Site) -> None:
    for version in sorted(EARLIER.iterdir()):
        home = home_of(site, version)
        site.attnviz("export", "saved.attnviz", "-o", "ours.npz", inside=site.inside(home))
        site.checkout("export", "saved.attnviz", "-o", "theirs.npz", cwd=home)
        site.expect_same(home / "ours.npz", home / "theirs.npz", f"the session of {version.name}")


@check("settings of 0.4 to 0.9 are in force and kept, and unsaved work is restored")
def _settings(site: Site) -> None:
    for version in sorted(EARLIER.iterdir()):
        home = home_of(site, version)
        conf = home / ".config/attnviz/attnviz.conf"
        before = set(conf.read_text(encoding="utf-8").splitlines())
        with Screen() as screen:
            inside = site.inside(home, screen)
            with inside.start(site.program) as window:  # its size and theme are those of the settings
                wait_for_window(screen)
                screen.wait_for_rest()
                screen.save(site.folder / f"upgrade-{version.name}.png")
                middle = screen.pixels()[4 * (1280 * 700 + 1100) :][:3]
                expect(max(middle) < _DARK, f"the dark theme of {version.name} is not in force")
                screen.click(640, 760)
                screen.press("ctrl+q")
                window.wait(20)
            gone = {line for line in before - set(conf.read_text(encoding="utf-8").splitlines())
                    if not line.startswith("geometry=")}  # fmt: skip
            expect(not gone, f"settings of {version.name} are lost: {'; '.join(gone)}")
            screen.wait_until(lambda: screen.lit() < 0.1, 10)
            restore(site, inside, screen, home / ".local/state/attnviz")
