"""A model continues a text token by token, by its own code: `generate` of transformers with its key-value cache.

`generate` runs in a thread of its own, one pass at a time. A last logits processor, after all that the folder asks for,
chooses the token of each step, so that everything else is the library's: the cache, the processors, the end tokens.
"""

import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.generating.rows import Growing, Rows
from attnviz.engine.model.generating.stepwise import Pause, Stepwise
from attnviz.engine.model.lookup import attention_through
from attnviz.engine.model.recorder import NOT_FOLLOWED, NotOursError, Recorder, RecordingTask
from attnviz.engine.model.recording import Recording, alone
from attnviz.engine.model.sides.rows import CrossRows, whole_cross
from attnviz.experiment.model.generation import Cached, Sampling
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import ShouldStop, never_stop

TOP = 10
"""The number of most probable tokens noted at each step."""


AnyRows = Rows | CrossRows


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One generated token."""

    token: int
    ids: tuple[int, ...]
    """The most probable tokens, in descending order."""
    probabilities: Tensor
    """Theirs after all processors, float64 (n,)."""
    rows: Mapping[Kind, Sequence[AnyRows]]
    """What the pass that led to the token added to each layer; empty for the first, which read the prompt."""
    cache: Mapping[Kind, tuple[Cached, ...]]
    """The cache of each layer of the model after that pass."""


@dataclass(frozen=True, slots=True)
class _Chooser:
    """A logits processor. transformers parses the signature of a bare function at every token, for 0.3 ms."""

    choose: Callable[[Tensor, Tensor], Tensor]

    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor:
        return self.choose(ids, scores)


class Generation:
    """The continuation of a prompt by up to ``count`` tokens."""

    def __init__(
        self,
        model: nn.Module,
        prompt: Sequence[int],
        count: int,
        *,
        sampling: Sampling | None = None,
        seed: int = 0,
        chosen: Mapping[int, int] | None = None,
        changes: Changes = NO_CHANGES,
        numbers: Mapping[Kind, Sequence[int]] | None = None,
        recorded: Recording | None = None,
        cores: int | None = None,
        source: Sequence[int] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Prepare it; no pass is run yet.

        Args:
            model: of transformers, with a head that predicts the next token. Its ``generation_config`` says which
                logits processors act, and which tokens end a text; beams are not searched.
            prompt: the tokens that are continued; those of the decoder, beside an encoder.
            count: the largest number of new tokens; fewer if an end token is generated.
            sampling: draw the tokens; None: take the most probable one of each step.
            seed: decides the drawn tokens.
            chosen: tokens by step, from 0, in place of those that the model would continue with.
            changes: the interventions in all passes.
            numbers: see `attnviz.engine.model.recording.record`.
            recorded: a recording of the prompt with these changes, so that the first pass need not be recorded again.
            cores: torch's number of threads after the first pass; None: the same. A pass with one token hardly gains
                from the last core, and while a window draws on that it waits for it.
            source: the tokens that the encoder beside the decoder reads; None: there is no encoder.
            options: further arguments of ``generate``, such as a token that the answer begins with.
        """
        self._model: Any = model
        self._prompt, self._count = tuple(prompt), count
        self._source, self._options = source, dict(options or {})
        self._sampling, self._seed, self._chosen = sampling, seed, dict(chosen or {})
        self._task = RecordingTask(
            (changes,),
            self._add_rows,
            lambda: not self.steps and self._should_stop(),
            numbers=numbers or {},
            target=len(prompt),
            most_tokens=len(prompt) + count,
        )
        self._cores = cores
        end = getattr(model.generation_config, "eos_token_id", None)
        self._end_ids = tuple(end) if isinstance(end, list) else (end,)
        self._should_stop: ShouldStop = never_stop
        self._running: Stepwise | None = None
        self._by_softmax = False
        self._cache: dict[Kind, tuple[Cached, ...]] = {}
        self.logits = torch.empty(0)
        """(V,), of the newest pass, before all processors."""
        self._watches = recorded is None or recorded.note != ""
        """Whether to look for attention beside transformers' interface: one pass tells whether there is any."""
        self.prompt_calls = _by_kind(() if recorded is None or self._watches else recorded.calls)
        """The calls of the pass that reads the prompt, by kind."""
        self._rows: dict[Kind, list[AnyRows]] = {}  # of the current pass
        self._growing: tuple[tuple[Kind, int], Growing] | None = None  # of the layer asked for last
        self._one_at_a_time = threading.Lock()  # a window and its worker may ask for layers
        self.steps: list[Step] = []
        self.ended = False
        """Whether the last token was generated."""
        self._recorder = self._new_recorder()

    @property
    def ids(self) -> tuple[int, ...]:
        """The generated tokens so far."""
        return tuple(step.token for step in self.steps)

    @property
    def witness(self) -> float:
        """The largest difference of recomputed weights from the model's own, over all passes."""
        return self._recorder.witness

    def advance(self, should_stop: ShouldStop = never_stop) -> bool:
        """Generate the next token; return False if there is none left. Raises `StoppedError` and what `record` raises.

        After an error the same token is generated again.
        """
        if self.ended:
            return False
        self._should_stop = should_stop
        try:
            return self._advance()
        except NotOursError:
            self._running, self._by_softmax, self._watches = None, True, True
            return self._advance()
        except BaseException:
            self._running = None
            raise

    def _advance(self) -> bool:
        if self._running is None:
            self._recorder = self._new_recorder()
            self._running = Stepwise(self._generate)
        if not self._running.advance():
            self.ended = True
            return False
        if len(self.steps) == self._count or self.steps[-1].token in self._end_ids:
            self.ended = True
            self.rest()
        return True

    def rest(self) -> None:
        """Release the cache; the passes so far are run again, unrecorded, when the next token is asked for."""
        if self._running is not None:
            self._running.close()
            self._running = None

    def call(self, layer: int, steps: int, kind: Kind = "self", *, keeps: bool = True) -> Call:
        """Return the call of a layer, by its index, with the rows that the first ``steps`` tokens have added.

        The layer ``keeps`` the memory to grow in until another one is asked for.
        """
        # The row of a token is computed by the pass after it, which chooses the next one.
        prompt = self.prompt_calls[kind][layer]
        added = [step.rows[kind][layer] for step in self.steps[1 : steps + 1] if kind in step.rows]
        rows = [each for each in added if isinstance(each, Rows)]
        if kind == "cross":
            return whole_cross(prompt, [each for each in added if isinstance(each, CrossRows)])
        with self._one_at_a_time:
            if self._growing is not None and self._growing[0] == (kind, layer):
                return self._growing[1].call(rows)
            tokens = len(self._prompt) + (self._count - 1 if keeps else steps)
            growing = Growing(prompt, tokens)
            if keeps:
                self._growing = (kind, layer), growing
            return growing.call(rows)

    def _new_recorder(self) -> Recorder:
        encoder = None if self._source is None else self._model.get_encoder()
        first = self._prompt if self._source is None else self._source
        recorder = Recorder(self._model, encoder, (1, len(first)), self._task)
        recorder.keeps = not self.prompt_calls
        self._rows.clear()
        return recorder

    def _add_rows(self, call: Call, weights: Tensor) -> None:
        """Note the new row of a call and of its weights (h, Q, K), if it was not the prompt that was read."""
        if self.prompt_calls and call.kind in self._written:
            row = (CrossRows if call.kind == "cross" else Rows).of(call, weights, 1)
            self._rows.setdefault(call.kind, []).append(row)

    @property
    def _written(self) -> tuple[Kind, ...]:
        """The kinds of attention to which each new token adds a row: an encoder reads its text once."""
        return ("self",) if self._source is None else ("decoder", "cross")

    @property
    def nbytes(self) -> int:
        """The bytes of all recorded tensors."""
        held = [each for calls in self.prompt_calls.values() for call in calls for each in call.tensors]
        own = sum({each.data_ptr(): each.nbytes for each in held if each is not None}.values())
        growing = 0 if self._growing is None else self._growing[1].nbytes
        return own + growing + sum(row.nbytes for step in self.steps for rows in step.rows.values() for row in rows)

    def _generate(self, pause: Pause) -> None:
        from transformers import LogitsProcessorList

        recorder = self._recorder
        device = next(self._model.parameters()).device
        random = torch.Generator().manual_seed(self._seed)
        attend = None if self._by_softmax else recorder.attend
        turn, thread, modules = ExitStack(), threading.get_ident(), list(self._model.modules())

        def take_turn() -> None:
            turn.enter_context(alone(modules))
            turn.enter_context(attention_through(attend))
            if self._watches:
                turn.enter_context(recorder.watcher)

        def choose(ids: Tensor, scores: Tensor) -> Tensor:
            known = len(self.steps)
            with torch._C.DisableTorchFunction():  # hidden from the watcher
                token = self._note(ids.shape[1] - len(self._prompt), scores[0], random)
            if len(self.steps) > known:
                turn.close()
                pause()
                take_turn()
            if self._cores is not None:
                torch.set_num_threads(self._cores)
            return torch.full_like(scores, -torch.inf).index_fill(1, torch.tensor([token], device=device), 0.0)

        def note_output(_: Any, __: Any, output: Any) -> None:
            if threading.get_ident() == thread:  # the model may run elsewhere while this waits
                self._cache, self.logits = _cached(output), output.logits[0, -1].clone()

        with turn, self._model.register_forward_hook(note_output), torch.inference_mode():
            take_turn()
            first = prompt = torch.tensor([self._prompt], device=device)
            given: dict[str, Any] = dict(self._options)
            if self._source is not None:
                first, given["decoder_input_ids"] = torch.tensor([self._source], device=device), prompt
            if _takes_mask(self._model):  # else `generate` would hide each token that equals the padding token
                given["attention_mask"] = torch.ones_like(first)
            self._model.generate(
                first,
                **given,
                max_new_tokens=self._count,
                do_sample=False,
                num_beams=1,
                logits_processor=LogitsProcessorList([*self._warpers(), _Chooser(choose)]),
            )

    def _warpers(self) -> list[Any]:
        """Return transformers' own processors of the sampling, in its order."""
        from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

        of = self._sampling
        if of is None:
            return []
        warpers = [TemperatureLogitsWarper(of.temperature)] if of.temperature != 1 else []
        warpers += [TopKLogitsWarper(of.top_k)] if of.top_k else []
        return warpers + ([TopPLogitsWarper(of.top_p)] if of.top_p < 1 else [])

    def _note(self, step: int, scores: Tensor, random: torch.Generator) -> int:
        """Note the pass that gave these scores (V,), and return the token that it leads to."""
        recorder = self._recorder
        calls = recorder.next_pass(len(self._prompt) + step + 1)
        recorder.keeps = step + 1 >= len(self.steps)
        drawn = int(scores.argmax()) if self._sampling is None else _drawn(scores, random)
        if step < len(self.steps):  # run again after `rest`
            return self.steps[step].token
        shown = _by_kind(calls)
        if not self.prompt_calls:
            self.prompt_calls, self._watches = shown, recorder.watched
        rows, self._rows = self._rows, {}
        if not (recorder.complete and (not step or all(self._is_same(kind, shown) for kind in self._written))):
            raise RunError("not_followed", NOT_FOLLOWED)
        wide = scores.double().softmax(-1).cpu()
        top = _top(wide)
        token = self._chosen.get(step, drawn)
        before = self.steps[-1].cache if self.steps else {}
        cache = {kind: _with_old(now, before.get(kind, ())) for kind, now in self._cache.items()}
        self.steps.append(Step(token, tuple(top.tolist()), wide[top], rows, cache))
        return self.steps[step].token

    def _is_same(self, kind: Kind, shown: Mapping[Kind, Sequence[Call]]) -> bool:
        """Return whether the modules that called attention of a kind are those that read the prompt."""
        names = ([call.name for call in calls.get(kind, ())] for calls in (shown, self.prompt_calls))
        return next(names) == next(names)


def _with_old(now: tuple[Cached, ...], before: tuple[Cached, ...]) -> tuple[Cached, ...]:
    """Return the caches of layers with the numbers of tokens that they held before a pass."""
    return tuple(replace(each, old=was.positions) for each, was in zip(now, before, strict=False)) or now


def _by_kind(calls: Sequence[Call]) -> dict[Kind, tuple[Call, ...]]:
    kinds = dict.fromkeys(call.kind for call in calls)
    return {kind: tuple(call for call in calls if call.kind == kind) for kind in kinds}


def _drawn(scores: Tensor, random: torch.Generator) -> int:
    """Draw a token as transformers does, in float32."""
    return int(torch.multinomial(scores.softmax(-1).cpu(), 1, generator=random))


def _top(probabilities: Tensor) -> Tensor:
    """Return the `TOP` most probable tokens in descending order, equal ones in ascending order.

    Those that the sampling cuts off are left out.
    """
    least = probabilities.topk(min(TOP, len(probabilities))).values[-1]
    among = (probabilities >= least).nonzero()[:, 0]  # sorting a whole vocabulary takes as long as a layer
    top = among[torch.argsort(probabilities[among], descending=True, stable=True)[:TOP]]
    return top[probabilities[top] > 0]


def _cached(output: Any) -> dict[Kind, tuple[Cached, ...]]:
    """Return the sizes of the key-value caches in a model's output, by kind and layer; empty without one."""
    cache = output.get("past_key_values") if "past_key_values" in output else output.get("cache")
    of_decoder, of_encoder = (getattr(cache, f"{side}_attention_cache", None) for side in ("self", "cross"))
    if of_decoder is None:
        return {"self": _sizes(cache)}
    return {"decoder": _sizes(of_decoder), "cross": _sizes(of_encoder)}


def _sizes(cache: Any) -> tuple[Cached, ...]:
    found = []
    for layer in getattr(cache, "layers", ()):
        held = [each for each in vars(layer).values() if isinstance(each, Tensor) and each.dim()]  # no counter
        keys = getattr(layer, "keys", None)
        positions = keys.shape[-2] if isinstance(keys, Tensor) and keys.dim() > 1 else 0
        found.append(Cached(positions=positions, nbytes=sum(each.nbytes for each in held)))
    return tuple(found)


def _takes_mask(model: Any) -> bool:
    return "attention_mask" in inspect.signature(model.forward).parameters
