"""Exports: files made from a trace. No torch, no Qt."""
