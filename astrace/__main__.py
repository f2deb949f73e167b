"""``python -m astrace`` is the command line."""

import sys

from astrace.integrations.cli import main

if __name__ == "__main__":
    sys.exit(main())
