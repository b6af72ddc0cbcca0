// The selected item with all that is known of it: verdicts under every regime, gold and system, place, and reason.

function inspect(host, item, { number, total, passes, move }) {
  if (!item) {
    host.replaceChildren(el("p", { class: "quiet" }, "Choose an item in the text or the list, or press ", el("kbd", {}, "j"), " for the next one."));
    return;
  }
  const systems = shownSystems().filter((system) => item.judged[system].length);
  const shown = systems.find((system) => outcomeOf(judgedBy(item, system)) !== "c") ?? systems[0] ?? item.judged.findIndex((several) => several.length);
  if (shown < 0) { inspectGold(host, item, { number, total, passes, move }); return; }
  const judged = judgedBy(item, shown) || item.judged[shown][0];
  const { line, tone } = lineOf(judged);
  const position = passes ? `Item ${grouped(number + 1)} of ${grouped(total)}` : "Not in the filter";
  const parts = [
    el("p", { class: "eyebrow" }, `${position}${SYSTEMS.length > 1 ? ` · system ${SYSTEMS[shown].letter}` : ""}`),
    el("h2", { class: "case" }, lineSample(line, tone), el("span", {}, judged.case), badge(judged)),
    el("p", { class: "reason" }, name(sentenceOf(judged.reason))),
    META.task === "slots" ? answerOf(item, systems) : whereOf(item, systems),
    verdictTable(item, systems),
    sameElsewhere(item, shown, judged),
    ...systems.filter((system) => system !== shown && judgedBy(item, system).reason !== judged.reason).map((system) => el("p", { class: "quiet" }, `${SYSTEMS[system].letter}: `, name(judgedBy(item, system).reason))),
    el("div", { class: "buttons" },
      el("button", { type: "button", class: "gold", "data-do": "bug" }, "Copy as bug report ", el("kbd", {}, "c")),
      META.framed ? null : el("button", { type: "button", "data-do": "link" }, "Copy link ", el("kbd", {}, "y"))),
    moves(move),
    el("details", { class: "bug", open: innerWidth > 1199 }, el("summary", {}, "Bug report"), el("pre", { tabindex: 0 })),
  ];
  host.replaceChildren(...parts.filter(Boolean));
  const details = $(".bug", host);
  const tell = async () => { if (details.open) $("pre", details).textContent = await bugReport(item, shown); };
  details.addEventListener("toggle", tell);
  tell();
  host.dataset.system = shown;
}

const moves = (move) => el("div", { class: "buttons moves" },
  el("button", { type: "button", "aria-label": "Previous item", onclick: () => move(-1) }, "‹"),
  el("button", { type: "button", "aria-label": "Next item", onclick: () => move(1) }, "›"));

// Without a system nothing is judged: the item as it is annotated.
function inspectGold(host, item, { number, total, passes, move }) {
  host.replaceChildren(el("p", { class: "eyebrow" }, passes ? `Item ${grouped(number + 1)} of ${grouped(total)}` : "Not in the filter"),
    el("h2", { class: "case" }, name(clip(item.gold.label || "mention", 60))), whereOf(item, []), moves(move));
}

// A label taken for another one: in how many other places the system does the same.
function sameElsewhere(item, system, judged) {
  const own = judged.item?.label, gold = item.gold?.label;
  if (["coreference", "slots"].includes(META.task) || own === undefined || gold === undefined || own === gold || outcomeOf(judged) === "c") return null;
  const columns = store.judged[system], wanted = [store.labels.indexOf(gold), store.labels.indexOf(own)];
  let others = -1;
  for (let index = 0; index < store.size; index += 1) if (store.label[index] === wanted[0] && columns.label[index] === wanted[1]) others += 1;
  if (others < 1) return null;
  return el("p", { class: "quiet" }, "The same, ", name(own), " for ", name(gold), `, happens to ${SYSTEMS.length > 1 ? SYSTEMS[system].letter : "the system"} in ${many(others, "other place")}. `,
    el("button", { type: "button", class: "plain linked", onclick: () => go({ outcome: [], case: [], differ: false, q: "", label: [gold], as: [own], systems: SYSTEMS[system].letter }) }, others === 1 ? "Show both" : "Show all"));
}

const sentenceOf = (text) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}` : "");

function whereOf(item, systems) {
  const row = (title, one, missing, wash) => el("div", {}, el("dt", {}, title), el("dd", {},
    one ? [el("span", { class: `serif ${wash ? "washed" : ""}` }, name(clip(one.text || "–", 300))), " ", el("b", { class: "label" }, name([one.label, ...one.alternatives].filter(Boolean).join(" · ")))] : el("span", { class: "quiet" }, missing),
    one && one.score !== undefined ? el("span", { class: "quiet" }, ` ${one.score}`, el("span", { class: "unseen" }, " is its score")) : null,
    one && one.place ? el("code", { class: "place" }, name(one.place)) : null));
  return el("dl", { class: "where" }, row("Gold", item.gold, "not in the gold", true),
    systems.map((system) => row(SYSTEMS.length > 1 ? `System ${SYSTEMS[system].letter}` : "System", judgedBy(item, system).item, "nothing there", false)));
}

function verdictTable(item, systems) {
  const used = REGIMES.map((regime, number) => [regime, number]).filter(([, number]) => systems.some((system) => item.judged[system].some((one) => one.verdict[number] !== "-")));
  if (!used.length) return el("p", { class: "quiet" }, "It does not count under any regime.");
  const cell = (system, number) => item.judged[system].map((one) => one.verdict[number]).find((letter) => letter !== "-") || "-";
  return el("table", { class: "verdicts" },
    head("Regime", ...systems.map((system) => (SYSTEMS.length > 1 ? SYSTEMS[system].letter : "Outcome"))),
    el("tbody", {}, used.map(([regime, number]) => el("tr", { class: regime === state.regime ? "now" : "" },
      el("th", { scope: "row" }, regime), systems.map((system) => el("td", {}, outcomeWords(cell(system, number))))))));
}
