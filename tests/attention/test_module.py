"""Laws that every attention module keeps, whatever its scores."""

import pytest
import torch
from exactly import exactly
from hypothesis import given
from hypothesis import strategies as st
from torch.func import functional_call
from torch.testing import assert_close

from attnviz.attention import (
    AdditiveAttention,
    CausalMultiHeadAttention,
    DotProductAttention,
    MultiHeadAttention,
    causal_mask,
)

seeds = st.integers(0, 2**16)
sizes = st.integers(1, 6)

MODULES = {
    "dot-product": lambda dropout=0.0, **options: DotProductAttention(dropout, **options),
    "additive": lambda dropout=0.0, **options: AdditiveAttention(5, dropout, query_size=4, key_size=4, **options),
    "multi-head": lambda dropout=0.0, **options: MultiHeadAttention(
        6, 2, dropout, bias=True, query_size=4, key_size=4, value_size=4, **options
    ),
}
CAUSAL = {"causal": lambda dropout=0.0, **options: CausalMultiHeadAttention(4, 6, 8, dropout, 2, **options)}


@pytest.fixture(scope="module", params=MODULES)
def build(request):
    """build(**options): one of the modules called with queries, keys and values, in float64 and always the same."""

    def make(**options):
        with torch.random.fork_rng():
            torch.manual_seed(0)
            return MODULES[request.param](**options).double()

    return make


@pytest.fixture(scope="session")
def draw(normal):
    """draw(seed, batch, queries, keys): queries, keys and values of size 4."""
    return lambda seed, batch, queries, keys: (
        normal(seed, batch, queries, 4),
        normal(seed + 1, batch, keys, 4),
        normal(seed + 2, batch, keys, 4),
    )


# What every module computes


@given(seed=seeds, batch=sizes, queries=sizes, keys=sizes)
def test_that_each_stage_follows_from_the_one_before(build, draw, masks, seed, batch, queries, keys):
    module, inputs = build(), draw(seed, batch, queries, keys)
    case = masks(seed, batch, queries, keys, shortest=0)
    stages = module.stages(*inputs, case.lens, case.mask)
    heads = stages.scores.shape[1]
    assert stages.scores.isfinite().all()
    allowed = case.allowed[:, None].expand(-1, heads, -1, -1)
    filled = torch.where(allowed, stages.scores, -torch.inf)
    assert torch.equal(stages.masked_scores, filled)
    assert_close(stages.weights, filled.softmax(dim=-1).nan_to_num(0.0))
    assert not stages.weights[~allowed].any()
    assert_close(stages.heads, torch.einsum("bhqk,bhkd->bhqd", stages.weights, stages.v))
    side_by_side = torch.cat([stages.heads[:, head] for head in range(heads)], dim=-1)
    assert torch.equal(stages.merged, side_by_side)
    output = module.W_o(side_by_side) if heads > 1 else side_by_side
    assert torch.equal(stages.output, output)
    assert torch.equal(module(*inputs, case.lens, case.mask), output)


@given(seed=seeds, batch=sizes, queries=sizes, data=st.data())
def test_that_the_order_of_keys_and_values_does_not_matter(build, draw, seed, batch, queries, data):
    order = data.draw(st.permutations(range(5)), label="order")
    q, k, v = draw(seed, batch, queries, 5)
    mask = torch.rand(batch, queries, 5, generator=torch.Generator().manual_seed(seed)) < 0.7
    module = build()
    assert_close(module(q, k[:, order], v[:, order], mask=mask[..., order]), module(q, k, v, mask=mask))


def test_that_what_a_masked_key_and_its_value_hold_never_reaches_the_output(build, draw):
    module, (q, k, v), lens = build(), draw(0, 2, 3, 5), torch.tensor([2, 4])
    output = module(q, k, v, lens)
    for batch, length in enumerate(lens):
        k[batch, length:], v[batch, length:] = 100.0, -100.0
    assert torch.equal(module(q, k, v, lens), output)


def test_that_a_mask_of_its_own_per_sequence_is_that_of_each_sequence_alone(build, draw):
    module, inputs = build(), draw(3, 2, 3, 5)
    masks = torch.stack([causal_mask(3, 5), causal_mask(3, 5).flip(-1)])
    together = module(*inputs, mask=masks)
    alone = [module(*(x[b : b + 1] for x in inputs), mask=masks[b]) for b in range(2)]
    assert_close(together, torch.cat(alone))


@pytest.mark.parametrize("policy", ["zero", "book", "inf"])
def test_that_a_query_without_a_key_pools_what_the_policy_says(build, draw, policy):
    stages = build(mask_policy=policy).stages(*draw(1, 2, 3, 4), torch.tensor([[2, 0, 4], [1, 1, 3]]))
    mean = stages.v[0].mean(dim=-2)
    expected = {"zero": torch.zeros_like(mean), "book": mean, "inf": torch.full_like(mean, torch.nan)}
    assert_close(stages.heads[0, :, 1], expected[policy], equal_nan=True)
    assert stages.heads[1].isfinite().all()


def test_that_no_input_is_written_to(build, draw):
    inputs = (*draw(2, 2, 3, 4), torch.tensor([0, 3]), causal_mask(3, 4))
    before = [x.clone() for x in inputs]
    build(temperature=2.0)(*inputs)
    assert all(torch.equal(now, then) for now, then in zip(inputs, before, strict=True))


def test_that_stages_which_change_nothing_share_one_tensor(build, draw):
    stages = build(dropout=0.5).eval().stages(*draw(2, 2, 3, 4))
    assert stages.mask is None
    assert stages.masked_scores is stages.scores
    assert stages.dropped_weights is stages.weights


def test_that_the_heads_view_the_projections_instead_of_copying_them(build, draw):
    stages = build().stages(*draw(2, 2, 3, 4))
    for head_view, projected in [
        (stages.q, stages.projected_q),
        (stages.k, stages.projected_k),
        (stages.v, stages.projected_v),
    ]:
        assert head_view.untyped_storage().data_ptr() == projected.untyped_storage().data_ptr()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_that_a_half_precision_run_follows_the_double_one(build, draw, dtype):
    inputs, lens = [x.to(dtype) for x in draw(4, 2, 3, 5)], torch.tensor([[0, 2, 5], [1, 3, 4]])
    module = build().to(dtype)
    stages = module.stages(*inputs, lens)
    assert (stages.weights.dtype, stages.output.dtype) == (dtype, dtype)
    exact = module.double().stages(*(x.double() for x in inputs), lens)
    rounding = 16 * torch.finfo(dtype).eps
    assert_close(stages.weights.double(), exact.weights, rtol=0, atol=rounding)
    assert_close(stages.output.double(), exact.output, rtol=0, atol=rounding)


# Gradients


def test_that_gradients_in_inputs_and_parameters_are_those_of_finite_differences(build, draw):
    module, names = build(), [name for name, _ in build().named_parameters()]
    leaves = [*draw(5, 1, 2, 3), *(p.detach() for p in module.parameters())]
    lens = torch.tensor([[0, 2]])

    def run(q, k, v, *parameters):
        return functional_call(module, dict(zip(names, parameters, strict=True)), (q, k, v, lens))

    assert torch.autograd.gradcheck(run, [leaf.requires_grad_() for leaf in leaves])


def test_that_a_query_without_a_key_sends_back_no_gradient_and_no_nan(build, draw):
    module, inputs = build(), [x.requires_grad_() for x in draw(6, 2, 3, 4)]
    module(*inputs, torch.tensor([[2, 0, 4], [0, 0, 0]])).pow(2).sum().backward()
    leaves = [*inputs, *module.parameters()]
    assert all(leaf.grad is not None and leaf.grad.isfinite().all() for leaf in leaves)
    assert not inputs[0].grad[0, 1].any()
    assert not any(x.grad[1].any() for x in inputs)
    assert inputs[0].grad[0, 2].any()


# Dropout


def training(build, seed):
    module = build(dropout=0.4).train()
    module.dropout.generator = torch.Generator().manual_seed(seed)
    return module


def test_that_no_dropout_leaves_the_weights_even_in_training(build, draw):
    stages = build(dropout=0.0).train().stages(*draw(2, 2, 3, 4))
    assert stages.dropped_weights is stages.weights


def test_that_dropout_zeroes_its_share_of_the_weights_and_scales_the_rest_before_pooling(build, draw):
    stages = training(build, 0).stages(*draw(0, 2, 60, 50))
    kept = stages.dropped_weights != 0
    assert kept.double().mean().item() == pytest.approx(0.6, abs=0.03)
    assert_close(stages.dropped_weights, torch.where(kept, stages.weights / 0.6, 0.0))
    assert_close(stages.weights.sum(dim=-1), torch.ones_like(stages.weights[..., 0]))
    assert_close(stages.heads, stages.dropped_weights @ stages.v)


def test_that_a_generator_alone_decides_what_is_dropped_and_the_global_seed_is_left_in_peace(build, draw):
    inputs, outputs = draw(0, 2, 6, 6), []
    with torch.random.fork_rng():
        for global_seed in (1, 2):
            torch.manual_seed(global_seed)
            state = torch.get_rng_state()
            outputs.append(training(build, seed=3)(*inputs))
            assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(outputs[0], outputs[1])
    assert not torch.equal(training(build, seed=4)(*inputs), outputs[0])


def test_that_without_a_generator_dropout_follows_the_global_seed(build, draw):
    module, inputs, outputs = build(dropout=0.4).train(), draw(0, 2, 6, 6), []
    with torch.random.fork_rng():
        for global_seed in (1, 1, 2):
            torch.manual_seed(global_seed)
            outputs.append(module(*inputs))
    assert torch.equal(outputs[0], outputs[1])
    assert not torch.equal(outputs[0], outputs[2])


# What is refused, and the sentence that says so


@pytest.mark.parametrize("make", (MODULES | CAUSAL).values(), ids=MODULES | CAUSAL)
@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"dropout": 1.0}, "dropout 1.0 must be at least 0 and below 1; nearest: 0.99"),
        ({"dropout": -0.1}, "dropout -0.1 must be at least 0 and below 1; nearest: 0.0"),
        ({"temperature": 0.0}, "temperature 0.0 must be above 0"),
        ({"temperature": -1.0}, "temperature -1.0 must be above 0"),
    ],
    ids=str,
)
def test_that_an_impossible_option_is_refused_with_its_number(make, option, sentence):
    with pytest.raises(ValueError, match=exactly(sentence)):
        make(**option)


@pytest.mark.parametrize(
    ("lens", "sentence"),
    [
        ([3, 9], "valid length 9 is more than the 6 keys; nearest: 6"),
        ([-1, 3], "valid length -1 is negative; nearest: 0"),
        ([[3, 1, 1], [1, 1, 1]], "valid_lens has shape (2, 3); needed (batch,) or (batch, 4)"),
        ([1, 2, 3], "valid_lens has shape (3,), but the batch has 2 sequences"),
    ],
)
def test_that_lengths_which_do_not_fit_are_refused_with_the_numbers(build, draw, lens, sentence):
    with pytest.raises(ValueError, match=exactly(sentence)):
        build()(*draw(0, 2, 4, 6), torch.tensor(lens))
