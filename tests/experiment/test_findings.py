"""Findings about masks: what is said of which mask, by hand, and blocks against torch's block mask."""

import time
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.attention.flex_attention import create_block_mask

from attnviz.experiment.attention.findings import (
    BLOCK_SIZES,
    EMPTY,
    FULL,
    PARTIAL,
    blocks_of,
    findings,
)
from attnviz.experiment.attention.own_mask import Clause
from attnviz.experiment.layers.positions_text import positions_said, runs_of

Q, K = np.arange(12)[:, None], np.arange(12)
CAUSAL, WINDOW, PADDING = Q >= K, abs(Q - K) < 3, np.broadcast_to(K < 9, (12, 12))


def clause(allowed: Any, name: str = "mask", does: Any = "", *clauses: Clause) -> Clause:
    cells = np.asarray(allowed)
    return Clause(name, cells[(None,) * (4 - cells.ndim)], does, clauses)


def both(*parts: Clause) -> Clause:
    return clause(np.logical_and.reduce([part.allowed for part in parts]), "mask", "and", *parts)


def either(*parts: Clause) -> Clause:
    return clause(np.logical_or.reduce([part.allowed for part in parts]), "mask", "or", *parts)


def kinds(mask: Clause, level: str = "") -> list[tuple[str, str]]:
    found = findings(mask)
    return [(f.kind, f.clause.name if f.clause else "") for f in found if level in ("", f.level)]


def said(mask: Clause, kind: str) -> str:
    return next(finding.text.translated() for finding in findings(mask) if finding.kind == kind)


def test_that_a_mask_without_mistakes_has_none() -> None:
    assert kinds(clause(CAUSAL)) == []
    documents = np.repeat([0, 1, 2], (5, 4, 3))
    assert kinds(both(clause(CAUSAL, "causal"), clause(documents[:, None] == documents, "document"))) == []


def test_that_a_padding_mask_on_the_wrong_index_is_found() -> None:
    wrong = both(clause(CAUSAL, "causal"), clause(np.broadcast_to(Q < 9, (12, 12)), "padding"))
    assert kinds(wrong, "mistake") == [("empty_rows", ""), ("keys_alike", "padding")]
    assert said(wrong, "empty_rows") == "3 rows have no key: 10–12."
    assert said(wrong, "keys_alike") == "It depends on q_idx only: was kv_idx meant?"
    right = both(clause(CAUSAL, "causal"), clause(PADDING, "padding"))
    assert kinds(right, "mistake") == []
    assert ("queries_alike", "padding") in kinds(right, "fact")


def test_that_global_queries_are_no_mistake() -> None:
    some = either(clause(WINDOW, "window"), clause(np.broadcast_to(Q < 2, (12, 12)), "global"))
    assert kinds(some, "mistake") == []
    assert ("keys_alike", "global") in kinds(some, "fact")


def test_that_swapped_indices_and_a_missing_equals_sign_are_found() -> None:
    assert kinds(clause(Q <= K), "mistake") == [("only_later", "")]
    assert kinds(clause(Q > K), "mistake") == [("empty_rows", ""), ("not_itself", "")]
    assert said(clause(Q > K), "not_itself").endswith("was >= meant?")
    assert kinds(clause(Q != K), "mistake") == []


def test_that_rows_with_an_unusual_number_of_keys_are_listed_but_not_where_every_row_differs() -> None:
    odd = PADDING.copy()
    odd[[4, 7]] = False
    odd[[4, 7], 0] = True
    assert said(clause(odd), "unusual_rows") == "2 rows have other than 9 keys, unlike most: 5, 8."
    assert kinds(clause(WINDOW)) == [("edge_rows", "")]
    assert said(clause(WINDOW), "edge_rows").endswith("1–2, 11–12.")
    assert "unusual_rows" not in dict(kinds(clause(CAUSAL)))


def test_that_clauses_without_effect_are_found() -> None:
    wide = both(clause(CAUSAL, "causal"), clause(abs(Q - K) < 12, "wide"))
    assert ("all_true", "wide") in kinds(wide, "hint")
    shadowed = both(clause(WINDOW & CAUSAL, "window"), clause(CAUSAL, "causal"))
    assert kinds(shadowed, "hint") == [("no_effect", "causal")]
    assert kinds(either(clause(WINDOW, "window"), clause(Q < -1 + 0 * K, "never")), "hint") == [("all_false", "never")]
    assert ("all_false", "never") in kinds(both(clause(WINDOW, "window"), clause(Q < -1 + 0 * K, "never")), "mistake")


def test_that_a_mask_of_all_or_nothing_says_so_alone() -> None:
    assert kinds(clause(np.ones((3, 4), bool))) == [("none_masked", "")]
    assert kinds(clause(np.zeros((3, 4), bool))) == [("all_masked", "")]


def test_that_heads_and_items_that_differ_are_counted() -> None:
    heads = np.stack([CAUSAL, WINDOW, CAUSAL])[None]
    assert said(clause(heads), "heads_differ").startswith("The 3 heads have 2 different masks; they differ in ")
    cells = int((CAUSAL != WINDOW).sum())
    assert f"in {cells} of 144 cells" in said(clause(heads), "heads_differ")
    items = np.stack([PADDING, np.broadcast_to(K < 5, (12, 12))])[:, None]
    assert said(clause(items), "items_differ").startswith("The 2 items have 2 different masks")
    assert (
        said(clause(items), "unused_keys")
        == "No query may attend to 3 keys: 10–12 (item 1), and others in one further mask."
    )
    assert next(f for f in findings(clause(items)) if f.kind == "unused_keys").place == (0, 0, 0)


def test_that_long_lists_of_rows_are_runs() -> None:
    assert runs_of([0, 1, 2, 5, 7, 8]) == ((0, 2), (5, 5), (7, 8))
    assert positions_said([]).translated() == ""
    assert positions_said([0, 1, 2, 5]).translated() == "1–3, 6"
    assert positions_said(range(0, 40, 2)).translated() == "1, 3, 5, 7, 9, 11, 13, 15 and 12 more"


@pytest.mark.parametrize("size", BLOCK_SIZES)
@pytest.mark.parametrize("rule", [lambda q, k: q >= k, lambda q, k: (q - k).abs() < 40, lambda q, k: k < 70])
def test_that_blocks_are_those_of_torch_where_nothing_is_padded(size: int, rule: Any) -> None:
    block_mask = create_block_mask(lambda b, h, q, k: rule(q, k), None, None, 256, 384, device="cpu", BLOCK_SIZE=size)
    blocks = blocks_of(rule(torch.arange(256)[:, None], torch.arange(384)).expand(1, 1, 256, 384).numpy(), size)
    assert blocks.count(PARTIAL) == int(block_mask.kv_num_blocks.sum())
    assert blocks.count(FULL) == int(block_mask.full_kv_num_blocks.sum())
    assert blocks.count(EMPTY) + blocks.count(PARTIAL) + blocks.count(FULL) == blocks.kinds.size
    assert 100 * blocks.sparsity == pytest.approx(block_mask.sparsity())


def test_that_sparsity_counts_cells_of_the_mask_alone_where_that_of_torch_is_negative() -> None:
    block_mask = create_block_mask(lambda b, h, q, k: k < 5, None, None, 100, 100, device="cpu")
    assert block_mask.sparsity() < 0
    allowed = np.broadcast_to(np.arange(100) < 5, (1, 1, 100, 100))
    assert blocks_of(allowed, 128).sparsity == 0
    assert blocks_of(allowed, 16).sparsity == pytest.approx(0.84)
    assert blocks_of(np.ones((1, 1, 100, 100), bool), 128).count(FULL) == 1


def test_that_findings_of_2048_tokens_take_less_than_a_second() -> None:
    i, j = np.arange(2048)[:, None], np.arange(2048)
    mask = both(clause(i >= j, "causal"), clause(abs(i - j) < 300, "window"), clause(j < 1900 + 0 * i, "padding"))
    start = time.perf_counter()
    findings(mask)
    for size in BLOCK_SIZES:
        blocks_of(mask.allowed, size)
    assert time.perf_counter() - start < 1
