// The items of all documents: an index of what filters look at, and the documents themselves, unpacked on demand.

const store = { units: [], size: 0, parts: new Map(), found: null, foundIn: null };

async function openStore() {
  const index = await unpack("index");
  Object.assign(store, index);
  store.units = index.units.map(([unit, document, size, chunk, place, texts, textPlace, scores, length, title]) => ({ name: unit, document, size, chunk, place, texts, textPlace, scores, length, title: title || unit }));
  store.size = index.layer.length;
  store.owner = new Int32Array(store.size);
  let first = 0;
  store.units.forEach((unit, number) => {
    unit.number = number;
    unit.first = first;
    store.owner.fill(number, first, first + unit.size);
    first += unit.size;
  });
  for (const name of ["layer", "label"]) store[name] = Int32Array.from(store[name]);
  for (const columns of store.judged) for (const name of ["case", "verdict", "label"]) columns[name] = Int32Array.from(columns[name]);
  store.byName = new Map(store.units.map((unit) => [unit.name, unit.number]));
  if (first !== store.size) throw new Error("the index does not agree with itself");
}

const itemOf = ([label, text, place, ends, alternatives, span, score]) => ({ label, text, place, ends, alternatives, span, score });

function partOf(name) {
  if (!store.parts.has(name)) store.parts.set(name, unpack(name));
  return store.parts.get(name);
}

// The text and the items of a unit; each item with what every system makes of it.
async function contentOf(number) {
  const unit = store.units[number];
  if (unit.content) return unit.content;
  const [texts, chunk] = await Promise.all([partOf(`texts-${unit.texts}`), partOf(`chunk-${unit.chunk}`)]), text = texts[unit.textPlace], rows = chunk[unit.place];
  const items = rows.map(([gold, judged, answer], place) => ({
    unit: number, place, index: unit.first + place,
    layer: store.layers[store.layer[unit.first + place]], label: store.labels[store.label[unit.first + place]],
    gold: gold ? itemOf(gold) : null, answer: answer || "",
    judged: judged.map((several) => several.map(([kind, verdict, reason, item, source, said, leads]) => ({
      case: store.cases[kind], verdict, reason, item: item ? itemOf(item) : null, source: source || "", answer: said || "", leads: leads || "",
    }))),
  }));
  unit.content = { text, items, unit };
  return unit.content;
}

// What a system made of an item under the regime that is shown; without a verdict there, the first that is said of it.
function judgedBy(item, system) {
  const several = item.judged[system] || [], regime = regimeNumber();
  return several.find((one) => one.verdict[regime] !== "-") || several[0] || null;
}
const outcomeOf = (judged) => (judged ? judged.verdict[regimeNumber()] : "-");
const toneOf = (letter) => ({ c: "full", p: "part", "-": "open" })[letter] || "none";

// Filters: AND between fields, OR inside one. What each choice would give counts the other fields only.
const FIELDS = ["outcome", "case", "label", "as", "layer", "differ", "q", "within"];
const CODES = "-cpims";

const chosen = (names, wanted) => (wanted.length ? Uint8Array.from(names, (name) => (wanted.includes(name) ? 1 : 0)) : null);

function filtered() {
  const { size, owner, label, layer } = store, regime = regimeNumber(), shown = shownSystems();
  const columns = shown.map((system) => store.judged[system]), width = columns.length;
  const codes = Uint8Array.from(store.verdicts, (verdict) => CODES.indexOf(verdict[regime]));
  const outcomes = chosen([...CODES].map((letter) => OUTCOMES[letter] || ""), state.outcome), cases = chosen(store.cases, state.case);
  const labels = chosen(store.labels, state.label), layers = chosen(store.layers, state.layer), given = chosen(store.labels, state.as), within = chosen(store.units.map((unit) => unit.name), state.within);
  const found = state.q ? store.found : null;
  const counts = { outcome: new Int32Array(6), case: new Int32Array(store.cases.length), label: new Int32Array(store.labels.length), layer: new Int32Array(store.layers.length), differ: 0, without: new Int32Array(FIELDS.length) };
  const flags = new Uint8Array(size), perUnit = new Int32Array(store.units.length);
  let passing = 0;
  for (let index = 0; index < size; index += 1) {
    let mask = 0, present = !width, hasCase = !cases, hasLabel = !given, first = -1, differs = false;
    for (let place = 0; place < width; place += 1) {
      const { case: kinds, verdict, label: names } = columns[place], kind = kinds[index], code = kind < 0 ? 0 : codes[verdict[index]];
      if (kind >= 0) present = true;
      mask |= 1 << code;
      if (first < 0) first = code; else if (code !== first) differs = true;
      if (cases && kind >= 0 && cases[kind]) hasCase = true;
      if (given && names[index] >= 0 && given[names[index]]) hasLabel = true;
    }
    if (!present) continue;
    let failed = 0, missing = -1;
    if (outcomes) { let has = false; for (let code = 0; code < 6; code += 1) if (mask >> code & 1 && outcomes[code]) has = true; if (!has) { failed += 1; missing = 0; } }
    if (!hasCase) { failed += 1; missing = 1; }
    if (labels && !labels[label[index]]) { failed += 1; missing = 2; }
    if (!hasLabel) { failed += 1; missing = 3; }
    if (layers && !layers[layer[index]]) { failed += 1; missing = 4; }
    if (state.differ && !differs) { failed += 1; missing = 5; }
    if (found && !found[index]) { failed += 1; missing = 6; }
    if (within && !within[owner[index]]) { failed += 1; missing = 7; }
    if (failed > 1) continue;
    if (!failed) { passing += 1; flags[index] = 1; perUnit[owner[index]] += 1; } else counts.without[missing] += 1;
    if (missing < 1) for (let code = 0; code < 6; code += 1) if (mask >> code & 1) counts.outcome[code] += 1;
    if (missing < 0 || missing === 1) {
      for (let place = 0; place < width; place += 1) {
        const kind = columns[place].case[index];
        let again = kind < 0;
        for (let other = 0; other < place; other += 1) if (columns[other].case[index] === kind) again = true;
        if (!again) counts.case[kind] += 1;
      }
    }
    if (missing < 0 || missing === 2) counts.label[label[index]] += 1;
    if (missing < 0 || missing === 4) counts.layer[layer[index]] += 1;
    if ((missing < 0 || missing === 5) && differs) counts.differ += 1;
  }
  return { passing, perUnit, counts, flags };
}

// Search looks at names, labels and reasons of items, and at the names and texts of documents. Each is folded once: without case
// and without accents, so that "zurich" finds Zürich. Work is done in small steps, so that the page stays awake.
const fold = (text) => (/[^\x00-\x7f]/.test(text) ? text.normalize("NFKD").replace(/\p{M}+/gu, "") : text).toLowerCase();
const STEP = 10;
const breath = () => new Promise((ready) => setTimeout(ready));

async function inSteps(size, work, isWanted = () => true) {
  for (let place = 0, since = performance.now(); place < size; place += 1) {
    work(place);
    if ((place & 63) === 63 && performance.now() - since > STEP) { await breath(); if (!isWanted()) return false; since = performance.now(); }
  }
  return isWanted();
}

// Fold all that can be searched, once, before anybody asks: part by part, as the page has time.
function openSearch() {
  store.search = store.search || (async () => {
    const { words, said } = await partOf("words"), folded = new Array(words.length), texts = new Array(store.units.length);
    await inSteps(words.length, (place) => { folded[place] = fold(words[place]); });
    for (const unit of store.units) {
      const own = await partOf(`texts-${unit.texts}`).catch(() => null);
      texts[unit.number] = fold(`${unit.name}\n${unit.title}\n${own ? own[unit.textPlace] : ""}`);
      store.unread = (store.unread || 0) + (own ? 0 : 1);
      store.searchable = unit.number;
      if ((unit.number & 31) === 31) await breath();
    }
    store.parts.delete("words");
    return { words: folded, said, texts };
  })();
  return store.search;
}

async function search(query, tell) {
  const wanted = fold(query.trim()), mine = (search.turn = (search.turn || 0) + 1), isWanted = () => mine === search.turn;
  const found = new Uint8Array(store.size), units = new Uint8Array(store.units.length);
  if (wanted) {
    const counting = setInterval(() => { if (isWanted()) tell(store.searchable || 0); }, 200);
    const { words, said, texts } = await openSearch().finally(() => clearInterval(counting));
    const hits = new Uint8Array(words.length);
    const done = await inSteps(words.length, (place) => { if (words[place].includes(wanted)) hits[place] = 1; }, isWanted)
      && await inSteps(store.size, (place) => { for (const word of said[place]) if (hits[word]) { found[place] = 1; break; } }, isWanted)
      && await inSteps(texts.length, (place) => { if (texts[place].includes(wanted)) units[place] = 1; }, isWanted);
    if (!done) return false;
  }
  if (!isWanted()) return false;
  store.found = found;
  store.foundIn = units;
  return true;
}

const endsOf = (item) => (item.gold && item.gold.ends.length ? item.gold.ends : item.judged.flat().map((one) => one.item).find((one) => one && one.ends.length)?.ends || []);
const reaches = (item, start, end) => endsOf(item).flat().some(([from, to]) => from < end && start < to);
const shownText = (item) => (item.gold || item.judged.flat().find((one) => one.item)?.item || { text: "" }).text || pooled(item);
