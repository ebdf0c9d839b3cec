"""Sizes of the source, to read and not to pass: `python -m tests.report`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 5


def main() -> None:
    """Print the report."""
    for folder in ("attnviz", "tests"):
        lines = {path: len(path.read_bytes().splitlines()) for path in (ROOT / folder).rglob("*.py")}
        largest = sorted(lines, key=lambda path: -lines[path])[:LARGEST]
        print(f"{folder}: {len(lines)} files, {sum(lines.values()):,} lines, largest:", end=" ")
        print(", ".join(f"{path.relative_to(ROOT / folder)} {lines[path]}" for path in largest))


if __name__ == "__main__":
    main()
