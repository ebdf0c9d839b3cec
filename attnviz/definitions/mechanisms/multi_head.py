"""Multi-head attention (Zhang et al.; Vaswani et al. 2017) and the causal one of GPT-style code."""

from attnviz.definitions.legal import at_least, at_most
from attnviz.definitions.mechanisms.dot_product import DOT_PRODUCT_SCORES
from attnviz.definitions.mechanisms.mechanism import Mechanism, Parameter, Rule

MULTI_HEAD = Mechanism(
    name="multi_head",
    title="Multi-head",
    help="Each head scores its own slice of the projected queries and keys.",
    description="Multi-head attention",
    parameters=(
        Parameter("W_q", "num_hiddens", "query_size", of="queries", bias="chosen"),
        Parameter("W_k", "num_hiddens", "key_size", of="keys", bias="chosen", shared=True),
        Parameter("W_v", "num_hiddens", "value_size", of="values", bias="chosen", shared=True),
        Parameter("W_o", "num_hiddens", "num_hiddens", of="heads", bias="chosen"),
    ),
    class_name="MultiHeadAttention",
    docstring="Each head attends within its own slice of the features.",
    docstring_of_one_head="One head, which attends with all features.",
    **DOT_PRODUCT_SCORES,
)
CAUSAL_MULTI_HEAD = Mechanism(
    name="causal_multi_head",
    title="Causal multi-head",
    help="Multi-head self-attention in which each token attends to itself and to those before it.",
    description="Causal multi-head attention",
    parameters=(
        Parameter("W_q", "num_hiddens", "query_size", of="queries", layer="W_query", bias="chosen"),
        Parameter("W_k", "num_hiddens", "key_size", of="keys", layer="W_key", bias="chosen", shared=True),
        Parameter("W_v", "num_hiddens", "value_size", of="values", layer="W_value", bias="chosen", shared=True),
        Parameter("W_o", "num_hiddens", "num_hiddens", of="heads", layer="out_proj", bias="always"),
    ),
    scratch=lambda sizes, number: (
        2 * sizes["context_length"] ** 2
    ),  # the mask buffer, and a temporary while it is created
    fixed={"causal": True, "self_attention": True},
    own_fields=frozenset({"context_length"}),
    rules=(
        Rule(
            field="causal",
            code="always_causal",
            text="causal_multi_head always has causal on; turn it on",
            holds=lambda spec: spec.causal,
            of_sizes=False,
        ),
        Rule(
            field="self_attention",
            code="always_self",
            text="causal_multi_head always has self_attention on; turn it on",
            holds=lambda spec: spec.self_attention,
        ),
        Rule(
            field="context_length",
            code="context_too_short",
            text="{num_queries} tokens are more than the context length {context_length}; nearest: {nearest}",
            legal={
                "context_length": lambda spec: at_least(spec.num_queries),
                "num_queries": lambda spec: at_most(spec.context_length),
            },
        ),
    ),
    class_name="CausalMultiHeadAttention",
    docstring="Each token attends to itself and to those before it.",
    arguments=("query_size", "num_hiddens", "context_length", "num_heads"),
    names={
        "num_queries": "num_tokens",
        "num_kvpairs": "num_tokens",
        "query_size": "d_in",
        "key_size": "d_in",
        "value_size": "d_in",
        "num_hiddens": "d_out",
        "bias": "qkv_bias",
    },
    torch_init=(
        "later = torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1)",
        'self.register_buffer("mask", later)',
    ),
    torch_lines=("num_tokens = X.shape[1]",),
    torch_mask="~self.mask[:num_tokens, :num_tokens]",
    **DOT_PRODUCT_SCORES,
)
