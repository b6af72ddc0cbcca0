// Slot filling: the answers of a query as a table, and where in their documents they point.

const shortClass = (item) => { const unit = store.units[item.unit].name; return item.gold.label.startsWith(unit) ? item.gold.label.slice(unit.length) || "–" : item.gold.label; };

// The line of the pool as it was read; what justifies an answer or, if there is none, that line; and its words.
const poolLine = (item) => (item.answer ? JSON.parse(item.answer) : null);
const sourceOf = (item, judged) => judged?.source || (judged && !judged.item && poolLine(item)?.attributes.relation) || "";
const pooled = (item) => item.gold?.text || poolLine(item)?.text || "";

// What the line of the pool says of an answer.
const ASSESSED = { C: "correct", W: "wrong", X: "inexact", S: "too short", L: "too long", I: "ignored" };
function assessment(item) {
  const code = poolLine(item)?.attributes.judgment;
  return [el("span", { class: `ring ${code ? (code === "C" ? "full" : "none") : "lacking"}`, "aria-hidden": "true" }, code || "·"), " ", code ? ASSESSED[code] || visible(code) : "no line"];
}

// What every item of a later hop follows from: the answer of the same system that leads to its query or, of a class that nobody
// found, the first answer of the class above.
function parentsOf(items, system) {
  const leading = new Map(), classes = new Map(), parents = new Map();
  for (const item of items) {
    const leads = judgedBy(item, system)?.leads;
    if (leads && !leading.has(leads)) leading.set(leads, item);
    if (item.gold && !classes.has(item.gold.label)) classes.set(item.gold.label, item);
  }
  for (const item of items) {
    const judged = judgedBy(item, system), above = item.gold?.label.replace(/:[^:]*$/, "");
    const parent = judged?.answer ? leading.get(JSON.parse(judged.answer).attributes.query) : judged && classes.get(above);
    if (parent && parent !== item) parents.set(item, parent);
  }
  return parents;
}

// Slot filling: every answer with its assessment, hop by hop, and the classes that nobody found.
function answersTable(view, items) {
  const bodies = [], several = shownSystems().length > 1, heads = ["Answer", "Slot", "Source", "Conf.", "Assessment", "Class", ...(several ? ["System"] : []), "Verdict"], parents = new Map(shownSystems().map((system) => [system, parentsOf(items, system)]));
  for (const layer of [...new Set(items.map((item) => item.layer))].sort()) {
    const own = items.filter((item) => item.layer === layer), missed = own.filter((item) => item.judged.flat().every((one) => !one.item)).length;
    bodies.push(el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: heads.length }, name(layer), el("span", { class: "quiet" }, ` · ${many(own.length - missed, "answer")}${missed ? `, ${missed} missed` : ""}`))));
    for (const item of own) for (const system of shownSystems()) {
      const judged = judgedBy(item, system);
      if (!judged) continue;
      const { line, tone } = lineOf(judged), score = judged.item?.score, parent = parents.get(system).get(item), source = sourceOf(item, judged), words = judged.item ? judged.item.text : pooled(item);
      bodies.push(pickable(view, item, el("tr", {},
        el("td", { class: `serif big${parent ? " follows" : ""}` }, parent && elbow(), words ? name(words, { class: judged.item ? null : "washed" }) : el("span", { class: "quiet sans" }, "nothing was answered"),
          parent && el("span", { class: "quiet sans" }, " of ", name(shownText(parent))), !judged.item && words && el("span", { class: "quiet sans" }, `${parent ? "," : ""} only in the pool`)),
        el("td", { class: "mono fixed" }, name(item.label)),
        el("td", { class: "mono quiet" }, name(source || "–", { class: source.length <= SHORT ? "short" : null })),
        el("td", { class: "n" }, score === undefined ? "–" : String(score)),
        el("td", { class: "fixed" }, assessment(item)),
        el("td", { class: "mono" }, item.gold ? name(shortClass(item)) : "–"), several && el("td", {}, el("b", { class: "letter" }, SYSTEMS[system].letter)),
        el("td", {}, lineSample(line, tone), " ", badge(judged), " ", pickButton(view, item, judged.case)))));
    }
  }
  return el("section", { class: "below" }, regionOf("Answers", items[0], el("table", { class: "items answers" }, head(...heads), el("tbody", {}, bodies))));
}
const elbow = () => svg("svg", { class: "elbow", viewBox: "0 0 16 18", width: 16, height: 18, "aria-hidden": "true" }, svg("path", { d: "M2,0V14H16" }));

// The selected answer: what each system answered, the line of the pool with its assessment, and what follows from it.
function answerOf(item, systems) {
  const { items } = store.units[item.unit].content, line = poolLine(item), rows = [];
  const row = (title, ...content) => rows.push(el("div", {}, el("dt", {}, title), el("dd", {}, content)));
  const place = (text) => (text ? el("code", { class: "place" }, name(text)) : null);
  const step = (one) => el("span", { class: "step" }, el("button", { type: "button", class: "plain serif", onclick: () => choose(one) }, name(clip(shownText(one), 80))), " ", name(one.label), ", ", name(one.layer));
  for (const system of systems) {
    const own = judgedBy(item, system).item;
    row(systems.length > 1 ? `Answer ${SYSTEMS[system].letter}` : "Answer", own ? [el("span", { class: "serif" }, name(clip(own.text, 300))), " ", el("b", { class: "label" }, name(own.label)), own.score === undefined ? null : el("span", { class: "quiet" }, ` ${own.score}`, el("span", { class: "unseen" }, " is its score")), place(own.place)] : el("span", { class: "quiet" }, "nothing was answered"));
  }
  row("Pool line", line && !systems.some((system) => judgedBy(item, system).item) && [el("span", { class: "serif washed" }, name(clip(line.text, 300))), " "], assessment(item), item.gold && [", class ", el("code", {}, name(shortClass(item)))], item.gold && place(item.gold.text || !line ? item.gold.place : `${item.gold.place}:${line.id}`));
  const families = systems.map((system) => parentsOf(items, system)), above = new Set(families.map((parents) => parents.get(item)).filter(Boolean)), below = items.filter((one) => families.some((parents) => parents.get(one) === item));
  if (above.size) row("Follows", [...above].map(step));
  if (below.length) row("Leads to", below.map(step));
  return el("dl", { class: "where answered" }, rows);
}

// Every document that answers rest on as a line of characters, with the stretch that justifies each answer below it.
const STRETCH = /([^:,\s]+):(\d+)-(\d+)/g, MOST_SOURCES = 40, SHORT = 16, SOURCE_STEP = 24;

function sourcesMap(view, items) {
  const sources = new Map();
  for (const item of items) for (const system of shownSystems()) {
    const judged = judgedBy(item, system);
    for (const [, source, start, end] of sourceOf(item, judged).matchAll(STRETCH)) sources.set(source, [...(sources.get(source) || []), { item, judged, start: Number(start), end: Number(end) + 1 }]);
  }
  const stretches = [...sources.values()].flat();
  if (!stretches.length || stretches.length > MOST_SOURCES) return null;
  const parts = [], left = 96, width = 480;
  let y = 22;
  for (const [source, own] of sources) {
    const size = Math.max(...own.map(({ end }) => end)), step = 10 ** Math.floor(Math.log10(size)) / (size < 3 * 10 ** Math.floor(Math.log10(size)) ? 5 : 1), last = Math.ceil(size / step) * step, x = (at) => left + (at / last) * width;
    parts.push(svg("text", { x: 0, y: y + 5, class: "source-name" }, visible(clip(source, 14))), svg("line", { x1: left, x2: left + width, y1: y, y2: y, class: "source-line" }));
    for (let tick = 0; tick <= last + 1e-9; tick += step) parts.push(svg("line", { x1: x(tick), x2: x(tick), y1: y - 3, y2: y + 3, class: "source-line" }), svg("text", { x: x(tick), y: y - 8, class: "small", "text-anchor": "middle" }, grouped(Math.round(tick))));
    for (const { item, judged, start, end } of own) {
      y += SOURCE_STEP;
      const { line, tone } = lineOf(judged), group = svg("g", { class: "meeting", "data-item": item.index }), kind = `met lit ${tone} ${line}`;
      for (const off of line.includes("double") ? [-1.6, 1.6] : [0]) group.append(svg("path", { class: kind, d: `M${x(start)},${y + off}H${Math.max(x(end), x(start) + 3)}` }));
      group.append(reach(`M${x(start)},${y}H${Math.max(x(end), x(start) + 3) + 8}`));
      for (const at of [x(start), Math.max(x(end), x(start) + 3)]) group.append(svg("path", { class: `met lit ${tone}`, d: `M${at},${y - 4}v8` }));
      group.append(svg("text", { x: Math.max(x(end), x(start) + 3) + 8, y: y + 5, class: `${view.isSelected(item) ? "strong" : ""} ${tone}` }, visible(clip(judged.item?.text || pooled(item), 26))));
      group.addEventListener("click", () => view.select(item));
      parts.push(group);
    }
    y += 44;
  }
  const title = "Where the answers point";
  return el("section", { class: "below" }, el("h3", {}, title, el("span", { class: "quiet" }, " characters of the documents that justify them; their texts are not in the files")),
    regionOf(title, items[0], svg("svg", { class: "meet", viewBox: `0 0 740 ${y - 20}`, width: 740, height: y - 20, role: "img", "aria-label": `${title}: ${stretches.map(({ item, judged }) => `${visible(judged.item?.text || pooled(item))} ${visible(sourceOf(item, judged))}`).join("; ")}` }, parts)));
}
