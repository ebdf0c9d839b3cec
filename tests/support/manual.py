"""Tables as the pages of the manual have them."""

from collections.abc import Sequence


def table(*rows: Sequence[object]) -> str:
    """Return a table of Markdown; the first row is its head."""
    head, *others = (f"| {' | '.join(map(str, row))} |" for row in rows)
    return "\n".join((head.replace("|  |", "| |"), "|---" * len(rows[0]) + "|", *others))
