"""Multi-head attention with rotary positions, RoPE (Su et al. 2021), in the layout of LLaMA."""

from dataclasses import replace
from typing import Any

from attnviz.definitions.functions.formula import Functions
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import divisors, multiples
from attnviz.definitions.mechanisms.mechanism import PRODUCT, Column, Rotation, Rule
from attnviz.definitions.mechanisms.multi_head import MULTI_HEAD

BASE = 10_000.0
"""The usual base; the longest wavelength is 2π times almost as many positions."""


def rotary_tables(torch: Any, length: int, size: int, base: float = BASE) -> Any:
    """Return the cosines and sines (length, size) of the angles of all features, in float64."""
    places = torch.arange(length, dtype=torch.float64, device="cpu")
    pairs = torch.arange(size // 2, dtype=torch.float64, device="cpu")
    angles = _angle(places[:, None], pairs, size, base).repeat(1, 2)
    return angles.cos(), angles.sin()


def _angle(place: Any, pair: Any, size: int, base: float = BASE) -> Any:
    """Return by how much a pair of features is turned at a place: i * base^(-2j / size)."""
    return place * base ** (-2.0 * pair / size)


def rotated(x: Any, cos: Any, sin: Any, xp: Functions) -> Any:
    """Return x (..., L, d) with features j and j + d / 2 of each token turned by their angle."""
    half = x.shape[-1] // 2
    return x * cos + xp["concatenate"]((-x[..., half:], x[..., :half]), -1) * sin


ROTATION = Rotation(
    angle=_angle,
    tables=rotary_tables,
    partner=lambda pair, size: pair + size // 2,
    rotated=rotated,
    rule=Rule(
        field="num_hiddens",
        code="not_in_pairs",
        text="num_hiddens {num_hiddens} does not give each of num_heads {num_heads} an even number of features, which "
        "are rotated in pairs; nearest: {nearest}",
        text_in_form="Hidden size {num_hiddens} does not give each of {num_heads} heads an even number of "
        "features; nearest: {nearest}",
        legal={
            "num_hiddens": lambda spec: multiples(2 * spec.num_heads),
            # No number of heads makes pairs of an odd hidden size, which has to change.
            "num_heads": lambda spec: None if spec.num_hiddens % 2 else divisors(spec.num_hiddens // 2),
        },
        of_sizes=False,
    ),
    latex=r"\mathbf{{R}}\mathbf{{Q}},\ \mathbf{{R}}\mathbf{{K}}:\quad (x_m{{,}}\ x_{{m+{half}}})\ "
    r"\text{{turned by}}\ (i-1)\,{base}^{{-2(m-1)/{d}}}",
    spoken="at position i features m and m + {half} are turned by (i - 1) times {base} to the power -2 (m - 1) / {d}",
    torch="rotated",
    torch_function='''\
def rotated(x):
    """Turn features j and j + size / 2 at place i by i * base^(-2j / size) (Su et al. 2021)."""
    length, size = x.shape[-2:]
    places = torch.arange(length, dtype=torch.float64)
    pairs = torch.arange(size // 2, dtype=torch.float64)
    angles = (places[:, None] * base ** (-2.0 * pairs / size)).repeat(1, 2)
    partners = torch.cat([-x[..., size // 2 :], x[..., : size // 2]], dim=-1)
    return x * angles.cos().to(x) + partners * angles.sin().to(x)''',
)
"""Feature j is paired with feature j + d / 2, as in LLaMA; the paper pairs neighbours."""
ROTARY = replace(
    MULTI_HEAD,
    name="rotary",
    title="Multi-head, rotary",
    help="Multi-head attention that rotates each query and key by its position, so that scores depend on the distance.",
    description="Rotary multi-head attention",
    knobs=(
        NumberKnob(
            name="base",
            title="Base",
            help="The slowest pairs of features turn by almost 1 / base radians per position; 10000 is usual.",
            default=BASE,
            least=1,
            greatest=1e9,
            whole=False,
        ),
    ),
    rotation=ROTATION,
    columns=(
        Column("q", lambda cell: cell.unrotated_q),
        Column("k", lambda cell: cell.unrotated_k),
        Column("R q", lambda cell: cell.q),
        Column("R k", lambda cell: cell.k),
        Column(PRODUCT, lambda cell: cell.q * cell.k),
    ),
    sum_title="Σ R q · R k",
    latex=r"(\mathbf{{R}}\mathbf{{Q}})(\mathbf{{R}}\mathbf{{K}})^\top",
    spoken="R Q times R K transposed",
    score_words="their dot product after rotation",
    # Queries and keys before the rotation, and a temporary of it.
    scratch=lambda sizes, number: (
        2 * number * sizes["batch_size"] * (sizes["num_queries"] + sizes["num_kvpairs"]) * sizes["num_hiddens"]
    ),
    class_name="RotaryAttention",
    docstring="Multi-head attention whose queries and keys are rotated by their places.",
    docstring_of_one_head="One head, whose queries and keys are rotated by their places.",
)
