"""The base of the screens of labs whose traces have layers."""
