"""Sweeps: a spec with one or several fields set to one value after another."""
