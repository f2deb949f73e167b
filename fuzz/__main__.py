"""``python -m fuzz`` is ``python -m fuzz.run``."""

import sys

from fuzz.run import main

sys.exit(main())
