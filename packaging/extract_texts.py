#!/usr/bin/env python3
"""Write every text of attnviz that is shown into resources/translations/attnviz.ts, the form of Qt Linguist.

The sources are read, not run. A text is a literal given to `tr` or to a parameter, field or variable of the type
`English` (see `attnviz.definitions.text`), or words of LaTeX, its ``\\text{...}``. What is put together before it is
shown cannot be translated: an error.
Each text is there once, in the context of the folder that has all its uses; an ending "; nearest: ..." is a
text of its own (see `attnviz.definitions.text.parts_of`). With ``--check`` nothing is written.
"""

import ast
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "resources/translations/attnviz.ts"
_OF_RESOURCES = ("Preset",)
"""The records whose texts are in files of resources."""
_RUN_THROUGH = ("enumerate", "sorted", "tuple", "list", "zip", "reversed", "dict")
_MARK = re.compile(r"\b(?:English|Text|One)\b")
_OF_LIBRARIES = {"tr": (0,), "PydanticCustomError": (1,), "Field": ("title", "description")}
"""The arguments of functions of others that are texts."""
_WORD = re.compile(r"[^\W\d_]")
_PLACE = re.compile(r"\{[^{}]*\}")
_IN_FORMULAS = re.compile(r"\\text\{+([^{}]+)\}")
"""The words of LaTeX, which `attnviz.gui.widgets.formula_view` translates."""


def marked(annotation: ast.expr | None) -> set[str]:
    """Return which marks an annotation has: "English", "Text"."""
    return set() if annotation is None else set(_MARK.findall(ast.unparse(annotation)))


Marks = dict[int | str, set[str]]
"""The marks of the arguments of a function, by place and name."""


@dataclass
class Signatures:
    """What all sources say of the types of names."""

    arguments: dict[str, Marks] = field(default_factory=dict)
    """Of functions and classes by their module and name, of methods by their name alone."""
    names: dict[str, set[str]] = field(default_factory=dict)
    """The marks of fields, variables, and of what functions return, in whatever module."""
    doubtful: set[str] = field(default_factory=set)
    """The methods that take a text in one class and something else in another: a call of one need not give a text."""
    bases: dict[str, list[str]] = field(default_factory=dict)
    homes: dict[str, dict[str, str]] = field(default_factory=dict)
    """By module: where each of its names is from."""

    def read(self, module: str, tree: ast.Module) -> None:
        """Note the annotations of a source."""
        homes = self.homes[module] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                homes |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
            elif isinstance(node, ast.AnnAssign):
                self._add(name_of(node.target), marked(node.annotation))
            elif isinstance(node, ast.FunctionDef):
                self._add(node.name, marked(node.returns))
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                homes[node.name] = f"{module}.{node.name}"
            if isinstance(node, ast.FunctionDef):
                self.arguments[homes[node.name]] = _marks(_parameters(node))
            elif isinstance(node, ast.ClassDef):
                self._read_class(homes[node.name], node, homes)

    def _read_class(self, place: str, node: ast.ClassDef, homes: dict[str, str]) -> None:
        self.bases[place] = [homes[name_of(base)] for base in node.bases if name_of(base) in homes]
        fields = [(name_of(each.target), each.annotation) for each in node.body if isinstance(each, ast.AnnAssign)]
        if fields:
            self.arguments[place] = _marks(fields)
        for each in node.body:
            if isinstance(each, ast.FunctionDef):
                marks = _marks(_parameters(each)[1:])
                self.arguments[place if each.name == "__init__" else f"{place}.{each.name}"] = marks
                if self.arguments.setdefault(each.name, marks) != marks:
                    self.doubtful.add(each.name)
                    self.arguments[each.name] = self.arguments[each.name] | marks

    def _add(self, name: str, marks: set[str]) -> None:
        if marks:
            self.names[name] = self.names.get(name, set()) | marks

    def arguments_of(self, module: str, function: ast.expr) -> Marks:
        """Return the marks of a function's or class's arguments; a class without its own has those of its bases."""
        name = name_of(function)
        if name in _OF_LIBRARIES:
            return {each: {"English"} for each in _OF_LIBRARIES[name]}
        home = self.homes[module].get(name_of(function.value if isinstance(function, ast.Attribute) else function), "")
        if not isinstance(function, ast.Attribute):
            return self._of(home)
        return self.arguments.get(f"{home}.{name}", {}) if home in self.bases else self.arguments.get(name, {})

    def _of(self, place: str) -> Marks:
        if place in self.arguments:
            return self.arguments[place]
        return next((found for base in self.bases.get(place, ()) if (found := self._of(base))), {})


def _marks(parameters: list[tuple[str, ast.expr | None]]) -> Marks:
    return {key: marked(of) for place, (own, of) in enumerate(parameters) for key in (place, own) if marked(of)}


def _parameters(function: ast.FunctionDef) -> list[tuple[str, ast.expr | None]]:
    of = function.args
    return [(each.arg, each.annotation) for each in (*of.posonlyargs, *of.args, *of.kwonlyargs)]


def name_of(node: ast.expr) -> str:
    """Return the last name of an expression such as ``a.b`` or ``b``; empty for any other."""
    if isinstance(node, ast.Subscript):
        return name_of(node.value)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


Bound = dict[str, list[ast.expr | None]]
"""What each name may be: expressions; None is something that is marked as a text."""


class Source:
    """One source: its texts, and what cannot be translated in it."""

    def __init__(self, path: Path, module: str, tree: ast.Module, signatures: Signatures) -> None:
        self.path, self._module, self._signatures = path, module, signatures
        self.texts: dict[str, str | None] = {}
        """Each with its form for one; None: it has no forms for numbers."""
        self.problems: list[str] = []
        self._outer = _assigned(tree.body)
        self._visit(tree, {})

    def _visit(self, node: ast.AST, local: Bound) -> None:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            local = {**local, **_locals(node)}
        if isinstance(node, ast.FunctionDef):
            for each, default in _defaults(node):
                if "English" in marked(each.annotation):
                    self._take(default, local)
        if isinstance(node, ast.FunctionDef) and "English" in marked(node.returns):
            for each in ast.walk(node):
                if isinstance(each, ast.Return):
                    self._take(each.value, local)
        if isinstance(node, ast.AnnAssign) and "English" in marked(node.annotation) and node.value is not None:
            self._take_all(node.value, local)
        if isinstance(node, ast.Call):
            self._take_arguments(node, local)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for words in _IN_FORMULAS.findall(node.value):
                self.texts.setdefault(words, None)
        for child in ast.iter_child_nodes(node):
            self._visit(child, local)

    def _take_arguments(self, call: ast.Call, local: Bound) -> None:
        name = name_of(call.func)
        if name == "translate" and isinstance(call.func, ast.Attribute) and name_of(call.func.value) != "words":
            return  # of a painter
        marks = {} if name in _OF_RESOURCES else self._signatures.arguments_of(self._module, call.func)
        if name == "replace":  # of a record, perhaps
            for each in call.keywords:
                if "English" in self._signatures.names.get(each.arg or "", ()):
                    self._is_known(each.value, local, frozenset())
        given: dict[int | str, ast.expr] = dict(enumerate(call.args))
        for each in call.keywords:
            spread = self._outer.get(name_of(each.value), []) if each.arg is None else []
            tables = [table for table in spread if isinstance(table, ast.Dict)]
            given |= {str(getattr(key, "value", "")): value for table in tables for key, value in _items(table)}
            given |= {each.arg: each.value} if each.arg else {}
        for key, of in marks.items():
            many, one = given.get(0), given.get(key)
            if "One" in of and isinstance(many, ast.Constant) and isinstance(one, ast.Constant):
                self.texts[str(many.value)] = str(one.value)
            is_known = key not in given or "English" not in of or self._is_known(given[key], local, frozenset())
            if not is_known and (isinstance(call.func, ast.Name) or name not in self._signatures.doubtful):
                self._refuse(given[key])

    def _take_all(self, value: ast.expr, local: Bound) -> None:
        """Take the texts of a table: the values of a dict, the entries of a tuple."""
        match value:
            case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._take_all(part, local)
            case ast.Call():
                pass
            case _:
                self._take(value, local)

    def _take(self, value: ast.expr | None, local: Bound) -> None:
        if value is not None and not self._is_known(value, local, frozenset()):
            self._refuse(value)

    def _refuse(self, value: ast.expr) -> None:
        self.problems.append(f"{self.path.relative_to(ROOT)}:{value.lineno}: {ast.unparse(value)[:90]}")

    def _is_known(self, value: ast.expr | None, local: Bound, seen: frozenset[str]) -> bool:
        """Take the literals of an expression; return whether it can be nothing but texts that are known."""
        names = self._signatures.names
        match value:
            case None | ast.Constant(value=None):
                return True
            case ast.Constant(value=str(text)):
                self.texts.setdefault(text, None)
                return True
            case ast.Name(id=name):
                bound = local.get(name, self._outer.get(name))
                return name in seen or (
                    name in names if bound is None else self._are_known(bound, local, seen | {name})
                )
            case ast.Attribute(attr=name):
                return name in names
            case ast.ListComp(elt=inner) | ast.GeneratorExp(elt=inner):
                return self._is_known(inner, {**local, **_assigned([ast.Expr(value)])}, seen)
            case ast.Call(func=ast.Attribute(value=inner, attr="get" | "values" | "items"), args=parts):
                return self._are_known([inner, *parts[1:]], local, seen)
            case ast.Call(func=ast.Name(id=name), args=parts) if name in _RUN_THROUGH:
                return self._are_known(parts, local, seen)
            case ast.Call(func=function):
                return name_of(function) in (*names, "Text")
        parts = [part for name in _PARTS.get(type(value), ()) for part in _listed(getattr(value, name))]
        return bool(parts) and self._are_known(parts, local, seen)

    def _are_known(self, parts: Sequence[ast.expr | None], local: Bound, seen: frozenset[str]) -> bool:
        known = [self._is_known(part, local, seen) for part in parts]  # all of them, since each may have texts
        return all(known)


_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.IfExp: ("body", "orelse"),
    ast.BoolOp: ("values",),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
    ast.Dict: ("values",),
    ast.DictComp: ("value",),
    ast.Starred: ("value",),
    ast.NamedExpr: ("value",),
    ast.Subscript: ("value",),
}
"""The parts of an expression that it can evaluate to, or run through."""


def _items(table: ast.Dict) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    return zip(table.keys, table.values, strict=True)


def _listed(value: ast.expr | list[ast.expr]) -> list[ast.expr]:
    return value if isinstance(value, list) else [value]


def _locals(function: ast.FunctionDef | ast.Lambda) -> Bound:
    """Return what each name of a function may be; None is a parameter that is marked as a text."""
    of = function.args
    found: Bound = {}
    for each in (*of.posonlyargs, *of.args, *of.kwonlyargs):
        found[each.arg] = [None] if marked(each.annotation) else [ast.Set(elts=[])]
    if isinstance(function, ast.FunctionDef):
        for name, values in _assigned(function.body).items():
            found.setdefault(name, []).extend(values)
    return found


def _defaults(function: ast.FunctionDef) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    of = function.args
    placed = [*of.posonlyargs, *of.args]
    yield from zip(placed[len(placed) - len(of.defaults) :], of.defaults, strict=True)
    yield from zip(of.kwonlyargs, of.kw_defaults, strict=True)


def _assigned(body: Sequence[ast.stmt]) -> Bound:
    """Return the names that statements assign, each with its value, or with what a loop over it runs through."""
    found: Bound = {}
    for node in (inner for statement in body for inner in ast.walk(statement)):
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = [(node.target, node.value)]
            if marked(node.annotation):
                found.setdefault(name_of(node.target), []).append(None)
                continue
        elif isinstance(node, ast.NamedExpr):
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.For | ast.comprehension):
            pairs = [(node.target, node.iter)]
        for target, value in pairs:
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
            values = (
                value.elts
                if isinstance(value, ast.Tuple) and len(value.elts) == len(targets)
                else [value] * len(targets)
            )
            for each, part in zip(targets, values, strict=True):
                found.setdefault(name_of(each), []).append(part)
    return found


def sources() -> list[Source]:
    """Read the package."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "attnviz").rglob("*.py"))}
    modules = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in trees}
    signatures = Signatures()
    for path, tree in trees.items():
        signatures.read(modules[path], tree)
    return [Source(path, modules[path], tree, signatures) for path, tree in trees.items()]


def _parts(text: str) -> list[str]:
    at = text.find("; nearest")
    return [text[:at], text[at:]] if at > 0 else [text]


def catalogue(read: list[Source]) -> str:
    """Return the catalogue of all texts as Qt Linguist reads it."""
    places: dict[str, str] = {}
    forms: dict[str, str] = {}
    found = [
        (source.path.parent, part, one)
        for source in read
        for text, one in source.texts.items()
        for part in _parts(text)
    ]
    for path in sorted((ROOT / "resources/presets").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        found += [(path.parent, document[name], None) for name in ("chapter", "title", "about")]
    for folder, text, one in found:
        if not _WORD.search(_PLACE.sub("", text)):
            continue
        context = folder.relative_to(ROOT).as_posix()
        places[text] = os.path.commonpath([places[text], context]) if text in places else context
        forms |= {text: one} if one is not None else {}
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", '<TS version="2.1" sourcelanguage="en">']
    for context in sorted(set(places.values())):
        lines += ["<context>", f"    <name>{context or 'attnviz'}</name>"]
        for text in sorted(each for each, place in places.items() if place == context):
            numerus = ' numerus="yes"' if text in forms else ""
            lines += [f"    <message{numerus}>", f"        <source>{escape(text)}</source>"]
            if text in forms:
                lines.append(f"        <extracomment>one: {escape(forms[text])}</extracomment>")
                lines.append('        <translation type="unfinished"><numerusform></numerusform></translation>')
            else:
                lines.append('        <translation type="unfinished"></translation>')
            lines.append("    </message>")
        lines.append("</context>")
    return "\n".join([*lines, "</TS>", ""])


def main() -> int:
    """Write the catalogue, or check it; return the exit code."""
    read = sources()
    problems = [problem for source in read for problem in source.problems]
    for problem in problems:
        print(f"{problem}: is no text that can be translated; give a literal, or mark its type as English")
    text = catalogue(read)
    if "--check" not in sys.argv:
        CATALOGUE.parent.mkdir(exist_ok=True)
        CATALOGUE.write_text(text, encoding="utf-8")
    elif not CATALOGUE.is_file() or CATALOGUE.read_text(encoding="utf-8") != text:
        problems.append("")
        print(f"{CATALOGUE.relative_to(ROOT)} is not of these sources; run packaging/extract_texts.py")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
