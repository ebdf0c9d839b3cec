"""Registries: records by name, in the order of a menu."""

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, TypeVar


class Record(Protocol):
    """The common part of every record."""

    @property
    def name(self) -> str:
        """Its name in files and specs; it never changes."""

    @property
    def title(self) -> str:
        """Its name in forms, menus and legends, in English."""


R = TypeVar("R", bound=Record)


class Registry(Mapping[str, R]):
    """All records of one kind. A record added later appears everywhere, since names are never copied."""

    def __init__(self, kind: str, records: Iterable[R] = ()) -> None:
        self.kind = kind
        """The kind of record, for error messages: "kernel"."""
        self._records: dict[str, R] = {}
        for record in records:
            self.add(record)

    def add(self, record: R) -> R:
        """Add a record and return it.

        Raises:
            ValueError: there is already a record of that name.
        """
        if record.name in self._records:
            raise ValueError(f"there is a {self.kind} {record.name!r} already")
        self._records[record.name] = record
        return record

    def remove(self, name: str) -> None:
        """Remove a record.

        Raises:
            KeyError: there is no record of that name.
        """
        del self._records[name]

    def __getitem__(self, name: str) -> R:
        try:
            return self._records[name]
        except KeyError:
            raise KeyError(f"there is no {self.kind} {name!r}; there are {', '.join(self._records)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


class LateRegistry(Registry[R]):
    """A registry whose first records are imported on first use."""

    def __init__(self, kind: str, places: Mapping[str, str]) -> None:
        """Take where each record is, by its name: "module:name"."""
        super().__init__(kind)
        self._places = dict(places)

    def __getitem__(self, name: str) -> R:
        if name not in self._records and name in self._places:
            self._records[name] = pkgutil.resolve_name(self._places[name])
        return super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._places, **self._records})

    def __len__(self) -> int:
        return len({**self._places, **self._records})
