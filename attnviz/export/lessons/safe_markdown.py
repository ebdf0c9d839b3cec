"""Sanitised Markdown of a lesson's texts, in which neither HTML nor links are active, whatever renders it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attnviz.experiment.lessons.reading import text_reader

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_SIGNS = re.compile(r"[\\`*_\[\]<$~]|&(?=#?\w+;)")
"""Matches markup characters in a text."""
_LINE_START = re.compile(r"^([#>+=-])|^(\d+)([.)])", re.MULTILINE)
"""Matches the beginning of a heading, a quotation or a list at the start of a line."""
_MARKUP_IN_FORMULA = re.compile(r"<(?=\S)|\](?=[(\[:])")
"""Matches parts of formulas that a renderer without formulas would take for HTML or a link; a blank after them is safe.
"""


def safe_markdown(text: str) -> str:
    """Return a text of a lesson as Markdown without HTML; a link becomes its text with the address after it."""
    from markdown_it.tree import SyntaxTreeNode  # only a handout needs it

    return _blocks(SyntaxTreeNode(text_reader().parse(text)).children)


def safe_line(text: str) -> str:
    """Return a text on one line, such as a title, likewise."""
    from markdown_it.tree import SyntaxTreeNode

    return " ".join(_inline(SyntaxTreeNode(text_reader().parseInline(text))).split())


def code(text: str) -> str:
    """Return a text as code within a line."""
    runs = re.findall("`+", text)
    fence = "`" * (max(map(len, runs), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{' '.join(text.splitlines())}{space}{fence}"


def escaped(text: str) -> str:
    """Return plain text escaped for Markdown."""
    return _SIGNS.sub(r"\\\g<0>", text)


def _blocks(nodes: "list[SyntaxTreeNode]", between: str = "\n\n") -> str:
    return between.join(map(_block, nodes))


def _block(node: "SyntaxTreeNode") -> str:
    match node.type:
        case "bullet_list" | "ordered_list":
            return "\n".join(_items(node))
        case "blockquote":
            return _indented(_blocks(node.children), "> ", "> ")
        case "fence" | "code_block":
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", node.content)), 3)
            return f"{fence}{''.join(re.findall(r'^[A-Za-z0-9]+', node.info))}\n{node.content.rstrip()}\n{fence}"
        case "math_block" | "math_block_label":
            return f"$$\n{_formula(node.content.strip())}\n$$"
        case "hr":
            return "***"
        case "heading":
            return f"{node.markup if node.markup[0] == '#' else '##'} {_inline(node)}"
    return _LINE_START.sub(lambda match: f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}", _inline(node))


def _items(node: "SyntaxTreeNode") -> Iterator[str]:
    number = int(node.attrGet("start") or 1) if node.type == "ordered_list" else None
    for item in node.children:
        mark = f"{item.markup} " if number is None else f"{number}{item.markup} "
        is_tight = any(part.hidden for part in item.children)
        yield _indented(_blocks(item.children, "\n" if is_tight else "\n\n"), mark, " " * len(mark))
        if not is_tight and item is not node.children[-1]:
            yield ""
        number = None if number is None else number + 1


def _indented(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    return "\n".join((f"{others if index else first}{line}").rstrip() for index, line in enumerate(lines))


def _inline(node: "SyntaxTreeNode") -> str:
    return "".join(map(_span, node.children))


def _span(node: "SyntaxTreeNode") -> str:
    match node.type:
        case "softbreak":
            return "\n"
        case "hardbreak":
            return "\\\n"
        case "code_inline":
            return code(node.content)
        case "em" | "strong":
            return f"{node.markup}{_inline(node)}{node.markup}"
        case "math_inline" | "math_inline_double":
            sign = "$" if node.type == "math_inline" else "$$"
            return f"{sign}{_formula(node.content)}{sign}"
        case "link":
            return f"{_inline(node)} ({escaped(str(node.attrGet('href')))})"
        case "inline":
            return _inline(node)
    return escaped(node.content)


def _formula(latex: str) -> str:
    return _MARKUP_IN_FORMULA.sub(r"\g<0> ", latex)
