"""The window's actions: what they are called, their icons and shortcuts, and what they do."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from attnviz.gui.window.actions import ActionRow

if TYPE_CHECKING:
    from attnviz.gui.window.main_window import MainWindow


def window_actions(window: "MainWindow") -> tuple[ActionRow, ...]:
    """Return the table of a window's actions; undo and redo are `UndoActions`'."""
    key, controller, exporter, keeper = QKeySequence.StandardKey, window.controller, window.exporter, window.keeper
    dialogs = window.dialogs
    return (
        ActionRow("new", window.tr("New"), "", key.New, keeper.new),
        ActionRow("open", window.tr("Open ..."), "", key.Open, keeper.open),
        ActionRow("save", window.tr("Save"), "", key.Save, keeper.save),
        ActionRow("save_as", window.tr("Save as ..."), "", "Ctrl+Shift+S", keeper.save_as),
        ActionRow("undo", window.tr("Undo"), "undo", key.Undo, None),
        ActionRow("redo", window.tr("Redo"), "redo", key.Redo, None),
        ActionRow("run", window.tr("Run"), "run", "Ctrl+R", controller.run_or_pause),
        ActionRow("step", window.tr("Step"), "step", "Ctrl+.", controller.step),
        ActionRow("reset", window.tr("Reset"), "reset", "Ctrl+Shift+R", controller.reset),
        ActionRow("previous_stage", window.tr("Previous stage"), "", "Alt+Left", window.stage_steps.previous),
        ActionRow("next_stage", window.tr("Next stage"), "", "Alt+Right", window.stage_steps.next),
        ActionRow("play_stages", window.tr("Play the stages"), "", "F5", window.stage_steps.play),
        ActionRow("menu", window.tr("Menu"), "menu", "F10", window.open_menu),
        ActionRow("theme", window.tr("Light or dark"), "theme", "Ctrl+T", window.toggle_theme),
        ActionRow("export", window.tr("Export"), "export", "", window.open_export_menu),
        ActionRow("present", window.tr("Present"), "present", "F11", window.present, checkable=True),
        ActionRow("figure", window.tr("Figure ..."), "", "Ctrl+E", dialogs.open_figure),
        ActionRow("copy_picture", window.tr("Copy picture"), "", key.Copy, exporter.copy_picture),
        ActionRow("save_numbers", window.tr("Numbers ..."), "", "Ctrl+Shift+E", exporter.ask_and_save_numbers),
        ActionRow("animation", window.tr("Animation ..."), "", "Ctrl+Shift+A", dialogs.open_animation),
        ActionRow("code", window.tr("Copy as PyTorch"), "", "Ctrl+Shift+C", dialogs.open_code),
        ActionRow("save_spec", window.tr("Spec ..."), "", "", exporter.ask_and_save_spec),
    )
