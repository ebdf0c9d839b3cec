"""The settings file of the window: PySide unpickles what stands in it, so that what no window wrote is never read."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("PySide6")
ROOT = Path(__file__).resolve().parents[2]

READ = """
import json
from PySide6.QtCore import QCoreApplication
from attnviz.gui.session.settings import open_settings
app = QCoreApplication([])
settings = open_settings()
print(json.dumps({key: repr(settings.value(key)) for key in ("theme", "recent", "geometry")}))
"""
WRITE = """
import os, sys
from PySide6.QtCore import QSettings
class Trap:
    def __reduce__(self):
        return os.mkdir, (sys.argv[2],)
settings = QSettings(sys.argv[1], QSettings.Format.IniFormat)
settings.setValue("theme", Trap())
settings.sync()
"""
DISGUISES = {
    "plain": lambda text: text,
    "hexadecimal": lambda text: text.replace("@Variant", r"\x40Variant"),
    "octal": lambda text: text.replace("@Variant", r"\100Variant"),
    "of two lines": lambda text: text.replace("@Variant", "@Var\\\niant"),
    "quoted": lambda text: text.replace("@Variant", '@Var""iant'),
}


def python(code: str, *arguments: str, **environment: str) -> str:
    env = os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"} | environment
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=env, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


@pytest.fixture(scope="module")
def pickled(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The text of a settings file that makes a folder when it is unpickled, and that folder."""
    folder = tmp_path_factory.mktemp("settings")
    python(WRITE, str(folder / "made.ini"), str(folder / "sprung"))
    text = (folder / "made.ini").read_text()
    assert "@Variant(" in text, "PySide writes objects in another way now: see whether it still unpickles them"
    return text, folder / "sprung"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere settings are in a database, not in a file")
@pytest.mark.parametrize("disguise", DISGUISES)
def test_that_nothing_in_the_settings_is_unpickled_however_it_is_spelt(
    disguise: str, pickled: tuple[str, Path], tmp_path: Path
) -> None:
    text, trap = pickled
    file = tmp_path / "attnviz" / "attnviz.conf"
    file.parent.mkdir()
    file.write_text(DISGUISES[disguise](text))
    (tmp_path / "attnviz.conf").write_text(text)  # where Qt looks for what stands nowhere else
    found = json.loads(python(READ, XDG_CONFIG_HOME=str(tmp_path)))
    assert set(found.values()) == {"None"}
    assert not trap.exists()
    assert not file.exists()
    assert file.with_suffix(".broken").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere settings are in a database, not in a file")
@pytest.mark.parametrize("earlier", [False, True], ids=["new", "of an earlier version"])
def test_that_the_names_of_files_in_the_settings_are_readable_by_their_user_alone(
    earlier: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "attnviz"
    if earlier:
        folder.mkdir(mode=0o755)
    python(READ, XDG_CONFIG_HOME=str(tmp_path))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
