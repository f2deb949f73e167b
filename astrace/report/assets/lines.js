// Texts side by side whose lines belong to lines of the function: one is pointed at, all others show.

class LinkedLines {
  constructor() {
    this.byLine = new Map();
    this.panes = [];
    this.hot = 0;
    this.pinned = 0;
    this.told = () => {};
  }

  add(line, node) {
    if (!line) return;
    if (!this.byLine.has(line)) this.byLine.set(line, []);
    this.byLine.get(line).push(node);
  }

  forget(nodes) {
    for (const [line, known] of this.byLine) this.byLine.set(line, known.filter((one) => !nodes.has(one)));
  }

  show(line, from) {
    if (this.hot === line) return;
    for (const node of this.byLine.get(this.hot) || []) node.classList.remove("hot");
    this.hot = line;
    for (const node of this.byLine.get(line) || []) node.classList.add("hot");
    for (const pane of this.panes) if (pane !== from) reveal(pane, pane.querySelector(".hot"));
    this.told(line);
  }

  pin(line, from) {
    for (const node of this.byLine.get(this.pinned) || []) node.classList.remove("pinned");
    this.pinned = this.pinned === line ? 0 : line;
    for (const node of this.byLine.get(this.pinned) || []) node.classList.add("pinned");
    if (line) {
      this.hot = 0;
      this.show(line, from);
    }
  }

  // Watches a container whose elements name their line.
  watch(box) {
    const lineOf = (event) => {
      const node = event.target.closest("[data-line]");
      return node ? Number(node.dataset.line) : 0;
    };
    box.addEventListener("mouseover", (event) => {
      const line = lineOf(event);
      if (line && !this.pinned) this.show(line, event.target.closest(".pane"));
    });
    box.addEventListener("click", (event) => {
      const line = lineOf(event);
      if (line && !event.target.closest("[data-box]")) this.pin(line, event.target.closest(".pane"));
    });
  }
}

// Scrolls a pane, and nothing around it, so that a line can be seen.
function reveal(pane, node) {
  if (!node || !pane.scrollHeight) return;
  const top = node.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  if (top < 0 || top > pane.clientHeight - 24) pane.scrollTop += top - pane.clientHeight / 3;
}

function pane(links, title, rows, note) {
  const list = el("ol", { class: "code" });
  for (const row of rows) {
    if (row.heading !== undefined) {
      list.append(el("li", { class: "heading" }, row.heading));
      continue;
    }
    const node = el("li", { "data-line": row.line || null, class: row.codes ? "noted" : null },
      el("span", { class: "number" }, row.number === undefined ? row.line || "" : row.number),
      row.codes !== undefined && el("span", { class: "codes" }, row.codes),
      row.time !== undefined && timeBar(row),
      el("code", {}, row.text));
    links.add(row.line, node);
    list.append(node);
  }
  const box = el("div", { class: "pane", tabindex: "0", role: "region", "aria-label": title }, list);
  box.addEventListener("keydown", (event) => walk(links, box, event));
  links.panes.push(box);
  return el("section", { class: "column", "data-title": title }, el("h4", {}, title, note && el("span", { class: "dim" }, " " + note)), box);
}

function timeBar(row) {
  const bar = el("span", { class: "time", title: row.time ? seconds(row.time) : null });
  if (row.time) {
    const inner = el("i");
    inner.style.width = Math.max(2, 100 * row.share) + "%";
    bar.append(inner, el("b", {}, seconds(row.time)));
  }
  return bar;
}

function walk(links, box, event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") links.pin(links.pinned, box);
  if (event.key === "Enter" && links.hot) links.pin(links.hot, box);
  if (!step) return;
  event.preventDefault();
  const lines = [...box.querySelectorAll("[data-line]")];
  const at = lines.findIndex((one) => one.classList.contains("hot"));
  const last = step > 0 ? lines.length - 1 - [...lines].reverse().findIndex((one) => one.classList.contains("hot")) : at;
  let next = at < 0 ? 0 : last + step;
  next = Math.max(0, Math.min(lines.length - 1, next));
  if (!lines[next]) return;
  links.show(Number(lines[next].dataset.line), null);
  reveal(box, lines[next]);
}

function notesByLine(capture) {
  const found = new Map();
  const told = [...capture.notes, ...capture.left, ...(capture.fallback ? [capture.fallback] : [])];
  for (const one of told) {
    if (!found.has(one.line)) found.set(one.line, []);
    found.get(one.line).push(one);
  }
  return found;
}

function sourceRows(record, capture) {
  const notes = notesByLine(capture);
  const times = record.line_times;
  const most = Math.max(0, ...Object.values(times));
  const rows = [];
  record.source.forEach((part, index) => {
    if (index) rows.push({ heading: part.title });
    part.lines.forEach((text, offset) => {
      const line = part.first + offset;
      const codes = [...new Set((notes.get(line) || []).map((one) => one.code))].join(" ");
      const row = { line, number: line, codes, text };
      if (most) Object.assign(row, { time: times[line] || 0, share: (times[line] || 0) / most });
      rows.push(row);
    });
  });
  return rows;
}

const stageRows = (stage) => stage.lines.map((text, index) => ({ text, line: stage.origins[index] }));

function noteArea(links, capture) {
  const notes = notesByLine(capture);
  const area = el("div", { class: "notes", "aria-live": "polite" }, "Point at a line, or move with the arrow keys; a click or Enter holds it, Escape lets go.");
  links.told = (line) => {
    const found = notes.get(line) || [];
    area.replaceChildren(el("b", {}, "line " + line + " "), found.length ? "" : "nothing special is known of this line",
      ...found.map((one) => el("p", {}, el("span", { class: "code-name" }, one.code), " ", one.message, one.hint && el("span", { class: "hint" }, " → " + one.hint))));
  };
  return area;
}
