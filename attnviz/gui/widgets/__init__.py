"""Small widgets that any lab may use."""
