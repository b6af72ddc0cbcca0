// The page as a whole: views, keys, theme, copying, and the address.

const VIEWS = $$(".view").map((section) => section.id.slice(5));
const kept = { get: (key) => { try { return localStorage.getItem(`karat-${key}`); } catch { return null; } }, set: (key, value) => { try { localStorage.setItem(`karat-${key}`, value); } catch { /* the page works without */ } } };

function showView() {
  for (const view of VIEWS) $(`#view-${view}`).hidden = view !== state.view;
  $$("#tabs a").forEach((tab) => { if (tab.dataset.view === state.view) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current"); });
  const reads = ["reader", "ledger"].includes(state.view);
  if ($("#opened")) $("#filters").hidden = !reads || !store.size;
  document.body.dataset.view = state.view;
  $("#hint").hidden = true;
}

function theme(choice) {
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice; else delete document.documentElement.dataset.theme;
}
// In a frame the page looks as the notebook around it does, if that says so.
function aroundTheme() {
  try {
    const { body, documentElement: root } = parent.document, said = body.dataset.jpThemeLight ?? null;
    if (said !== null) return said === "true" ? "light" : "dark";
    if (/vscode-(dark|high-contrast)/.test(body.className)) return "dark";
    return body.classList.contains("vscode-light") ? "light" : root.getAttribute("theme");
  } catch { return null; /* a frame that may not look outside follows the system */ }
}
function switchTheme() {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const next = dark ? "light" : "dark";
  theme(next);
  if (!META.framed) kept.set("theme", next);
  say(`${next === "dark" ? "Dark" : "Light"} theme`);
}

const needsItem = (act) => () => { if (reader.item && SYSTEMS.length) act(reader.item, Number($("#inspector").dataset.system || 0)); else say("No item is chosen; j chooses the next one."); };
const inReader = (act) => () => { if (reader.result) { if (state.view !== "ledger") act(); else act(); } };
const DO = {
  keys: () => { const dialog = $("#keys"); if (dialog.open) dialog.close(); else dialog.showModal(); },
  theme: switchTheme,
  signature: () => copy(META.signature, "Signature copied"),
  sentence: () => copy(META.sentence, "Sentence copied"),
  bug: needsItem(async (item, system) => copy(await bugReport(item, system), "Bug report copied")),
  link: () => copy(location.href, "Link copied"),
  next: inReader(() => move(1)), previous: inReader(() => move(-1)),
  nextError: inReader(() => move(1, isError)), previousError: inReader(() => move(-1, isError)),
  nextDocument: inReader(() => moveDocument(1)), previousDocument: inReader(() => moveDocument(-1)),
  along: inReader(() => moveAlong(1)), back: inReader(() => moveAlong(-1)),
  far: inReader(() => farEnd()),
  differ: inReader(() => { if (shownSystems().length > 1) go({ differ: !state.differ }); }),
  regime: () => go({ regime: REGIMES[(regimeNumber() + 1) % REGIMES.length] }),
  search: () => { if (!["reader", "ledger"].includes(state.view)) go({ view: "reader" }); openReader().then(() => $("#search")?.focus()); },
  clear: () => { if (state.item !== "") go({ item: "" }); else clearFilters(); },
  yank: () => { if (state.view === "summary") DO.sentence(); else if (!META.framed) DO.link(); },
};
function asked(filter) {
  const values = {};
  for (const [key, value] of new URLSearchParams(filter)) values[key] = LISTS.includes(key) ? [...(values[key] || []), value] : value;
  return values;
}
const KEYS = {
  j: "next", k: "previous", n: "nextError", p: "previousError", "[": "previousDocument", "]": "nextDocument", h: "back", l: "along", g: "far",
  d: "differ", r: "regime", "/": "search", Escape: "clear", c: "bug", y: "yank", t: "theme", "?": "keys",
};
const READS = new Set(["next", "previous", "nextError", "previousError", "nextDocument", "previousDocument"]);

function farEnd() {
  const ends = reader.item ? endsOf(reader.item) : [], article = reader.stack.rendered.get(reader.item?.unit);
  if (ends.length < 2 || !article?.view) return;
  farEnd.side = ((farEnd.side || 0) + 1) % ends.length;
  const start = ends[farEnd.side][0][0], block = article.view.blocks.find((one) => one.start <= start && start < one.end);
  article.view.draw(block);
  const piece = article.view.pieces(block, ends[farEnd.side][0])[0];
  if (piece) $("#stack").scrollTop += block.host.getBoundingClientRect().top + piece.top - $("#stack").getBoundingClientRect().top - $("#stack").clientHeight / 3;
}

async function keyed(event) {
  const field = event.target.closest("input:not([type=checkbox]), textarea, select");
  if (event.key === "Escape" && field) { field.blur(); return; }
  if (field || event.ctrlKey || event.metaKey || event.altKey || $("#keys").open) return;
  const action = KEYS[event.key];
  if (!action || ($("#single-keys").checked === false && event.key !== "Escape")) return;
  event.preventDefault();
  if (READS.has(action) && !["reader", "ledger"].includes(state.view)) { go({ view: "reader" }); await reader.opened; }
  await DO[action]();
  if (READS.has(action)) setTimeout(() => $(`#stack .mark[tabindex="0"]`)?.focus({ preventScroll: true }), 80);
}

document.addEventListener("keydown", keyed);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]"), link = event.target.closest("a[data-view]"), filter = event.target.closest("[data-filter]");
  if (button) DO[button.dataset.do]?.();
  else if (link && !event.ctrlKey && !event.metaKey) { event.preventDefault(); go({ view: link.dataset.view }); scrollTo(0, 0); }
  else if (filter) { event.preventDefault(); go({ ...START, view: "reader", ...asked(filter.dataset.filter) }); }
});
addEventListener("popstate", follow);
addEventListener("hashchange", () => { if (address(state) !== location.hash) follow(); });
$("#order")?.addEventListener("change", (event) => go({ order: event.target.value }));
$("#sheet-close")?.addEventListener("click", () => go({ item: "" }));
$("#single-keys").checked = kept.get("keys") !== "off";
$("#single-keys").addEventListener("change", (event) => kept.set("keys", event.target.checked ? "on" : "off"));

watchers.push((now, before) => {
  showView();
  if (["reader", "ledger"].includes(now.view) && META.reads) updateReader(before);
});
theme(META.framed ? aroundTheme() : kept.get("theme"));
document.documentElement.classList.add("ready", ...(META.framed ? ["framed"] : []), ...(SYSTEMS.length ? [] : ["alone"]));
state = readAddress();
watchers.forEach((watch) => watch(state, START));
// Open the ledger while the summary is read, so that the reader is there at once, and what a search needs after it.
const idly = (act) => (window.requestIdleCallback || setTimeout)(act);
if (META.reads) idly(() => openReader().then(() => { if (!reader.failed) idly(() => openSearch().catch(() => {})); }));
