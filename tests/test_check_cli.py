"""``astrace check``: targets, arguments, formats, exit codes."""

from __future__ import annotations

import json
import sys
import types
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest

from astrace.errors import InvalidArgument
from astrace.integrations import cli
from astrace.integrations.cli_arguments import arguments

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
        (["checked_model.py::shift"], 0),
        (["checked_model.py::Net::forward"], 0),
        (["checked_model:half", "--frozen", "--args", "[1.0, 2.0]"], 1),
        (["checked_model:shift", "--frozen", "--strict"], 1),
        (["checked_model:nothing"], 2),
        (["no_such_module"], 2),
        (["no_such_file.py"], 2),
        (["checked_model:shift", "--args", "__import__('os')"], 2),
        (["checked_model:shift", "--max-examples", "-1"], 2),
        (["checked_model:shift", "--no-such-option"], 2),
        (["broken_model.py"], 3),
        (["no_functions.py"], 3),
        (["no_functions.py", "--allow-empty"], 0),
        (["needs_arguments.py"], 3),
        (["needs_arguments.py:Needs", "--args", "2.0"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_exit_codes(file, capsys, tmp_path, words, code):
    (tmp_path / "broken_model.py").write_text("raise RuntimeError('no')\n")
    (tmp_path / "no_functions.py").write_text("X = 1\n")
    (tmp_path / "needs_arguments.py").write_text(NEEDS)
    found, out, err = run(capsys, *words)
    assert found == code, out + err
    assert "\x1b" not in out + err  # neither progress nor color but on a terminal
    assert code < 2 or err


NEEDS = """
class Needs:
    def __init__(self, w):
        self.w = w

    def times(self, x: float):
        return x * self.w


def refuses(x):
    return x.no_such_attribute
"""
SAID = {
    "needs_arguments.py:Needs.times": (
        2,
        "missing 1 required positional argument: 'w'\n  fix: give arguments for its constructor: `ASTRACE_EXAMPLES",
    ),
    "needs_arguments.py:refuses": (
        3,
        "nothing was checked in needs_arguments.py:refuses: no call could be made",
    ),
    "no_functions.py": (3, "nothing was checked in no_functions.py: there is no public function or method"),
    "no_functions.py:X": (2, "X is no function, class or module, but of type int"),
    "checked_model:shft": (2, "checked_model has no 'shft'; did you mean 'shift'?"),
    "checked_model:shift:x": (
        2,
        "'checked_model:shift' is no target; write pkg.mod, pkg.mod:function, file.py or",
    ),
    "gone.py": (2, "no file gone.py"),
    "wrong_syntax.py": (
        3,
        "wrong_syntax.py:2: SyntaxError: invalid syntax\n    2 | return x +\n      |           ^\n",
    ),
    "wrong_import.py": (
        3,
        "wrong_import.py:1 in <module>: ModuleNotFoundError: No module named 'no_such_thing'",
    ),
    "wrong_import": (3, "wrong_import could not be loaded\n  "),
    "leaves.py": (3, "leaves.py:1 in <module>: SystemExit: 0"),
    "wrong_examples.py": (2, "ASTRACE_EXAMPLES['f'] in "),
    "other_examples.py": (2, "there is no 'g' in the module"),
    "checked_model --args 1": (2, "--args is for a function or a class; name one, as in pkg.mod:function"),
    "checked_model:shift --args 1,2": (
        2,
        "the example does not fit `shift(x)`: too many positional arguments",
    ),
    "checked_model:shift --args [1": (2, "'[1' is not made of literals: closing parenthesis"),
    "checked_model:shift --args '@gone.npy'": (2, "gone.npy: No such file or directory"),
    "checked_model:shift --output gone/x.json": (2, "gone/x.json: there is no folder gone"),
    "checked_model:shift --output .": (2, "is a folder; name a file"),
    "x.json": (2, "the file for the report is given with --output"),
    "checked_model:shift --no-such-option": (2, "unrecognized arguments: --no-such-option\n"),
    "checked_model:shift --json x.json": (2, "the file for the report is given with --output"),
    "checked_model:shift --seed -1": (2, "seed is -1; it must be a whole number of at least 0"),
    "checked_model:shift --deadline nan": (2, "deadline is nan; it must be a number of seconds, more than 0"),
    "checked_model:shift --database checked_model.py": (
        2,
        "database is 'checked_model.py', which is no folder",
    ),
}


@pytest.mark.parametrize("words", SAID)
def test_what_is_wrong_is_said_in_short(file, capsys, tmp_path, words):
    for name, text in {
        "needs_arguments": NEEDS,
        "no_functions": "X = 1\n",
        "wrong_syntax": "def f(x):\n    return x +\n",
        "wrong_import": "import no_such_thing\n",
        "leaves": "raise SystemExit(0)\n",
        "wrong_examples": "ASTRACE_EXAMPLES = {'f': [1]}\ndef f(x): return x\n",
        "other_examples": "ASTRACE_EXAMPLES = {'g': [(1,)]}\ndef f(x): return x\n",
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    before = sorted(tmp_path.iterdir())
    expected, says = SAID[words]
    code, _, err = run(capsys, *words.split())
    assert (code, "Traceback" in err) == (expected, False) and says in err, err
    assert len(err.splitlines()) <= 4
    assert [one for one in sorted(tmp_path.iterdir()) if one.name != "__pycache__"] == before


def test_a_report_is_written_whole_or_not_at_all(file, capsys, tmp_path, monkeypatch):
    def broken(self, text):
        raise OSError(28, "No space left on device")

    place = tmp_path / "report.json"
    place.write_text("before")
    words = ("checked_model:shift", "--json", "--output", "report.json")
    with monkeypatch.context() as patch:
        patch.setattr("astrace.util.atomic_files.Path.replace", broken)
        code, _, err = run(capsys, *words)
    assert code == 2 and "report.json: it can't be written (No space left on device)" in err
    assert place.read_text() == "before"
    assert {one.name for one in tmp_path.iterdir()} - {"__pycache__"} == {"checked_model.py", "report.json"}
    assert run(capsys, *words)[0] == 0 and json.loads(place.read_text())["ok"]


def test_examples_of_methods_and_what_a_module_prints(file, capfd, tmp_path):
    more = FILE.replace('"Net": [(2.0,)]', '"Net": [(2.0,)], "Net.forward": [(np.ones((2, 2)),)]')
    (tmp_path / "checked_model.py").write_text(f"print('loading')\n{more}")
    code, out, err = run(capfd, "checked_model.py:Net.forward", "--json")
    assert code == 0 and json.loads(out)["name"] == "Net.forward" and err == "loading\n"


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
    words = "checked_model:half", "--frozen", "--args", "[1.0, 2.0]", "--deadline", "60"
    first = run(capsys, *words)[1]
    sys.modules.pop("checked_model", None)  # it is loaded in a process of its own
    second = run(capsys, *words)[1]
    assert first.rsplit("(", 1)[0] == second.rsplit("(", 1)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        (" ", ()),
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


def test_arguments_by_shape():
    x, n, b, z, k, both, inner = arguments(
        "float64[100], int32[3, 4], bool[8], complex64[2], 3, [float32[2], nan], {'a': uint8[()]}"
    )
    assert (x.shape, x.dtype, n.shape, n.dtype, b.dtype, z.dtype, k) == (
        *((100,), np.float64, (3, 4), np.int32, np.bool_, np.complex64, 3),
    )
    assert type(both) is list and both[0].dtype == np.float32 and np.isnan(both[1]) and inner["a"].shape == ()
    assert len(set(x.tolist())) == 100 and np.array_equal(x, arguments("float64[100]")[0])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("float[x]", "not made of literals"),
        ("foo[3]", "'foo' is no dtype of numbers"),
        ("object[3]", "'object' is no dtype"),
        ("float64[-1]", "a shape is made of numbers"),
        ("float64[1.5]", "a shape is made of numbers"),
        ("float64[10**9]", "not made of literals"),
        ("float64[1000000000]", "more than 10,000,000 elements"),
        ("LIMITS", "'LIMITS': made has no such name; did you mean 'LIMIT'"),
        ("LIMIT.real", "not made of literals"),
        ("LIMIT[0]", "'LIMIT' is no dtype"),
        ("f(LIMIT)", "not made of literals"),
        ("{LIMIT}", "not made of literals"),
    ],
)
def test_arguments_that_name_nothing(text, told):
    module = types.ModuleType("made")
    module.LIMIT = 7
    assert arguments("LIMIT, [LIMIT, 1]", module) == (7, [7, 1])
    with pytest.raises(InvalidArgument) as caught:
        arguments(text, module)
    assert told in str(caught.value)


def test_an_example_call_with_a_shape_and_a_name(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shaped.py").write_text("LIMIT = 2.0\n\ndef f(x, y):\n    return x * y\n")
    code, out, _ = run(capsys, "shaped.py:f", "--args", "float64[5], LIMIT", "--level", "quick")
    assert code == 0 and out.startswith("f: nothing found (")
    code, _, err = run(capsys, "shaped.py:f", "--args", "float64[5], LIMITS")
    assert code == 2 and "did you mean 'LIMIT'" in err


def test_arguments_from_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.arange(3.0))
    (tmp_path / "y.json").write_text('{"a": [1.0, 2.0]}')
    x, y = arguments("'@x.npy', '@y.json'")
    assert x.tolist() == [0.0, 1.0, 2.0] and y["a"].tolist() == [1.0, 2.0]
    np.save("o.npy", np.array([object()]), allow_pickle=True)
    with pytest.raises(InvalidArgument):
        arguments("'@o.npy'")
