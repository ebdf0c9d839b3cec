"""Masks taken apart into their clauses, whose combination is the mask itself."""

import functools
import operator
from pathlib import Path

import numpy as np
import own_mods
import pytest
from own_files import own

from attnviz.engine.attention.mods.process import mask_of
from attnviz.experiment.attention.own_mask import Clause

SIZES = 2, 4, 12, 12
HEAD = """
import torch
from torch.nn.attention.flex_attention import and_masks, or_masks
docs = torch.arange(12) // 5
def causal(b, h, q_idx, kv_idx): return q_idx >= kv_idx
def window(size):
    def mask_mod(b, h, q_idx, kv_idx): return q_idx - kv_idx < size
    return mask_mod
window_4 = window(4)
"""


def tree(clause: Clause) -> object:
    """Return a clause as its name, or (name, does, its clauses)."""
    return (clause.name, clause.does, [tree(each) for each in clause.clauses]) if clause.does else clause.name


def taken_apart(source: str, name: str = "mask") -> Clause:
    return mask_of(own(HEAD + source, name), SIZES)


def line_of(source: str, text: str) -> int:
    return (HEAD + source).splitlines().index(next(each for each in (HEAD + source).splitlines() if text in each)) + 1


EXPECTED = {
    "a name": ("mask = causal", "mask"),
    "and_masks": ("mask = and_masks(causal, window_4)", ("mask", "and", ["causal", "window_4"])),
    "factories": (
        "mask = or_masks(window(2), window(3), lambda b, h, q, k: k < 2)",
        ("mask", "or", ["window(2)", "window(3)", "<lambda>"]),
    ),
    "nested": (
        "mask = and_masks(or_masks(causal, window(1)), window_4)",
        ("mask", "and", [("or_masks()", "or", ["causal", "window(1)"]), "window_4"]),
    ),
    "same names": ("mask = and_masks(causal, causal)", ("mask", "and", ["causal #1", "causal #2"])),
    "operators": (
        "def mask(b, h, q_idx, kv_idx):\n    return (q_idx >= kv_idx) & (docs[q_idx] == docs[kv_idx]) | (kv_idx == 0)",
        (
            "mask",
            "or",
            [
                (
                    "(q_idx >= kv_idx) & (docs[q_idx] == docs[kv_idx])",
                    "and",
                    ["q_idx >= kv_idx", "docs[q_idx] == docs[kv_idx]"],
                ),
                "kv_idx == 0",
            ],
        ),
    ),
    "variables": (
        "def mask(b, h, q_idx, kv_idx):\n    '''Text.'''\n    d = q_idx - kv_idx\n    near = d < 4\n"
        "    past: torch.Tensor = d >= 0\n    return near & past & ~(kv_idx == 3)",
        ("mask", "and", ["near", "past", "~(kv_idx == 3)"]),
    ),
    "pairs": (
        "def both(a): return a // 3, a % 3\ndef mask(b, h, q_idx, kv_idx):\n    x, y = both(q_idx)\n"
        "    u, v = both(kv_idx)\n    return (x == u) & (y >= v)",
        ("mask", "and", ["x == u", "y >= v"]),
    ),
    "calls": (
        "def mask(b, h, q_idx, kv_idx):\n"
        "    return torch.logical_or(causal(b, h, q_idx, kv_idx), window_4(b, h, q_idx, kv_idx))",
        ("mask", "or", ["causal", "window_4"]),
    ),
    "captured": (
        "def made(first, second):\n    def mask_mod(b, h, q_idx, kv_idx):\n"
        "        return first(b, h, q_idx, kv_idx) & second(b, h, q_idx, kv_idx) & (h < 3)\n    return mask_mod\n"
        "mask = made(causal, window(5))",
        ("mask", "and", ["causal", "window(5)", "h < 3"]),
    ),
    "other indices": (
        "def mask(b, h, q_idx, kv_idx):\n    return causal(b, h, kv_idx, q_idx) & (h < 3)",
        ("mask", "and", ["causal(b, h, kv_idx, q_idx)", "h < 3"]),
    ),
    "lambda": ("mask = lambda b, h, q, k: (q >= k) & (k > 1)", ("mask", "and", ["q >= k", "k > 1"])),
    "own and_masks": (
        "def all_of(*mods):\n    def and_all(b, h, q_idx, kv_idx):\n        kept = q_idx >= 0\n"
        "        for mod in mods:\n            kept = kept & mod(b, h, q_idx, kv_idx)\n        return kept\n"
        "    return and_all\nmask = all_of(causal, window_4)",
        ("mask", "and", ["causal", "window_4"]),
    ),
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_that_a_mask_is_taken_apart_at_its_and_and_or(kind: str) -> None:
    source, expected = EXPECTED[kind]
    assert tree(taken_apart(source)) == expected


UNDIVIDED = {
    "if": "def mask(b, h, q_idx, kv_idx):\n    if docs[0] == 0:\n"
    "        return (q_idx > kv_idx) & (h > 0)\n    return h > 1",
    "numbers": "def mask(b, h, q_idx, kv_idx):\n    return ((q_idx & 3) | (kv_idx & 1)) > 0",
    "bits": "def mask(b, h, q_idx, kv_idx):\n    return (q_idx & kv_idx).bool()",
    "loop": "def mask(b, h, q_idx, kv_idx):\n    a = q_idx < 0\n"
    "    for n in (1, 2):\n        a = a | (kv_idx == n)\n    return a",
    "rebound": "def mask(b, h, q_idx, kv_idx):\n    a = q_idx > 3\n    a = a | (kv_idx > 3)\n    return a & (h > 0)",
    "untrue name": "def and_both(*mods):\n    def mask_mod(b, h, q_idx, kv_idx):\n"
    "        return mods[0](b, h, q_idx, kv_idx) ^ mods[1](b, h, q_idx, kv_idx)\n    return mask_mod\n"
    "mask = and_both(causal, window_4)",
    "counts calls": "calls = []\ndef mask(b, h, q_idx, kv_idx):\n    calls.append(1)\n"
    "    return (q_idx > len(calls)) & (h > 0)",
    "changed source": "def mask(b, h, q_idx, kv_idx):\n    return (q_idx > 1) & (h > 0)\n"
    "mask.__code__ = (lambda b, h, q_idx, kv_idx: q_idx > kv_idx).__code__",
}


@pytest.mark.parametrize("kind", UNDIVIDED)
def test_that_a_mask_stays_whole_where_its_operands_are_not_certain(kind: str) -> None:
    clause = taken_apart(UNDIVIDED[kind])
    assert clause.clauses == ()


@pytest.mark.parametrize("name", ["packed", "causal_window", "global_tokens", "banded", "prefix_lm(5)"])
def test_that_clauses_combine_to_the_mask(name: str) -> None:
    root = mask_of(own(Path(own_mods.__file__).read_text(encoding="utf-8"), name), SIZES)
    divided = [clause for clause in root.walk() if clause.does]
    assert divided
    for clause in divided:
        combine = operator.and_ if clause.does == "and" else operator.or_
        assert np.array_equal(functools.reduce(combine, (each.allowed for each in clause.clauses)), clause.allowed)


def test_that_a_clause_has_its_line() -> None:
    source = "mask = and_masks(causal, window_4)\ndef other(b, h, q_idx, kv_idx):\n"
    source += "    near = q_idx - kv_idx < 3\n    return near & (h > 1)"
    mask, other = taken_apart(source), taken_apart(source, "other")
    assert [each.line for each in (mask, *mask.clauses)] == [
        line_of(source, "mask = "),
        line_of(source, "def causal"),
        line_of(source, "def mask_mod"),
    ]
    assert [each.line for each in (other, *other.clauses)] == [
        line_of(source, "def other"),
        line_of(source, "near = "),
        line_of(source, "return near"),
    ]


def test_that_a_mask_of_more_clauses_than_are_shown_stays_whole() -> None:
    many = " | ".join(f"(kv_idx == {n})" for n in range(70))
    assert taken_apart(f"def mask(b, h, q_idx, kv_idx):\n    return {many}").clauses == ()
