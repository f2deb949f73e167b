"""How commands end: exit codes, and why a command could not do its work, on standard error.

Knows no command, and loads next to nothing: what a script under ``astrace run`` waits for.
"""

from __future__ import annotations

import sys
from typing import Final

from astrace.util.terminal import shown

FINE, FOUND, USAGE, FAILED = range(4)
"""All is well, something was found, the command is wrong, something could not be loaded or checked."""
INTERRUPTED: Final = 130


def failed(message: str, code: int) -> int:
    """Say why a command ends, and return its exit code.

    Args:
        message: why.
        code: one of the exit codes.
    """
    print(shown(f"astrace: {message}", sys.stderr), file=sys.stderr)
    return code
