"""The user's own mask_mod and score_mod in a run, from the file's text to a cell's arithmetic and the script."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scripts import run_scripts
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

import attnviz
from attnviz.definitions.text import Text
from attnviz.engine.attention.run import attention_trace
from attnviz.engine.machine import RunError
from attnviz.experiment.attention.mods import Called, Mods, called, names_in
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files import consent
from attnviz.experiment.files.consent import digest_of
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.layers.cell import attention_cell, reasons_at
from attnviz.experiment.run import never_stop
from attnviz.export.code.script import pytorch_code
from attnviz.export.numbers import write_npz

SOURCE = '''\
import torch
from torch.nn.attention.flex_attention import and_masks

document = torch.tensor([0, 0, 0, 1, 1, 1, 1, 1])
slope = torch.tensor([0.5, 0.25])


def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def same_document(b, h, q_idx, kv_idx):
    return document[q_idx] == document[kv_idx]


def window(size=3):
    def near(b, h, q_idx, kv_idx):
        return (q_idx - kv_idx).abs() < size

    return near


def even_heads(b, h, q_idx, kv_idx):
    return (h % 2 == 0) | (q_idx == kv_idx + b)


packed = and_masks(causal, same_document)


def nearer(score, b, h, q_idx, kv_idx):
    """The farther, the less."""
    return score - slope[h] * (q_idx - kv_idx).abs()
'''
SMALL: dict[str, Any] = {
    "lab": "attention",
    "self_attention": True,
    "num_queries": 8,
    "num_heads": 2,
    "num_hiddens": 16,
    "batch_size": 2,
}


@pytest.fixture(autouse=True, scope="module")
def _allowed() -> None:
    consent.allow(digest_of(SOURCE), remember=False)


def spec_of(mask_mod: str | None = None, score_mod: str | None = None, **values: Any) -> AttentionSpec:
    mods = {"path": "mine.py", "mask_mod": mask_mod, "score_mod": score_mod, "source": SOURCE}
    spec = make_spec(SMALL | {"mods": mods} | values)
    assert isinstance(spec, AttentionSpec)
    return spec


def traced(spec: AttentionSpec) -> AttentionTrace:
    trace = attention_trace(spec, never_stop)
    assert trace is not None
    return trace


def test_that_a_run_has_the_heads_of_flex_attention() -> None:
    names: dict[str, Any] = {}
    exec(SOURCE, names)
    trace = traced(spec_of("packed", "nearer"))
    q, k, v = (torch.tensor(x) for x in (trace.q, trace.k, trace.v))
    mask = create_block_mask(names["packed"], 2, 2, 8, 8, device="cpu")
    heads = flex_attention(q, k, v, score_mod=names["nearer"], block_mask=mask)
    assert torch.allclose(torch.tensor(trace.heads), heads, atol=1e-5)


def test_that_an_own_mask_acts_with_the_others_and_each_forbidden_cell_names_its_reasons() -> None:
    layer = traced(spec_of("packed", window=2)).layer
    i, j = np.ogrid[:8, :8]
    packed = (i >= j) & ((i < 3) == (j < 3))
    assert (layer.mask == np.broadcast_to(packed & (abs(i - j) < 2), layer.mask.shape)).all()
    assert [each.code for each in reasons_at(layer.masks, 0, 0, 7, 0)] == ["window", "mask_mod"]
    (reason,) = reasons_at(layer.masks, 0, 0, 3, 2)
    assert "same_document" in reason.sentence
    assert "causal" not in reason.sentence
    assert reasons_at(layer.masks, 0, 0, 7, 7) == ()


def test_that_a_mask_may_differ_between_heads_and_items() -> None:
    mask = traced(spec_of("even_heads")).mask
    b, h, i, j = np.ogrid[:2, :2, :8, :8]
    assert (mask == ((h % 2 == 0) | (i == j + b))).all()


def test_that_a_score_mod_is_a_stage_and_a_step_of_a_cell() -> None:
    trace = traced(spec_of(score_mod="nearer", score_steps={"softcap": {"cap": 1.0}}))
    stages = trace.layer.stage_names
    assert stages[stages.index("modified_scores") - 1 :][:3] == ("capped_scores", "modified_scores", "masked_scores")
    cell = attention_cell(trace.layer, 1, 1, 6, 2)
    capped, modified = cell.changes
    assert modified.after == pytest.approx(capped.after - 0.25 * 4, abs=1e-6)
    assert modified.after == cell.masked_score == float(trace.changed_scores["modified_scores"][1, 1, 6, 2])
    assert cell.quotient == pytest.approx(cell.weight, abs=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_that_scores_of_any_precision_are_modified_in_at_least_float32(dtype: str) -> None:
    trace = traced(spec_of("causal", "nearer", dtype=dtype))
    distances = np.abs(np.subtract.outer(np.arange(8), np.arange(8)))
    wide = np.float32 if dtype != "float64" else np.float64
    expected = trace.scores.astype(wide) - np.array([0.5, 0.25], wide)[:, None, None] * distances.astype(wide)
    assert torch.equal(
        torch.tensor(expected).to(getattr(torch, dtype)).double(), torch.tensor(trace.unmasked_scores).double()
    )


def test_that_a_trace_lists_the_functions_and_can_be_pickled() -> None:
    trace = pickle.loads(pickle.dumps(traced(spec_of("window(2)"))))
    assert trace.own is not None
    assert trace.own.mask is not None
    assert {"causal", "window", "packed", "nearer"} <= {each.name for each in trace.own.listed}
    assert reasons_at(trace.layer.masks, 0, 0, 7, 0)[0].code == "mask_mod"


def test_that_a_file_of_numbers_has_every_clause(tmp_path: Path) -> None:
    write_npz(traced(spec_of("packed", "nearer")), tmp_path / "own.npz")
    with np.load(tmp_path / "own.npz") as file:
        assert file["clause_names"].tolist() == ["causal", "same_document"]
        assert (file["clauses"].all(axis=0) == file["mask"]).all()
        assert (file["clauses"][0, 0, 0] == np.tri(8, dtype=bool)).all()
        assert file["modified_scores"].shape == file["scores"].shape
        assert "def same_document" in str(file["spec"])


def test_that_the_script_has_the_source_and_the_numbers_of_the_run(tmp_path: Path) -> None:
    specs = {
        "heads": spec_of("packed", "nearer", causal=True),
        "one": spec_of("window(2)", "nearer", mechanism="dot_product"),
        "half": spec_of("even_heads", "nearer", dtype="float16"),
    }
    left = run_scripts({name: pytorch_code(spec) for name, spec in specs.items()}, tmp_path)
    for name, spec in specs.items():
        assert SOURCE in pytorch_code(spec)
        assert (left[name]["weights"] == traced(spec).weights).all(), name


def test_that_a_text_nobody_allowed_is_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    source = f"open({str(marker)!r}, 'w')\n\ndef f(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n"
    spec = make_spec(SMALL | {"mods": {"path": "evil.py", "mask_mod": "f", "source": source}})
    with pytest.raises(RunError, match="not allowed to run") as caught:
        attention_trace(spec, never_stop)  # type: ignore[arg-type]
    assert caught.value.code == "code_not_allowed"
    assert not marker.exists()


def test_that_a_session_keeps_the_source_and_names_the_format_that_knows_it() -> None:
    session = Session(spec=spec_of("packed"))
    text = session_to_json(session)
    assert session_from_json(text).spec == session.spec
    assert '"format": 7' in text
    assert '"mods"' not in session_to_json(Session(spec=AttentionSpec()))


def test_that_a_path_in_a_document_is_relative_to_its_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOURCE)
    spec = make_spec(SMALL | {"mods": {"path": "mine.py", "mask_mod": "packed"}}).beside(tmp_path)
    assert isinstance(spec, AttentionSpec)
    assert spec.mods == Mods(path=str(tmp_path / "mine.py"), mask_mod="packed", source=SOURCE)
    missing = make_spec(SMALL | {"mods": {"path": "other.py", "mask_mod": "packed"}}).beside(tmp_path)
    with pytest.raises(RunError, match=r"other\.py cannot be read"):
        attention_trace(missing, never_stop)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("causal", Called("causal")),
        ("window(4)", Called("window", True, (4,))),
        ("f([1, 2], x=-1.5, y='a')", Called("f", True, ([1, 2],), {"x": -1.5, "y": "a"})),
        ("f(g)", None),
        ("f(*[1])", None),
        ("a.b", None),
        ("f(1) + 1", None),
        ("import os", None),
        ("f(" * 500, None),
    ],
)
def test_that_only_a_name_or_a_call_with_literals_is_a_function(text: str, expected: Called | None) -> None:
    assert called(text) == expected
    if expected is None:
        with pytest.raises(SpecError, match="must be the name of a function in the file"):
            make_spec(SMALL | {"mods": {"mask_mod": text, "source": ""}})


def test_that_names_are_read_without_running_the_file() -> None:
    listed = {each.name: each.kind for each in names_in("1 / 0\n" + SOURCE)}
    kinds = {"causal": "mask_mod", "same_document": "mask_mod", "nearer": "score_mod", "window": "factory"}
    assert listed == {
        "and_masks": "",
        "document": "",
        "slope": "",
        "packed": "mask_mod",
        **kinds,
        "even_heads": "mask_mod",
    }
    assert names_in("def f(:") == ()


def test_that_the_words_of_a_masked_cell_can_be_translated() -> None:
    (reason,) = reasons_at(traced(spec_of("packed")).layer.masks, 0, 0, 0, 1)
    assert Text(reason.template, reason.numbers).filled() == "your mask (causal)"


def test_that_python_code_may_name_functions_and_a_document_asks(tmp_path: Path) -> None:
    (tmp_path / "new.py").write_text("def new(b, h, q_idx, kv_idx):\n    return q_idx > kv_idx\n")
    document = tmp_path / "new.json"
    document.write_text(json.dumps(SMALL | {"mods": {"path": "new.py", "mask_mod": "new"}}))
    with pytest.raises(attnviz.RunFailed) as caught:
        attnviz.run(document)
    assert caught.value.code == "code_not_allowed"
    values = SMALL | {"mods": {"path": str(tmp_path / "new.py"), "mask_mod": "new"}}
    for trace in (attnviz.run(values), attnviz.run(document), attnviz.run(tmp_path / "new.py")):
        assert trace.empty_rows[0, 0, 0]
        assert trace.spec.mods.source.startswith("def new")  # type: ignore[attr-defined]


def test_that_an_experiment_is_named_after_its_file_rather_than_a_preset() -> None:
    assert str(spec_of("packed").subject) == "mine.py"
    assert not AttentionSpec().subject
