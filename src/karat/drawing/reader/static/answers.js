// Slot filling: the answers of a query as a table, and where in their documents they point.

const shortClass = (item) => { const unit = store.units[item.unit].name; return item.gold.label.startsWith(unit) ? item.gold.label.slice(unit.length) || "–" : item.gold.label; };

// What the pool has for a class that nobody found.
const pooled = (item) => item.gold?.text || (item.answer ? JSON.parse(item.answer).text : "");

// Slot filling: every answer with its assessment, hop by hop, and the classes that nobody found.
function answersTable(view, items) {
  const bodies = [], several = shownSystems().length > 1, heads = ["Answer", "Slot", "Source", "Conf.", "Class", ...(several ? ["System"] : []), "Assessment"];
  for (const layer of [...new Set(items.map((item) => item.layer))].sort()) {
    const own = items.filter((item) => item.layer === layer), missed = own.filter((item) => item.judged.flat().every((one) => !one.item)).length;
    bodies.push(el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: heads.length }, name(layer), el("span", { class: "quiet" }, ` · ${many(own.length - missed, "answer")}${missed ? `, ${missed} missed` : ""}`))));
    for (const item of own) for (const system of shownSystems()) {
      const judged = judgedBy(item, system);
      if (!judged) continue;
      const { line, tone } = lineOf(judged), score = judged.item?.score;
      bodies.push(pickable(view, item, el("tr", {},
        el("td", { class: "serif big" }, judged.item ? name(judged.item.text) : pooled(item) ? [name(pooled(item), { class: "washed" }), el("span", { class: "quiet sans" }, " only in the pool")] : el("span", { class: "quiet sans" }, "nothing was answered")),
        el("td", { class: "mono fixed" }, name(item.label)),
        el("td", { class: "mono quiet" }, name(judged.source || "–"), judged.item?.place ? el("span", { class: "place" }, name(fileName(judged.item.place))) : null),
        el("td", { class: "n" }, score === undefined ? "–" : String(score)),
        el("td", { class: "mono" }, item.gold ? name(shortClass(item)) : "–"), several && el("td", {}, el("b", { class: "letter" }, SYSTEMS[system].letter)),
        el("td", {}, lineSample(line, tone), " ", badge(judged), " ", pickButton(view, item, judged.case)))));
    }
  }
  return el("section", { class: "below" }, regionOf("Answers", items[0], el("table", { class: "items answers" }, head(...heads), el("tbody", {}, bodies))));
}
const fileName = (place) => place.split("/").pop();

// Every document that answers rest on as a line of characters, with the stretch that justifies each answer below it.
const STRETCH = /([^:,\s]+):(\d+)-(\d+)/g, MOST_SOURCES = 40, SOURCE_STEP = 24;

function sourcesMap(view, items) {
  const sources = new Map();
  for (const item of items) for (const system of shownSystems()) {
    const judged = judgedBy(item, system);
    for (const [, source, start, end] of (judged?.source || "").matchAll(STRETCH)) sources.set(source, [...(sources.get(source) || []), { item, judged, start: Number(start), end: Number(end) + 1 }]);
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
      for (const at of [x(start), Math.max(x(end), x(start) + 3)]) group.append(svg("path", { class: `met lit ${tone}`, d: `M${at},${y - 4}v8` }));
      group.append(svg("text", { x: Math.max(x(end), x(start) + 3) + 8, y: y + 5, class: `${view.isSelected(item) ? "strong" : ""} ${tone}` }, visible(clip(judged.item.text, 26))));
      group.addEventListener("click", () => view.select(item));
      parts.push(group);
    }
    y += 44;
  }
  const title = "Where the answers point";
  return el("section", { class: "below" }, el("h3", {}, title, el("span", { class: "quiet" }, " characters of the documents that justify them; their texts are not in the files")),
    regionOf(title, items[0], svg("svg", { class: "meet", viewBox: `0 0 740 ${y - 20}`, width: 740, height: y - 20, role: "img", "aria-label": `${title}: ${stretches.map(({ judged }) => `${visible(judged.item.text)} ${visible(judged.source)}`).join("; ")}` }, parts)));
}
