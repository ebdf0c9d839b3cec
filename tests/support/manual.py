"""Tables of the manual's pages."""

from collections.abc import Sequence


def table(*rows: Sequence[object]) -> str:
    """Return a Markdown table; the first row is its header."""
    head, *others = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return "\n".join((head.replace("|  |", "| |"), "|---" * len(rows[0]) + "|", *others))
