"""The maths: attention in torch, with every stage returned."""

from attnviz.attention.descent import Descent
from attnviz.attention.kernels import Kernel, KernelStages, kernel_stages, kernel_values, kernel_weights
from attnviz.attention.masking import (
    MaskPolicy,
    causal_mask,
    combine_masks,
    document_mask,
    mask_scores,
    masked_softmax,
    sequence_mask,
    sliding_window_mask,
    softmax_rows,
    valid_lens_mask,
)
from attnviz.attention.module import AttentionStages, merge_heads, scaled_dot_product_scores, split_heads
from attnviz.attention.modules import (
    AdditiveAttention,
    CausalMultiHeadAttention,
    DotProductAttention,
    MultiHeadAttention,
)
from attnviz.attention.regression import LearnedStages, NadarayaWatson, average_weights, leave_one_out, predict

__all__ = [
    "AdditiveAttention",
    "AttentionStages",
    "CausalMultiHeadAttention",
    "Descent",
    "DotProductAttention",
    "Kernel",
    "KernelStages",
    "LearnedStages",
    "MaskPolicy",
    "MultiHeadAttention",
    "NadarayaWatson",
    "average_weights",
    "causal_mask",
    "combine_masks",
    "document_mask",
    "kernel_stages",
    "kernel_values",
    "kernel_weights",
    "leave_one_out",
    "mask_scores",
    "masked_softmax",
    "merge_heads",
    "predict",
    "scaled_dot_product_scores",
    "sequence_mask",
    "sliding_window_mask",
    "softmax_rows",
    "split_heads",
    "valid_lens_mask",
]
