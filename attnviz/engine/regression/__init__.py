"""The run of the kernel-regression lab. Its modules are loaded by the first run."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from attnviz.engine.single_run import SingleRun
from attnviz.experiment.regression.data import FileData
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.run import Progress, Run


def start(asked: Any, past: Any, progress: Progress) -> Run:
    """Return the run of a spec, which goes on with the steps of ``past``, or that of a study, which has one step."""
    if not isinstance(asked, RegressionSpec):
        from attnviz.engine.regression.studies import run_study

        return SingleRun(asked, run_study)
    from attnviz.engine.regression.run import RegressionRun

    return RegressionRun(asked, past, progress)


def training(asked: Any) -> Hashable:
    """Return what decides the steps of a training; None where nothing is trained. A file of points counts as it is."""
    if not asked.trains:
        return None
    if not isinstance(asked.data, FileData):
        past: Hashable = asked.past
        return past
    try:
        status = Path(asked.data.path).stat()
    except (OSError, ValueError):
        return None
    return asked.past, status.st_mtime_ns, status.st_size, status.st_ino
