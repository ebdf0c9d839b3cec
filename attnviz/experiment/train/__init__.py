"""The training lab's spec, trace, view settings and studies."""
