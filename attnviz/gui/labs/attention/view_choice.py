"""How the attention stage is looked at, as a session remembers it: read from its tools, and given back to them."""

from PySide6.QtCore import QSignalBlocker

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.view_settings import AttentionViewSettings
from attnviz.gui.labs.attention.stage import AttentionStage
from attnviz.gui.widgets.selection import Selection


def look_of(stage: AttentionStage, locked: Selection) -> AttentionViewSettings:
    """Return what is chosen around the picture, and the cell that is held."""
    view, tools = stage.view, stage.tools
    return AttentionViewSettings.model_validate(
        {
            "colour_map": stage.map_name,
            "head": locked.head,
            "query": locked.query,
            "key": locked.key,
            "stage": view.stage,
            "page": view.page,
            "item": view.item,
            "contrast": view.contrast,
            "statistic": view.statistic,
            "ranked": tools.ranked.isChecked(),
            "extremes": view.extremes,
            "split": view.split,
        }
    )


def choose(stage: AttentionStage, settings: AttentionViewSettings, trace: AttentionTrace) -> None:
    """Choose what these settings say, as far as a trace has it. Nothing is drawn: the trace follows."""
    if stage.map_name != settings.colour_map:
        stage.set_map(settings.colour_map)
    stage.offer(trace)
    tools, which = stage.tools, stage.pages.reshape.which
    blocked = [QSignalBlocker(part) for part in (tools, tools.pages, stage.contrast, which)]
    if settings.stage in stage.strip.offered:
        stage.strip.press(settings.stage)
    tools.pages.press("stages" if settings.page == "policies" and trace.spec.is_given else settings.page)
    tools.statistic.setCurrentIndex(tools.statistic.findData(settings.statistic))
    tools.ranked.setChecked(settings.ranked)
    tools.extremes.setChecked(settings.extremes)
    tools.items.setCurrentIndex(min(settings.item, tools.items.count() - 1))
    stage.contrast.setChecked(settings.contrast)
    which.press(settings.split)
    for blocker in blocked:
        blocker.unblock()
