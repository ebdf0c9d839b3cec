"""The kinds of animation, and their default pace.

To add one, add a record and its film in `attnviz.cli.animation`. The animation dialog and the command line read it
there.
"""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """One kind of animation."""

    name: str
    title: English
    help: English
    pace: float
    """In frames per second: many similar frames are fast, a stage needs time to read."""


MOTIONS: Registry[Motion] = Registry(
    "kind of animation",
    (
        Motion(
            name="training", title="Training", help="Every step of the training, or as many as can be watched", pace=5.0
        ),
        Motion(
            name="generation",
            title="New tokens",
            help="Every new token of a generation, or as many as can be watched",
            pace=2.0,
        ),
        Motion(name="stages", title="Stages", help="From the inputs to the output, stage by stage", pace=0.5),
        Motion(name="sweep", title="One setting", help="One number of the spec, from one value to another", pace=2.0),
    ),
)
