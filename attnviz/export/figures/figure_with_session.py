"""A matplotlib figure in a script's or notebook's hands, whose files carry the experiment as all of ours do."""

import os
from pathlib import Path
from typing import Any

from attnviz.definitions.formats import formats_for
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.session import Session
from attnviz.export.figures.figure import figure_bytes


def carrying(figure: Any, session: Session) -> Any:
    """Return the figure; its ``savefig`` writes PNG, PDF and SVG with our type and the session in the metadata.

    Other formats, and calls with options that only matplotlib knows, are matplotlib's own.
    """
    usual = figure.savefig

    def savefig(fname: Any, *, dpi: float = 300, transparent: bool = False, **options: Any) -> None:
        is_path = isinstance(fname, str | os.PathLike)
        named = options.get("format") or (Path(fname).suffix if is_path else "png")
        kind = named.removeprefix(".").lower()
        if options.keys() - {"format"} or kind not in [each.name for each in formats_for("figure")]:
            usual(fname, dpi=dpi, transparent=transparent, **options)
            return
        content = figure_bytes(figure, kind, session, dpi=dpi, transparent=transparent)
        if is_path:
            write_atomically(Path(fname), lambda file: file.write(content))
        else:
            fname.write(content)

    figure.savefig = savefig
    return figure
