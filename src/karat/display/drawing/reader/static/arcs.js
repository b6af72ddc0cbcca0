// Relations as arcs: gold above the line, systems below it; an end in another line is a stub with its name.

const ARC = 24, MOST_ARCS = 9;

// Measure which ends are in which line, and give arcs levels so that they do not cross each other's words.
function arcsIn(view, block) {
  const arcs = view.drawn.arcs.filter(({ ends }) => ends.some((end) => end[0][0] < block.end && block.start < end[0][1]));
  if (!arcs.length) return { drawn: [], above: 0, below: 0, levels: [0, 0] };
  block.origin = block.host.getBoundingClientRect();
  const drawn = [];
  for (const arc of arcs) {
    const places = arc.ends.map((end) => view.allPieces(block, end.slice(0, 1)).flat()[0] || null);
    arc.ends.slice(1).forEach((_, number) => {
      const [head, tail] = [places[0], places[number + 1]];
      if (!head && !tail) return;
      const together = head && tail && Math.abs(head.top - tail.top) < 3;
      const from = head || tail, middle = (piece) => (piece.left + piece.right) / 2;
      const room = 60 + 8 * arc.item.label.length;
      const reach = together ? [Math.min(middle(head), middle(tail)), Math.max(middle(head), middle(tail))] : [middle(from), middle(from) + room + 90];
      const width = Math.max(reach[1] - reach[0], together ? room * 0.8 : 0), center = (reach[0] + reach[1]) / 2;
      drawn.push({ ...arc, head, tail, end: number + 1, together, line: Math.round(from.top), span: [center - width / 2, center + width / 2] });
    });
  }
  const levels = [0, 0];
  drawn.sort((a, b) => a.span[1] - a.span[0] - (b.span[1] - b.span[0]));
  const taken = new Map();
  for (const arc of drawn) {
    const side = arc.side === "gold" ? 0 : 1, key = `${side} ${arc.line}`;
    const rows = taken.get(key) || [];
    taken.set(key, rows);
    let level = 0;
    while (rows[level] && rows[level].some(([from, to]) => from < arc.span[1] + 4 && arc.span[0] - 4 < to)) level += 1;
    (rows[level] = rows[level] || []).push(arc.span);
    arc.level = level;
    if (level < MOST_ARCS) levels[side] = Math.max(levels[side], level + 1);
  }
  return { drawn, levels, above: levels[0] * ARC + (levels[0] ? 4 : 0), below: levels[1] * ARC + (levels[1] ? 6 : 0) };
}

function drawArcs(view, block, { drawn }, offsets) {
  const ports = new Map();
  for (const arc of drawn.filter(({ level }) => level < MOST_ARCS)) drawArc(view, block, arc, offsets, ports);
}

function drawArc(view, block, arc, [room, offset], ports) {
  const { item, judged, side, level, end } = arc, gold = side === "gold";
  const [head, tail] = [0, end].map((place) => view.allPieces(block, arc.ends[place].slice(0, 1)).flat()[0] || null);
  const kind = view.state(item), { line, tone } = gold ? { line: "solid", tone: "golden" } : lineOf(judged);
  const edge = (piece) => (gold ? piece.top - 4 - room : piece.bottom + offset - 1);
  for (const place of [0, end]) markEnd(view, block, arc.ends[place], gold, `${tone} ${kind}`);
  // Several arcs at one mention leave it side by side.
  const port = (piece, which) => {
    const key = `${gold} ${Math.round(piece.left)} ${Math.round(piece.top)}`, used = ports.get(key) || 0;
    ports.set(key, used + 1);
    const width = piece.right - piece.left, steps = [0.5, 0.25, 0.75, 0.38, 0.62];
    return piece.left + width * steps[(used + which) % steps.length];
  };
  const from = head || tail, y = gold ? from.top - room - (level + 1) * ARC + 4 : from.bottom + offset + (level + 1) * ARC - 8;
  let middle, label = item.gold && gold ? item.gold.label : judged?.item?.label || item.label;
  const shape = `arc ${tone} ${kind} ${line.includes("dotted") ? "dotted" : line.includes("dashed") ? "dashed" : line.includes("dashdot") ? "dashdot" : "solid"}`;
  const round = 5, turn = gold ? 1 : -1;
  if (head && tail && arc.together) {
    const [a, b] = [port(head, 0), port(tail, 0)], ahead = a < b ? 1 : -1;
    block.over.append(svg("path", { class: shape, d: `M${a},${edge(head)}V${y + round * turn}Q${a},${y} ${a + round * ahead},${y}H${b - round * ahead}Q${b},${y} ${b},${y + round * turn}V${edge(tail)}` }));
    block.over.append(svg("path", { class: `tip ${tone} ${kind}`, d: `M${b - 4},${edge(tail) - 6 * turn}L${b},${edge(tail)}L${b + 4},${edge(tail) - 6 * turn}` }));
    middle = (a + b) / 2;
  } else {
    const a = port(from, 0), far = arc.ends[head ? end : 0], to = a + 26;
    block.over.append(svg("path", { class: shape, d: `M${a},${edge(from)}V${y + round * turn}Q${a},${y} ${a + round},${y}H${to}` }));
    label = `${label} ${head ? "→" : "←"} ${clip(view.text.slice(...far[0]), 30)}`;
    middle = null;
    arc.labelAt = to + 4;
  }
  const content = [gold ? null : badge(judged), el("span", { class: "label" }, visible(label))].filter(Boolean);
  const isFirst = head && (gold || !item.gold || item.gold.ends.length < 2);
  const mark = isFirst ? view.button(item, content, `arc-name ${tone} ${kind}`) : view.quiet(item, content, `arc-name ${tone} ${kind}`);
  block.marks.append(mark);
  mark.style.top = `${y - 9}px`;
  if (middle === null) mark.style.left = `${arc.labelAt}px`;
  else { mark.style.left = `${middle}px`; mark.classList.add("centred"); }
}

function markEnd(view, block, spans, gold, kind) {
  for (const { left, right, top, bottom } of view.allPieces(block, spans).flat()) {
    if (gold) {
      block.under.append(svg("rect", { class: `wash ${kind}`, x: left - 1, y: top - 2, width: right - left + 2, height: bottom - top + 2 }));
      block.under.append(svg("line", { class: `gold ${kind}`, x1: left - 1, x2: right + 1, y1: top - 2, y2: top - 2 }));
    } else if (!view.drawn.rails.some((several) => several.length)) block.over.append(svg("path", { class: "end-line", d: `M${left},${bottom - 1}v3H${right}v-3` }));
  }
}
