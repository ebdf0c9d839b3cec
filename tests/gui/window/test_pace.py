"""The bar's transport: the pace beside Run, the word Run, and signs that are not taken for each other."""

import pytest
from attention_hands import stage_of
from PySide6.QtGui import QIcon
from small_specs import SMALL, training
from trainings import train_spec
from windows import At

from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.pace_slider import PACES, PaceSlider


def test_that_a_learned_width_of_60_steps_is_played_in_4_seconds_and_each_lab_keeps_its_pace() -> None:
    paces = PaceSlider()
    told: list[float | None] = []
    paces.chosen.connect(told.append)
    paces.show_lab("regression", 15)
    assert 60 / told[-1] == 4
    paces.show_lab("train", None)
    paces.slider.setValue(0)
    assert (told[-1], paces.label.text()) == (PACES[0], "2 steps/s")
    paces.show_lab("regression", 15)
    paces.show_lab("train", None)
    assert told[1:] == [None, 2, 15, 2]


def test_that_the_slider_sets_the_pace_of_the_run(at: At) -> None:
    window = at(training())
    window.top_bar.pace.slider.setValue(PACES.index(30))
    assert window.runner.mailbox.playback.pace == 1 / 30
    window.top_bar.pace.slider.setValue(PACES.index(None))
    assert window.runner.mailbox.playback.pace == 0


@pytest.mark.parametrize("width", [900, 1024, 1280])
def test_that_run_has_its_word_and_nothing_of_the_bar_is_cut_at_any_width(width: int, at: At) -> None:
    window = at(train_spec())
    window.resize(width, 640)
    bar = window.top_bar
    assert bar.width() == width
    assert "Run" in bar._run.text()
    assert bar._run.fontMetrics().horizontalAdvance("Pause") + bar._run.iconSize().width() < bar._run.width()
    parts = [part for place in range(bar._row.count()) if (part := bar._row.itemAt(place).widget()) is not None]
    shown = [part for part in parts if part.isVisible()]
    assert not [part for part in shown if part.width() < part.minimumSizeHint().width()]
    assert bar.device.isVisible() or bar.devices_menu.menuAction() in window.menu.actions()


def test_that_a_device_is_chosen_in_the_menu_too(at: At) -> None:
    window = at(SMALL)
    menu = window.top_bar.devices_menu
    (cpu,) = [action for action in menu.actions() if action.data() == "cpu"]
    cpu.trigger()
    assert window.controller.spec.device == "cpu"
    assert [action.data() for action in menu.actions() if action.isChecked()] == ["cpu"]
    assert window.top_bar.device.currentData() == "cpu"


def test_that_run_step_reset_and_the_player_of_stages_have_signs_of_their_own(at: At) -> None:
    window: MainWindow = at(SMALL)

    def drawn(icon: QIcon) -> bytes:
        return bytes(
            icon.pixmap(32, 32).toImage().convertToFormat(icon.pixmap(32, 32).toImage().Format.Format_RGBA8888).bits()
        )

    icons = [window.actions_[key].icon() for key in ("run", "step", "reset")] + [stage_of(window).player.button.icon()]
    assert len({drawn(icon) for icon in icons}) == 4
