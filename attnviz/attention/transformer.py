"""A decoder: token embedding, layers of causal multi-head attention on a residual stream, logits of the next token.

Shape letters: B batch, L tokens, D hidden, h heads, d = D / h, V vocabulary.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from typing_extensions import override

from attnviz.attention.masking import causal_mask
from attnviz.attention.module import AttentionStages, Pooling, check_divisible
from attnviz.attention.modules import MultiHeadAttention
from attnviz.attention.positions import tables_of
from attnviz.definitions.decoder.initial_values import WIDER, initial_values
from attnviz.definitions.decoder.positions import POSITIONS, Positions
from attnviz.definitions.mechanisms.mechanism import Rotation
from attnviz.definitions.score_steps.step import ScoreStep


@dataclass(frozen=True, slots=True, eq=False)
class LayerStages:
    """The tensors of one layer, in the order of computation."""

    normed: Tensor
    """(B, L, D), the input of attention; the residual stream itself without norms."""
    attention: AttentionStages
    """The stages of mechanism ``rotary`` or ``alibi`` with such positions, else of ``multi_head``. ``heads`` and
    ``merged`` are 0 in an ablated head."""
    output: Tensor
    """(B, L, D), the residual stream after the layer."""


@dataclass(frozen=True, slots=True, eq=False)
class TransformerStages:
    """The tensors of a `Transformer`, from the embedding to the logits."""

    embedded: Tensor
    """(B, L, D), the residual stream before the first layer: token embedding plus position vector, if there is one."""
    layers: tuple[LayerStages, ...]
    normed: Tensor
    """(B, L, D), the final layer norm of the stream; the stream itself without norms."""
    logits: Tensor
    """(B, L, V), of the token after each position."""


class DecoderAttention(MultiHeadAttention):
    """Multi-head self-attention of a decoder, with positions and heads that can be ablated.

    Tables that depend on positions only are computed once, for the longest sequence so far, in float32.
    """

    cos: Tensor
    """(length, d), with ``sin`` the rotation angles of queries and keys; absent without a rotation."""
    sin: Tensor
    distances: Tensor
    """(h, length, length), the bias added to the scores; absent without one."""

    def __init__(
        self, positions: Positions, num_hiddens: int, num_heads: int, length: int, *, bias: bool = False
    ) -> None:
        # The diagonal is always allowed, so no row is empty; "inf" is the fastest policy.
        super().__init__(
            num_hiddens,
            num_heads,
            0.0,
            bias,
            query_size=num_hiddens,
            key_size=num_hiddens,
            value_size=num_hiddens,
            mask_policy="inf",
        )
        self.steps, self.rotation = positions.attention.steps, positions.attention.rotation
        self.heads_off: tuple[int, ...] = ()
        if self.rotation is not None:
            cos, sin = tables_of(self.rotation, length, num_hiddens // num_heads)
            self.register_buffer("cos", cos.float(), persistent=False)
            self.register_buffer("sin", sin.float(), persistent=False)
        if positions.bias is not None:
            self.register_buffer("distances", positions.bias(torch, num_heads, length), persistent=False)

    @override
    def tables(self, rotation: Rotation, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.cos[: x.shape[-2]], self.sin[: x.shape[-2]]

    @override
    def added(self, step: ScoreStep, q: Tensor, k: Tensor) -> Tensor:
        return self.distances[:, : q.shape[-2], : k.shape[-2]]

    @override
    def pool(self, scores: Tensor, values: Tensor, mask: Tensor | None) -> Pooling:
        pooling = super().pool(scores, values, mask)
        if not self.heads_off:
            return pooling
        # Ablated here rather than in the output: behind W_o the heads are mixed, and its bias belongs to none of them.
        off = torch.tensor(self.heads_off, device=scores.device)
        return pooling._replace(heads=pooling.heads.index_fill(1, off, 0.0))


class FeedForward(nn.Module):
    """``W_2 relu(W_1 x + b_1) + b_2`` at each position (Zhang et al., "Positionwise Feed-Forward Networks")."""

    def __init__(self, num_hiddens: int) -> None:
        super().__init__()
        self.W_1 = nn.Linear(num_hiddens, WIDER * num_hiddens)
        self.W_2 = nn.Linear(WIDER * num_hiddens, num_hiddens)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, L, D) for (B, L, D)."""
        output: Tensor = self.W_2(self.W_1(x).relu())
        return output


class Layer(nn.Module):
    """Attention and an optional feed-forward network; each reads the normed residual stream and adds to it."""

    def __init__(self, attention: DecoderAttention, num_hiddens: int, *, norm: bool, feed_forward: bool) -> None:
        super().__init__()
        self.attention_norm = _norm(num_hiddens, norm)
        self.attention = attention
        self.feed_forward_norm = _norm(num_hiddens, norm) if feed_forward else None
        self.feed_forward = FeedForward(num_hiddens) if feed_forward else None

    def forward(self, stream: Tensor, mask: Tensor) -> LayerStages:
        """Return every stage for a residual stream (B, L, D) and the (L, L) mask of its positions."""
        normed = self.attention_norm(stream)
        attention = self.attention.stages(normed, normed, normed, mask=mask)
        output = stream + attention.output
        if self.feed_forward is not None and self.feed_forward_norm is not None:
            output = output + self.feed_forward(self.feed_forward_norm(output))
        return LayerStages(normed, attention, output)


class Transformer(nn.Module):
    """A decoder that predicts the next token at each position, with every stage of every layer.

    Each position attends to itself and to those before it. The parameters are drawn in the order of
    ``named_parameters`` from the generator alone, see `initial_values`.

    Args:
        vocab_size: V.
        num_layers: at least 1.
        num_heads: h of each layer.
        num_hiddens: D.
        context_length: the length of the longest sequence, in tokens.
        positions: the kind of positional information, the name of a record in `POSITIONS`.
        norm: whether attention, feed-forward network and prediction read the stream through a layer norm.
        feed_forward: whether each layer has a feed-forward network after its attention.
        tied_embedding: whether the logits are products with the embedding instead of with a separate matrix.
        heads_off: (layer, head) pairs, counted from 0, of ablated heads; see `turn_off`.
        bias: whether the projections of attention have biases.
        generator: the generator that the parameters are drawn from; torch's global one if None.

    Raises:
        ValueError: sizes do not fit each other, or there is no such head; names the nearest valid values.
    """

    mask: Tensor
    """(context_length, context_length), True where the query of a row may attend to the key of a column."""
    places: Tensor | None
    """(context_length, D), fixed position vectors; None without them."""

    def __init__(
        self,
        vocab_size: int,
        num_layers: int,
        num_heads: int,
        num_hiddens: int,
        context_length: int,
        positions: str = "rotary",
        norm: bool = True,
        feed_forward: bool = False,
        tied_embedding: bool = False,
        heads_off: Collection[tuple[int, int]] = (),
        *,
        bias: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_divisible(num_hiddens, num_heads)
        if num_layers < 1:
            raise ValueError(f"num_layers {num_layers} must be at least 1; nearest: 1")
        record = POSITIONS[positions]
        self.context_length = context_length
        with torch.device("meta"):  # neither allocates memory nor draws random numbers
            self.embedding = _embedding(vocab_size, num_hiddens)
            self.position_embedding = _embedding(context_length, num_hiddens) if record.is_learned else None
            self.layers = nn.ModuleList()
            for _ in range(num_layers):
                attention = DecoderAttention(record, num_hiddens, num_heads, context_length, bias=bias)
                self.layers.append(Layer(attention, num_hiddens, norm=norm, feed_forward=feed_forward))
            self.final_norm = _norm(num_hiddens, norm)
            self.unembedding = None if tied_embedding else nn.Linear(num_hiddens, vocab_size, bias=False)
        self.register_buffer("mask", causal_mask(context_length, context_length, device="cpu"), persistent=False)
        places = None if record.vectors is None else record.vectors(torch, context_length, num_hiddens)
        self.register_buffer("places", places, persistent=False)
        self._draw_parameters(generator)
        self.turn_off(heads_off)

    def turn_off(self, heads: Iterable[tuple[int, int]]) -> None:
        """Ablate (turn off) these (layer, head) pairs, counted from 0, and turn every other head on.

        An ablated head adds nothing to the stream: its pooled values are 0 before the output projection.

        Raises:
            ValueError: there is no such head.
        """
        off: list[list[int]] = [[] for _ in self.layers]
        most = self._attention(0).num_heads
        for layer, head in sorted(set(heads)):
            if not (0 <= layer < len(off) and 0 <= head < most):
                raise ValueError(
                    f"there is no head {head} in layer {layer}; the last one is head {most - 1} in layer {len(off) - 1}"
                )
            off[layer].append(head)
        for layer, of_layer in enumerate(off):
            self._attention(layer).heads_off = tuple(of_layer)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return the logits (B, L, V) of the token after each position, for tokens (B, L)."""
        return self.stages(tokens).logits

    def stages(self, tokens: Tensor) -> TransformerStages:
        """Return every stage of the same computation.

        Raises:
            ValueError: more tokens than the context length.
        """
        num_tokens = tokens.shape[1]
        if num_tokens > self.context_length:
            raise ValueError(
                f"{num_tokens} tokens are more than the context length {self.context_length}; "
                f"nearest: {self.context_length} tokens"
            )
        stream = embedded = self._embedded(tokens)
        mask = self.mask[:num_tokens, :num_tokens]
        layers: list[LayerStages] = []
        for layer in self.layers:
            layers.append(layer(stream, mask))
            stream = layers[-1].output
        normed = self.final_norm(stream)
        unembedding = self.embedding.weight if self.unembedding is None else self.unembedding.weight
        return TransformerStages(embedded, tuple(layers), normed, nn.functional.linear(normed, unembedding))

    def _embedded(self, tokens: Tensor) -> Tensor:
        embedded: Tensor = self.embedding(tokens)
        num_tokens = tokens.shape[1]
        if self.position_embedding is not None:
            embedded = embedded + self.position_embedding.weight[:num_tokens]
        return embedded if self.places is None else embedded + self.places[:num_tokens]

    def _attention(self, layer: int) -> DecoderAttention:
        attention = self.layers[layer].attention
        assert isinstance(attention, DecoderAttention)
        return attention

    def _draw_parameters(self, generator: torch.Generator | None) -> None:
        tied = self.unembedding is None
        named = self.named_parameters()
        drawn = {name: initial_values(torch, name, tuple(each.shape), tied, generator) for name, each in named}
        self.load_state_dict(drawn, assign=True)


def next_token_loss(logits: Tensor, tokens: Tensor, counts: Tensor) -> Tensor:
    """Return the mean cross-entropy of the next token, over the counted positions.

    Args:
        logits: (B, L, V), of the token after each position.
        tokens: (B, L).
        counts: (B, L) booleans; the last position has no next token and is left out.
    """
    counted = counts[:, :-1]
    return nn.functional.cross_entropy(logits[:, :-1][counted], tokens[:, 1:][counted])


def next_token_accuracy(logits: Tensor, tokens: Tensor, counts: Tensor) -> Tensor:
    """Return the share of counted positions whose most probable token is the next one."""
    counted = counts[:, :-1]
    return (logits[:, :-1].argmax(dim=-1) == tokens[:, 1:])[counted].float().mean()


def _embedding(count: int, size: int) -> nn.Embedding:
    """Return an embedding with uninitialised values.

    `nn.Embedding` draws values; under ``torch.device("meta")`` that would import tracing modules for about a second.
    """
    return nn.Embedding(count, size, _weight=torch.empty(count, size))


def _norm(size: int, wanted: bool) -> nn.Module:
    return nn.LayerNorm(size) if wanted else nn.Identity()
