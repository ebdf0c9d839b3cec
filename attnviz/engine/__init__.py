"""The run: a spec goes in, traces come out. torch, no Qt."""

import os

# MKL, torch's matrix library on x86, sums in another order with another number of threads, and so differs in the last
# bit between the window and the command line. This asks it for one order; it is read when torch is loaded.
os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")

from attnviz.engine.installation import check_torch

check_torch()
