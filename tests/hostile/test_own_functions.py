"""Broken files with own functions: each is an error with its line and what to write instead, and the next run works."""

from pathlib import Path

import numpy as np
import pytest
import torch
from own_files import SIZES, mask, own, score

from attnviz.engine.attention.mods.process import listed, mask_of, printed, scores_after
from attnviz.engine.machine import RunError
from attnviz.experiment.attention.mods import Mods

GOOD = mask("return q_idx >= kv_idx")
BROKEN = {
    "syntax": ("def mask(b, h, q_idx, kv_idx:\n    pass\n", 1, "was never closed"),
    "indent": ("def mask(b, h, q_idx, kv_idx):\nreturn 1\n", 2, "expected an indented block"),
    "null": ("a = 1\0\n", 0, "null bytes"),
    "module": ("import os\nimport no_such_module.inner\n", 2, "there is no module no_such_module in this environment"),
    "import": ("from torch import no_such_name\n", 1, "ImportError: cannot import name 'no_such_name'"),
    "raises": ("x = 1\nraise ValueError('my own words')\n", 2, "ValueError: my own words"),
    "exits": ("import sys\nsys.exit(3)\n", 2, "it ends the program (sys.exit)"),
    "interrupts": ("\nraise KeyboardInterrupt\n", 2, "KeyboardInterrupt"),
    "no words": ("class E(Exception):\n    def __str__(self): 1 / 0\nraise E\n", 3, "E"),
    "misspelt": ("def masc(b, h, q_idx, kv_idx): return q_idx >= kv_idx\n", 0, "no function mask; nearest: masc"),
    "not there": ("def causal(b, h, q_idx, kv_idx): return q_idx >= kv_idx\n", 0,
                  "no function mask; the file has causal"),
    "empty": ("", 0, "there is no function mask"),
    "no function": ("import torch\nmask = torch.ones(4)\n", 0, "mask is of type Tensor, not a function"),
    "parameters": ("def mask(q_idx, kv_idx): return q_idx\n", 1,
                   "(q_idx, kv_idx); a mask_mod has (b, h, q_idx, kv_idx)"),
    "score_mod": ("def mask(score, b, h, q, k): return score\n", 1, "so it is a score_mod; a mask_mod has"),
    "factory": ("def mask(n):\n    return lambda b, h, q, k: q - k < n\n", 1,
                "nearest: a call of it with values, such as mask(4)"),
    "int": (mask("return q_idx - kv_idx"), 2, "mask returns int64; a mask_mod returns bool; nearest: a comparison"),
    "float": (mask("return torch.where(q_idx >= kv_idx, 0.0, -torch.inf)"), 2,
              "mask returns float32; a mask_mod returns bool"),
    "True": (mask("return True"), 2, "mask returns a value of type bool; a mask_mod returns a tensor computed from"),
    "None": (mask("q_idx >= kv_idx"), 2, "mask returns a value of type NoneType"),
    "shape": (mask("return (q_idx >= kv_idx)[None]"), 2,
              "shape (1,); a mask_mod returns one value per cell, of shape ()"),
    "if": (mask("if q_idx >= kv_idx:", "    return h > 0", "return h < 0"), 3,
           'for "if"; nearest: torch.where(condition, a, b)'),
    "expression": (mask("a = 1", "return (h > 0) if q_idx > 1 else (h < 1)"), 4, 'for "if"; nearest: torch.where'),
    "and": (mask("a = 1", "return q_idx >= kv_idx and h > 0"), 4, 'for "and"; nearest: a & b'),
    "or": (mask("return q_idx >= kv_idx or h > 0"), 3, 'for "or"; nearest: a | b'),
    "not": (mask("return not q_idx >= kv_idx"), 3, 'for "not"; nearest: ~a'),
    "chain": (mask("return 0 <= q_idx - kv_idx < 3"), 3, 'for "a < b < c"; nearest: (a < b) & (b < c)'),
    "item": (mask("return kv_idx < q_idx.item()"), 3, 'for ".item()"; nearest: tensor[index]'),
    "int()": (mask("return kv_idx < int(q_idx)"), 3, 'for "int(...)"; nearest: .to(torch.int64)'),
    "min": (mask("return min(q_idx, 3) >= kv_idx"), 3, 'for "min(...)"; nearest: torch.minimum(a, b)'),
    "range": (mask("return sum(kv_idx == i for i in range(q_idx)) > 0"), 3, "nearest: torch.arange(n)[index]"),
    "while": (mask("while q_idx > 0:", "    q_idx = q_idx - 1", "return q_idx == kv_idx"), 3,
              'for "while"; nearest: torch.where'),
    "random": (mask("return torch.rand(()) > 0.5"), 3,
               "vmap forbids random numbers in a mod; nearest: a tensor drawn outside"),
    "nonzero": (mask("return torch.nonzero(q_idx >= kv_idx).any()"), 3, "whose size depends on values"),
    "in place": (mask("a = torch.zeros(())", "a += q_idx", "return a > kv_idx"), 4, "in place; nearest: a = a + b"),
    "index": (mask("return torch.ones(5, dtype=torch.bool)[kv_idx]"), 3,
              "index 5 is out of bounds for dimension 0 with size 5; "
              "the sizes here are b 1, h 2, q 4, k 6"),
    "recursion": (mask("return mask(b, h, q_idx, kv_idx)"), 3, "the function calls itself without end"),
    "memory": (mask("raise MemoryError"), 3, "there is not enough memory for it"),
    "huge": (mask("return torch.zeros(1 << 60).sum() > kv_idx"), 3, "there is not enough memory for it"),
    "exit": (mask("sys.exit('done')"), 3, "it ends the program (sys.exit); nearest: raise ValueError"),
    "own words": (mask("raise RuntimeError('the window\\nis too small')"), 3, "RuntimeError: the window is too small"),
    "attribute": (mask("return kv_idx.nothing"), 3, "AttributeError: "),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_that_a_broken_mask_names_its_line_and_the_remedy(kind: str) -> None:
    source, line, words = BROKEN[kind]
    mods = own(source)
    with pytest.raises(RunError) as caught:
        mask_of(mods, SIZES)
    assert str(caught.value).startswith(f"my_mods.py, line {line}: " if line else "my_mods.py: ")
    assert words in str(caught.value)
    assert caught.value.numbers["line"] == line
    assert caught.value.code.startswith("mods_")
    assert mask_of(own(GOOD), SIZES).allowed.sum() == 10


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("return 'text'", "score_mod returns a value of type str; a score_mod returns a tensor"),
        ("return score[None]", "of shape (1,); a score_mod returns one value per cell"),
        ("return score * 1j", "score_mod returns complex64; a score_mod returns real numbers"),
        ("return score if q_idx > kv_idx else -score", 'for "if"; nearest: torch.where'),
        ("return score + torch.rand_like(score)", "vmap forbids random numbers"),
    ],
)
def test_that_a_broken_score_mod_names_its_line_and_the_remedy(line: str, words: str) -> None:
    with pytest.raises(RunError) as caught:
        scores_after(own(score(line), None, "score_mod"), torch.zeros(SIZES))
    assert str(caught.value).startswith("my_mods.py, line ")
    assert words in str(caught.value)


def test_that_nan_and_infinity_are_scores_like_any_other() -> None:
    mods = own(score("return torch.where(q_idx > kv_idx, torch.nan, -torch.inf)"), None, "score_mod")
    after = scores_after(mods, torch.zeros(SIZES))
    assert after[..., 2, 0].isnan().all()
    assert (after[..., 0, 2] == -torch.inf).all()


@pytest.mark.parametrize(
    "lines",
    [
        ["print('x' * 3_000_000)", "os.write(1, b'y' * 3_000_000)"],
        ["sys.stdout.close()"],
        ["os.close(1)", "os.close(0)"],
        ["sys.stdout = sys.stderr = None"],
        ["sys.setrecursionlimit(60)"],
        ["sys.modules.pop('json')", "sys.path.clear()"],
        ["os.fork() if hasattr(os, 'fork') else None"],
    ],
    ids=lambda lines: lines[0][:20],
)
def test_that_what_a_function_does_to_its_own_process_harms_neither_it_nor_the_next(lines: list[str]) -> None:
    assert mask_of(own(mask(*lines, "return q_idx >= kv_idx")), SIZES).allowed.sum() == 10
    assert mask_of(own(GOOD + "# again"), SIZES).allowed.sum() == 10


def test_that_what_functions_print_is_kept_up_to_a_limit() -> None:
    mods = own("print('at import')\n" + mask("print('in the mask')", "return q_idx >= kv_idx"))
    mask_of(mods, SIZES)
    assert printed(mods).startswith("at import\nin the mask\n")
    endless = own(mask("print('x' * 3_000_000)", "return q_idx >= kv_idx"))
    mask_of(endless, SIZES)
    assert "more bytes" in printed(endless)
    assert len(printed(endless)) < 30_000


def test_that_what_a_function_printed_before_it_failed_is_in_the_error() -> None:
    with pytest.raises(RunError, match="line 4: ZeroDivisionError") as caught:
        mask_of(own(mask("print('so far')", "return q_idx >= 1 / 0")), SIZES)
    assert caught.value.numbers["printed"] == "so far\n"


def test_that_a_file_that_is_not_there_runs_from_its_source_and_else_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "gone.py"
    assert mask_of(own(GOOD, path=path), SIZES).allowed.sum() == 10
    with pytest.raises(RunError, match=r"gone\.py cannot be read: No such file"):
        mask_of(Mods(path=str(path), mask_mod="mask"), SIZES)


def test_that_code_runs_only_if_it_was_allowed(tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    mods = Mods(path="my_mods.py", mask_mod="mask", source=f"open({str(trace)!r}, 'w')\n{GOOD}")
    with pytest.raises(RunError) as caught:
        mask_of(mods, SIZES)
    assert caught.value.code == "code_not_allowed"
    assert not trace.exists()


def test_that_imports_are_those_of_a_script_in_that_folder_and_read_again_when_they_change(tmp_path: Path) -> None:
    helper = tmp_path / "my_helper.py"
    helper.write_text("WIDTH = 2\n")
    source = "import my_helper, torch\ndef mask(b, h, q_idx, kv_idx): return kv_idx < my_helper.WIDTH\n"
    mods = own(source, path=tmp_path / "my_mods.py")
    assert mask_of(mods, SIZES).allowed.sum() == 8
    helper.write_text("WIDTH = 3  # another size\n")
    assert mask_of(mods, SIZES).allowed.sum() == 12
    package = tmp_path / "project" / "my_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("WIDTH = 4\n")
    added = f"import sys\nsys.path.append({str(package.parent)!r})\nfrom my_package import WIDTH\n"
    project = own(added + mask("return kv_idx < WIDTH"), path=tmp_path / "my_mods.py")
    assert mask_of(project, SIZES).allowed.sum() == 16
    (package / "__init__.py").write_text("WIDTH = 5  # another size\n")
    assert mask_of(project, SIZES).allowed.sum() == 20
    helper.write_text("WIDTH = 1 / 0\n")
    with pytest.raises(
        RunError, match=r"my_mods\.py, line 1: ZeroDivisionError: division by zero \(my_helper\.py, line 1\)"
    ):
        mask_of(mods, SIZES)
    assert not (tmp_path / "__pycache__").exists(), "nothing is left beside the user's file"
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(RunError, match="there is no module my_helper"):
        mask_of(own(source, path=other / "my_mods.py"), SIZES)


def test_that_a_main_block_does_not_run_and_random_captured_tensors_stay_the_same() -> None:
    source = "import torch, random\nkept = torch.rand(6) < random.random()\n" + mask("return kept[kv_idx]")
    source += "if __name__ == '__main__':\n    raise SystemExit\n"
    first = mask_of(own(source), SIZES).allowed
    assert np.array_equal(mask_of(own(source + "# changed"), SIZES).allowed, first)


def test_that_the_callables_of_a_file_are_listed_with_what_they_can_be_used_as() -> None:
    source = '''
    import functools, math, torch
    from torch.nn.attention.flex_attention import and_masks, noop_mask
    def causal(b, h, q_idx, kv_idx):
        """Attend to the past.

        More."""
        return q_idx >= kv_idx
    def natten(width, height, kernel_width, kernel_height):
        def mask_mod(b, h, q_idx, kv_idx): return q_idx >= kv_idx
        return mask_mod
    def bias(score, b, h, q_idx, kv_idx, slope=0.5): return score
    def helper(x): return x
    def combined(n): return and_masks(causal, natten(n, n, n, n))
    class Own:
        def __call__(self, b, h, q, k): return q >= k
    own, part, _hidden = Own(), functools.partial(bias, slope=2), causal
    number = 3
    '''
    found = {each.name: (each.kind, each.signature, each.line) for each in listed(own(source))}
    assert found == {
        "noop_mask": ("mask_mod", "(batch, head, token_q, token_kv)", 3),
        "causal": ("mask_mod", "(b, h, q_idx, kv_idx)", 4),
        "natten": ("factory", "(width, height, kernel_width, kernel_height)", 9),
        "bias": ("score_mod", "(score, b, h, q_idx, kv_idx, slope=0.5)", 12),
        "helper": ("", "(x)", 13),
        "combined": ("factory", "(n)", 14),
        "own": ("mask_mod", "(b, h, q, k)", 17),
        "part": ("score_mod", "(score, b, h, q_idx, kv_idx, *, slope=2)", 17),
    }
    assert next(each.doc for each in listed(own(source)) if each.name == "causal") == "Attend to the past."
