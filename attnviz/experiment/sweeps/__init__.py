"""Sweeps: a spec with one or several of its knobs set to one value after another."""
