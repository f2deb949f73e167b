"""How commands speak and end: the width of their help, exit codes, and why a command could not do its work.

Knows no command, and loads next to nothing: what a script under ``astrace run`` waits for.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from astrace.util.progress import terminal_columns
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


def help_formatter(prog: str) -> argparse.HelpFormatter:
    """What formats help, and looks at each option; argparse's own loads `shutil`, and all that packs files, to ask for the width.

    Args:
        prog: the name of the program.
    """
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if given.isdecimal() and int(given) else terminal_columns(sys.stdout)
    return argparse.HelpFormatter(prog, width=columns - 2)
