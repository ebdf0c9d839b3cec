"""Where the parts of a stage are, at any size and scale: none covers another, and the picture stays in its place."""

import itertools
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from small_specs import SMALL
from windows import At

from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS
from attnviz.gui.theme import LIGHT, Look, restyle

SIZES = ((440, 400), (676, 540), (688, 560), (980, 1400), (1316, 900), (2400, 700))
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


LOOKS = [(lab, scale, present) for lab in LABS for scale, present in ((1, False), (1.6, True), (2, True))]


@pytest.fixture(params=LOOKS)
def stage(request: pytest.FixtureRequest, at: At) -> Any:
    """A stage of each lab at a scale of the type, for a user or before an audience; and as it was afterwards."""
    lab, scale, present = request.param
    window = at(SMALL)
    found: Any = window.rooms[lab].stage
    before, size = found.look, found.size()
    restyle(found, Look(LIGHT, scale, present=present))
    yield found
    restyle(found, before)
    found.resize(size)


def resize(stage: Any, size: tuple[int, int]) -> None:
    """Give a stage a size, times the scale of its type; one that is hidden is told at once."""
    before = stage.size()
    stage.resize(*(round(length * stage.look.scale) for length in size))
    QCoreApplication.sendEvent(stage, QResizeEvent(stage.size(), before))


def parts_of(stage: Any) -> list[QWidget]:
    return [part for part in stage.findChildren(QWidget, options=DIRECT) if not part.isHidden() and not part.isWindow()]


def test_that_no_part_of_a_stage_covers_another_or_leaves_it(stage: Any) -> None:
    for size in SIZES:
        resize(stage, size)
        parts = parts_of(stage)
        assert stage.pages in parts, size
        for part in parts:
            assert min(part.width(), part.height()) >= 1, (size, part)
            assert stage.rect().contains(part.geometry()), (size, part)
        for a, b in itertools.combinations(parts, 2):
            assert not a.geometry().intersects(b.geometry()), (size, a, b)


def test_that_the_choice_of_a_page_is_at_the_left_and_the_strip_beside_it(stage: Any) -> None:
    for size in SIZES:
        resize(stage, size)
        (shown,) = [part for part in (stage.page_buttons, stage.page_box) if not part.isHidden()]
        assert shown.x() == stage.look.px(8 if stage.look.present else 16), size
        first = stage.strip if stage.outer is None or stage.outer.isHidden() else stage.outer
        assert first.x() >= shown.geometry().right() or first.y() > shown.geometry().bottom(), size
        assert first.width() >= min(first.minimumSizeHint().width(), stage.look.px(160)), size


def test_that_the_picture_stays_where_it_is_when_only_texts_change(stage: Any) -> None:
    resize(stage, (1316, 900))
    before = stage.pages.geometry()
    for latex, said in ((r"\mathbf{A}", "(1)"), (r"\frac{\mathbf{Q}}{2}" * 9, "(1, 2, 3, 4)" * 20)):
        stage.show_header(latex, "formula", said)
        stage.sentence.setText(said)
        stage.formula.changed.emit()
        assert stage.pages.geometry() == before


SENTENCES = {
    "attention": "Every query has a valid key. To see a difference, set a valid length to 0 or paint a row. "
    "In rows with a valid key the first three agree: the largest difference is 0.",
    "regression": "Step 60 of 60, w = 3.9: f(0.05) = 0.796 (truth 0.191); x = 0.3445 adds 0.299, "
    "the largest part of 50 points: 24 % of y = 1.23.",
    "train": "After 400 steps: head 2.1 looks at all tokens alike (98 %, in every sequence at least 97 %); "
    "“D” (22) gives 18 % to itself. Next the model predicts “d” (18 %); what follows cannot be known.",
}
"""The longest of 98, 37 and 286 sentences that presets say."""


@pytest.mark.parametrize("width", [596, 640, 760, 1316], ids=str)
@pytest.mark.parametrize("lab", SENTENCES)
def test_that_no_line_of_the_longest_sentence_of_a_lab_is_cut(lab: str, width: int, at: At) -> None:
    stage: Any = at(SMALL).rooms[lab].stage
    before, said = stage.size(), stage.sentence.text()
    resize(stage, (width, 452))  # 596 is what the least window leaves the stage
    stage.sentence.setText(SENTENCES[lab])
    assert stage.sentence.height() >= stage.sentence.heightForWidth(stage.sentence.width())
    stage.sentence.setText(said)
    resize(stage, (before.width(), before.height()))


@pytest.mark.parametrize("width", [596, 780, 900, 1000, 1170], ids=str)
def test_that_no_line_about_the_policies_is_cut(width: int, at: At) -> None:
    stage: Any = at(SMALL).room.stage
    before = stage.size()
    stage.current_view.propose(page="policies")
    resize(stage, (width + 32, 640))
    hint, _, agree = SENTENCES["attention"].partition("row. ")
    differ = (
        "In rows with a valid key the first three differ by up to 0.004: a fill of −1e6 is not far below their scores."
    )
    for said in (agree, differ):
        stage.sentence.setText(f"{hint}row. {said}")
        assert stage.sentence.height() >= stage.sentence.heightForWidth(stage.sentence.width())
    stage.current_view.propose(page="stages")
    resize(stage, (before.width(), before.height()))


@pytest.mark.parametrize("name", ["causal-sentence", "train-induction", "train-text"])
def test_that_the_buttons_of_the_pages_stay_where_they_are_on_every_page_and_stage(name: str, at: At) -> None:
    spec: Any = presets()[name].spec
    stage: Any = at(spec.model_copy(update={"steps": 1}) if spec.trains else spec).room.stage
    places = set()
    for page in stage.pages.pages:
        for place in (*stage.strip.offered[::4], "tokens"):
            before = {"place": "layer"} if spec.trains else {}
            around = {"place": place} if spec.trains else {}
            stage.current_view.propose(page=page, **(around if place == "tokens" else {"stage": place, **before}))
            QCoreApplication.processEvents()
            assert not stage.page_buttons.isHidden()
            assert stage.page_box.isHidden()
            places.add(stage.page_buttons.geometry().getRect())
    assert len(places) == 1


@pytest.mark.parametrize("size", [(440, 540), (676, 540), (900, 700)], ids=str)
def test_that_a_sentence_has_room_for_its_lines_beside_the_mark_of_an_old_picture(
    size: tuple[int, int], at: At
) -> None:
    stage: Any = at(SMALL).room.stage
    before, said = stage.size(), stage.sentence.text()
    resize(stage, size)
    stage.sentence.setText("A sentence. " * 18)
    stage.last_good.show()
    stage.last_good.turned.emit()
    assert stage.sentence.height() >= stage.sentence.heightForWidth(stage.sentence.width())
    assert not stage.sentence.geometry().intersects(stage.pages.geometry())
    stage.last_good.hide()
    stage.sentence.setText(said)
    stage.resize(before)
