"""The help of the window: the sheet of keys, the manual at what has the focus, the words of labels, and About."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from manual import table
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from small_specs import SMALL, training
from windows import Opener

import attnviz
from attnviz.definitions.labs import LAB_NAMES, help_pages
from attnviz.definitions.roles import ROLES
from attnviz.definitions.tasks import TASKS
from attnviz.experiment.labs import LABS
from attnviz.experiment.texts.glossary import terms_in
from attnviz.experiment.texts.languages import ENGLISH, languages, translator
from attnviz.gui.help.manual import Manual
from attnviz.gui.help.places import HelpPlace, anchor_of, anchors_of, page_file, page_text, place_of
from attnviz.gui.help.shortcuts import gestures_of, with_gestures
from attnviz.gui.labs.regression.plots.fit_plot import FitPlot
from attnviz.gui.labs.regression.plots.kernel_grid import KernelGridView
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.tensors.reshape_view import ReshapeView
from attnviz.gui.widgets.explained import declared_place
from attnviz.gui.widgets.letters import plain
from attnviz.gui.window.main_window import MainWindow

PORTABLE, NATIVE = QKeySequence.SequenceFormat.PortableText, QKeySequence.SequenceFormat.NativeText
LINK = re.compile(r"\]\(([^)]*)\)")


def exists(place: HelpPlace) -> bool:
    return place.page in help_pages() and (not place.anchor or place.anchor in anchors_of(place.page))


def headings(page: str, language: str = ENGLISH) -> list[str]:
    return re.findall(r"^#+ .+$", page_text(page, language), re.MULTILINE)


ENGLISH_HEADS = {
    "page": "# Keys and gestures\n\n`?` opens this list in the window.",
    "keys": ("keys", "what", "where"),
    "roles": ("role", "what it is", "counted at"),
    "task roles": ("task", "role", "what it is", "counted at"),
    "tasks": ("task", "what is to be learned"),
}
CHINESE_HEADS = {
    "page": "# 按键与手势\n\n在窗口中按 `?` 打开此列表。",
    "keys": ("按键", "作用", "位置"),
    "roles": ("角色", "含义", "计入的位置"),
    "task roles": ("任务", "角色", "含义", "计入的位置"),
    "tasks": ("任务", "要学什么"),
}
HEADS: dict[str, dict[str, Any]] = {ENGLISH: ENGLISH_HEADS, "zh_CN": CHINESE_HEADS}
"""What the tables of the manual begin with; their lines are made of what is declared, and of the catalogue."""


# The sheet of keys and gestures.


def test_that_the_sheet_has_every_shortcut_of_the_window_and_every_declared_gesture(used_window: MainWindow) -> None:
    used_window.actions_["shortcuts"].trigger()
    sheet = used_window.help.shortcuts
    keys = {key for line in sheet.shown for key in line.keys.split(", ")}
    used = {action.shortcut().toString(NATIVE) for action in used_window.actions() if not action.shortcut().isEmpty()}
    assert used <= keys
    assert {gesture for kind in with_gestures() for gesture in kind.GESTURES} <= set(sheet.shown)
    assert sheet.list.header().length() <= sheet.list.viewport().width(), "a column is cut"
    sheet.close()


def test_that_a_search_leaves_the_lines_with_all_its_words(used_window: MainWindow, qtbot: QtBot) -> None:
    used_window.actions_["shortcuts"].trigger()
    sheet = used_window.help.shortcuts
    QTest.keyClicks(sheet.search, "training POINT")
    assert [line.keys for line in sheet.shown] == ["Drag", "Double click, Insert", "Shift+Left, Shift+Right"]
    qtbot.waitUntil(sheet.isActiveWindow)
    QTest.keyClick(sheet.search, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    used_window.actions_["shortcuts"].trigger()
    assert len(sheet.shown) > 40
    sheet.close()


def test_that_every_widget_that_handles_keys_wheel_or_double_clicks_declares_its_gestures() -> None:
    handlers = {"keyPressEvent", "wheelEvent", "mouseDoubleClickEvent"}
    root = Path(attnviz.__file__).parent / "gui"
    found = set()
    for path in root.rglob("*.py"):
        for kind in (each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.ClassDef)):
            if handlers & {part.name for part in kind.body if isinstance(part, ast.FunctionDef)}:
                found.add(kind.name)
    assert found <= {kind.__name__ for kind in with_gestures()}


@pytest.mark.parametrize("kind", [Heatmap, ReshapeView, FitPlot, KernelGridView])
def test_that_a_key_in_the_sheet_is_taken_by_its_widget_and_others_are_passed_on(
    kind: type[QWidget], used_window: MainWindow
) -> None:
    source = ast.parse(Path(ast_file(kind)).read_text("utf-8"))
    named = {node.attr for node in ast.walk(source) if isinstance(node, ast.Attribute) and node.attr.startswith("Key_")}
    names = {"Key_Return": {"Key_Enter"}, "Key_Plus": {"Key_Equal"}}
    arrows = {"Up", "Down", "Left", "Right"}
    declared = {key.split("+")[-1] or "+" for gesture in kind.GESTURES for key in gesture.keys.split(", ")}  # type: ignore[attr-defined]
    signs = {"+": "Plus", "-": "Minus"}
    in_sheet = {f"Key_{signs.get(key, key)}" for key in declared - arrows}
    assert {name for name in named if not any(name in also for also in names.values())} <= in_sheet
    assert declared & arrows


def ast_file(kind: type) -> str:
    import inspect

    return inspect.getfile(kind)


def page_of_keys(window: MainWindow, language: str) -> str:
    heads = HEADS[language]
    return f"{heads['page']}\n\n{table(heads['keys'], *gestures_of(window.actions(), PORTABLE))}\n"


def test_that_the_page_of_the_manual_lists_the_same(used_window: MainWindow) -> None:
    page = page_of_keys(used_window, ENGLISH)
    assert page_text("shortcuts") == page, "write this into resources/help/shortcuts.md:\n" + page


@pytest.mark.usefixtures("chinese")
def test_that_so_does_the_chinese_page_in_a_chinese_window(open_window: Opener) -> None:
    page = page_of_keys(open_window(start=False), "zh_CN")
    assert page_text("shortcuts", "zh_CN") == page, "write this into resources/help/zh_CN/shortcuts.md:\n" + page


# The manual.


@pytest.mark.parametrize("language", languages())
def test_that_the_page_of_the_training_lab_has_every_role_and_every_task(language: str) -> None:
    heads, tr = HEADS[language], translator(language)
    roles = {role: (tr(role.title).lower(), tr(role.help), tr(role.places)) for role in ROLES.values()}
    own = [
        (tr(task.title), tr(role.title).lower(), tr(role.help), tr(role.places))
        for task in TASKS.values()
        for role in task.roles
    ]
    tasks = [(tr(task.title), tr(task.help)) for task in TASKS.values()]
    for lines in (
        table(heads["roles"], *roles.values()),
        table(heads["task roles"], *own),
        table(heads["tasks"], *tasks),
    ):
        assert lines in page_text("train", language), f"write this into {page_file('train', language)}:\n{lines}"


@pytest.mark.parametrize("language", languages())
def test_that_the_first_page_leads_to_every_lab(language: str) -> None:
    for lab in LAB_NAMES.values():
        assert f"- [{translator(language)(lab.title)}]({lab.name}.md)" in page_text("window", language)


@pytest.mark.parametrize("page", help_pages())
def test_that_a_page_has_the_same_headings_and_links_in_every_language(page: str) -> None:
    def levels(language: str) -> list[int]:
        return [heading.index(" ") for heading in headings(page, language)]

    def links(language: str) -> list[str]:
        return [Path(link).name for link in LINK.findall(page_text(page, language))]

    for language in languages():
        assert (levels(language), links(language)) == (levels(ENGLISH), links(ENGLISH))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("page", help_pages())
def test_that_every_link_of_a_page_leads_somewhere(page: str, language: str) -> None:
    for link in LINK.findall(page_text(page, language)):
        if link.endswith(".png"):
            assert (page_file(page, language).parent / link).is_file()
            continue
        target, _, anchor = link.partition("#")
        assert exists(HelpPlace(target.removesuffix(".md") or page, anchor)), link


@pytest.mark.parametrize("language", languages())
def test_that_the_manual_has_a_heading_for_every_stage_page_and_group_of_knobs(language: str) -> None:
    for lab in LABS.values():
        groups = {field.json_schema_extra["group"] for field in lab.spec_type.model_fields.values()} - {""}
        owner = next(other.name for other in LABS.values() if other.stages == lab.stages)  # a layer has attention's
        titles = {(owner, f"stage-{anchor_of(title)}"): title for title in lab.stages.values()}
        titles |= {(lab.name, f"page-{anchor_of(page.title)}"): page.title for page in lab.view_type.pages.values()}
        titles |= {(lab.name, f"settings-{group.lower()}"): group for group in groups}
        for (page, anchor), title in titles.items():
            heading = dict(zip(anchors_of(page), headings(page, language), strict=True))[anchor]
            assert re.split(": |：", heading)[1] == translator(language)(title)


def test_that_every_place_that_a_widget_declares_exists(used_window: MainWindow) -> None:
    places = {declared_place(widget) for widget in used_window.findChildren(QWidget)} - {""}
    assert len(places) > 12
    for place in places:
        page, _, anchor = place.partition("#")
        assert exists(HelpPlace(page, anchor)), place


def test_that_f1_opens_the_manual_at_what_has_the_focus_and_escape_returns_to_it(used_window: MainWindow) -> None:
    window = used_window
    knob = window.room.form.editor("causal")
    knob.setFocus()
    focus = window.focusWidget()
    QTest.keyClick(focus, Qt.Key.Key_F1)
    manual = window.help.manual
    assert manual.place == HelpPlace("attention", "settings-mask")
    assert manual.isVisible()
    assert not window.room.inspector.isVisible()
    assert manual.text.textCursor().block().text() == "Settings: Mask"
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert not manual.isVisible()
    assert window.room.inspector.isVisible()
    assert window.focusWidget() is focus


def test_that_without_a_place_of_its_own_the_picture_s_stage_or_page_is_explained(used_window: MainWindow) -> None:
    room = used_window.room
    room.stage.strip.go_to("scores")
    assert place_of(room.stage.page.close_up, room) == HelpPlace("attention", "stage-scores")
    room.current_view.propose(page="policies")
    assert place_of(None, room) == HelpPlace("attention", "page-empty-rows")
    room.current_view.propose(page="stages")


def test_that_links_lead_back_and_a_search_goes_through_all_pages(used_window: MainWindow) -> None:
    manual = used_window.help.manual
    manual.go(HelpPlace("window"))
    manual.text.anchorClicked.emit("files.md#counting")
    assert manual.place == HelpPlace("files", "counting")
    manual.go_back()
    assert manual.place == HelpPlace("window")
    manual.search.setText("Nadaraya")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.place.page == "regression"
    assert manual.text.textCursor().selectedText() == "Nadaraya"
    manual.search.setText("no such word")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert "no such word" in manual.said.text()


@pytest.mark.usefixtures("chinese")
def test_that_a_place_and_a_link_lead_to_the_same_section_in_chinese(qtbot: QtBot) -> None:
    manual = Manual()
    qtbot.addWidget(manual)
    manual.go(HelpPlace("window", "notes"))
    assert manual.text.textCursor().block().text() == "笔记"
    manual.text.anchorClicked.emit("files.md#counting")
    assert manual.text.textCursor().block().text() == "计数"
    manual.search.setText("逐位相同")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.text.textCursor().selectedText() == "逐位相同"


# The words on screen.


@pytest.mark.parametrize("spec", [SMALL, training()], ids=["attention", "regression"])
def test_that_every_label_of_the_side_panels_explains_the_terms_it_names(spec: object, at: object) -> None:
    window = at(spec)  # type: ignore[operator]
    room = window.room
    if spec == SMALL:
        room.selection.lock(room.selection.locked.__class__(0, 1, 2))
    labels = [*room.form.findChildren(QLabel), *room.inspector.findChildren(QLabel), window.status.facts]
    QApplication.sendEvent(window.status.facts, QHelpEvent(QEvent.Type.ToolTip, QPoint(), QPoint()))
    QToolTip.hideText()
    named = [label for label in labels if label.isVisible() and label.objectName() not in ("number", "problem")]
    explained = 0
    for label in named:
        is_explained = label is window.status.facts or label.textFormat() != Qt.TextFormat.PlainText
        for term in terms_in(label.text()) if is_explained else ():
            assert label.toolTip(), label.text()  # a heading of errors says which error it is
            explained += term.sentence in label.toolTip()
    assert explained > 15


@pytest.mark.usefixtures("chinese")
def test_that_the_labels_of_a_chinese_window_are_explained_in_chinese(open_window: Opener) -> None:
    labels = open_window(start=False).room.form.findChildren(QLabel)
    tooltips = {plain(label.text()): label.toolTip() for label in labels}
    for said in ("有效长度", "按 √d 缩放", "键", "空行"):
        (term,) = terms_in(said, "zh_CN")
        assert term.sentence in tooltips[said]
    assert sum(term.sentence in tip for said, tip in tooltips.items() for term in terms_in(said, "zh_CN")) > 30


# About.


def test_that_about_names_the_versions_and_copies_them(used_window: MainWindow) -> None:
    used_window.help.open_about()
    about = used_window.help.about
    for said in (f"attnviz {attnviz.__version__}", "torch 2.", "numpy ", "PySide6", "devices: Auto device"):
        assert said in about.text.toPlainText()
    assert "MIT" in about.said.text()
    about.copy.click()
    assert QGuiApplication.clipboard().text() == about.text.toPlainText()
    about.close()
