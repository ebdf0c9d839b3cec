"""The fields of a spec: their declaration, the problems of their values, and the differences of two specs."""
