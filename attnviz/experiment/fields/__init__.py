"""The fields of a spec: what each is, the problems of its value, and how two specs differ."""
