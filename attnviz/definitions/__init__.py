"""The catalogue: one record for everything that has a name. Uses only the standard library.

Each kind (kernel, mask, mechanism, statistic, file format) has a record type and a `Registry`. Everything that exists
once per item is a field of its record: title, help, formula, mathematics, limits, the line of PyTorch. The layers above
read the record; no other file lists the names.
"""
