"""The window's actions: what they are called, their icons and shortcuts, and what they do."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from attnviz.gui.actions import ActionRow

if TYPE_CHECKING:
    from attnviz.gui.main_window import MainWindow


def window_actions(window: "MainWindow") -> tuple[ActionRow, ...]:
    """Return the table of a window's actions."""
    key, controller, exporter = QKeySequence.StandardKey, window.controller, window.exporter
    return (
        ActionRow("undo", window.tr("Undo"), "undo", key.Undo, controller.undo_stack.undo),
        ActionRow("redo", window.tr("Redo"), "redo", key.Redo, controller.undo_stack.redo),
        ActionRow("run", window.tr("Run"), "run", "Ctrl+R", controller.run_or_pause),
        ActionRow("step", window.tr("Step"), "step", "Ctrl+.", controller.step),
        ActionRow("reset", window.tr("Reset"), "reset", "Ctrl+Shift+R", controller.reset),
        ActionRow("previous_stage", window.tr("Previous stage"), "", "Alt+Left", window.stage_steps.previous),
        ActionRow("next_stage", window.tr("Next stage"), "", "Alt+Right", window.stage_steps.next),
        ActionRow("play_stages", window.tr("Play the stages"), "", "F5", window.stage_steps.play),
        ActionRow("theme", window.tr("Light or dark"), "theme", "Ctrl+T", window.toggle_theme),
        ActionRow("export", window.tr("Export"), "export", "", window.open_export_menu),
        ActionRow("present", window.tr("Present"), "present", "F11", window.present, checkable=True),
        ActionRow("save_picture", window.tr("Save picture ..."), "", key.Save, exporter.ask_and_save_picture),
        ActionRow("copy_picture", window.tr("Copy picture"), "", key.Copy, exporter.copy_picture),
        ActionRow("save_numbers", window.tr("Save numbers ..."), "", "Ctrl+Shift+S", exporter.ask_and_save_numbers),
        ActionRow("save_spec", window.tr("Save spec ..."), "", "", exporter.ask_and_save_spec),
        ActionRow("open_spec", window.tr("Open spec ..."), "", key.Open, exporter.ask_and_open_spec),
    )
