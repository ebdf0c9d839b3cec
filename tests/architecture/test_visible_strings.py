"""Every word on the screen can be said in another language."""

import ast
import re
from collections.abc import Iterator

import pytest
from source_tree import GUI_FILES, called, name_of, tree_of

# Which calls show a text, and which of their arguments are it; None is all of them.
SHOWN: dict[str, tuple[int, ...] | None] = {
    **dict.fromkeys(
        ("QLabel", "QPushButton", "QCheckBox", "QRadioButton", "QGroupBox", "QAction", "QMenu", "QMessageBox")
    ),
    **dict.fromkeys(("setText", "setToolTip", "setStatusTip", "setWhatsThis", "setAccessibleName", "setPlainText")),
    **dict.fromkeys(("setAccessibleDescription", "setWindowTitle", "setPlaceholderText", "setSpecialValueText")),
    **dict.fromkeys(("setPrefix", "setSuffix", "setTitle", "setHtml", "addItems", "addTab", "addMenu", "addAction")),
    **dict.fromkeys(("drawText", "showMessage", "say", "addRow", "setLabel")),
    "addItem": (0, 1),
    "insertItem": (1, 2),
    "setItemData": (1,),
    "append": (0,),  # the lines of a text are gathered before it is shown
}
TRANSLATE = ("tr", "translate", "title_of")
NO_WORDS = ("attnviz", "-", "...")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKUP = re.compile(r"&\w+;|<[^>]*>")


def words_in(node: ast.expr) -> Iterator[str]:
    """Yield the literal words of what an expression can evaluate to, but for those that are translated."""
    match node:
        case ast.Constant(value=str(text)):
            yield from [text] if _WORD.search(_MARKUP.sub(" ", text)) and text not in NO_WORDS else []
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from (word for part in parts for word in words_in(part))
        case ast.FormattedValue(value=inner) | ast.NamedExpr(value=inner):
            yield from words_in(inner)
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from (*words_in(one), *words_in(other))
        case ast.Call(func=ast.Attribute(value=text, attr="format" | "join"), args=arguments):
            yield from (word for part in (text, *arguments) for word in words_in(part))


def untranslated(tree: ast.AST) -> list[str]:
    """Return the words that a tree shows in English whatever the language."""
    found = []
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and called(call) in SHOWN and called(call) not in TRANSLATE:
            places = SHOWN[called(call)]
            arguments = call.args if places is None else [call.args[at] for at in places if at < len(call.args)]
            if called(call) == "addItem" and arguments and not isinstance(arguments[0], ast.Name | ast.Attribute):
                arguments = arguments[:1]  # (text, data) or (icon, text)
            keywords = [each_.value for each_ in call.keywords if each_.arg in ("text", "title")]
            found += [f"line {call.lineno}: {word}" for part in (*arguments, *keywords) for word in words_in(part)]
    return found


def test_that_no_word_is_shown_untranslated() -> None:
    found = {name_of(path): untranslated(tree_of(path)) for path in GUI_FILES}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "source",
    [
        "QLabel('Heads')",
        "label.setText('Heads')",
        "label.setText(f'{count} heads')",
        "label.setText('heads' if many else self.tr('head'))",
        "label.setText(self.tr('head') + ' heads')",
        "label.setText('{0} heads'.format(3))",
        "label.setText(', '.join([self.tr('one'), 'two']))",
        "label.setToolTip(text or 'Nothing')",
        "box.addItem('Auto', 'auto')",
        "form.addRow('Heads', box)",
        "self.setWindowTitle('attnviz: ' + name)",
        "painter.drawText(rect, flags, '注意')",
        "QAction(text='Undo')",
    ],
)
def test_that_a_bare_word_is_seen(source: str) -> None:
    assert len(untranslated(ast.parse(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "QLabel()",
        "QLabel(self.tr('Heads'))",
        "label.setText(translate(title))",
        "label.setText(title_of('gaussian'))",
        "label.setText(self.tr('{0} heads').format(3))",
        "label.setText(f'{x:.4g}')",
        "label.setText('      '.join(parts))",
        "label.setText('-')",
        "label.setText('&nbsp;'.join(parts) + '<br/>')",
        "self.setWindowTitle('attnviz')",
        "box.addItem(self.tr('Auto'), 'auto')",
        "painter.drawText(rect, f'Σ {x:.3f}')",
        "widget.setObjectName('notice')",
        "label.setText(texts['key'])",
    ],
)
def test_that_what_is_translated_or_no_word_is_let_pass(source: str) -> None:
    assert untranslated(ast.parse(source)) == []
