"""Maps of tokens: one number for each query and key, from the weights of one layer or of several.

A row of weights says what a head attends to in its own layer. A map says what that adds up to. Each ignores something,
which its record states. To add one, add a record, and its numbers to `attnviz.engine.model.token_maps`.

None of them explains a prediction by itself: other weights may lead to the same one (Jain & Wallace 2019, "Attention is
not Explanation").
"""

from dataclasses import dataclass
from typing import Literal

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """How the heads of a layer become one matrix."""

    name: str
    title: English
    help: English
    latex: str
    """The operator before the matrix of a head, whose index is h."""
    spoken: English


COMBINATIONS: Registry[Combination] = Registry(
    "combination",
    (
        Combination(
            name="mean",
            title="Mean of heads",
            help="The mean over the heads of each layer",
            latex=r"\text{mean}_h\,",
            spoken="the mean over heads of",
        ),
        Combination(
            name="max",
            title="Maximum of heads",
            help="The largest number of any head, cell by cell",
            latex=r"\max_h\,",
            spoken="the maximum over heads of",
        ),
        Combination(
            name="head",
            title="One head",
            help="One head of the last layer; in the layers before it the mean over heads",
            latex="",
            spoken="one head of",
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenMap:
    """A map of tokens: a row of the registry."""

    name: str
    title: English
    help: English
    latex: str
    """Its formula, with ``{heads}`` for the operator of a combination; L is the last layer, r the residual share."""
    spoken: English
    """The formula for screen readers, with the same placeholder."""
    latex_of_sum: str = ""
    """The formula for the mean of heads, if that sums what the heads write instead."""
    spoken_of_sum: English = ""
    ignores: English
    source: str = ""
    """Author, year and title of the paper; "" if it needs none."""
    of: Literal["weights", "norms", "gradients"] = "weights"
    """The numbers of a head in a layer that it is made of."""
    rolled: bool = False
    """Whether it is a product over layers, from the first one."""
    has_share: bool = False
    """Whether the residual share acts."""
    sums_to_one: bool = False
    """Whether each row sums to 1, so that a cell is a share of its row."""

    def formula(self, combination: str) -> tuple[str, Text]:
        """Return its formula in LaTeX, and for screen readers, with a combination of heads."""
        heads = COMBINATIONS[combination]
        if self.latex_of_sum and combination == "mean":
            return self.latex_of_sum, Text(self.spoken_of_sum)
        return self.latex.replace("{heads}", heads.latex), Text(self.spoken, {"heads": Text(heads.spoken)})


_ROWS = r"\quad \text{each row divided by its sum}"
_WRITTEN = r"\left\| a^h_{ij}\, \mathbf{v}^h_j \mathbf{W}^h_o \right\|"
_ROLLED_SHARES = (
    r"\hat{\mathbf{N}}^{(L)} \cdots \hat{\mathbf{N}}^{(1)}, \quad "
    r"\hat{\mathbf{N}}^{(l)} = (1 - r)\, \mathbf{N}^{(l)} + r\, \mathbf{I}, \quad N_{ij} \propto "
)
_WRITTEN_BY_ALL = r"\left\| \sum_h a^h_{ij}\, \mathbf{v}^h_j \mathbf{W}^h_o \right\|"

TOKEN_MAPS: Registry[TokenMap] = Registry(
    "map",
    (
        TokenMap(
            name="raw",
            title="Raw weights",
            help="The weights of one layer, heads combined",
            latex=r"{heads} \mathbf{A}^{(L)}_h",
            spoken="{heads} the weights of layer L",
            ignores="It shows one layer alone: neither what earlier layers have mixed into each position, nor values.",
        ),
        TokenMap(
            name="rollout",
            title="Rollout",
            help="The product of all layers' weights, each mixed with the residual connection",
            latex=r"\hat{\mathbf{A}}^{(L)} \cdots \hat{\mathbf{A}}^{(1)}, \quad \hat{\mathbf{A}}^{(l)} = (1 - r)\, "
            r"{heads} \mathbf{A}^{(l)}_h + r\, \mathbf{I}," + _ROWS,
            spoken="The product over layers of (1 - r) times {heads} the weights plus r times the identity, "
            "each row divided by its sum",
            ignores="It ignores values, MLPs and norms; the residual share is chosen, not measured.",
            source="Abnar & Zuidema 2020, Quantifying Attention Flow in Transformers",
            rolled=True,
            has_share=True,
            sums_to_one=True,
        ),
        TokenMap(
            name="norm_weighted",
            title="Norm-weighted",
            help="How much one layer writes from each key: the length of its value, weighted and projected",
            latex="{heads} " + _WRITTEN,
            spoken="{heads} the length of weight times value times output projection, in layer L",
            latex_of_sum=_WRITTEN_BY_ALL,
            spoken_of_sum="the length of the sum over heads of weight times value times output projection, in layer L",
            ignores="It shows one layer alone, without the residual connection, norms and MLPs. Its numbers are "
            "lengths, so rows do not sum to 1.",
            source="Kobayashi et al. 2020, Attention is Not Only a Weight",
            of="norms",
        ),
        TokenMap(
            name="norm_rollout",
            title="Norm-weighted, rolled out",
            help="Rollout with the shares of the norm-weighted map in place of weights",
            latex=_ROLLED_SHARES + "{heads} " + _WRITTEN,
            spoken="The product over layers of (1 - r) times the shares of {heads} the lengths of weight times value "
            "times output projection, plus r times the identity",
            latex_of_sum=_ROLLED_SHARES + _WRITTEN_BY_ALL,
            spoken_of_sum="The product over layers of (1 - r) times the shares of the length of the sum over heads of "
            "weight times value times output projection, plus r times the identity",
            ignores="It ignores directions (vectors that cancel in a later sum count as much as others), MLPs and "
            "norms; the residual share is chosen, not measured.",
            source="Kobayashi et al. 2020; Abnar & Zuidema 2020",
            of="norms",
            rolled=True,
            has_share=True,
            sums_to_one=True,
        ),
        TokenMap(
            name="gradient_weighted",
            title="Gradient × weights",
            help="Weights times the gradient of a token's logit with respect to them, rolled out",
            latex=r"(\mathbf{I} + \mathbf{G}^{(L)}) \cdots (\mathbf{I} + \mathbf{G}^{(1)}) - \mathbf{I}, \quad "
            r"\mathbf{G}^{(l)} = {heads} \left( \frac{\partial y}{\partial \mathbf{A}^{(l)}_h} \odot "
            r"\mathbf{A}^{(l)}_h \right)^+",
            spoken="The product over layers of the identity plus {heads} the positive part of the weights times the "
            "gradient of the logit y, minus the identity",
            ignores="It drops negative parts, and MLPs and values count only in the gradient at this one text. Only "
            "the row of the predicting token explains the logit. Rows do not sum to 1.",
            source="Chefer, Gur & Wolf 2021, Generic Attention-model Explainability",
            of="gradients",
            rolled=True,
        ),
    ),
)
