"""What once crashed or stalled the window is nowhere in the source; ruff refuses what it has a rule for."""

import ast
from collections.abc import Callable

import pytest
from source_tree import FILES, GUI_FILES, called, name_of, nodes_of, tree_of


def calls(tree: ast.Module, name: str) -> list[ast.Call]:
    """Return every call of something whose last name is this."""
    return [node for node in nodes_of(tree) if isinstance(node, ast.Call) and called(node) == name]


def connected_in_passing(tree: ast.Module) -> list[int]:
    """A lambda or partial runs in the thread that emits, and keeps alive what it holds."""
    return [
        call.lineno
        for call in calls(tree, "connect")
        for argument in call.args
        if isinstance(argument, ast.Lambda) or (isinstance(argument, ast.Call) and called(argument) == "partial")
    ]


def terminated(tree: ast.Module) -> list[int]:
    """A thread that is terminated leaves its locks locked."""
    found = calls(tree, "terminate")
    return [call.lineno for call in found if not ast.unparse(call.func).endswith("process.terminate")]


def spun(tree: ast.Module) -> list[int]:
    """An event loop spun by hand starves the worker and enters slots again."""
    return [call.lineno for call in calls(tree, "processEvents")]


def unpickled(tree: ast.Module) -> list[int]:
    """A file is data: a reader that unpickles runs what the author of the file liked."""
    safe = {"allow_pickle": "False", "weights_only": "True"}
    words = [node for node in nodes_of(tree) if isinstance(node, ast.keyword) and node.arg in safe]
    return [word.value.lineno for word in words if ast.unparse(word.value) != safe[str(word.arg)]]


Rule = Callable[[ast.Module], list[int]]


@pytest.mark.parametrize("rule", [connected_in_passing, terminated, spun, unpickled], ids=lambda rule: rule.__name__)
def test_that_no_file_falls_back_into_the_habit(rule: Rule) -> None:
    found = {name_of(path): rule(tree_of(path)) for path in FILES}
    assert {name: lines for name, lines in found.items() if lines} == {}, rule.__doc__


@pytest.mark.parametrize(
    ("rule", "seen", "passed"),
    [
        (
            connected_in_passing,
            "button.clicked.connect(lambda: x())",
            "a.b.connect(self._show); x = lambda: 1",
        ),
        (connected_in_passing, "a.b.connect(functools.partial(f, 1), kind)", "f(functools.partial(a.b.connect, 1))"),
        (terminated, "self._worker.terminate()", "self._process.terminate()"),
        (spun, "app.processEvents(flags)", "app.exec()"),
        (unpickled, "read_array(file, allow_pickle=True)", "read_array(file, allow_pickle=False)"),
        (unpickled, "load(file, weights_only=False)", "load(file, weights_only=True)"),
    ],
)
def test_that_the_habit_is_seen_and_its_harmless_sister_let_pass(rule: Rule, seen: str, passed: str) -> None:
    assert (rule(ast.parse(seen)), rule(ast.parse(passed))) == ([1], [])


def test_that_no_widget_is_made_the_owner_of_its_screen() -> None:
    """PySide lets a screen's wrapper go with the widget whose ``screen()`` was called; `screen_of` does not."""
    calls = {
        f"{name_of(path)}:{node.lineno}"
        for path in GUI_FILES
        for node in nodes_of(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "screen"
    }
    assert calls == set()
