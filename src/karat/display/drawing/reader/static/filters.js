// The bar of filters: each choice with the number of items that it would give.

function menu(title, key) {
  const list = el("div", { class: "choices", role: "group", "aria-label": title });
  const host = el("details", { class: "menu", "data-menu": key }, el("summary", {}, el("span", { class: "quiet" }, title), " ", el("b", {}, "any")), list);
  host.addEventListener("keydown", (event) => { if (event.key === "Escape") { host.open = false; $("summary", host).focus(); event.stopPropagation(); } });
  return host;
}

function buildFilters() {
  const regime = el("select", { id: "regime", "aria-label": "Regime", onchange: (event) => go({ regime: event.target.value }) }, REGIMES.map((one) => el("option", { value: one }, one)));
  const outcomes = el("div", { class: "segments", role: "group", "aria-label": "Outcome" });
  const systems = el("div", { class: "systems", role: "group", "aria-label": "Systems" }, SYSTEMS.map((system) => el("button", { type: "button", class: "system", title: system.name, "aria-label": `System ${system.letter}, ${visible(system.name)}`, "data-letter": system.letter, onclick: () => toggleSystem(system.letter) }, system.letter)));
  const differ = el("label", { class: "switch" }, el("input", { type: "checkbox", id: "differ", title: "Only items on which the systems differ", onchange: (event) => go({ differ: event.target.checked }) }), el("span", { class: "track", "aria-hidden": "true" }), el("span", { id: "differ-name" }));
  const box = el("label", { class: "search" }, el("span", { class: "unseen" }, "Search"), el("input", { id: "search", type: "search", placeholder: "Search", autocomplete: "off", spellcheck: "false" }), el("kbd", { "aria-hidden": "true" }, "/"));
  let waiting;
  $("input", box).addEventListener("input", (event) => { clearTimeout(waiting); waiting = setTimeout(() => go({ q: event.target.value }, { quiet: true }), 160); });
  $("input", box).addEventListener("change", (event) => { clearTimeout(waiting); if (event.target.value !== state.q) go({ q: event.target.value }); });
  const parts = [REGIMES.length > 1 ? el("label", { class: "field" }, el("span", { class: "quiet" }, META.task === "coreference" ? "Measure" : "Regime"), regime) : null, outcomes, SYSTEMS.length ? menu("Case", "case") : null];
  if (store.labels.length > 1 && META.task !== "coreference") parts.push(menu(META.task === "slots" ? "Slot" : META.task === "relations" && SYSTEMS.length ? "Relation" : "Label", "label"));
  if (store.layers.length > 1) parts.push(menu(META.task === "slots" ? "Hop" : "Layer", "layer"));
  if (SYSTEMS.length > 1) parts.push(systems, differ);
  parts.push(el("button", { type: "button", id: "within", class: "gold", hidden: true, "aria-label": `Drop the filter for one ${META.unit}`, onclick: () => go({ within: [] }) }));
  parts.push(el("button", { type: "button", id: "taken", class: "gold", hidden: true, "aria-label": "Drop the filter for the system’s label", onclick: () => go({ as: [] }) }));
  parts.push(box);
  $("#filters").replaceChildren(...parts.filter(Boolean));
  document.addEventListener("click", (event) => $$("details.menu[open]").forEach((host) => { if (!host.contains(event.target)) host.open = false; }));
}

function toggleSystem(letter) {
  const shown = lettersOf(state.systems), next = shown.includes(letter) ? shown.filter((one) => one !== letter) : [...shown, letter];
  if (next.length) go({ systems: SYSTEMS.map((system) => system.letter).filter((one) => next.includes(one)).join("") }); else say("One system stays.");
}

const narrowing = () => Boolean(state.q || state.differ || LISTS.some((key) => state[key].length));
const toggle = (key, value) => go({ [key]: state[key].includes(value) ? state[key].filter((one) => one !== value) : [...state[key], value] });

function updateFilters() {
  const { counts, passing } = reader.result;
  const regime = $("#regime");
  if (regime) regime.value = state.regime;
  const count = (letter) => counts.outcome[CODES.indexOf(letter)], letters = ["c", "p", "i", "m", "s"].filter((letter) => count(letter) || state.outcome.includes(OUTCOMES[letter]));
  const segment = (text, count, pressed, onclick) => el("button", { type: "button", class: "segment", "aria-pressed": pressed ? "true" : "false", onclick }, text, " ", el("span", { class: "n" }, grouped(count)));
  $(".segments").replaceChildren(segment("All", passing + counts.without[0], !state.outcome.length, () => go({ outcome: [] })),
    ...letters.map((letter) => segment(`${["c", "i", "p"].includes(letter) ? `${SIGNS[letter]} ` : ""}${OUTCOMES[letter]}`, count(letter), state.outcome.includes(OUTCOMES[letter]), () => toggle("outcome", OUTCOMES[letter]))));
  for (const [key, names] of [["case", store.cases], ["label", store.labels], ["layer", store.layers]]) {
    const host = $(`[data-menu=${key}]`);
    if (!host) continue;
    $("summary b", host).textContent = state[key].length ? visible(clip(state[key].map((one) => one || "none").join(", "), 24)) : "any";
    host.classList.toggle("active", state[key].length > 0);
    const rows = names.map((one, number) => [one, counts[key][number] || 0]).filter(([one, count]) => count || state[key].includes(one)).sort((a, b) => b[1] - a[1]).slice(0, 200);
    $(".choices", host).replaceChildren(...rows.map(([one, count]) => el("label", {}, el("input", { type: "checkbox", checked: state[key].includes(one), onchange: () => toggle(key, one) }), el("span", {}, one ? name(one) : "none"), el("span", { class: "n" }, grouped(count)))));
  }
  const shown = lettersOf(state.systems);
  $$(".system").forEach((button) => button.setAttribute("aria-pressed", shown.includes(button.dataset.letter) ? "true" : "false"));
  if ($("#differ")) {
    $("#differ").checked = state.differ;
    $("#differ").disabled = shown.length < 2;
    $("#differ-name").textContent = `${differName()} differ`;
  }
  const taken = $("#taken");
  taken.hidden = !state.as.length;
  taken.replaceChildren("as ", name(state.as.join(", ")), " ✕");
  const within = $("#within");
  within.hidden = !state.within.length;
  within.replaceChildren("in ", name(clip(state.within.join(", "), 30)), " ✕");
  if (document.activeElement !== $("#search")) $("#search").value = state.q;
  const units = reader.result.perUnit.reduce((sum, count) => sum + (count > 0), 0);
  const unread = state.q && store.unread ? `; ${many(store.unread, META.unit)} cannot be read, so not searched` : "";
  $("#found").textContent = !narrowing() ? "" : `${many(passing, "item")} in ${many(units, META.unit)}${unread}`;
  announce(`${many(passing, "item")} in ${many(units, META.unit)}`);
  $("#docs-count").textContent = reader.listed.length === store.units.length ? grouped(store.units.length) : `${grouped(reader.listed.length)} of ${grouped(store.units.length)}`;
  $("#order").value = state.order;
  updateLegend();
}

// The key below: only the cases that this page has.
function updateLegend() {
  const { counts } = reader.result, kinds = store.cases.map((kind, number) => [kind, counts.case[number] || 0]).filter(([, count]) => count).slice(0, 9);
  $("#legend").replaceChildren(...kinds.map(([kind]) => {
    const system = store.judged.findIndex(({ case: column }) => column.includes(store.cases.indexOf(kind)));
    const place = store.judged[system].case.indexOf(store.cases.indexOf(kind));
    const judged = { case: kind, verdict: store.verdicts[store.judged[system].verdict[place]] }, { line, tone } = lineOf(judged);
    return el("span", { class: "legend" }, lineSample(line, tone), badge(judged), name(kind));
  }));
}
