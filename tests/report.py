"""Sizes and import cycles of the source, to read and not to pass: `python -m tests.report`."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 5


def lines_of(folder: str) -> dict[Path, int]:
    """Return the number of lines of each Python file of a folder."""
    return {path: len(path.read_bytes().splitlines()) for path in (ROOT / folder).rglob("*.py")}


def module_of(path: Path) -> str:
    """Return how Python names a file's module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path, modules: set[str]) -> set[str]:
    """Return the modules of ours that a file imports absolutely, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                full if (full := f"{node.module}.{alias.name}") in modules else node.module for alias in node.names
            }
    return found & modules - {module_of(path)}


def cycles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others."""
    reached = {module: _reached_from(module, imports) for module in imports}
    groups = {frozenset(other for other in reached[it] if it in reached[other]) for it in imports if it in reached[it]}
    return sorted(sorted(group) for group in groups)


def _reached_from(module: str, imports: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = set(imports[module])
    while waiting:
        one = waiting.pop()
        reached.add(one)
        waiting |= imports[one] - reached
    return reached


def main() -> None:
    """Print the report."""
    for folder in ("attnviz", "tests"):
        lines = lines_of(folder)
        largest = sorted(lines, key=lambda path: -lines[path])[:LARGEST]
        print(f"{folder}: {len(lines)} files, {sum(lines.values()):,} lines, largest:", end=" ")
        print(", ".join(f"{path.relative_to(ROOT / folder)} {lines[path]}" for path in largest))
    paths = list(lines_of("attnviz"))
    modules = {module_of(path) for path in paths}
    found = cycles({module_of(path): imports_of(path, modules) for path in paths})
    print(f"import cycles: {len(found)}")
    for group in found:
        print(f"  {', '.join(group)}")


if __name__ == "__main__":
    main()
