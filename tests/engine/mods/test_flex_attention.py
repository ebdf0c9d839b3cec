"""Outputs with users' functions, and with those of attention-gym as they are, against torch's ``flex_attention``."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import own_mods
import pytest
import torch
from flex_reference import ours, tensors, torchs
from own_files import own
from torch.nn.attention.flex_attention import create_mask

from attnviz.engine.attention.mods.process import listed, mask_of

SOURCE = Path(own_mods.__file__).read_text(encoding="utf-8")


def by_name(name: str | None) -> Any:
    return eval(name, vars(own_mods)) if name else None


@pytest.mark.parametrize(
    ("mask_mod", "score_mod"),
    [*((name, None) for name in own_mods.MASKS), *((None, name) for name in own_mods.SCORES), ("padding", "relative")],
)
def test_that_outputs_are_those_of_flex_attention(mask_mod: str | None, score_mod: str | None) -> None:
    of = tensors(2, 4, 12, 12)
    found = ours(of, own(SOURCE, mask_mod, score_mod))
    expected = torchs(of, by_name(mask_mod), by_name(score_mod))
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


def test_that_outputs_in_double_precision_are_those_of_flex_attention() -> None:
    of = tensors(2, 4, 12, 12, torch.float64)
    found = ours(of, own(SOURCE, "packed", "relative"))
    torch.testing.assert_close(found, torchs(of, by_name("packed"), by_name("relative")), rtol=0, atol=1e-12)


SMALL = 2, 4, 12, 12
FRAMES = "prompt_length=2, num_frames=5, token_per_frame=2"
GYM = {
    "masks.causal": {"causal_mask": SMALL},
    "masks.sliding_window": {"generate_sliding_window(4)": SMALL},
    "masks.dilated_sliding_window": {"generate_dilated_sliding_window(6, 2)": SMALL},
    "masks.prefix_lm": {"generate_prefix_lm_mask(5)": SMALL},
    "masks.block_diffusion": {"generate_block_diffusion_mask(8, 2)": (2, 4, 16, 16)},
    "masks.natten": {
        "generate_natten(4, 4, 3, 3)": (2, 4, 16, 16),
        "generate_tiled_natten(4, 4, 3, 3, 2, 2)": (2, 4, 16, 16),
        "generate_morton_natten(4, 4, 3, 3)": (2, 4, 16, 16),
    },
    "masks.sta": {
        "generate_sta_mask_mod_2d((6, 6), (6, 2), (2, 2))": (1, 2, 36, 36),
        "generate_sta_mask_mod_3d((2, 4, 4), (1, 4, 2), (1, 2, 2))": (1, 2, 32, 32),
    },
    "masks.svg": {
        f"generate_spatial_head_mask_mod({FRAMES}, width=1, round_width=2)": SMALL,
        f"generate_temporal_head_mask_mod({FRAMES}, width=1)": SMALL,
    },
    "masks.jetspec": {"generate_jetspec_training_mask_mod(4, 2)": (2, 4, 8, 12)},
    "mods.activation": {"generate_activation_score_mod()": SMALL},
    "mods.alibi": {"generate_alibi_bias(4)": SMALL},
    "mods.sandwich": {"generate_sandwich_bias(4, 12)": SMALL},
    "mods.softcapping": {"generate_tanh_softcap(2)": SMALL, "generate_tanh_softcap(3, approx=True)": SMALL},
}
"""By module of attn_gym: the functions that literals make, with B, h, Q, K."""
WITH_TENSORS = """
import torch
from attn_gym.masks import *
from attn_gym.masks import causal_mask
from attn_gym.masks.batchify import batchify_mask_mod
from attn_gym.masks.document_mask import *
from attn_gym.masks.flamingo import generate_vision_cross_attention_mask_mod
from attn_gym.masks.global_sliding_window import generate_global_sliding_window
from attn_gym.masks.jetspec import build_tree_ancestor_matrix, generate_jetspec_tree_causal_mask_mod
from attn_gym.masks.shared_prefix import generate_shared_prefix_mask_mod
from attn_gym.masks.vsa import generate_vsa_mask_mod, generate_vsa_padding_mask_mod
from attn_gym.mods import *
from attn_gym.mods.graphormer import *

offsets = length_to_offsets([3, 2, 2, 2, 3], "cpu")
batched = batchify_mask_mod(causal_mask, 4)
documents = generate_doc_mask_mod(causal_mask, offsets)
packed = generate_packed_causal_doc_mask_mod(offsets)
vision = generate_vision_cross_attention_mask_mod(torch.tensor([[0, 5], [5, 12]]), 6)
longformer = generate_global_sliding_window(2, torch.arange(12) % 5 == 0)
parents = [-1, 0, 1, 1, 3, 3, 0, 2, 2, 5, 9, 9]
tree = generate_jetspec_tree_causal_mask_mod(0, build_tree_ancestor_matrix(parents, "cpu"))
shared = generate_shared_prefix_mask_mod(offsets, torch.tensor([0, 0, 0, 3, 3]))
tiles = torch.randint(0, 3, (2, 4, 3, 2), generator=torch.Generator().manual_seed(0))
vsa = generate_vsa_mask_mod(tiles, 4)
vsa_sizes = generate_vsa_mask_mod(tiles, 4, torch.tensor([4, 3, 2]))
vsa_padding = generate_vsa_padding_mask_mod(torch.tensor([4, 3, 2]), 4)

graph = torch.rand(2, 12, 12, generator=torch.Generator().manual_seed(1)) < 0.3
spatial = generate_graphormer_spatial_bias(torch.randn(4, 6).requires_grad_(), shortest_path_distances(graph, 4))
kinds = torch.randint(0, 3, (2, 12, 12), generator=torch.Generator().manual_seed(2))
edges = generate_graphormer_edge_bias(torch.randn(4, 3, 3), *shortest_path_edge_types(graph, kinds, 3))
rope = generate_mla_rope_score_mod(torch.randn(2, 4, 12, 8), torch.randn(2, 1, 12, 8), 4, 0.5)
"""
MASKS_WITH_TENSORS = (
    *("batched", "documents", "packed", "vision", "longformer", "tree", "shared", "vsa", "vsa_sizes", "vsa_padding"),
)
SCORES_WITH_TENSORS = ("spatial", "edges", "rope")


def differs(name: str, mods: Any, function: Any, sizes: tuple[int, int, int, int]) -> float:
    """Return the largest difference of the outputs."""
    of = tensors(*sizes)
    is_score = mods.score_mod is not None
    expected = torchs(of, None if is_score else function, function if is_score else None)
    return float((ours(of, mods) - expected).abs().max())


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in GYM.items() for name in names])
def test_that_a_file_of_attention_gym_opens_as_it_is(module: str, name: str) -> None:
    gym: ModuleType = import_module(f"attn_gym.{module}")
    assert gym.__file__ is not None
    roles = (name, None) if module.startswith("masks") else (None, name)
    mods = own(Path(gym.__file__).read_text(encoding="utf-8"), *roles, path=gym.__file__)
    assert name.partition("(")[0] in {each.name for each in listed(mods)}
    assert differs(name, mods, eval(name, vars(gym)), GYM[module][name]) < 1e-5


@pytest.fixture(scope="module")
def with_tensors() -> dict[str, Any]:
    names: dict[str, Any] = {}
    torch.manual_seed(0)  # as the process does before it imports a file
    exec(WITH_TENSORS, names)
    return names


@pytest.mark.parametrize("name", [*MASKS_WITH_TENSORS, *SCORES_WITH_TENSORS])
def test_that_functions_of_attention_gym_with_captured_tensors_run(name: str, with_tensors: dict[str, Any]) -> None:
    roles = (name, None) if name in MASKS_WITH_TENSORS else (None, name)
    assert differs(name, own(WITH_TENSORS, *roles), with_tensors[name], SMALL) < 1e-5
    if name in MASKS_WITH_TENSORS:
        found = mask_of(own(WITH_TENSORS, name), SMALL).allowed
        assert np.array_equal(
            np.broadcast_to(found, SMALL), create_mask(with_tensors[name], *SMALL, device="cpu").numpy()
        )


def test_that_every_public_generator_of_attention_gym_is_tried() -> None:
    public = {
        name
        for package in ("masks", "mods")
        for name in dir(import_module(f"attn_gym.{package}"))
        if name.startswith(("generate_", "batchify_mask_mod", "causal_mask"))
    }
    tried = str(list(GYM.values())) + WITH_TENSORS
    assert len(public) > 20
    assert {name for name in public if name not in tried} == set()
