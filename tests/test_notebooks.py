"""Notebooks: what shows itself there, functions of cells, cells that are run anew, and the magic ``%%astrace``."""

from __future__ import annotations

import ast
import html.parser
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.error import UsageError

import astrace
from astrace.integrations.notebook import CompileFunctions, load_ipython_extension
from astrace.library.report import FunctionRow, LibraryReport

ROOT = Path(__file__).parent.parent
HOSTILE = "<script>alert(1)</script>\x1b"


class Markup(html.parser.HTMLParser):
    """The tags and the text of a piece of markup, which must be closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.open = [], "", []
        self.feed(text)
        self.close()
        assert self.open == [] and not {"script", "img", "a"} & set(self.tags)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text += data


def shown(value: Any) -> Markup:
    return Markup(value._repr_html_())


def halve(x, n):
    while x.sum() > n:
        x = x / 2
    return x


def texts(x):
    yield x


def test_graphs_stages_and_counts_show_themselves():
    f = astrace.compile(halve)
    f(np.ones(3), 2)
    stages = f.stages(np.ones(3), 2)
    found = shown(stages)
    assert found.tags.count("details") == 3 and "while_loop" in found.text and "ag.while_loop" in found.text
    assert str(stages.graph) in shown(stages.graph).text
    frozen = astrace.trace(halve, np.ones(3), 2)
    assert str(frozen) in shown(frozen).text and "PortableGraph of halve" in shown(frozen).text
    counts = shown(f.stats)
    assert counts.tags.count("td") == 5 and "guard failures" in counts.text
    text = f.explain(np.ones(3), 2)
    assert isinstance(text, str) and shown(text).text == text and "AT003" in text


def test_stages_of_what_is_not_captured_show_the_reason():
    f = astrace.compile(texts)
    assert "AT104" in shown(f.stages(1)).text
    second = astrace.compile(halve)
    second(np.ones(3), 2)
    second(np.ones(3, np.float32), 2)
    assert "captured again" in shown(second.captures[1]).text


def test_reports_show_themselves():
    report = astrace.check(halve, np.ones(3), 2, level="quick")
    assert "halve" in shown(report).text
    row = FunctionRow(f"pkg.{HOSTILE}", "a.py", 3, "plain", ("AT104",), ("why",), 7, 0.5, None, 0.1, "")
    found = shown(LibraryReport(("pkg",), (row, row._replace(name="pkg.other", state="never called"))))
    assert "AT104" in found.text and "<script>" in found.text and "other" not in found.text
    f = astrace.compile(halve)
    with astrace.recording(HOSTILE) as run:
        f(np.ones(3), 2)
    assert HOSTILE.replace("\x1b", "\\x1b") in shown(run).text and "halve" in shown(run).text


class Shell:
    """What the magic uses of IPython's shell."""

    def __init__(self, namespace):
        self.ast_transformers, self.namespace, self.magics = [], namespace, {}

    def register_magic_function(self, magic, kind, name):
        self.magics[kind, name] = magic

    def run_cell(self, cell):
        error = None
        tree = ast.parse(cell)
        for one in self.ast_transformers:
            tree = one.visit(tree)
        try:
            exec(compile(tree, "<cell>", "exec"), self.namespace)
        except Exception as raised:
            error = raised
        return types.SimpleNamespace(error_before_exec=None, error_in_exec=error)


def test_the_magic_tells_what_became_of_a_cell(tmp_path):
    shell = Shell({"f": astrace.compile(halve), "np": np, "g": astrace.compile(texts)})
    load_ipython_extension(shell)
    magic = shell.magics["cell", "astrace"]
    found = magic("", "f(np.ones(3), 2); list(g(1))")
    assert "halve: whole; 1 call, 1 capture" in repr(found) and "AT104" in repr(found)
    assert "halve" in shown(found).text and "AT003" in shown(found).text and "AT104" in shown(found).text
    assert (
        "no compiled function was called" in repr(magic("", "x = 1"))
        and "-c" in shown(magic("", "x = 1")).text
    )
    with pytest.raises(UsageError, match="there is no folder"):
        magic("--save no/such/cell.html", "unseen = 1")
    assert "unseen" not in shell.namespace
    failed = magic(f"--lines --save {tmp_path / 'cell.html'}", "1 / 0")
    assert failed.record.outcome == "ZeroDivisionError: division by zero"
    assert "ZeroDivisionError" in (tmp_path / "cell.html").read_text()
    for line in ("--bad", "--save", "-c x"):
        with pytest.raises(UsageError, match="accepted are"):
            magic(line, "1")
    assert shell.ast_transformers == []


def test_the_magic_compiles_what_a_cell_defines():
    source = "def f(x):\n    def inner(y):\n        return y\n    return inner(x)\nclass A:\n    def m(self): pass\n@staticmethod\ndef g(): pass"
    tree = CompileFunctions().visit(ast.parse(source))
    f, cls, g = tree.body
    assert len(f.decorator_list) == 1 and f.decorator_list[0].lineno == 1
    assert cls.body[0].decorator_list == f.body[0].decorator_list == [] and len(g.decorator_list) == 1


CELLS = {
    "load": "%load_ext astrace\nimport numpy as np, astrace",
    "define": "@astrace.compile\ndef f(x):\n    while x.sum() > 1:\n        x = helper(x)\n    return x\n\ndef helper(x):\n    return x / 2\nf(np.ones(4)).tolist(), f.stats.traces, f.captures[-1].fallback",
    "again": "def helper(x):\n    return x / 8\nf(np.ones(4)).tolist(), f.stats.traces, str(f.captures[-1].failed[0])[:17]",
    "itself": "@astrace.compile\ndef f(x):\n    return x + 1\nf(1), f.stats.traces, f.captures[-1].fallback",
    "stages": "f.stages(1)",
    "magic": "%%astrace\nf(2.0)",
    "compiled": "%%astrace -c\ndef g(x):\n    if x > 0:\n        return x * 2\n    return -x\n[g(2.0), g(-1.0)]",
    "extra": "import sys\nsys.modules['hypothesis'] = None\ntry:\n    astrace.check(f, 1.0)\nexcept astrace.MissingExtra as error:\n    told = str(error)\ntold",
    "await": "import asyncio\nawait asyncio.sleep(0)\n@astrace.compile\ndef k(x):\n    return x * 3\nk(2), k.captures[-1].fallback",
}


def test_a_notebook():
    """Executed once: kernels take seconds to start."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (astrace[dev])")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (astrace[dev])")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed (astrace[dev])")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS.values()])
    resources = {"metadata": {"path": str(ROOT)}}
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources=resources).execute()
    found = {
        name: [one["data"] for one in cell.outputs if "data" in one]
        for name, cell in zip(CELLS, book.cells, strict=True)
    }
    assert found["define"][0]["text/plain"] == "([0.25, 0.25, 0.25, 0.25], 1, None)"
    assert found["again"][0]["text/plain"] == "([0.125, 0.125, 0.125, 0.125], 2, '`helper` changed ')"
    assert found["itself"][0]["text/plain"] == "(2, 1, None)"
    assert "add(x, 1)" in Markup(found["stages"][0]["text/html"]).text
    assert [one.get("text/plain") for one in found["magic"]][0] == "3.0"
    assert "__main__.f: whole; 1 call, 1 capture" in found["magic"][1]["text/plain"]
    assert found["compiled"][0]["text/plain"] == "[4.0, 1.0]"
    assert "cond(v1)" in Markup(found["compiled"][1]["text/html"]).text
    assert "run %pip install 'astrace[check]' in a cell" in found["extra"][0]["text/plain"]
    assert found["await"][0]["text/plain"] == "(6, None)"
