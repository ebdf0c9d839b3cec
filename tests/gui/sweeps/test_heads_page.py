"""The page *Sweep* with all heads as points: where they are, what is read of them, and what a click opens."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands import Hands
from model_hands import model, trace_of
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot
from windows import Opener, Settle

from attnviz.engine.sweeps.rows import Workers, rows_of
from attnviz.experiment.files.session import session_from_json, session_to_json
from attnviz.experiment.sweeps.heads import Head
from attnviz.experiment.sweeps.results import Results
from attnviz.export.tables.lines import JsonLines
from attnviz.gui.sweeps.sweep_page import SweepPage
from attnviz.gui.window.main_window import MainWindow

TEXTS = (
    "one red fox ran home and one red fox ran home",
    "the dog saw the fox and the dog ran",
    "one red red fox fox ran home home",
    "then the fox ran home and the fox",
    "red dog saw one fox and then ran",
)
X, Y = "role_previous", "entropy"


@pytest.fixture
def window(open_window: Opener) -> MainWindow:
    return open_window(model(text="one two three"))


@pytest.fixture
def page(window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path) -> Iterator[SweepPage]:
    """The page with a sweep over texts whose rows have come."""
    settle(window)
    corpus = tmp_path / "corpus.csv"
    with corpus.open("w", newline="") as file:
        csv.writer(file).writerows([["id", "text"], *enumerate(TEXTS), [9, ""]])
    window.actions_["sweep"].trigger()
    page, choices = window.sweeps.page, window.sweeps.page.choices
    choices.first.field.setCurrentIndex(choices.first.field.findData("text"))
    choices.first.values.setText(f"@{corpus}:text")
    choices.seeds.setText("")
    choices.read()
    qtbot.waitUntil(lambda: choices.crossing is not None)
    crossing = choices.crossing
    assert crossing is not None
    page.process.overs = choices.overs
    page.process.results = results = Results(crossing)
    table = tmp_path / "table.jsonl"
    with table.open("wb") as file:
        for rows in rows_of(crossing, range(len(crossing)), Workers()):
            for row in rows:
                results.add(row)
                file.write(JsonLines().line({**row, "sweep": crossing.digest}, ()))
    page.process.__class__ = type("WithTable", (type(page.process),), {"table": property(lambda _: table)})
    choose(page, Hands(qtbot))
    yield page
    window.sweeps.close()


def choose(page: SweepPage, hands: Hands, colours: str = "role") -> None:
    for box, data in ((page.choices.measure, X), (page.choices.against, Y), (page.choices.colours, colours)):
        hands.pick(box, data)
    page.points.repaint()


def numbers(page: SweepPage, name: str) -> Any:
    """Return (runs, 8), the numbers of the heads in the rows of the table."""
    table = page.process.table
    assert table is not None
    rows = [json.loads(line) for line in table.read_text().splitlines()]
    columns = [f"{name}_{layer}.{head}" for layer in (1, 2) for head in (1, 2, 3, 4)]
    return np.array([[row[column] for column in columns] for row in rows if not row["failure"]], float)


def test_that_each_head_is_at_its_means_and_read_with_both_numbers(page: SweepPage, hands: Hands) -> None:
    assert page.plot.isHidden()
    places = page.points.places
    assert list(places) == [Head("", *divmod(at, 4)) for at in range(8)]
    for name, of in ((X, QPointF.x), (Y, QPointF.y)):
        means = numbers(page, name).mean(axis=0)
        drawn = np.array([of(place) for place in places.values()])
        slope, start = np.polyfit(means, drawn, 1)
        np.testing.assert_allclose(slope * means + start, drawn, atol=1e-6)
        assert (slope > 0) == (name == X)
    head = Head("", 0, 3)
    hands.point(page.points, places[head])
    assert page.read_out.text().startswith("head 1.4 · Previous token in 5 of 5 runs (95 % interval 57 to 100 %)")
    mean, spread = (f(numbers(page, Y)[:, 3]) for f in (np.mean, lambda each: np.std(each, ddof=1)))
    assert f"Entropy {mean:.2f} ± {spread:.2f}"[:11] in page.read_out.text()


@pytest.mark.parametrize("extreme", [False, True])
def test_that_a_click_opens_the_head_on_its_typical_text_and_shift_on_its_extreme_one(
    page: SweepPage, window: MainWindow, settle: Settle, qtbot: QtBot, extreme: bool
) -> None:
    head = Head("", 1, 2)
    x, y = (numbers(page, name)[:, 6] for name in (X, Y))
    far = sum(np.square((each - each.mean()) / each.std(ddof=1)) for each in (x, y))
    run = int(np.argmax(far) if extreme else np.argmin(far))
    modifier = Qt.KeyboardModifier.ShiftModifier if extreme else Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(page.points, Qt.MouseButton.LeftButton, modifier, page.points.places[head].toPoint())
    qtbot.waitUntil(lambda: not window.sweeps.is_open)
    settle(window)
    assert trace_of(window).spec.text == TEXTS[run]
    assert (window.room.view.layer, window.room.view.head) == (1, 2)
    assert f"run, {run + 1}" in window.controller.undo_stack.undoText()
    window.actions_["sweep"].trigger()
    assert not page.points.isHidden(), "the picture is still there"


def test_that_keys_read_and_open_heads(page: SweepPage, window: MainWindow, qtbot: QtBot) -> None:
    page.points.setFocus()
    qtbot.keyClick(page.points, Qt.Key.Key_Right)
    qtbot.keyClick(page.points, Qt.Key.Key_Right)
    assert page.read_out.text().startswith("head 1.2 ")
    qtbot.keyClick(page.points, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.sweeps.is_open)
    assert window.room.view_settings().head == 1


def test_that_the_pictures_on_offer_follow_the_measure(page: SweepPage, hands: Hands) -> None:
    offered = [page.choices.against.itemData(at) for at in range(page.choices.against.count())]
    assert offered[0] == ""
    assert {X, Y} < set(offered)
    hands.pick(page.choices.measure, "top_probability")
    assert page.choices.against.isHidden()
    assert page.points.isHidden()
    assert not page.plot.isHidden()


def test_that_a_session_keeps_the_picture_and_older_ones_have_no_such_fields(
    page: SweepPage, window: MainWindow, hands: Hands
) -> None:
    choose(page, hands, "layer")
    written = session_to_json(window.session_state.session())
    choice = session_from_json(written).shown_view.sweep
    assert choice is not None
    assert (choice.measure, choice.against, choice.colour_by) == (X, Y, "layer")
    assert json.loads(written)["format"] == 6
    hands.pick(page.choices.against, "")
    hands.pick(page.choices.colours, "role")
    plain = json.loads(session_to_json(window.session_state.session()))
    assert set(plain["view"]["sweep"]) == {"knobs", "seeds", "measure"}


def test_that_the_overview_names_heads_by_the_texts_and_a_changed_file_is_reported(
    page: SweepPage, window: MainWindow, hands: Hands, settle: Settle, qtbot: QtBot
) -> None:
    results = page.process.results
    assert results is not None
    roles = results.heads.roles
    page.choices.roles.click()
    settle(window)
    assert not window.sweeps.is_open
    overview = window.room.stage.overview
    shown = {at: role.role for at, role in overview.cells.values.roles.items()}
    assert shown == {(head.layer, head.head): role.role for head, role in roles.items()}
    assert shown != {at: role.role for at, role in trace_of(window).overview.head_roles.items()}
    assert overview.choices.over_texts.text() == "Roles: 5 texts"
    assert overview.cells.told(3).endswith("Previous token in 5 of 5 runs (95 % interval 57 to 100 %)")
    written = session_to_json(window.session_state.session())
    view = session_from_json(written).shown_view
    assert view == window.room.view_settings()
    corpus = Path(view.corpus.file.rpartition(":")[0])
    corpus.write_text(corpus.read_text().replace("dog", "cat"))
    window.session_state.begin(session_from_json(written), None)
    settle(window)
    qtbot.waitUntil(lambda: overview.choices.over_texts.text() == "Roles: 5 texts (changed)")
    assert "corpus.csv:text now has other texts" in overview.choices.over_texts.toolTip()
    hands.toggle(overview.choices.over_texts)
    assert overview.cells.values.roles == trace_of(window).overview.head_roles


def test_that_a_file_gives_its_column(page: SweepPage, tmp_path: Path, qtbot: QtBot) -> None:
    edit = page.choices.first
    for name, content, column in (
        ("a.csv", "id,text\n1,one\n", ":text"),
        ("b.csv", "body;id\none;1\n", ":body"),
        ("c.jsonl", '{"id": 1, "text": "one"}\n', ":text"),
        ("d.txt", "one\n", ""),
    ):
        (tmp_path / name).write_text(content)
        edit.take_file(tmp_path / name)
        assert edit.over == f"text=@{tmp_path / name}{column}"
        qtbot.waitUntil(lambda: page.choices.crossing is not None)
        assert page.choices.crossing.overs[0].values == ("one",)


def test_that_roles_of_another_model_are_not_shown(page: SweepPage, window: MainWindow, hands: Hands) -> None:
    page.choices.roles.click()
    view, trace = window.room.view_settings(), trace_of(window)
    assert view.corpus_of(trace) is view.corpus
    other = view.changed(corpus=view.corpus.model_copy(update={"model": "0" * 8}))
    assert other.corpus_of(trace) is None


def test_that_heads_are_saved_as_a_table_and_a_figure(page: SweepPage, qtbot: QtBot, tmp_path: Path) -> None:
    for name, save in (("heads.csv", page.exports.save_heads_to), ("heads.svg", page.exports.save_to)):
        save(tmp_path / name)
        qtbot.waitUntil((tmp_path / name).is_file)
    with (tmp_path / "heads.csv").open() as file:
        rows = list(csv.DictReader(file))
    np.testing.assert_allclose([float(row[f"{Y}_mean"]) for row in rows], numbers(page, Y).mean(axis=0), rtol=1e-12)
    assert "<svg" in (tmp_path / "heads.svg").read_text()
