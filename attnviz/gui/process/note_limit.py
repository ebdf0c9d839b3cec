"""How much of what repeats itself reaches the log."""

from collections import Counter

MOST_ALIKE, MOST = 3, 100


class NoteLimit:
    """Lets the first few of each kind through, and so many in all: what goes wrong at every frame says no more then."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def lets(self, kind: str) -> bool:
        """Count one of a kind, and return whether it may be noted."""
        self._seen[kind] += 1
        return self._seen[kind] <= MOST_ALIKE and self._seen.total() <= MOST
