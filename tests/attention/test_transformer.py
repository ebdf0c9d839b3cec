"""The decoder against torch's own modules with the same weights, and the laws of its stages, places and heads."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional
from torch.testing import assert_close

from attnviz.attention import split_heads
from attnviz.attention.array_functions import TORCH
from attnviz.attention.positions import tables_of
from attnviz.attention.transformer import Transformer, next_token_accuracy, next_token_loss
from attnviz.definitions.decoder.positions import sinusoidal_positions
from attnviz.definitions.mechanisms.alibi import alibi_slopes, distance_bias
from attnviz.definitions.mechanisms.rotary import ROTATION, rotated

POSITIONS = ("none", "sinusoidal", "learned", "rotary", "alibi")
seeds = st.integers(0, 2**16)
every_position = pytest.mark.parametrize("positions", POSITIONS)


def turned(x):
    """Return queries or keys (B, h, L, d) in float64, turned by tables in float32 as in a decoder."""
    return rotated(x, *(table.float() for table in tables_of(ROTATION, *x.shape[-2:])), TORCH)


def made(seed=0, positions="rotary", *, vocab=11, layers=2, heads=3, hiddens=12, length=7, **options):
    """Return a model in float64 whose biases and norms differ from 0 and 1."""
    generator = torch.Generator().manual_seed(seed)
    model = Transformer(vocab, layers, heads, hiddens, length, positions, generator=generator, **options).double()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 4)
    return model


def tokens_of(seed, batch=2, length=7, vocab=11):
    return torch.randint(vocab, (batch, length), generator=torch.Generator().manual_seed(seed))


def with_torchs_own(model, tokens):
    """Return the logits from torch's fused attention, linear, norm and embedding functions, parameter by parameter."""
    p = dict(model.named_parameters())
    length = tokens.shape[1]
    stream = functional.embedding(tokens, p["embedding.weight"])
    if "position_embedding.weight" in p:
        stream = stream + p["position_embedding.weight"][:length]
    elif model.places is not None:
        stream = stream + sinusoidal_positions(torch, length, stream.shape[-1])

    def normed(x, name):
        if f"{name}.weight" not in p:
            return x
        return functional.layer_norm(x, x.shape[-1:], p[f"{name}.weight"], p[f"{name}.bias"])

    def linear(x, name):
        return functional.linear(x, p[f"{name}.weight"], p.get(f"{name}.bias"))

    for number, layer in enumerate(model.layers):
        of = f"layers.{number}"
        heads = layer.attention.num_heads
        x = normed(stream, f"{of}.attention_norm")
        q, k, v = (split_heads(linear(x, f"{of}.attention.W_{name}"), heads) for name in "qkv")
        if layer.attention.rotation is not None:
            q, k = turned(q), turned(k)
        if not hasattr(layer.attention, "distances"):
            pooled = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            places = torch.arange(length)
            distance = (places[:, None] - places).double()
            bias = torch.stack([-slope * distance for slope in alibi_slopes(heads)])
            bias = bias.masked_fill(distance < 0, -torch.inf)
            pooled = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        stream = stream + linear(pooled.transpose(1, 2).flatten(2), f"{of}.attention.W_o")
        if f"{of}.feed_forward.W_1.weight" in p:
            inner = linear(normed(stream, f"{of}.feed_forward_norm"), f"{of}.feed_forward.W_1").relu()
            stream = stream + linear(inner, f"{of}.feed_forward.W_2")
    stream = normed(stream, "final_norm")
    return functional.linear(stream, p.get("unembedding.weight", p["embedding.weight"]))


@every_position
@pytest.mark.parametrize("norm", [True, False])
@pytest.mark.parametrize("feed_forward", [True, False])
@pytest.mark.parametrize("tied", [True, False])
def test_that_logits_and_gradients_are_those_of_torchs_own_functions(positions, norm, feed_forward, tied):
    options = {"norm": norm, "feed_forward": feed_forward, "tied_embedding": tied}
    model = made(3, positions, hiddens=12, heads=2 if positions == "rotary" else 3, bias=feed_forward, **options)
    tokens = tokens_of(4)
    assert_close(model(tokens), with_torchs_own(model, tokens), rtol=1e-7, atol=1e-9)
    counts = torch.ones(tokens.shape, dtype=torch.bool)
    parameters = list(model.parameters())
    found = torch.autograd.grad(next_token_loss(model(tokens), tokens, counts), parameters)
    loss = functional.cross_entropy(with_torchs_own(model, tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
    for here, there in zip(found, torch.autograd.grad(loss, parameters), strict=True):
        assert_close(here, there, rtol=1e-6, atol=1e-9)


def test_that_a_layer_is_torchs_encoder_layer_under_a_causal_mask():
    model = made(5, "none", layers=1, feed_forward=True, bias=True)
    layer, tokens = model.layers[0], tokens_of(6)
    theirs = nn.TransformerEncoderLayer(12, 3, 48, dropout=0.0, batch_first=True, norm_first=True).double()
    attention = layer.attention
    stacked = {
        "self_attn.in_proj_weight": torch.cat([attention.W_q.weight, attention.W_k.weight, attention.W_v.weight]),
        "self_attn.in_proj_bias": torch.cat([attention.W_q.bias, attention.W_k.bias, attention.W_v.bias]),
    }
    names = {
        "self_attn.out_proj": attention.W_o,
        "linear1": layer.feed_forward.W_1,
        "linear2": layer.feed_forward.W_2,
        "norm1": layer.attention_norm,
        "norm2": layer.feed_forward_norm,
    }
    copied = {f"{name}.{kind}": getattr(ours, kind) for name, ours in names.items() for kind in ("weight", "bias")}
    theirs.load_state_dict(stacked | copied)
    stages = model.stages(tokens)
    later = nn.Transformer.generate_square_subsequent_mask(7, dtype=torch.float64)
    assert_close(stages.layers[0].output, theirs(stages.embedded, src_mask=later, is_causal=True))


@every_position
def test_that_the_stages_follow_from_each_other(positions):
    model = made(7, positions, feed_forward=True, bias=True, heads=2, heads_off=[(1, 0)])
    tokens = tokens_of(8)
    stages = model.stages(tokens)
    assert torch.equal(model(tokens), stages.logits)
    stream = stages.embedded
    for number, (layer, one) in enumerate(zip(model.layers, stages.layers, strict=True)):
        a = one.attention
        assert_close(one.normed, layer.attention_norm(stream))
        q, k, v = (split_heads(x, 2) for x in (a.projected_q, a.projected_k, a.projected_v))
        if positions == "rotary":
            q, k = turned(q), turned(k)
        assert_close(torch.cat([a.q, a.k, a.v]), torch.cat([q, k, v]))
        bias = distance_bias(torch, 2, 7) if positions == "alibi" else 0.0
        assert_close(a.scores, a.q @ a.k.transpose(-2, -1) / 6**0.5 + bias)
        allowed = torch.ones(7, 7, dtype=torch.bool).tril()
        assert torch.equal(a.masked_scores, a.scores.masked_fill(~allowed, -torch.inf))
        assert_close(a.weights, a.masked_scores.softmax(-1))
        on = torch.tensor([1.0, 1.0] if number == 0 else [0.0, 1.0], dtype=torch.float64)
        assert_close(a.heads, a.weights @ a.v * on[:, None, None])
        assert torch.equal(a.merged, torch.cat(list(a.heads.unbind(1)), dim=-1))
        assert_close(a.output, layer.attention.W_o(a.merged))
        attended = stream + a.output
        assert_close(one.output, attended + layer.feed_forward(layer.feed_forward_norm(attended)))
        stream = one.output
    assert_close(stages.normed, model.final_norm(stream))
    assert_close(stages.logits, stages.normed @ model.unembedding.weight.T)


@every_position
@given(seed=seeds, place=st.integers(0, 6))
def test_that_a_later_token_changes_no_earlier_logit(positions, seed, place):
    model, tokens = made(seed, positions, heads=2, feed_forward=True), tokens_of(seed)
    other = tokens.clone()
    other[:, place] = (other[:, place] + 1) % 11
    before, after = model(tokens), model(other)
    assert torch.equal(before[:, :place], after[:, :place])
    assert not torch.equal(before[:, place], after[:, place])
    # And a shorter sequence is the beginning of a longer one.
    assert_close(model(tokens[:, : place + 1]), before[:, : place + 1])


@given(seed=seeds, off=st.sets(st.tuples(st.integers(0, 1), st.integers(0, 2))))
def test_that_a_head_that_is_off_adds_what_it_does_behind_zeros_in_its_columns_of_the_output_matrix(seed, off):
    model, zeroed, tokens = made(seed, "alibi", bias=True), made(seed, "alibi", bias=True), tokens_of(seed)
    with torch.no_grad():
        for layer, head in off:
            zeroed.layers[layer].attention.W_o.weight[:, 4 * head : 4 * head + 4] = 0
    before = model(tokens)
    model.turn_off(off)
    assert_close(model(tokens), zeroed(tokens))
    assert torch.equal(
        model.stages(tokens).layers[0].attention.weights, zeroed.stages(tokens).layers[0].attention.weights
    )
    model.turn_off(())
    assert torch.equal(model(tokens), before)
    # Heads are looked at without: no parameter tells whether one is off.
    assert model.state_dict().keys() == zeroed.state_dict().keys()


def test_that_a_slice_of_the_projected_output_is_not_what_a_head_adds():
    model, tokens = made(9, "alibi", layers=1, bias=True), tokens_of(9)
    model.turn_off([(0, 1)])
    output = model.stages(tokens).layers[0].attention.output
    model.turn_off(())
    sliced = model.stages(tokens).layers[0].attention.output.clone()
    sliced[..., 4:8] = 0
    assert (output - sliced).abs().max() > 0.1
    # With every head off only the bias of the output projection is left.
    model.turn_off([(0, head) for head in range(3)])
    attention = model.stages(tokens).layers[0].attention
    assert_close(attention.output, model.layers[0].attention.W_o.bias.expand_as(attention.output))


@pytest.mark.parametrize("head", [(2, 0), (0, 3), (-1, 0), (0, -1)])
def test_that_a_head_that_is_not_there_cannot_be_turned_off(head):
    with pytest.raises(ValueError, match="the last one is head 2 in layer 1"):
        made(positions="none", heads_off=[head])


def test_that_the_parameters_depend_on_the_generator_alone_and_are_named_for_files():
    options = {"positions": "learned", "feed_forward": True, "bias": True}
    state = torch.get_rng_state()
    one, same, other = (
        Transformer(11, 2, 3, 12, 7, **options, generator=torch.Generator().manual_seed(seed)).state_dict()
        for seed in (1, 1, 2)
    )
    assert torch.equal(torch.get_rng_state(), state), "the global generator is left alone"
    attention = [f"attention.W_{name}.{kind}" for name in "qkvo" for kind in ("weight", "bias")]
    in_layer = [
        *(f"attention_norm.{kind}" for kind in ("weight", "bias")),
        *attention,
        *(f"feed_forward_norm.{kind}" for kind in ("weight", "bias")),
        *(f"feed_forward.W_{number}.{kind}" for number in (1, 2) for kind in ("weight", "bias")),
    ]
    assert list(one) == [
        "embedding.weight",
        "position_embedding.weight",
        *(f"layers.{number}.{name}" for number in (0, 1) for name in in_layer),
        "final_norm.weight",
        "final_norm.bias",
        "unembedding.weight",
    ]
    for name, values in one.items():
        assert torch.equal(values, same[name])
        drawn = values.dim() == 2
        assert torch.equal(values, other[name]) != drawn
        if not drawn:
            assert (values == (1 if name.endswith("norm.weight") else 0)).all()
        elif "embedding" not in name.replace("unembedding", ""):
            assert 0.7 < values.abs().max() * values.shape[1] ** 0.5 <= 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"heads": 5}, "num_hiddens 12 is not divisible by num_heads 5; nearest: 10, 15"),
        ({"heads": 4}, "even size of a head, not 3; nearest: 2, 4"),
        ({"layers": 0}, "num_layers 0 must be at least 1; nearest: 1"),
    ],
)
def test_that_sizes_that_do_not_fit_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        made(**wrong)


def test_that_more_tokens_than_the_context_length_are_refused():
    with pytest.raises(ValueError, match="8 tokens are more than the context length 7; nearest: 7 tokens"):
        made(heads=2)(tokens_of(0, length=8))


def test_that_loss_and_accuracy_are_taken_over_the_places_that_count():
    logits = torch.log(torch.tensor([[[0.7, 0.2, 0.1], [0.1, 0.5, 0.4], [0.2, 0.2, 0.6], [1.0, 1.0, 1.0]]]))
    tokens = torch.tensor([[2, 0, 2, 1]])
    counts = torch.tensor([[True, True, False, True]])
    assert next_token_loss(logits, tokens, counts).item() == pytest.approx(-(torch.tensor([0.7, 0.4]).log().mean()))
    assert next_token_accuracy(logits, tokens, counts).item() == 0.5
