"""The help of the window: the sheet of keys, the manual at what has the focus, the words of labels, and About."""

import ast
import re
from pathlib import Path

import pytest
from manual import table
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from small_specs import SMALL, training

import attnviz
from attnviz.definitions.labs import LAB_NAMES, help_pages
from attnviz.definitions.roles import ROLES
from attnviz.definitions.tasks import TASKS
from attnviz.experiment.glossary import terms_in
from attnviz.experiment.labs import LABS
from attnviz.folders import resource
from attnviz.gui.help.places import HelpPlace, anchor_of, page_text, place_of
from attnviz.gui.help.shortcuts import gestures_of, with_gestures
from attnviz.gui.labs.regression.plots.fit_plot import FitPlot
from attnviz.gui.labs.regression.plots.kernel_grid import KernelGridView
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.tensors.reshape_view import ReshapeView
from attnviz.gui.widgets.explained import declared_place
from attnviz.gui.window.main_window import MainWindow

PORTABLE, NATIVE = QKeySequence.SequenceFormat.PortableText, QKeySequence.SequenceFormat.NativeText
LINK = re.compile(r"\]\(([^)]*)\)")


def anchors(page: str) -> set[str]:
    return {anchor_of(line.lstrip("# ")) for line in page_text(page).splitlines() if re.match(r"#+ ", line)}


def exists(place: HelpPlace) -> bool:
    return place.page in help_pages() and (not place.anchor or place.anchor in anchors(place.page))


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


def test_that_the_page_of_the_manual_lists_the_same(used_window: MainWindow) -> None:
    lines = table(("keys", "what", "where"), *gestures_of(used_window.actions(), PORTABLE))
    page = f"# Keys and gestures\n\n`?` opens this list in the window.\n\n{lines}\n"
    assert page_text("shortcuts") == page, "write this into resources/help/shortcuts.md:\n" + page


# The manual.


@pytest.mark.parametrize(
    "table",
    [
        table(("role", "what it is", "counted at"), *((r.title.lower(), r.help, r.places) for r in ROLES.values())),
        table(
            ("task", "role", "what it is", "counted at"),
            *((t.title, r.title.lower(), r.help, r.places) for t in TASKS.values() for r in t.roles),
        ),
        table(("task", "what is to be learned"), *((task.title, task.help) for task in TASKS.values())),
    ],
)
def test_that_the_page_of_the_training_lab_has_every_role_and_every_task(table: str) -> None:
    assert table in page_text("train"), "write this into resources/help/train.md:\n" + table


def test_that_the_first_page_leads_to_every_lab() -> None:
    for lab in LAB_NAMES.values():
        assert f"- [{lab.title}]({lab.name}.md): " in page_text("window")


@pytest.mark.parametrize("page", help_pages())
def test_that_every_link_of_a_page_leads_somewhere(page: str) -> None:
    for link in LINK.findall(page_text(page)):
        if link.endswith(".png"):
            assert resource(f"help/{link}").is_file()
            continue
        target, _, anchor = link.partition("#")
        assert exists(HelpPlace(target.removesuffix(".md") or page, anchor)), link


def test_that_the_manual_has_a_heading_for_every_stage_page_and_group_of_knobs() -> None:
    for lab in LABS.values():
        view = lab.view_type()
        groups = {field.json_schema_extra["group"] for field in lab.spec_type.model_fields.values()} - {""}
        owner = next(other.name for other in LABS.values() if other.stages == lab.stages)  # a layer has attention's
        assert {f"stage-{anchor_of(title)}" for title in lab.stages.values()} <= anchors(owner)
        places = [f"page-{name}" for name in type(view).model_fields["page"].metadata[0].registry]
        places += [f"knobs-{group.lower()}" for group in groups]
        assert set(places) <= anchors(lab.name)


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
    assert manual.place == HelpPlace("attention", "knobs-mask")
    assert manual.isVisible()
    assert not window.room.inspector.isVisible()
    assert manual.text.textCursor().block().text() == "Knobs: Mask"
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert not manual.isVisible()
    assert window.room.inspector.isVisible()
    assert window.focusWidget() is focus


def test_that_without_a_place_of_its_own_the_picture_s_stage_or_page_is_explained(used_window: MainWindow) -> None:
    room = used_window.room
    room.stage.show_stage("scores")
    assert place_of(room.stage.page.close_up, room) == HelpPlace("attention", "stage-scores")
    room.current_view.propose(page="policies")
    assert place_of(None, room) == HelpPlace("attention", "page-policies")
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
        for term in terms_in(label.text()) if label.textFormat() != Qt.TextFormat.PlainText else ():
            assert label.toolTip(), label.text()  # a heading of errors says which error it is
            explained += term.sentence in label.toolTip()
    assert explained > 15


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
