"""Records that are registered for the tests of one module."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest


def registered(registry: Any, *records: Any) -> Callable[[], Iterator[None]]:
    """Return a fixture that registers these records in a registry for each test of a module."""

    @pytest.fixture(autouse=True)
    def held() -> Iterator[None]:
        for record in records:
            registry.add(record)
        yield
        for record in records:
            registry.remove(record.name)

    return held
