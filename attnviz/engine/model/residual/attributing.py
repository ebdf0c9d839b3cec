"""The study of direct logit attribution, run on the text and the interventions of a spec."""

import contextlib
import re
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.definitions.text import listed
from attnviz.engine.machine import RunError
from attnviz.engine.model.interventions import done
from attnviz.engine.model.opened import Opened, telling
from attnviz.engine.model.residual.attribution import attribution
from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.residual.attribution import Attribution, AttributionTrace
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import Progress, ShouldStop, StoppedError, no_progress

_MOST_NAMED = 4
"""The most tokens of a text that are named in a message."""


def attributed(study: Attribution, progress: Progress, should_stop: ShouldStop) -> AttributionTrace | None:
    """Return the parts of a logit; None if stopped.

    Raises:
        RunError: as `done`, and as `attribution`; nothing is predicted, or a token is not one of the model's.
    """
    with contextlib.suppress(StoppedError):
        with torch.inference_mode():
            runs = done(study.of, no_progress, should_stop, study.continued)
        held, shown = runs.held, runs.shown
        probabilities = shown.probabilities
        if probabilities is None or shown.position is None:
            raise _no_prediction(held)
        token, minus = tokens_of(held, probabilities, study.token, study.minus, should_stop)
        progress(0, 1)
        kinds: tuple[Kind, ...] = ("decoder", "cross") if shown.beside else ("self",)
        calls = [call for call in shown.recording.calls if call.kind in kinds]
        numbers = {kind: shown.of(kind).stack.numbers for kind in shown.kinds}
        # Gradients need tensors that were not made in inference mode, also if the caller is in it.
        with torch.inference_mode(mode=False), telling(held.loaded.model):
            parts = attribution(
                held.loaded.model,
                held.record_arguments(shown.read, shown.target)["inputs"],
                calls,
                numbers,
                position=shown.position,
                tokens={token: 1.0} if minus is None else {token: 1.0, minus: -1.0},
                changes=runs.changes,
                should_stop=should_stop,
            )
        of_kind = {kind: np.full(shown.of(kind).shape, np.nan) for kind in kinds}
        for call, heads in zip(calls, parts.heads.numpy(), strict=True):
            of_kind[call.kind][numbers[call.kind][call.layer], : call.num_heads] = heads[: call.num_heads]
        mlp = np.zeros(len(of_kind[kinds[0]]))
        for number, added in parts.others.items():
            mlp[number] = added
        progress(1, 1)
        return AttributionTrace(
            spec=study,
            position=shown.position,
            token_id=token,
            token=held.loaded.tokens.name(token),
            minus_id=minus,
            minus="" if minus is None else held.loaded.tokens.name(minus),
            of_kind={kind: read_only(values) for kind, values in of_kind.items()},
            mlp=read_only(mlp),
            embedding=parts.embedding,
            bias=parts.bias,
            logit=parts.logit,
        )
    return None


def _no_prediction(held: Opened) -> RunError:
    """Return the error of a run that predicts no token."""
    if held.loaded.head == "masked":
        sentence = "nothing is predicted here, so there is no logit; put a mask token, such as [MASK], into the text"
        return RunError("nothing_predicted", sentence)
    return RunError("no_logit", "this folder has no head that predicts tokens, so there is no logit")


def soft_cap_of(model: Any) -> float | None:
    """Return the c of c tanh(logit / c), by which a model limits its logits; None if it does not."""
    config = model.config.get_text_config()
    caps = (getattr(config, name, None) for name in ("final_logit_softcapping", "logits_soft_cap"))
    return next((float(cap) for cap in caps if cap), None)


def tokens_of(
    held: Opened, shares: NDArray[Any], token: int | str | None, minus: int | str | None, should_stop: ShouldStop
) -> tuple[int, int | None]:
    """Return the token of a study, None being the most probable one, and the one to subtract; raises as `token_of`."""
    of = int(shares.argmax()) if token is None else token_of(held, token, len(shares), should_stop)
    other = None if minus is None else token_of(held, minus, len(shares), should_stop)
    if other == of:
        sentence = "the two tokens are the same, {token}, so their difference is 0; nearest: another one"
        raise RunError("same_token", sentence, token=held.loaded.tokens.name(of))
    return of, other


def token_of(held: Opened, asked: int | str, count: int, should_stop: ShouldStop) -> int:
    """Return one of the first tokens of a model: by its number, also as "#7", its name on screen, or its text.

    Raises:
        RunError: there is no such token, or the text is several.
        StoppedError: cancelled.
    """
    tokens = held.loaded.tokens
    if isinstance(asked, str) and re.fullmatch("#[0-9]{1,9}", asked):
        asked = int(asked[1:])
    if isinstance(asked, int):
        if 0 <= asked < count:
            return asked
        words = {"token": asked, "last": count - 1, "nearest": max(0, min(asked, count - 1))}
        sentence = "there is no token {token}: this model's are 0..{last}; nearest: {nearest}"
        raise RunError("no_such_token", sentence, **words)
    named = next((number for number in range(count) if tokens.name(number) == asked), None)
    if named is not None:
        return named
    names: tuple[str, ...] = ()
    if isinstance(tokens, Tokens):
        read = tokens.encode(asked.replace("·", " "), False, should_stop)
        if len(read) == 1 and read.ids[0] < count:
            if _plain(read.names[0]) != _plain(asked):  # such as [UNK] for any word that is not known
                sentence = "“{asked}” is no token of this model, which reads it as {token}; nearest: {token}"
                raise RunError("no_such_token", sentence, asked=asked, token=read.names[0])
            return read.ids[0]
        names = read.names
    if not names:
        raise RunError("no_such_token", "“{asked}” is no token of this model; nearest: the top token", asked=asked)
    sentence = "“{asked}” is {count} tokens of this model ({names}); nearest: {nearest}"
    some = listed(names[:_MOST_NAMED])
    raise RunError("no_such_token", sentence, asked=asked, count=len(names), names=some, nearest=names[0])


def _plain(name: str) -> str:
    """Return a token's name without blanks, in lower case: tokenizers may make all of a text lower case."""
    return name.replace("·", " ").strip().casefold()
