"""The characters of attnviz's languages for which no font has a glyph: `python -m attnviz.gui.glyphs` prints them.

`attnviz doctor` runs it as a process of its own, since Qt ends a process in which it cannot start.
"""

import sys

from PySide6.QtGui import QFontMetrics, QGuiApplication

from attnviz.experiment.texts.languages import languages
from attnviz.folders import resource
from attnviz.gui.theme import LIGHT, Look, load_fonts

_MOST = 20


def lost_glyphs(code: str) -> str:
    """Return the characters of a language's translation that no installed font has."""
    texts = resource(f"translations/attnviz_{code}.ts").read_text(encoding="utf-8")
    metrics = QFontMetrics(Look(LIGHT).font())
    return "".join(sorted(sign for sign in set(texts) if sign.isprintable() and not metrics.inFontUcs4(ord(sign))))


def main() -> int:
    """Print a line about each language."""
    app = QGuiApplication(["attnviz"])
    load_fonts()
    for code in languages():
        if resource("translations").joinpath(f"attnviz_{code}.ts").is_file():
            lost = lost_glyphs(code)
            more = f" and {len(lost) - _MOST} more" if len(lost) > _MOST else ""
            codes = " ".join(f"U+{ord(sign):04X}" for sign in lost[:_MOST])
            missing = f"missing: {codes}{more}; install a font such as Noto Sans CJK"
            print(f"glyphs of {code}: {missing if lost else 'all there'}")
    del app
    return 0


if __name__ == "__main__":
    sys.exit(main())
