"""Small widgets shared by all labs."""
