"""The run of the model lab with generation: its steps are the passes of the model, one for each new token."""

import time
import weakref
from dataclasses import replace
from functools import partial

import numpy as np
import torch

from attnviz.definitions.text import Text
from attnviz.engine import memory
from attnviz.engine.machine import RunError
from attnviz.engine.model import LESS_TO_GENERATE
from attnviz.engine.model.generating.generation import TOP, Generation
from attnviz.engine.model.generating.settings import Settings, take_settings
from attnviz.engine.model.layers import layer_of, measure
from attnviz.engine.model.opened import telling
from attnviz.engine.model.run import ModelRun, bytes_of
from attnviz.experiment.arrays import read_only
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.generation import MOST_FREED, MOST_UNASKED, Generated
from attnviz.experiment.model.measure import Measuring
from attnviz.experiment.model.overview import Overview
from attnviz.experiment.model.sides import SIDES, Kind, SideOfRun
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import ModelTrace, Prediction
from attnviz.experiment.run import Cursor, Progress, ShouldStop, StoppedError

_MOST_LAYERS = 32 << 20
"""The limit, in bytes, of layers that are kept when another one is made."""
_MEASURED_SHARE = 0.05
"""The largest share of the time spent on measuring all heads while the text still grows."""
_MEASURED_AFTER_S = 3.0
"""The time after which they are measured first."""


class GenerationRun:
    """A model that continues a text. Its steps are the passes; step 0 reads the text, see `Generated`.

    The text is first run and compared as without generation, by a `ModelRun`. If nothing asks for new tokens, this is
    all, except that an encoder-decoder without a target writes by itself.
    """

    def __init__(self, spec: ModelSpec, progress: Progress) -> None:
        self.spec = spec
        self._text_run = ModelRun(spec, progress)
        self._settings: Settings | None = None
        self._generation: Generation | None = None
        self._read: ReadText | None = None
        self._names: list[str] = []
        most = spec.generate or MOST_UNASKED
        self._step_ids = np.full((most, TOP), -1, np.int64)
        self._step_probabilities = np.zeros((most, TOP))
        self._count: int | None = None  # the most new tokens, once the folder is known
        self._layers: dict[tuple[Kind, int, int], Layer] = {}
        self._overviews: dict[Kind, tuple[int, Overview]] = {}
        self._measured_next = 0.0
        self._bytes_made = 0
        self._milliseconds: list[float] = []

    @property
    def known(self) -> Cursor | None:
        """Its newest step; None before the first."""
        if self._count == 0:
            return self._text_run.known
        steps = 0 if self._generation is None else len(self._generation.steps)
        return Cursor(step=steps - 1) if steps else None

    @property
    def final(self) -> bool:
        """Whether the last token is generated, and the run of the text compared."""
        ended = self._count == 0 or (self._generation is not None and self._generation.ended)
        return ended and self._text_run.final

    @property
    def nbytes(self) -> int:
        """The approximate bytes that it holds, without the model."""
        return self._text_run.nbytes + (0 if self._generation is None else self._generation.nbytes)

    def advance(self, should_stop: ShouldStop) -> bool:
        """Read the text, generate one token, or compare; return False if stopped before."""
        if self.final or should_stop():
            return False
        if self._count is None:
            if not self._text_run.advance(should_stop):
                return False
            self._count = self._most_new()
            if not self._count:
                return True
        if not self._count:
            return self._text_run.advance(should_stop)
        try:
            if self._generation is None:
                self._generation = self._begun(self._count)
            elif not self._text_run.advance(should_stop) and not self._text_run.final:
                return False  # the text is compared with the second token, so that the first is on screen at once
            if self._generation.ended:
                return True
            start = time.perf_counter()
            with telling(self._text_run.done.held.loaded.model):
                self._generation.advance(should_stop)
        except StoppedError:
            return False
        self._milliseconds.append((time.perf_counter() - start) * 1e3)
        caches = self._generation.steps[-1].cache.values()
        self._note_made(sum(each.nbytes for cache in caches for each in cache))
        return True

    def _note_made(self, nbytes: int) -> None:
        """Count the bytes of a cache or a layer that took the place of a smaller one, see `MOST_FREED`."""
        self._bytes_made += nbytes
        if self._bytes_made > MOST_FREED:
            self._bytes_made = 0
            memory.give_back()

    def _most_new(self) -> int:
        """Return the most tokens to generate after the text, which has been run."""
        held, spec = self._text_run.done.held, self.spec
        if spec.generate or spec.target or held.decoding is None or not held.loaded.head:
            return spec.generate
        most = held.decoding.most_tokens
        return MOST_UNASKED if most is None else min(MOST_UNASKED, most)

    def _begun(self, count: int) -> Generation:
        """Return the continuation of the text by up to ``count`` tokens, before the first pass."""
        done, spec = self._text_run.done, self.spec
        loaded, read, decoding = done.held.loaded, done.plain.target or done.plain.read, done.held.decoding
        if loaded.head != "next" or (loaded.kind == "encoder-decoder" and decoding is None):
            raise RunError(
                "not_generating",
                "this model has no head that predicts the next token, so it cannot continue a text; "
                "nearest: 0 new tokens",
            )
        tokens = len(read) + count - 1
        most = loaded.most_tokens if decoding is None else decoding.most_tokens
        if most is not None and tokens > most:
            values = {"tokens": len(read), "new": count, "most": most}
            nearest = most - len(read) + 1
            sentence = (
                "this model reads at most {most} tokens, and the text has {tokens}, so it cannot continue with {new}; "
                "nearest: {nearest}"
            )
            raise RunError("too_many_new_tokens", sentence, **values, nearest=nearest)
        self._settings = take_settings(loaded.folder, loaded.model)
        self._check_chosen()
        needed = self._text_run.facts("self").memory.of(len(read), count)
        memory.require(needed, done.held.device, LESS_TO_GENERATE)
        forced = spec.forced_bos_token_id
        generation = Generation(
            loaded.model,
            read.ids,
            count,
            sampling=spec.sampling if spec.choose == "sample" else None,
            seed=spec.seed,
            chosen=spec.chosen.by_step,
            changes=done.changes_for(len(read) + count),
            numbers={kind: done.plain.of(kind).stack.numbers for kind in done.plain.kinds},
            source=None if decoding is None else done.plain.read.ids,
            options={} if forced is None else {"forced_bos_token_id": forced},
            recorded=done.shown.recording,
            cores=max(1, torch.get_num_threads() - 1),
        )
        self._measured_next = time.perf_counter() + _MEASURED_AFTER_S
        weakref.finalize(self, generation.rest)  # else its thread would wait forever, and keep the cache
        return generation

    def _check_chosen(self) -> None:
        rows = self._text_run.done.held.loaded.tokens.rows
        for step, token in self.spec.chosen.by_step.items():
            if token >= rows:
                values = {"token": token, "step": step, "rows": rows, "nearest": rows - 1}
                sentence = (
                    "chosen has token {token} at step {step}, but the model knows those below {rows} only; "
                    "nearest: {nearest}"
                )
                raise RunError("chosen_unknown", sentence, **values)

    def at(self, cursor: Cursor) -> ModelTrace:
        """Return the trace of a step and a layer; see `attnviz.experiment.run.Run`."""
        if self._count == 0:
            return self._text_run.at(cursor)
        known, generation = self.known, self._generation
        if known is None or generation is None or known.is_before(cursor):
            raise ValueError(f"a generation has no {cursor}" if known else "the run has not begun")
        step = (known if cursor.step is None else cursor).step or 0
        side = self._text_run.side_of(cursor)
        kind, read = SIDES[side].kind if side else "self", self._read_at(step)
        at = generation.steps[step]
        name = self._text_run.done.held.loaded.tokens.name
        number = self._text_run.done.shown.of(kind).stack.nearest(cursor.layer or 0)
        if side and kind == "self":  # the encoder reads its text once
            trace = self._text_run.at(Cursor(layer=number, side=side))
            measured = len(trace.read)
        else:
            trace = self._text_run.trace_with(number, self._layer(kind, number, step), side)
            measured, overview = self._overview_at(kind, step, read)
            keys = trace.read_of_keys if kind == "cross" else read
            made = partial(self._layer, kind, step=step)
            trace = replace(trace, read=read, read_of_keys=keys, overview=overview, made_layer=made)
        return replace(
            trace,
            spec=self.spec,
            sides={name: self._side_at(name, each, step, read) for name, each in trace.sides.items()},
            prediction=Prediction(len(read) - 1, at.ids, tuple(map(name, at.ids)), read_only(at.probabilities.numpy())),
            before=None,
            check=replace(trace.check, weights_apart=max(trace.check.weights_apart, generation.witness)),
            generated=self._generated(kind, step, measured),
            incomplete=trace.incomplete if generation.ended else Text(),
            milliseconds=self._milliseconds[step],
        )

    def _side_at(self, side: str, of: SideOfRun, step: int, read: ReadText) -> SideOfRun:
        """Return a side of an encoder-decoder at a step; its encoder reads its text once."""
        kind = SIDES[side].kind
        if kind == "self":
            return of
        return replace(
            of,
            read=read,
            keys=of.keys if kind == "cross" else read,
            made_layer=partial(self._layer, kind, step=step),
            overview=lambda: self._overview_at(kind, step, read)[1],
        )

    def rest(self) -> None:
        """Release the cache and the layers; they are computed again."""
        self._layers.clear()
        self._text_run.rest()
        if self._generation is not None:
            self._generation.rest()

    def _generated(self, kind: Kind, step: int, measured: int) -> Generated:
        assert self._generation is not None
        assert self._settings is not None
        steps, name = self._generation.steps, self._text_run.done.held.loaded.tokens.name
        for row, each in enumerate(steps[len(self._names) :], len(self._names)):
            self._names.append(name(each.token))
            self._step_ids[row, : len(each.ids)] = each.ids
            self._step_probabilities[row, : len(each.ids)] = each.probabilities
        return Generated(
            step=step,
            most=self._count or 0,
            ids=self._generation.ids,
            names=tuple(self._names),
            text=self._text_of(len(steps)),
            step_ids=read_only(self._step_ids[: len(steps)]),
            step_probabilities=read_only(self._step_probabilities[: len(steps)]),
            ended=self._generation.ended,
            end_ids=self._settings.end_ids,
            processors=self._settings.processors,
            left_out=self._settings.left_out,
            cache=steps[step].cache.get("decoder" if kind not in steps[step].cache else kind, ()),
            measured=measured,
        )

    @property
    def _own(self) -> ReadText:
        """The text that is continued: of an encoder-decoder, the target."""
        plain = self._text_run.done.plain
        return plain.target or plain.read

    def _text_of(self, count: int) -> str:
        """Return the text of the new tokens, if all of them have been decoded."""
        own, read = self._own, self._read
        return read.text[len(own.text) :] if read is not None and len(read) == len(own) + count else ""

    def _read_at(self, step: int) -> ReadText:
        """Return the tokens that the pass of a step has read."""
        assert self._generation is not None
        own, done = self._own, self._text_run.done
        needed = len(own) + (len(self._generation.ids) if self._generation.ended else step)
        if self._read is None or len(self._read) < needed:
            before = own if self._read is None else self._read
            new = self._generation.ids[len(before) - len(own) :]
            self._read = done.held.loaded.tokens.continued(before, new)
        return self._read.first(len(own) + step)

    def _layer(self, kind: Kind, number: int, step: int) -> Layer:
        """Return a layer at a step; the newest ones are cached."""
        assert self._generation is not None
        key = kind, number, step
        if key not in self._layers:
            while self._layers and (len(self._layers) > 2 or sum(map(bytes_of, self._layers.values())) > _MOST_LAYERS):
                del self._layers[next(iter(self._layers))]
            done = self._text_run.done
            of = done.shown.of(kind)
            read, place = self._read_at(step), of.stack.numbers.index(number)
            keys, of_keys = of.keys if kind == "cross" else read, of.layer_of_keys(number)
            with torch.inference_mode():
                call = self._generation.call(place, step, kind)
                changes = done.changes_for(len(read))
                layer = layer_of(call, read, changes, keys=keys, number=number, of_keys=of_keys)
            self._layers[key] = layer
            self._note_made(bytes_of(layer))
        return self._layers[key]

    def _overview_at(self, kind: Kind, step: int, read: ReadText) -> tuple[int, Overview]:
        """Return the measures of all heads at a step, and the number of tokens that they are of.

        While the text still grows they may be those of an earlier step, so that they take little of the time.
        """
        assert self._generation is not None
        shown = self._text_run.done.shown.of(kind)
        if not step:
            return len(read), shown.overview
        now = time.perf_counter()
        grows = step == len(self._generation.steps) - 1 and not self._generation.ended
        known, overview = self._overviews.get(kind, (len(shown.read), shown.overview))
        if known == len(read) or (grows and known < len(read) and now < self._measured_next):
            return known, overview
        measuring = Measuring(read, shown.keys if kind == "cross" else None)
        with torch.inference_mode():
            for place in range(len(shown.stack.numbers)):
                call = self._generation.call(place, step, kind, keeps=False)
                measure(measuring, place, call, call.weights())
        self._overviews[kind] = len(read), measuring.result(shown.stack.numbers, shown.stack.num_layers)
        done = time.perf_counter()
        self._measured_next = done + (done - now) / _MEASURED_SHARE
        return self._overviews[kind]
