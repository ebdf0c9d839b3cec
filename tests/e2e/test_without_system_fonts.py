import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.font_manager import get_font

from attnviz.folders import CHINESE_FONT, chinese_font

ROOT = Path(__file__).parents[2]
EMPTY = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}</cachedir></fontconfig>"""
WINDOW = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QRawFont
from attnviz.gui.app import make_application
from attnviz.gui.language import has_glyphs
app = make_application()
image = QImage(60, 60, QImage.Format.Format_RGB32)
image.fill(Qt.GlobalColor.white)
with QPainter(image) as painter:
    painter.drawText(20, 40, "注")
ink = sum(image.pixelColor(x, y).lightness() < 128 for x in range(60) for y in range(60))
print(has_glyphs("zh_CN"), ink > 20, QFontMetrics(app.font()).inFontUcs4(ord("龘")))
"""
FIGURE = """
import matplotlib.font_manager as known
known.findSystemFonts = lambda *_, **__: []
known.fontManager.ttflist = [each for each in known.fontManager.ttflist if each.name.startswith("DejaVu")]
from attnviz.export.figures.type_style import families, without_glyph
print(families()[1:], sorted(without_glyph(["注意力，“模型”龘"])))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig")
@pytest.mark.parametrize(
    ("code", "said"),
    [(WINDOW, "True True False\n"), (FIGURE, f"['{CHINESE_FONT}'] ['龘']\n")],
    ids=["window", "figure"],
)
def test_that_chinese_has_glyphs_where_the_system_has_no_font_for_it(code: str, said: str, tmp_path: Path) -> None:
    settings = tmp_path / "fonts.conf"
    settings.write_text(EMPTY.format(folder=tmp_path), encoding="utf-8")
    env = os.environ | {"FONTCONFIG_FILE": str(settings), "QT_QPA_PLATFORM": "offscreen", "MPLCONFIGDIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.returncode) == (said, 0), done.stderr


def test_that_the_chinese_font_has_every_character_of_the_chinese_texts() -> None:
    catalogue = ElementTree.parse(ROOT / "resources" / "translations" / "attnviz_zh_CN.ts")
    texts = ["".join(each.itertext()) for each in catalogue.iter("translation")]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "resources").rglob("zh_CN/*.md")]
    chinese = {sign for sign in set().union(*texts) if ord(sign) >= 0x2E80}
    assert len(chinese) > 900
    files = chinese_font()
    assert [path.stem for path in files] == ["NotoSansSC-Bold", "NotoSansSC-Regular"]
    for path in files:
        font = get_font(path)
        assert {sign for sign in chinese if not font.get_char_index(ord(sign))} == set()
        assert font.family_name == CHINESE_FONT
