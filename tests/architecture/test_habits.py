"""What once crashed, stalled or misled is nowhere in the source."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator

import pytest
from source_tree import FILES, called, imports_of, name_of

_GLOBAL_SEED = re.compile(
    r"(^|\.)(torch(\.(cuda|mps|random))?\.(manual_seed|manual_seed_all|seed)|(np\.|numpy\.)?random\.seed)$"
)
_UNPICKLERS = ("pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml", "runpy")
_RUNS = re.compile(
    r"^(builtins\.)?(eval|exec|compile|__import__|execfile)$|(^|\.)(torch\.load|read_pickle|np\.load|numpy\.load)$"
)
_LATER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def calls(source: str) -> Iterator[tuple[ast.Call, str]]:
    """Yield every call and the dotted name of what it calls."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func)


def connected_in_passing(source: str) -> list[int]:
    """A lambda or partial runs in the thread that emits, and keeps alive what it holds."""
    return [
        call.lineno
        for call, _ in calls(source)
        if called(call) == "connect"
        for argument in call.args
        if isinstance(argument, ast.Lambda) or (isinstance(argument, ast.Call) and called(argument) == "partial")
    ]


def terminated(source: str) -> list[int]:
    """A thread that is terminated leaves its locks locked."""
    found = [call for call, _ in calls(source) if called(call) == "terminate"]
    return [call.lineno for call in found if not ast.unparse(call.func).endswith("process.terminate")]


def spun(source: str) -> list[int]:
    """An event loop spun by hand starves the worker and enters slots again."""
    return [call.lineno for call, _ in calls(source) if called(call) == "processEvents"]


def bare_excepts(source: str) -> list[int]:
    """A bare except swallows Ctrl-C too."""
    nodes = ast.walk(ast.parse(source))
    return [node.lineno for node in nodes if isinstance(node, ast.ExceptHandler) and node.type is None]


def put_off(source: str) -> list[int]:
    """What is to be done is done, or stands in an issue."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.start[0] for token in tokens if token.type == tokenize.COMMENT and _LATER.search(token.string)]


def global_seeds(source: str) -> list[int]:
    """A run's random numbers hang on its spec alone, never on what ran before."""
    return [call.lineno for call, name in calls(source) if _GLOBAL_SEED.search(name)]


def runs_what_it_reads(source: str) -> list[int]:
    """A file is data: whoever unpickles or evaluates it runs what its author liked."""
    tree = ast.parse(source)
    modules = {name.partition(".")[0]: line for name, line, _ in imports_of(tree)}
    by_name = [call.lineno for call, name in calls(source) if _RUNS.search(name)]
    allowing = [
        word.value.lineno
        for word in ast.walk(tree)
        if isinstance(word, ast.keyword) and word.arg in ("allow_pickle", "weights_only")
        if ast.unparse(word.value) != str(word.arg == "weights_only")
    ]
    return sorted([*(line for name, line in modules.items() if name in _UNPICKLERS), *by_name, *allowing])


Rule = Callable[[str], list[int]]
RULES: tuple[Rule, ...] = (
    connected_in_passing,
    terminated,
    spun,
    bare_excepts,
    put_off,
    global_seeds,
    runs_what_it_reads,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_that_no_file_falls_back_into_the_habit(rule: Rule) -> None:
    found = {name_of(path): rule(path.read_text(encoding="utf-8")) for path in FILES}
    assert {name: lines for name, lines in found.items() if lines} == {}, rule.__doc__


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (connected_in_passing, "button.clicked.connect(lambda: x())"),
        (connected_in_passing, "button.clicked.connect(partial(f, 1), kind)"),
        (connected_in_passing, "self.button.clicked.connect(functools.partial(f, 1))"),
        (terminated, "self._worker.terminate()"),
        (spun, "QApplication.processEvents()"),
        (spun, "app.processEvents(flags)"),
        (bare_excepts, "try:\n    f()\nexcept:\n    g()"),
        (put_off, "x = 1  # TODO: two"),
        (put_off, "# FIXME"),
        (global_seeds, "torch.manual_seed(0)"),
        (global_seeds, "torch.cuda.manual_seed_all(0)"),
        (global_seeds, "np.random.seed(0)"),
        (global_seeds, "numpy.random.seed(0)"),
        (global_seeds, "random.seed()"),
        (runs_what_it_reads, "import pickle"),
        (runs_what_it_reads, "def f():\n    from dill import loads"),
        (runs_what_it_reads, "importlib.import_module('shelve')"),
        (runs_what_it_reads, "eval(text)"),
        (runs_what_it_reads, "builtins.exec(text, {})"),
        (runs_what_it_reads, "torch.load(path)"),
        (runs_what_it_reads, "read_array(file, allow_pickle=True)"),
        (runs_what_it_reads, "load(file, weights_only=False)"),
    ],
)
def test_that_the_habit_is_seen(rule: Rule, source: str) -> None:
    assert len(rule(source)) == 1


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (connected_in_passing, "button.clicked.connect(self._look)\nx = lambda: 1"),
        (bare_excepts, "try:\n    f()\nexcept OSError:\n    g()"),
        (terminated, "self._process.terminate()"),
        (put_off, "x = 'TODO'"),
        (global_seeds, "g = torch.Generator().manual_seed(0)"),
        (global_seeds, "self.generator.manual_seed(0)"),
        (runs_what_it_reads, "model.eval()\nself.exec()\nre.compile(x)\nast.parse(text, mode='eval')"),
        (runs_what_it_reads, "read_array(file, allow_pickle=False)"),
        (runs_what_it_reads, "line = 'arrays = np.load(path, allow_pickle=True)'"),
    ],
)
def test_that_its_harmless_sister_is_let_pass(rule: Rule, source: str) -> None:
    assert rule(source) == []
