"""What moves in an animation, and how fast unless another pace is asked for.

To add one, add a record and its film in `attnviz.cli.animation`. The animation dialog and the command line read it from
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
    """Frames a second: many frames that differ little go fast, a stage has to be read."""


MOTIONS: Registry[Motion] = Registry(
    "kind of animation",
    (
        Motion(
            name="training",
            title="Training",
            help="Every step of the training, or as many as can be watched",
            pace=5.0,
        ),
        Motion(
            name="stages",
            title="Stages",
            help="From the inputs to the output, stage by stage",
            pace=0.5,
        ),
        Motion(
            name="sweep",
            title="One setting",
            help="One number of the spec, from one value to another",
            pace=2.0,
        ),
    ),
)
