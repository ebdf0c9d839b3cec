"""Lessons as files: their expressions, their parts, and what is refused, with its line."""

import contextlib
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS
from attnviz.experiment.lessons.expression import ExpressionError, evaluate, filled, holds, names_in
from attnviz.experiment.lessons.lesson import PredictionQuestion, Verdict, judged, values_of
from attnviz.experiment.lessons.reading import (
    LessonError,
    fill,
    lesson_and_errors,
    lesson_named,
    lesson_names,
    lesson_of,
    translations,
)

WEIGHTS = np.array([[0.25, 0.75], [1.0, 0.0]])
VALUES = {"weights": WEIGHTS, "valid_lens": [2, 3], "task": {"kind": "copy"}, "causal": True, "window": None}
LESSON = """# Short

About it.

```attnviz
{"minutes": 3}
```

## One

There are {num_heads} heads.

```attnviz
{"spec": {"lab": "attention", "mechanism": "multi_head", "num_heads": 4, "num_hiddens": 8}, "view": {"head": 2}}
```

### Notes

Wait.

## Two

```attnviz
{"spec": {"causal": true},
 "predict": {"choices": ["causal", "not causal"]},
 "do": {"until": "num_heads == 2", "answer": {"spec": {"num_heads": 2}}}}
```

### Predict

Is it?

1. yes
2. no

   Because it is.

### Do

Two heads.
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("weights[0, 1] > 0.7", True),
        ("valid_lens == [2, 3] and causal", True),
        ("valid_lens[0] * 2 - 1", 3),
        ("task.kind != 'copy'", False),
        ("max(weights)", 1.0),
        ("0.2 < weights[0, 0] < 0.3", True),
        ("'cop' in task.kind or 5 in valid_lens", True),
        ("window == None", True),
        ("all(sum(weights, 1) == 1)", True),
        ("not causal", False),
    ],
)
def test_that_an_expression_has_the_value_worked_out_by_hand(text: str, value: object) -> None:
    assert evaluate(text, VALUES) == value


@pytest.mark.parametrize(
    "text",
    [
        *("__import__('os')", "open('x')", "(lambda: 1)()", "[x for x in weights]", "weights.tolist()", "f'{causal}'"),
        *("weights", "weights > 0.5", "wieghts[0, 0]", "weights[2, 0]", "weights[0", "", "1 +", "causal if 1 else 2"),
        *("'a' * 1000000000 == 1", "sum()", "max(1, 2, 3)", "1 // 0", "exp(task)", "x := 3", "9" * 500),
    ],
)
def test_that_what_is_no_condition_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        holds(text, VALUES)
    assert "\n" not in str(refused.value)
    assert judged(text, VALUES) is Verdict.CANNOT_TELL


@given(st.text(alphabet="weights[]0,1.:()<>=+-*/ andort'\"{}", max_size=40))
def test_that_any_text_has_a_value_or_is_refused(text: str) -> None:
    for function in (evaluate, filled):
        with contextlib.suppress(ExpressionError):
            function(text, VALUES)


@pytest.mark.parametrize(
    "text",
    ["a[:, None, None] * a[:, None] * a", "a[:, None] @ a[None] @ a[:, None] @ a[None]", "[" + "b," * 99 + "b] + 1"],
)
def test_that_an_expression_that_would_fill_the_memory_is_refused(text: str) -> None:
    values = {"a": np.broadcast_to(np.float32(1), (40_000,)), "b": np.broadcast_to(np.float32(1), (1 << 20,))}
    with pytest.raises(ExpressionError, match="the limit is 67108864"):
        evaluate(text, values)


def test_that_numbers_in_a_text_are_those_of_the_run_and_formulas_keep_their_braces() -> None:
    text = (
        r"{weights[0, 1]:.2f} of $\sqrt{d}$, `{a}`, {{x}}, {valid_lens[1]}, {weights[0, 0]:.0%}, {-weights[0, 0]:.1f}"
    )
    assert fill("{1 - weights[0, 0] / 1e6:.0%}, {weights[0, 0] / 1e6:.0%}", VALUES) == "> 99.9 %, < 0.1 %"
    assert fill(text, VALUES) == r"0.75 of $\sqrt{d}$, `{a}`, {x}, 3, 25 %, −0.2"


def test_that_names_of_an_expression_are_found_without_its_functions() -> None:
    assert names_in("max(weights[0, head]) > mean(loss)") == {"weights", "head", "loss"}


def test_that_no_name_of_a_lab_means_two_things() -> None:
    for lab in LABS.values():
        assert not {"lab"} ^ (set(lab.spec_type.model_fields) & set(lab.view_type.model_fields)), lab.name


def test_that_a_step_has_the_spec_of_the_one_before_with_its_changes() -> None:
    lesson = lesson_of(LESSON, "07-short")
    one, two = lesson.steps
    assert (lesson.number, lesson.title, lesson.about, lesson.head.minutes) == (7, "Short", "About it.", 3)
    assert (one.spec.num_heads, one.spec.causal, one.view.head, one.notes) == (4, False, 2, "Wait.")
    assert (two.spec.num_heads, two.spec.causal, two.view.head, two.task) == (4, True, 2, "Two heads.")
    assert [(choice.text, choice.why) for choice in two.choices] == [("yes", ""), ("no", "Because it is.")]
    assert two.question == "Is it?"
    assert two.solved is not None
    assert two.solved.spec == two.spec.model_copy(update={"num_heads": 2})
    assert two.block.predict is not None
    assert two.block.predict.right_choice(values_of(two.spec, two.view, None)) == 0


def test_that_a_step_can_begin_from_each_preset() -> None:
    for name, preset in presets().items():
        lesson = lesson_of(f'# A\n## B\n```attnviz\n{{"preset": "{name}"}}\n```\n')
        assert lesson.steps[0].spec == preset.spec
        assert lesson.steps[0].view == preset.session.shown_view


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("no title", 1, "begins with its title"),
        ("# A\n\ntext\n", 1, "1 to 60 steps"),
        ("# A\n## B\n\n```attnviz\n{'a': 1}\n```", 5, "not JSON"),
        ('# A\n## B\n\n```attnviz\n{"spce": {}}\n```', 4, "nearest: spec"),
        ('# A\n## B\n```attnviz\n{"spec": {"num_heads": 0}}\n```', 3, "num_heads 0 must be at least 1"),
        ('# A\n## B\n```attnviz\n{"view": {"stage": "wieghts"}}\n```', 3, "weights"),
        ('# A\n## B\n```attnviz\n{"preset": "causal-sentense"}\n```', 3, "nearest: causal-sentence"),
        ("# A\n## B\n### Predicts\nx", 3, "nearest: Predict"),
        ("# A\n## B\n### Do\nx", 2, "in neither"),
        ('# A\n## B\n```attnviz\n{"do": {"until": "a b", "answer": {}}}\n```\n### Do\nx', 3, "not an expression"),
        ('# A\n## B\n```attnviz\n{"predict": {"choices": ["causal"]}}\n```', 3, "nearest: 2 choices"),
        ('# A\n## B\n```attnviz\n{"predict": {}}\n```', 3, "a prediction has"),
        ('# A\n## B\n```attnviz\n{"look": {"key": 1}}\n```', 3, "needs its query"),
        ('# A\n## B\n```attnviz\n{"view": {}, "view": {}}\n```', 3, "given twice"),
        ("# A\n## B\n{num_heads\n", 2, "brace is left open"),
        ("# A\n## B\n```attnviz\n{}\n```\n```attnviz\n{}\n```", 6, "its second"),
        ("# A\n## B\n### Hint\na\n### Hint\nb", 5, "two parts"),
        ("# A\n# B", 2, "one title"),
    ],
)
def test_that_a_wrong_file_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(LessonError) as refused:
        lesson_of(text)
    assert str(refused.value).startswith(f"line {line}: ")
    assert words in str(refused.value)


def test_that_every_line_of_a_lesson_can_be_lost_without_a_traceback() -> None:
    lines = LESSON.splitlines()
    for first, last in itertools.combinations(range(len(lines)), 2):
        with contextlib.suppress(LessonError):
            lesson_of("\n".join(lines[:first] + lines[last:]))


def test_that_a_number_is_right_within_its_margin_and_one_choice_alone_is_right() -> None:
    near = PredictionQuestion(number="weights[0, 0]", within=0.05)
    assert [near.is_right(guess, VALUES) for guess in (0.2, 0.3, 0.31, 0.19)] == [True, True, False, False]
    with pytest.raises(ExpressionError, match="2 of the choices are right"):
        PredictionQuestion(choices=("causal", "1 == 1")).right_choice(VALUES)
    marked = PredictionQuestion(cells="weights == 0")
    assert marked.true_cells(VALUES).tolist() == [[False, False], [False, True]]


@pytest.mark.parametrize("name", lesson_names())
def test_that_a_lecturer_has_something_to_say_at_every_step(name: str) -> None:
    lessons = [lesson_named(name, language) for language in ("", *translations(name))]
    assert [(each.title, step.number) for each in lessons for step in each.steps if not step.notes] == []


MANY = """# A

## One {wrong

{1 +} and {num_heads:.2x}

```attnviz
{"preset": "causal-sentense", "do": {"until": "a b", "answer": {}}}
```

### Predicts

x

## Two

Goes on from the step before: {2 **}

## Three {num_heads}

{num_hiddens}

```attnviz
{"preset": "causal-sentence", "seed": 1, "spec": 3}
```

## Four

```attnviz
{"preset": "masked-softmax-book"}
```
"""


def test_that_every_error_of_a_file_is_found_and_the_sound_steps_are_read() -> None:
    lesson, errors = lesson_and_errors(MANY)
    assert [step.title for step in lesson.steps] == ["Four"]
    assert lesson.steps[0].number == 4
    wanted = [
        (3, "left open in 'One {wrong'"),
        (3, "'1 +' is not an expression"),
        (3, "'.2x' is not a number format; nearest: .2f"),
        (3, "the part Do is in the text and in the block"),
        (7, "nearest: causal-sentence"),
        (7, "'a b' is not an expression"),
        (11, "not 'Predicts'; nearest: Predict"),
        (15, "'2 **' is not an expression"),
        (23, "'seed'"),
        (23, "spec 3 must be"),
    ]
    assert len(errors) == len(wanted), [str(error) for error in errors]
    for line, words in wanted:
        assert any(error.line == line and words in str(error) for error in errors), (line, words)
