"""Random programs and worlds, plain and captured; they are compared by what the tests compare with."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
