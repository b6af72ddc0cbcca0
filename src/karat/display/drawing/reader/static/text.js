// One document with gold and systems in it: gold as a highlighter, systems as lines below, each with its letter.
// The text stays plain text; everything else is drawn over it where the browser has set it.

const BLOCK = 2500, ROW = 22, TAG = 18, GAP = 20;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// Cut a text at line ends, or at blanks where a line is very long, so that only what is in view must be drawn.
function blocksOf(text) {
  const blocks = [];
  let start = 0;
  if (META.task === "relations") {  // arcs need room, but only in the sentence that has them
    for (const sentence of text.matchAll(/[^]*?(?:[.!?]["')\]»”]*\s+(?=[\p{Lu}\p{Lo}\p{N}"'«“(])|\n+|$)/gu)) {
      if (!sentence[0] || sentence[0].length > BLOCK) break;
      start = sentence.index + sentence[0].length;
      blocks.push([sentence.index, start]);
    }
  }
  while (start < text.length) {
    let end = Math.min(text.length, start + BLOCK);
    if (end < text.length) {
      const line = text.lastIndexOf("\n", end), blank = text.lastIndexOf(" ", end);
      end = line > start + BLOCK / 5 ? line + 1 : blank > start ? blank + 1 : end;
      if (/[\udc00-\udfff]/.test(text.charAt(end))) end -= 1;
    }
    blocks.push([start, end]);
    start = end;
  }
  return blocks.length ? blocks : [[0, 0]];
}

const isChain = (item) => META.chained && item.layer === "chains";
const isRelation = (ends) => ends.length > 1;
// Regimes may pair a gold item differently, and the same span may be in several layers: both are drawn, in rows.
function drawable(items) {
  const gold = [], rails = shownSystems().map(() => []), arcs = [];
  for (const item of items) {
    if (isChain(item)) continue;
    const own = item.gold ? item.gold.ends : [];
    if (own.length > 1) arcs.push({ item, ends: own, side: "gold" });
    else if (own.length) gold.push({ item, spans: own[0] });
    shownSystems().forEach((system, row) => {
      const judged = judgedBy(item, system);
      if (!judged) return;
      const ends = judged.item ? judged.item.ends : own;
      if (ends.length > 1) arcs.push({ item, ends, side: row, judged });
      else if (ends.length) rails[row].push({ item, spans: ends[0], judged });
    });
  }
  return { gold, rails, arcs };
}

// Give spans that overlap rows of their own, from the text outward.
function stacked(spans, outward) {
  const ordered = spans.slice().sort((a, b) => (outward ? hull(a)[1] - hull(a)[0] - hull(b)[1] + hull(b)[0] : hull(a)[0] - hull(b)[0]) || hull(a)[0] - hull(b)[0]);
  const rows = [];
  for (const span of ordered) {
    const [start, end] = hull(span);
    let row = 0;
    while (rows[row] && rows[row].some(([from, to]) => from < end && start < to)) row += 1;
    (rows[row] = rows[row] || []).push([start, end]);
    span.row = row;
  }
  return rows.length;
}
const hull = ({ spans }) => [spans[0][0], spans[spans.length - 1][1]];

class TextView {
  constructor(content, { select, passes, selected }) {
    Object.assign(this, { content, select, passes, selected });
    this.text = visible(content.text);
    this.blocks = blocksOf(this.text).map(([start, end]) => this.block(start, end));
    this.element = el("div", { class: "body" }, this.blocks.map((block) => block.host));
    this.inView = new IntersectionObserver((seen) => seen.forEach(({ isIntersecting, target }) => {
      const block = this.blocks.find(({ host }) => host === target);
      block.near = isIntersecting;
      if (isIntersecting && block.stale) this.draw(block);
    }), { root: $("#stack"), rootMargin: "600px" });
    this.sizes = new ResizeObserver(() => this.blocks.forEach((block) => {
      if (block.width !== block.host.clientWidth) { block.stale = true; if (block.near) this.draw(block); }
    }));
    this.blocks.forEach(({ host }) => { this.inView.observe(host); this.sizes.observe(host); });
    this.prepare();
  }

  block(start, end) {
    const node = document.createTextNode(this.text.slice(start, end));
    const paragraph = el("p", { class: "text", dir: "auto" }, node);
    paragraph.addEventListener("click", (event) => this.clicked(block, event));
    const under = svg("svg", { class: "layer", "aria-hidden": "true" }), over = svg("svg", { class: "layer", "aria-hidden": "true" });
    const marks = el("div", { class: "marks" });
    const block = { start, end, node, paragraph, under, over, marks, stale: true, near: false, width: 0, known: new Map() };
    block.host = el("div", { class: "block" }, under, paragraph, over, marks);
    return block;
  }

  prepare() {
    this.drawn = drawable(this.content.items);
    this.blocks.forEach((block) => { block.stale = true; });
  }

  refresh() {
    this.prepare();
    this.blocks.filter(({ near }) => near).forEach((block) => this.draw(block));
  }

  // Another item is selected: its frame moves, and nothing else, except where chains light up.
  reselect() {
    if (META.task === "coreference") { this.refresh(); return; }
    this.blocks.filter(({ stale }) => !stale).forEach((block) => {
      this.drawSelection(block);
      for (const mark of $$("button.mark", block.marks)) mark.tabIndex = this.selected()?.index === Number(mark.dataset.item) ? 0 : -1;
    });
  }

  stop() { this.inView.disconnect(); this.sizes.disconnect(); }

  within(block, spans) {
    return spans.filter(({ spans: fragments }) => fragments.some(([from, to]) => from < block.end && block.start < to));
  }

  // Lay out the text with as much room between lines as the marks of this block need, then draw them.
  draw(block) {
    if (!block.host.isConnected || !block.host.clientWidth) return;
    Object.assign(block, { stale: false, width: block.host.clientWidth });
    const gold = this.within(block, this.drawn.gold), rails = this.drawn.rails.map((several) => this.within(block, several));
    block.known = new Map();
    const arcs = arcsIn(this, block);
    const above = stacked(gold, true) * TAG + arcs.above, depths = rails.map((several) => stacked(several, false));
    const below = depths.reduce((sum, depth) => sum + depth * ROW, 0) + arcs.below + 6;
    const paragraph = block.paragraph;
    paragraph.style.lineHeight = `${30 + above + below}px`;
    paragraph.style.marginTop = `${Math.min(0, (above - below) / 2)}px`;
    paragraph.style.paddingTop = `${Math.max(0, (above - below) / 2)}px`;
    paragraph.style.paddingBottom = `${Math.max(0, (below - above) / 2)}px`;
    block.under.replaceChildren();
    block.over.replaceChildren();
    block.marks.replaceChildren();
    block.tags = [];
    // Everything is measured before anything is drawn: a look after a change would make the browser set the text again.
    block.origin = block.host.getBoundingClientRect();
    block.known = new Map();
    [gold, ...rails].flat().forEach(({ spans }) => this.allPieces(block, spans));
    arcs.drawn.forEach(({ ends }) => ends.forEach((spans) => this.allPieces(block, spans)));
    gold.forEach((span) => this.drawGold(block, span));
    let offset = 4;
    rails.forEach((several, row) => {
      several.forEach((span) => this.drawRail(block, span, offset));
      if (depths[row] && rails.length > 1) this.nameRow(block, several, SYSTEMS[shownSystems()[row]].letter, offset);
      offset += depths[row] * ROW;
    });
    drawArcs(this, block, arcs, [above - arcs.above, offset]);
    this.keepApart(block);
    this.drawSelection(block);
  }

  // The places of a fragment as the browser has set it, a piece for each line.
  pieces(block, [from, to]) {
    const key = `${from} ${to}`;
    if (!block.known.has(key)) block.known.set(key, this.measured(block, [from, to]));
    return block.known.get(key);
  }

  measured(block, [from, to]) {
    const range = document.createRange(), pieces = [];
    const start = Math.max(from, block.start) - block.start, end = Math.min(to, block.end) - block.start;
    for (const word of block.node.data.slice(start, end).matchAll(/\S+/g)) {  // blanks at the end of a line are no part of it
      range.setStart(block.node, start + word.index);
      range.setEnd(block.node, start + word.index + word[0].length);
      for (const rect of range.getClientRects()) {
        if (rect.width < 0.5) continue;
        const piece = { left: rect.left - block.origin.left, right: rect.right - block.origin.left, top: rect.top - block.origin.top, bottom: rect.bottom - block.origin.top };
        const last = pieces[pieces.length - 1];
        if (last && Math.abs(last.top - piece.top) < 3 && (Math.abs(last.right - piece.left) < GAP || Math.abs(piece.right - last.left) < GAP)) {
          last.left = Math.min(last.left, piece.left);
          last.right = Math.max(last.right, piece.right);
        } else pieces.push(piece);
      }
    }
    return pieces;
  }

  allPieces(block, spans) {
    return spans.filter(([from, to]) => from < block.end && block.start < to).map((span) => this.pieces(block, span));
  }

  state(item) {
    return `${this.passes(item) ? "" : "off"} ${this.lit(item) ? "lit" : ""}`;
  }

  // The mentions of the chain of the selected item light up together.
  lit(item) {
    const chosen = this.selected();
    if (META.task !== "coreference" || !chosen || chosen.unit !== item.unit) return false;
    const chain = (one) => (one.gold ? `gold ${one.gold.label}` : `system ${judgedBy(one, shownSystems()[0])?.item?.label}`);
    return chain(chosen) === chain(item);
  }

  drawGold(block, { item, spans, row }) {
    const kind = this.state(item), fragments = this.allPieces(block, spans);
    fragments.flat().forEach(({ left, right, top, bottom }) => {
      block.under.append(svg("rect", { class: `wash ${kind}`, x: left - 1, y: top - 2, width: right - left + 2, height: bottom - top + 2 }));
      block.under.append(svg("line", { class: `gold ${kind}`, x1: left - 1, x2: right + 1, y1: top - 2 - row * 3, y2: top - 2 - row * 3 }));
    });
    this.joinFragments(block, fragments, (piece) => piece.top - 2, `gold join ${kind}`);
    const first = fragments[0]?.[0];
    if (!first || spans[0][0] < block.start) return;
    const label = META.task === "coreference" ? chainMark(item.gold.label, "") : goldLabel(item);
    const button = this.button(item, label, `tag ${META.task === "coreference" ? "circle" : ""} ${kind}`);
    this.put(block, button, first, first.top - TAG - 2 - row * TAG, `tag${row}`, this.isTurned(spans));
  }

  drawRail(block, { item, spans, judged, row }, offset) {
    const kind = this.state(item), { line, tone } = lineOf(judged), fragments = this.allPieces(block, spans);
    const y = (piece) => piece.bottom + offset + row * ROW;
    const first = spans[0][0] >= block.start, last = spans[spans.length - 1][1] <= block.end;
    const turned = this.isTurned(spans);
    const pieces = fragments.flat();
    pieces.forEach((piece, number) => {
      const open = [first && number === 0, last && number === pieces.length - 1];
      this.rail(block, piece, y(piece), line, `rail ${tone} ${kind}`, turned ? open.reverse() : open);
    });
    this.joinFragments(block, fragments, y, `join ${tone} ${kind}`);
    if (!pieces.length || !first) return;
    const content = [badge(judged)];
    if (judged.item && META.task === "coreference") content.unshift(el("span", { class: `ring ${tone}` }, chainMark(judged.item.label, item.gold?.label)));
    else if (judged.item && (!item.gold || otherLabel(judged.item, item.gold))) content.push(el("span", { class: `${tone} label` }, visible(clip(railLabel(judged.item, item.gold), 40))));
    const place = { ...pieces[0], top: y(pieces[0]) };
    const mark = item.gold ? this.quiet(item, content, kind) : this.button(item, content, `under ${kind}`);
    this.put(block, mark, place, y(pieces[0]) + 3, `rail${offset}-${row}`, turned);
  }

  isTurned(spans) { return RIGHT_TO_LEFT.test(this.text.slice(spans[0][0], spans[0][1])); }

  rail(block, { left, right }, y, line, kind, ticks) {
    const draw = (at) => block.over.append(svg("line", { class: `${kind} ${line}`, x1: left, x2: right, y1: at, y2: at }));
    if (line.includes("double")) { draw(y - 1.5); draw(y + 2); } else draw(y);
    if (line.includes("ticks")) [left + 0.5, right - 0.5].forEach((x, end) => ticks[end] && block.over.append(svg("line", { class: kind, x1: x, x2: x, y1: y - 4, y2: y + 5 })));
  }

  // The gap of a discontinuous span, where both sides of it are in one line.
  joinFragments(block, fragments, y, kind) {
    for (let number = 1; number < fragments.length; number += 1) {
      const one = fragments[number - 1].at(-1), two = fragments[number][0];
      if (one && two && Math.abs(one.top - two.top) < 3) {
        const [from, to] = one.right <= two.left ? [one.right, two.left] : [two.right, one.left];
        block.over.append(svg("line", { class: kind, x1: from, x2: to, y1: y(one), y2: y(one) }));
      }
    }
  }

  button(item, content, kind) {
    const button = el("button", { type: "button", class: `mark ${kind}`, tabindex: this.isSelected(item) ? 0 : -1, "aria-label": spoken(item), "data-item": item.index }, content);
    button.addEventListener("click", () => this.select(item));
    hinted(button, item);
    return button;
  }

  quiet(item, content, kind) {
    const place = el("span", { class: `mark under ${kind}`, "aria-hidden": "true", "data-item": item.index }, content);
    place.addEventListener("click", () => this.select(item));
    hinted(place, item);
    return place;
  }

  // A mark stands where its words begin, which is on their right in a script that runs to the left.
  put(block, element, piece, top, row, turned) {
    element.style.top = `${top}px`;
    if (turned) element.style.right = `${block.width - piece.right - 1}px`; else element.style.left = `${piece.left - 1}px`;
    block.marks.append(element);
    block.tags.push({ element, left: piece.left - 1, right: piece.right + 1, row: `${row} ${Math.round(piece.top)} ${turned ? "turned" : ""}`, turned });
  }

  // A label that would run into the next one in its row ends before it.
  keepApart(block) {
    const rows = new Map();
    for (const tag of block.tags) rows.set(tag.row, [...(rows.get(tag.row) || []), tag]);
    for (const tags of rows.values()) {
      tags.sort((a, b) => a.left - b.left);
      tags.forEach((tag, number) => {
        const room = tag.turned ? tag.right - (number ? tags[number - 1].right : -24) - 3 : (number + 1 < tags.length ? tags[number + 1].left : block.width + 24) - tag.left - 3;
        tag.element.style.maxWidth = `${Math.max(14, room)}px`;
      });
    }
  }

  nameRow(block, several, letter, offset) {
    const lines = new Set(several.flatMap(({ spans }) => this.allPieces(block, spans).flat().map((piece) => Math.round(piece.bottom))));
    for (const bottom of lines) {
      const mark = el("span", { class: "row-name", "aria-hidden": "true" }, letter);
      mark.style.top = `${bottom + offset - 8}px`;
      block.marks.append(mark);
    }
  }

  isSelected(item) { const chosen = this.selected(); return Boolean(chosen) && chosen.index === item.index; }

  drawSelection(block) {
    const item = this.selected();
    block.under.querySelectorAll(".frame").forEach((old) => old.remove());
    if (!item || item.unit !== this.content.unit.number) return;
    const ends = [endsOf(item), ...shownSystems().map((system) => judgedBy(item, system)?.item?.ends || [])];
    const lines = new Map();
    ends.forEach((several) => several.forEach((spans, end) => this.allPieces(block, spans).flat().forEach((piece) => {
      const key = `${end} ${Math.round(piece.top)}`, known = lines.get(key);
      if (known && known.left < piece.right + GAP && piece.left < known.right + GAP) { known.left = Math.min(known.left, piece.left); known.right = Math.max(known.right, piece.right); } else lines.set(known ? `${key} ${piece.left}` : key, { ...piece });
    })));
    for (const { left, right, top, bottom } of lines.values()) {
      block.under.append(svg("rect", { class: "frame", x: left - 4, y: top - 1, width: right - left + 8, height: bottom - top + 4, rx: 3 }));
    }
  }

  clicked(block, event) {
    const place = document.caretPositionFromPoint ? document.caretPositionFromPoint(event.clientX, event.clientY)?.offset : document.caretRangeFromPoint?.(event.clientX, event.clientY)?.startOffset;
    if (place === undefined || !getSelection().isCollapsed) return;
    const at = block.start + place;
    const hit = this.content.items.filter((item) => !isChain(item) && reaches(item, at, at + 1) && this.passes(item));
    const size = (item) => endsOf(item).flat().reduce((sum, [from, to]) => sum + to - from, 0);
    if (hit.length) this.select(hit.sort((a, b) => size(a) - size(b))[0]);
  }
}

const goldLabel = (item) => visible(clip([item.gold.label, ...item.gold.alternatives.slice(0, 1)].filter(Boolean).join(" · ") || "mention", 40));
const otherLabel = (one, two) => one.label !== two.label || one.alternatives[0] !== two.alternatives[0];
const railLabel = (one, gold) => [one.label, ...one.alternatives.slice(0, 1)].filter((label, place) => label && !(gold && label === (place ? gold.alternatives[0] : gold.label))).join(" · ") || one.label;
const chainMark = (label) => visible(clip(String(label), 8));

// The reason, on hover and on focus; it stands in the inspector as well.
function hinted(element, item) {
  const show = () => {
    const hint = $("#hint"), lines = shownSystems().map((system) => [system, judgedBy(item, system)]).filter(([, judged]) => judged);
    hint.replaceChildren(...lines.map(([system, judged]) => el("p", {}, badge(judged), ` ${SYSTEMS.length > 1 ? `${SYSTEMS[system].letter}: ` : ""}${judged.case}. `, name(judged.reason))));
    const box = element.getBoundingClientRect();
    hint.hidden = false;
    hint.style.left = `${Math.max(8, Math.min(box.left, innerWidth - hint.offsetWidth - 8))}px`;
    hint.style.top = `${box.top - hint.offsetHeight > 64 ? box.top - hint.offsetHeight - 6 : box.bottom + 6}px`;
  };
  const hide = () => { $("#hint").hidden = true; };
  element.addEventListener("mouseenter", show);
  element.addEventListener("mouseleave", hide);
  element.addEventListener("focus", () => { if (element.matches(":focus-visible") && reader.item?.index !== item.index) show(); });
  element.addEventListener("blur", hide);
  return element;
}
