"""Pictures of a number per head: a map, tiles and a table, each of `HeadValues`; see `HeadMap`."""
