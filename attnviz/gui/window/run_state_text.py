"""What the window says of the run: computing, paused, or why the picture is not what was asked for."""

from attnviz.gui.run.controller import Controller
from attnviz.gui.widgets.words import translate


def state_of(controller: Controller, *, loading: bool, has_picture: bool, refused: bool = False) -> str:
    """Return a few words; none where the picture is what was asked for, or there is none, and nothing goes on.

    ``refused`` says that the form holds something that cannot be run.
    """
    if loading:
        return translate("loading PyTorch")
    if controller.stopping:
        return translate("stopping")
    if controller.paused:
        return translate("paused")
    if controller.computing:
        return translate("running") if controller.up_to_date else translate("computing")
    if controller.computing_beside:
        return translate("computing beside the picture")
    shown = controller.shown
    if shown is None or not has_picture:
        return ""
    if refused or not controller.up_to_date:
        return translate("shown: the last good run")
    return translate(shown.incomplete) if shown.incomplete else ""
