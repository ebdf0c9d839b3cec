"""Sparsemax (Martins & Astudillo 2016): the nearest point to the scores whose numbers are weights, many of them 0."""

from attnviz.definitions.score_steps.step import RowLine, RowWeights, ScoreStep

SPARSEMAX = ScoreStep(
    name="sparsemax",
    title="Sparsemax",
    help="Each weight is what its score is above a threshold τ, in place of the softmax; τ makes a row sum to 1. Keys "
    "below it have a weight of exactly 0.",
    does="weigh",
    line="sparsemax",
    amount=lambda spec, place, xp: None,
    apply=lambda scores, amount, xp: xp["sparsemax"](scores),
    latex=r"\mathrm{{sparsemax}}({scores})",
    spoken="sparsemax of each row of scores, {scores}",
    torch="sparsemax({scores})",
    torch_function='''\
def sparsemax(scores):
    """Return max(scores - tau, 0), where tau makes each row sum to 1 (Martins & Astudillo 2016)."""
    scores = scores - scores.amax(dim=-1, keepdim=True)
    falling = scores.sort(dim=-1, descending=True).values
    count = torch.arange(1, scores.shape[-1] + 1, dtype=scores.dtype)
    sums = falling.cumsum(dim=-1) - 1
    support = (count * falling > sums).sum(dim=-1, keepdim=True).clamp(min=1)  # how many keys have a weight
    return (scores - sums.gather(-1, support - 1) / support).clamp(min=0)''',
    weights=RowWeights(
        lines=(
            RowLine(
                "− τ = (sum of the {count} largest − 1) ÷ {count}",
                number=lambda amount, row, key, xp: row.max() - xp["sparsemax"](row).max(),
                count=lambda row, xp: int((xp["sparsemax"](row) > 0).sum()),
            ),
            RowLine("at least 0", number=lambda amount, row, key, xp: xp["sparsemax"](row)[key]),
        )
    ),
    copies=7,
)
