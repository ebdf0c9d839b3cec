"""The plain sentence about a model: what the chosen head attends to, and what the model predicts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from attnviz.definitions.counting import SCREEN, told_apart
from attnviz.definitions.text import Text, bytes_said, listed, percent_said, percents_said
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.layers.sentences import sentence_with_note, subject_of, warned
from attnviz.experiment.layers.subject import Subject
from attnviz.experiment.model.overview import Overview
from attnviz.experiment.model.sides import HeadAt, Kind, order_of
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.view_settings import Chosen

_LONGEST = 300
"""The most characters of the generated text that are shown beside the picture: the last ones."""


def sentence_of(trace: ModelTrace, view: ModelViewSettings, chosen: Chosen) -> Text:
    """Return the sentence about a trace: about the layer's stage, or the chosen head and the prediction.

    It is empty if the layer, or the side of an encoder-decoder, has not arrived.
    """
    if trace.layers.layer(view.layer) is None or (trace.sides and trace.side != view.side):
        return Text()
    layer = trace.layer_shown(joined=view.joined, hide_special=view.hide_special)
    sentences = [sentence_with_note(layer, view.of_layer, chosen)]
    if view.page == "overview":
        note = Text() if layer is trace.layer else layer.note
        sentences = [_head_said(trace, subject_of(layer, view.of_layer, chosen)), _expected(trace), note]
    return warned(trace.warning, listed(list(filter(None, sentences)), "{first} {rest}"))


def role_said(overview: Overview, layer: int, head: int, kind: Kind = "self") -> Text:
    """Return a text about the role of a head of a kind of attention, and how certain it is."""
    name = HeadAt(kind, layer, head).name
    if overview.across:
        return Text("roles compare places within one text, so head {name} has none here", {"name": name})
    role = overview.role(layer, head)
    if role is None:
        return Text("head {name} has no clear role", {"name": name})
    measure, at = overview.roles[role.name], (layer, head)
    counts = {"agreeing": int(measure.agreeing[at]), "count": int(measure.rows[at])}
    sure = Text("in {agreeing} of {count} rows", counts)
    if role.of_rows is None:  # for even rows, chance is meaningless
        chance = percent_said(measure.chance[at])
        sure = Text("by chance {chance}; in {agreeing} of {count} rows", counts | {"chance": chance})
    values = {"name": name, "does": role.does_at(int(measure.distances[at])), "sure": sure}
    return Text("head {name} {does} ({score}, {sure})", values | {"score": percent_said(measure.scores[at])})


def _head_said(trace: ModelTrace, subject: Subject) -> Text:
    row, head = subject.row.weights, subject.head
    key = int(row.argmax())
    values = {
        "name": trace.name_of_head(head),
        "role": role_said(trace.overview, trace.number, head, trace.kind),
        "query": subject.the_query,
        "key": subject.the_key(key),
        "share": percent_said(row[key]),
    }
    if head not in trace.layer.heads_off:
        return Text("{role}; {query} gives {share} to {key}.", values)
    if trace.spec.ablation == "mean":
        return Text("Head {name} is off and adds its mean, though {query} gives {share} to {key}.", values)
    return Text("Head {name} is off and adds nothing, though {query} gives {share} to {key}.", values)


def _expected(trace: ModelTrace) -> Text:
    now, before = trace.prediction, trace.before
    if now is None:
        return Text()
    if trace.model.head == "class":
        words = {"class": now.tokens[0], "share": percent_said(now.probabilities[0])}
        if before is None:
            return Text("The model says “{class}” ({share}).", words)
        words["was"], words["share"] = percents_said(before.probabilities[0], now.probabilities[0])
        words["before"] = before.tokens[0]
        return Text("The model says “{class}” ({share}); without interventions it says “{before}” ({was}).", words)
    names, token = trace.written.names, trace.written.names[now.position]
    at = {"token": token, "number": SCREEN.number(now.position)}
    named = Text("“{token}” ({number})" if names.count(token) > 1 else "“{token}”", at)
    values: dict[str, object] = {
        "there": Text("In place of {token}" if trace.model.head == "masked" else "After {token}", {"token": named}),
        "token": now.tokens[0],
        "share": percent_said(now.probabilities[0]),
    }
    if before is None:
        return Text("{there} the model predicts “{token}” ({share}).", values)
    values["was"], values["share"] = percents_said(before.probabilities[0], now.probabilities[0])
    values["before"] = before.tokens[0]
    sentence = "{there} the model predicts “{token}” ({share}); without interventions it predicts “{before}” ({was})."
    return Text(sentence, values)


def cache_said(trace: ModelTrace) -> Text:
    """Return what the pass on screen has read from the key-value cache, and the size of the cache after it."""
    generated = trace.generated
    if generated is None:
        return Text()
    held = [each for each in generated.cache if each.positions]
    if not held:
        return Text("This model keeps no keys and values: each pass computes the whole text again.")
    words: dict[str, object] = {
        "count": len(held),
        "size": bytes_said(sum(each.nbytes for each in generated.cache)),
        "tokens": len(trace.written),
        "token": trace.written.names[-1],
    }
    if not generated.step:
        sentence = "The first pass reads the text, and the cache keeps keys and values of it: {size} in {count} layers."
        return Text(sentence, words, sentence.replace("layers", "layer"))
    if trace.crosses:
        sentence = (
            "The pass for “{token}” reads the keys of the text, made once by the encoder: {size} in {count} layers."
        )
        return Text(sentence, words, sentence.replace("layers", "layer"))
    old = sorted({each.old for each in held})
    words["old"] = str(old[0]) if len(old) == 1 else f"{old[0]}..{old[-1]}"
    sentence = "The pass for “{token}” reads {old} old keys in a layer and adds its own: {size} in {count} layers."
    return Text(sentence, words, sentence.replace("layers", "layer"))


def generation_said(trace: ModelTrace) -> tuple[Text, ...]:
    """Return how the tokens of a generation are chosen, and how it ends, one per line."""
    generated, spec = trace.generated, trace.spec
    if generated is None:
        return ()
    written = generated.text or " ".join(generated.names)
    shown = written if len(written) <= _LONGEST else f"…{written[-_LONGEST:]}"
    lines = [
        Text("Generated: “{text}”", {"text": shown.strip()}),
        Text("Each token is drawn; beams are not searched.")
        if spec.choose == "sample"
        else Text("Each token is the most probable one; beams are not searched."),
    ]
    if spec.chosen:
        lines.append(Text("Those that you chose take the place of the model's."))
    if generated.processors:
        names = ", ".join(generated.processors)
        lines.append(Text("Settings of the folder change the logits: {names}.", {"names": names}))
    if generated.left_out:
        names = ", ".join(generated.left_out)
        lines.append(Text("Settings of the folder without effect here: {names}.", {"names": names}))
    if not generated.end_ids:
        words = {"count": generated.most}
        lines.append(
            Text(
                "The folder names no end token, so {count} tokens are generated.",
                words,
                "The folder names no end token, so one token is generated.",
            )
        )
    elif generated.ended and generated.ids[-1] in generated.end_ids:
        lines.append(Text("“{token}” ends the text.", {"token": generated.names[-1]}))
    if generated.measured < len(trace.read):
        words = {"count": generated.measured}
        lines.append(Text("The heads are measured over the first {count} tokens until the text is complete.", words))
    return tuple(lines)


def change_said(old: ModelSpec, new: ModelSpec) -> Text:
    """Return the name of the change between two specs, if it is one intervention; else an empty text."""
    changed = [name for name in old.interventions() if getattr(old, name) != getattr(new, name)]
    if old.text_b and not new.text_b and old.patch and not new.patch:
        heads = heads_said(sorted({each.head for each in old.patch}, key=order_of))
        return Text("Empty text B, and take the patch of {heads} back", {"heads": heads})
    if old.folder == new.folder and old.text != new.text and not all(getattr(new, name) for name in changed):
        return Text("Read another text, without the interventions on tokens")
    if old.chosen != new.chosen and old == new.model_copy(update={"chosen": old.chosen}):
        return _choice_said(old.chosen.by_step, new.chosen.by_step)
    if len(changed) != 1 or old.without_changes != new.without_changes:
        return Text()
    undo = old.interventions()[changed[0]].undo
    if undo is None:
        return Text()
    before, after = (_entries(getattr(spec, changed[0])) for spec in (old, new))
    entries = before ^ after
    text = undo.undone if len(after) < len(before) else undo.done
    return replace(text, values={"count": len(entries), **undo.values(entries)})


def _choice_said(old: Mapping[int, int], new: Mapping[int, int]) -> Text:
    """Return the name of a change of the tokens that the user chose; the tokens' names are not known here."""
    chosen = [step for step in new if old.get(step) != new[step]]
    step = max(chosen or old.keys() - new.keys())
    words = {"step": SCREEN.number(step), "token": new.get(step)}
    if chosen:
        return Text("Choose token {token} as new token {step}", words)
    return Text("Let the model choose new token {step} again", words)


def _entries(value: Any) -> set[Any]:
    return set(value.items() if isinstance(value, Mapping) else value)


def effect_said(trace: ModelTrace) -> tuple[Text, ...]:
    """Return the effects of the interventions, one per line; empty without interventions."""
    effect, before = trace.effect, trace.before
    if effect is None:
        return ()
    token, heads = int(effect.cosines.argmin()), effect.most_changed_heads()
    turned = {"token": told_apart(effect.names)[token], "cosine": _three(effect.cosines[token])}
    effects = [
        Text("last states, cosine {cosine}", {"cosine": _three(effect.cosine)}),
        Text("most changed: “{token}”, cosine {cosine}", turned),
    ]
    if before is not None and before.other is not None:
        was, now = percents_said(before.probabilities[0], before.other[0])
        effects.insert(0, Text("“{token}”: {was} → {share}", {"token": before.tokens[0], "was": was, "share": now}))
    if heads:
        names = {index: HeadAt(trace.kind, *index).name for index in heads}
        head_list = ", ".join(f"{name} ({percent_said(effect.heads[index])})" for index, name in names.items())
        effects.append(Text("weights that move most: {heads}", {"heads": head_list}))
    return (*_passes_said(trace), *effects)


def _passes_said(trace: ModelTrace) -> Iterator[Text]:
    """Yield from which token on the interventions act in a generation, and over which tokens effects are measured.

    Interventions that name no token act on all of them.
    """
    if trace.generated is None:
        return
    names, acting = trace.read.names, trace.spec.acting.items()
    first = min(min(each.tokens(getattr(trace.spec, name)), default=0) for name, each in acting)
    if first < len(names):
        values = {"number": SCREEN.number(first), "token": names[first]}
        yield Text("they act in every pass, from “{token}” ({number}) on", values)
    yield Text("in the text, without the new tokens:")


def _three(value: float) -> str:
    """Return a cosine with three decimals and a typographic minus."""
    return f"{value:.3f}".replace("-", "−")
