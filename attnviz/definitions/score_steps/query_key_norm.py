"""A norm of queries and keys (Henry et al. 2020, "Query-Key Normalization for Transformers"; Dehghani et al. 2023).

It is the root mean square of Qwen 3, Gemma 3 and OLMo 2, without their learned gains.
"""

from attnviz.definitions.score_steps.step import ScoreStep, StepStage

_EPSILON = 1e-6

QUERY_KEY_NORM = ScoreStep(
    name="query_key_norm",
    title="Query-key norm",
    help="Each query and key of a head is divided by its root mean square, so that no long vector alone makes a score "
    "large.",
    does="vectors",
    line="after the norm",
    amount=lambda spec, place, xp: _EPSILON,
    apply=lambda x, epsilon, xp: x / xp["sqrt"]((x * x).mean(axis=-1, keepdims=True) + epsilon),
    numbers=lambda spec, place: {"d": place.d},
    latex=r"{x} / \sqrt{{|{x}|^2 / {d} + 10^{{-6}}}}",
    spoken=", each vector over its root mean square",
    torch="normed",
    torch_function='''\
def normed(x):
    """Return each vector over its root mean square (Henry et al. 2020; Dehghani et al. 2023)."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return ({code}).to(x)''',
    stage=StepStage(
        name="norm",
        title="norm",
        before="unnormed",
        of_cell="{query} and {key} are divided by their root mean square: lengths {before} and {key_before} become "
        "{after} and {key_after}.",
        of_row="{query} is divided by the root mean square of its features: its length of {before} becomes {after}.",
    ),
    copies=3,
)
