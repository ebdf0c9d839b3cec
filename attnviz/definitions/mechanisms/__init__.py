"""The scoring mechanisms of the attention lab.

To add one, write its record in a file here and add it below. If it needs a torch module of its own, put the class into
`attnviz.attention.modules`; otherwise the module is built from the record.
"""

from attnviz.definitions.mechanisms.additive import ADDITIVE
from attnviz.definitions.mechanisms.alibi import ALIBI
from attnviz.definitions.mechanisms.bilinear import BILINEAR
from attnviz.definitions.mechanisms.dot_product import DOT_PRODUCT
from attnviz.definitions.mechanisms.mechanism import Mechanism
from attnviz.definitions.mechanisms.multi_head import CAUSAL_MULTI_HEAD, MULTI_HEAD
from attnviz.definitions.mechanisms.rotary import ROTARY
from attnviz.definitions.registry import Registry

GIVEN = Mechanism(
    name="given",
    title="Given weights",
    help="The weights come from a file, computed by another model; nothing is computed here.",
    description="Given attention weights",
    steps=(),
)
MECHANISMS = Registry(
    "mechanism", (DOT_PRODUCT, ADDITIVE, BILINEAR, MULTI_HEAD, ROTARY, ALIBI, CAUSAL_MULTI_HEAD, GIVEN)
)
"""In the order of the form."""
