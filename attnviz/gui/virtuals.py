"""The guard around methods called by Qt: no exception leaves an override of one of Qt's virtual methods.

PySide cannot propagate an exception through the C++ code that has called an override. It prints it, or keeps it until
Python runs again, and the process may end with a segmentation fault. `guard_overrides` therefore wraps each override
when its class is defined: an exception goes to `sys.excepthook` (the log, the crash report and the user; in a test,
pytest-qt, which fails it), and Qt receives a safe value.
"""

import inspect
import os
import sys
from collections.abc import Callable
from functools import wraps
from traceback import clear_frames
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QObject, QRectF, QSize, Qt, QThread, QTranslator
from PySide6.QtGui import QPainterPath, QSyntaxHighlighter, QUndoCommand
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QGraphicsItem,
    QHeaderView,
    QLayout,
    QSpinBox,
    QWidget,
)
from shiboken6 import Shiboken

SAFE: dict[type, dict[str, object]] = {
    QAbstractItemDelegate: {"paint": None, "sizeHint": QSize(0, 0)},
    QAbstractItemModel: {
        "columnCount": 0,
        "data": None,
        "flags": Qt.ItemFlag.NoItemFlags,
        "headerData": None,
        "rowCount": 0,
        "setData": False,
        "sort": None,
    },
    QAbstractSpinBox: {"fixup": None, "stepBy": None},
    QComboBox: {"hidePopup": None, "showPopup": None},
    QDialog: {"accept": None, "done": None, "reject": None},
    QDoubleSpinBox: {"textFromValue": "", "valueFromText": 0.0},
    QGraphicsItem: {"boundingRect": QRectF(), "paint": None, "shape": QPainterPath()},
    QHeaderView: {"initStyleOptionForIndex": None, "paintSection": None},
    QLayout: {
        "addItem": None,
        "count": 0,
        "expandingDirections": Qt.Orientation(0),
        "hasHeightForWidth": False,
        "heightForWidth": 0,
        "invalidate": None,
        "itemAt": None,
        "minimumSize": QSize(0, 0),
        "setGeometry": None,
        "sizeHint": QSize(0, 0),
        "takeAt": None,
    },
    QObject: {"event": False, "eventFilter": False},
    QSpinBox: {"textFromValue": "", "valueFromText": 0},
    QSyntaxHighlighter: {"highlightBlock": None},
    QThread: {"run": None},
    QTranslator: {"isEmpty": True, "translate": None},
    QUndoCommand: {"redo": None, "undo": None},
    QWidget: {
        "focusNextPrevChild": False,
        "hasHeightForWidth": False,
        "heightForWidth": 0,
        "minimumSizeHint": QSize(0, 0),
        "setVisible": None,
        "sizeHint": QSize(0, 0),
    },
}
"""Qt's virtual methods by class, with the value that Qt receives if an override raises.

Those whose name ends in ``Event`` are virtual in every class, and return nothing.
"""


def guard_overrides() -> None:
    """Guard the overrides in all Python subclasses of Qt's classes defined from now on."""

    def guard(cls: Any, /, **kwargs: Any) -> None:
        super(Shiboken.Object, cls).__init_subclass__(**kwargs)
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and is_virtual(cls, name):
                setattr(cls, name, _guarded(method, _safe_value(cls, name)))

    Shiboken.Object.__init_subclass__ = classmethod(guard)  # type: ignore[assignment]


def is_virtual(cls: type, name: str) -> bool:
    """Return whether a method of this name overrides a virtual one of Qt's."""
    if name.endswith("Event"):
        return any(name in vars(base) for base in cls.__mro__ if base.__module__.startswith("PySide6."))
    return any(name in of_base for base, of_base in SAFE.items() if issubclass(cls, base))


def is_guarded(method: Callable[..., Any]) -> bool:
    """Return whether a method is guarded."""
    return getattr(method, "is_guarded", False)


def _safe_value(cls: type, name: str) -> object:
    return next((values[name] for base, values in SAFE.items() if name in values and issubclass(cls, base)), None)


def _guarded(method: Callable[..., Any], safe: object) -> Callable[..., Any]:
    @wraps(method)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except BaseException as error:
            _report(error)
            return safe

    guarded.is_guarded = True  # type: ignore[attr-defined]
    return guarded


def _report(error: BaseException) -> None:
    try:
        sys.excepthook(type(error), error, error.__traceback__)
        clear_frames(error.__traceback__)  # a painter among the locals must end before Qt's painting does
    except BaseException:  # the stack or the memory is full, for example
        os.write(2, b"attnviz: an exception in a method that Qt calls could not be reported\n")
