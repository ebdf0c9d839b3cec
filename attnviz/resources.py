"""The path of resources/: beside the package in a checkout, inside it in a wheel or a frozen bundle."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class MissingResourceError(FileNotFoundError):
    """A file of attnviz's own resources is missing; the message is a sentence."""


def resource(name: str) -> Path:
    """Return the path of a file or folder in resources/, such as ``presets``.

    Raises:
        MissingResourceError: it is in neither place.
    """
    for root in (_PACKAGE / "_resources", _PACKAGE.parent / "resources"):
        path = root / name
        if path.exists():
            return path
    raise MissingResourceError(f"attnviz's resource '{name}' is missing; install attnviz again")
