// Verdict marks: the line says what happened, the colour what it costs, a letter names it.

const LINES = {
  exact: ["solid", "e"], right: ["solid", "r"], "right-chain": ["solid", "r"], same: ["solid", "e"], found: ["solid", "e"],
  "wrong-boundary": ["ticks", "b"], "wrong-label": ["double", "l"], "wrong-link": ["double", "w"], "wrong-id": ["double", "w"],
  "wrong-chain": ["double", "w"], wrong: ["double", "w"], "wrong-both": ["double ticks", "bl"], "wrong-several": ["double ticks", "w"],
  partial: ["dashdot", "p"], split: ["dashdot", "p"], merged: ["dashdot", "p"], extended: ["dashdot", "p"],
  missed: ["dotted", "m"], "missing-mention": ["dotted", "m"], spurious: ["dashed", "s"], invented: ["dashed", "i"], unassessed: ["dashed", "u"],
  "wrong-type": ["ticks", "t"], "wrong-head": ["ticks", "h"], "wrong-tail": ["ticks", "h"], "other-mention": ["ticks", "o"], reversed: ["ticks", "v"],
  "nil-for-link": ["double", "n"], "link-for-nil": ["double", "n"],
};
const BY_OUTCOME = { c: "solid", p: "dashdot", i: "double", m: "dotted", s: "dashed", "-": "solid" };

function lineOf(judged) {
  const known = LINES[judged.case], letter = outcomeOf(judged);
  const line = known ? known[0] : BY_OUTCOME[letter] || "solid";
  return { line, letter: known ? known[1] : judged.case.charAt(0), tone: toneOf(letter) };
}

// The letter in its box: outlined for full credit, filled for less.
function badge(judged, attributes = {}) {
  const { letter, tone } = lineOf(judged);
  return el("span", { ...attributes, class: `badge ${tone} ${attributes.class || ""}` }, letter);
}

// A line as a picture of its own, for the inspector and the key.
function lineSample(line, tone) {
  const parts = [];
  const across = (y, dash) => svg("line", { x1: 2, x2: 38, y1: y, y2: y, "stroke-width": 2, "stroke-dasharray": dash || null });
  if (line.includes("double")) parts.push(across(5), across(9));
  else parts.push(across(7, { dotted: "2 3", dashed: "6 4", dashdot: "8 3 2 3" }[line]));
  if (line.includes("ticks")) for (const x of [2, 38]) parts.push(svg("line", { x1: x, x2: x, y1: 2, y2: 12, "stroke-width": 2 }));
  return svg("svg", { class: `sample ${tone}`, viewBox: "0 0 40 14", width: 40, height: 14, "aria-hidden": "true" }, parts);
}

const outcomeWords = (letter) => el("span", { class: toneOf(letter) }, `${SIGNS[letter] || "·"} ${OUTCOMES[letter] || "not judged"}`);

// An item in one sentence, for whoever cannot see where it stands.
function spoken(item) {
  const gold = item.gold ? `gold ${[item.gold.label, ...item.gold.alternatives].filter(Boolean).join(" ")}` : "not in the gold";
  const systems = shownSystems().flatMap((system) => {
    const judged = judgedBy(item, system);
    if (!judged) return [];
    const label = judged.item && (!item.gold || judged.item.label !== item.gold.label) ? ` ${judged.item.label}` : "";
    const outcome = OUTCOMES[outcomeOf(judged)];
    return [`system ${SYSTEMS[system].letter}: ${judged.case}${label}${outcome ? `, ${outcome} under ${state.regime}` : ""}`];
  });
  return visible([`${clip(shownText(item) || item.label, 80)}, ${gold}`, ...systems].join("; "));
}
