"""The study of direct logit attribution: what each head, MLP, the embedding and the biases add to a logit."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from typing_extensions import override

from attnviz.definitions.text import English, Text, listed, number_said
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.study import StudyOf, StudyResult

IGNORES: English = "Each norm's scale is held fixed, and how later parts respond to a head is not counted."
"""What the measure ignores."""
IGNORED = Text(IGNORES)

_HEADS: Mapping[Kind, Text] = {
    "self": Text("heads {value}"),
    "decoder": Text("decoder heads {value}"),
    "cross": Text("cross heads {value}"),
}
"""The sum over the heads of each kind of attention."""

AskedToken = Annotated[int, Field(strict=True)] | Annotated[str, Field(max_length=100)] | None
"""A token by its number, its name on screen, or its text; None: the usual one."""


class Attribution(StudyOf):
    """What the parts of a model add to a logit, or to the difference of two, beside the spec's interventions."""

    of: ModelSpec
    continued: tuple[int, ...] = ()
    """The new tokens that the model reads after the text."""
    token: AskedToken = None
    """None: the top prediction of the run with the interventions."""
    minus: AskedToken = None
    """The token whose logit is subtracted; None: none is."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AttributionTrace(StudyResult):
    """The parts of a logit. Arrays are read-only; L layers of the stack whose states predict, h heads."""

    spec: Attribution
    position: int
    """The token whose state predicts."""
    token_id: int
    token: str
    minus_id: int | None = None
    minus: str = ""
    of_kind: Mapping[Kind, NDArray[np.float64]]
    """(L, h), what each head adds, by the kind of attention; NaN for missing heads, and layers without attention."""
    mlp: NDArray[np.float64]
    """(L,), what each layer's MLP adds, with anything else that it has in place of attention."""
    embedding: float
    bias: float
    logit: float
    """The logit, or the difference, before a soft cap."""

    @property
    def rest(self) -> float:
        """The logit without the sum of all parts: rounding."""
        return self.logit - self.of_heads - float(self.mlp.sum()) - self.embedding - self.bias

    @cached_property
    def of_heads(self) -> float:
        """The sum over all heads."""
        return sum(float(np.nansum(each)) for each in self.of_kind.values())

    @property
    def subject(self) -> str:
        """The name of what the parts sum to: a token, or a difference of two."""
        return f"“{self.token}” − “{self.minus}”" if self.minus else f"“{self.token}”"

    @property
    def title(self) -> Text:
        """The title of the heads' numbers."""
        return Text("added to the logit of {token}", {"token": self.subject})

    def number(self, value: float) -> str:
        """Return a contribution as text, with a sign and the decimals that the largest needs."""
        if not math.isfinite(value):
            return number_said(value)
        said = f"{value:z.{self._decimals}f}"
        return said if said.startswith("-") or not float(said) else f"+{said}"

    @cached_property
    def _decimals(self) -> int:
        sizes = [float(np.nanmax(np.abs(each), initial=0.0)) for each in self.of_kind.values()]
        largest = max(sizes)
        return min(max(2 - math.floor(math.log10(largest)), 2), 6) if largest else 2

    def sentence(self) -> Text:
        """Return the parts that are not exactly 0 in one line, with the remainder."""
        mlp, said = float(self.mlp.sum()), self.number
        listing = [
            *[replace(_HEADS[kind], values={"value": said(float(np.nansum(of)))}) for kind, of in self.of_kind.items()],
            *[Text("MLPs {value}", {"value": said(mlp)})] * bool(mlp),
            *[Text("embedding {value}", {"value": said(self.embedding)})] * bool(self.embedding),
            *[Text("biases {value}", {"value": said(self.bias)})] * bool(self.bias),
        ]
        words = {"token": self.subject, "logit": self.number(self.logit), "rest": f"{self.rest:.0e}"}
        sentence = "Logit of {token} {logit}: {parts} (rest {rest})."
        return Text(sentence, {**words, "parts": listed(listing)})

    @override
    def values(self) -> Mapping[str, Any]:
        return self.arrays()

    @override
    def arrays(self) -> dict[str, NDArray[Any]]:
        of_kind = dict(self.of_kind)
        written = {"attribution": of_kind.pop("decoder", None) if "decoder" in of_kind else of_kind.pop("self")}
        written |= {f"attribution_{kind}": values for kind, values in of_kind.items()}
        scalars = {
            "mlp": self.mlp,
            "embedding": self.embedding,
            "bias": self.bias,
            "logit": self.logit,
            "token": self.token_id,
            "rest": self.rest,
        }
        scalars |= {} if self.minus_id is None else {"minus": self.minus_id}
        named = {**written, **{f"attribution_{name}": value for name, value in scalars.items()}}
        return {name: read_only(np.asarray(value)) for name, value in named.items()}
