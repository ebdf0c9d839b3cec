"""Qt reads the catalogue of texts, and a text that cannot be translated is refused.

That it is the catalogue of the sources is one of the checks of `packaging/bootstrap.py`.
"""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import PySide6
import pytest

ROOT = Path(__file__).resolve().parents[2]


def _loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"packaging/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """Return `packaging/extract_texts.py`."""
    return _loaded("extract_texts")


@pytest.fixture(scope="module")
def languages() -> ModuleType:
    """Return `packaging/languages.py`."""
    return _loaded("languages")


LRELEASE = Path(PySide6.__file__).with_name("lrelease")


@pytest.mark.skipif(not LRELEASE.is_file(), reason="Qt's tools are not here")
def test_that_qt_reads_the_catalogue(script: ModuleType, tmp_path: Path) -> None:
    command = [str(LRELEASE), str(script.CATALOGUE), "-qm", str(tmp_path / "attnviz.qm")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    texts = script.CATALOGUE.read_text(encoding="utf-8").count("<message")
    assert f"Ignored {texts} untranslated source text(s)" in done.stdout


def test_that_a_translation_with_other_words_or_none_is_told(languages: ModuleType) -> None:
    message = "<message><source>{0} of {count}</source><translation>{0} / {n}</translation></message>"
    new = '<message><source>New</source><translation type="unfinished"></translation></message>'
    catalogue = f'<TS version="2.1"><context><name>a</name>{message}{new}</context></TS>'
    assert languages.problems(catalogue) == [
        "has no translation: New",
        "has other words in braces: '{0} of {count}': '{0} / {n}'",
    ]


def test_that_what_is_gone_leaves_a_language_and_what_stays_keeps_its_translation(languages: ModuleType) -> None:
    before = '<TS version="2.1"><context><name>a</name>{}</context></TS>'
    done = "<message><source>{0}</source><translation>{1}</translation></message>"
    new = '<message><source>{0}</source><translation type="unfinished"></translation></message>'
    english = before.format(new.format("Kept") + new.format("New"))
    after = languages.updated(english, "zh_CN", before.format(done.format("Kept", "留") + done.format("Gone", "去")))
    assert languages.translations(after) == {"Kept": ("留",)}
    assert languages.problems(after) == ["has no translation: New"]


_LAB = "from attnviz.definitions.text import English, Text\nclass Lab:\n    title: English\n    about: str\n"


def read(script: ModuleType, source: str) -> tuple[set[str], list[str]]:
    """Return the texts that are found in a source, and what is refused in it."""
    tree = ast.parse(_LAB + source)
    signatures = script.Signatures()
    signatures.read(
        "attnviz.definitions.text", ast.parse("class Text:\n    template: English\n    words: dict\n    one: One")
    )
    signatures.read("attnviz.mine", tree)
    found = script.Source(ROOT / "attnviz/mine.py", "attnviz.mine", tree, signatures)
    return set(found.texts), found.problems


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("self.tr('Heads')", {"Heads"}),
        ("Text('{count} heads', {'count': 3}, one='1 head')", {"{count} heads"}),
        ("Text('on' if lit else 'off')", {"on", "off"}),
        ("Lab(title='Attention', about='not shown')", {"Attention"}),
        ("Lab('Attention', 'not shown')", {"Attention"}),
        ("def f(lit):\n    name = 'a' 'b'\n    if lit:\n        name = 'c'\n    return Text(name)", {"ab", "c"}),
        ("WORDS: dict[str, English] = {'key': 'Word'}\nText(WORDS['key'])", {"Word"}),
        ("def f(lab: Lab):\n    Text(lab.title)", set()),
        ("def name(x) -> English:\n    return 'left' if x else 'right'\nText(name(1))", {"left", "right"}),
    ],
)
def test_that_a_text_is_found_wherever_it_is_written(script: ModuleType, source: str, texts: set[str]) -> None:
    assert read(script, source) == (texts, [])


@pytest.mark.parametrize(
    "source",
    [
        "self.tr(f'{count} heads')",
        "self.tr('{0} heads'.format(3))",
        "self.tr('Heads: ' + name)",
        "def f(name):\n    Text(name)",
        "def f(lab: Lab):\n    Text(lab.about)",
        "Lab(title=made(3))",
        "def f(lit):\n    name = 'a'\n    if lit:\n        name = other()\n    Text(name)",
    ],
)
def test_that_what_no_catalogue_can_have_is_refused(script: ModuleType, source: str) -> None:
    assert len(read(script, source)[1]) == 1
