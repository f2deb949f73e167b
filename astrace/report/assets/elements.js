// Elements made of data: text is always a text node, so that nothing in it can be markup.

const SVG = "http://www.w3.org/2000/svg";

function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
  return node;
}

const el = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => put(document.createElementNS(SVG, tag), attributes, children);

// Control characters and marks that turn the direction of text are shown as Python writes them.
function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, (char) => {
    const code = char.charCodeAt(0);
    return code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16).padStart(4, "0");
  });
}

function seconds(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-6) return (value * 1e9).toFixed(0) + " ns";
  if (size < 1e-3) return (value * 1e6).toFixed(size < 1e-5 ? 1 : 0) + " µs";
  if (size < 1) return (value * 1e3).toFixed(size < 1e-2 ? 2 : 1) + " ms";
  return value.toFixed(2) + " s";
}

function signed(value) {
  if (value === null || value === undefined) return "not measured";
  return (value > 0 ? "+" : value < 0 ? "−" : "") + seconds(Math.abs(value));
}

const count = (number, what) => number.toLocaleString("en") + " " + what + (number === 1 ? "" : "s");
const fileName = (file) => file.split(/[\\/]/).pop();

// The name of a function in its module; where the file does not tell that, the last two parts of the whole name.
function shortName(record) {
  const name = record.name.split(".<locals>.").pop();
  const module = "." + fileName(record.file).replace(/\.py$/, "") + ".", at = ("." + name).lastIndexOf(module);
  if (at >= 0) return name.slice(at + module.length - 1);
  return name.split(".").slice(-2).join(".").replace(/^(__main__|<run_path>)\./, "");
}

const STATE_WORDS = { whole: "captured whole", partly: "partly captured", plain: "plain Python", "not called": "not called" };
const badge = (state) => el("span", { class: "badge " + state.replace(" ", "-") }, STATE_WORDS[state] || state);
