"""A trace as HTML: stages that fold, calls with their values, pictures of arrays, bars of time.

There is no script in it, and it loads nothing; every text of the user's is escaped.  Colours follow the page that it stands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from astrace.observe.output.pictures import picture
from astrace.observe.output.shown import ShownCall, ShownStage, ShownTrace
from astrace.observe.snapshots.text import duration_text, value_text
from astrace.util.terminal import printable

MOST_CALLS: Final = 100
"""The number of calls of a stage that are shown."""
MOST_ENTRIES: Final = 16
"""The number of entries of a dict that are shown in rows of their own."""
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLE: Final = """
.astrace-trace { font: 13px/1.45 system-ui, sans-serif; max-width: 60rem; color: inherit; text-align: left; }
.astrace-trace .head { font-weight: 600; margin: 0 0 .5rem 0; }
.astrace-trace details { margin: 0; }
.astrace-trace .stage { border: 1px solid #8885; border-radius: 6px; margin: 0 0 .5rem 0; overflow: hidden; }
.astrace-trace .stage > summary { background: #8882; padding: .35rem .6rem; font-weight: 600; }
.astrace-trace summary { cursor: pointer; overflow-wrap: anywhere; }
.astrace-trace .dim { opacity: .7; font-weight: 400; }
.astrace-trace .call { border-top: 1px solid #8883; }
.astrace-trace .call > summary { padding: .25rem .6rem; position: relative; }
.astrace-trace code { font: 12px/1.45 ui-monospace, monospace; background: none; color: inherit; padding: 0; }
.astrace-trace .bar { display: block; height: 4px; margin: .15rem 0 0 0; background: #8882; border-radius: 2px; }
.astrace-trace .bar i { display: block; height: 4px; min-width: 2px; border-radius: 2px; background: #3b82d6; }
.astrace-trace .raised .bar i { background: #d9483b; }
.astrace-trace dl { display: grid; grid-template-columns: minmax(5rem, max-content) minmax(0, 1fr);
  gap: .15rem .8rem; margin: .2rem .6rem .5rem 1.4rem; }
.astrace-trace dl.inner { margin: 0; grid-template-columns: minmax(3rem, max-content) minmax(0, 1fr); }
.astrace-trace dt { opacity: .8; overflow-wrap: anywhere; max-width: 12rem; font-weight: 400; text-align: left; }
.astrace-trace dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.astrace-trace .error { color: #d9483b; font-weight: 600; }
.astrace-trace .spark { vertical-align: middle; display: block; margin: .1rem 0; }
.astrace-trace .spark polygon { fill: #3b82d655; stroke: #3b82d6; stroke-width: 1; stroke-linejoin: round; }
.astrace-trace .thumb { display: block; margin: .15rem 0; image-rendering: pixelated; border: 1px solid #8886; width: auto; }
.astrace-trace .more { padding: .25rem .6rem; border-top: 1px solid #8883; }
"""
PAGE: Final = (
    """body { margin: 1.5rem; background: Canvas; color: CanvasText; } :root { color-scheme: light dark; }"""
)


def trace_html(trace: ShownTrace) -> str:
    """A trace as a part of a page, for notebooks."""
    shown = TimeSpan.of(trace.calls)
    used = [stage for stage in trace.stages if stage.calls]
    dropped = f"; {trace.dropped} more were not kept" if trace.dropped else ""
    count = len(trace.calls)
    head = f"{trace.title}: {count} call{'s' * (count != 1)}, {duration_text(trace.duration_ns)}{dropped}"
    stages = "".join(_stage(stage, shown) for stage in used)
    return _part(f'<p class="head">{_safe(head)}</p>{stages}')


def stage_html(stage: ShownStage) -> str:
    """One stage as a part of a page, for notebooks."""
    return _part(_stage(stage, TimeSpan.of(stage.calls)))


def call_html(call: ShownCall) -> str:
    """One call as a part of a page, for notebooks."""
    return _part(f'<div class="stage">{_call(call, TimeSpan.of([call]), is_open=True)}</div>')


def _part(markup: str) -> str:
    return f'<div class="astrace-trace"><style>{STYLE}</style>{markup}</div>'


class TimeSpan(NamedTuple):
    """The time that bars show, in nanoseconds: from the beginning of the first of some calls to the end of the last one."""

    begin: int
    length: int

    @classmethod
    def of(cls, calls: Iterable[ShownCall]) -> TimeSpan:
        """The time of some calls."""
        ends = [(call.start_ns, call.start_ns + (call.duration_ns or 0)) for call in calls]
        begin = min((start for start, _ in ends), default=0)
        return cls(begin, max((end for _, end in ends), default=0) - begin or 1)


def trace_page(trace: ShownTrace) -> str:
    """A trace as a page of its own."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_safe(trace.title)}</title>'
        f'<meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{PAGE}</style></head>\n'
        f"<body>{trace_html(trace)}</body></html>\n"
    )


def _stage(stage: ShownStage, span: TimeSpan) -> str:
    count = len(stage.calls)
    firsts = {id(call) for call in {call.name: call for call in reversed(stage.calls)}.values()}
    failed = any(call.exception for call in stage.calls)
    told = f"{count} call{'s' * (count != 1)}, {duration_text(stage.duration_ns)}"
    mark = ' <span class="error">raised</span>' if failed else ""
    calls = "".join(
        _call(call, span, is_open=call.exception is not None or id(call) in firsts)
        for call in stage.calls[:MOST_CALLS]
    )
    more = f'<div class="more dim">… {count - MOST_CALLS} more</div>' if count > MOST_CALLS else ""
    return (
        f'<details class="stage" open><summary>{_safe(stage.name)} <span class="dim">{_safe(told)}</span>{mark}</summary>'
        f"{calls}{more}</details>"
    )


def _call(call: ShownCall, span: TimeSpan, *, is_open: bool) -> str:
    offset = 100 * (call.start_ns - span.begin) / span.length
    width = min(100 * (call.duration_ns or 0) / span.length, 100 - offset)
    bar = f'<span class="bar"><i style="margin-left:{min(offset, 99.5):.2f}%;width:{width:.2f}%"></i></span>'
    notes = [duration_text(call.duration_ns)]
    notes += (
        [
            f"item{'s' * (len(call.items) > 1)} {', '.join(map(repr, call.items[:8]))}{', …' * (len(call.items) > 8)}"
        ]
        if call.items
        else []
    )
    notes += [call.outcome] if call.outcome not in ("returned", "raised") else []
    raised = " raised" if call.exception else ""
    error = f' <span class="error">{_safe(str(call.exception))}</span>' if call.exception else ""
    head = f"<code>{_safe(call.name)}({_safe(', '.join(call.parameters))})</code>"
    return (
        f'<details class="call{raised}"{" open" * is_open}><summary>{head} <span class="dim">{_safe(", ".join(notes))}</span>'
        f"{error}{bar}</summary><dl>{''.join(_rows(call))}</dl></details>"
    )


def _rows(call: ShownCall) -> Iterator[str]:
    for name, value in call.parameters.items():
        yield _row(name, value)
    for name, value in call.results.items():
        yield _row(f"→ {name}", value)
    places = [place for place in (call.location, call.called_from) if place is not None]
    if places:
        shown = ", called from ".join(
            f"{Path(place.file).name}:{place.line}" for place in dict.fromkeys(places)
        )
        full = _safe("\n".join(f"{place.file}:{place.line}" for place in places))
        yield f'<dt class="dim">at</dt><dd class="dim" title="{full}">{_safe(shown)}</dd>'


def _row(name: str, value: Any) -> str:
    head = f"<dt>{_safe(name)}</dt>"
    if isinstance(value, dict) and 0 < len(value) <= MOST_ENTRIES:  # pyright: ignore[reportUnknownArgumentType]
        entries = (_row(str(key) if isinstance(key, str) else repr(key), one) for key, one in value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return f'{head}<dd><dl class="inner">{"".join(entries)}</dl></dd>'
    return f"{head}<dd><code>{_safe(value_text(value, 300))}</code>{picture(value)}</dd>"


def _safe(text: str) -> str:
    return escape(printable(text))
