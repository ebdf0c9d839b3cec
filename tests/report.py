"""Sizes and an import cycle of the source, to read and not to pass: `python -m tests.report`."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 5


def cycle() -> list[str]:
    """Return modules of which each is imported by the next and the last is the first, or nothing."""
    graph = grimp.build_graph("attnviz")
    try:
        TopologicalSorter({it: graph.find_modules_directly_imported_by(it) for it in graph.modules}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def main() -> None:
    """Print the report."""
    for folder in ("attnviz", "tests"):
        lines = {path: len(path.read_bytes().splitlines()) for path in (ROOT / folder).rglob("*.py")}
        largest = sorted(lines, key=lambda path: -lines[path])[:LARGEST]
        print(f"{folder}: {len(lines)} files, {sum(lines.values()):,} lines, largest:", end=" ")
        print(", ".join(f"{path.relative_to(ROOT / folder)} {lines[path]}" for path in largest))
    print("import cycle:", " > ".join(cycle()) or "none")


if __name__ == "__main__":
    main()
