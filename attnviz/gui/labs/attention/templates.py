"""Small files of functions to start from in the editor."""

from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from attnviz.definitions.masks import MASKS, in_force
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.text import English
from attnviz.experiment.attention.spec import AttentionSpec

_HEAD = '"""My own attention, as for torch.nn.attention.flex_attention."""\n\n'


@dataclass(frozen=True, slots=True)
class Template:
    """A text, and what of it is chosen."""

    title: English
    source: str
    mask_mod: str | None = None
    score_mod: str | None = None
    masks: tuple[Mask, ...] = ()
    """The masks of the form that it stands for."""


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


def templates_of_masks(spec: AttentionSpec) -> tuple[Template, ...]:
    """Return the masks of the form in FlexAttention's form: with the settings of a spec, else with those of an example.

    The masks of a spec that has several come first, together.
    """
    from attnviz.export.code.attention.flex import flex_source, mask_name  # only once the menu is opened

    sizes = spec.num_queries, spec.num_kvpairs
    states = {mask.name: state for mask, state in in_force(spec) if not mask.is_in_module(spec)}
    made = []
    if len(states) > 1:
        masks = tuple(MASKS[name] for name in states)
        source = flex_source([(mask, states[mask.name]) for mask in masks], *sizes)
        made.append(Template("All masks of this experiment", source, "mask_mod", masks=masks))
    for mask in MASKS.values():
        source = flex_source([(mask, states.get(mask.name, _example_of(mask, spec)))], *sizes)
        made.append(Template(mask.title, source, mask_name(mask), masks=(mask,)))
    return tuple(made)


def _example_of(mask: Mask, spec: AttentionSpec) -> Any:
    """Return the state of a mask's example; one with an entry for each item has as many as the spec."""
    if mask.per_item and isinstance(mask.example, tuple):
        return mask.prepare(tuple(islice(cycle(mask.example), spec.batch_size)))
    return mask.example_state
