"""Pages in a real browser: what a script sees in a page that headless Chromium shows, and what goes wrong there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
browser = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"
)
NARROWEST = 500
"""The narrowest window that Chromium opens; narrower pages are shown in a frame."""
PROBE = """
const errors = [];
window.addEventListener('error', event => errors.push(String(event.message || event.target.outerHTML)), true);
window.addEventListener('unhandledrejection', event => errors.push(String(event.reason)));
document.addEventListener('securitypolicyviolation', event => errors.push(event.violatedDirective));
for (const name of ['error', 'warn']) console[name] = (...words) => errors.push(words.join(' '));
const tooWide = () => [...document.body.querySelectorAll('*')].filter(one => {
  for (let outer = one.parentElement; outer; outer = outer.parentElement)
    if (getComputedStyle(outer).overflowX !== 'visible' && outer !== document.body) return false;
  return one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('svg');
}).map(one => one.outerHTML.slice(0, 200));
window.addEventListener('load', async () => {
  let found = null;
  try { found = await (async () => { SCRIPT })(); } catch (error) { errors.push(String(error && error.stack)); }
  const report = {
    found, errors, hacked: window.hacked === undefined ? null : window.hacked,
    page: document.documentElement.scrollWidth, window: innerWidth, wide: tooWide(),
    loaded: performance.getEntriesByType('resource').map(one => one.name).filter(name => !name.startsWith('data:')),
    background: getComputedStyle(document.body).backgroundColor, colour: getComputedStyle(document.body).color,
  };
  const text = encodeURIComponent(JSON.stringify(report));
  if (top !== window) { top.postMessage(text, '*'); return; }
  const out = document.createElement('div');
  out.id = 'report'; out.textContent = text;
  document.body.replaceChildren(out);
});
"""
FRAME = """<!doctype html><body><script>
window.addEventListener('message', event => {
  const out = document.createElement('div');
  out.id = 'report'; out.textContent = event.data;
  document.body.append(out);
});
</script><iframe src="page.html" style="width: %dpx; height: 1500px; border: 0"></iframe>"""


def looked_at(
    page: str, folder: Path, script: str = "", *, width: int = 1000, dark: bool = False
) -> dict[str, Any]:
    """What a browser tells about a page.

    Args:
        page: the page's text.
        folder: an empty folder.
        script: what is done there, the body of an async function; what it returns is ``found``.
        width: of the page, in pixels.
        dark: whether the reader prefers dark pages.
    """
    folder.mkdir(exist_ok=True)
    (folder / "page.html").write_text(_with_probe(page, script))
    shown = folder / "page.html"
    if width < NARROWEST:
        shown = folder / "frame.html"
        shown.write_text(FRAME % width)
    arguments = [
        *FLAGS,
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={max(width, NARROWEST)},2000",
        "--virtual-time-budget=5000",
        *(["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if dark else []),
    ]
    done = subprocess.run(
        [CHROMIUM, *arguments, "--dump-dom", shown.as_uri()], capture_output=True, text=True, timeout=120
    )
    found = re.search(r'<div id="report">([^<]*)</div>', done.stdout)
    assert found, (done.stdout[-2000:], done.stderr[-2000:])
    return json.loads(unquote(found[1]))


def _with_probe(page: str, script: str) -> str:
    """The page with a script of the test's own, which its policy is taught to allow."""
    probe = PROBE.replace("SCRIPT", script)
    allowed = f"'sha256-{base64.b64encode(hashlib.sha256(probe.encode()).digest()).decode()}'"
    if "script-src " in page:
        page = page.replace("script-src ", f"script-src {allowed} ", 1)
    else:
        page = page.replace("default-src 'none';", f"default-src 'none'; script-src {allowed};", 1)
    return page.replace("</title>", f"</title><script>{probe}</script>", 1)


def brightness(colour: str) -> int:
    """The sum of the parts of a colour as browsers tell it."""
    return sum(map(int, re.findall(r"\d+", colour)[:3]))
