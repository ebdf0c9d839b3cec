"""What a run takes over from earlier ones: whatever the two specs are, its numbers are those of a fresh run."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import attention_values, masked_values
from running import attention_trace, bits, own_arrays

from attnviz.engine import memory
from attnviz.engine.kept_results import AFRESH, KeptResults
from attnviz.engine.labs import cores_for
from attnviz.engine.machine import RunError
from attnviz.engine.run import start
from attnviz.experiment.attention.memory import attention_bytes
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.run import Cursor

ALL = masked_values() | attention_values(most=6)
BASE = {"mechanism": "multi_head", "num_heads": 2, "num_hiddens": 8, "num_queries": 5, "num_kvpairs": 5}


def keeping(kept: KeptResults, values: dict[str, Any]) -> AttentionTrace:
    """Return the trace of a run that takes what it can from earlier ones."""
    spec = make_spec({"device": "cpu", **values})
    with cores_for(spec):
        going = start(spec, kept=kept)
        assert going.advance(lambda: False)
    found: AttentionTrace = going.at(Cursor())
    return found


def assert_as_fresh(kept: KeptResults, *several: dict[str, Any]) -> None:
    """Compare every array of the runs, one after the other, with that of a run that knows of no other."""
    for values in several:
        try:
            fresh = attention_trace(**values)
        except AssertionError:  # a failure in place of a trace
            with pytest.raises(RunError):
                keeping(kept, values)
            continue
        found = keeping(kept, values)
        assert bits(found) == bits(fresh)
        for name, array in own_arrays(found).items():
            assert not array.flags.writeable, name
            assert array.tobytes() == own_arrays(fresh)[name].tobytes(), name


def made_from(one: dict[str, Any], other: dict[str, Any], fields: set[str]) -> dict[str, Any]:
    """Return the values of one spec with some of another's; those of the other where that is not legal."""
    mixed = one | {name: value for name, value in other.items() if name in fields}
    try:
        make_spec({"device": "cpu", **mixed})
    except SpecError:
        return other
    return mixed


@given(one=ALL, other=ALL, data=st.data())
def test_that_a_run_after_any_other_has_the_bits_of_a_fresh_run(
    one: dict[str, Any], other: dict[str, Any], data: st.DataObject
) -> None:
    turned = made_from(one, other, data.draw(st.sets(st.sampled_from(sorted(other)), min_size=1, max_size=3)))
    assert_as_fresh(KeptResults(least_bytes=0), one, turned, one, other, turned)


class Forgetful(KeptResults):
    """Tells plain arguments apart by their type alone."""

    def _identity(self, value: Any) -> Any:
        return type(value) if isinstance(value, float) else super()._identity(value)


def test_that_the_law_catches_an_argument_that_is_forgotten() -> None:
    turned = BASE, BASE | {"temperature": 2.0}
    assert_as_fresh(KeptResults(least_bytes=0), *turned)
    with pytest.raises(AssertionError):
        assert_as_fresh(Forgetful(least_bytes=0), *turned)


@pytest.mark.parametrize("mechanism", ["multi_head", "additive", "rotary", "alibi", "dot_product"])
@pytest.mark.parametrize(
    ("turned", "reused"),
    [
        ({"causal": True}, {"queries", "q", "v", "scores"}),
        ({"valid_lens": [3, 2]}, {"queries", "q", "v", "scores"}),
        ({"mask_policy": "book", "valid_lens": [3, 2]}, {"queries", "q", "v", "scores"}),
        ({"temperature": 2.0}, {"queries", "q", "v"}),
        ({"dropout": 0.5}, {"queries", "q", "v", "scores", "masked_scores", "weights", "heads", "output"}),
    ],
)
def test_that_what_does_not_depend_on_a_knob_is_not_computed_again(
    mechanism: str, turned: dict[str, Any], reused: set[str]
) -> None:
    kept, values = KeptResults(least_bytes=0), BASE | {"mechanism": mechanism, "batch_size": 2}
    before, after, back = (keeping(kept, each) for each in (values, values | turned, values))
    for name in ("queries", "q", "v", "scores", "masked_scores", "weights", "heads", "output"):
        shared = np.shares_memory(getattr(before, name), getattr(after, name))
        assert shared == (name in reused), name
        assert np.shares_memory(getattr(before, name), getattr(back, name)), name


def test_that_a_files_arrays_are_told_apart_by_their_numbers_and_not_by_its_name(tmp_path: Any) -> None:
    path, generator = tmp_path / "x.npz", np.random.default_rng(0)
    x, w = generator.normal(size=(1, 5, 8)).astype(np.float32), generator.normal(size=(8, 8)).astype(np.float32)
    values = BASE | {"inputs": {"kind": "file", "path": str(path)}}
    kept = KeptResults(least_bytes=0)
    np.savez(path, queries=x, keys=x, values=x, W_q=w)
    first = keeping(kept, values)
    np.savez(path, queries=x, keys=x, values=x, W_q=w)
    assert np.shares_memory(first.scores, keeping(kept, values).scores)
    np.savez(path, queries=x, keys=x, values=x, W_q=-w)
    assert_as_fresh(kept, values)


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (0.0, -0.0), (1, True)])
def test_that_numbers_that_are_equal_and_not_the_same_are_told_apart(one: Any, other: Any) -> None:
    kept, x = KeptResults(), torch.tensor([1, -1])
    for number in (one, other):
        found = kept.of(torch.mul, x, number)
        assert (found.dtype, found.numpy().tobytes()) == ((x * number).dtype, (x * number).numpy().tobytes())


def test_that_a_result_that_was_written_to_is_computed_again() -> None:
    kept, x = KeptResults(), torch.arange(4.0)
    kept.of(torch.exp, x)[1:].add_(1)  # through a view
    assert torch.equal(kept.of(torch.exp, x), x.exp())
    x.add_(1)
    assert torch.equal(kept.of(torch.exp, x), x.exp())


def test_that_numbers_are_drawn_each_time_they_are_asked_for() -> None:
    kept, generator = KeptResults(), torch.Generator().manual_seed(0)
    with kept.of_torch():
        first, second = (torch.randn(3, generator=generator) for _ in range(2))
        filled = [torch.empty(3).uniform_(generator=generator) for _ in range(2)]
    assert not torch.equal(first, second)
    assert not torch.equal(*filled)


def test_that_a_result_of_another_number_of_threads_is_not_taken() -> None:
    kept, x = KeptResults(least_bytes=0), torch.ones(3)
    before = torch.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 2):
            torch.set_num_threads(threads)
            kept.for_run(0, 1 << 40)
            found.append(kept.of(torch.exp, x))
    finally:
        torch.set_num_threads(before)
    assert found[0] is not found[1]
    assert found[1] is found[2]


def test_that_what_is_kept_stays_within_its_bytes_and_ends_after_two_runs() -> None:
    kept = KeptResults(least_bytes=0)
    keeping(kept, BASE)
    one = kept.nbytes
    for seed in range(5):
        keeping(kept, BASE | {"seed": seed})
    assert 0 < kept.nbytes <= 2 * one
    narrow = KeptResults(least_bytes=0, most_bytes=max(one, 64 << 10))
    for seed in range(5):
        keeping(narrow, BASE | {"seed": seed, "num_queries": 5 + 9 * seed, "num_kvpairs": 5 + 9 * seed})
        assert narrow.nbytes <= max(one, 64 << 10)


def test_that_small_runs_and_those_that_are_too_large_keep_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptResults()
    assert keeping(kept, BASE).weights.size
    assert kept.nbytes == 0
    kept = KeptResults(least_bytes=0)
    spec = keeping(kept, BASE).spec
    assert kept.nbytes
    monkeypatch.setattr(memory, "available_bytes", lambda _: 1 + attention_bytes(spec))
    keeping(kept, BASE)
    assert kept.nbytes == 0
    assert KeptResults(least_bytes=0, most_bytes=10).for_run(11, 1 << 40) is AFRESH


def test_that_another_lab_lets_go_of_what_is_kept() -> None:
    kept = KeptResults(least_bytes=0)
    keeping(kept, BASE)
    start(make_spec({"lab": "regression", "device": "cpu"}), kept=kept)
    assert kept.nbytes == 0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
@given(one=ALL, other=ALL)
def test_that_a_run_on_a_gpu_has_the_bits_of_a_fresh_run(one: dict[str, Any], other: dict[str, Any]) -> None:
    on_gpu = [values | {"device": "cuda"} for values in (one, other, one)]
    assert_as_fresh(KeptResults(least_bytes=0), *on_gpu)
