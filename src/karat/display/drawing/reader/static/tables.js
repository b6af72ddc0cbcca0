// What stands below the text of a document: relations, chains and answers as tables, and what has no place in the text.

const MOST_ROWS = 200, MOST_REGIMES = 5;

const regimeSigns = (judged) => REGIMES.map((regime, number) => {
  const letter = judged ? judged.verdict[number] : "-";
  if (letter === "-") return el("td", { class: "sign" }, "·");
  return el("td", { class: "sign" }, el("span", { class: toneOf(letter), title: `${regime}: ${OUTCOMES[letter]}`, role: "img", "aria-label": `${regime}: ${OUTCOMES[letter]}` }, SIGNS[letter]));
});
// The regimes that judge some item, that which is shown among them; the inspector has all.
function usedRegimes(items) {
  const used = REGIMES.map((_, number) => number).filter((number) => items.some((item) => item.judged.flat().some((one) => one.verdict[number] !== "-")));
  const kept = new Set([...new Set([regimeNumber(), ...used])].filter((number) => used.includes(number)).slice(0, MOST_REGIMES));
  return REGIMES.map((_, number) => kept.has(number));
}

function tablesOf(view, content) {
  const { items } = content, parts = [], placed = (item) => endsOf(item).length > 0;
  if (META.task === "slots") return [answersTable(view, items), sourcesMap(view, items)].filter(Boolean);
  const chains = items.filter(isChain), others = items.filter((item) => !isChain(item));
  if (chains.length) parts.push(chainsMeet(view, chains, others), chainsTable(view, chains, others));
  const relations = others.filter((item) => isRelation(endsOf(item))), lost = others.filter((item) => !placed(item));
  if (relations.length) parts.push(itemsTable(view, relations, "Relations"));
  if (lost.length) parts.push(itemsTable(view, lost, content.text ? "Without a place in the text" : "Items"));
  return parts.filter(Boolean);
}

function head(...names) {
  return el("thead", {}, el("tr", {}, names.map((text) => (text instanceof Node ? text : el("th", { scope: "col" }, text || el("span", { class: "unseen" }, "Mark"))))));
}

// What may be wider than the page scrolls by itself, under a name of its own.
const regionOf = (title, item, content) => el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": item ? `${title} of ${visible(store.units[item.unit].title)}` : title }, content);

function itemsTable(view, items, title) {
  const used = usedRegimes(items), shown = shownSystems(), listed = items.slice(0, MOST_ROWS);
  if (!SYSTEMS.length) return goldTable(view, listed, items, title);
  const rows = listed.flatMap((item) => shown.map((system) => [item, system, judgedBy(item, system)]).filter(([, , judged]) => judged));
  const heads = ["", ...(shown.length > 1 ? ["System"] : []), "Case", "Label", "Gold", "System’s"];
  const signs = REGIMES.filter((_, number) => used[number]).map((regime) => el("th", { scope: "col", class: "sign" }, el("span", { class: REGIMES.length > 2 ? "upright" : "" }, regime)));
  const table = el("table", { class: "items" }, head(...heads, ...signs), el("tbody", {}, rows.map(([item, system, judged]) => {
    const label = (item.gold && item.gold.label) || judged.item?.label || item.label;
    const cells = regimeSigns(judged).filter((_, number) => used[number]);
    return pickable(view, item, el("tr", {},
      el("td", {}, badge(judged)), shown.length > 1 && el("td", {}, el("b", { class: "letter" }, SYSTEMS[system].letter)),
      el("td", { class: "fixed" }, pickButton(view, item, judged.case)), el("td", {}, el("b", {}, name(label))),
      el("td", { class: "serif" }, item.gold ? name(item.gold.text || "–") : "–"),
      el("td", { class: "serif" }, judged.item ? [name(judged.item.text || "–"), otherName(item, judged)] : "–"), cells));
  })));
  const rest = items.length > listed.length ? el("p", { class: "quiet" }, `${grouped(items.length - listed.length)} more stand in the ledger.`) : null;
  return el("section", { class: "below" }, el("h3", {}, title, el("span", { class: "quiet" }, ` ${grouped(items.length)}`)), regionOf(title, items[0], table), rest);
}
// Items of documents by themselves, which nobody has judged.
function goldTable(view, listed, items, title) {
  const further = items.some((item) => item.gold.alternatives.length);
  const rows = listed.map((item) => pickable(view, item, el("tr", {}, el("td", { class: "fixed" }, pickButton(view, item, visible(item.gold.label || "–"))), el("td", { class: "serif" }, name(item.gold.text || "–")), further && el("td", {}, name(item.gold.alternatives.join(" · "))))));
  return el("section", { class: "below" }, el("h3", {}, title, el("span", { class: "quiet" }, ` ${grouped(items.length)}`)), regionOf(title, items[0], el("table", { class: "items" }, head("Label", "Words", ...(further ? ["Further"] : [])), el("tbody", {}, rows))));
}
const otherName = (item, judged) => (item.gold && judged.item.label !== item.gold.label ? [" ", name(judged.item.label, { class: `label ${toneOf(outcomeOf(judged))}` })] : null);

function pickable(view, item, row) {
  row.dataset.item = item.index;
  row.classList.add("pickable", ...(view.isSelected(item) ? ["picked"] : []), ...(view.passes(item) ? [] : ["off"]));
  row.addEventListener("click", () => view.select(item));
  return row;
}
const pickButton = (view, item, text) => hinted(el("button", { type: "button", class: "plain", "aria-label": spoken(item), onclick: (event) => { event.stopPropagation(); view.select(item); } }, text), item);

// Every chain of the gold with its mentions and its fate, then chains that the system has alone.
function chainsTable(view, chains, mentions) {
  const members = (side, label) => mentions.filter((item) => (side === "gold" ? item.gold?.label === label : judgedBy(item, shownSystems()[0])?.item?.label === label));
  const rows = chains.map((chain) => {
    const side = chain.gold ? "gold" : "system", own = chain.gold || judgedBy(chain, shownSystems()[0])?.item;
    if (!own) return null;
    return pickable(view, chain, el("tr", {},
      el("td", {}, el("span", { class: `ring ${side === "gold" ? "goldring" : "none"}` }, chainMark(own.label))),
      el("td", { class: "serif" }, members(side, own.label).map((item, number) => [number ? " · " : "", el("span", { class: SYSTEMS.length && toneOf(outcomeOf(judgedBy(item, shownSystems()[0]))) === "none" ? "none" : "" }, name(shownText(item)))])),
      SYSTEMS.length > 0 && el("td", {}, shownSystems().map((system) => { const judged = judgedBy(chain, system); return judged && [badge(judged), " ", pickButton(view, chain, judged.case), " "]; })),
      SYSTEMS.length > 0 && el("td", { class: "why" }, shownSystems().map((system) => judgedBy(chain, system)?.reason).filter(Boolean).slice(0, 1).map((reason) => name(reason)))));
  });
  const heads = ["", "Mentions", ...(SYSTEMS.length ? ["Fate", "Why"] : [])];
  return el("section", { class: "below" }, el("h3", {}, "Chains", el("span", { class: "quiet" }, SYSTEMS.length ? " mentions in red are not where they belong" : ` ${grouped(chains.length)}`)), regionOf("Chains", chains[0], el("table", { class: "items" }, head(...heads), el("tbody", {}, rows))));
}
