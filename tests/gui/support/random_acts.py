"""Actions of a user on the window, in any order; those on missing or disabled widgets do nothing."""

from collections.abc import Sequence
from typing import Any, TypeVar

from any_files import Files
from any_pointer import note_touched, touchable
from hands import Hands, parts
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSlider,
    QTableWidget,
    QToolButton,
    QWidget,
)
from regression_hands import actions_of
from session_hands import drop

from attnviz.experiment.labs import LABS
from attnviz.experiment.lessons.reading import lesson_names
from attnviz.folders import resource
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.spec_form import group_of
from attnviz.gui.window.main_window import MainWindow

Thing = TypeVar("Thing")

FIELDS: tuple[str, ...] = tuple(
    name
    for lab in LABS.values()
    for name, field in lab.spec_type.model_fields.items()
    if group_of(field)  # which others have no place in a form
)


class AnyHand:
    """Acts on one window; an index into several things wraps around."""

    def __init__(self, window: MainWindow, hands: Hands, files: Files) -> None:
        self.window, self.hands, self.files = window, hands, files
        self.stopped = 0
        """The generation of the run stopped last."""

    # The form

    def type_into(self, field: str, which: int, text: str, *, enter: bool) -> None:
        """Type into a box or a line of a field."""
        if (box := _nth(self._parts(field, (QAbstractSpinBox, QLineEdit)), which)) is None:
            return
        box.setFocus()
        box.selectAll()
        QTest.keyClick(box, Qt.Key.Key_Delete)
        _write(box, text)
        if enter:
            QTest.keyClick(box, Qt.Key.Key_Return)

    def turn(self, field: str, key: Qt.Key) -> None:
        """Press a key at a field's slider, or at its box if it has none."""
        if (knob := _nth(self._parts(field, (QSlider,)) or self._parts(field, (QAbstractSpinBox,)), 0)) is not None:
            knob.setFocus()
            QTest.keyClick(knob, key)

    def choose(self, field: str, which: int, choice: int) -> None:
        """Pick from a list of a field."""
        if (box := _nth(self._parts(field, (QComboBox,)), which)) is not None:
            _pick(box, choice)

    def press_at(self, field: str, which: int) -> None:
        """Press a switch or a button of a field, or take the nearest legal value offered by its message."""
        editor = self._editor(field)
        menu = next((it.menu() for it in editor.findChildren(QToolButton) if it.menu() is not None), None)
        if menu is not None and which % 2:
            self._choose_from(menu, which)
        elif (message := _message_of(editor)) is not None and which % 2:
            message.linkActivated.emit(message.text().rpartition('href="')[2].partition('"')[0])
        elif (button := _nth(self._parts(field, (QAbstractButton,)), which)) is not None:
            self._click(button)

    def fill_a_length(self, row: int, column: int, text: str) -> None:
        """Type into a cell of the table of valid lengths, opened first if needed."""
        if self.window.controller.spec.lab != "attention":
            return
        if not self._parts("valid_lens", (QTableWidget,)):
            self.choose("valid_lens", 0, 1 + row % 2)
        table = _nth(self._parts("valid_lens", (QTableWidget,)), 0)
        if table is None or not table.rowCount() or not table.columnCount():
            return
        row, column = row % table.rowCount(), column % table.columnCount()
        table.setCurrentCell(row, column)
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_F2)
        line = QApplication.focusWidget()  # one that was closed a moment ago may still be there
        if isinstance(line, QLineEdit) and table.isAncestorOf(line):
            line.selectAll()
            _write(line, text)
            QTest.keyClick(line, Qt.Key.Key_Return)

    def write_a_sentence(self, text: str) -> None:
        """Write another sentence, applied after a pause or when the notes get the focus."""
        texts = [name for name in ("inputs", "text", "text_b") if name in type(self.window.room.form.spec).model_fields]
        field = _nth(texts, len(text)) or "inputs"
        if (edit := _nth(self._parts(field, (QPlainTextEdit,)), 0)) is not None:
            edit.setFocus()
            edit.selectAll()
            _write(edit, text)
            edit.finished.emit()

    def _editor(self, field: str) -> Editor:
        """Return the editor of a field; for a field of another lab, one of this lab."""
        form = self.window.room.form
        fields = type(form.spec).model_fields
        names = [name for name in FIELDS if name in fields and group_of(fields[name])]
        return form.editor(field if field in names else names[FIELDS.index(field) % len(names)])

    def _parts(self, field: str, kinds: Any) -> list[Any]:
        found = touchable(parts(self._editor(field), QWidget))
        # A box has a line of its own, and a line a button: neither is touched but through its owner.
        owners = (QAbstractSpinBox, QTableWidget, QComboBox)
        return [it for it in found if isinstance(it, kinds) and not isinstance(it.parent(), owners)]

    # The bar above, the menus, the panels

    def act(self, key: str) -> None:
        """Trigger an action of the window, by its button, menu or shortcut."""
        self.window.actions_[key].trigger()

    def open_a_preset(self, which: int) -> None:
        """Pick a preset of the lab."""
        _pick(self.window.top_bar.presets, which)

    def take_a_lesson(self, which: int, place: int, of: Sequence[str] = ()) -> None:
        """Open one of these lessons, by default of those with short runs, at a step."""
        short = (name for name in lesson_names() if not resource(f"lessons/{name}.md").with_suffix(".attnviz").exists())
        names = of or tuple(short)
        self.window.lessons.open_named(names[which % len(names)])
        self.window.lessons.now.go(place)

    def go_on_in_a_lesson(self, what: str) -> None:
        """Press a button of the lesson, if it is open and has the button."""
        panel = self.window.lessons.panel
        buttons = {
            "on": panel.next,
            "back": panel.back,
            "choose": panel.question.choices[1],
            "show me": panel.task.show_me,
            "all controls": panel.try_it,
            "restore": panel.restore,
            "close": panel.leave,
        }
        if self.window.lessons.is_open and touchable([buttons[what]]):
            self._click(buttons[what])

    def enter_lab(self, name: str) -> None:
        """Press a lab's button."""
        button = next(it for it in self.window.top_bar.findChildren(QToolButton) if it.property("value") == name)
        self._click(button)

    def choose_around(self, which: int, choice: int) -> None:
        """Pick from a list outside the form: device, batch item, statistic, pace."""
        boxes = [it for it in touchable(self.window.findChildren(QComboBox)) if not self._in_a_form(it)]
        if (box := _nth([it for it in boxes if it is not self.window.top_bar.presets], which)) is not None:
            note_touched(box)
            _pick(box, choice)

    def choose_colours(self, which: int) -> None:
        """Pick another colour map from the export menu."""
        self._choose_from(next(it for it in self.window.top_bar.export.menu().findChildren(QMenu)), which)

    def press_around(self, which: int) -> None:
        """Press a button outside the form and the top bar: stages, pages, brushes, sections, Stop."""
        buttons = [it for it in touchable(self.window.findChildren(QAbstractButton)) if not self._in_a_form(it)]
        buttons = [it for it in buttons if not self.window.top_bar.isAncestorOf(it)]
        if (button := _nth(buttons, which)) is not None:
            note_touched(button)
            if button is self.window.status.stop:
                self.stopped = self.window.runner.generation
            self._click(button)

    def write_notes(self, text: str) -> None:
        """Write notes, if they are unfolded."""
        editor = self.window.panels.notes.editor
        if editor.isVisible():
            editor.setFocus()
            _write(editor, text)

    def copy_elsewhere(self, text: str) -> None:
        """Copy a text in another program."""
        QGuiApplication.clipboard().setText(text)

    def resize(self, width: int, height: int) -> None:
        """Resize the window."""
        self.window.resize(width, height)

    def slide_history(self, key: Qt.Key, by: int) -> None:
        """Drag the slider over the steps of a training by some steps, then press a key at it."""
        stage: Any = self.window.room.stage
        views = {"regression": "views", "train": "train"}
        if (lab := self.window.controller.spec.lab) not in views:
            return
        view = getattr(stage, views[lab])
        slider: QSlider = view.history.row.slider if lab == "regression" else view.steps.slider
        if slider.isVisible() and slider.isEnabled():
            slider.setFocus()
            slider.setValue(slider.value() + by)
            QTest.keyClick(slider, key)

    # The labs of layers and heads

    def change_a_model(self, which: int, what: str) -> None:
        """Change the selection or the view of a pretrained model."""
        room: Any = self.window.room
        trace = room.stage.trace
        if self.window.controller.spec.lab != "model" or trace is None:
            return
        match what:
            case "token":
                room.stage.setFocus()
                QTest.keyClick(room.stage, Qt.Key.Key_H)
            case "head":
                room.stage.choose_head(
                    *divmod(which % (trace.num_layers * trace.model.num_heads), trace.model.num_heads)
                )
            case "study":
                of = (None, "fox", "no such token", "#3", -1)[which % 5]
                chosen = {"attributed": of, "minus": (None, "red", "fox")[which % 3], "controls": 20 * (which % 2)}
                room.current_view.propose(page="overview", by_effect=bool(which % 3), by_attribution=bool(which % 4))
                room.current_view.propose(**chosen)
            case "shown":
                room.current_view.propose(joined=bool(which % 2), hide_special=bool(which % 3))
            case "menu" if tokens := room.stage.tokens_at(which % len(trace.read)):
                menu = room.menu_for(tokens, self.window.controller.spec)
                self._choose_from(menu, which)
                menu.deleteLater()

    def switch_a_head(self, which: int, at: str) -> None:
        """Turn a head off or on: by the X key, by its box in the table, or by the field with its name."""
        room: Any = self.window.room
        if self.window.controller.spec.lab not in ("train", "model") or room.stage.trace is None:
            return
        if at == "key" or self.window.controller.spec.lab == "model":
            room.stage.setFocus()
            QTest.keyClick(room.stage, Qt.Key.Key_X)
        elif at == "box" and (rows := room.inspector.roles.model()).rowCount():
            rows.setData(
                rows.index(which % rows.rowCount(), 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole
            )
        else:
            heads = room.stage.trace.num_heads
            room.switch_head(*divmod(which % (heads * len(room.stage.trace.layers)), heads))

    def turn_to_page(self, which: int) -> None:
        """Choose a page of the lab."""
        stage: Any = self.window.room.stage
        pages = list(getattr(getattr(stage, "pages", None), "pages", ()))
        if pages and "page" in type(stage.view).model_fields:
            stage.current_view.propose(page=pages[which % len(pages)])

    def write_around(self, which: int, text: str, *, enter: bool) -> None:
        """Type into a line or a box outside the form, such as a prompt."""
        lines = [it for it in touchable(self.window.room.stage.findChildren(QLineEdit)) if not it.isReadOnly()]
        if (line := _nth(lines, which)) is not None:
            note_touched(line)
            line.setFocus()
            line.selectAll()
            _write(line, text)
            if enter:
                QTest.keyClick(line, Qt.Key.Key_Return)

    # Files

    def drop_a_file(self, name: str) -> None:
        """Drop a file on the window."""
        drop(self.window, self.files.path(name))

    def open_a_file(self, name: str) -> None:
        """Open a file, as from the list of recent ones."""
        self.window.keeper.open_path(self.files.path(name))

    # Dialogs

    @property
    def dialog(self) -> QDialog | None:
        """The open dialog, if any."""
        return next((it for it in self.window.findChildren(QDialog) if it.isVisible()), None)

    def close_dialog(self) -> None:
        """Close the open dialog."""
        if (dialog := self.dialog) is not None:
            dialog.reject()

    def press_in_dialog(self, which: int) -> None:
        """Press a button of the open dialog, except those that start a process."""
        dialog = self.dialog
        if dialog is None or dialog.windowTitle() == "Animation":
            return
        if (button := _nth(touchable(dialog.findChildren(QAbstractButton)), which)) is not None:
            note_touched(button)
            self._click(button)

    def choose_in_dialog(self, which: int, choice: int) -> None:
        """Pick from a list of the open dialog."""
        dialog = self.dialog
        if dialog is not None and (box := _nth(touchable(dialog.findChildren(QComboBox)), which)) is not None:
            _pick(box, choice)

    def _in_a_form(self, widget: QWidget) -> bool:
        return any(room.form.isAncestorOf(widget) for room in self.window.rooms.values())

    def _click(self, button: QAbstractButton) -> None:
        if not isinstance(button, QToolButton) or button.menu() is None:  # a menu would wait for an answer
            QTest.mouseClick(button, Hands.left)

    def _choose_from(self, menu: QMenu, which: int) -> None:
        action = _nth([it for it in actions_of(menu) if it.isEnabled() and it.isVisible()], which)
        if action is not None:
            action.trigger()


def _nth(things: Sequence[Thing], which: int) -> Thing | None:
    return things[which % len(things)] if things else None


def _write(widget: QWidget, text: str) -> None:
    """Type a text; characters without a key come from an input method."""
    if text.isascii() and text.isprintable():
        QTest.keyClicks(widget, text)
    else:
        composed = QInputMethodEvent()
        composed.setCommitString(text)
        QApplication.sendEvent(widget, composed)


def _pick(box: QComboBox, choice: int) -> None:
    """Pick an entry that is not a title."""
    rows = [row for row in range(box.count()) if box.model().flags(box.model().index(row, 0))]
    if rows:
        box.setCurrentIndex(rows[choice % len(rows)])
        box.activated.emit(box.currentIndex())


def _message_of(editor: Editor) -> QLabel | None:
    """Return the message of a field that offers a nearest value, if any."""
    labels: list[QLabel] = editor.parentWidget().findChildren(QLabel)
    return next((it for it in labels if it.objectName() == "problem" and it.isVisible() and "href" in it.text()), None)
