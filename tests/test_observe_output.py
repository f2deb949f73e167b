"""A trace as text, JSON, a table, for Chrome's viewer, compared; and as HTML, which a real browser shows."""

from __future__ import annotations

import html.parser
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from browser import brightness, browser, looked_at

from astrace.errors import MissingExtra
from astrace.observe import Limits, trace_func, tracing

HOSTILE = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "</code></dd></dl></details><script>window.hacked = 1</script>",
    '"><svg onload="window.hacked = 1">',
    "' onmouseover='window.hacked = 1",
    "</style><script>window.hacked = 1</script>",
    "<!-- -->&lt;b&gt;&#60;script&#62;",
    "javascript:window.hacked=1",
    "\x1b[2J\u202e\x00",
]


@trace_func(stage_name="s")
def seen(x, **others):
    return x


@trace_func(stage_name="outer")
def outer(x):
    return inner(x) + 1


@trace_func(stage_name="inner")
def inner(x):
    return x * 2


class Hostile:
    """Its text is markup."""

    def __repr__(self):
        return HOSTILE[0]


def hostile_trace():
    """A trace whose every text is hostile: values, names, stages, titles, exceptions."""
    with tracing(title=HOSTILE[0]) as result:
        for text in HOSTILE:
            function = trace_func(lambda x, **others: x, stage_name=text)
            function(text, **{text: {text: [text, Hostile()]}})
        try:
            trace_func(lambda: int(HOSTILE[1]), stage_name="fails")()
        except ValueError:
            pass

        def named(): ...

        named.__name__ = named.__qualname__ = HOSTILE[2]
        trace_func(named, stage_name="named", result_name=HOSTILE[3])()
        hostile_class = type(HOSTILE[1], (), {})
        seen(hostile_class())
    return result


def rich_trace():
    """A trace with pictures, long values and an exception."""
    rng = np.random.default_rng(1)
    with tracing(title="rich") as result:
        seen(rng.normal(size=5000), image=rng.integers(0, 255, (40, 40, 3), dtype=np.uint8), word="x" * 3000)
        seen({"long_name_" * 9: np.full(300, np.nan), "path": "/a/very/long/path" * 30})
        outer(np.linspace(-1, 1, 64))
        for number in range(150):
            inner(number)
        try:
            trace_func(lambda x: x[99], stage_name="fails")([1])
        except IndexError:
            pass
    return result


# -- text ------------------------------------------------------------------------------------------------------


def test_text():
    with tracing(title="demo") as result:
        outer(np.arange(3))
    text = re.sub(r"[\d.]+ (?:ns|µs|ms|s)\b", "TIME", str(result))
    file = f"{__file__}"
    first = {
        name: function.__wrapped__.__code__.co_firstlineno + 1  # behind its decorator
        for name, function in (("outer", outer), ("inner", inner))
    }
    assert text.split("\n") == [
        "demo: 2 calls in 2 stages, TIME",
        "outer: 1 call, TIME",
        f"    0 outer(x) -> return_value  TIME  {file}:{first['outer']}",
        "        x: int64[3] [0, 1, 2]",
        "        -> return_value: int64[3] [1, 3, 5]",
        "inner: 1 call, TIME",
        f"    0 inner(x) -> return_value  TIME  {file}:{first['inner']}",
        "        x: int64[3] [0, 1, 2]",
        "        -> return_value: int64[3] [0, 2, 4]",
    ]


def test_empty_traces():
    with tracing() as result:
        pass
    assert str(result) == "trace: 0 calls in 0 stages, 0 ns"
    assert "0 calls" in result._repr_html_() and json.loads(result.to_json())["dropped"] == 0
    assert json.loads(result.to_chrome_trace())["traceEvents"] == []
    assert result.diff(result) is None


def test_a_kept_array_of_a_million_elements_is_printed_in_short():
    with tracing(limits=Limits(array_bytes=10**8)) as result:
        seen(np.arange(1_000_000.0))
    assert isinstance(result.s[0].x, np.ndarray)
    assert "x: float64[1000000], 0 to 999999 [0, 1, 2, 3, 4, 5, 6, 7, …]" in str(result)
    assert len(str(result)) < 1000


def test_long_traces_are_printed_in_part():
    text = str(rich_trace())
    assert "… 101 more" in text and max(map(len, text.split("\n"))) < 400


# -- for programs ----------------------------------------------------------------------------------------------


def test_json():
    with tracing() as result:
        outer(np.array([1.0, np.nan]))
        seen({"a": [1, float("inf")], 2: (None,)}, big=np.zeros(10_000), text="é")
    data = json.loads(result.to_json(indent=1))
    stages = {stage["name"]: stage["calls"] for stage in data["stages"]}
    (call,) = stages["inner"]
    assert call["parameters"] == {
        "x": {"type": "array", "dtype": "float64", "shape": [2], "elements": [1.0, "NaN"]}
    }
    assert (call["number"], call["parent"], call["outcome"], call["exception"]) == (1, 0, "returned", None)
    assert (
        call["location"]["file"] == __file__
        and call["location"]["line"] == inner.__wrapped__.__code__.co_firstlineno + 1
    )
    (call,) = stages["s"]
    assert call["parameters"]["x"] == {
        "type": "dict",
        "entries": [["a", [1, "Infinity"]], [2, {"type": "tuple", "items": [None]}]],
    }
    assert call["parameters"]["big"]["type"] == "array summary" and call["parameters"]["big"]["shape"] == [
        10_000
    ]


def test_json_of_an_exception():
    with tracing() as result:
        try:
            trace_func(lambda: list(())[1], stage_name="s")()
        except IndexError:
            pass
    (call,) = json.loads(result.to_json())["stages"][-1]["calls"]
    assert call["exception"]["type"] == "IndexError" and call["exception"]["location"]["file"] == __file__


def test_chrome_trace():
    with tracing() as result:
        outer(3)
    events = json.loads(result.to_chrome_trace())["traceEvents"]
    meta, first, second = events
    assert meta["ph"] == "M" and meta["args"]["name"] == "MainThread"
    assert (first["name"], first["cat"], first["ph"], first["args"]) == (
        "outer",
        "outer",
        "X",
        {"x": "3", "-> return_value": "7"},
    )
    assert first["ts"] <= second["ts"] <= second["ts"] + second["dur"] <= first["ts"] + first["dur"] + 100
    assert first["tid"] == second["tid"] == meta["tid"]


def test_dataframe():
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    with tracing() as result:
        outer(3)
    frame = result.to_dataframe()
    assert isinstance(frame, pd.DataFrame) and frame["name"].tolist() == ["outer", "inner"]
    assert frame["parameters"].tolist() == [{"x": 3}, {"x": 3}] and frame["parent"].tolist()[1] == 0
    assert frame["file"].tolist() == [__file__] * 2
    with tracing() as empty:
        pass
    assert list(empty.to_dataframe().columns) == list(frame.columns)


def test_dataframe_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with tracing() as result:
        pass
    with pytest.raises(MissingExtra, match=r"astrace\[observe\]"):
        result.to_dataframe()


# -- two traces ------------------------------------------------------------------------------------------------


def traced(work):
    with tracing() as result:
        work()
    return result


def changed_inside():
    global inner
    before, inner = inner, trace_func(lambda x: x * 3, stage_name="inner")
    inner.__name__ = "inner"
    try:
        outer(2)
    finally:
        inner = before


@pytest.mark.parametrize(
    ("one", "other", "what", "function"),
    [
        (lambda: outer(1), lambda: outer(1), None, None),
        (lambda: outer(1), lambda: outer(2), "parameter x", "outer"),
        (lambda: seen(1), lambda: seen(1.0), "parameter x", "seen"),
        (lambda: seen(0.0), lambda: seen(-0.0), "parameter x", "seen"),
        (lambda: seen(float("nan")), lambda: seen(float("nan")), None, None),
        (lambda: seen(np.zeros(3)), lambda: seen(np.zeros(3, np.float32)), "parameter x", "seen"),
        (lambda: seen(np.zeros(9999)), lambda: seen(np.eye(1, 9999)[0]), "parameter x", "seen"),
        (lambda: seen({"a": [1]}), lambda: seen({"a": [2]}), "parameter x", "seen"),
        (lambda: seen(object()), lambda: seen(object()), None, None),
        (lambda: seen(1), lambda: seen(1, y=2), "parameter y", "seen"),
        (lambda: seen(1), lambda: (seen(1), seen(2)), "call", "seen"),
        (lambda: seen(1), lambda: inner(1), "call", "seen"),
        (lambda: None, lambda: None, None, None),
    ],
)
def test_the_first_difference(one, other, what, function):
    first, second = traced(one), traced(other)
    found = first.diff(second)
    if what is None:
        assert found is None and second.diff(first) is None
        return
    assert found.what == what and (found.call or found.other).function == function
    assert what in str(found) == repr(found) and second.diff(first).what == what


def test_the_difference_is_found_where_it_arises():
    @trace_func(stage_name="outer")
    def whole(x, factor):
        return part(x, factor) + 1

    @trace_func(stage_name="inner", params_to_capture=["x"])
    def part(x, factor):
        return x * factor

    chosen = trace_func(whole.__wrapped__, stage_name="outer", params_to_capture=["x"])
    x = np.arange(6.0).reshape(2, 3)
    found = traced(lambda: chosen(x, np.ones(3))).diff(traced(lambda: chosen(x, np.array([1, 1, 2.0]))))
    assert found.call.stage == "inner" and found.what == "result return_value"
    assert "in 2 of 6 elements, first at [0, 2]" in str(found) and __file__ in str(found)


def test_exceptions_are_compared():
    def fails(error):
        def work():
            try:
                trace_func(lambda: (_ for _ in ()).throw(error), stage_name="s")()
            except ValueError:
                pass

        return work

    assert traced(fails(ValueError("a"))).diff(traced(fails(ValueError("b")))).what == "exception"
    assert traced(fails(ValueError("a"))).diff(traced(fails(ValueError("a")))) is None


# -- HTML ------------------------------------------------------------------------------------------------------

VOID = {"img", "meta", "br"}


class Checker(html.parser.HTMLParser):
    """Collects tags, text, and what is not closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text, self.links = [], set(), "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href")]
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text += data


def test_stages_calls_and_items_show_themselves():
    result = rich_trace()
    stage, call = result["outer"], result["inner"][0]
    for record, count in ((stage, 1), (call, 0), (result, 4)):
        text = record._repr_html_()
        found = Checker(text)
        assert found.open == [] and found.tags.isdisjoint({"script"}) and "style" in found.tags
        assert text.count('<details class="stage"') == count
    assert (
        "outer(x)" in Checker(stage._repr_html_()).text
        and "inner(x)" not in Checker(stage._repr_html_()).text
    )
    text = call._repr_html_()
    assert text.count("<details") == 1 and "<svg" in text and "inner(x)" in Checker(text).text
    assert "margin-left:0.00%;width:100.00%" in text  # the time of this call alone
    hostile = hostile_trace()
    for one in (*hostile, *hostile.calls):
        assert not Checker(one._repr_html_()).tags & {"script", "b"}


@pytest.mark.parametrize("make", [hostile_trace, rich_trace])
def test_markup_is_closed_has_no_script_and_loads_nothing(make):
    result = make()
    for text in (result._repr_html_(), result.to_html()):
        found = Checker(text)
        assert found.open == [] and not found.tags & {"script", "iframe", "link", "object", "embed", "form"}
        assert all(link.startswith("data:image/png;base64,") for link in found.links)
        assert "url(" not in text and "@import" not in text and "http" not in found.text.replace("http_", "")


def test_hostile_strings_are_text_in_the_markup():
    text = Checker(hostile_trace()._repr_html_()).text
    for one in HOSTILE[:-1]:
        assert one in text
    assert "\\x1b[2J\\u202e\\x00" in text and "\x1b" not in text


def test_pictures_and_bars():
    text = rich_trace()._repr_html_()
    assert text.count("<svg") >= 3 and text.count("<img") == 1 and "width:" in text
    assert "… 51 more" in text and "IndexError" in text
    assert "nan" not in "".join(re.findall(r'points="([^"]*)"', text))


# -- in a browser ----------------------------------------------------------------------------------------------

SCRIPT = """
for (const one of document.querySelectorAll('details')) one.open = true;
for (const type of ['mouseover', 'click', 'focus'])
  for (const one of document.querySelectorAll('.astrace-trace *')) one.dispatchEvent(new Event(type));
const root = document.querySelector('.astrace-trace');
const style = getComputedStyle(root.querySelector('summary code') || root);
return {
  text: root.textContent, images: [...root.querySelectorAll('img')].map(one => one.naturalWidth), colour: style.color,
  stages: root.querySelectorAll('.stage').length, styles: root.querySelectorAll('style').length,
};
"""


@browser
def test_hostile_strings_stay_text_in_a_browser(tmp_path):
    result = hostile_trace()
    report = looked_at(result.to_html(), tmp_path, SCRIPT)
    assert report["hacked"] is None and report["errors"] == [] and report["loaded"] == []
    found = report["found"]
    for one in HOSTILE[:-1]:
        assert one in found["text"]
    assert found["stages"] == len([stage for stage in result if stage]) and found["styles"] == 1


@browser
@pytest.mark.parametrize(("width", "scheme"), [(1000, "light"), (500, "dark")])
def test_a_trace_fits_its_page(tmp_path, width, scheme):
    report = looked_at(rich_trace().to_html(), tmp_path, SCRIPT, width=width, dark=scheme == "dark")
    found = report["found"]
    assert report["errors"] == [] and report["loaded"] == [] and report["wide"] == []
    assert report["page"] <= report["window"] == width
    assert found["images"] == [40]
    assert found["stages"] == 4
    text, behind = brightness(found["colour"]), brightness(report["background"])
    assert (behind - text if scheme == "light" else text - behind) > 500


@pytest.mark.parametrize("name", ["observe.png", "observe-raised.png"])
def test_the_screenshots_of_the_documentation(name):
    data = (Path(__file__).parent.parent / "docs" / name).read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) < 200_000
