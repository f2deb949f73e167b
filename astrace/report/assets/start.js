// The page: the run, the list of functions with its search, and what is chosen in it.

const run = JSON.parse(document.getElementById("data").textContent);
const SORTS = {
  "own time": (one) => (one.timing ? -(one.timing.own + one.timing.capturing) : 0), calls: (one) => -one.calls, name: (one) => one.name.toLowerCase(),
  saved: (one) => (one.timing && one.timing.saved !== null ? -one.timing.saved : Infinity), captures: (one) => -one.traces, "plain calls": (one) => -one.fallbacks,
};
const FILTERS = {
  all: () => true, whole: (one) => one.state === "whole", partly: (one) => one.state === "partly", plain: (one) => one.state === "plain",
  recaptured: (one) => one.guard_failures > 0, "machine code": (one) => one.kernels > 0, "lost time": (one) => one.timing !== null && one.timing.saved < 0,
};
const MOST_ROWS = 50;
const state = { sort: "own time", filter: "all", chosen: -1, shown: [] };
const haystacks = new Map();

// What a search looks in: names, files, reasons and the source.
function haystack(record) {
  if (!haystacks.has(record)) {
    const reasons = record.captures.flatMap((one) => [one.fallback, ...one.left, ...one.notes, ...one.failed]).filter(Boolean);
    const words = [record.name, record.file, record.state, record.options, ...reasons.flatMap((one) => [one.code, one.message]),
      ...record.captures.flatMap((one) => [one.backend, one.title]), ...record.source.flatMap((part) => part.lines)];
    haystacks.set(record, words.join("\n").toLowerCase());
  }
  return haystacks.get(record);
}

const search = el("input", { type: "search", id: "search", placeholder: "Search names, files, reasons, source  ( / )", "aria-label": "search", oninput: () => list() });
const options = (names, name) => el("select", { "aria-label": name, onchange: (event) => { state[name] = event.target.value; list(); } }, names.map((one) => el("option", { value: one }, (name === "sort" ? "by " : "") + one)));
const items = el("ul", { id: "functions" });
const found = el("p", { class: "dim", id: "found", "aria-live": "polite" });

function list() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const key = SORTS[state.sort];
  state.shown = run.functions.map((record, index) => ({ record, index }))
    .filter(({ record }) => FILTERS[state.filter](record) && words.every((word) => haystack(record).includes(word)))
    .sort((one, other) => { const a = key(one.record), b = key(other.record); return a < b ? -1 : a > b ? 1 : one.index - other.index; });
  items.replaceChildren(...state.shown.map(({ record, index }) => item(record, index)));
  found.replaceChildren(state.shown.length === run.functions.length ? count(run.functions.length, "function") : state.shown.length + " of " + count(run.functions.length, "function"));
}

function item(record, index) {
  const timing = record.timing;
  return el("li", {}, el("button", { type: "button", class: "function", "data-index": index, "aria-current": String(index === state.chosen), title: record.name, onclick: () => choose(index) },
    el("span", { class: "row" }, el("span", { class: "name" }, shortName(record)), badge(record.state)),
    el("span", { class: "row" }, el("span", { class: "dim" }, fileName(record.file) + (record.line ? ":" + record.line : "")),
    el("span", { class: "dim right" }, (timing ? seconds(timing.own + timing.capturing) + " · " : "") + count(record.calls, "call") + (record.guard_failures ? " · " + count(record.guard_failures, "recapture") : "")))));
}

function choose(index, isQuiet) {
  state.chosen = index;
  for (const one of items.querySelectorAll("button")) one.setAttribute("aria-current", String(Number(one.dataset.index) === index));
  const main = document.getElementById("main");
  main.replaceChildren(index < 0 ? overview() : functionView(run.functions[index]));
  if (!isQuiet) {
    history.replaceState(null, "", index < 0 ? "#" : "#" + index);
    if (index >= 0 && innerWidth < 800) main.scrollIntoView();
  }
}

// -- the run ---------------------------------------------------------------------------------------------------

function sum(get) { return run.functions.reduce((all, one) => all + (get(one) || 0), 0); }

const NOTHING = "No compiled function was called. Those of packages (--packages) are captured once their calls with arrays have taken a tenth of a second; with --policy always at the first one.";

function overview() {
  const states = (name) => run.functions.filter((one) => one.state === name).length;
  const measured = run.functions.filter((one) => one.timing && one.timing.saved !== null);
  const saved = measured.reduce((all, one) => all + one.timing.saved, 0);
  const cards = el("dl", { class: "figures" }, figure("functions", run.functions.length + (run.dropped ? " (+ " + run.dropped + " not kept)" : "")),
    figure("captured whole", states("whole")), figure("partly", states("partly")), figure("plain Python", states("plain")), figure("calls", sum((one) => one.calls).toLocaleString("en")),
    figure("recaptured", sum((one) => one.guard_failures)), run.seconds === null ? null : figure("the run took", seconds(run.seconds)),
    figure("in compiled functions", seconds(sum((one) => one.timing && one.timing.own))), figure("capturing", seconds(sum((one) => one.timing && one.timing.capturing))),
    measured.length ? el("div", { class: "figure " + (saved > 0 ? "good" : "bad") }, el("dt", {}, saved < 0 ? "lost" : "saved"), el("dd", {}, seconds(Math.abs(saved)) + " in " + count(measured.length, "function"))) : null);
  return el("article", {}, el("h2", {}, "The run"), crash(), cards, reasonsOfRun(), run.functions.length ? table() : el("p", {}, NOTHING));
}

function crash() {
  if (!run.traceback) return null;
  return el("section", { class: "crash" }, el("h4", {}, "It ended with ", run.outcome), el("pre", {}, run.traceback));
}

function reasonsOfRun() {
  const codes = new Map();
  run.functions.forEach((record, index) => {
    const told = [...record.captures.flatMap((one) => (one.fallback ? [one.fallback] : [])), ...(record.retired ? [record.retired] : [])];
    for (const one of told) {
      if (!codes.has(one.code)) codes.set(one.code, []);
      if (!codes.get(one.code).some((known) => known.index === index)) codes.get(one.code).push({ record, index, one });
    }
  });
  if (!codes.size) return null;
  return el("section", {}, el("h4", {}, "What runs as plain Python, and why"), el("ul", { class: "reasons" }, [...codes].sort().map(([code, all]) => el("li", { class: "reason" },
    el("span", { class: "code-name" }, code), " ", all[0].one.message, all[0].one.hint && el("div", { class: "hint" }, "What to do: " + all[0].one.hint),
    el("div", {}, all.slice(0, 12).map(({ record, index }) => el("button", { type: "button", class: "link", onclick: () => choose(index) }, shortName(record))), all.length > 12 && " and " + (all.length - 12) + " more")))));
}

function table() {
  const heads = ["function", "state", "calls", "captures", "time", "own", "capturing", "saved", "backend"];
  const row = (record, index) => el("tr", {},
    el("td", {}, el("button", { type: "button", class: "link", onclick: () => choose(index) }, shortName(record))), el("td", {}, badge(record.state)), el("td", { class: "number" }, record.calls.toLocaleString("en")),
    el("td", { class: "number" }, record.traces), el("td", { class: "number" }, record.timing ? seconds(record.timing.total) : "–"), el("td", { class: "number" }, record.timing ? seconds(record.timing.own) : "–"), el("td", { class: "number" }, record.timing ? seconds(record.timing.capturing) : "–"),
    el("td", { class: "number" }, record.timing && record.timing.saved !== null ? signed(record.timing.saved) : "–"), el("td", {}, [...new Set(record.captures.map((one) => one.backend))].join(", ")));
  const body = el("tbody", {}, run.functions.slice(0, MOST_ROWS).map(row));
  const more = el("button", { type: "button", onclick: () => { more.remove(); body.append(...run.functions.slice(MOST_ROWS).map((one, index) => row(one, index + MOST_ROWS))); } }, "show all " + run.functions.length);
  return el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, heads.map((one, at) => el("th", at > 1 && at < 8 ? { class: "number" } : {}, one)))), body), run.functions.length > MOST_ROWS && more);
}

function top() {
  const themes = ["auto", "light", "dark"];
  const theme = el("select", { id: "theme", "aria-label": "colours", onchange: (event) => { document.documentElement.dataset.theme = event.target.value; } }, themes.map((one) => el("option", { value: one }, one)));
  const told = Object.entries(run.versions).map(([name, version]) => name + " " + version).join(" · ");
  put(document.getElementById("top"), {}, [el("h1", {}, el("button", { type: "button", class: "link", id: "home", onclick: () => choose(-1) }, run.title)),
    el("p", { class: "dim" }, run.started + (run.seconds === null ? "" : " · " + seconds(run.seconds)) + " · " + told + (run.switched_off.length ? " · " + run.switched_off.join("; ") : "")),
    run.outcome === "ended" ? null : el("p", { class: "outcome" }, run.outcome), theme]);
}

function keys(event) {
  const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !inField) { event.preventDefault(); search.focus(); }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !(event.target === search || event.target.classList.contains("function"))) return;
  event.preventDefault();
  const buttons = [...items.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(event.target) + step] || (step < 0 ? search : null);
  if (next) next.focus();
}

function start() {
  top();
  document.getElementById("side").append(search, el("div", { class: "choices" }, options(Object.keys(FILTERS), "filter"), options(Object.keys(SORTS), "sort")), found, items);
  document.addEventListener("keydown", keys);
  const wanted = Number.parseInt(location.hash.slice(1), 10);
  list();
  choose(run.functions[wanted] ? wanted : run.functions.length === 1 ? 0 : -1, true);
}

start();
