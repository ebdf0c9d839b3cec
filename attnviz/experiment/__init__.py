"""The data types: specs, traces and what is derived from them. No torch, no Qt."""
