"""A sweep over the literals of a factory in the user's own file, in this process and in workers."""

import json

from attnviz.engine.sweeps.cells import compute, order_of
from attnviz.experiment.files import consent
from attnviz.experiment.labs import make_spec
from attnviz.experiment.sweeps.crossing import read_crossing

SOURCE = """\
def near(window, most=9):
    def near_mask(b, h, q_idx, kv_idx):
        return ((q_idx - kv_idx).abs() < window) & (kv_idx < most)

    return near_mask
"""


def order() -> str:
    mods = {"path": "near.py", "source": SOURCE}
    base = make_spec({"self_attention": True, "num_queries": 6, "num_heads": 1, "mods": mods})
    return order_of(read_crossing(base, ["mods.mask_mod=near(1),near(2, 4),near(9)"]), range(3), None)


def test_that_literals_are_swept_and_a_worker_has_the_consent_of_its_client() -> None:
    refused = json.loads(compute(order()))["rows"]
    assert all("not allowed to run" in row["failure"] for row in refused)
    consent.allow(consent.digest_of(SOURCE), remember=False)
    rows = json.loads(compute(order()))["rows"]
    assert [row["mods.mask_mod"] for row in rows] == ["near(1)", "near(2, 4)", "near(9)"]
    assert [row["failure"] for row in rows] == ["", "", ""]
    assert rows[0]["entropy"] == 0 < rows[1]["entropy"] < rows[2]["entropy"]
