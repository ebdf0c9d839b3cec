"""The lines of a script that make its mask, run by themselves, make the mask of the run."""

from typing import Any

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import masked_values

from attnviz.engine.attention.run import make_mask
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import make_spec
from attnviz.export.code.attention.inputs import has_mask, mask_lines, names_of
from attnviz.export.code.text import WIDTH


@given(values=masked_values(), finely=st.booleans())
def test_that_the_lines_of_the_mask_make_the_mask_of_the_run(values: dict[str, Any], finely: bool) -> None:
    if finely:  # more strokes than are written one by one
        values |= {"num_queries": 8, "num_kvpairs": 8, "valid_lens": None, "inputs": {"kind": "random"}}
        values |= {"context_length": 8, "painted": "; ".join(f"{query}: 1 3 {query}" for query in range(5))}
    spec = make_spec(values)
    assert isinstance(spec, AttentionSpec)
    expected = make_mask(spec, torch.device("cpu"))
    assert has_mask(spec) == (expected is not None)
    if expected is None:
        return
    sizes = spec.batch_size, spec.num_queries, spec.num_kvpairs
    tokens = torch.zeros(spec.batch_size, 1, 1)
    names: dict[str, Any] = {"torch": torch, "X": tokens, "queries": tokens}
    names |= {names_of(spec).keys: sizes[2], names_of(spec).queries: sizes[1]}
    lines = mask_lines(spec)
    exec("\n".join(lines), names)
    mask = (
        names["mask"].expand(sizes[0], spec.heads_run, *sizes[1:])
        if spec.heads_run > 1
        else names["mask"].expand(sizes)
    )
    assert mask.dtype == torch.bool
    np.testing.assert_array_equal(mask.reshape(sizes[0], -1, *sizes[1:])[:, -1].numpy(), expected.expand(sizes).numpy())
    assert max(len(line) for line in "\n".join(lines).split("\n")) <= WIDTH
