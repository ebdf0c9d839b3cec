"""Runs a command of attnviz in a separate process."""

import sys
from collections.abc import Sequence

from PySide6.QtCore import QProcess, QProcessEnvironment

from attnviz.parent import VARIABLE


def start_command(process: QProcess, arguments: Sequence[str], document: str) -> None:
    """Start ``attnviz ARGUMENTS`` with a document on its standard input; it ends with the window."""
    environment = QProcessEnvironment.systemEnvironment()
    environment.insert(VARIABLE, "1")
    process.setProcessEnvironment(environment)
    process.start(sys.executable, ["-m", "attnviz", *arguments])  # a frozen program understands it as well
    process.write(document.encode())
    process.closeWriteChannel()
