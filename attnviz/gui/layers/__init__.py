"""The pictures of a layer of attention, used by labs, but independent of them."""
