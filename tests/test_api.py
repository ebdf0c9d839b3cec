"""attnviz from Python: what `run` and `view` take, what they refuse, and when a window's files go."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import attnviz
from attnviz import api
from attnviz.api import window
from attnviz.definitions.tasks import TASKS
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files.specs_in_files import preset, write_spec
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.export.document import read_document

ROOT = Path(__file__).resolve().parents[1]
W = np.array([[[0.25, 0.75], [0.5, 0.5]], [[0.0, 1.0], [0.125, 0.875]]], np.float32)
SMALL = {"num_heads": 2, "num_hiddens": 8, "device": "cpu"}


# run


@pytest.mark.parametrize("name", ["multi-head-random", "preset:multi-head-random"])
def test_that_a_preset_runs_by_its_name(name: str) -> None:
    trace = attnviz.run(name)
    assert isinstance(trace, AttentionTrace)
    assert trace.spec == preset("multi-head-random").spec


def test_that_a_spec_its_values_and_its_file_are_one_run(tmp_path: Path) -> None:
    spec = make_spec(SMALL)
    write_spec(spec, tmp_path / "mine.json")
    found = [attnviz.run(what) for what in (spec, SMALL, tmp_path / "mine.json", str(tmp_path / "mine.json"))]
    assert all(trace.spec == spec for trace in found)
    assert len({trace.weights.tobytes() for trace in found}) == 1


def test_that_a_training_returns_its_last_trace() -> None:
    trace = attnviz.run({"lab": "regression", "estimator": "parametric"}, epochs=3)
    assert isinstance(trace, RegressionTrace)
    assert trace.step == trace.spec.epochs == 3


@pytest.mark.parametrize(
    "values",
    [
        SMALL,
        {"lab": "regression", "estimator": "parametric", "epochs": 1},
        *({"lab": "train", "task": {"kind": task}, "steps": 1} for task in TASKS),
    ],
    ids=str,
)
def test_that_a_trace_can_be_sent_to_another_process(values: dict[str, Any]) -> None:
    trace = attnviz.run(values)
    if hasattr(trace, "layer"):
        assert trace.layer.steps, "looked up once, but not sent: their functions cannot be"
    sent = pickle.loads(pickle.dumps(trace))
    assert sent.spec == trace.spec
    assert sent.weights.tobytes() == trace.weights.tobytes()


def test_that_changes_are_made_together_and_what_follows_from_them_follows() -> None:
    trace = attnviz.run("multi-head-random", num_heads=4, num_hiddens=64)
    assert trace.spec == preset("multi-head-random").spec.model_copy(update={"num_heads": 4, "num_hiddens": 64})
    trace = attnviz.run("causal-sentence", inputs={"kind": "sentence", "text": "one two three"})
    assert trace.weights.shape[2:] == (3, 3)
    spec = make_spec(SMALL | {"self_attention": True, "num_queries": 5})
    assert attnviz.run(spec, num_queries=2).weights.shape[2:] == (2, 2)


@pytest.mark.parametrize(
    ("what", "changes", "said"),
    [
        ("multi-head-randm", {}, "there is no preset 'multi-head-randm'; nearest: multi-head-random"),
        ("multi-head-random", {"num_heads": 3}, "num_hiddens 100 is not divisible by num_heads 3; nearest: 99, 102"),
        ("multi-head-random", {"num_head": 3}, "there is no field 'num_head'; nearest: num_heads"),
        ({"num_heads": "many"}, {}, "num_heads 'many' must be a whole number"),
        ("missing.json", {}, "missing.json cannot be read: No such file or directory"),
        (Path("missing"), {}, "missing cannot be read"),
        (5, {}, "5 must be a spec, its values, a preset's name or the path of a file"),
        (None, {"num_heads": 2}, "None must be a spec"),
    ],
)
def test_that_what_is_no_spec_is_a_value_error_with_its_sentence(what: Any, changes: Any, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}") as caught:
        attnviz.run(what, **changes)
    assert isinstance(caught.value, SpecError)


def test_that_a_run_which_fails_raises_its_sentence_with_its_code() -> None:
    with pytest.raises(attnviz.RunFailed, match=r"^there is no device cuda:77 here") as caught:
        attnviz.run(SMALL, device="cuda:77")
    assert caught.value.code == "device_missing"


def test_that_importing_costs_nothing_and_each_name_loads_only_what_it_needs(tmp_path: Path) -> None:
    code = """
import json, sys
held = lambda: sorted({"torch", "numpy", "pydantic", "PySide6"} & set(sys.modules))
import attnviz
found = [held()]
attnviz.view, attnviz.View
found.append(held())
attnviz.run({"num_heads": 2, "num_hiddens": 8})
found.append(held())
print(json.dumps(found))
"""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, timeout=60, check=True
    )
    assert json.loads(done.stdout) == [[], ["numpy", "pydantic"], ["numpy", "pydantic", "torch"]]


# Each notebook is a fork of one process that has loaded torch and has not multiplied yet.
NOTEBOOKS = """
import hashlib, os, sys, torch, numpy, pydantic
for place, before in enumerate(sys.argv[1:]):
    if os.fork() == 0:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{place}.{name}", os.O_WRONLY | os.O_CREAT), number)
        exec(before)
        attnviz.run("causal-sentence", device="cpu")
        print(hashlib.sha256(attnviz.run("causal-sentence", device="cpu").weights.tobytes()).hexdigest())
        sys.exit()
    assert os.wait()[1] == 0, before
"""


def run_in_notebooks(folder: Path, *before: str) -> list[tuple[str, str]]:
    """Return the digest of some weights, run twice after what each notebook has done before, and its stderr."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MKL_", "OMP_"))}
    subprocess.run(
        [sys.executable, "-c", NOTEBOOKS, *before],
        cwd=folder,
        env=env | {"PYTHONPATH": str(ROOT)},
        timeout=60,
        check=True,
    )
    said = [[(folder / f"{place}.{name}").read_text() for name in ("out", "err")] for place in range(len(before))]
    return [(out, err) for out, err in said]


@pytest.mark.skipif(
    not torch.backends.mkl.is_available() or sys.platform != "linux", reason="needs MKL that can be asked"
)
def test_that_the_order_of_sums_is_asked_for_on_import_and_told_once_where_that_is_too_late(tmp_path: Path) -> None:
    product = "torch.ones(64, 64) @ torch.ones(64, 64)"
    at_once, in_time, too_late = run_in_notebooks(
        tmp_path, "import attnviz", f"import attnviz; {product}", f"{product}; import attnviz"
    )
    assert at_once == in_time
    assert len(at_once[0]) == 65
    assert at_once[1] == ""
    assert too_late[1].count("RuntimeWarning: torch multiplied before attnviz was imported") == 1


def test_that_no_other_name_is_found_in_the_package() -> None:
    with pytest.raises(AttributeError, match=r"^module 'attnviz' has no attribute 'veiw'$"):
        attnviz.veiw  # type: ignore[attr-defined]  # noqa: B018
    assert set(attnviz.__all__) <= {*dir(api), "__version__"}


# view


class StandIn:
    """A window's process that is over when a test says so."""

    def __init__(self, spec: Path) -> None:
        self.spec, self.code, self.signals = spec, None, list[int]()

    def poll(self) -> int | None:
        return self.code

    def wait(self, timeout: float | None = None) -> int:
        if self.code is None:
            raise subprocess.TimeoutExpired("attnviz", timeout or 0)
        return self.code

    def send_signal(self, number: int) -> None:
        self.signals.append(number)
        self.code = 0

    def kill(self) -> None:
        self.code = -9


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[StandIn]]:
    """The processes that `view` would have started."""
    found: list[StandIn] = []

    def start(spec: Path, _errors: Any) -> StandIn:
        found.append(StandIn(spec))
        return found[-1]

    monkeypatch.setattr(window, "_start", start)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    yield found
    for process in found:
        process.code = 0
    window._tidy_up()


def saved(process: StandIn) -> dict[str, Any]:
    """Return the arrays that a window was opened on."""
    spec = read_document(process.spec).spec
    assert spec.mechanism == "given"  # type: ignore[union-attr]
    with np.load(spec.inputs.path, allow_pickle=False) as arrays:  # type: ignore[union-attr]
        return dict(arrays)


TENSOR = torch.tensor(W, requires_grad=True)


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        (W, "float32"),
        (W.astype(np.float64), "float64"),
        (W.tolist(), "float64"),
        ([[1, 0], [0, 1]], "float64"),
        (TENSOR, "float32"),
        (TENSOR.double(), "float64"),
        (TENSOR.half(), "float32"),
        (TENSOR.bfloat16(), "float32"),
        ([TENSOR[0], TENSOR[1]], "float32"),
        (TENSOR.transpose(1, 2), "float32"),
    ],
    ids=str,
)
def test_that_whatever_is_like_an_array_arrives_as_it_is(weights: Any, dtype: str, started: list[StandIn]) -> None:
    attnviz.view(weights)
    arrays = saved(started[0])
    assert set(arrays) == {"weights"}
    assert arrays["weights"].dtype == np.dtype(dtype)
    if isinstance(weights, list) and isinstance(weights[0], torch.Tensor):
        weights = torch.stack(weights)
    expected = weights.detach().float().numpy() if isinstance(weights, torch.Tensor) else np.asarray(weights)
    np.testing.assert_array_equal(arrays["weights"], expected)


def test_that_mask_and_tokens_go_with_the_weights(started: list[StandIn]) -> None:
    attnviz.view(W, ["<s>", "a\0"], key_tokens=("x", "y"), mask=torch.tensor([[True, False]]))
    arrays = saved(started[0])
    assert arrays["query_tokens"].tolist() == ["<s>", r"a\x00"]
    assert arrays["key_tokens"].tolist() == ["x", "y"]
    assert arrays["mask"].tolist() == [[True, False]]


def test_that_a_list_has_one_entry_a_layer_and_the_scale_may_be_one_for_all(started: list[StandIn]) -> None:
    q, k = torch.rand(2, 2, 3), torch.rand(1, 2, 3)
    attnviz.view([W, W[:1]], ["a", "b"], q=[q, q[:1]], k=(k, k), mask=[None, [[True, False]]], scale=0.5)
    arrays = saved(started[0])
    names = {f"{name}.{layer}" for name in ("weights", "q", "k", "scale") for layer in (1, 2)}
    assert set(arrays) == names | {"query_tokens", "mask.2"}
    assert (arrays["weights.2"].shape, arrays["q.1"].shape, float(arrays["scale.2"])) == ((1, 2, 2), (2, 2, 3), 0.5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"weights": ((TENSOR,), (TENSOR,))},
            "weights[0] is a tuple of 1 layers, but must be one layer; nearest:",
        ),
        ({"weights": (TENSOR, TENSOR), "q": TENSOR}, "q is no list for 2 layers; nearest: a list of 2"),
        ({"weights": (TENSOR, TENSOR), "mask": [True]}, "mask is a list of 1 for 2 layers; nearest: a list of 2"),
        ({"weights": (TENSOR, TENSOR * 4)}, "layer 1: weights[0, 0, 1] is 3, and a weight is in 0..1"),
        ({"q": TENSOR}, "q and k make the scores together; give both, or neither"),
        ({"q": TENSOR, "k": TENSOR[..., :1]}, "q has 2 features and k has 1: they have no product; nearest: 1"),
        ({"v": TENSOR[:, :1]}, "v has shape (2, 1, 2), which does not fit; nearest: (1, 2, 2, 2)"),
        ({"q": TENSOR, "k": TENSOR, "scale": float("nan")}, "scale must be one finite number that is not 0"),
        (
            {"q": TENSOR, "k": TENSOR, "scale": [1.0, 2.0]},
            "scale must be one finite number that is not 0; nearest: 1.0",
        ),
        ({"weights": (None, None)}, "weights is None: the model returned no weights; nearest: load it with attn_impl"),
        ({"weights": None}, "weights is None"),
        ({"weights": TENSOR * 4}, "weights[0, 0, 1] is 3, and a weight is in 0..1"),
        ({"weights": [TENSOR, None]}, "weights[1] is None: the model returned no weights"),
        ({"weights": [[0.5, 0.5], [1.0]]}, "weights is a list whose entries differ in shape"),
        ({"weights": "words"}, "weights holds <U5, not numbers"),
        ({"weights": object()}, "weights holds object, not numbers"),
        (
            {"q": TENSOR, "k": TENSOR[:1], "v": TENSOR},
            "v has 2 heads and k has 1, but keys and values must have the same number of heads",
        ),
        ({"tokens": 5}, "tokens is 5, but must be a sequence of tokens"),
        ({"tokens": ["a"]}, "tokens has 1 entries for 2 queries; needed 2"),
        ({"tokens": "ab"}, "tokens is a string, but must be a sequence of tokens; nearest: tokens.split()"),
        ({"tokens": ["a", 7]}, "tokens[1] is 7, not text; nearest: '7'"),
        ({"tokens": ["a", "b" * 10**6]}, "tokens[1] 'bbbbbbbbbbbbbbbbbbbb'... has 1000000 characters; at most 200"),
        ({"key_tokens": ["a", "b", "c"]}, "key_tokens has 3 entries for 2 keys"),
        ({"mask": [[1, 0]]}, "mask holds int64, not booleans (True = may attend); nearest: mask.astype(bool)"),
        (
            {"mask": np.ones((3, 3), bool)},
            "mask has shape (3, 3), which does not spread over weights of shape (2, 2, 2)",
        ),
    ],
)
def test_that_what_cannot_be_shown_is_refused_before_a_window_opens(
    arguments: dict[str, Any], said: str, started: list[StandIn]
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        attnviz.view(**{"weights": W} | arguments)
    assert not started


def test_that_no_display_is_said_before_a_window_opens(started: list[StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(RuntimeError, match=r"^there is no display to open a window on"):
        attnviz.view(W)
    assert not started


def test_that_a_machine_without_qt_is_told_so(started: list[StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(RuntimeError, match=r"^the window needs Qt, which is not installed"):
        attnviz.view(W)
    assert not started


def test_that_the_files_stay_while_the_window_does_and_go_with_it(started: list[StandIn]) -> None:
    opened = attnviz.view(W)
    folder = started[0].spec.parent
    assert not opened.closed
    window._tidy_up()
    assert saved(started[0])
    assert repr(opened) == "<attnviz.View, open>"
    started[0].code = 0
    assert opened.closed
    assert not folder.exists()
    assert opened.closed
    opened.wait()
    opened.close()
    assert started[0].signals == []


def test_that_two_windows_have_files_of_their_own(started: list[StandIn]) -> None:
    first, second = attnviz.view(W), attnviz.view(W / 2)
    first.close()
    assert first.closed
    assert not second.closed
    np.testing.assert_array_equal(saved(started[1])["weights"], W / 2)


def test_that_a_window_which_nobody_holds_is_tidied_up_at_the_end(started: list[StandIn]) -> None:
    attnviz.view(W)
    started[0].code = 0
    window._tidy_up()
    assert not started[0].spec.parent.exists()


def test_that_a_window_without_a_screen_is_closed_at_the_end(
    started: list[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    opened = attnviz.view(W)
    window._tidy_up()
    assert opened.closed
    assert not started[0].spec.parent.exists()


def test_that_closing_asks_first_and_insists_afterwards(
    started: list[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    opened = attnviz.view(W)
    opened.close()
    assert (started[0].signals, started[0].code) == ([signal.SIGINT], 0)
    monkeypatch.setattr(StandIn, "send_signal", lambda self, number: self.signals.append(number))
    deaf = attnviz.view(W)
    deaf.close()
    assert (started[1].signals, started[1].code) == ([signal.SIGINT], -9)
    assert deaf.closed


def test_that_a_fork_leaves_the_files_of_the_window_alone(
    started: list[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = attnviz.view(W)
    folder = started[0].spec.parent
    started[0].code = 0  # as a process looks like that is not one's own child
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: -1)
        assert opened.closed
    assert folder.exists()
    assert opened.closed
    assert not folder.exists()


def test_that_waiting_returns_a_closed_window(started: list[StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StandIn, "wait", lambda self, _timeout=None: setattr(self, "code", 0) or 0)
    assert attnviz.view(W, wait=True).closed
    assert not started[0].spec.parent.exists()


def test_that_ctrl_c_while_waiting_closes_the_window(started: list[StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: StandIn, timeout: float | None = None) -> int:
        if self.code is None:
            raise KeyboardInterrupt
        return self.code

    monkeypatch.setattr(StandIn, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        attnviz.view(W, wait=True)
    assert started[0].signals
    assert not started[0].spec.parent.exists()


def test_that_a_window_which_could_not_open_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    start = window._start

    def spoil(spec: Path, errors: Any) -> Any:
        spec.write_text("nonsense")
        return start(spec, errors)

    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(window, "_start", spoil)
    opened = attnviz.view(W)
    with pytest.raises(RuntimeError, match=r"^the window ended with code 2: .*Your arrays.json: this is not JSON"):
        opened.wait()
    assert not opened._folder.exists()


# Python reads a file of this name when it starts: here it leaves a sign when the window reads the weights.
WATCH = """
import pathlib, sys

def watch(event, what):
    if event == "import" and what[0] == "attnviz.engine.attention.inputs":
        pathlib.Path({sign!r}).touch()

sys.addaudithook(watch)
"""


def test_that_a_real_window_opens_and_closes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sign = tmp_path / "reading"
    (tmp_path / "sitecustomize.py").write_text(WATCH.format(sign=str(sign)))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), str(ROOT))))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))  # the window remembers its place there
    opened = attnviz.view(TENSOR, ["a", "b"])
    if sys.platform != "win32":
        assert os.getsid(opened._process.pid) != os.getsid(0), "a Ctrl+C in the terminal would reach the window"
    until = time.monotonic() + 30
    while not sign.exists() and time.monotonic() < until:
        assert not opened.closed, "it closed by itself"
        time.sleep(0.05)
    assert opened._folder.exists()
    opened.close()
    assert opened._process.returncode == 0
    assert not opened._folder.exists()


@pytest.mark.parametrize("ending", ["png", "pdf", "svg"])
def test_that_a_saved_figure_carries_what_it_shows(ending: str, tmp_path: Path) -> None:
    trace = attnviz.run("multi-head-random", num_heads=4)
    attnviz.figure(trace, heads=np.array([2, 0]), stage="scores", item=np.int64(1)).savefig(tmp_path / f"two.{ending}")
    session = read_document(tmp_path / f"two.{ending}")
    assert session.spec == trace.spec
    assert (session.view.stage, session.view.item, session.view.head) == ("scores", 1, 2)  # type: ignore[union-attr]


def test_that_a_notebook_draws_a_trace_by_itself() -> None:
    picture = attnviz.run("kernel-fixed")._repr_png_()
    assert picture is not None
    assert picture.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"heads": [5]}, "head 5 must be in 0..4; nearest: 4"),
        ({"heads": [1.0]}, "head 1.0 must be a whole number"),
        ({"heads": [True]}, "head True must be a whole number"),
        ({"item": None}, "item None must be a whole number"),
        ({"stage": "wieghts"}, "nearest: weights"),
        ({"colour_map": "virids"}, "nearest: viridis"),
        ({"theme": "drak"}, "nearest: dark"),
        ({"width_cm": 400}, "nearest: 60"),
        ({"width_cm": "a"}, "width_cm 'a' must be a number; nearest: 8"),
        ({"width_cm": None}, "width_cm None must be a number; nearest: 8"),
        ({"width_cm": True}, "width_cm True must be a number; nearest: 8"),
    ],
)
def test_that_a_figure_that_cannot_be_is_a_sentence(chosen: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        attnviz.figure(attnviz.run("multi-head-random"), **chosen)
    with pytest.raises(ValueError, match="must be a trace"):
        attnviz.figure("weights")  # type: ignore[arg-type]


@pytest.mark.parametrize("device", ["meta", "cpu"])
def test_that_the_default_device_of_a_program_changes_no_run(device: str) -> None:
    specs: tuple[tuple[str, dict[str, Any]], ...] = (
        ("causal-sentence", {}),
        ("kernel-learned", {"epochs": 2}),
        ("train-induction", {"steps": 2}),
        ("model-induction", {}),
    )
    expected = [attnviz.run(name, device="cpu", **changes).weights.tobytes() for name, changes in specs]
    torch.set_default_device(device)
    try:
        found = [attnviz.run(name, device="cpu", **changes).weights.tobytes() for name, changes in specs]
        table = attnviz.sweep("causal-sentence", {"num_heads": [1, 2]}, device="cpu")
        assert torch.get_default_device().type == device
    finally:
        torch.set_default_device(None)
    assert found == expected
    assert list(table["failure"]) == ["", ""]


def test_that_a_recording_under_a_default_device_without_values_is_refused_with_the_remedy() -> None:
    model = torch.nn.MultiheadAttention(8, 2)
    x = torch.randn(3, 1, 8)
    torch.set_default_device("meta")
    try:
        with pytest.raises(attnviz.RunFailed, match=r"nearest: torch.set_default_device\('cpu'\)"):
            attnviz.record(model, (x, x, x))
    finally:
        torch.set_default_device(None)
