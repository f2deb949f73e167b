// A graph as boxes: the layout of each block is dagre's; a region is a box in its node's box, which opens and closes.

const CHAR = 6.7, ROW = 15, PAD = 8, GAP = 10, MOST_CHARS = 44, OPEN_AT_FIRST = 60, DRAWN_AT_FIRST = 150;

const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

function countNodes(block) {
  return block.nodes.reduce((sum, node) => sum + 1 + (node.regions || []).reduce((all, one) => all + countNodes(one.block), 0), 0);
}

class Drawing {
  constructor(block, links) {
    this.block = block;
    this.links = links;
    this.closed = new Set();
    this.drawn = new Set();
    this.zoom = 0;
    if (countNodes(block) > OPEN_AT_FIRST) this.each(block, "", (path) => this.closed.add(path));
    this.view = el("div", { class: "view", tabindex: "0", role: "region", "aria-label": "the graph, drawn" });
    this.links.watch(this.view);
    const button = (text, act) => el("button", { type: "button", onclick: act }, text);
    this.box = el("div", { class: "drawing" },
      el("div", { class: "tools" }, button("open all", () => { this.closed.clear(); this.draw(); }),
        button("close all", () => { this.each(this.block, "", (path) => this.closed.add(path)); this.draw(); }),
        button("larger", () => this.scale(1.25)), button("smaller", () => this.scale(0.8)), button("fit", () => this.scale(0))),
      this.view);
  }

  each(block, path, act) {
    block.nodes.forEach((node, index) => {
      if (!node.regions) return;
      const own = path + "/" + index;
      act(own);
      node.regions.forEach((region, number) => this.each(region.block, own + "." + number, act));
    });
  }

  // -- sizes, inner blocks first ----------------------------------------------------------------------------

  blockLayout(block, path, isTop) {
    const graph = new dagre.Graph();
    graph.setGraph({ rankdir: "TB", nodesep: 14, ranksep: 22, marginx: PAD, marginy: PAD });
    graph.setDefaultEdgeLabel(() => ({}));
    const made = new Map();
    const used = new Set([...block.out, ...block.nodes.flatMap((node) => node.use)]);
    block.in.forEach((name, index) => {
      made.set(name, "i" + index);
      if (isTop || used.has(name)) graph.setNode("i" + index, { kind: "input", text: name, line: 0, ...this.size([name]) });
    });
    block.nodes.forEach((node, index) => {
      graph.setNode("n" + index, this.nodeLayout(node, path + "/" + index));
      for (const name of node.out) made.set(name, "n" + index);
    });
    const returned = "→ " + cut(block.out.join(", "), MOST_CHARS);
    if (block.out.length) graph.setNode("o", { kind: "output", text: returned, line: 0, ...this.size([returned]) });
    const join = (name, to) => {
      const from = made.get(name);
      if (from && from !== to && graph.hasNode(from)) graph.setEdge(from, to);
    };
    block.nodes.forEach((node, index) => node.use.forEach((name) => join(name, "n" + index)));
    block.out.forEach((name) => join(name, "o"));
    if (graph.nodeCount()) dagre.layout(graph);
    const size = graph.nodeCount() ? graph.graph() : { width: 60, height: 20 };
    return { graph, width: size.width, height: size.height };
  }

  size(texts) {
    return { width: Math.max(...texts.map((text) => text.length)) * CHAR + 2 * PAD, height: texts.length * ROW + 8 };
  }

  nodeLayout(node, path) {
    const names = node.out.join(", ");
    const call = (names ? node.text.split(" = ").slice(1).join(" = ") || node.op : node.text).replace(/:$/, "");
    const head = cut((names ? names + " = " : "") + call, MOST_CHARS);
    const own = { kind: node.regions ? "control" : "node", text: head, title: node.text, line: node.line, node, path };
    if (!node.regions) return { ...own, ...this.size([head]) };
    if (this.closed.has(path)) return { ...own, ...this.size(["▸ " + head]) };
    const parts = node.regions.map((region, index) => ({ name: region.name, ...this.blockLayout(region.block, path + "." + index, false) }));
    const wide = parts.map((part) => Math.max(part.width, part.name.length * CHAR + 2 * PAD));
    return {
      ...own, parts, wide, isOpen: true,
      width: Math.max(wide.reduce((sum, one) => sum + one + GAP, GAP), this.size(["▾ " + head]).width),
      height: ROW + 14 + Math.max(...parts.map((part) => part.height + ROW)) + GAP,
    };
  }

  // -- shapes -----------------------------------------------------------------------------------------------

  draw() {
    this.links.forget(this.drawn);
    this.drawn = new Set();
    const found = this.blockLayout(this.block, "", true);
    this.natural = found.width;
    this.root = svg("svg", { viewBox: `0 0 ${found.width} ${found.height}`, class: "graph", role: "img", "aria-label": "graph" });
    this.root.append(svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" },
      svg("path", { d: "M0 0 L8 4 L0 8 z", class: "tip" }))));
    this.drawBlock(found.graph, this.root);
    this.view.replaceChildren(this.root);
    this.scale(1);
  }

  scale(factor) {
    const room = (this.view.clientWidth || 800) - 4;
    const fit = Math.min(1, Math.max(0.45, room / this.natural));
    this.zoom = factor === 0 || !this.zoom ? fit : Math.min(3, Math.max(0.2, this.zoom * factor));
    this.root.setAttribute("width", Math.round(this.natural * this.zoom));
  }

  drawBlock(graph, parent) {
    for (const edge of graph.edges()) {
      const points = graph.edge(edge).points;
      parent.append(svg("path", { d: "M" + points.map((point) => point.x.toFixed(1) + " " + point.y.toFixed(1)).join(" L"), class: "edge", "marker-end": "url(#tip)" }));
    }
    for (const id of graph.nodes()) this.drawNode(graph.node(id), parent);
  }

  drawNode(made, parent) {
    const left = made.x - made.width / 2, top = made.y - made.height / 2;
    const isControl = made.kind === "control";
    const group = svg("g", { class: "box " + made.kind + (made.isOpen ? " open" : ""), transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})`, "data-line": made.line || null });
    group.append(svg("rect", { width: made.width, height: made.height, rx: made.kind === "input" || made.kind === "output" ? 10 : 4 }));
    if (made.title) group.append(svg("title", {}, made.title + (made.line ? "  (line " + made.line + ")" : "")));
    const head = isControl ? (made.isOpen ? "▾ " : "▸ ") + made.text : made.text;
    const label = svg("text", { x: PAD, y: ROW + 1 }, head);
    if (isControl) group.append(this.handle(made, label));
    else group.append(label);
    if (made.isOpen) this.drawRegions(made, group);
    parent.append(group);
    this.links.add(made.line, group);
    this.drawn.add(group);
  }

  handle(made, label) {
    const toggle = () => {
      if (!this.closed.delete(made.path)) this.closed.add(made.path);
      this.draw();
      const again = [...this.view.querySelectorAll("[data-box]")].find((one) => one.dataset.box === made.path);
      if (again) again.focus();
    };
    return svg("g", {
      class: "handle", tabindex: "0", role: "button", "data-box": made.path, "aria-expanded": String(Boolean(made.isOpen)), "aria-label": made.text,
      onclick: (event) => { event.stopPropagation(); toggle(); },
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(); } },
    }, svg("rect", { width: made.width, height: ROW + 8, class: "bar" }), label);
  }

  drawRegions(made, group) {
    let x = GAP;
    made.parts.forEach((part, index) => {
      const region = svg("g", { class: "region", transform: `translate(${x.toFixed(1)} ${ROW + 14})` });
      const tall = made.height - ROW - 14 - GAP;
      region.append(svg("rect", { width: made.wide[index], height: tall, rx: 3 }), svg("text", { x: PAD, y: ROW - 2, class: "name" }, part.name));
      const inner = svg("g", { transform: `translate(0 ${ROW})` });
      this.drawBlock(part.graph, inner);
      region.append(inner);
      group.append(region);
      x += made.wide[index] + GAP;
    });
  }
}

// A graph is laid out when it is looked at.
function drawingOf(block, links) {
  const number = countNodes(block);
  let drawing = null;
  const holder = el("details", { class: "graph-part", ontoggle: () => {
    if (!holder.open || drawing) return;
    drawing = new Drawing(block, links);
    holder.append(drawing.box);
    drawing.draw();
  } }, el("summary", {}, "The graph, drawn ", el("span", { class: "dim" }, count(number, "node"))));
  holder.open = number <= DRAWN_AT_FIRST;
  return holder;
}
