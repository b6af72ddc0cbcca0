// The report in the browser: small helpers, the data of the page, and what is shown as state in the address.
// Written for Karat, no libraries. Texts of documents are only ever text: nothing here makes markup of a string.

const $ = (query, root = document) => root.querySelector(query);
const $$ = (query, root = document) => [...root.querySelectorAll(query)];
const META = JSON.parse($("#meta").textContent);
const SYSTEMS = META.systems, REGIMES = META.regimes;
const OUTCOMES = { c: "correct", p: "partial", i: "incorrect", m: "missed", s: "spurious" };
const SIGNS = { c: "✓", p: "◐", i: "✕", m: "✕", s: "✕" };

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
// A wide line that nobody sees: what can be pointed at beside a thin one.
const reach = (d) => svg("path", { class: "reach", d });

// Names and texts from the data stand by themselves whatever their direction, and what cannot be seen is shown.
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const visible = (text) => text.replace(HIDDEN, (c) => String.fromCharCode(c === "\u007f" ? 0x2421 : 0x2400 + c.charCodeAt(0))).replace(TURNS, "⇄");
const name = (text, attributes) => el("bdi", attributes, visible(String(text)));

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u2009");
const many = (number, noun) => `${grouped(number)} ${number === 1 ? noun : noun.endsWith("ry") ? noun.slice(0, -1) + "ies" : noun + "s"}`;
const three = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
const clip = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

function say(text) {
  const place = $("#said");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = text; });
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { place.textContent = ""; }, 4000);
}
const announce = (text) => { $("#polite").textContent = text; };

// The data stand in the page in parts, which are unpacked when they are looked at.
async function unpack(part) {
  const block = document.getElementById(`part-${part}`);
  if (!block) throw new Error(`the part ${part} is not in the page`);
  const raw = atob(block.textContent.trim()), bytes = new Uint8Array(raw.length);
  for (let place = 0; place < raw.length; place += 1) bytes[place] = raw.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// What is shown: view, document, item, regime, systems and filters. The part behind # of the address holds it.
const LISTS = ["outcome", "case", "label", "as", "layer", "within"];
const START = {
  view: META.view, doc: "", item: "", regime: META.regime, systems: SYSTEMS.slice(0, META.shown).map((s) => s.letter).join(""),
  outcome: [], case: [], label: [], as: [], layer: [], within: [], differ: Boolean(META.differ), q: "", order: META.order,
};
let state = { ...START };

function address(values) {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (LISTS.includes(key)) value.forEach((one) => parts.append(key, one));
    else if (value !== START[key]) parts.set(key, value === true ? "yes" : value);
  }
  return `#${parts}`;
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1)), values = { ...START };
  for (const key of Object.keys(START)) {
    if (LISTS.includes(key)) values[key] = parts.getAll(key);
    else if (parts.has(key)) values[key] = key === "differ" ? parts.get(key) === "yes" : parts.get(key);
  }
  if (!$(`#view-${CSS.escape(values.view)}`)) values.view = START.view;
  if (!REGIMES.includes(values.regime)) values.regime = META.regime;
  return values;
}

const watchers = [];
// Change what is shown. Each change is a step that the back button undoes; typing is one step.
function go(changes, { quiet = false } = {}) {
  const before = state;
  state = { ...state, ...changes };
  const link = address(state);
  if (!META.framed && link !== location.hash && !(link === "#" && !location.hash)) history[quiet ? "replaceState" : "pushState"](null, "", link);
  watchers.forEach((watch) => watch(state, before));
}
function follow() {
  const before = state;
  state = readAddress();
  watchers.forEach((watch) => watch(state, before));
}

const regimeNumber = () => Math.max(0, REGIMES.indexOf(state.regime));
const shownSystems = () => SYSTEMS.map((_, number) => number).filter((number) => lettersOf(state.systems).includes(SYSTEMS[number].letter));
const lettersOf = (text) => text.match(/[A-Z]\d*/g) || [];

async function copy(text, words) {
  try { await navigator.clipboard.writeText(text); } catch {
    const area = el("textarea", { class: "unseen", readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(words);
}
