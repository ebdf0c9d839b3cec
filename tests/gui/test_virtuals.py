"""Methods that Qt calls: an exception in one of them is reported, Qt gets a safe value, and the process lives on."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import PySide6
import pytest
from calling import forked
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLayout, QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

import attnviz.gui
from attnviz.gui.virtuals import SAFE, is_guarded

NOT_VIRTUAL = {"WrappedLabel.setText", "WrappedLabel.text", "SteadyLabel.setText", "PaceSlider.setToolTip"}
"""Methods with the name of one of Qt's that only Python calls."""

EVERY_KIND = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtCore import *
from PySide6.QtGui import *
from PySide6.QtTest import QTest
from PySide6.QtWidgets import *
from attnviz.crash_report import Watch
from attnviz.gui.app import make_application
from attnviz.gui import process
from attnviz.experiment.labs import LABS
from attnviz.gui.window.main_window import MainWindow
from attnviz.log import reports_folder
app = make_application()
watch = Watch()
watch.begin()
window = MainWindow(LABS["attention"].spec_type())
process.MOST_PLACES = 1000
process.Hooks(window, watch).begin()

def fail(name):
    def method(self, *args):
        raise ValueError(name)
    code = method.__code__.replace(co_name=name, co_filename=f"{name}.py")
    return type(method)(code, {"ValueError": ValueError}, name, None, method.__closure__)

def failing(base, *names):
    return type(f"Failing{base.__name__}", (base,), {name: fail(name) for name in names})

LAYOUT = ("count", "addItem", "itemAt", "takeAt", "sizeHint", "minimumSize", "heightForWidth", "hasHeightForWidth",
          "setGeometry", "invalidate", "expandingDirections")
WIDGET = ("resizeEvent", "mousePressEvent", "mouseMoveEvent", "keyPressEvent", "showEvent", "wheelEvent",
          "sizeHint", "minimumSizeHint", "heightForWidth", "hasHeightForWidth", "leaveEvent", "focusInEvent")
top = QWidget()
column = QVBoxLayout(top)
inner = QWidget()
layout = failing(QLayout, *LAYOUT)(inner)
layout.addWidget(QPushButton("a"))
tall = failing(QVBoxLayout, "heightForWidth")
tall.hasHeightForWidth = lambda self: True
beside = QWidget()
tall(beside).addWidget(QPushButton("a"))
painted = failing(QWidget, "paintEvent")()
painted.setFixedSize(20, 20)
widget = failing(QWidget, *WIDGET)()
closing, whole, watched = failing(QWidget, "closeEvent")(), failing(QWidget, "event")(), QPushButton("b")
sieve = failing(QObject, "eventFilter")()
watched.installEventFilter(sieve)
scene = QGraphicsScene()
scene.addItem(failing(QGraphicsItem, "boundingRect", "paint", "shape")())
scene.addItem(failing(QGraphicsRectItem, "paint")(0, 0, 50, 50))
view = QGraphicsView(scene)
table = QTableView()
table.setModel(failing(QAbstractTableModel, "rowCount", "columnCount", "data", "headerData", "flags")())
full = failing(QStandardItemModel, "data")(3, 3)
filled, other = QTableView(), QTableView()
filled.setModel(full)
other.setModel(QStandardItemModel(3, 3))
other.setItemDelegate(failing(QStyledItemDelegate, "paint", "sizeHint")())
for part in (inner, beside, painted, widget, whole, watched, view, table, filled, other):
    column.addWidget(part)
thread = failing(QThread, "run")()
thread.start()
thread.wait()
top.show()
closing.show()
for width in (500, 600, 700):
    top.resize(width, width)
    app.processEvents()
    for part in (widget, whole, watched, view.viewport(), table.viewport()):
        QTest.mouseClick(part, Qt.MouseButton.LeftButton)
        QTest.keyClick(part, Qt.Key.Key_A)
    top.grab()
    app.processEvents()
closing.close()
text = next(reports_folder().glob("*.running")).read_text()
print(*(f"{name}:{text.count(f'in {name}' + chr(10))}" for name in sys.argv[1:]))
print(window.notice.text().partition(":")[0], flush=True)
os._exit(0)
"""


def classes() -> Iterator[type]:
    """Yield the classes of the window that are derived from one of Qt's."""
    for module in pkgutil.walk_packages(attnviz.gui.__path__, "attnviz.gui."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and value.__module__ == module.name and _qt_bases(value):
                yield value


def _qt_bases(cls: type) -> list[type]:
    return [base for base in cls.__mro__ if base.__module__.startswith("PySide6.")]


def test_that_every_override_of_a_virtual_method_is_guarded() -> None:
    methods = {
        f"{cls.__name__}.{name}": method
        for cls in classes()
        for name, method in vars(cls).items()
        if inspect.isfunction(method) and not name.startswith("__")
        if any(name in vars(base) for base in _qt_bases(cls))
    }
    assert len(methods) > 150
    assert {name for name, method in methods.items() if not is_guarded(method)} == NOT_VIRTUAL


def annotations_of_qt() -> dict[tuple[str, str], str]:
    """Return what each method of Qt's returns, by class and name, as PySide's stubs have it."""
    stubs = [Path(str(PySide6.__path__[0])) / f"{name}.pyi" for name in ("QtCore", "QtGui", "QtWidgets")]
    classes = [each for stub in stubs for each in ast.parse(stub.read_text()).body if isinstance(each, ast.ClassDef)]
    return {
        (cls.name, method.name): ast.unparse(method.returns)
        for cls in classes
        for method in cls.body
        if isinstance(method, ast.FunctionDef) and method.returns is not None
    }


def test_that_each_safe_value_is_of_the_type_that_qt_expects() -> None:
    returns = annotations_of_qt()
    for base, values in SAFE.items():
        for name, value in values.items():
            owner = next(each.__name__ for each in base.__mro__ if (each.__name__, name) in returns)
            expected = returns[owner, name].rpartition(".")[2].removesuffix(" | None")
            if value is None:  # nothing, or what Qt takes for nothing: no item, no value, no translation
                assert expected in ("None", "Any", "QLayoutItem", "str"), (owner, name)
            else:
                assert type(value).__name__ == expected, (owner, name)


class Faulty(QLayout):
    """A layout that fails."""

    def count(self) -> int:
        return 0

    def sizeHint(self) -> QSize:
        raise ValueError("sizeHint")


def test_that_an_exception_reaches_the_hook_of_tests_each_time_and_the_caller_gets_the_safe_value(
    qtbot: QtBot,
) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    with capture_exceptions() as exceptions:
        layout = Faulty(widget)
        assert [layout.sizeHint(), layout.sizeHint()] == [QSize(0, 0)] * 2
    assert [str(error) for _, error, _ in exceptions] == ["sizeHint", "sizeHint"]


class Painting(QWidget):
    """Fails while it paints."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), "red")
        raise ValueError("paintEvent")


def test_that_a_painter_ends_with_the_paint_that_failed_even_if_the_exception_is_kept(qtbot: QtBot, qtlog: Any) -> None:
    widget = Painting()
    qtbot.addWidget(widget)
    with capture_exceptions() as exceptions:
        widget.show()
        qtbot.waitUntil(lambda: bool(exceptions))
        qtbot.wait(1)
    assert [record.message for record in qtlog.records if "painter" in record.message] == []


def test_that_a_failing_method_of_any_kind_is_reported_once_and_the_process_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kinds = ("sizeHint", "heightForWidth", "setGeometry", "paintEvent", "event", "eventFilter", "mousePressEvent")
    kinds += ("resizeEvent", "closeEvent", "paint", "boundingRect", "data", "run")
    said = forked(*kinds, code=EVERY_KIND, cwd=tmp_path)
    assert said.code == 0, said.err[-3000:]
    assert said.out.splitlines() == [" ".join(f"{name}:1" for name in kinds), "Something went wrong"]
