"""Make resources/fonts/NotoSansSC-*.otf: the Chinese font for systems without one, a subset of Noto Sans CJK SC.

Run it as `python packaging/chinese_font.py` where Debian's fonts-noto-cjk and fonttools are installed. The font has the
6763 characters of GB 2312, Chinese punctuation, full-width forms, and every character of the project's Chinese texts.
The same fonts-noto-cjk and fonttools write the same bytes.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path("/usr/share/fonts/opentype/noto")
FACE, FAMILY = "Noto Sans CJK SC", "attnviz Sans SC"
"""The family has a name of its own, so that it never stands for an installed one with more characters."""
STYLES = {"Regular": 400, "Bold": 700}
TEXTS = ("resources/**/zh_CN/*.md", "resources/translations/*_zh_CN.ts", "resources/presets/*.json", "README.zh-CN.md")
ABOUT = "A subset of Noto Sans CJK SC 2.004 under another name. Its licence is in NotoSansSC-OFL.txt."


def characters() -> set[int]:
    """Return the code points of the font."""
    cells = (bytes((row, cell)) for row in range(0xA1, 0xF8) for cell in range(0xA1, 0xFF))
    gb2312 = {ord(text) for code in cells if (text := code.decode("gb2312", "ignore"))}
    own = {ord(sign) for pattern in TEXTS for path in ROOT.glob(pattern) for sign in path.read_text(encoding="utf-8")}
    punctuation = {*range(0x2010, 0x2028), *range(0x3000, 0x3020), *range(0xFF00, 0xFFF0)}
    return {*range(0x20, 0x7F), *(code for code in gb2312 if code >= 0x2E80), *own, *punctuation}


def subset(style: str, wanted: Iterable[int]) -> Any:
    """Return the wanted characters of one style, under the name of the subset."""
    fonts = TTCollection(SOURCE / f"NotoSansCJK-{style}.ttc").fonts
    font: Any = next(each for each in fonts if each["name"].getDebugName(1) == FACE)
    options = Options(
        layout_features=[],  # the forms for Japan, Korea and Taiwan would double the size
        hinting=False,
        notdef_outline=True,
        name_IDs=["*"],
        drop_tables=["BASE", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"],
        recalc_timestamp=False,
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    _rename(font, style)
    return font


def _rename(font: Any, style: str) -> None:
    """Replace the family's name; the notes about authors, copyright and licence stay."""
    names = font["name"]
    postscript = f"{FAMILY.replace(' ', '')}-{style}"
    names.names = [each for each in names.names if (each.platformID, each.langID) == (3, 0x409) and each.nameID < 16]
    given = {1: FAMILY, 2: style, 3: f"2.004;{postscript}", 4: f"{FAMILY} {style}", 6: postscript, 10: ABOUT}
    for number, text in given.items():
        names.setName(text, number, 3, 1, 0x409)
    top = font["CFF "].cff
    top.fontNames = [postscript]
    top.topDictIndex[0].FullName, top.topDictIndex[0].FamilyName = f"{FAMILY} {style}", FAMILY
    font["OS/2"].usWeightClass = STYLES[style]


def main() -> int:
    wanted = characters()
    for style in STYLES:
        path = ROOT / "resources" / "fonts" / f"NotoSansSC-{style}.otf"
        font = subset(style, wanted)
        font.save(path)
        print(f"{path.relative_to(ROOT)}: {len(font.getBestCmap())} characters, {path.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
