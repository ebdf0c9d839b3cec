"""The page of the mask: each clause is drawn as its run has it, under each convention; findings lead to their rows."""

from typing import Any

import numpy as np
import pytest
from attention_hands import press_page, stage_of, table_of
from eyes import colours_of, ground, heatmap_colours, inside, look
from hands import Hands
from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QColor
from small_specs import attention, independent_trace
from windows import At

from attnviz.experiment.attention.mask_study import MaskTrace, clauses_of
from attnviz.experiment.files import consent
from attnviz.experiment.labs import Spec
from attnviz.gui.dialogs.screenshot import without_notices
from attnviz.gui.layers.words import mask_said
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SPEC = attention(
    num_queries=6,
    num_kvpairs=6,
    self_attention=True,
    causal=True,
    window=3,
    valid_lens=(2, 4),
    painted="2: 0-2",
    seed=5,
)


def page_of(window: MainWindow) -> Any:
    return stage_of(window).pages.pages["mask"]


def opened(window: MainWindow, hands: Hands) -> Any:
    """Open the page, wait for its study, and return it."""
    press_page(window, "mask", hands)
    page = page_of(window)
    hands.qtbot.waitUntil(lambda: not window.runner.busy and not page.wanted(), timeout=8000)
    QCoreApplication.processEvents()
    return page


def masks_of(spec: Spec, item: int = 0, head: int = 0) -> list[Any]:
    """The whole mask of a run of its own, and each clause."""
    layer = independent_trace(spec).layer
    whole, parts = clauses_of(layer)
    assert (np.broadcast_to(whole.allowed, layer.mask.shape) == layer.mask).all()
    clauses = [whole, *(clause for _, clause in parts)]
    return [np.array([[each.at(item, head, i, j) for j in range(6)] for i in range(6)]) for each in clauses]


@pytest.mark.parametrize("item", [0, 1])
def test_that_the_whole_mask_and_every_clause_are_drawn_as_the_run_has_them(item: int, on: At, hands: Hands) -> None:
    window = on(SPEC)
    page = opened(window, hands)
    window.room.current_view.propose(item=item)
    QCoreApplication.processEvents()
    masks = masks_of(SPEC, item)
    assert [each.accessibleName() for each in page.maps.maps] == [
        *("The whole mask", "Causal", "Valid lengths", "Window", "Painted")
    ]
    allowed = int(colours_of(table_of(window, "weights"), np.array(150)))
    for picture, mask in zip(page.maps.maps, masks, strict=True):
        assert ((heatmap_colours(picture, mask.shape) == allowed) == mask).all()


def test_that_a_convention_changes_the_numbers_and_what_is_said(on: At, hands: Hands) -> None:
    window = on(SPEC)
    page = opened(window, hands)
    mask = masks_of(SPEC)[0]
    window.room.selection.lock(Selection(0, 1, 1))
    said = {
        "allowed": ("True (may attend)", mask * 1.0),
        "masked": ("False (may attend)", ~mask * 1.0),
        "additive": ("0 (may attend)", np.where(mask, 0, -np.inf)),
    }
    for convention, (words, values) in said.items():
        page.conventions.press(convention)
        QCoreApplication.processEvents()
        matrix = page.maps.maps[0].matrix
        np.testing.assert_array_equal(matrix.values, values)
        assert page.cell.text().startswith(f"Query 2, key 2: {words}")
        assert words in matrix.said(1, 1)
        true = int(colours_of(table_of(window, "weights"), np.array(150)))
        expected = ~mask if convention == "masked" else mask
        assert ((heatmap_colours(page.maps.maps[0], mask.shape) == true) == expected).all()
    window.room.selection.lock(Selection(0, 5, 2))
    page.conventions.press("masked")
    QCoreApplication.processEvents()
    assert page.cell.text().endswith("True (masked); masked by Valid lengths, Window; allowed by Causal, Painted")
    page.conventions.press("additive")
    QCoreApplication.processEvents()
    assert page.cell.text().endswith("Causal: yes, Valid lengths: no, Window: no, Painted: yes")
    window.room.selection.lock(Selection(0, 3, None))
    expected = "Query 4 may attend to 1 of 6 keys: Causal 4, Valid lengths 2, Window 5, Painted 6"
    assert page.cell.text() == expected


def test_that_a_finding_selects_its_row_in_its_item(on: At, hands: Hands) -> None:
    window = on(SPEC)
    page = opened(window, hands)
    lines = [page.list.item(row).text() for row in range(page.list.count())]
    empty = next(row for row, line in enumerate(lines) if "have no key" in line or "has no key" in line)
    rows = np.flatnonzero(~masks_of(SPEC, 0)[0].any(axis=1))
    assert lines[empty].startswith("✗ 3 rows have no key: 3, 5–6 (item 1)")
    assert (rows == [2, 4, 5]).all()
    window.room.selection.lock(Selection(1, 0, 0))
    page.list.itemClicked.emit(page.list.item(empty))
    assert window.room.selection.locked == Selection(1, 2, None)


def test_that_agreement_and_blocks_are_those_of_the_study(on: At, hands: Hands) -> None:
    long = attention(num_queries=40, num_kvpairs=40, self_attention=True, causal=True)
    window = on(long)
    page = opened(window, hands)
    assert isinstance(page.shown, MaskTrace)
    assert page.shown.agreement.with_sdpa <= 1e-5
    assert page.badge.text().startswith("✓ agrees with SDPA")
    assert page.sparsity.text() == "Cells that can be skipped, by the side of the blocks: 32 % (16), 16 % (32)"
    plain = look(page.maps.maps[0])
    page.sizes.press("16")
    QCoreApplication.processEvents()
    # Three partial blocks on the diagonal, three full ones below and three empty ones above; the last ones have 8 rows.
    assert page.sparsity.text().startswith("Blocks of 16: 3 full, 3 partial, 3 empty. Cells that can be skipped, ")
    framed, picture = look(page.maps.maps[0]), page.maps.maps[0]
    corner = picture.rect_of(16, 0)
    colour = QColor(window.look.color("k")).rgb() & 0xFFFFFF
    edge = QRectF(corner.x(), corner.y(), 3, 3)
    assert colour in inside(framed, edge)
    assert colour not in inside(plain, edge)
    assert ground(plain, picture.rect_of(20, 5)) == ground(framed, picture.rect_of(20, 5))


PACKED = """
import torch
from torch.nn.attention.flex_attention import and_masks

document = torch.tensor([0, 0, 0, 1, 1, 1])


def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def same_document(b, h, q_idx, kv_idx):
    return document[q_idx] == document[q_idx]


packed = and_masks(causal, same_document)
"""


def test_that_the_clauses_of_an_own_mask_are_drawn_beside_built_in_ones_and_named_in_the_read_out(
    on: At, hands: Hands
) -> None:
    consent.allow(consent.digest_of(PACKED), remember=False)
    mods = {"path": "", "mask_mod": "packed", "source": PACKED}
    spec = attention(num_queries=6, num_kvpairs=6, self_attention=True, window=3, mods=mods)
    window = on(spec)
    page = opened(window, hands)
    masks = masks_of(spec)
    assert [each.accessibleName() for each in page.maps.maps] == ["The whole mask", "Window", "causal", "same_document"]
    true = int(colours_of(table_of(window, "weights"), np.array(150)))
    for picture, mask in zip(page.maps.maps, masks, strict=True):
        assert ((heatmap_colours(picture, mask.shape) == true) == mask).all()
    lines = [page.list.item(row).text() for row in range(page.list.count())]
    assert "? same_document: It is true everywhere and changes nothing." in lines
    window.room.selection.lock(Selection(0, 3, 4))
    assert page.cell.text().endswith("masked). Window: yes, causal: no, same_document: yes")
    said = mask_said(stage_of(window).trace.layer, (0, 0, 3, 4))
    assert said == "masked: your mask (causal) (causal: no, same_document: yes)"
    assert mask_said(stage_of(window).trace.layer, (0, 0, 3, 2)) == "may attend (causal: yes, same_document: yes)"


MANY = """
from torch.nn.attention.flex_attention import and_masks

def causal(b, h, q_idx, kv_idx): return q_idx >= kv_idx
def one(b, h, q_idx, kv_idx): return q_idx != kv_idx + 1
def two(b, h, q_idx, kv_idx): return q_idx != kv_idx + 2
def three(b, h, q_idx, kv_idx): return q_idx != kv_idx + 3
def four(b, h, q_idx, kv_idx): return q_idx != kv_idx + 4
def five(b, h, q_idx, kv_idx): return q_idx != kv_idx + 5

many = and_masks(and_masks(causal, one, two), three, four, five)
"""


def many() -> Spec:
    """A spec whose mask has seven clauses."""
    consent.allow(consent.digest_of(MANY), remember=False)
    mods = {"path": "", "mask_mod": "many", "source": MANY}
    return attention(num_queries=6, num_kvpairs=6, self_attention=True, mods=mods)


@pytest.mark.parametrize("present", [False, True])
def test_that_many_clauses_keep_a_decent_size_and_scroll_beside_the_whole_mask(
    present: bool, on: At, hands: Hands
) -> None:
    window = on(many())
    window.resize(1280, 800)
    page = opened(window, hands)
    window.present(present)
    QCoreApplication.processEvents()
    whole, *clauses = page.maps.maps
    assert len(clauses) == 7
    for each in clauses:
        assert min(each.cells.width(), each.cells.height()) >= page.maps.look.px(76)
        assert whole.cells.width() > each.cells.width()
    assert clauses[-1].geometry().bottom() <= page.maps.area.widget().height()
    assert page.maps.area.verticalScrollBar().maximum() > 0 or not present
    finding = page.list.visualItemRect(page.list.item(0))
    assert page.list.viewport().rect().contains(finding)
    window.present(False)


def test_that_a_figure_as_on_screen_has_neither_the_switches_nor_their_boxes(on: At, hands: Hands) -> None:
    window = on(SPEC)
    page = opened(window, hands)
    with without_notices(window, page):
        assert not page.conventions.isVisible()
    assert page.conventions.isVisible()


def test_that_the_sentence_is_about_the_item_on_screen_and_about_clauses_only_where_there_are_some(
    on: At, hands: Hands
) -> None:
    window = on(SPEC)
    page = opened(window, hands)
    assert not page.sparsity.isVisible()  # no two blocks of 16 fit into six tokens
    for item in (0, 1):
        window.room.current_view.propose(item=item)
        QCoreApplication.processEvents()
        share = np.mean(masks_of(SPEC, item)[0])
        assert page.words == f"The mask allows {share:.0%} of its cells (item {item + 1}); it has 4 clauses.".replace(
            "%", " %"
        )
    for fields, said in (({}, "There is no mask."), ({"causal": True}, "The mask allows 58 % of its cells.")):
        window = on(attention(num_queries=6, num_kvpairs=6, self_attention=True, **fields))
        assert opened(window, hands).words == said
