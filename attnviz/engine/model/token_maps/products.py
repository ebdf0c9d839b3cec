"""The arithmetic of the maps of tokens: heads combined, layers multiplied. T tokens, h heads.

Rollout is that of Abnar & Zuidema (2020), "Quantifying Attention Flow in Transformers", norms those of Kobayashi et al.
(2020), "Attention is Not Only a Weight", the product of gradients that of Chefer, Gur & Wolf (2021), "Generic
Attention-model Explainability for Interpreting Bi-Modal and Encoder-Decoder Transformers".
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviz.engine.model.calls import Call


def combined(heads: Tensor, combination: str) -> Tensor:
    """Return (T, T) in float32 from the numbers of heads (h, T, T): their mean, or their maximum."""
    whole = heads.float()
    return whole.amax(0) if combination == "max" else whole.mean(0)


def shares_of(matrix: Tensor) -> Tensor:
    """Return a matrix with each row divided by its sum; a row of zeros stays."""
    sums = matrix.sum(-1, keepdim=True)
    return matrix / torch.where(sums > 0, sums, 1)


def rolled_out(layers: Sequence[Tensor], residual: float) -> Tensor:
    """Return the product of layers (T, T), the last one at the left, each mixed with the residual connection.

    Rows are divided by their sums after each product, which gives the same numbers.

    Args:
        layers: from the first to the last; rows of zeros attend to nothing.
        residual: the share of the identity in each layer, from 0 to 1.
    """
    product = torch.eye(len(layers[0]), dtype=layers[0].dtype, device=layers[0].device)
    for matrix in layers:
        sums = (1 - residual) * matrix.sum(-1, keepdim=True) + residual
        product = torch.addmm(product, matrix, product, beta=residual, alpha=1 - residual)
        product /= torch.where(sums > 0, sums, 1)
    return product


def rolled_gradients(layers: Sequence[Tensor]) -> Tensor:
    """Return the product of I + G over layers G (T, T), the last one at the left, minus I.

    In float64: products of small gradients leave the normal range of float32, where arithmetic is ten times slower.
    """
    product = torch.zeros_like(layers[0], dtype=torch.float64)
    for matrix in layers:
        product = product + matrix + matrix.double() @ product
    return product.float()


def reachable(masks: Sequence[Tensor | None], tokens: int) -> Tensor:
    """Return bool (T, T), the keys that a query reaches through layers with masks (T, T), or by staying.

    ``masks`` are those of the layers from the first to the last; None: all keys are allowed.
    """
    whole = torch.ones(tokens, tokens, dtype=torch.bool)
    reached = torch.eye(tokens, dtype=torch.bool)
    closed: Tensor | None = None  # the last mask that led no further
    for mask in masks:
        step = whole if mask is None else mask.cpu() | torch.eye(tokens, dtype=torch.bool)
        if closed is not None and torch.equal(step, closed):
            continue
        further = (step.float() @ reached.float()) > 0
        closed = step if torch.equal(further, reached) else None
        reached = further
    return reached


def lengths(call: Call, off: Sequence[int] = ()) -> Tensor | None:
    """Return the lengths (h, T, T) of what each head writes from each key; None if v or W_o is not known.

    ``off``: the heads that write nothing of it, since they are ablated.
    """
    norms = call.value_norms
    if norms is None:
        return None
    norms[list(off)] = 0
    return call.weights().float() * norms.float()[:, None]


def lengths_of_sums(call: Call, off: Sequence[int] = ()) -> Tensor | None:
    """Return the lengths (T, T) of what all heads together write from each key; None if v or W_o is not known.

    |sum_h a_h u_h|² = sum_hg a_h a_g (u_h · u_g), where u = v W_o: h² products of each key instead of D numbers of each
    cell, in float64, since vectors may cancel.
    """
    if call.v is None or call.output_weight is None:
        return None
    values = call.v.repeat_interleave(call.num_heads // call.v.shape[0], 0).float()
    per_head = call.output_weight.detach().T.reshape(call.num_heads, values.shape[2], -1).float()
    written = (values @ per_head).transpose(0, 1).double()  # (T, h, D)
    written[:, list(off)] = 0
    products = (written @ written.transpose(1, 2)).permute(1, 2, 0).contiguous()  # (h, h, T)
    weights = call.weights().double()
    squares = torch.zeros_like(weights[0])
    for head, mine in enumerate(weights):
        squares.addcmul_(mine * mine, products[head, head])
        for other in range(head):
            squares.addcmul_(mine * weights[other], 2 * products[head, other])
    return squares.clamp(min=0).sqrt().float()
