"""The program of the bundle: attnviz, or a child process that it starts as `sys.executable`.

A frozen program has no Python command line; this understands the two that attnviz uses, `-m attnviz.MODULE ...` and
`-P SCRIPT` for a script inside the bundle, besides those of multiprocessing (Dask's workers).
"""

import importlib
import importlib.util
import multiprocessing
import os
import sys
from pathlib import Path


def main() -> int:
    if sys.platform == "linux":
        _prepare_bare_system()
    multiprocessing.freeze_support()  # ends the process here where it is a child of multiprocessing
    match sys.argv[1:]:
        case ["-P", script] if Path(script).is_relative_to(Path(__file__).parent):
            return _run(importlib.util.spec_from_file_location("script", script))
        case ["-m", module, *arguments] if f"{module}.".startswith("attnviz."):
            sys.argv[1:] = arguments
            name = "attnviz.__main__" if module == "attnviz" else module
            return importlib.import_module(name).main() or 0
    from attnviz.__main__ import main as attnviz

    return attnviz()


def _prepare_bare_system() -> None:
    """Provide what Qt complains about where a system has neither a locale nor fonts; children inherit it."""
    if (os.environ.get("LC_CTYPE") or os.environ.get("LANG") or "C") in ("C", "POSIX"):
        os.environ["LC_CTYPE"] = "C.UTF-8"  # as Python does (PEP 538), but not within another program
    if not Path("/etc/fonts/fonts.conf").exists():
        os.environ.setdefault("FONTCONFIG_FILE", str(Path(__file__).with_name("fonts.conf")))


def _run(spec: "importlib.machinery.ModuleSpec | None") -> int:
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.main() or 0


if __name__ == "__main__":
    sys.exit(main())
