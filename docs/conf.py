"""The site made of these pages: `python -m sphinx -W --keep-going -b html docs build/site`.

The pages are plain Markdown that reads well by itself, so what only the site needs is added here as they are read: the
table of contents, and the reference of names, which `reference/api.md` marks by comments.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

import astrace  # noqa: E402

project = "astrace"
copyright = "the authors of astrace"  # noqa: A001
version = release = astrace.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"
source_suffix = {".md": "markdown"}
default_role = "code"

myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
python_use_unqualified_type_names = True

html_theme = "pydata_sphinx_theme"
html_title = "astrace"
html_copy_source = False
html_show_sphinx = False
html_theme_options: dict[str, Any] = {
    "header_links_before_dropdown": 7,
    "navigation_with_keys": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
}

# -- what the site adds to the pages -----------------------------------------------------------------------

CONTENTS: dict[str, tuple[str, ...]] = {
    "README": (
        "start",
        "how-it-works",
        "guides/README",
        "gallery/README",
        "comparison",
        "reference/README",
        "internals/README",
    ),
    "guides/README": ("guides/*", "check", "libraries", "observe", "performance", "benchmarks"),
    "gallery/README": ("gallery/*",),
    "reference/README": ("reference/api", "reference/reasons", "reference/*"),
    "internals/README": ("internals/walkthrough", "internals/*", "fuzzing", "coverage", "design/*"),
}
"""Which pages lie below which.  A page at the top that nobody names is a guide, so that a new one needs no line here."""

API = re.compile(r"^<!-- api: (\w+) ([\w.]+) -->$", re.MULTILINE)
"""A place in `reference/api.md`, with the kind of what is documented there and its name."""
MEMBERS = {"class": "   :members:\n", "function": "", "exception": "   :members:\n", "module": ""}


def contents() -> dict[str, list[str]]:
    """The pages below each page, every one of them once."""
    taken: set[str] = {"README", *(name for names in CONTENTS.values() for name in names if "*" not in name)}
    below: dict[str, list[str]] = {}
    for page, names in CONTENTS.items():
        below[page] = []
        for name in names:
            found = sorted(
                path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.glob(f"{name}.md")
            )
            below[page] += found if "*" not in name else [one for one in found if one not in taken]
            taken.update(found)
    top = (path.stem for path in sorted(DOCS.glob("*.md")))
    below["guides/README"] += [name for name in top if name not in taken]
    return below


def toctree(names: list[str]) -> str:
    """A table of contents that only the navigation shows."""
    lines = "\n".join(f"/{name}" for name in names)
    return f"\n\n```{{toctree}}\n:hidden:\n\n{lines}\n```\n"


def described(match: re.Match[str]) -> str:
    """The directive for one place of the reference."""
    kind, name = match.groups()
    return f"```{{eval-rst}}\n.. auto{kind}:: {name}\n{MEMBERS[kind]}```"


def add_to_page(_: object, page: str, source: list[str]) -> None:
    """Add what the site needs to a page that is being read."""
    source[0] = API.sub(described, source[0])
    if names := contents().get(page):
        source[0] += toctree(names)


def setup(app: Any) -> None:
    """Read pages through `add_to_page`."""
    app.connect("source-read", add_to_page)
