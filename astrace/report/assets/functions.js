// One function: its figures, why it was captured again or runs as plain Python, and each capture.

const figure = (name, value, title) => el("div", { class: "figure", title: title || null }, el("dt", {}, name), el("dd", {}, value));

function figures(record) {
  const timing = record.timing, isPlain = record.fallbacks >= record.calls;
  const found = [
    figure("calls", record.calls.toLocaleString("en"), "how often it was called in the run"), figure("captures", record.traces, "how often it was captured in the run: for new types, or after a change outside"),
    figure("recaptured", record.guard_failures, "calls that no capture fitted although there were some"),
    figure("plain calls", record.fallbacks.toLocaleString("en"), "calls that ran as plain Python"), figure("kernels", record.kernels, "parts that are machine code"),
  ];
  if (timing) {
    found.push(figure("time", seconds(timing.total), "all calls, those of other compiled functions included, captures not"),
      figure("own time", seconds(timing.own), "the same without calls of other compiled functions"),
      figure("capturing", seconds(timing.capturing), "all captures together; not part of the time"), figure("slowest call", seconds(timing.slowest), "the longest call, captures left out"),
      isPlain ? figure("plain, a call", seconds(timing.compiled), "all calls ran as plain Python: their mean") : figure("compiled, a call", seconds(timing.compiled), timing.compared ? "the mean of " + count(timing.compared, "call") + " through its graph" : "the mean of all calls"),
      isPlain ? null : figure("plain, a call", timing.plain === null ? "not measured" : seconds(timing.plain), "measured in " + count(timing.plain_calls, "call") + " that ran as plain Python for comparison"),
      el("div", { class: "figure " + (timing.saved > 0 ? "good" : timing.saved < 0 ? "bad" : ""), title: "by the calls for which plain Python was measured with the same program and arguments of about the same size; captures deducted" },
        el("dt", {}, timing.saved < 0 ? "lost" : "saved"), el("dd", {}, timing.saved === null ? "not measured" : seconds(Math.abs(timing.saved)) + (timing.compared ? " in " + count(timing.compared, "call") : ""))));
    if (timing.raised) found.push(figure("raised", timing.raised, "calls that ended with an exception"));
  }
  return el("dl", { class: "figures" }, found);
}

function reasonItem(one, links) {
  const where = one.line ? el("button", { type: "button", class: "link", onclick: () => links && links.pin(one.line, null) }, "line " + one.line) : null;
  return el("li", { class: "reason" }, el("span", { class: "code-name" }, one.code), " ", one.message, " ", where,
    one.place && el("div", { class: "dim place" }, one.place), one.hint && el("div", { class: "hint" }, "What to do: " + one.hint));
}

function reasonsOf(title, reasons, links) {
  if (!reasons.length) return null;
  return el("section", {}, el("h4", {}, title), el("ul", { class: "reasons" }, reasons.map((one) => reasonItem(one, links))));
}

function guardTable(title, guards, links) {
  if (!guards.length) return null;
  const rows = guards.map((one) => {
    const row = el("tr", { "data-line": one.line || null }, el("td", {}, el("code", {}, one.text)), el("td", {}, one.line || ""), el("td", { class: "dim" }, one.price ? "not cheap: " + one.price : ""));
    links.add(one.line, row);
    return row;
  });
  const box = el("details", { class: "guards" }, el("summary", {}, title + " ", el("span", { class: "dim" }, String(guards.length))),
    el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, title === "Live reads" ? "read" : "guard"), el("th", {}, "line"), el("th", {}, ""))), el("tbody", {}, rows)));
  links.watch(box);
  return box;
}

function captureView(record, capture) {
  const links = new LinkedLines();
  const texts = [
    ["Source", sourceRows(record, capture), Object.keys(record.line_times).length ? "time by line: sampled" : ""],
    ["Rewritten", stageRows(capture.rewritten), ""], ["Graph", stageRows(capture.graph), ""], ["Generated", stageRows(capture.generated), capture.backend],
  ].filter(([, rows]) => rows.length);
  const panes = el("div", { class: "panes shown-" + texts.length }, texts.map(([title, rows, note]) => pane(links, title, rows, note)));
  links.watch(panes);
  return el("div", { class: "capture" },
    capture.failed.length ? reasonsOf("Captured again, because a guard failed", capture.failed, links) : null,
    capture.fallback ? reasonsOf("Runs as plain Python", [capture.fallback], links) : null,
    reasonsOf("Calls that are left out of the graph", capture.left, links),
    el("p", { class: "backend" }, el("b", {}, capture.backend), capture.why && !capture.fallback ? ": " + capture.why : "", capture.seconds === null ? "" : el("span", { class: "dim" }, (capture.fallback ? " · tried for " : " · captured in ") + seconds(capture.seconds))),
    capture.kernels.length ? el("ul", { class: "kernels" }, capture.kernels.map((one) => el("li", {}, one))) : null,
    paneChoice(panes), panes, noteArea(links, capture), capture.drawing ? drawingOf(capture.drawing, links) : null,
    guardTable("Guards", capture.guards, links), guardTable("Live reads", capture.reads, links));
}

// Buttons that show and hide the panes; those that are shown share the width.
function paneChoice(panes) {
  const columns = [...panes.children];
  return el("div", { class: "tools", role: "group", "aria-label": "panes" }, columns.map((column) => el("button", {
    type: "button", "aria-pressed": "true", class: "toggle", onclick: (event) => {
      column.hidden = !column.hidden;
      event.currentTarget.setAttribute("aria-pressed", String(!column.hidden));
      panes.className = "panes shown-" + columns.filter((one) => !one.hidden).length;
    },
  }, column.dataset.title)));
}

function captureTabs(record) {
  const holder = el("div", { role: "tabpanel" });
  const tabs = record.captures.map((capture, index) => el("button", {
    type: "button", role: "tab", onclick: () => show(index),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step && tabs[index + step]) { tabs[index + step].focus(); show(index + step); }
    },
  }, "Capture " + capture.number, el("span", { class: "dim" }, " " + cut(capture.title || (capture.fallback ? capture.fallback.code : ""), 60))));
  function show(index) {
    tabs.forEach((tab, number) => { tab.setAttribute("aria-selected", String(number === index)); tab.tabIndex = number === index ? 0 : -1; });
    holder.replaceChildren(captureView(record, record.captures[index]));
  }
  const whole = [tabs.length > 1 ? el("div", { role: "tablist", class: "tabs", "aria-label": "captures" }, tabs) : el("h3", {}, record.captures[0].title), holder];
  show(0);
  return whole;
}

function recompiles(record) {
  const again = record.captures.filter((capture) => capture.failed.length);
  if (!again.length) return null;
  return el("section", {}, el("h4", {}, "Recompiles"), el("ol", { class: "reasons" }, again.map((capture) =>
    el("li", { value: capture.number }, capture.failed.map((one) => one.message + (one.line ? " (line " + one.line + ")" : "")).join("; ")))));
}

function functionView(record) {
  const place = record.file ? record.file + ":" + record.line : "";
  return el("article", {},
    el("h2", {}, record.name, " ", badge(record.state)), el("p", { class: "dim place" }, place, record.options && " · " + record.options),
    figures(record), record.retired ? reasonsOf("Runs as plain Python from now on", [record.retired], null) : null, recompiles(record),
    record.captures.length ? captureTabs(record) : el("p", {}, "There is no capture: " + (record.calls ? "astrace was switched off." : "it was not called.")));
}
