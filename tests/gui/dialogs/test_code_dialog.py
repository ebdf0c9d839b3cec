"""Copy as PyTorch: the script of the run on screen, shown in colours, on the clipboard, and saved."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from small_specs import attention, training
from windows import At

from attnviz.experiment.labs import Spec, make_spec
from attnviz.export.code.script import flex_code, pytorch_code
from attnviz.gui.dialogs.code_dialog import CodeDialog
from attnviz.gui.window.main_window import MainWindow


def opened(window: MainWindow, qtbot: QtBot) -> CodeDialog:
    QGuiApplication.clipboard().clear()
    window.actions_["code"].trigger()
    dialog = window.dialogs.code
    qtbot.waitUntil(dialog.isVisible)
    return dialog


@pytest.mark.parametrize(
    ("spec", "needs"),
    [
        pytest.param(attention(seed=4, causal=True), "nothing but PyTorch", id="attention"),
        pytest.param(training(seed=2), "nothing but PyTorch", id="regression"),
        pytest.param(make_spec({"lab": "model"}), "PyTorch, tokenizers, transformers", id="model"),
    ],
)
def test_that_the_script_is_shown_and_copied_at_once(spec: Spec, needs: str, at: At, qtbot: QtBot) -> None:
    dialog = opened(at(spec), qtbot)
    script = pytorch_code(spec)
    assert QGuiApplication.clipboard().text() == script
    assert dialog.text.toPlainText().strip() == script.strip()
    assert dialog.said.text() == f"The script is on the clipboard. It needs {needs}."
    dialog.reject()


def test_that_flex_attention_is_a_choice_that_is_copied_and_saved(
    at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = attention(seed=4, causal=True)
    dialog = opened(at(spec), qtbot)
    dialog.form.press("flex")
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == flex_code(spec))
    assert dialog.text.toPlainText().strip() == flex_code(spec).strip()
    asked: list[str] = []
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *args: (asked.append(args[2]) or str(tmp_path / "x"), "")
    )
    dialog.save.click()
    qtbot.waitUntil((tmp_path / "x.py").exists)
    assert (tmp_path / "x.py").read_text(encoding="utf-8") == flex_code(spec)
    assert Path(asked[0]).stem.endswith("_flex")


@pytest.mark.parametrize(
    ("spec", "why_not"),
    [
        pytest.param(attention(mechanism="additive"), "Additive has no form in FlexAttention", id="attention"),
        pytest.param(training(seed=2), "", id="a-lab-without-it"),
    ],
)
def test_that_a_run_without_a_form_in_flex_attention_says_why(spec: Spec, why_not: str, at: At, qtbot: QtBot) -> None:
    dialog = opened(at(spec), qtbot)
    assert dialog.form.isHidden()
    assert dialog.no_flex.text().startswith(why_not)
    assert dialog.no_flex.isHidden() is not bool(why_not)
    dialog.reject()


def test_that_its_words_are_coloured(at: At, qtbot: QtBot) -> None:
    dialog = opened(at(attention()), qtbot)
    cursor = dialog.text.document().find("import torch")
    cursor.setPosition(cursor.selectionStart() + 1)
    keyword = cursor.charFormat().foreground().color()
    cursor = dialog.text.document().find("manual_seed")
    cursor.setPosition(cursor.selectionStart() + 1)
    assert cursor.charFormat().foreground().color() != keyword
    dialog.reject()


def test_that_it_is_saved_as_a_python_file(
    at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = attention(seed=4)
    dialog = opened(at(spec), qtbot)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    dialog.save.click()
    qtbot.waitUntil((tmp_path / "mine.py").exists)
    assert (tmp_path / "mine.py").read_text(encoding="utf-8") == pytorch_code(spec)


def test_that_the_points_of_a_file_are_those_on_screen(at: At, qtbot: QtBot, tmp_path: Path) -> None:
    points = tmp_path / "points.csv"
    points.write_text("x,y\n0.5,1.25\n2.5,3.75\n")
    window = at(make_spec({"lab": "regression", "data": {"kind": "file", "path": str(points)}}))
    points.unlink()
    dialog = opened(window, qtbot)
    assert "1.25" in QGuiApplication.clipboard().text()
    assert str(points) not in QGuiApplication.clipboard().text()
    dialog.reject()
