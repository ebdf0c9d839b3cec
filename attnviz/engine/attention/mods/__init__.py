"""The user's own ``mask_mod`` and ``score_mod``, run in a process of their own.

`process` asks it, and reads its `answers` and `messages`; `worker` is its program, with `loading`, `evaluation`,
`clauses` and `failures`.
"""
