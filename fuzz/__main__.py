"""``python -m fuzz --programs N --seed S``: random programs, the rules hit, failures made short, a table.

It is ``python -m fuzz.run --rules --shrink``.
"""

import sys

from fuzz.run import main

sys.exit(main(full=True))
