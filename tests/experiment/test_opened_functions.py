"""Python files as the functions of a spec: what is chosen when one is opened, and how the choice follows an edit."""

from pathlib import Path

import pytest

from attnviz.experiment.attention.mods import Mods, names_in, read_source
from attnviz.experiment.attention.opened import (
    call_of,
    first_functions,
    offered_as,
    values_of_functions,
    with_text,
    write_source,
)
from attnviz.experiment.files import consent

SOURCE = """from torch.nn.attention.flex_attention import and_masks

def windowed(size: int, more: int = 3):
    def mask(b, h, q_idx, kv_idx):
        return q_idx - kv_idx < size
    return mask

def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx

def alibi(heads: int = 8):
    return lambda score, b, h, q_idx, kv_idx: score + kv_idx - q_idx

both = and_masks(causal, windowed(4))

def _private(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx
"""


def test_that_each_role_is_offered_its_functions_then_factories_then_names_of_unknown_kind() -> None:
    offered = {
        role: [call_of(each) for each in offered_as(role, names_in(SOURCE))] for role in ("mask_mod", "score_mod")
    }
    assert offered["mask_mod"] == ["causal", "both", "windowed(...)"]
    assert offered["score_mod"] == ["alibi()"]


def test_that_the_first_function_that_no_other_is_made_of_is_chosen_but_no_factory_that_needs_an_argument() -> None:
    assert first_functions(SOURCE) == {"mask_mod": "both", "score_mod": "alibi()"}
    factory = SOURCE[: SOURCE.index("def causal")]
    assert first_functions(factory) == {}
    assert first_functions(factory.replace("size: int", "size: int = 2")) == {"mask_mod": "windowed()"}


def test_that_a_helper_which_is_given_a_mod_is_not_chosen_for_its_number_of_parameters() -> None:
    helper = "def cached(score_mod, B, H, M, N, device='cpu'): ...\n\ndef table(mask_mod, B, Q, K): ...\n\n"
    assert first_functions(helper) == {}
    assert first_functions(helper + SOURCE) == first_functions(SOURCE)


def test_that_opening_a_file_is_consent_to_its_text_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    mods = values_of_functions(path)["mods"]
    assert (mods.path, mods.source, mods.mask_mod, mods.score_mod) == (str(path), SOURCE, "both", "alibi()")
    assert consent.is_allowed(mods.digest)
    assert not consent.is_allowed(mods.model_copy(update={"source": SOURCE + "\n"}).digest)


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00not text", b"x = 1\n" * 100_000, None], ids=["bytes", "large", "gone"]
)
def test_that_a_file_that_cannot_be_read_has_no_source_and_leaves_the_reason_to_the_run(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "mine.py"
    if content is not None:
        path.write_bytes(content)
    mods = values_of_functions(path)["mods"]
    assert (mods.source, mods.mask_mod) == (None, "mine")


def test_that_an_edit_keeps_what_is_chosen_through_a_new_name_and_while_the_text_cannot_be_parsed() -> None:
    mods = with_text(None, SOURCE)
    assert (mods.mask_mod, mods.score_mod) == ("both", "alibi()")
    mods = mods.model_copy(update={"mask_mod": "windowed(2)"})
    known = names_in(SOURCE)
    half = SOURCE.replace("def windowed(size", "def (size")
    mods = with_text(mods, half, known)
    assert (mods.mask_mod, mods.source) == ("windowed(2)", half)
    mods = with_text(mods, SOURCE.replace("windowed", "sliding"), known)
    assert mods.mask_mod == "sliding(2)"
    assert with_text(mods, "x = 1\n", names_in(mods.source or "")).mask_mod == "sliding(2)"


@pytest.mark.parametrize(
    "content",
    [
        b"a = 1\r\nb = 'x'\r\n",
        b"\xef\xbb\xbfa = 1\n",
        b"# -*- coding: latin-1 -*-\na = '\xe9'\n",
        "a = '掩码'\n".encode(),
    ],
    ids=["crlf", "bom", "latin-1", "utf-8"],
)
def test_that_saving_an_unchanged_text_leaves_the_bytes_of_the_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(content)
    write_source(path, read_source(path))
    assert path.read_bytes() == content


def test_that_a_character_that_the_encoding_lacks_is_an_error_and_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(b"# coding: ascii\n")
    with pytest.raises(OSError, match="ascii"):
        write_source(path, "# coding: ascii\na = 'é'\n")
    assert path.read_bytes() == b"# coding: ascii\n"


def test_that_ten_thousand_allowed_texts_still_fit_into_the_environment_of_a_child() -> None:
    for number in range(1_500):
        consent.allow(Mods(source=str(number)).digest, remember=False)
    import os
    import subprocess
    import sys

    assert len(os.environ[consent.VARIABLE]) < 1 << 17
    assert subprocess.run([sys.executable, "-c", "pass"], check=True).returncode == 0
    assert consent.is_allowed(Mods(source="1499").digest)
