"""Any hand, in any order: hypothesis drives a real window, and what must hold is looked at as it goes."""

import gc
import sys
import time
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from any_files import BAD, GOOD, MODELS, Files
from any_pointer import SIXTEENTHS, AnyPointer
from hands import Hands
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from model_hands import model
from picture_laws import Witness
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot
from random_acts import FIELDS, AnyHand
from session_hands import begin_at
from small_specs import SMALL, attention, regression, rhyme, training, transformer
from windows import Opener

from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.lessons.reading import lesson_names
from attnviz.gui.language import install_language
from attnviz.gui.run.background import Background
from attnviz.gui.window.main_window import MainWindow

_BEGINNINGS = {
    "small": SMALL,
    "causal": attention(mechanism="causal_multi_head", causal=True, self_attention=True, num_queries=4, num_kvpairs=4),
    "items": attention(batch_size=3, num_queries=2, num_kvpairs=8),
    "fit": regression(),
    "training": training(epochs=40),
    "transformer": transformer(steps=40),
    "branch": transformer(steps=60, changes=[{"step": 9, "learning_rate": 0.1}], heads_off=["1.2"], num_layers=3),
    "model": model(),
    "changed": model(
        heads_off=["1.2"],
        temperature=2,
        tokens_hidden=[1],
        text_b="one red fox ran home then one red fox ran",
        patch=[{"head": "1.1", "token": 3, "from": "b"}],
        painted={"1.1": "2: 1"},
    ),
    "text": rhyme(steps=30, positions="alibi", feed_forward=True, norm=False),
}
_LOOKS_EVERY = 8
_Key = Qt.Key
_NUMBERS = ("1", "2", "3", "4", "5", "6", "8", "12", "0", "-1", "0.5", "2.5", "1e-3", "9")
_EXTREMES = ("", "-", "1e", "99999999999", "1e300", "1e-300", "nan", "inf", "abc", "1,5", "-0", "٣", "  7 ", "17000")
_TEXTS = (
    "0: 1",
    "1: 0-2; 2: 1",
    "0: 99",
    "2: 2-1",
    "2, 3",
    "4, 4",
    "x",
    "2*sin(x)",
    "1/0",
    "sqrt(x",
    "weights.npz",
    "\0",
    "<b>&",
)
_SENTENCES = (
    "then one red fox ran then one",
    "the [MASK] sat on",
    "the cat sat",
    "a",
    "",
    "  ",
    "注 意 力",
    "the the the <b>",
    "one two three four five six seven",
)
_PROBES = (
    "a b c",
    "a b c d a b",
    "a",
    "a cat",
    "zz",
    "",
    "  ",
    "a  b ",
    "a c a t",
    "\0",
    "A ␣ 🙂",
    "0.5",
    "7",
    "99999",
)
_POINTS = ("0 1\n1 2\n2 0", "x,y\n1,2\n3,4", "nothing", "", "1,2", "0 1\n1 nan")
_SIZES = ((900, 600), (1024, 640), (1280, 800), (1000, 1100), (1920, 1080))
_ACTS = (
    *("undo", "redo", "run", "step") * 3,
    *("reset", "reset", "previous_stage", "next_stage", "play_stages"),
    *("new", "open", "save", "save_as", "save_model", "save_numbers", "save_spec"),
)
_RARE_ACTS = ("present", "copy_picture", "figure", "code", "close", "theme", "animation", *("run", "step", "undo") * 7)

fields = st.sampled_from(list(dict.fromkeys(FIELDS)))
some = st.integers(0, 39)
places = st.integers(0, SIXTEENTHS)
turning = st.sampled_from([_Key.Key_Up, _Key.Key_Down, _Key.Key_PageUp, _Key.Key_PageDown, _Key.Key_Home])
typed = st.sampled_from([*_NUMBERS * 2, *_EXTREMES, *_TEXTS])
pressed = st.sampled_from(
    [
        *(_Key.Key_Left, _Key.Key_Right, _Key.Key_Up, _Key.Key_Down, _Key.Key_Tab, _Key.Key_Backtab, _Key.Key_Escape),
        *(_Key.Key_Space, _Key.Key_Delete, _Key.Key_Insert, _Key.Key_Home, _Key.Key_End, _Key.Key_Return),
        *(_Key.Key_Plus, _Key.Key_Minus, _Key.Key_0),
    ]
)


class Stand:
    """The window that one example after the other acts on, and everything around it."""

    def __init__(
        self, qapp: QApplication, qtbot: QtBot, files: Files, open_window: Opener, log: Any, exceptions: list[Any]
    ) -> None:
        self._app, self.files, self._qtbot, self._log = qapp, files, qtbot, log
        self._open_window, self._exceptions = open_window, exceptions
        self.acts = 0
        """How many there were, of all examples."""
        self.longest_rest_s = 0.0
        self.failed = False
        """Whether something went wrong in the last example, so that its window is no longer to be trusted."""
        self.open()

    def open(self) -> None:
        """Open a window."""
        self.window = self._open_window()
        hands = Hands(self._qtbot)
        self.hand = AnyHand(self.window, hands, self.files)
        self.pointer = AnyPointer(self.window, hands)
        self.witness = Witness(self.window, self._qtbot, self._log, self._exceptions)

    def begin(self, spec: Spec) -> None:
        """Bring the window to the start of a session; after a failure a new one is opened."""
        gc.collect()  # which else happens only at the end
        self.files.begin_anew()
        if self.failed:
            self.failed = False
            self._exceptions.clear()
            self._open_another()
        self.witness.begin_anew()
        window = self.window
        window.lessons.now.close()
        window.resize(1280, 800)
        window.activateWindow()
        window.rooms["attention"].stage.tools.brushes.press("")
        for room in window.rooms.values():
            room.stage.player.stop()
            if room.form._fold is not None:
                room.form._fold.expand()
        window.controller.propose(spec)
        self.rest()
        begin_at(window, spec)
        self.rest()

    def load_everything(self) -> None:
        """Load every lab and what a model imports, and pass it over in collections, as the application does."""
        for spec in (SMALL, regression(), transformer(steps=3), model()):
            self.begin(spec)
        gc.collect()
        gc.freeze()

    def rest(self) -> None:
        """Wait until the window rests."""
        self.longest_rest_s = max(self.longest_rest_s, self.witness.rest())

    def speak(self, code: str) -> None:
        """Choose a language: as in the application, another window takes over the work."""
        before = self.window
        install_language(self._app, code)
        self.window = MainWindow(before.controller.spec, before=before)
        for part in (self.hand, self.pointer, self.witness):
            part.window = self.window
        self.window.show()
        before.leave()

    def close(self) -> None:
        """Close the window, and open another unless an answer kept it."""
        closed = self.window.close()
        if not closed:  # what is saved first closes it afterwards
            works = self.window.findChildren(Background)
            self._qtbot.waitUntil(lambda: not any(it.busy for it in works))
        if closed or not self.window.isVisible():
            self._open_another()

    def _open_another(self) -> None:
        self.end()
        self.open()

    def end(self) -> None:
        """Close the window for good."""
        self.window.close()
        assert self.window.runner.close(), "the worker is still running"
        QCoreApplication.processEvents()  # PySide never lets go of a call that is pending when its object is destroyed
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def act(**drawn: Any) -> Callable[[Callable[..., None]], Any]:
    """Make a rule of an act, after which the window is looked at; an invariant would stand between any two lines."""

    def rule_of(does: Callable[..., None]) -> Any:
        @wraps(does)
        def and_look(self: "AnyOrder", **values: Any) -> None:
            does(self, **values)
            self.look()

        return rule(**drawn)(and_look)

    return rule_of


class AnyOrder(RuleBasedStateMachine):
    """Each rule is what a hand does; each number counts on from the first of what is there."""

    stand: Stand

    def __init__(self) -> None:
        super().__init__()
        self.begun = False
        self.since = 0

    @property
    def hand(self) -> AnyHand:
        self.stand.hand.close_dialog()
        return self.stand.hand

    @property
    def pointer(self) -> AnyPointer:
        self.stand.hand.close_dialog()
        return self.stand.pointer

    @initialize(name=st.sampled_from(sorted(_BEGINNINGS)))
    def begin(self, name: str) -> None:
        self.stand.begin(_BEGINNINGS[name])
        self.first, self.stack = _BEGINNINGS[name], self.stand.window.controller.undo_stack
        self.begun = True

    @act(field=fields, which=st.integers(0, 4), text=typed, enter=st.booleans())
    def type_into(self, field: str, which: int, text: str, enter: bool) -> None:
        self.hand.type_into(field, which, text, enter=enter or len(text) % 3 > 0)

    @act(field=fields, key=turning)
    def turn(self, field: str, key: Qt.Key) -> None:
        self.hand.turn(field, key)

    @act(field=fields, which=st.integers(0, 2), choice=some)
    def choose(self, field: str, which: int, choice: int) -> None:
        self.hand.choose(field, which, choice)

    @act(field=fields, which=some)
    def press_at(self, field: str, which: int) -> None:
        self.hand.press_at(field, which)

    @act(row=some, column=some, text=typed)
    def fill_a_length(self, row: int, column: int, text: str) -> None:
        self.hand.fill_a_length(row, column, text)

    @act(text=st.sampled_from(_SENTENCES))
    def write_a_sentence(self, text: str) -> None:
        self.hand.write_a_sentence(text)

    @act(key=st.sampled_from(_ACTS))
    def trigger(self, key: str) -> None:
        self.hand.act(key)

    @act(key=st.sampled_from(_RARE_ACTS), which=some)
    def act_rarely(self, key: str, which: int) -> None:
        self.hand.close_dialog()
        if key == "close":
            self.stand.close()
            return
        self.hand.act(key)
        if key in ("figure", "code"):
            self.stand.rest()
            self.stand.hand.choose_in_dialog(which, which)
            self.stand.rest()
            self.stand.hand.press_in_dialog(which)

    @act(which=some)
    def open_a_preset(self, which: int) -> None:
        self.hand.open_a_preset(which)

    @act(name=st.sampled_from(sorted(LABS)))
    def enter_lab(self, name: str) -> None:
        self.hand.enter_lab(name)

    @act(which=some, choice=some)
    def choose_around(self, which: int, choice: int) -> None:
        self.hand.choose_around(which, choice)

    @act(which=some)
    def press_around(self, which: int) -> None:
        self.hand.press_around(which)

    @act(which=some)
    def choose_colours(self, which: int) -> None:
        self.hand.choose_colours(which)

    @act(text=st.sampled_from(["n", "note <b>", "注"]))
    def write_notes(self, text: str) -> None:
        self.hand.write_notes(text)

    @act(text=st.sampled_from(_POINTS))
    def copy_elsewhere(self, text: str) -> None:
        self.hand.copy_elsewhere(text)

    @act(size=st.sampled_from(_SIZES))
    def resize(self, size: tuple[int, int]) -> None:
        self.hand.resize(*size)

    @act(key=turning, by=st.integers(-40, 40))
    def slide_history(self, key: Qt.Key, by: int) -> None:
        self.hand.slide_history(key, by)

    @act(which=some, at=st.sampled_from(["key", "box", "name"]))
    def switch_a_head(self, which: int, at: str) -> None:
        self.hand.switch_a_head(which, at)

    @act(which=some, what=st.sampled_from(["token", "head", "study", "shown", "menu"]))
    def change_a_model(self, which: int, what: str) -> None:
        self.hand.change_a_model(which, what)

    @act(name=st.sampled_from(MODELS[:3]), moves=st.booleans())
    def choose_a_folder(self, name: str, moves: bool) -> None:
        if moves:
            self.stand.files.move_away(name)
        else:
            self.hand.drop_a_file(name)

    @act(which=some)
    def turn_to_page(self, which: int) -> None:
        self.hand.turn_to_page(which)

    @act(which=some, text=st.sampled_from(_PROBES), enter=st.booleans())
    def write_around(self, which: int, text: str, enter: bool) -> None:
        self.hand.write_around(which, text, enter=enter)

    @act(text=st.sampled_from(_PROBES))
    def type_a_probe(self, text: str) -> None:
        self.hand.type_into("probe", 0, text, enter=True)

    @act(name=st.sampled_from([*GOOD, *BAD]))
    def drop_a_file(self, name: str) -> None:
        self.hand.drop_a_file(name)

    @act(name=st.sampled_from([*GOOD, *BAD]))
    def open_a_file(self, name: str) -> None:
        self.hand.open_a_file(name)

    @act(which=some, x=places, y=places)
    def point(self, which: int, x: int, y: int) -> None:
        self.pointer.point(which, x, y)

    @act(which=some, x=places, y=places, twice=st.booleans())
    def click(self, which: int, x: int, y: int, twice: bool) -> None:
        self.pointer.click(which, x, y, twice=twice)

    @act(which=some, start=st.tuples(places, places), end=st.tuples(places, places))
    def drag(self, which: int, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.pointer.drag(which, start, end)

    @act(which=some, x=places, y=places, notches=st.sampled_from([1, -1, 5, -5]))
    def wheel(self, which: int, x: int, y: int, notches: int) -> None:
        self.pointer.wheel(which, x, y, notches)

    @act(which=some, key=pressed)
    def press_at_a_picture(self, which: int, key: Qt.Key) -> None:
        self.pointer.key(which, key)

    @act(key=pressed)
    def press_where_the_keyboard_is(self, key: Qt.Key) -> None:
        self.pointer.key_where_it_is(key)

    @act(which=some, place=st.integers(0, 11))
    def take_a_lesson(self, which: int, place: int) -> None:
        self.hand.take_a_lesson(which, place)

    @act(what=st.sampled_from(["on", "on", "on", "back", "choose", "show me", "all controls", "restore", "close"]))
    def go_on_in_a_lesson(self, what: str) -> None:
        self.hand.go_on_in_a_lesson(what)

    @act()
    def wait(self) -> None:
        self.stand.rest()

    def look(self) -> None:
        """Look at what must hold now, and every few acts at what must hold at rest."""
        # No hand is quicker than a call that waits in the window's own queue, such as the end of an edit in a table.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall)
        self.stand.acts += 1
        self.since += 1
        witness = self.stand.witness
        witness.check_now()
        if self.since % _LOOKS_EVERY == 0:
            witness.rest()
            witness.check_at_rest(self.stand.hand.stopped)
            witness.check_step()

    def go_back_and_forth(self) -> None:
        """Check undo to the bottom and redo to the top; a window that was closed has taken its history with it."""
        stand, window, witness = self.stand, self.stand.window, self.stand.witness
        stand.hand.close_dialog()
        window.lessons.now.close()
        witness.rest()
        witness.check_trains_on()
        witness.check_at_rest(stand.hand.stopped)
        witness.check_step()
        stack = window.controller.undo_stack
        ends = []
        for key, more in (("redo", stack.canRedo), ("undo", stack.canUndo), ("redo", stack.canRedo)):
            while more():
                stand.hand.act(key)
                witness.check_now()
            witness.rest()
            witness.check_at_rest(stand.hand.stopped)
            ends.append(window.controller.spec)
        assert ends[1] == (self.first if stack is self.stack else SMALL), "undo does not lead back to the start"
        assert ends[2] == ends[0], "redo does not lead back to the end"

    def teardown(self) -> None:
        wrong = sys.exc_info()[1]
        if isinstance(wrong, Exception):
            self.stand.failed = True
        if self.begun and wrong is None:
            try:
                self.go_back_and_forth()
            except BaseException:
                self.stand.failed = True
                raise


class AnyOrderCollected(AnyOrder):
    """Between acts every object of Qt's gets a wrapper and garbage is collected, every few acts of all generations."""

    @act(what=st.sampled_from(["theme", "present", "language"]), code=st.sampled_from(["en", "zh_CN"]))
    def change_the_window(self, what: str, code: str) -> None:
        self.hand.close_dialog()
        if what == "language":
            self.stand.speak(code)
        else:
            self.hand.act(what)

    @act(which=some, place=st.integers(0, 11))
    def take_any_lesson(self, which: int, place: int) -> None:
        self.hand.take_a_lesson(which, place, of=lesson_names())

    def look(self) -> None:
        self.stand.window.findChildren(QObject)
        gc.collect(1 if self.since % _LOOKS_EVERY else 2)
        super().look()


_EXAMPLES = {"dev": 3, "ci": 8, "long": 700}
_MOST_ACTS = 80
"""The most acts of one example; most examples have so many, some fewer."""


@pytest.fixture
def stand(
    qapp: QApplication,
    qtbot: QtBot,
    qtlog: Any,
    tmp_path: Path,
    open_window: Opener,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Stand]:
    """The window that is acted on, its exceptions and Qt's messages caught."""
    files = Files(tmp_path)
    files.answer(monkeypatch)
    with capture_exceptions() as exceptions:
        standing = Stand(qapp, qtbot, files, open_window, qtlog, exceptions)
        monkeypatch.setattr(AnyOrder, "stand", standing, raising=False)
        yield standing
        standing.end()


@pytest.fixture(params=["en", "zh_CN"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """A language that the windows speak, and English again afterwards."""
    install_language(qapp, request.param)
    yield request.param
    install_language(qapp, "en")


@pytest.mark.timeout(7200)
def test_that_nothing_breaks_in_any_order(stand: Stand, language: str, long: bool, capsys: Any) -> None:
    # The acts are the same in each language.
    examples = _EXAMPLES["dev" if language == "zh_CN" and not long else settings.get_current_profile_name()]
    # A failure is printed with its acts and its seed; to find fewer acts takes minutes, which a long run has.
    phases = [phase for phase in Phase if long or phase is not Phase.shrink]
    health = list(HealthCheck)
    began = time.monotonic()
    run_state_machine_as_test(
        AnyOrder,
        settings=settings(
            max_examples=examples, stateful_step_count=_MOST_ACTS, suppress_health_check=health, phases=phases
        ),
    )
    took = time.monotonic() - began
    said = f"{stand.acts} acts, {stand.acts / took:.0f} a second; the longest wait {stand.longest_rest_s:.1f} s"
    if long:
        with capsys.disabled():
            print(f"\n{said}")
    assert stand.acts > 20 * examples, said


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each window of the collected acts a seed: one window, or eight in a long run."""
    if "first_seed" in metafunc.fixturenames:
        first = int(metafunc.config.option.hypothesis_seed)
        count = 8 if metafunc.config.option.long else 1
        metafunc.parametrize("first_seed", [first + 1000 * number for number in range(count)])


@pytest.mark.timeout(7200)
@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_that_a_window_lives_whatever_is_wrapped_and_collected(
    stand: Stand, first_seed: int, long: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    began, now = time.monotonic(), first_seed
    phases = [Phase.generate]
    health = list(HealthCheck)
    stand.load_everything()
    while stand.acts < (2_500 if long else 200):
        if long and (now - first_seed) % 8 == 0:
            with capsys.disabled():
                print(f"\nseed {now}, {stand.acts} acts after {time.monotonic() - began:.0f} s", flush=True)
        run_state_machine_as_test(
            seed(now)(type("Seeded", (AnyOrderCollected,), {})),
            settings=settings(
                max_examples=2, stateful_step_count=_MOST_ACTS, suppress_health_check=health, phases=phases
            ),  # the first is the simplest; later ones repeat parts, which may not repeat what a window does in time
        )
        now += 1
    if long:
        with capsys.disabled():
            print(
                f"\nseeds {first_seed} to {now - 1}: {stand.acts} acts in {time.monotonic() - began:.0f} s", flush=True
            )
