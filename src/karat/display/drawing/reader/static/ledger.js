// The ledger: every item that passes the filters, one a row, in a list that holds only the rows in view.

const ledger = { list: null, stale: true };

function openLedger() {
  ledger.list = new VirtualList($("#ledger-rows"), { row: ledgerRow, guess: () => 44, key: (index) => index });
}

function ledgerRow(index) {
  const unit = store.units[store.owner[index]];
  const row = el("div", { class: "ledger-row", role: "row", "data-key": index, "data-item": index });
  contentOf(unit.number).then(({ items }) => {
    const item = items[index - unit.first], shown = shownSystems(), judged = shown.map((system) => judgedBy(item, system)), first = judged.find(Boolean);
    const cell = (kind, ...content) => el("div", { role: "cell", class: kind }, content);
    row.replaceChildren(
      cell("c-unit", name(clip(unit.name, 40))),
      cell("c-marks", judged.slice(0, 6).map((one) => (one ? badge(one) : el("span", { class: "badge blank" }, "·")))),
      cell("c-case", el("button", { type: "button", class: "plain", "aria-label": spoken(item), onclick: () => choose(item, { read: true }) }, first ? first.case : "–")),
      cell("c-gold serif", item.gold ? [el("span", { class: "washed" }, name(clip(item.gold.text || "–", 60))), " ", el("b", { class: "label" }, name(clip(item.gold.label, 24)))] : "–"),
      cell("c-system serif", first?.item ? [name(clip(first.item.text || "–", 60)), " ", el("b", { class: "label" }, name(clip(first.item.label, 24)))] : "–"),
      cell("c-reason", first ? name(first.reason) : ""));
    row.classList.toggle("picked", reader.item?.index === index);
  }, (error) => row.replaceChildren(el("div", { role: "cell", class: "none" }, `This part cannot be read: ${error.message}.`)));
  row.addEventListener("dblclick", () => goTo(index));
  return row;
}

function showLedger() {
  ledger.stale = false;
  ledger.list.show(reader.order);
  $("#ledger-count").textContent = `${many(reader.order.length, "item")}${reader.order.length < store.size ? ` of ${grouped(store.size)}` : ""}`;
}

function markLedger() {
  for (const [index, row] of ledger.list.rendered) row.classList.toggle("picked", reader.item?.index === index);
  if (state.view === "ledger" && reader.item) ledger.list.reveal(reader.item.index);
}
