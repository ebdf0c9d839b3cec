"""The user's own functions in one run of the attention lab."""

from torch import Tensor

from attnviz.engine.attention.mods import process
from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.attention.own_mask import Clause, OwnFunctions
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.run import ShouldStop


class OwnRun:
    """The functions of a run, and what it learns about them; every call raises as `process.mask_of`."""

    def __init__(self, mods: Mods, should_stop: ShouldStop) -> None:
        self._mods = mods
        self._should_stop = should_stop
        self._mask: Clause | None = None

    def mask(self, spec: AttentionSpec) -> Clause | None:
        """Return the mask of the sizes of a spec; None without a ``mask_mod``."""
        if self._mods.mask_mod:
            sizes = spec.batch_size, spec.heads_run, spec.num_queries, spec.num_kvpairs
            self._mask = process.mask_of(self._mods, sizes, self._should_stop)
        return self._mask

    def modified(self, scores: Tensor) -> Tensor:
        """Return scores (B, h, Q, K) after the ``score_mod``; the scores themselves without one."""
        return process.scores_after(self._mods, scores, self._should_stop) if self._mods.score_mod else scores

    @property
    def learned(self) -> OwnFunctions:
        """What the run has learned."""
        listed = process.listed(self._mods, self._should_stop)
        return OwnFunctions(listed, self._mask, process.printed(self._mods), process.files(self._mods))


def own_run(spec: AttentionSpec, should_stop: ShouldStop) -> OwnRun | None:
    """Return the functions of a spec for its run; None if it names none."""
    mods = spec.own_functions
    return None if mods is None else OwnRun(mods, should_stop)
