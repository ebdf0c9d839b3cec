"""Packs the frozen program: for Linux an archive with an installer for one user, and a Debian package.

The same commit yields the same files: sorted, with the time of the commit, owned by root.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import licences
import platforms
import zstandard
from glibc import oldest_glibc

import attnviz

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COLLECTED = ROOT / "build/work/attnviz/collected.json"
"""What `attnviz.spec` says about the files of the frozen program."""
LEVEL = 12
"""The level of compression by zstd: 19 would save a tenth of the size, and take ten times as long."""
SHARED = {
    ROOT / "resources/icons/attnviz.svg": "icons/hicolor/scalable/apps/attnviz.svg",
    ROOT / "packaging/attnviz.desktop": "applications/attnviz.desktop",
    ROOT / "packaging/attnviz-mime.xml": "mime/packages/attnviz.xml",
}
"""What a desktop reads, and where under share/ it looks."""
CONTROL = """\
Package: attnviz
Version: {version}
Architecture: {architecture}
Maintainer: the attnviz founders
Installed-Size: {kilobytes}
Depends: libc6 (>= {glibc}), libegl1, libexpat1, libgl1, libstdc++6, xkb-data
Section: science
Priority: optional
Description: desktop workbench for attention
 Change a setting and watch the weights of the real PyTorch module. Four labs:
 attention, kernel regression, training, and pretrained models from a folder.
"""
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
"""Debian's names of the machines."""


def packed(frozen: Path, dist: Path, time: int) -> Iterator[Path]:
    """Yield the archives; on Linux one and, where dpkg-deb is, the package.

    Args:
        frozen: the folder of the frozen program, which becomes a part of the archive's folder beside it.
        dist: the folder of what is yielded.
        time: the time of all files, in seconds since 1970.
    """
    dist.mkdir(exist_ok=True)
    folder = frozen.parent / platforms.folder_name(attnviz.__version__)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(ROOT / "LICENSE", folder)
    licences.write(folder / "licences", json.loads(COLLECTED.read_text(encoding="utf-8"))["sources"])
    if sys.platform != "linux":
        yield from platforms.packed(frozen, dist, folder)
        return
    frozen.rename(folder / "attnviz")
    for path in (*SHARED, HERE / "START.txt"):
        shutil.copy(path, folder)
    glibc = oldest_glibc(folder.rglob("*"))
    installer = folder / "install.sh"
    installer.write_text(
        (HERE / installer.name).read_text(encoding="utf-8").replace("@GLIBC@", glibc), encoding="utf-8"
    )
    installer.chmod(0o755)
    yield archived(folder, dist / f"{folder.name}.tar.zst", time)
    if shutil.which("dpkg-deb"):
        yield package(folder, dist, time, glibc)
    else:
        print("no .deb, for dpkg-deb is missing here; on Debian and Ubuntu: sudo apt-get install dpkg")


def archived(folder: Path, file: Path, time: int) -> Path:
    """Write the archive of a folder."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = time
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    compressor = zstandard.ZstdCompressor(level=LEVEL, threads=-1, write_checksum=True)
    with (
        file.open("wb") as raw,
        compressor.stream_writer(raw) as stream,
        tarfile.open(fileobj=stream, mode="w|") as tar,
    ):
        tar.add(folder, folder.name, filter=plain)  # its entries are sorted by name
    return file


def package(folder: Path, dist: Path, time: int, glibc: str) -> Path:
    """Write the Debian package with the content of the archive's folder."""
    tree = folder.parent / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    share, program = tree / "usr/share", tree / "usr/lib/attnviz"
    for path, place in SHARED.items():
        (share / place).parent.mkdir(parents=True)
        shutil.copy(path, share / place)
    shutil.copytree(folder / "attnviz", program, symlinks=True, copy_function=os.link)  # no second gigabyte
    (tree / "usr/bin").mkdir()
    (tree / "usr/bin/attnviz").symlink_to("../lib/attnviz/attnviz")
    documents = share / "doc/attnviz"
    documents.mkdir(parents=True)
    shutil.copy(folder / "LICENSE", documents / "copyright")
    shutil.copytree(folder / "licences", documents / "licences")
    size = sum(path.lstat().st_size for path in tree.rglob("*")) // 1024
    version, architecture = attnviz.__version__, ARCHITECTURES[platform.machine()]
    (tree / "DEBIAN").mkdir()
    text = CONTROL.format(version=version, architecture=architecture, kilobytes=size, glibc=glibc)
    (tree / "DEBIAN/control").write_text(text, encoding="utf-8")
    file = dist / f"attnviz_{version}_{architecture}.deb"
    options = ["--root-owner-group", "-Zzstd", f"-z{LEVEL}", "--build"]
    env = os.environ | {"SOURCE_DATE_EPOCH": str(time)}
    subprocess.run(["dpkg-deb", *options, str(tree), str(file)], check=True, env=env, stdout=subprocess.DEVNULL)
    return file


if __name__ == "__main__":
    for made in packed(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])):
        print(f"{made.stat().st_size / 1e6:7.1f} MB {made.name}", flush=True)
