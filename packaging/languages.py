#!/usr/bin/env python3
"""Bring the catalogues of other languages up to date with resources/translations/attnviz.ts, and compile them for Qt.

``attnviz_zh_CN.ts`` keeps the translations of texts that are still there; a new text is there, unfinished. Beside it
``attnviz_zh_CN.qm`` is what Qt's lrelease makes of it, with one context for all texts, since the window asks for a text
wherever it stands. With ``--check`` nothing is written: a text without its translation is an error, and so is a
translation with other words in braces.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources/translations"
_CONTEXT = re.compile("<name>.*?</name>")
_WORD = re.compile(r"\{[^{}]*\}")


def updated(catalogue: str, language: str, before: str) -> str:
    """Return the catalogue in a language, with the translations that it had before."""
    root = ElementTree.fromstring(catalogue)
    root.set("language", language)
    known = translations(before) if before else {}
    for message in root.iter("message"):
        forms = known.get(message.findtext("source", ""))
        place = message.find("translation")
        assert place is not None
        has_forms = message.get("numerus") == "yes"
        if forms is None or (len(forms) > 1 and not has_forms):
            continue
        del place.attrib["type"]
        if has_forms:
            for old in list(place):
                place.remove(old)
            for form in forms:
                ElementTree.SubElement(place, "numerusform").text = form
        else:
            place.text = forms[0]
    text = ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{text}\n'


def translations(catalogue: str) -> dict[str, tuple[str, ...]]:
    """Return the finished translations of a catalogue, each with its forms for numbers."""
    found = {}
    for message in ElementTree.fromstring(catalogue).iter("message"):
        done = message.find("translation")
        if done is not None and done.get("type") is None:
            forms = tuple(form.text or "" for form in done.iter("numerusform")) or (done.text or "",)
            found[message.findtext("source", "")] = forms
    return found


def problems(catalogue: str) -> list[str]:
    """Return what is wrong with the catalogue of a language, a line each."""
    done = translations(catalogue)
    sources = [message.findtext("source", "") for message in ElementTree.fromstring(catalogue).iter("message")]
    found = [f"has no translation: {source}" for source in sources if source not in done]
    for source, forms in done.items():
        words = Counter(_WORD.findall(source))
        others = [form for form in forms if Counter(_WORD.findall(form)) != words]
        found += [f"has other words in braces: {source!r}: {form!r}" for form in others]
    return found


def compiled(catalogue: str) -> bytes:
    """Return what Qt reads: all finished texts in the context "attnviz"."""
    import PySide6

    lrelease = Path(PySide6.__file__).with_name("lrelease")
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "attnviz.ts"), Path(folder, "attnviz.qm")
        source.write_text(_CONTEXT.sub("<name>attnviz</name>", catalogue), encoding="utf-8")
        subprocess.run([lrelease, "-silent", source, "-qm", made], check=True)
        return made.read_bytes()


def main() -> int:
    """Write what has changed, or check that nothing has to; return the exit code."""
    english = (FOLDER / "attnviz.ts").read_text(encoding="utf-8")
    wrong = 0
    for path in sorted(FOLDER.glob("attnviz_*.ts")):
        before = path.read_text(encoding="utf-8")
        after = updated(english, path.stem.removeprefix("attnviz_"), before)
        made, qm = compiled(after), path.with_suffix(".qm")
        if "--check" not in sys.argv:
            path.write_text(after, encoding="utf-8")
            qm.write_bytes(made)
        elif after != before or not qm.is_file() or qm.read_bytes() != made:
            print(f"{path.relative_to(ROOT)} is not of these texts; run packaging/languages.py")
            wrong += 1
        for problem in problems(after):
            print(f"{path.name} {problem}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
