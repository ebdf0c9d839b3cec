"""Opening a Python file by its name: its first functions are chosen, and may be run."""

import ast
from pathlib import Path
from typing import Any

from attnviz.experiment.attention.mods import Mods, names_in, read_source
from attnviz.experiment.attention.own_mask import Listed
from attnviz.experiment.files import consent
from attnviz.experiment.files.plain_files import DataFileError


def values_of_functions(path: Path) -> dict[str, Any]:
    """Return the fields of a spec for a file of functions that the user opens, which is consent to run it."""
    try:
        source = read_source(path)
    except DataFileError:  # the run says why
        return {"mods": Mods(path=str(path), mask_mod=path.stem if path.stem.isidentifier() else "mask_mod")}
    mods = Mods(path=str(path), source=source, **first_functions(source))
    consent.allow(mods.digest)
    return {"mods": mods}


def first_functions(source: str) -> dict[str, str]:
    """Return the fields ``mask_mod`` and ``score_mod`` of the first functions of a source that can be either.

    Without one, a factory whose arguments all have defaults is called: its result has four parameters, or five.
    """
    listed = names_in(source)
    chosen = {kind: each.name for kind in ("mask_mod", "score_mod") for each in reversed(listed) if each.kind == kind}
    if chosen:
        return chosen
    factories = [each for each in listed if each.kind == "factory" and not _required(each)]
    return {"mask_mod": f"{factories[0].name}()"} if factories else {}


def _required(listed: Listed) -> int:
    """Return the number of parameters without a default."""
    function = ast.parse(f"lambda {listed.signature[1:-1]}: 0", mode="eval").body
    assert isinstance(function, ast.Lambda)
    arguments = function.args
    return len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
