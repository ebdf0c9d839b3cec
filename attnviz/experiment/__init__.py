"""The data types: specs, traces and derived values. No torch, no Qt."""
