"""Small files of functions to start from in the editor."""

from dataclasses import dataclass

from attnviz.definitions.text import English

_HEAD = '"""My own attention, as for torch.nn.attention.flex_attention."""\n\n'


@dataclass(frozen=True, slots=True)
class Template:
    """A text, and what of it is chosen."""

    title: English
    source: str
    mask_mod: str | None = None
    score_mod: str | None = None


def _mask(title: English, body: str, name: str = "mask_mod") -> Template:
    return Template(title, _HEAD + body, mask_mod=name)


def _score(title: English, body: str) -> Template:
    return Template(title, _HEAD + body, score_mod="score_mod")


TEMPLATES: tuple[Template, ...] = (
    _mask(
        "A mask",
        '''
def mask_mod(b, h, q_idx, kv_idx):
    """Return whether the query at q_idx may attend to the key at kv_idx."""
    return q_idx >= kv_idx
''',
    ),
    _mask(
        "A mask of clauses",
        """from torch.nn.attention.flex_attention import and_masks


def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def window(size):
    def near(b, h, q_idx, kv_idx):
        return q_idx - kv_idx < size

    return near


mask_mod = and_masks(causal, window(4))
""",
    ),
    _mask(
        "A mask that differs between heads",
        '''
def mask_mod(b, h, q_idx, kv_idx):
    """Each head sees twice as far back as the one before."""
    return (q_idx >= kv_idx) & (q_idx - kv_idx < 2 ** (h + 1))
''',
    ),
    _mask(
        "Documents, from a tensor",
        '''import torch

document = torch.arange(65_536) // 4


def mask_mod(b, h, q_idx, kv_idx):
    """Only tokens of one document attend to each other."""
    return document[q_idx] == document[kv_idx]
''',
    ),
    _score(
        "A score that falls with the distance",
        '''
def score_mod(score, b, h, q_idx, kv_idx):
    """ALiBi: each head has a slope of its own."""
    return score - 2.0 ** -(h + 1) * (q_idx - kv_idx).abs()
''',
    ),
    _score(
        "A score with a soft cap",
        """import torch

CAP = 2.0


def score_mod(score, b, h, q_idx, kv_idx):
    return CAP * torch.tanh(score / CAP)
""",
    ),
)
