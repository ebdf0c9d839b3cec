"""attnviz, a desktop bench for attention."""

__version__ = "0.1.0"
