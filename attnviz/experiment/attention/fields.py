"""The knobs of the attention lab: every field of its spec, with label, help, limits and place in the form."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from attnviz.definitions.masks.causal import CAUSAL
from attnviz.definitions.masks.documents import DOCUMENTS
from attnviz.definitions.masks.painted import PAINTED
from attnviz.definitions.masks.valid_lens import VALID_LENS
from attnviz.definitions.masks.window import WINDOW
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.experiment.attention.document_lens import DocumentLens
from attnviz.experiment.attention.inputs import Inputs, RandomInputs
from attnviz.experiment.attention.masks import FurtherMasks
from attnviz.experiment.attention.painted import CellsText
from attnviz.experiment.attention.valid_lens import ValidLens
from attnviz.experiment.knob import Number, OneOf, Whole, WholeOrNone, knob
from attnviz.experiment.limits import MAX_SIZE, MOST_HEADS, MOST_ITEMS

MaskPolicy = Literal["zero", "book", "inf"]
DType = Literal["float32", "float64", "bfloat16", "float16"]

HALF_TYPES = ("bfloat16", "float16")
DEVICE_PATTERN = r"^(auto|cpu|mps|cuda(:[0-9]{1,2})?)$"


class AttentionFields(BaseModel):
    """The fields; `AttentionSpec` adds the rules between them. Their JSON names are fixed."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    lab: Literal["attention"] = knob("attention", "Lab", "Which experiment this is.", group="")
    mechanism: Annotated[str, OneOf(MECHANISMS)] = knob(
        "multi_head",
        "Module",
        "Which attention module computes the weights; given ones were computed by another model and come from a file.",
        group="Mechanism",
    )
    num_heads: Whole = knob(
        5,
        "Heads",
        "How many heads share the hidden size; each gets hidden / heads features.",
        group="Mechanism",
        slider=(1, 16),
        ge=1,
        le=MOST_HEADS,
    )
    num_hiddens: Whole = knob(
        100,
        "Hidden",
        "Size of the projected queries, keys and values, all heads together.",
        group="Mechanism",
        slider=(8, 1024),
        ge=1,
        le=MAX_SIZE,
    )
    scaled: bool = knob(
        True,
        "Scaled by √d",
        "Divide the scores by √d, so the softmax stays soft as d grows.",
        group="Mechanism",
    )
    inputs: Inputs = knob(RandomInputs(), "Source", "Where queries, keys and values come from.", group="Input")
    self_attention: bool = knob(
        False, "Self-attention", "One set of tokens serves as queries, keys and values.", group="Input"
    )
    batch_size: Whole = knob(
        2, "Batch", "How many sequences run at once.", group="Input", slider=(1, 8), ge=1, le=MOST_ITEMS
    )
    num_queries: Whole = knob(
        4, "Queries", "Rows of the weights: who looks.", group="Input", slider=(1, 64), ge=1, le=MAX_SIZE
    )
    num_kvpairs: Whole = knob(
        6, "Keys", "Columns of the weights: key-value pairs.", group="Input", slider=(1, 64), ge=1, le=MAX_SIZE
    )
    seed: Whole = knob(
        0,
        "Seed",
        "Decides every random number of the run.",
        group="Input",
        slider=(0, 99),
        ge=0,
        le=2**31 - 1,
    )
    causal: bool = knob(False, CAUSAL.title, CAUSAL.help, group="Mask")
    valid_lens: ValidLens = knob(None, VALID_LENS.title, VALID_LENS.help, group="Mask")
    window: WholeOrNone = knob(None, WINDOW.title, WINDOW.help, group="Mask", ge=1, le=MAX_SIZE)
    document_lens: DocumentLens = knob(None, DOCUMENTS.title, DOCUMENTS.help, group="Mask")
    painted: Annotated[str, CellsText()] = knob("", PAINTED.title, PAINTED.help, group="Mask")
    masks: FurtherMasks = knob(
        FurtherMasks(), "Further masks", "Masks without a field of their own, by name.", group="Mask"
    )
    mask_policy: MaskPolicy = knob(
        "zero",
        "Empty row",
        "A row with no valid key: zero gives weights of 0, book fills with -1e6 (an even row), inf gives NaN.",
        group="Mask",
    )
    dropout: Number = knob(
        0.0,
        "Dropout",
        "Chance that a weight is dropped in training.",
        group="More",
        slider=(0, 0.9),
        ge=0,
        lt=1,
    )
    training: bool = knob(False, "Training", "Train mode: dropout acts. Off is eval mode.", group="More")
    bias: bool = knob(False, "Bias", "Projections of queries, keys and values have a bias.", group="More")
    temperature: Number = knob(
        1.0,
        "Temperature",
        "Scores are divided by it: small is sharp, large is even.",
        group="More",
        slider=(0.1, 4),
        gt=0,
        le=1e6,
    )
    context_length: Whole = knob(
        64,
        "Context",
        "Tokens the causal module's mask buffer is made for (also called block size).",
        group="More",
        slider=(1, 256),
        ge=1,
        le=MAX_SIZE,
    )
    query_size: WholeOrNone = knob(
        None,
        "Query size",
        "Features of an input query; empty is the hidden size.",
        group="More",
        ge=1,
        nothing="as hidden",
        le=MAX_SIZE,
    )
    key_size: WholeOrNone = knob(
        None,
        "Key size",
        "Features of an input key; empty is the hidden size.",
        group="More",
        nothing="as hidden",
        ge=1,
        le=MAX_SIZE,
    )
    value_size: WholeOrNone = knob(
        None,
        "Value size",
        "Features of an input value; empty is the hidden size.",
        group="More",
        ge=1,
        nothing="as hidden",
        le=MAX_SIZE,
    )
    dtype: DType = knob("float32", "Precision", "Number format the module computes in.", group="More")
    upcast: bool = knob(
        True,
        "Upcast",
        "Half precision: mask and softmax in float32. Off, -1e6 is -inf in float16.",
        group="More",
    )
    device: str = knob(
        "auto",
        "Device",
        "auto, cpu, mps or cuda:0; auto takes the first GPU, else the CPU.",
        group="",
        pattern=DEVICE_PATTERN,
    )

    @model_serializer(mode="wrap")
    def _leave_out_no_masks(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit an empty ``masks``: earlier versions do not know this field."""
        written: dict[str, Any] = write(self)
        if not self.masks:
            written.pop("masks", None)
        return written
