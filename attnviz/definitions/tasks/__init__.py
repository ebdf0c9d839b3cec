"""The tasks that a transformer can learn.

To add one, write its record in a file here, with the roles of its heads, and add it below.
"""

from attnviz.definitions.registry import Registry
from attnviz.definitions.roles import ROLES
from attnviz.definitions.tasks.add import ADD
from attnviz.definitions.tasks.answered import COPY, REVERSE, SORT
from attnviz.definitions.tasks.repeat import REPEAT
from attnviz.definitions.tasks.text import TEXT

TASKS = Registry("task", (REPEAT, COPY, REVERSE, SORT, ADD, TEXT))
"""In the order of the form."""

EVERY_ROLE = Registry("role", (*ROLES.values(), *(role for task in TASKS.values() for role in task.roles)))
"""The roles of all tasks."""
