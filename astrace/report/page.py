"""Records as one HTML file that needs nothing else: data, style and script are in it, and it loads nothing.

The data stands in a script element as JSON in which no character can end that element; the script makes text of it, never
markup.  The page's policy allows the scripts in it by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import resources
from typing import Any, Final

from astrace.report.records import FunctionRecord, RunRecord
from astrace.util.html_tables import Row, safe, table_part
from astrace.util.terminal import counted

ESCAPES: Final[Mapping[int, str]] = {ord(char): f"\\u{ord(char):04x}" for char in "<>&'\u2028\u2029"}
"""Characters of JSON that mean something in a page or a script; strings in JSON may have them escaped."""
SCRIPTS: Final = ("elements.js", "lines.js", "drawing.js", "functions.js", "start.js")
"""The scripts of the page, in the order in which they are joined."""


def page(record: RunRecord) -> str:
    """Return a run as a page.

    Args:
        record: the run.
    """
    style = _asset("report.css")
    library = _asset("dagre.min.js").partition("//# sourceMappingURL")[0]
    library = f"/*\n@dagrejs/dagre, for the layout of graphs\n{_asset('dagre.LICENSE.txt')}*/\n{library}"
    script = '"use strict";\n(() => {\n' + "\n".join(map(_asset, SCRIPTS)) + "\n})();"
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(library)} {_hash(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "title": safe(f"{record.title}: astrace"),
        "policy": policy,
        "style": style,
        "library": library,
        "script": script,
        "data": json_of(record),
    }
    text = _asset("report.html")
    head, *others = text.split("{{")
    pieces = (one.partition("}}") for one in others)
    return head + "".join(parts[name] + rest for name, _, rest in pieces)


def json_of(record: RunRecord) -> str:
    r"""Return a run as JSON that can stand in a script element.

    Example:
        >>> json_of("</script>")  # any data
        '"\\u003c/script\\u003e"'
    """
    text = json.dumps(record, default=_fields, separators=(",", ":"), ensure_ascii=False)
    return text.translate(ESCAPES).encode("utf-8", "backslashreplace").decode()


def _fields(value: Any) -> Any:
    """A record as a dict; of a record's parts that are empty, nothing."""
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return str(value)


def _asset(name: str) -> str:
    """Read a file of the page."""
    return (resources.files("astrace.report") / "assets" / name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return the source of a policy that allows a text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# -- in a notebook -----------------------------------------------------------------------------------------


def part(record: RunRecord) -> str:
    """Return a run as a table for notebooks, with no script in it."""
    took = "" if record.seconds is None else f", {record.seconds:.2f} s"
    title = f"{record.title}: {counted(len(record.functions), 'compiled function')}{took}; {record.outcome}"
    heads = ("function", "state", "calls", "captures", "plain calls", "time", "saved", "backend")
    return table_part(title, heads, list(map(_row, record.functions)))


def _row(record: FunctionRecord) -> Row:
    timing = record.timing
    took = "" if timing is None else f"{timing.total:.4f} s"
    saved = "" if timing is None or timing.saved is None else f"{timing.saved:+.4f} s"
    backends = ", ".join(dict.fromkeys(capture.backend for capture in record.captures))
    counts = (str(record.calls), str(record.traces), str(record.fallbacks))
    return (record.name, record.state, *counts, took, saved, backends)
