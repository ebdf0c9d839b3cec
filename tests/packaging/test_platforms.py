"""The bundle on macOS and Windows, as far as it can be told elsewhere, and the workflow that builds all three."""

import plistlib
import re
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from PIL import Image

from attnviz.cli import main
from attnviz.export.document import ENDING

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "packaging" / "bundle"
sys.path.insert(0, str(BUNDLE))

import contents  # noqa: E402
import platforms  # noqa: E402

sys.path.remove(str(BUNDLE))


def test_that_windows_has_a_command_line_an_icon_and_a_version(tmp_path: Path) -> None:
    options = platforms.program_options("win32", "1.2.3", tmp_path)
    assert (options["console"], options["hide_console"]) == (True, "hide-early")
    assert "filevers=(1, 2, 3, 0)" in Path(options["version"]).read_text("utf-8")
    compile(Path(options["version"]).read_text("utf-8"), "version", "eval")
    with Image.open(options["icon"]) as icon:
        assert icon.format == "ICO"
        assert icon.info["sizes"] == {(size, size) for size in platforms.ICON_SIZES[".ico"]}
        assert icon.convert("RGBA").getchannel("A").getextrema()[1] == 255


def test_that_macos_has_an_icon_and_opens_sessions(tmp_path: Path) -> None:
    options = platforms.program_options("darwin", "1.2.3", tmp_path)
    with Image.open(options["icon"]) as icon:
        assert icon.format == "ICNS"
        assert icon.convert("RGBA").getchannel("A").getextrema()[1] == 255
    plist = plistlib.loads(plistlib.dumps(platforms.info_plist("1.2.3")))
    (opened,), (declared,) = plist["CFBundleDocumentTypes"], plist["UTExportedTypeDeclarations"]
    assert opened["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == [ENDING.removeprefix(".")]


def test_that_linux_has_no_options_of_its_own(tmp_path: Path) -> None:
    assert platforms.program_options("linux", "1.2.3", tmp_path) == {}


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    for path in (tmp_path / "attnviz" / "attnviz.exe", tmp_path / "attnviz.app" / "Contents" / "MacOS" / "attnviz"):
        path.parent.mkdir(parents=True)
        path.write_text("program")
    (tmp_path / "dist").mkdir()
    return tmp_path / "attnviz"


def test_that_the_archive_of_windows_has_one_folder_with_program_and_installer(
    frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platforms.sys, "platform", "win32")
    monkeypatch.setattr(platforms.platform, "machine", lambda: "AMD64")
    folder = frozen.parent / platforms.folder_name("1.2.3")
    folder.mkdir()
    (made,) = platforms.packed(frozen, frozen.parent / "dist", folder)
    assert made.name == "attnviz-1.2.3-windows-x86_64.zip"
    with zipfile.ZipFile(made) as archive:
        files = {name for name in archive.namelist() if not name.endswith("/")}
        script = archive.read("attnviz-1.2.3-windows-x86_64/install.cmd")
    assert files == {f"attnviz-1.2.3-windows-x86_64/{name}" for name in ("attnviz/attnviz.exe", "install.cmd")}
    assert script.count(b"\n") == script.count(b"\r\n") > 10
    assert f"\\{ENDING}".encode() in script


def test_that_macos_gets_an_archive_and_an_image_of_the_app(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[tuple[str, ...]] = []
    monkeypatch.setattr(platforms.sys, "platform", "darwin")
    monkeypatch.setattr(platforms.platform, "machine", lambda: "arm64")
    monkeypatch.setattr(platforms, "_run", lambda *command: commands.append(command))
    folder = frozen.parent / platforms.folder_name("1.2.3")
    folder.mkdir()
    made = [file.name for file in platforms.packed(frozen, frozen.parent / "dist", folder)]
    assert made == ["attnviz-1.2.3-macos-arm64.zip", "attnviz-1.2.3-macos-arm64.dmg"]
    assert (folder / "attnviz.app/Contents/MacOS/attnviz").exists()
    assert [(command[0], str(folder) in command) for command in commands] == [("ditto", True), ("hdiutil", True)]


def test_that_the_exclusions_of_qt_hold_for_the_folders_of_windows() -> None:
    assert not contents.belongs("PySide6\\plugins\\tls\\qopensslbackend.dll")
    assert not contents.belongs("PySide6\\translations\\qtbase_de.qm")
    assert contents.belongs("PySide6\\translations\\qtbase_zh_CN.qm")
    assert contents.belongs("PySide6\\plugins\\platforms\\qwindows.dll")


def test_that_the_workflow_builds_and_checks_every_system_with_commands_that_exist(
    capsys: pytest.CaptureFixture[str],
) -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/bundles.yml").read_text("utf-8"))
    job = workflow["jobs"]["bundle"]
    assert {each["system"] for each in job["strategy"]["matrix"]["include"]} == {"linux", "macos", "windows"}
    commands = "\n".join(step.get("run", "") for step in job["steps"])
    (script, command) = re.findall(r"python (packaging/\S+) (\w+)", commands)[0]
    assert f'"{command}"' in (ROOT / script).read_text("utf-8")
    assert "doctor --self-test" in commands
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    assert "--self-test" in capsys.readouterr().out
    for step in job["steps"]:
        assert re.fullmatch(r"actions/[\w-]+@v\d+\.\d+\.\d+", step.get("uses", "actions/none@v0.0.0"))
