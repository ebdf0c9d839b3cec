"""What the tests of the maths share: seeded draws, five ways to say which keys count, and the textbook's data."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

BOOK = Path(__file__).parents[2] / "resources" / "data" / "kernel_regression_book.json"


@pytest.fixture(scope="session")
def normal() -> Callable[..., Tensor]:
    """normal(seed, *shape, dtype=float64): standard normal draws that hang on the seed alone."""

    def draw(seed: int, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
        generator = torch.Generator().manual_seed(seed)
        return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)

    return draw


@pytest.fixture(scope="module", params=["none", "lens", "lens per query", "causal", "lens and causal"])
def masks(request: pytest.FixtureRequest) -> Callable[..., SimpleNamespace]:
    """masks(seed, batch, queries, keys): lens and mask as a caller passes them, and `allowed`, cell by cell.

    `allowed` (batch, queries, keys) is written from the definition, without the masking under test. No length is
    below `shortest`.
    """
    kind: str = request.param

    def draw(seed: int, batch: int, queries: int, keys: int, shortest: int = 1) -> SimpleNamespace:
        rng = random.Random(seed)
        per_query = kind == "lens per query"
        rows = [[rng.randint(shortest, keys) for _ in range(queries)] for _ in range(batch)]
        if not per_query:
            rows = [[row[0]] * queries for row in rows]
        has_lens, causal = "lens" in kind, "causal" in kind
        cells = [
            [[(not has_lens or k < rows[b][q]) and (not causal or k <= q) for k in range(keys)] for q in range(queries)]
            for b in range(batch)
        ]
        triangle = torch.tensor([[k <= q for k in range(keys)] for q in range(queries)])
        lens = torch.tensor(rows if per_query else [row[0] for row in rows])
        return SimpleNamespace(
            lens=lens if has_lens else None, mask=triangle if causal else None, allowed=torch.tensor(cells)
        )

    return draw


@pytest.fixture(scope="session")
def book() -> SimpleNamespace:
    """The notebook's kernel-regression samples and the predictions printed for them, as float64 tensors."""
    data = json.loads(BOOK.read_text(encoding="utf-8"))
    return SimpleNamespace(
        **{name: torch.tensor(value, dtype=torch.float64) for name, value in data.items() if name != "about"}
    )
