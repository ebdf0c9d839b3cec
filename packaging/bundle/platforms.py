"""The bundle on macOS (arm64) and Windows (x86_64): icon, version, file type, and how it is packed.

Both are unsigned. For Linux, see `pack.py`.
"""

import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ICON = ROOT / "resources/icons/attnviz.svg"
NAMES = {"amd64": "x86_64"}
"""Names of machines that differ from Linux's."""
IDENTIFIER = "attnviz.desktop"
"""The name by which macOS knows the app."""
SESSION_TYPE = "attnviz.session"
"""The name by which macOS knows the type of sessions."""
ICON_SIZES = {".ico": (16, 24, 32, 48, 64, 128, 256), ".icns": (16, 32, 64, 128, 256, 512, 1024)}
"""The sides of an icon in pixels, by the suffix of its file."""
VERSION_RESOURCE = """\
VSVersionInfo(
    ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0, OS=0x40004, fileType=1),
    kids=[
        StringFileInfo([StringTable("040904B0", [
            StringStruct("FileDescription", "attnviz"),
            StringStruct("FileVersion", "{version}"),
            StringStruct("OriginalFilename", "attnviz.exe"),
            StringStruct("ProductName", "attnviz"),
            StringStruct("ProductVersion", "{version}"),
        ])]),
        VarFileInfo([VarStruct("Translation", [0x0409, 1200])]),
    ],
)
"""


def program_options(system: str, version: str, folder: Path) -> dict[str, Any]:
    """Return what PyInstaller's EXE takes for a system, a value of `sys.platform`; its files are made in a folder."""
    if system == "win32":
        resource = folder / "version.txt"
        resource.write_text(version_resource(version), encoding="utf-8")
        icon = write_icon(folder / "attnviz.ico")
        # A console program, so that the command line works; its own console disappears at a double click.
        return {"icon": str(icon), "version": str(resource), "console": True, "hide_console": "hide-early"}
    if system == "darwin":  # the arguments are emulated for sessions that are opened by a double click
        return {"icon": str(write_icon(folder / "attnviz.icns")), "console": False, "argv_emulation": True}
    return {}


def version_resource(version: str) -> str:
    """Return what PyInstaller reads as the version that Windows shows of a program."""
    numbers = [int(part) for part in version.split(".")[:3] if part.isdigit()]
    return VERSION_RESOURCE.format(version=version, numbers=(*numbers, 0, 0, 0, 0)[:4])


def info_plist(version: str) -> dict[str, Any]:
    """Return what macOS reads about the app: its version, and that it opens sessions."""
    return {
        "CFBundleShortVersionString": version,
        "NSHighResolutionCapable": True,
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "attnviz session",
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [SESSION_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": SESSION_TYPE,
                "UTTypeDescription": "attnviz session",
                "UTTypeConformsTo": ["public.json"],
                "UTTypeTagSpecification": {"public.filename-extension": ["attnviz"]},
            }
        ],
    }


def write_icon(file: Path) -> Path:
    """Draw the icon in all sizes into a file, .ico or .icns; return the file."""
    sizes = ICON_SIZES[file.suffix]
    with tempfile.TemporaryDirectory() as folder:
        png = Path(folder, "icon.png")
        picture = QImage(sizes[-1], sizes[-1], QImage.Format.Format_ARGB32)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        QSvgRenderer(str(ICON)).render(painter)
        painter.end()
        picture.save(str(png))
        with Image.open(png) as image:
            image.save(file, sizes=[(size, size) for size in sizes])
    return file


def packed(frozen: Path, dist: Path, folder: Path) -> Iterator[Path]:
    """Yield the archives for the system at work.

    Args:
        frozen: the folder of the frozen program; on macOS, the app is beside it.
        dist: the folder of what is yielded.
        folder: the folder to pack, with the licences; the program is moved into it.
    """
    if sys.platform == "darwin":
        frozen.with_suffix(".app").rename(folder / "attnviz.app")
        file = dist / f"{folder.name}.zip"
        _run("ditto", "-c", "-k", "--keepParent", str(folder), str(file))  # keeps the links within the app
        yield file
        image = dist / f"{folder.name}.dmg"
        _run(
            "hdiutil", "create", "-ov", "-format", "UDZO", "-volname", "attnviz", "-srcfolder", str(folder), str(image)
        )
        yield image
    else:
        frozen.rename(folder / "attnviz")
        text = (HERE / "install.cmd").read_text(encoding="utf-8")
        (folder / "install.cmd").write_text(text, encoding="utf-8", newline="\r\n")
        yield Path(shutil.make_archive(str(dist / folder.name), "zip", folder.parent, folder.name))


def folder_name(version: str) -> str:
    """Return the name of the archive's folder on the system at work."""
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    return f"attnviz-{version}-{system}-{NAMES.get(machine, machine)}"


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
