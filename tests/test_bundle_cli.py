"""``astrace save``, ``inspect``, ``verify`` and ``run``: what they print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import hostile_bundles
import numpy as np
import pytest

import astrace
from astrace.integrations import cli

PRICING = """
import numpy as np
RATE = 0.05
WEIGHTS = np.arange(3.0)

def discounted(cash, years, rate=0.01):
    total = 0.0
    for year in range(years):
        total = total + (cash * WEIGHTS).sum() / (1 + RATE + rate) ** year
    return total

def first(values, n):
    return values[n]

def looks(x):
    return len(locals())
"""
INSPECTED = """\
bundle          {path} (7 files, {size} bytes)
function        discounted(cash, years, rate=0.01)
made with       astrace {astrace}, numpy {numpy}, python {python}
examples        2 recorded
expects
  cash: float64[n]
  years: int
  rate: float
operations
       2  add
       1  for_loop
       1  mul
       1  ndarray.sum
       1  np.copy
       1  pow
       1  truediv
constants
  WEIGHTS = <float64[3]>  (frozen, pricing.py:9)
  1.05 from RATE  (folded, pricing.py:9)
taken for granted
  WEIGHTS: float64[m]
  RATE: float
  range is the builtin
files
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pricing.py").write_text(PRICING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it printed."""
    capsys.readouterr()
    code = cli.main(list(words))
    return code, *capsys.readouterr()


CALLS = ("--args", "[100.0, 50.0, 7.0], 3", "--args", "[1.0, 2.0, 3.0], 5, 0.2")


@pytest.mark.parametrize("path", ["made.zip", "made"])
def test_save_inspect_verify_run(path: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = command(capsys, "save", "pricing.py:discounted", *CALLS, "-o", path)
    assert (code, err) == (0, "") and out.startswith(f"saved discounted to {path} (")
    code, out, err = command(capsys, "inspect", path)
    graph = astrace.load(path)
    manifest = json.loads((here / "made/manifest.json").read_text()) if path == "made" else None
    if manifest:
        size = sum(row[0] for row in manifest["members"].values())
        told = {name: manifest["versions"][name] for name in ("astrace", "numpy", "python")}
        assert out.startswith(INSPECTED.format(path=path, size=f"{size:,}", **told))
    assert code == 0 and err == "" and "arrays/0.npy\n" in out
    assert command(capsys, "verify", path) == (
        0,
        f"{path}: whole; 2 recorded calls give the same to the bit\n",
        "",
    )
    code, out, err = command(capsys, "run", path, "--args", "[1.0, 2.0, 3.0], 2")
    assert (code, out, err) == (0, f"{graph(np.array([1.0, 2.0, 3.0]), 2)!r}\n", "")


def test_a_run_that_raises_or_does_not_fit(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(capsys, "save", "pricing:first", "--args", "[1, 'a'], 1", "-o", "first")[0] == 0
    code, out, err = command(capsys, "run", "first", "--args", "[1, 'a'], 1")
    assert (code, out, err) == (0, "'a'\n", "")
    code, _, err = command(capsys, "run", "first", "--args", "[1, 'a'], 1.5")
    assert code == 2 and "`n`: expected" in err and "fault of astrace" not in err
    assert command(capsys, "save", "pricing:discounted", *CALLS, "-o", "made")[0] == 0
    code, _, err = command(capsys, "run", "made")
    assert code == 2 and err == "astrace: run: made is called with cash, years: give them with --args\n"
    code, out, err = command(capsys, "run", "made", "--args", "[1.0, 2.0], 2")
    assert code == 1 and out == "" and err.startswith("ValueError: operands could not be broadcast")


def test_verify_tells_what_differs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A recorded result that the graph does not give any more; a bundle without recorded calls; a damaged one."""
    contents = hostile_bundles.with_data(
        lambda data: data["calls"][0].__setitem__(2, ["tuple", [1.5]]), "examples.json"
    )
    hostile_bundles.folder(contents)(here / "other")
    code, out, err = command(capsys, "verify", "other")
    assert code == 1 and err == "" and out.startswith("other: AB301: the recorded call 1 gives {'r': array(")
    assert out.endswith("instead of (1.5,)\n")
    astrace.trace(lambda x: x, 1.0).save("silent")
    code, out, err = command(capsys, "verify", "silent")
    assert code == 1 and "AB302: silent records no calls" in err
    assert command(capsys, "verify", "silent", "--allow-empty")[0] == 0
    (here / "silent/graph.json").write_text("{}\n")
    code, out, err = command(capsys, "verify", "silent")
    assert code == 1 and out == "" and "AB108: `graph.json` has 3 bytes" in err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("inspect", "nothing"), 1, "AB101: nothing: there is no bundle that can be read (No such file or directory)"),
        (("run", "nothing"), 2, "run: there is no bundle 'nothing'"),
        (("run", "pricing.py"), 2, "run: a script is run with --packages"),
        (("run", "nofile.py"), 2, "run: there is no script 'nofile.py'"),
        (("save", "pricing:discounted", "--args", "[1.0]", "-o", "x"), 2, "the arguments do not fit `discounted("),
        (("save", "pricing:looks", "--args", "1", "-o", "x"), 3, "pricing:looks can't be captured whole\n  AT106"),
        (("save", "pricing:RATE", "--args", "1", "-o", "x"), 2, "pricing:RATE is no function"),
        (("save", "pricing:discounted", "-o", "x"), 2, "give an example call with --args"),
        (("save", "pricing:discounted", "--args", "f(1)", "-o", "x"), 2, "is not made of literals"),
        (("save", "pricing:discounted", "--args", "[1.0], 1", "-o", "none/x"), 1, "hint: make the folder first"),
        (("save", "pricing:missing", "--args", "1", "-o", "x"), 2, "has no 'missing'"),
        (("verify", "pricing.py"), 1, "AB101"),
        (("verify", "pricing.py", "--operators", "pricing:RATE"), 2, "is neither an operator, nor a list of them"),
        (("verify", "x", "y"), 2, "astrace: unrecognized arguments: y\n"),
        (("run",), 2, "the following arguments are required: script\n"),
        (("report",), 2, "the following arguments are required: script\n"),
        (("run", "--policy", "ofte", "x"), 2, "invalid choice: 'ofte' (choose from"),
    ],
)  # fmt: skip
def test_what_goes_wrong(
    words: tuple[str, ...], code: int, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 where a bundle is refused, 2 where the command is wrong; one message, no traceback."""
    found, out, err = command(capsys, *words)
    assert found == code and says in err and "Traceback" not in err and out == ""
    assert not (here / "x").exists()


def test_operators_on_the_command_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One alone, or a list, or several in turn; without them the message says how they are given."""
    source = "import astrace\n@astrace.script\ndef shout(t):\n    return t.title()\ndef twice(t):\n    return shout(t) * 2\n"
    (here / "shouting.py").write_text(source + "ALL = [shout]\n")
    assert command(capsys, "save", "shouting:twice", "--args", "'a'", "-o", "x")[0] == 0
    for target in ("shouting:shout", "shouting:ALL"):
        code, out, _ = command(capsys, "run", "x", "--operators", target, "--args", "'b'")
        assert (code, out) == (0, "'BB'\n")
    (here / "other.py").write_text(
        "import astrace\n@astrace.script\ndef other(t):\n    return t\nNAMES = {'other': other}\n"
    )
    for targets in (("other:other", "shouting:shout"), ("shouting:ALL", "other:NAMES")):
        given = [word for target in targets for word in ("--operators", target)]
        assert command(capsys, "run", "x", *given, "--args", "'b'")[:2] == (0, "'BB'\n")
    assert "\nstandalone.py   none: " in command(capsys, "inspect", "x")[1]
    code, _, err = command(capsys, "verify", "x")
    assert code == 1 and "AB115" in err and "--operators pkg.mod:NAME" in err


def test_how_operators_were_made(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers as people write them, what is large by its kind, dataclasses by their names."""
    source = (
        "import astrace, dataclasses\nimport numpy as np\n@dataclasses.dataclass\nclass Size:\n    n: int\n@astrace.script\nclass Cuts:\n"
        "    def __init__(self, n, rate, *more, **others): self.n = n\n    def __call__(self, t): return t[:self.n]\n"
        "both = [1]\ncuts = Cuts(3, 0.1, -(10**60), 'a', np.ones(2), Size(3), both, float('-inf'), again=both)\ndef cut(t):\n    return cuts(t)\n"
    )
    (here / "cutting.py").write_text(source)
    assert command(capsys, "save", "cutting:cut", "--args", "'abcd'", "-o", "x")[0] == 0
    code, out, _ = command(capsys, "inspect", "x")
    told = "n=3, rate=0.1, more=-0x9f4f2726179a224501d762422c946590d91000000000000000, more='a', more=<array>, more=<cutting.Size>"
    assert code == 0 and f"Cuts = cutting.Cuts({told}, more=<list>, more=-inf, again=<list>)" in out


def test_hostile_texts_are_shown_as_escapes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a terminal would act on reaches it as text, on every way out."""
    contents = hostile_bundles.with_manifest(
        lambda data: data.update(taken_for_granted=["\x1b[2J", "<b>"], required_operators=[])
    )
    hostile_bundles.folder(contents)(here / "shown")
    code, out, _ = command(capsys, "inspect", "shown")
    assert code == 0 and "\x1b" not in out and "  \\x1b[2J\n" in out
    contents = hostile_bundles.with_manifest(
        lambda data: data.update(required_operators=[{"name": "\x1b]0;x\x07"}])
    )
    hostile_bundles.folder(contents)(here / "needs")
    code, _, err = command(capsys, "verify", "needs")
    assert code == 1 and "AB115" in err and "\x1b" not in err and "\x07" not in err
