"""How the regression stage is looked at, as a session remembers it: read from its tools, and given back to them."""

from PySide6.QtCore import QSignalBlocker

from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.view_settings import RegressionViewSettings
from attnviz.gui.labs.regression.stage import RegressionStage
from attnviz.gui.widgets.selection import Selection


def look_of(stage: RegressionStage, locked: Selection) -> RegressionViewSettings:
    """Return what is chosen around the picture, and the query and point that are held."""
    return RegressionViewSettings.model_validate(
        {
            "colour_map": stage.map_name,
            "head": max(0, stage.heads.currentIndex()),
            "query": locked.query,
            "key": locked.key,
            "stage": stage.strip.stage,
            "page": stage.page,
            "full_contrast": stage.contrast.isChecked(),
            "step": None if stage.trace is None or stage.trace.final else stage.trace.step,
        }
    )


def choose(stage: RegressionStage, settings: RegressionViewSettings, trace: RegressionTrace) -> None:
    """Choose what these settings say, as far as a trace has it. Nothing is drawn: the trace follows."""
    if stage.map_name != settings.colour_map:
        stage.set_map(settings.colour_map)
    blocked = [QSignalBlocker(part) for part in (stage.pages, stage.contrast)]
    stage.strip.press(settings.stage)
    stage.pages.press(settings.page)
    stage.contrast.setChecked(settings.full_contrast)
    stage.heads.show_trace(trace)
    stage.heads.setCurrentIndex(settings.head if settings.head < stage.heads.count() else 0)
    for blocker in blocked:
        blocker.unblock()
