"""The page on observing: its examples run, one after the other, and do what is said of them."""

import contextlib
import io
import linecache
import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "observe.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_examples():
    """Every block runs in the module that those before it have made."""
    namespace = {"__name__": "observe_page"}
    blocks = BLOCK.findall(PAGE.read_text())
    assert len(blocks) == 8
    printed = io.StringIO()
    for number, block in enumerate(blocks):
        assert "assert " in block
        file = f"<observe {number}>"
        linecache.cache[file] = (len(block), None, block.splitlines(keepends=True), file)
        with contextlib.redirect_stdout(printed):
            exec(compile(block, file, "exec"), namespace)
    assert (
        "infer(trace=3)" in printed.getvalue() and "astrace.observe: infer(trace=3) has" in printed.getvalue()
    )
    assert "<observe 6>:8, in root" in printed.getvalue()
