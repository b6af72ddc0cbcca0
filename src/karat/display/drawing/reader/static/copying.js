// An item as a bug report: the command, the smallest input that shows it, the verdict, the reason and the signature.

const AROUND = 60;

async function bugReport(item, system) {
  const content = await contentOf(item.unit), judged = judgedBy(item, system) || item.judged.flat()[0];
  const verdicts = REGIMES.map((regime, number) => [regime, OUTCOMES[judged.verdict[number]]]).filter(([, outcome]) => outcome);
  const inputs = META.task === "slots" ? answersOnly(content, item, system) : smallest(content, item, system), files = inputs ? "gold.jsonl system.jsonl" : "GOLD SYSTEM";
  const lines = [META.task === "slots" && inputs ? `python -c 'import karat; print(*karat.explain("${META.protocol}", "gold.jsonl", "system.jsonl"), sep="\\n")'` : `karat explain ${META.protocol} ${files}${META.flags ? ` ${META.flags}` : ""}`, ""];
  if (inputs) lines.push("gold.jsonl", inputs[0], "", "system.jsonl", inputs[1], "");
  else lines.push(`The item has no place in a text; it is number ${item.place + 1} of ${content.unit.name}.`, "");
  lines.push(`${judged.case}: ${judged.reason}`);
  if (verdicts.length) lines.push(verdicts.map((pair) => pair.join(" ")).join(", "));
  lines.push(...[item.gold?.place, judged.item?.place].filter(Boolean), "", SYSTEMS[system].signature);
  return lines.join("\n");
}

// Only the item and its partner, in the words around them; of coreference all mentions of the chains concerned.
function smallest(content, item, system) {
  const concerned = META.task === "coreference" ? inSameChains(content.items, item, system) : [item];
  const sides = [concerned.map((one) => one.gold).filter(Boolean), concerned.map((one) => judgedBy(one, system)?.item).filter(Boolean)];
  const spans = sides.flat().flatMap((one) => one.ends.flat());
  if (!content.text || !spans.length) return null;
  const [start, end] = windowAround(content.text, Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to)));
  const text = content.text.slice(start, end);
  return sides.map((own) => JSON.stringify(documentOf(text, own.filter((one) => one.ends.length), start, item.layer)));
}

// Of slot filling the lines as they were read: the answer, those of its class, and the answers that a later hop follows from.
function answersOnly(content, item, system) {
  const isFirst = (one) => one.layer === content.items[0].layer, sameClass = (one) => Boolean(item.gold && one.gold && one.gold.label === item.gold.label);
  const concerned = content.items.filter((one) => one.index === item.index || sameClass(one) || (!isFirst(item) && isFirst(one)));
  const sides = [concerned.map((one) => one.answer), concerned.map((one) => judgedBy(one, system)?.answer)].map((own) => [...new Set(own.filter(Boolean))]);
  return sides.some((own) => own.length) ? sides.map((own) => `{"id":${JSON.stringify(content.unit.name)},"mentions":[${own.join(",")}]}`) : null;
}

function inSameChains(items, item, system) {
  const gold = new Set([item.gold?.label]), own = new Set([judgedBy(item, system)?.item?.label]);
  gold.delete(undefined);
  own.delete(undefined);
  return items.filter((one) => !isChain(one) && ((one.gold && gold.has(one.gold.label)) || own.has(judgedBy(one, system)?.item?.label)));
}

function windowAround(text, first, last) {
  const breaks = (at) => at === 0 || at === text.length || text.charAt(at - 1) === "\n";
  let start = Math.max(0, first - AROUND), end = Math.min(text.length, last + AROUND);
  while (start < first && !breaks(start) && !/\s/.test(text.charAt(start - 1))) start += 1;
  while (end > last && end < text.length && !/\s/.test(text.charAt(end))) end -= 1;
  return [start, end];
}

// JavaScript counts UTF-16 units, Karat characters.
function documentOf(text, items, start, layer) {
  const characters = (offset) => [...text.slice(0, offset - start)].length;
  const mentions = [], chains = new Map(), relations = [];
  items.forEach((item, number) => {
    const ids = item.ends.map((end, place) => {
      const id = `m${number + 1}${item.ends.length > 1 ? "abcdefgh".charAt(place) : ""}`, mention = { id, spans: end.map((span) => span.map(characters)) };
      if (item.ends.length === 1 && ["entities", "relations"].includes(META.task)) Object.assign(mention, { labels: item.label ? [item.label] : [] });
      if (item.ends.length === 1 && META.task === "linking") {
        const named = item.alternatives.length && META.typed ? [[item.label], item.alternatives] : [[], [item.label, ...item.alternatives]];
        Object.assign(mention, { labels: named[0], links: named[1].map((target) => ({ target })) });
      }
      if (META.layered && layer) mention.layer = layer.split("@")[0];
      mentions.push(mention);
      return id;
    });
    if (META.task === "coreference") chains.set(item.label, [...(chains.get(item.label) || []), ...ids]);
    if (ids.length > 1) relations.push({ id: `r${number + 1}`, label: item.label, arguments: ids.map((target, place) => ({ role: `Arg${place + 1}`, target })) });
  });
  const whole = { id: "1", text, mentions };
  if (chains.size) whole.chains = [...chains].map(([id, members]) => ({ id, mentions: members }));
  if (relations.length) whole.relations = relations;
  return whole;
}
