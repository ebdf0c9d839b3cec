"""Texts about a map of tokens: its title, its limits, and the chosen row."""

from attnviz.definitions.counting import SCREEN, head_name, told_apart
from attnviz.definitions.text import Text, listed, number_said, untranslated
from attnviz.definitions.token_maps import COMBINATIONS
from attnviz.experiment.model.token_maps.study import TokenMapTrace


def title_of(trace: TokenMapTrace) -> Text:
    """Return the title of a map's picture: the map, its heads and its layers."""
    study, record = trace.spec, trace.record
    heads = Text(COMBINATIONS[study.heads].title)
    if study.heads == "head":
        heads = Text("head {name}", {"name": head_name(trace.number, study.head)})
    layers = Text("layer {n}", {"n": SCREEN.number(trace.number)})
    if len(trace.numbers) > 1:
        ends = {"first": SCREEN.number(trace.numbers[0]), "last": SCREEN.number(trace.number)}
        layers = Text("layers {first} to {last}", ends)
    return listed([Text(record.title), heads, layers], "{first} · {rest}")


def limits_of(trace: TokenMapTrace) -> Text:
    """Return what a map ignores, where it is from, and what is special about this one."""
    record, parts = trace.record, [Text(trace.record.ignores)]
    if trace.has_sinks and record.of == "weights":
        sinks = "A learned sink takes a part of each row of weights. It is no token, so each row is divided by its sum."
        if not record.rolled:
            sinks = "A learned sink takes a part of each row of weights, so that rows sum to less than 1."
        parts.append(Text(sinks))
    if trace.left_out:
        left_out = {"count": trace.left_out}
        parts.append(
            Text("{count} layers without attention are left out.", left_out, "One layer without attention is left out.")
        )
    if record.source:
        parts.append(Text("Source: {source}.", {"source": record.source}))
    return listed(parts, "{first} {rest}")


def row_of(trace: TokenMapTrace, names: tuple[str, ...], values: "list[float]", query: int) -> Text:
    """Return a sentence about a row: the key with its largest number.

    ``names`` and ``values`` are those of the shown cells, the row's alone.
    """
    told = told_apart(names)
    largest = max(range(len(values)), key=values.__getitem__)
    words = {"query": told[query], "key": told[largest], "number": number_said(values[largest])}
    row = Text("“{query}” draws most on “{key}”: {number}.", words)
    if trace.token is None:
        return row
    about = Text("Of the logit of “{token}”.", {"token": untranslated(trace.token_name)})
    if trace.position is not None:
        where = {"token": untranslated(trace.token_name), "position": trace.read.names[trace.position]}
        where["n"] = SCREEN.number(trace.position)
        about = Text("Of the logit of “{token}”, predicted at “{position}” ({n}).", where)
    return listed([row, about], "{first} {rest}")
