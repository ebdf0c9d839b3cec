"""A long session: thousands of spec changes and many changes of lab in one process leave nothing behind."""

import ctypes
import gc
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

import numpy as np
import psutil
import pytest
from hands import part
from pyqtgraph import PlotWidget
from PySide6.QtCore import QAbstractAnimation, QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, regression, transformer
from windows import Opener, Settle

from attnviz.experiment.labs import Spec
from attnviz.gui.forms.editor import Switch
from attnviz.gui.window.main_window import MainWindow

_MB = 1 << 20
_A_TURN = 4
"""How many values a knob goes through in one turn, which is one step of undo, before the picture is waited for."""
_MOST_PER_THOUSAND, _MOST_PER_THOUSAND_SHORT = 1.0, 8.0
"""Megabytes that 1,000 changes may add, undo steps included; in a short time what is kept up to a limit counts too."""

_KNOBS: dict[str, tuple[tuple[str, Any, tuple[Any, ...]], ...]] = {
    "attention": (
        ("seed", QSpinBox, (1, 2, 3, 4, 5)),
        ("num_heads", QSpinBox, (1, 2, 4)),
        ("num_queries", QSpinBox, (3, 5, 8)),
        ("num_kvpairs", QSpinBox, (4, 6, 9)),
        ("causal", Switch, (True, False)),
        ("temperature", QDoubleSpinBox, (0.5, 1.0, 2.0)),
        ("mask_policy", QComboBox, ("book", "inf", "zero")),
        ("mechanism", QComboBox, ("additive", "dot_product", "multi_head")),
    ),
    "regression": (
        ("width", QDoubleSpinBox, (0.2, 0.5, 1.0)),
        ("kernel", QComboBox, ("boxcar", "gaussian", "triangular")),
        ("estimator", QComboBox, ("average", "parametric", "nonparametric")),
        ("epochs", QSpinBox, (1, 2, 3)),
        ("seed", QSpinBox, (1, 2, 3)),
    ),
    "train": (
        ("seed", QSpinBox, (1, 2, 3)),
        ("num_layers", QSpinBox, (1, 2, 3)),
        ("positions", QComboBox, ("none", "rotary", "alibi", "learned")),
        ("learning_rate", QDoubleSpinBox, (0.001, 0.002, 0.005)),
        ("steps", QSpinBox, (2, 3, 5)),
        ("norm", Switch, (True, False)),
    ),
}


@dataclass
class Measured:
    """What was measured as changes went by; the first sample is taken after the warm-up."""

    changes: list[int] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    @property
    def slope(self) -> float:
        """Megabytes that 1,000 changes add, by least squares."""
        return float(np.polyfit(np.array(self.changes) / 1000, np.array(self.memory) / _MB, 1)[0])


class Session:
    """A user who goes from knob to knob and from lab to lab, and never closes the window."""

    def __init__(self, window: MainWindow, settle: Settle) -> None:
        self.window, self._settle = window, settle
        self._turns: dict[str, Iterator[tuple[str, Any, Iterator[Any]]]] = {lab: _turns(lab) for lab in _KNOBS}
        self.changes = 0

    def enter_next_lab(self) -> None:
        """Press the button of the next lab; its spec is a small one when it is entered first."""
        labs = list(_KNOBS)
        lab = labs[(labs.index(self.window.controller.spec.lab) + 1) % len(labs)]
        buttons = [it for it in self.window.top_bar.findChildren(QToolButton) if it.property("value") == lab]
        if lab == "train" and lab not in self.window.controller.last_of_lab:
            self.window.controller.propose(transformer(steps=3))
        else:
            buttons[0].click()
        self._settle(self.window)

    def change(self, count: int) -> None:
        """Turn one knob after the other, until so many specs have been asked for."""
        form, lab, done = self.window.room.form, self.window.controller.spec.lab, 0
        while done < count:
            name, kind, values = next(self._turns[lab])
            knob = part(form.editor(name), kind)
            for value in islice(values, _A_TURN):
                before = form.spec
                _turn(knob, value)
                done += form.spec != before  # it may stand there already, or mean nothing now
            self._settle(self.window)
        self.changes += done

    def show(self, spec: Spec) -> None:
        """Come back to a known picture, whose parts can be counted."""
        self.window.controller.propose(spec)
        self._settle(self.window)


def _turns(lab: str) -> Iterator[tuple[str, Any, Iterator[Any]]]:
    """Yield the knobs of a lab over and over, each with the values that come next at it."""
    return cycle([(name, kind, cycle(values)) for name, kind, values in _KNOBS[lab]])


def _turn(knob: Any, value: Any) -> None:
    if isinstance(knob, QComboBox):
        knob.setCurrentIndex(knob.findData(value))
        knob.activated.emit(knob.currentIndex())
    elif isinstance(knob, Switch):
        knob.setChecked(value)
    else:
        knob.setValue(value)


def _moves(window: MainWindow) -> bool:
    """Return whether an animation runs, such as that of a switch; some go away once they have ended."""
    running = QAbstractAnimation.State.Running
    return any(it.state() == running for it in window.findChildren(QAbstractAnimation))


class _Allocated(ctypes.Structure):
    """What glibc's `mallinfo2` returns."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keep",
        )
    )


def _bytes_in_use() -> int:
    """Return what is allocated now; the process may hold far more that was freed, in steps of many megabytes."""
    count = getattr(ctypes.CDLL(None), "mallinfo2", None) if sys.platform == "linux" else None
    if count is None:
        return int(psutil.Process().memory_info().rss)
    count.restype = _Allocated
    found, mean_of_small = count(), 64
    return int(found.uordblks + found.hblkhd + mean_of_small * sys.getallocatedblocks())


def _census(window: MainWindow, qtbot: QtBot) -> dict[str, int]:
    """Count what a window consists of."""
    qtbot.waitUntil(lambda: not _moves(window))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    objects = window.findChildren(QObject)
    kinds = Counter(it.metaObject().className() for it in objects)
    return dict(kinds) | {
        "threads": psutil.Process().num_threads(),
        "Python threads": threading.active_count(),
        "widgets": len(QApplication.allWidgets()),
        "items of plots": sum(len(it.scene().items()) for it in window.findChildren(PlotWidget)),
    }


MOST_PICTURES = attention(batch_size=4, num_queries=1, num_kvpairs=6)
"""As many batch items as are ever side by side."""


@pytest.mark.timeout(3600)
def test_that_a_long_session_leaves_nothing_behind(
    open_window: Opener, settle: Settle, qtbot: QtBot, long: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    stays, labs = (100, 200) if long else (30, 15)
    session = Session(open_window(regression()), settle)
    session.window.controller.set_pace(None)
    measured = Measured()
    warm_up = 2 * len(_KNOBS)  # what is made when it is first needed is there, in every lab
    for stay in range(labs + warm_up):
        session.enter_next_lab()
        session.change(stays)
        if stay == warm_up:
            session.show(MOST_PICTURES)  # pictures are made when they are first needed
            session.show(SMALL)
            before = _census(session.window, qtbot)
        if stay >= warm_up:
            gc.collect()  # as the application does once a second
            measured.changes.append(session.changes)
            measured.memory.append(_bytes_in_use())
    session.show(SMALL)
    after = _census(session.window, qtbot)
    if long:
        with capsys.disabled():
            by_and_by = ", ".join(f"{memory / _MB:.1f}" for memory in measured.memory[:: labs // 10])
            print(f"\n{session.changes} changes: {by_and_by} MB, which is {measured.slope:.3f} MB per 1,000")
    assert after == before
    assert measured.slope < (_MOST_PER_THOUSAND if long else _MOST_PER_THOUSAND_SHORT)
