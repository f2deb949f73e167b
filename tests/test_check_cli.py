"""``astrace check``: targets, arguments, formats, exit codes."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest

from astrace.errors import InvalidArgument
from astrace.integrations import cli
from astrace.integrations.targets import arguments

FILE = """
import numpy as np

CONFIG = {"eps": 0.1}
ASTRACE_EXAMPLES = {"shift": [(np.ones(3),)], "Net": [(2.0,)]}


def shift(x):
    return x + CONFIG["eps"]


def half(x):
    return x / 2 if x.dtype.kind == "f" else x // 2


class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x: np.ndarray):
        return x * self.w


def _private(x):
    raise AssertionError


"<script>alert(1)</script>"
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "checked_model.py"
    path.write_text(FILE)
    yield "checked_model.py"
    sys.modules.pop("checked_model", None)


def run(capsys, *words):
    code = cli.main(["check", "--level", "quick", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["checked_model.py"], 0),
        (["checked_model"], 0),
        (["checked_model:shift"], 0),
        (["checked_model.py:Net.forward"], 0),
        (["checked_model:half", "--frozen", "--args", "[1.0, 2.0]"], 1),
        (["checked_model:shift", "--frozen", "--strict"], 1),
        (["checked_model:nothing"], 2),
        (["no_such_module"], 2),
        (["no_such_file.py"], 2),
        (["checked_model:shift", "--args", "__import__('os')"], 2),
        (["checked_model:shift", "--max-examples", "-1"], 2),
        (["checked_model:shift", "--no-such-option"], 2),
        (["broken_model.py"], 3),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_exit_codes(file, capsys, tmp_path, words, code):
    (tmp_path / "broken_model.py").write_text("raise RuntimeError('no')\n")
    found, out, err = run(capsys, *words)
    assert found == code, out + err
    assert "\x1b" not in out + err  # neither progress nor color but on a terminal
    assert code < 2 or err


def test_every_public_function_and_method_is_checked(file, capsys):
    _, out, _ = run(capsys, "checked_model.py", "--json")
    data = json.loads(out)
    assert [part["name"] for part in data["parts"]] == ["shift", "half", "Net.forward"]
    assert data["ok"] and all(part["coverage"]["examples"] > 5 for part in data["parts"])


def test_json_says_all_there_is(file, capsys):
    _, out, _ = run(capsys, "checked_model:shift", "--frozen", "--args", "[1.0, 2.0]", "--json")
    (found,) = [one for one in json.loads(out)["findings"] if one["code"] == "AC202"]
    assert found["grade"] == "warning" and found["location"]["line"] == 9
    assert found["constant"] == {"what": "CONFIG['eps']", "origin": "frozen", "then": "0.1", "now": "1.15"}
    assert "from checked_model import shift" in found["example"]


def test_sarif(file, capsys):
    _, out, _ = run(capsys, "checked_model:half", "--frozen", "--args", "[1.0, 2.0]", "--sarif")
    data = json.loads(out)
    (driven,) = data["runs"]
    assert data["version"] == "2.1.0"
    rules = [rule["id"] for rule in driven["tool"]["driver"]["rules"]]
    for result in driven["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"] and result["level"] in (
            "error",
            "warning",
            "note",
        )
        assert result["message"]["text"] and len(result["partialFingerprints"]["astrace/v1"]) == 32
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "checked_model.py" and place["region"]["startLine"] > 0


def test_junit(file, capsys):
    _, out, _ = run(capsys, "checked_model:half", "--frozen", "--args", "[1.0, 2.0]", "--junit")
    suite = ET.fromstring(out)[0]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite[0][0].get("type") == "AC102" and "fix:" in suite[0][0].text


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def test_html_escapes_what_it_shows(file, capsys, tmp_path):
    text = FILE.replace('CONFIG = {"eps": 0.1}', 'CONFIG = {"<script>": 0.1}').replace('"eps"', '"<script>"')
    (tmp_path / "checked_model.py").write_text(text)
    code, out, _ = run(capsys, "checked_model.py:shift", "--frozen", "--html", "--output", "page.html")
    assert (code, out) == (0, "")
    page = Page()
    page.feed((tmp_path / "page.html").read_text())
    assert "script" not in [tag for tag, _ in page.tags] and "CONFIG['<script>']" in page.text
    assert any("default-src 'none'" in attrs.get("content", "") for _, attrs in page.tags)
    assert not any(name in attrs for _, attrs in page.tags for name in ("src", "href", "onclick"))


def test_annotations_for_a_workflow(file, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    _, out, _ = run(capsys, "checked_model:half", "--frozen", "--args", "[1.0, 2.0]")
    (line,) = [line for line in out.splitlines() if line.startswith("::error ")]
    assert line.startswith("::error file=checked_model.py,line=13,title=astrace AC102%3A ")
    assert "::" in line[8:]
    _, out, _ = run(capsys, "checked_model:half", "--frozen", "--args", "[1.0, 2.0]", "--json")
    json.loads(out)


def test_the_same_inputs_at_every_run(file, capsys):
    first = run(capsys, "checked_model:half", "--frozen", "--args", "[1.0, 2.0]")[1]
    sys.modules.pop("checked_model")
    second = run(capsys, "checked_model:half", "--frozen", "--args", "[1.0, 2.0]")[1]
    assert first.rsplit("(", 1)[0] == second.rsplit("(", 1)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", (1,)),
        ("[1.0, 2.0], 3", (np.array([1.0, 2.0]), 3)),
        ("[[1, 2], [3, 4]]", (np.array([[1, 2], [3, 4]]),)),
        ("['a', 1]", (["a", 1],)),
        ("{'k': [1.0]}", ({"k": np.array([1.0])},)),
        ("None, True, (1, 'x')", (None, True, (1, "x"))),
    ],
)
def test_arguments(text, expected):
    found = arguments(text)
    assert repr(found) == repr(expected)


@pytest.mark.parametrize(
    "text", ["f()", "[", "x", "1" * 200_000, "@nothing.npy", "'@nothing.npy'", "[" * 5000]
)
def test_arguments_that_are_none(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgument):
        arguments(text if text[0] != "@" else repr(text))


def test_arguments_from_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.arange(3.0))
    (tmp_path / "y.json").write_text('{"a": [1.0, 2.0]}')
    x, y = arguments("'@x.npy', '@y.json'")
    assert x.tolist() == [0.0, 1.0, 2.0] and y["a"].tolist() == [1.0, 2.0]
    np.save("o.npy", np.array([object()]), allow_pickle=True)
    with pytest.raises(InvalidArgument):
        arguments("'@o.npy'")
