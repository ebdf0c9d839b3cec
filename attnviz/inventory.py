"""Which files attnviz has: resources, fonts and Qt's plugins. Imports nothing that may be missing."""

import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from attnviz.folders import resource

_KINDS = {
    "data": ("colour_maps.json", "kernel_regression_book.json"),
    "first_picture.npz": (),
    "fonts": (
        *(f"Inter-{weight}.otf" for weight in ("Medium", "Regular", "SemiBold")),
        *(f"NotoSansSC-{weight}.otf" for weight in ("Bold", "Regular")),
    ),
    "help": ("window.md", "glossary.md"),
    "icons": ("attnviz.svg",),
    "images": ("shapes.png",),
    "lesson_page": ("page.css", "page.html", "page.js"),
    "lessons": ("10-a-head-is-born.attnviz",),
    "models": ("induction/config.json", "induction/model.safetensors", "induction/tokenizer.json"),
    "presets": (),
    "style.qss": (),
    "translations": ("attnviz_zh_CN.qm", "attnviz_zh_CN.ts"),
}
"""What is in resources/, each with the files that the code names."""
_FORMULA_FONTS = {
    "ziafont": ("fonts/*.ttf",),
    "ziamath": ("fonts/STIXTwoMath-Regular.ttf",),
    "latex2mathml": ("unimathsymbols.txt",),
    "matplotlib": ("mpl-data/fonts/ttf/DejaVuSans.ttf", "mpl-data/matplotlibrc"),
}
_PLUGINS = {
    "linux": ("platforms/*xcb*", "platforms/*offscreen*", "platforms/*wayland*", "imageformats/*qsvg*"),
    "darwin": ("platforms/*cocoa*", "platforms/*offscreen*", "imageformats/*qsvg*"),
    "win32": ("platforms/*qwindows*", "platforms/*offscreen*", "imageformats/*qsvg*"),
}


def resources() -> Iterator[tuple[str, bool]]:
    """Yield a line about each kind of resource, and whether it is complete.

    Raises:
        MissingResourceError: there are no resources.
    """
    root = resource("presets").parent
    installed = _recorded()
    for kind, named in _KINDS.items():
        place = root / kind
        wanted = {f"{kind}/{name}" for name in named} | {path for path in installed if path.split("/")[0] == kind}
        wanted = wanted or {kind}
        lost = sorted(path for path in wanted if not (root / path).exists())
        files = [path for path in (place.rglob("*") if place.is_dir() else [place]) if path.is_file()]
        unreadable = [path.relative_to(root).as_posix() for path in files if not _is_readable(path)]
        wrong = [f"missing: {', '.join(lost)}"] * bool(lost) + [f"unreadable: {', '.join(unreadable)}"] * bool(
            unreadable
        )
        wrong += ["missing: every file"] * (not files and not lost)
        count = f"{len(files)} file{'s' * (len(files) != 1)}"
        yield f"resource {kind}: {'; '.join(wrong) or count}", not wrong


def _recorded() -> set[str]:
    """Return the resources that an installed wheel lists; none in a checkout."""
    try:
        files = importlib.metadata.files("attnviz") or ()
    except importlib.metadata.PackageNotFoundError:
        return set()
    paths = (PurePosixPath(file.as_posix()) for file in files)
    return {str(path.relative_to("attnviz/_resources")) for path in paths if path.is_relative_to("attnviz/_resources")}


def _is_readable(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def formula_files() -> Iterator[tuple[str, bool]]:
    """Yield a line about the fonts and tables of formulas of each installed library."""
    for package, patterns in _FORMULA_FONTS.items():
        folder = _folder_of(package)
        if folder is not None:
            lost = [pattern for pattern in patterns if not any(folder.glob(pattern))]
            state = f"missing: {', '.join(lost)}" if lost else "all there"
            yield f"fonts of formulas, {package}: {state}", not lost


def plugins() -> Iterator[tuple[str, bool]]:
    """Yield a line about each of Qt's plugins that attnviz uses on this system."""
    folder = _folder_of("PySide6")
    if folder is None:
        return
    places = [place for place in (folder / "Qt" / "plugins", folder / "plugins") if place.is_dir()]
    for pattern in _PLUGINS.get(sys.platform, _PLUGINS["linux"]):
        has = any(any(place.glob(f"{pattern}")) for place in places)
        yield f"Qt plugin {pattern.replace('*', '')}: {'there' if has else 'missing'}", has


def _folder_of(package: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    places = None if spec is None else spec.submodule_search_locations
    return Path(next(iter(places))) if places else None
