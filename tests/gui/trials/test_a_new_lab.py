"""A lab that is defined in a test and registered with every layer works in the window as attnviz's own do."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import blur_lab
import numpy as np
import pytest
from eyes import colours_of, heatmap_colours
from hands import Hands
from lab_rules import missing_of, with_documents
from pytestqt.qtbot import QtBot
from small_specs import SMALL
from windows import Opener, Settle

from attnviz.definitions.labs import LAB_NAMES
from attnviz.engine.labs import ENGINE_LABS
from attnviz.experiment.colours import quantise
from attnviz.experiment.files import specs_in_files
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import opening_session, presets
from attnviz.experiment.labs import LABS, Spec, make_spec
from attnviz.experiment.run import Cursor
from attnviz.experiment.texts import glossary
from attnviz.experiment.texts.glossary import terms_in
from attnviz.experiment.texts.languages import languages
from attnviz.export.code.script import pytorch_code
from attnviz.export.document import read_document, write_session
from attnviz.export.figures.figure import write_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.labs import EXPORTS
from attnviz.gui.labs.rooms import ROOMS
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.window.main_window import MainWindow

ROWS: tuple[tuple[Any, Any], ...] = (
    (LAB_NAMES, blur_lab.LAB_NAME),
    (LABS, blur_lab.LAB),
    (ENGINE_LABS, blur_lab.ENGINE),
    (EXPORTS, blur_lab.EXPORT),
    (ROOMS, blur_lab.ROOM),
)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    """One row in the registry of each layer."""
    for registry, row in ROWS:
        registry.add(row)
    yield
    for registry, row in ROWS:
        registry.remove(row.name)


_documents = with_documents(blur_lab.PRESETS, blur_lab.TERMS)


@pytest.fixture
def window(open_window: Opener, settle: Settle) -> MainWindow:
    """A window that was opened on attention, and went to the lab."""
    opened = open_window(SMALL)
    opened.top_bar.lab_chosen.emit(blur_lab.NAME)
    settle(opened)
    return opened


def blur(**values: Any) -> Spec:
    return make_spec({"lab": blur_lab.NAME, **values})


def test_that_it_has_a_preset_an_opening_one_and_glossary_entries(window: MainWindow) -> None:
    assert missing_of(blur_lab.NAME) == []
    assert opening_session(blur_lab.NAME).spec == blur() == window.controller.spec
    assert [term.name for term in terms_in("Tone")] == ["tone"]


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ({"presets": {}}, ["a preset", "an opening preset of its own"]),
        ({"opening_preset": "causal-sentence"}, ["an opening preset of its own"]),
        ({"terms": ("Tone",)}, [f"a term for the field tone in the glossary ({code})" for code in languages()]),
    ],
)
def test_that_a_lab_without_one_of_them_is_noticed(lacks: dict[str, Any], said: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if "presets" in lacks:
            known = {name: each for name, each in presets().items() if each.spec.lab != blur_lab.NAME}
            patch.setattr(specs_in_files, "presets", lambda: known)
        elif "terms" in lacks:
            patch.setattr(
                glossary, "terms_in", lambda text, code: () if text in lacks["terms"] else terms_in(text, code)
            )
        else:
            patch.setitem(LABS._records, blur_lab.NAME, replace(blur_lab.LAB, **lacks))
        assert missing_of(blur_lab.NAME) == said


def test_that_its_picture_is_its_tensor_and_the_status_bar_has_its_facts(window: MainWindow) -> None:
    stage: Any = window.room.stage
    assert stage.isVisible()
    levels = quantise(blur_lab.weights_of(5), None, 0.0, 1.0)
    assert (heatmap_colours(stage.heatmap, (5, 5)) == colours_of(stage.weight_table, levels)).all()
    assert window.status.facts.text().startswith("cpu, float64")
    assert window.status.facts.text().endswith("rows sum to 1.000")


def test_that_its_knobs_run_it_and_undo_brings_the_picture_before(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    stage: Any = window.room.stage
    form: Any = window.room.form
    form.editor("size").set_value(3)
    form.editor("size").edited.emit()
    settle(window)
    assert stage.trace.spec == blur(size=3)
    assert stage.trace.weights.shape == (3, 3)
    hands.qtbot.keyClicks(form.editor("tone").line, "x")
    settle(window)
    assert stage.trace.tokens == ("a", "b", "c")
    assert stage.trace.spec == blur(size=3, tone={"letters": "abcx"})
    window.controller.undo_stack.undo()
    window.controller.undo_stack.undo()
    settle(window)
    assert stage.trace.spec == blur()


def test_that_it_trains_is_looked_back_on_and_loses_no_step_by_a_visit_to_another_lab(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    stage: Any = window.room.stage
    window.controller.propose(blur(steps=6))
    qtbot.waitUntil(lambda: window.controller.paused and stage.trace.step == 0)
    window.controller.run_or_pause()
    settle(window)
    np.testing.assert_array_equal(stage.trace.weights, blur_lab.weights_of(5, 6))
    assert window.controller.shown.final
    window.controller.seek(Cursor(step=2))
    qtbot.waitUntil(lambda: stage.trace.step == 2)
    np.testing.assert_array_equal(stage.trace.weights, blur_lab.weights_of(5, 2))
    assert stage.trace.known_steps == 6
    taken = blur_lab.BlurRun.steps_taken
    window.controller.propose(SMALL)
    settle(window)
    window.session_state.enter_lab(blur_lab.NAME)
    qtbot.waitUntil(lambda: window.controller.up_to_date and window.controller.shown.step == 2)
    assert blur_lab.BlurRun.steps_taken == taken, "the run was kept"
    window.controller.propose(blur(steps=8))
    qtbot.waitUntil(lambda: window.controller.up_to_date)
    window.controller.run_or_pause()
    qtbot.waitUntil(lambda: window.controller.shown.final)
    assert blur_lab.BlurRun.steps_taken == taken + 2, "more steps go on from those that were taken"
    np.testing.assert_array_equal(stage.trace.weights, blur_lab.weights_of(5, 8))


def test_that_its_session_before_training_has_no_step_that_its_view_does_not_know(tmp_path: Path) -> None:
    path = tmp_path / "mine.attnviz"
    write_session(Session(spec=blur(steps=6)).before_training(), path)
    assert read_document(path).spec == blur(steps=6)


def test_that_an_illegal_value_is_explained_at_its_knob(window: MainWindow) -> None:
    form: Any = window.room.form
    form.editor("size").set_value(12)
    form.editor("size").edited.emit()
    assert "12" in form.problem("size")
    assert window.controller.spec == blur()


def test_that_a_cell_that_is_held_is_inspected_and_remembered(window: MainWindow) -> None:
    room: Any = window.room
    room.selection.lock_cell(Cell(1, 4))
    assert room.inspector.cell.steps == (("weight", f"{blur_lab.weights_of(5)[1, 4]:.4f}"),)
    assert room.view_settings() == blur_lab.BlurView(query=1, key=4)


def test_that_a_session_of_it_is_saved_and_opens_again(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    path = tmp_path / "mine.attnviz"
    window.room.selection.lock_cell(Cell(2, 3))
    window.rooms.set_map("Reds")
    saved = window.session_state.session()
    write_session(saved, path)
    assert read_document(path) == saved
    window.controller.propose(SMALL)
    settle(window)
    window.keeper.open_path(path)
    qtbot.waitUntil(lambda: window.controller.spec == blur())
    settle(window)
    assert window.room.view_settings() == blur_lab.BlurView(colour_map="Reds", query=2, key=3)


def test_that_its_numbers_its_figure_and_its_code_leave(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    trace = window.controller.shown
    assert trace is not None
    weights = blur_lab.weights_of(5)
    for name in ("numbers.npz", "cells.csv"):
        path = tmp_path / name
        window.exporter.save_numbers(path)
        qtbot.waitUntil(path.is_file)
    with np.load(tmp_path / "numbers.npz") as arrays:
        np.testing.assert_array_equal(arrays["weights"], weights)
    with (tmp_path / "cells.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["weight"]) for row in rows] == weights.ravel().tolist()
    path = tmp_path / "figure.png"
    write_figure(trace, path, FigureSettings(dpi=60, page=window.room.view.page), session=window.exporter.session())
    assert read_document(path) == Session(spec=blur(), view=blur_lab.BlurView(query=4))
    names: dict[str, Any] = {}
    exec(pytorch_code(trace.spec), names)
    np.testing.assert_allclose(names["weights"].numpy(), weights, rtol=1e-15)
