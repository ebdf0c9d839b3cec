"""The words on screen that a reader may not know, each explained in one sentence.

To explain a word, add a record. Labels, captions, the manual and the tests read it from there.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from attnviz.definitions.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word or sign of the field."""

    name: str
    """Its anchor in the manual."""
    title: str
    sentence: str
    aliases: tuple[str, ...] = ()
    """Further forms in which it is written on screen; each may have an s."""
    formula: str = ""
    """In plain signs, if it says more than the sentence."""

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form in which it is written."""
        return (self.title, *self.aliases)

    @property
    def explanation(self) -> str:
        """The title, the sentence and the formula as one text."""
        return f"{self.title}: {self.sentence}" + (f" {self.formula}" if self.formula else "")


_TERMS = (
    # The shape of attention.
    Term(
        name="query",
        title="Query",
        aliases=("queries", "query size"),
        sentence="The vector of a position that looks at others; each query is a row of the weights.",
    ),
    Term(
        name="key",
        title="Key",
        aliases=("key size",),
        sentence="The vector of a position that is looked at; each key is a column of the weights.",
    ),
    Term(
        name="value",
        title="Value",
        aliases=("value size",),
        sentence="The vector that a key hands over: the output is the average of the values, by weight.",
    ),
    Term(
        name="score",
        title="Score",
        sentence="How well a query and a key match, before the mask and the softmax; it may be any number.",
        formula="S = Q Kᵀ / √d",
    ),
    Term(
        name="weight",
        title="Weight",
        sentence="The share of its attention that a query gives to a key, between 0 and 1.",
        formula="A = softmax(S)",
    ),
    Term(
        name="row-sum",
        title="Row sum",
        aliases=("sum of weights", "sum", "Σ"),
        sentence="The sum of a query's weights: 1, unless the row is empty or dropout acts.",
    ),
    Term(
        name="output",
        title="Output",
        sentence="What attention returns for a query: its weighted values, after the last projection if there is one.",
    ),
    Term(
        name="head",
        title="Head",
        sentence="One of several attentions side by side, each on its own slice of the projected features.",
    ),
    Term(
        name="hidden-size",
        title="Hidden size",
        aliases=("hidden",),
        sentence="How many features the projected queries, keys and values have, all heads together.",
    ),
    Term(
        name="feature",
        title="Feature",
        sentence="One number of a vector.",
    ),
    Term(
        name="item",
        title="Item",
        aliases=("batch item", "batch", "sequence"),
        sentence="One sequence of a batch; the items of a batch run at once and do not see each other.",
    ),
    Term(
        name="shapes",
        title="(B, h, Lq, Lk)",
        aliases=("B, h, Lq, Lk", "shapes"),
        sentence="The sizes of the weights: B batch items, h heads, Lq queries and Lk keys.",
    ),
    Term(
        name="module",
        title="Module",
        sentence="The PyTorch module that computes the weights, such as dot-product, additive or multi-head attention.",
    ),
    Term(
        name="self-attention",
        title="Self-attention",
        sentence="Queries, keys and values are made of the same tokens.",
    ),
    Term(
        name="token",
        title="Token",
        sentence="One position of a sequence: a word, a part of a word or a sign.",
    ),
    Term(
        name="projection",
        title="Projection",
        aliases=("W_q", "W_k", "W_v", "W_o", "project"),
        sentence="A matrix that turns the input features into queries, keys, values or the output.",
    ),
    Term(
        name="split",
        title="Split",
        sentence="The projected features are cut into equal slices, one for each head.",
    ),
    Term(
        name="merge",
        title="Merge",
        aliases=("concat",),
        sentence="The outputs of all heads are put side by side again.",
    ),
    Term(
        name="rotary",
        title="Rotary positions",
        aliases=("rotary", "RoPE", "rotate"),
        sentence="Pairs of features of queries and keys are turned by angles that grow with their place, so that a "
        "score depends on the distance.",
        formula="angle = i · 10000^(−2m/d)",
    ),
    Term(
        name="alibi",
        title="ALiBi",
        aliases=("slope",),
        sentence="Attention with linear biases: a score falls with the distance, by a slope of its own in each head.",
        formula="S = Q Kᵀ / √d − m |i − j|",
    ),
    # From scores to weights.
    Term(
        name="softmax",
        title="Softmax",
        sentence="It turns a row of scores into positive weights that sum to 1; a larger score gets more.",
        formula="exp(sⱼ) / Σₖ exp(sₖ)",
    ),
    Term(
        name="scaling",
        title="Scaled by √d",
        aliases=("scaled", "scaling"),
        sentence="Scores are divided by the root of the number of features, so that the softmax stays soft.",
    ),
    Term(
        name="temperature",
        title="Temperature",
        sentence="A divisor of the scores: below 1 the weights are sharper, above 1 more even.",
    ),
    Term(
        name="entropy",
        title="Entropy",
        sentence="How spread a row of weights is: 0 where one key has it all, log₂ n where n keys share it evenly.",
        formula="-Σ a log₂ a",
    ),
    Term(
        name="bit",
        title="Bit",
        sentence="The unit of entropy: b bits are as spread as 2 to the power b equal weights.",
    ),
    Term(
        name="statistic",
        title="Statistic",
        aliases=("beside each head",),
        sentence="One number that sums up a head's weights, such as its mean entropy.",
    ),
    Term(
        name="contrast",
        title="Contrast",
        aliases=("contrast per head", "full contrast"),
        sentence="Colours end at the largest weight there is, not at 1, so that small weights can be told apart.",
    ),
    # Masks.
    Term(
        name="mask",
        title="Mask",
        aliases=("masked", "further masks"),
        sentence="It says which keys a query may look at; a forbidden key gets a weight of 0.",
    ),
    Term(
        name="causal",
        title="Causal",
        sentence="A mask that hides the future: a query looks at its own position and those before it.",
    ),
    Term(
        name="valid-length",
        title="Valid length",
        aliases=("valid lengths", "valid lens", "valid key"),
        sentence="How many keys at the start are real; those behind them are padding and are masked.",
    ),
    Term(
        name="window",
        title="Window",
        sentence="A mask that leaves each query the keys less than this many positions away.",
    ),
    Term(
        name="documents",
        title="Documents",
        sentence="A mask for several texts packed into one sequence: each looks at itself alone.",
    ),
    Term(
        name="painted",
        title="Painted",
        sentence="A mask of cells that were forbidden by hand.",
    ),
    Term(
        name="empty-row",
        title="Empty row",
        aliases=("empty",),
        sentence="A row whose query may look at no key; a softmax of nothing is not defined, so a policy decides.",
    ),
    Term(
        name="policy",
        title="Policy",
        aliases=("policies", "mask policy"),
        sentence="What an empty row becomes: zeros, an even row (a fill of -1e6) or not a number (a fill of -inf).",
    ),
    # A model that learns.
    Term(
        name="vocabulary",
        title="Vocabulary",
        sentence="All different tokens that a model knows.",
    ),
    Term(
        name="embedding",
        title="Embedding",
        aliases=("embed", "tied embedding"),
        sentence="The learned vector of each token, with which a model begins; if tied, it also ends with it.",
    ),
    Term(
        name="residual-stream",
        title="Residual stream",
        sentence="The vector of each token on its way through the layers: every layer reads it and adds to it.",
    ),
    Term(
        name="layer",
        title="Layer",
        sentence="One attention with its heads, and perhaps a feed-forward network after it.",
    ),
    Term(
        name="layer-norm",
        title="Layer norm",
        sentence="It gives the vector of each token mean 0 and variance 1 before a layer reads it.",
    ),
    Term(
        name="feed-forward",
        title="Feed-forward",
        aliases=("feed-forward network",),
        sentence="Two matrices with a ReLU between them, applied to each token by itself.",
    ),
    Term(
        name="positions",
        title="Positions",
        sentence="How a model knows where a token is: by added vectors, rotated queries and keys, or lowered scores.",
    ),
    Term(
        name="logit",
        title="Logit",
        sentence="The score of a token before the softmax over the vocabulary.",
    ),
    Term(
        name="accuracy",
        title="Accuracy",
        sentence="The share of places at which the most probable token is right, of those that can be known.",
    ),
    Term(
        name="probe",
        title="Probe",
        sentence="The sequence on which a training is looked at; no step learns from it.",
    ),
    Term(
        name="held-out",
        title="Held-out",
        aliases=("held-out sequence",),
        sentence="Not among what was learned from, so that it shows what the model can do elsewhere.",
    ),
    Term(
        name="role",
        title="Role",
        sentence="What a head is found to do, with a score from 0 to 1: the mean weight on the keys of that role.",
    ),
    Term(
        name="induction",
        title="Induction",
        aliases=("induction head",),
        sentence="A head that looks at what followed the same token the last time, and so continues what repeats.",
    ),
    Term(
        name="warm-up",
        title="Warm-up",
        sentence="The first steps of a training, in which the rate grows to its value.",
    ),
    Term(
        name="weight-decay",
        title="Weight decay",
        sentence="In every step each parameter shrinks a little, so that none grows without need.",
    ),
    Term(
        name="clip",
        title="Clip",
        sentence="A gradient that is longer than this is shortened to it, so that no step is too large.",
    ),
    # The run.
    Term(
        name="dropout",
        title="Dropout",
        sentence="In training some weights are set to 0 at random, and the others are raised to make up for them.",
    ),
    Term(
        name="eval",
        title="Eval",
        sentence="The mode of a module that is not trained: dropout does nothing.",
    ),
    Term(
        name="training",
        title="Training",
        aliases=("train",),
        sentence="Learning step by step to lower the loss; dropout acts only in this mode of a module.",
    ),
    Term(
        name="seed",
        title="Seed",
        sentence="The number that all random numbers of a run follow from: the same seed, the same picture.",
    ),
    Term(
        name="bias",
        title="Bias",
        sentence="A vector that a projection adds to every result.",
    ),
    Term(
        name="context",
        title="Context",
        aliases=("context length", "block size"),
        sentence="The most tokens for which the causal module has a mask ready.",
    ),
    Term(
        name="precision",
        title="Precision",
        aliases=("float32", "float64", "bfloat16", "float16"),
        sentence="The number format of the run; fewer bits take less memory and round more.",
    ),
    Term(
        name="upcast",
        title="Upcast",
        sentence="Mask and softmax are computed in float32, though the rest is in half precision.",
    ),
    Term(
        name="device",
        title="Device",
        aliases=("cpu", "cuda", "mps"),
        sentence="Where the module runs: the processor or a GPU.",
    ),
    # Kernel regression.
    Term(
        name="nadaraya-watson",
        title="Nadaraya-Watson",
        aliases=("kernel regression",),
        sentence="A prediction that averages the training outputs, those of nearer inputs with more weight.",
        formula="f(x) = Σ K(x − xᵢ) yᵢ / Σ K(x − xᵢ)",
    ),
    Term(
        name="kernel",
        title="Kernel",
        aliases=("K(u)",),
        sentence="How weight falls with the distance between a query and a key.",
    ),
    Term(
        name="width",
        title="Width",
        aliases=("width σ", "bandwidth", "width 1/w"),
        sentence="How far a kernel reaches: narrow follows every point, wide smooths everything.",
    ),
    Term(
        name="w",
        title="w",
        aliases=("start w",),
        sentence="The learned factor of the distance; the width is 1 / w.",
    ),
    Term(
        name="truth",
        title="Truth",
        sentence="The function that the points were drawn from, before noise was added.",
    ),
    Term(
        name="noise",
        title="Noise",
        sentence="The standard deviation of what is added at random to the outputs of the training points.",
    ),
    Term(
        name="prediction",
        title="Prediction",
        sentence="What a model says: the value of the curve at a query, or the most probable next token.",
    ),
    Term(
        name="loss",
        title="Loss",
        sentence="The number that training lowers: the squared error of the training points, or, for a model that "
        "predicts tokens, minus the logarithm of the probability of the right one.",
    ),
    Term(
        name="mean-squared-error",
        title="Mean squared error",
        aliases=("error",),
        sentence="The mean of the squared differences between the curve and the points or the truth.",
    ),
    Term(
        name="leave-one-out",
        title="Leave one out",
        aliases=("leave-one-out",),
        sentence="Each point is predicted from the others alone, so that it cannot copy itself.",
    ),
    Term(
        name="epoch",
        title="Epoch",
        aliases=("step",),
        sentence="One step of training, which sees all points.",
    ),
    Term(
        name="optimiser",
        title="Optimiser",
        aliases=("SGD", "Adam"),
        sentence="The rule by which a step of training changes w.",
    ),
    Term(
        name="rate",
        title="Rate",
        aliases=("learning rate",),
        sentence="The size of a step of training.",
    ),
    Term(
        name="momentum",
        title="Momentum",
        sentence="How much of its last step the optimiser keeps in the next.",
    ),
    Term(
        name="overlay",
        title="Overlay",
        sentence="Another estimator on the same points, whose curve is drawn beside the fit.",
    ),
    Term(
        name="share",
        title="Share",
        sentence="How much one of several regression heads counts in their average; shares are learned and sum to 1.",
    ),
    # What is kept.
    Term(
        name="spec",
        title="Spec",
        sentence="One experiment as a JSON file: the values of all knobs.",
    ),
    Term(
        name="session",
        title="Session",
        sentence="A spec with how it is looked at, the pinned run and your notes.",
    ),
    Term(
        name="pinned-run",
        title="Pinned run",
        aliases=("pin", "pinned"),
        sentence="A run that is kept as A, to compare the run on screen, B, with it.",
    ),
)

GLOSSARY = Registry("term", _TERMS)


def terms_in(text: str) -> tuple[Term, ...]:
    """Return the terms that a text names, in its order; a longer form hides one in it ("row sum": "sum")."""
    found: dict[str, Term] = {}
    for match in _pattern(tuple(GLOSSARY)).finditer(text):
        forms, form = _by_form(tuple(GLOSSARY)), match[0].casefold()
        term = forms.get(form) or forms[form.removesuffix("s")]
        found.setdefault(term.name, term)
    return tuple(found.values())


def explanation_of(text: str) -> str:
    """Return the explanations of all terms that a text names, a line for each; empty if there are none."""
    return "\n".join(term.explanation for term in terms_in(text))


def as_page() -> str:
    """Return the glossary as the manual's page, `resources/help/glossary.md`."""
    lines = [
        "# Glossary",
        "",
        "The words on screen, each in one sentence. Point at a word in the window to read the same.",
    ]
    for term in sorted(GLOSSARY.values(), key=lambda each: each.title.strip("(").casefold()):
        also = f" Also: {', '.join(term.aliases)}." if term.aliases else ""
        formula = f" `{term.formula}`" if term.formula else ""
        lines += ["", f"## {term.title}", "", f"{term.sentence}{formula}{also}"]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=1)
def _by_form(names: tuple[str, ...]) -> dict[str, Term]:
    return {form.casefold(): GLOSSARY[name] for name in names for form in GLOSSARY[name].forms}


@lru_cache(maxsize=1)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of whole words, the longest form first."""
    forms = sorted(_by_form(names), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})s?(?![\w-])", re.IGNORECASE)
