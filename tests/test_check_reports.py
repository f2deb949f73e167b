"""Reports written down: text, JSON, SARIF, JUnit, HTML and workflow commands, of findings of every code."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

import astrace
from astrace.check.report.findings import GRADES, TITLES, Example, Suspect, finding
from astrace.check.report.render.github import workflow_commands
from astrace.check.report.report import Report, merged
from astrace.check.report.results import Coverage, Goal
from astrace.locations import Location

NASTY = "<script>alert('1')</script> & \"quoted\" ]]> % :: , \x1b[31m \x00 \ud800 ü"
FILE = "a folder/mödel,1:2.py"


def found(code, number):
    where = Location(FILE, number + 1, f"f{number}.<locals>.g") if number % 3 else None
    suspect = Suspect(f"CONFIG[{NASTY!r}]", "frozen", NASTY, NASTY) if number % 2 else None
    example = Example((), {}, f"print({NASTY!r})\n\nprint(2)\n") if code.startswith("AC1") else None
    parts = {"constant": suspect, "example": example, "because": NASTY, "fix": f"change it\n{NASTY}"}
    return finding(code, f"message {number}: {NASTY}", location=where, function=f"f{number} {NASTY}", **parts)


@pytest.fixture(scope="module")
def report():
    goals = (
        Goal("branch", "taken", Location(FILE, 3, "f"), True),
        Goal("guard", f"{NASTY} fails", None, False),
    )
    parts = [
        Report(f"f{number} {NASTY}", (found(code, number),), Coverage(goals, 3, 1), 0.1)
        for number, code in enumerate(TITLES)
    ]
    nothing = finding("AC306", "no example call was given", function="unchecked")
    return merged(f"module {NASTY}", [*parts, Report("unchecked", (nothing,))])


def is_clean(text):
    return not re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", text)


def test_text(report):
    text = report.text(notes=True)
    assert is_clean(text) and all(f"{one.grade} {one.code} " in text for one in report)
    assert text.splitlines()[-1].endswith("s)") and "9 errors, 4 warnings, 8 notes" in text
    heads = re.findall(r"^(error|warning|note) AC", text, re.MULTILINE)
    assert heads == sorted(heads, key=GRADES.index)
    assert "note AC305" not in report.text() and "note AC306" in report.text()


def test_json(report):
    text = report.json()
    data = json.loads(text)
    assert is_clean(text) and (data["version"], data["ok"]) == (1, False)
    assert [one["code"] for one in data["findings"]] == [one.code for one in report]
    assert len(data["parts"]) == len(TITLES) + 1 and len(data["coverage"]["goals"]) == 2 * len(TITLES)
    keys = {
        "grade",
        "code",
        "title",
        "message",
        "function",
        "location",
        "constant",
        "because",
        "fix",
        "example",
    }
    assert all(set(one) == keys for one in data["findings"])


def test_sarif(report):
    """The properties that SARIF 2.1.0 requires, with the values that it allows."""
    text = report.sarif()
    data = json.loads(text)
    assert is_clean(text) and set(data) == {"$schema", "version", "runs"} and data["version"] == "2.1.0"
    (run,) = data["runs"]
    driver = run["tool"]["driver"]
    rules = {rule["id"]: index for index, rule in enumerate(driver["rules"])}
    assert driver["name"] and driver["version"] == astrace.__version__ and len(rules) == len(driver["rules"])
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"] and rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in GRADES and re.fullmatch(r"\w+", rule["name"])
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for one, result in zip(report, run["results"], strict=True):
        assert rules[result["ruleId"]] == result["ruleIndex"] and result["level"] == one.grade
        assert result["message"]["text"] and all(result["partialFingerprints"].values())
        for place in result.get("locations", ()):
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            assert unquote(uri) == FILE and urlparse(uri).scheme == "" and " " not in uri
            assert place["physicalLocation"]["region"]["startLine"] == one.location.line
    assert any("locations" in result for result in run["results"])


def test_junit(report):
    root = ET.fromstring(report.junit())
    (suite,) = root
    cases = suite.findall("testcase")
    counts = {name: int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": len(TITLES) + 1, "failures": 9, "errors": 0, "skipped": 1}
    assert [case.get("name") for case in cases][-1] == "unchecked"
    failures = suite.findall("testcase/failure")
    assert [one.get("type") for one in failures] == [code for code in TITLES if code.startswith("AC1")]
    assert all("see it:" in one.text and "<script>" in one.text for one in failures)
    assert cases[-1].find("skipped").get("message") == "no example call was given"


class Page(HTMLParser):
    """Tags that are closed as they were opened."""

    VOID = ("meta", "br", "hr", "link", "img")

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], set(), [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_html(report):
    text = report.html()
    page = Page()
    page.feed(text)
    page.close()
    assert text.startswith("<!doctype html>\n") and is_clean(text) and not page.open
    assert not page.tags & {"script", "img", "link", "iframe", "object", "form", "base"}
    assert not {"src", "href", "action", "style"} & {name for name, _ in page.attributes}
    assert not any(name.startswith("on") for name, _ in page.attributes) and "url(" not in text
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    assert all(code in page.text for code in TITLES) and "<script>alert" in page.text


def test_workflow_commands(report):
    lines = list(workflow_commands(report))
    assert len(lines) == 13 and all(is_clean(line) and "\n" not in line for line in lines)
    for line in lines:
        head, properties, text = re.fullmatch(r"::(error|warning) (\S.*?)::(.*)", line).groups()
        given = dict(one.split("=", 1) for one in properties.split(","))
        assert given["title"].startswith("astrace AC") and "message" in text and head in GRADES
        if "file" in given:
            assert given["file"] == FILE.replace(":", "%3A").replace(",", "%2C") and given["line"].isdigit()
    assert any("file=" in line for line in lines)


def test_files_are_named_from_the_working_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    inside, outside = str(tmp_path / "model.py"), str(Path(tmp_path.anchor) / "other" / "model.py")
    one, two = (finding("AC301", "m", location=Location(file, 3, "f")) for file in (inside, outside))
    assert str(one).startswith("note AC301 model.py:3 in f: ") and str(two).startswith(
        f"note AC301 {outside}:3"
    )
    (run,) = json.loads(Report("m", (one, two)).sarif())["runs"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
    assert [place["uri"] for place in places] == ["model.py", Path(outside).as_uri()]
