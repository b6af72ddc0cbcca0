// The reader: filters, the list of documents, the documents themselves, and the selected item.

const reader = { result: null, item: null, items: [], docs: null, stack: null, opened: null };
const ERRORS = new Set(["i", "p", "m", "s"]);

function openReader() {
  reader.opened = reader.opened || (async () => {
    try {
      await openStore();
    } catch (error) {
      reader.failed = error;
      $("#opening").replaceChildren(broken("The ledger of this page cannot be read", error));
      return;
    }
    buildFilters();
    reader.docs = new VirtualList($("#docs"), { row: docRow, guess: (unit) => 42 + 20 * Math.min(4, shownSystems().length) + (unit.title === unit.name ? 0 : 20), key: (unit) => unit.number });
    reader.stack = new VirtualList($("#stack"), { row: docArticle, guess: guessArticle, key: (unit) => unit.number, drop: (article) => article.view?.stop(), keep: true });
    openLedger();
    $("#opening").hidden = true;
    $("#opened").hidden = false;
    $("#filters").hidden = !["reader", "ledger"].includes(state.view);
  })();
  return reader.opened;
}

// A part that is damaged is a sentence: what is wrong, what still stands, and what to do.
function broken(title, error) {
  return el("div", { class: "fault", role: "alert" }, el("h2", {}, `✕ ${title}.`),
    el("p", {}, `Its data are damaged (${error.message}). The summary stands, and so do all other parts.`),
    el("p", {}, "Make the page again with ", el("code", {}, "karat report"), ", or ask whoever sent it."),
    el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => copy(`${title}: ${error.message}\n${META.signature}`, "Details copied") }, "Copy details")));
}

function guessArticle(unit) {
  const rows = META.task === "relations" || META.task === "slots" ? Math.min(unit.size, 200) * 38 : 0;
  return 96 + Math.ceil((unit.length + 1) / 68) * (52 + ROW * shownSystems().length) + rows;
}

function barOf(value) {
  const bar = el("span", { class: "bar" }, el("span", { class: "part" }));
  bar.firstChild.style.width = `${Math.max(0, Math.min(1, value || 0)) * 100}%`;
  return bar;
}

function docRow(unit) {
  const shown = shownSystems().slice(0, 4);
  const bars = shown.map((system) => {
    const value = unit.scores[system];
    return el("span", { class: "score" }, SYSTEMS.length > 1 && el("b", { class: "letter" }, SYSTEMS[system].letter), barOf(value), el("span", { class: "n" }, three(value)));
  });
  const count = reader.result.perUnit[unit.number];
  const row = el("button", { type: "button", class: "doc-row", "data-key": unit.number, "aria-current": unit.number === currentUnit() ? "true" : null, onclick: () => go({ view: "reader", doc: unit.name, item: "" }) },
    el("span", { class: "doc-name" }, name(unit.title)), el("span", { class: "quiet n" }, grouped(count)), idOf(unit), bars);
  return row;
}

// The id of a unit that people call by another name.
const idOf = (unit) => (unit.title === unit.name ? null : el("code", { class: "place" }, name(unit.name)));

function docArticle(unit) {
  const scores = shownSystems().map((system) => `${SYSTEMS.length > 1 ? `${SYSTEMS[system].letter} ` : ""}${three(unit.scores[system])}`).join(" · ");
  const article = el("article", { class: "doc", "data-key": unit.number, "aria-label": visible(unit.title) },
    el("header", {}, el("h2", {}, name(unit.title), idOf(unit)), store.units.length > 1 ? el("button", { type: "button", class: "plain linked only", "aria-label": `Only ${visible(unit.title)}`, onclick: () => go({ within: state.within.includes(unit.name) ? [] : [unit.name], doc: unit.name }) }, `only this ${META.unit}`) : null, el("span", { class: "quiet" }, scores)), el("div", { class: "content" }));
  contentOf(unit.number).then((content) => fillArticle(article, content), (error) => {
    $(".content", article).replaceChildren(broken(`This ${META.unit} cannot be read`, error));
  });
  return article;
}

const context = {
  select: (item) => choose(item), passes: (item) => Boolean(reader.result.flags[item.index]), selected: () => reader.item,
  isSelected: (item) => reader.item?.index === item.index,
};

function fillArticle(article, content) {
  const parts = [];
  if (content.text) {
    article.view = new TextView(content, context);
    parts.push(article.view.element);
  } else if (META.task !== "slots") parts.push(el("p", { class: "quiet" }, content.items.length ? "No text was given for this one, so its items are listed." : "No text and no items."));
  if (!content.items.length) parts.push(el("p", { class: "quiet" }, "Neither gold nor system has an item here."));
  article.below = el("div", {}, tablesOf(context, content));
  parts.push(article.below);
  article.content = content;
  $(".content", article).replaceChildren(...parts);
}

const currentUnit = () => (state.doc && store.byName?.has(state.doc) ? store.byName.get(state.doc) : reader.listed?.[0]?.number ?? 0);
const choose = (item, options) => go({ view: state.view === "ledger" && !options?.read ? "ledger" : "reader", doc: store.units[item.unit].name, item: String(item.place) });

// Bring everything in line with the state: what passes, which rows are there, which item is shown.
async function updateReader(before) {
  await openReader();
  if (reader.failed) return;
  const changed = (key) => String(state[key]) !== String(before[key]) || !reader.result;
  if (changed("q")) {
    if (state.q) announce("Searching …");
    try {
      if (!await search(state.q, (done) => { $("#found").textContent = `${grouped(done)} of ${many(store.units.length, META.unit)} opened for the search`; })) return;
    } catch (error) {
      say(`The search does not work here: its data are damaged (${error.message}). Everything else stands.`);
      go({ q: "" }, { quiet: true });
      return;
    }
  }
  const narrowed = [...FIELDS, "regime", "systems", "order"].some(changed);
  if (narrowed) {
    reader.result = filtered();
    listUnits();
    updateFilters();
    if (changed("systems")) { reader.docs.forget(); reader.stack.forget(); }
    reader.docs.show(reader.listed);
    reader.stack.keep = !changed("systems");
    reader.stack.show(reader.listed);
    $("#stack").hidden = reader.empty;
    $("#nothing").hidden = !reader.empty;
    if (reader.empty) emptyState();
    ledger.stale = true;
  }
  if (state.view === "ledger" && ledger.stale) showLedger();
  await updateItem(before, narrowed);
  document.body.dataset.turn = (updateReader.turn = (updateReader.turn || 0) + 1);  // for whoever waits until all is shown
}

function listUnits() {
  const narrowed = narrowing(), { perUnit, flags, passing } = reader.result;
  const others = state.q && !state.differ && !LISTS.some((key) => state[key].length) ? store.foundIn : null;
  const listed = store.units.filter((unit) => !narrowed || perUnit[unit.number] || others?.[unit.number] || unit.name === state.doc);
  const shown = shownSystems();
  const mean = (unit) => { const own = shown.map((system) => unit.scores[system]).filter((value) => value !== null); return own.length ? own.reduce((a, b) => a + b, 0) / own.length : 2; };
  if (state.order === "worst") {
    const means = new Map(listed.map((unit) => [unit, mean(unit)]));
    listed.sort((a, b) => means.get(a) - means.get(b));
  }
  reader.listed = listed;
  reader.empty = !passing && store.size > 0 && !others?.includes(1);
  reader.order = new Int32Array(passing);
  let place = 0;
  for (const { first, size } of listed) for (let index = first; index < first + size; index += 1) if (flags[index]) { reader.order[place] = index; place += 1; }
}

async function updateItem(before, narrowed) {
  const number = currentUnit(), unit = store.units[number];
  let item = null;
  if (state.item !== "" && unit) {
    try { item = (await contentOf(number)).items[Number(state.item)] || null; } catch { item = null; }
  }
  const moved = state.doc !== before.doc || state.item !== before.item || narrowed || state.view !== before.view;
  reader.item = item;
  const place = item ? reader.order.indexOf(item.index) : -1;
  inspect($("#inspector"), item, { number: place, total: reader.order.length, passes: place >= 0, move });
  document.body.classList.toggle("chosen", Boolean(item));
  if (unit) showUnitItems(unit);
  showMeasures();
  for (const row of $$("[aria-current=true]", $("#docs"))) row.removeAttribute("aria-current");
  reader.docs.rendered.get(number)?.setAttribute("aria-current", "true");
  if (moved && state.view === "reader") {
    reader.docs.reveal(number);
    if (state.doc) await revealItem(number, item);
  }
  const same = !narrowed && META.task !== "coreference";
  for (const article of reader.stack.rendered.values()) {
    if (same) { article.view?.reselect(); markPicked(article.below); continue; }
    article.view?.refresh();
    if (article.content) article.below.replaceChildren(...tablesOf(context, article.content));
  }
  markLedger();
}

const markPicked = (host) => host && $$(".pickable", host).forEach((row) => row.classList.toggle("picked", Number(row.dataset.item) === reader.item?.index));

// Bring an item into view; texts above it may still be set, so look again until nothing moves.
async function revealItem(number, item) {
  const stack = $("#stack"), mine = (revealItem.turn = (revealItem.turn || 0) + 1);
  const article = () => reader.stack.rendered.get(number);
  const isNear = () => { const box = article()?.getBoundingClientRect(), view = stack.getBoundingClientRect(); return box && box.top < view.bottom - 120 && box.bottom > view.top + 60; };
  if (!item || !isNear()) reader.stack.reveal(number, { block: "start" });
  for (let calm = 0, tries = 0; calm < 3 && tries < 40 && mine === revealItem.turn; tries += 1) {
    await new Promise((ready) => setTimeout(ready, 30));
    if (!article()) { reader.stack.reveal(number, { block: "start" }); calm = 0; continue; }
    const target = item ? placeOfItem(article(), item) : article();
    if (!target) { calm = 0; continue; }
    const box = target.getBoundingClientRect(), view = stack.getBoundingClientRect();
    const wanted = item ? view.top + view.height / 3 : view.top;
    const isOut = item ? box.top < view.top + 30 || box.top > view.bottom - 90 : Math.abs(box.top - view.top) > 2;
    const before = stack.scrollTop;
    if (isOut) stack.scrollTop += box.top - wanted;
    calm = isOut && Math.abs(stack.scrollTop - before) > 1 ? 0 : calm + 1;
  }
}

// Where an item is drawn, its row in a table, or at least its stretch of the text.
function placeOfItem(article, item) {
  const start = endsOf(item)[0]?.[0][0];
  const block = article.view && start !== undefined && article.view.blocks.find((one) => one.start <= start && start < one.end);
  if (block && block.stale) { block.near = true; article.view.draw(block); }
  return $(`[data-item="${item.index}"]`, article) || block?.host || (article.content ? article : null);
}

function showUnitItems(unit) {
  const host = $("#unit-items");
  contentOf(unit.number).then(({ items }) => {
    const shown = items.filter((item) => reader.result.flags[item.index]).slice(0, 300), systems = shownSystems();
    host.replaceChildren(el("p", { class: "eyebrow" }, `Items here · ${grouped(shown.length)}`),
      el("ul", {}, shown.map((item) => el("li", {}, el("button", { type: "button", class: "item-row", "aria-current": reader.item?.index === item.index ? "true" : null, "aria-label": spoken(item), onclick: () => choose(item) },
        el("span", { class: "badges" }, systems.slice(0, 4).map((system) => { const judged = judgedBy(item, system); return judged ? badge(judged) : el("span", { class: "badge blank" }, "·"); })),
        el("span", { class: "serif" }, name(clip(shownText(item) || "–", 60))), " ", el("span", { class: "quiet label" }, name(clip(item.label, 24))))))));
    $$(".item-row", host).forEach((row, place) => hinted(row, shown[place]));
  }, () => host.replaceChildren());
}

// The number under every regime: which definition of right costs what. A click shows that regime.
function showMeasures() {
  const shown = shownSystems().slice(0, 2);
  $("#measures").replaceChildren(...(META.measures.length ? [el("p", { class: "eyebrow" }, `${META.number} by ${META.measured}`),
    ...META.measures.map(([regime, values]) => el("div", { class: `measure ${regime === state.regime ? "now" : ""}` }, el("span", { class: "measure-name" }, regime),
      shown.map((system) => el("span", { class: "score" }, SYSTEMS.length > 1 && el("b", { class: "letter" }, SYSTEMS[system].letter), barOf(values[system]), el("span", { class: "n" }, three(values[system]))))))] : []));
}

// Say which filter to drop, and what that would give.
function emptyState() {
  const { counts } = reader.result, active = [];
  const words = { outcome: state.outcome.join(", "), case: state.case.join(", "), label: `label ${state.label.join(", ")}`, as: `system label ${state.as.join(", ")}`, layer: state.layer.join(", "), within: state.within.join(", "), differ: `${differName()} differ`, q: `“${state.q}”` };
  for (const field of FIELDS) if (field === "differ" ? state.differ : field === "q" ? state.q : state[field].length) active.push([field, words[field], counts.without[FIELDS.indexOf(field)]]);
  const best = active.slice().sort((a, b) => b[2] - a[2])[0];
  const drop = (field) => ({ [field]: field === "differ" ? false : field === "q" ? "" : [] });
  $("#nothing").replaceChildren(el("h2", {}, active.length === 1 ? "No item passes this filter." : "No item passes all of these filters."),
    el("p", {}, `${many(store.size, "item")} in all. `, active.map(([, text, count], place) => [place ? ", " : "", "without ", el("b", {}, visible(text)), ` ${count ? grouped(count) : "none"}`]), "."),
    el("div", { class: "buttons" }, best && best[2] ? el("button", { type: "button", class: "gold", onclick: () => go(drop(best[0])) }, `Drop ${visible(best[1])}: ${many(best[2], "item")}`) : null,
      el("button", { type: "button", onclick: clearFilters }, "Clear all ", el("kbd", {}, "Esc"))));
}

const clearFilters = () => go({ ...Object.fromEntries(LISTS.map((key) => [key, []])), differ: false, q: "" });
const differName = () => { const letters = shownSystems().map((system) => SYSTEMS[system].letter); return letters.length === 2 ? letters.join(" and ") : "systems"; };

// Moving through what passes: items, errors, documents, and along a chain.
function currentPlace() {
  if (reader.item) return reader.order.indexOf(reader.item.index);
  const first = reader.order.findIndex((index) => store.owner[index] === currentUnit());
  return first < 0 ? -1 : first - 0.5;
}

function move(step, accepts = () => true) {
  const from = currentPlace();
  let place = step > 0 ? Math.floor(from) + 1 : Math.ceil(from) - 1;
  while (place >= 0 && place < reader.order.length && !accepts(reader.order[place])) place += step;
  if (place < 0 || place >= reader.order.length) { say(step > 0 ? "That was the last one." : "That was the first one."); return; }
  goTo(reader.order[place]);
}

function goTo(index) {
  const unit = store.units[store.owner[index]];
  go({ view: state.view === "ledger" ? "ledger" : "reader", doc: unit.name, item: String(index - unit.first) });
}

const isError = (index) => shownSystems().some((system) => ERRORS.has(store.verdicts[store.judged[system].verdict[index]][regimeNumber()]));

function moveDocument(step) {
  const place = reader.listed.findIndex((unit) => unit.number === currentUnit()), next = reader.listed[place + step];
  if (next) go({ view: "reader", doc: next.name, item: "" }); else say(step > 0 ? `That was the last ${META.unit}.` : `That was the first ${META.unit}.`);
}

async function moveAlong(step) {
  const item = reader.item;
  if (!item || META.task !== "coreference") return;
  const { items } = await contentOf(item.unit);
  const chain = items.filter((one) => !isChain(one) && (item.gold ? one.gold?.label === item.gold.label : !one.gold && one.label === item.label));
  const next = chain[(chain.findIndex((one) => one.index === item.index) + step + chain.length) % chain.length];
  if (next) choose(next);
}
