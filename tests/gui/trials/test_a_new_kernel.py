"""A kernel that nothing in attnviz knows: one record, and it is in the form, on screen, taken apart and exported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands import Hands
from PySide6.QtWidgets import QLabel
from regression_hands import turn_to
from scripts import run_scripts
from small_specs import regression
from windows import Opener

from attnviz.definitions.functions.kernels import KERNELS, Kernel
from attnviz.experiment.files.session import Session, session_to_json
from attnviz.export.code.script import pytorch_code
from attnviz.export.document import read_document
from attnviz.export.figures.figure import write_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

QUARTIC = Kernel(
    name="quartic",
    title="Quartic",
    help="Weight falls smoothly to 0 at one width.",
    height="max(0, 1 - u^2)^2",
    spoken="1 minus u squared, at least 0, squared",
)


@pytest.fixture
def window(open_window: Opener) -> Iterator[MainWindow]:
    """A window on a gaussian, which the kernel was registered before."""
    KERNELS.add(QUARTIC)
    try:
        yield open_window(regression(width=0.8))
    finally:
        KERNELS.remove("quartic")


def test_that_a_new_kernel_is_chosen_drawn_taken_apart_undone_and_exported(
    window: MainWindow, hands: Hands, settle: Any, tmp_path: Path
) -> None:
    room: Any = window.room
    hands.pick(room.form.editor("kernel"), "quartic")
    settle(window)
    trace = room.stage.trace
    u = (trace.x_test[:, None] - trace.x_train) / 0.8
    heights = np.maximum(0, 1 - u**2) ** 2
    np.testing.assert_allclose(trace.kernel_values, heights, rtol=1e-14)
    sums = heights.sum(axis=1, keepdims=True)
    expected = np.divide(heights, sums, out=np.zeros_like(heights), where=sums > 0)
    np.testing.assert_allclose(trace.weights, expected, rtol=1e-13)
    assert room.form.editor("mask_policy").isVisibleTo(room.form), "its rows may be empty"

    # Taken apart: the step that is its own is named by its formula and has the trace's number.
    query, key = np.unravel_index(trace.weights.argmax(), trace.weights.shape)
    room.selection.lock(Selection(0, int(query), int(key)))
    said = " ".join(label.text() for label in room.inspector.findChildren(QLabel))
    assert "max(0, 1 − u²)²" in said
    assert f"{trace.kernel_values[query, key]:.5g}" in said
    room.stage.strip.go_to("kernel")
    assert QUARTIC.spoken in room.stage.formula.accessibleName()

    # Beside the others: as an overlay, and as a column of the page of kernels.
    assert "Quartic" in [action.text() for action in room.form.editor("overlays").menu.actions()]
    page = turn_to(window, "kernels", hands)
    assert page.view.trace.spec.kernels[-1] == "quartic"

    # Taken away: a figure, numbers and a script; the script has the run's numbers, bit for bit.
    write_figure(trace, tmp_path / "quartic.svg", FigureSettings(), session=window.exporter.session())
    assert "quartic" in (tmp_path / "quartic.svg").read_text(encoding="utf-8")
    window.exporter.save_numbers(tmp_path / "quartic.npz")
    hands.qtbot.waitUntil((tmp_path / "quartic.npz").exists)
    with np.load(tmp_path / "quartic.npz") as arrays:
        assert np.array_equal(arrays["weights"], trace.weights)
    found = run_scripts({"quartic": pytorch_code(trace.spec)}, tmp_path)["quartic"]
    assert np.array_equal(found["weights"], trace.weights)
    assert np.array_equal(found["y_hat"], trace.y_hat, equal_nan=True)

    # Undone, saved and reopened.
    window.controller.undo_stack.undo()
    settle(window)
    assert window.controller.spec.kernel == "gaussian"
    assert room.form.editor("kernel").value() == "gaussian"
    window.controller.undo_stack.redo()
    settle(window)
    path = tmp_path / "quartic.attnviz"
    path.write_text(session_to_json(window.session_state.session()), encoding="utf-8")
    session = read_document(path)
    assert isinstance(session, Session)
    assert session.spec.kernel == "quartic"
    window.controller.propose(regression())
    settle(window)
    window.keeper.open_path(path)
    hands.qtbot.waitUntil(lambda: window.controller.spec == session.spec)
    settle(window)
    assert np.array_equal(room.stage.trace.weights, trace.weights)
