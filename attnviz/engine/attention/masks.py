"""The mask of a run, from everything in its spec but the valid lengths, which the modules take themselves."""

import torch
from torch import Tensor

from attnviz.attention import causal_mask, combine_masks, document_mask, sliding_window_mask
from attnviz.experiment.attention import painted
from attnviz.experiment.attention.spec import AttentionSpec


def make_mask(spec: AttentionSpec, device: torch.device) -> Tensor | None:
    """Return the (Q, K) mask that allows what every rule of the spec allows; None where no rule forbids anything.

    The causal module brings its own triangle.
    """
    sizes = spec.num_queries, spec.num_kvpairs
    causal = spec.causal and spec.mechanism != "causal_multi_head"
    by_hand = torch.from_numpy(~painted.forbidden(spec.painted, *sizes)).to(device) if spec.painted else None
    return combine_masks(
        causal_mask(*sizes, device) if causal else None,
        None if spec.window is None else sliding_window_mask(*sizes, spec.window, device),
        None if spec.document_lens is None else document_mask(spec.document_lens, *sizes, device),
        by_hand,
    )
