// How the chains of gold and system meet: the mentions of each chain side by side, and a line for each that both have.

const LINE_STEP = 25, CHAIN_GAP = 14, MOST_MET = 80;

function chainGroups(mentions, labelOf) {
  const groups = new Map();
  for (const item of mentions) {
    const label = labelOf(item);
    if (label !== null && label !== undefined) groups.set(label, [...(groups.get(label) || []), item]);
  }
  return groups;
}

// Give every mention of a side its height, chain by chain.
function placedGroups(groups) {
  const places = new Map(), chains = [];
  let y = 18;
  for (const [label, items] of groups) {
    const top = y - 12;
    for (const item of items) { places.set(item.index, y); y += LINE_STEP; }
    chains.push({ label, top, bottom: y - LINE_STEP + 10, items });
    y += CHAIN_GAP;
  }
  return { places, chains, height: y };
}

function chainsMeet(view, chains, mentions) {
  const system = shownSystems()[0], ofSystem = (item) => judgedBy(item, system)?.item?.label;
  if (system === undefined || !mentions.length || mentions.length > MOST_MET) return null;
  const gold = placedGroups(chainGroups(mentions, (item) => item.gold?.label)), own = placedGroups(chainGroups(mentions, ofSystem));
  const height = Math.max(gold.height, own.height), [left, right] = [300, 476], parts = [];
  const fates = new Map(chains.filter((chain) => chain.gold).map((chain) => [chain.gold.label, judgedBy(chain, system)]));
  const said = (x, y, words, attributes) => svg("text", { x, y: y + 5, ...attributes }, visible(clip(words, 26)));
  const bar = (x, { top, bottom }, kind) => svg("line", { x1: x, x2: x, y1: top, y2: bottom, class: kind });
  const ring = (x, { top, bottom, label }, kind) => [svg("circle", { cx: x, cy: (top + bottom) / 2, r: 10, class: kind }), svg("text", { x, y: (top + bottom) / 2 + 4, class: `ring-name ${kind}`, "text-anchor": "middle" }, visible(clip(String(label), 4)))];
  for (const chain of gold.chains) {
    const fate = fates.get(chain.label);
    parts.push(bar(left, chain, "chain-gold"), ring(20, chain, "ring-gold"));
    if (fate) parts.push(svg("text", { x: 38, y: (chain.top + chain.bottom) / 2 + 4, class: `fate ${{ solid: "full", dotted: "none", dashed: "none" }[lineOf(fate).line] || "part"}` }, fate.case));
  }
  for (const chain of own.chains) parts.push(bar(right, chain, "chain-own"), ring(660, chain, "ring-own"));
  for (const item of mentions) {
    const judged = judgedBy(item, system), from = gold.places.get(item.index), to = own.places.get(item.index);
    if (from === undefined && to === undefined) continue;
    const { line, tone } = judged ? lineOf(judged) : { line: "dotted", tone: "none" }, kind = `met ${tone} ${line} ${view.isSelected(item) || litWith(view, item) ? "lit" : ""}`;
    const words = shownText(item), strong = { class: view.isSelected(item) ? "strong" : tone === "none" ? "none" : "" };
    const group = svg("g", { class: "meeting", "data-item": item.index });
    if (from !== undefined) group.append(said(left - 12, from, words, { "text-anchor": "end", class: view.isSelected(item) ? "strong" : "" }));
    if (to !== undefined) group.append(said(right + 12, to, judged.item.text || words, strong));
    if (from !== undefined && to !== undefined) {
      const bend = (left + right) / 2, path = (off) => `M${left + 5},${from + off}C${bend},${from + off} ${bend},${to + off} ${right - 5},${to + off}`;
      for (const off of line.includes("double") ? [-1.6, 1.6] : [0]) group.append(svg("path", { class: kind, d: path(off) }));
      group.append(reach(path(0)));
    } else if (from !== undefined) group.append(svg("path", { class: `met ${tone} dotted`, d: `M${left + 5},${from}H${left + 64}` }), reach(`M${left - 12},${from}H${left + 72}`), said(left + 72, from, "not found", { class: "none small" }));
    else group.append(svg("path", { class: `met ${tone} dashed`, d: `M${right - 64},${to}H${right - 5}` }), reach(`M${right - 72},${to}H${right + 12}`), said(right - 72, to, judged.case, { class: "none small", "text-anchor": "end" }));
    group.addEventListener("click", () => view.select(item));
    parts.push(group);
  }
  const title = `How the chains meet`, counts = `gold, ${many(gold.chains.length, "chain")} · ${SYSTEMS.length > 1 ? SYSTEMS[system].letter : "system"}, ${many(own.chains.length, "chain")}`;
  return el("section", { class: "below" }, el("h3", {}, title, el("span", { class: "quiet" }, ` ${counts}`)),
    regionOf(title, mentions[0], svg("svg", { class: "meet", viewBox: `0 0 690 ${height}`, width: 690, height, role: "img", "aria-label": `${title}: ${counts}. The table below has the same.` }, parts.flat(Infinity))));
}
const litWith = (view, item) => { const chosen = view.selected(); return Boolean(chosen?.gold && item.gold && chosen.gold.label === item.gold.label && chosen.unit === item.unit); };
