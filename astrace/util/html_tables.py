"""Small pieces of HTML for notebooks: a table, and preformatted text; colours follow the page, and there is no script.

Takes text, which is escaped here; knows nothing of what it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, TypeAlias

Row: TypeAlias = tuple[str, ...]
STYLE: Final = """
.astrace-part { font: 13px/1.45 system-ui, sans-serif; color: inherit; text-align: left; max-width: 100%; overflow-x: auto; }
.astrace-part .head { font-weight: 600; margin: 0 0 .4rem 0; }
.astrace-part table { border-collapse: collapse; }
.astrace-part th, .astrace-part td { text-align: left; padding: .15rem .7rem .15rem 0; border-bottom: 1px solid #8884;
  vertical-align: top; overflow-wrap: break-word; }
.astrace-part th { font-weight: 600; opacity: .75; white-space: nowrap; }
.astrace-part pre { font: 12px/1.45 ui-monospace, monospace; background: #8881; color: inherit; margin: 0 0 .5rem 0;
  padding: .5rem .7rem; border-radius: 6px; overflow-x: auto; }
.astrace-part summary { cursor: pointer; font-weight: 600; margin: .2rem 0; }
"""
CONTROLS: Final = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), 127)}
"""Control characters, which browsers do not show, as Python writes them."""


def safe(text: str) -> str:
    r"""Return a text as it may stand in a page.

    Example:
        >>> safe("<b>\x1b")
        '&lt;b&gt;\\x1b'
    """
    return escape(text.translate(CONTROLS).encode("utf-8", "backslashreplace").decode())


def table_part(title: str, heads: Sequence[str], rows: Sequence[Row]) -> str:
    """Return a table with a title.

    Args:
        title: stands above it.
        heads: the names of the columns.
        rows: the cells of each row.
    """
    head = "".join(f"<th>{safe(one)}</th>" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{safe(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
    return _part(f"{_head(title)}{table}")


def text_part(title: str, texts: Sequence[tuple[str, str]]) -> str:
    """Return texts as they are, each below a heading that opens it; the first is open.

    Args:
        title: stands above them; may be empty.
        texts: headings and texts; an empty heading leaves the text open.
    """
    head = _head(title)
    return _part(head + "".join(_text(name, text, not index) for index, (name, text) in enumerate(texts)))


def _head(title: str) -> str:
    return f'<p class="head">{safe(title)}</p>' if title else ""


def _text(name: str, text: str, is_open: bool) -> str:
    shown = f"<pre>{safe(text)}</pre>"
    opened = " open" * is_open
    return f"<details{opened}><summary>{safe(name)}</summary>{shown}</details>" if name else shown


def _part(markup: str) -> str:
    return f'<div class="astrace-part"><style>{STYLE}</style>{markup}</div>'
