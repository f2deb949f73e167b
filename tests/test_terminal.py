"""What is written to a terminal: lines of source with carets, colours where they are shown, and no control characters."""

from __future__ import annotations

import io
import logging
import re
from pathlib import Path

import numpy as np
import pytest
from terminals import on_terminal

import astrace
from astrace.locations import Location
from astrace.util import events
from astrace.util.terminal import carets, excerpt, is_coloured, painted, shown

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    def isatty(self):
        return True


# -- carets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message", "marked"),
    [
        ("return sorted(locals())", "`locals()`, which reads the frame", ["locals"]),
        ('x = SETTINGS["rate"] ** 2', "with `SETTINGS['rate']` set", ['SETTINGS["rate"]']),
        ("y = rate + rates * rate.a", "`rate` is frozen", ["rate", "rate"]),
        ("y = self.rate + rate", "`rate` is frozen", ["rate"]),
        ("y = a + b", "`zzz` and `b` are", ["b"]),
        ("y = a + b  # the sum", "it differs", ["y = a + b"]),
        ("y = '#1' + b  # the sum", "it differs", ["y = '#1' + b"]),
        (r"y = 'it\'s #1'  # one", "it differs", [r"y = 'it\'s #1'"]),
        ("# only this", "it differs", ["# only this"]),
        ('""" open text', "it differs", ['""" open text']),
    ],
)
def test_carets_stand_below_what_a_message_names(text, message, marked):
    marks = carets(text, message)
    assert [text[one.start() : one.end()] for one in re.finditer(r"\^+", marks)] == marked
    assert set(marks) <= {" ", "^"}


def test_carets_are_as_wide_as_what_they_mark():
    assert carets("名 = 値", "`値` differs") == "     ^^"
    assert carets("e\u0301 = x", "`x` differs") == "    ^"


def test_an_excerpt_moves_no_cursor(tmp_path):
    (tmp_path / "odd.py").write_text("x = '\x1b[2J' + y\n")
    lines = excerpt(Location(str(tmp_path / "odd.py"), 1, "f"), "`y` differs")
    assert lines == [r"1 | x = '\x1b[2J' + y", "  | " + " " * 16 + "^"]
    assert excerpt(Location("no such file", 1, "f")) == excerpt(None) == []


def replaced(x):
    print("é", sorted(locals()))
    return x


def test_reasons_findings_and_explain_show_the_same_carets():
    with pytest.raises(astrace.NotCaptured) as caught:
        astrace.compile(replaced, fullgraph=True)(1.0)
    line = replaced.__code__.co_firstlineno + 1
    expected = f'{line} | print("é", sorted(locals()))\n    {" " * len(str(line))} |                   ^^^^^^'
    assert f"    {expected}\n" in str(caught.value)
    told = str(astrace.compile(replaced).explain(1.0)).splitlines()
    (at,) = [index for index, text in enumerate(told) if text.endswith("sorted(locals()))")]
    assert told[at + 1].index("^") == told[at].index("locals") and told[at + 1].count("^") == len("locals")
    report = astrace.check(astrace.trace(scaled, np.ones(2)), np.ones(2), original=scaled, level="quick")
    (_, text, marks, *_) = str(report.warnings[0]).splitlines()
    assert marks.index("^") == text.index("CONFIG") and marks.count("^") == len("CONFIG['rate']")


CONFIG = {"rate": 2.0}


def scaled(x):
    return x * CONFIG["rate"]


# -- colours ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_who_gets_colours(variables, terminal, expected, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    stream = Terminal() if terminal else io.StringIO()
    assert is_coloured(stream) is expected
    assert bool(ESCAPES.search(shown("error AC101 f: a value", stream))) is expected


def test_colours_change_nothing_else():
    texts = [
        str(astrace.compile(replaced).explain(1.0)),
        str(astrace.compile(scaled).explain(np.ones(2))),
        str(astrace.check(scaled, np.ones(2), level="quick").text(notes=True)),
        "[astrace.graph] graph of f\nf(x: float64):\n  -> x",
        "",
    ]
    for text in texts:
        assert ESCAPES.sub("", painted(text)) == text
        assert painted(text).count("\x1b[0m") * 2 == len(ESCAPES.findall(painted(text)))
    assert "\x1b[1;33m       AT106\x1b[0m" in painted(texts[0])


def test_logs_are_coloured_where_the_stream_shows_it(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    record = logging.LogRecord(
        "astrace.fallback", 10, "f", 1, "g runs as plain Python\nAT103: why", None, None
    )
    told = events.formatter(Terminal()).format(record)
    assert told == "\x1b[2m[astrace.fallback]\x1b[0m g runs as plain Python\n\x1b[1;33mAT103\x1b[0m: why"
    plain = events.formatter(io.StringIO()).format(record)
    assert plain == "[astrace.fallback] g runs as plain Python\nAT103: why"


MODEL = """
import numpy as np

CONFIG = {"rate": 2.0}
ASTRACE_EXAMPLES = {"f": [(np.ones(2),)]}


def f(x):
    return x * CONFIG["rate"]
"""


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_check_on_a_terminal(tmp_path: Path, variables, coloured):
    (tmp_path / "model.py").write_text(MODEL)
    words = ("-m", "astrace", "check", "--frozen", "--level", "quick", "model.py:f")
    code, told = on_terminal(*words, folder=tmp_path, **variables)
    assert code == 0, told
    assert ("\x1b[1;33mwarning AC202\x1b[0m model.py:9 in f" in told) is coloured
    assert "9 | return x * CONFIG['rate']\n      |            ^^^^^^^^^^^^^^\n" in ESCAPES.sub(
        "", told
    ).replace('"', "'")
    assert coloured or not ESCAPES.search(told)
