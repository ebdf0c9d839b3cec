"""The run: a spec goes in, traces come out. torch, no Qt."""
