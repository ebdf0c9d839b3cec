"""Texts about a map of tokens: its title, its limits, and the chosen row."""

from collections.abc import Sequence

from attnviz.definitions.counting import SCREEN, head_name, told_apart
from attnviz.definitions.text import Text, listed, number_said
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


def row_said(trace: TokenMapTrace, names: tuple[str, ...], row: Sequence[float], query: int) -> Text:
    """Return a sentence about a row: its own token, and the other key with the largest number.

    ``names`` and ``row`` are those of the shown cells.
    """
    told = told_apart(names)
    others = [key for key in range(len(row)) if key != query]
    words = {"query": told[query], "own": number_said(row[query])}
    said = Text("“{query}”: {own} on itself.", words)
    largest = max(others, key=row.__getitem__, default=query)
    if row[largest] > 0 and others:
        words |= {"key": told[largest], "number": number_said(row[largest])}
        said = Text("“{query}”: {own} on itself; of the others “{key}” has most: {number}.", words)
    if trace.token is None:
        return said
    about = Text("The logit is that of “{token}”.", {"token": trace.token_name})
    if trace.position is not None:
        where = {"token": trace.token_name, "position": told_apart(trace.read.names)[trace.position]}
        about = Text("The logit is that of “{token}”, predicted at “{position}”.", where)
    return listed([said, about], "{first} {rest}")
