"""Functions as users of FlexAttention write them: 27 mods, opened as a file by the tests and imported for torch's own.

B = 2, h = 4, Q = K = 12.
"""

import functools
import math

import torch
from torch.nn.attention.flex_attention import and_masks, noop_mask, or_masks

generator = torch.Generator().manual_seed(3)
lengths = torch.tensor([12, 7])
documents = torch.tensor([[0] * 5 + [1] * 7, [0] * 9 + [2] * 3])
dense = torch.rand(2, 4, 12, 12, generator=generator) < 0.6
dense[..., 0] = True
is_global = torch.arange(12) % 5 == 0
slopes = torch.exp2(-torch.arange(1, 5, dtype=torch.float32))
table = torch.randn(4, 23, generator=generator, dtype=torch.float64).half()
learned = torch.nn.Parameter(torch.randn(12, generator=generator))


def causal(b, h, q_idx, kv_idx):
    """Attend to the past."""
    return q_idx >= kv_idx


def sliding_window(window_size, causal=False):
    def mask_mod(b, h, q_idx, kv_idx):
        near = torch.abs(q_idx - kv_idx) < window_size
        return near & (q_idx >= kv_idx) if causal else near

    return mask_mod


def prefix_lm(length=4):
    return or_masks(causal, lambda b, h, q_idx, kv_idx: kv_idx < length)


def padding(b, h, q_idx, kv_idx):
    return kv_idx < lengths[b]


def document(b, h, q_idx, kv_idx):
    return documents[b, q_idx] == documents[b, kv_idx]


def captured(b, h, q_idx, kv_idx):
    return dense[b, h, q_idx, kv_idx]


def of_heads(b, h, q_idx, kv_idx):
    return torch.where(h < 2, q_idx >= kv_idx, q_idx - kv_idx < 3)


def global_tokens(b, h, q_idx, kv_idx):
    return is_global[q_idx] | is_global[kv_idx] | ((q_idx - kv_idx).abs() <= 1)


class Dilated:
    """A callable object."""

    def __init__(self, step):
        self.step = step

    def __call__(self, b, h, q_idx, kv_idx):  # noqa: ARG002
        return (q_idx - kv_idx) % self.step == 0


def _banded(b, h, q_idx, kv_idx, low, high):
    return (q_idx - kv_idx >= low) & (q_idx - kv_idx <= high)


window_4 = sliding_window(4)
causal_window = and_masks(causal, window_4)
packed = and_masks(document, or_masks(causal, is_prefix := prefix_lm(3)), padding)
dilated = Dilated(3)
banded = functools.partial(_banded, low=-2, high=5)
everything = noop_mask


def alibi(score, b, h, q_idx, kv_idx):
    return score + (kv_idx - q_idx) * slopes[h]


def softcap(cap=2.0):
    def tanh_softcap(score, b, h, q_idx, kv_idx):
        return cap * torch.tanh(score / cap)

    return tanh_softcap


def relative(score, b, h, q_idx, kv_idx):
    return score + table[h, q_idx - kv_idx + 11]


def checkerboard(score, b, h, q_idx, kv_idx):
    return torch.where((q_idx - kv_idx) % 2 == 0, score * 0.5, score)


def masked_by_score(score, b, h, q_idx, kv_idx):
    return torch.where(q_idx >= kv_idx, score, -float("inf"))


def clipped(score, b, h, q_idx, kv_idx):
    return score + 0.1 * min(q_idx - kv_idx, 4) - max(0, kv_idx - q_idx)


def learned_bias(score, b, h, q_idx, kv_idx):
    return score * math.sqrt(2) + learned[kv_idx]


def as_bool(score, b, h, q_idx, kv_idx):
    return score > 0


def doubled(score, b, h, q_idx, kv_idx):
    return score.double() * 2


def in_place(score, b, h, q_idx, kv_idx):
    score += 1 / (1 + q_idx)
    return score


scaled = functools.partial(lambda score, b, h, q_idx, kv_idx, factor: score * factor, factor=3)

MASKS = (
    "causal",
    "sliding_window(4)",
    "sliding_window(3, causal=True)",
    "prefix_lm()",
    "prefix_lm(5)",
    "padding",
    "document",
    "captured",
    "of_heads",
    "global_tokens",
    "window_4",
    "causal_window",
    "packed",
    "dilated",
    "banded",
    "everything",
)
SCORES = (
    "alibi",
    "softcap(1.5)",
    "relative",
    "checkerboard",
    "masked_by_score",
    "clipped",
    "learned_bias",
    "as_bool",
    "doubled",
    "in_place",
    "scaled",
)
