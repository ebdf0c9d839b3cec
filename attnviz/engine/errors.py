"""The error that ends a run early."""

from typing import Any


class RunError(Exception):
    """A run that cannot be carried out, with a code, a sentence for the user and the numbers in it."""

    def __init__(self, code: str, message: str, **numbers: Any) -> None:
        super().__init__(message)
        self.code = code
        self.numbers = numbers
