"""A field of a spec with what a form, a help text and a manual need to know about it."""

from typing import Any

from pydantic import Field


def knob(
    default: Any,
    title: str,
    help: str,  # noqa: A002 - it is what the reader of a spec looks for
    *,
    group: str,
    slider: tuple[float, float] | None = None,
    clicks: tuple[float, ...] = (),
    **limits: Any,
) -> Any:
    """Return a pydantic field that a form can be built from.

    Args:
        default: its value, or ``...``-style factory results are given through ``default_factory`` in ``limits``.
        title: the label beside the editor.
        help: one or two sentences for the tooltip.
        group: the heading it stands under; "More" is folded away, "" is not part of the form.
        slider: the range that the slider covers; typing reaches the whole legal range.
        clicks: values that stand below the editor as buttons.
        limits: what pydantic checks (ge, gt, le, lt, ...).
    """
    extra: dict[str, Any] = {"group": group}
    if slider:
        extra["slider"] = list(slider)
    if clicks:
        extra["clicks"] = list(clicks)
    return Field(default, title=title, description=help, json_schema_extra=extra, **limits)
