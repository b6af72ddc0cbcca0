// The workbench in the browser: keys, acts, and moving on when an act is stored. Written for Karat, no libraries.
"use strict";

const state = { began: Date.now(), busy: false, parts: [], here: 0, anchor: null };
const select = (query, root = document) => root.querySelector(query);
const task = () => document.body.dataset.task;

function say(text, isFault = false) {
  const place = select("#said");
  place.textContent = text;
  place.classList.toggle("fault", isFault);
  if (!isFault) setTimeout(() => { if (place.textContent === text) place.textContent = ""; }, 2500);
}

function nonce() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Send an act until the server says that it is stored: the same number makes a repeated sending one act.
async function send(path, act) {
  const body = JSON.stringify({ act: "", ...act, nonce: nonce() });
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await fetch(path, {
        method: "POST", body, headers: { "Content-Type": "application/json", "X-Karat": document.body.dataset.seal },
      });
      const reply = await response.json();
      if (!response.ok) { say(reply.error, true); return null; }
      return reply;
    } catch {
      say("Not saved yet: the workbench does not answer. Trying again …", true);
      await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** attempt, 5000)));
    }
  }
}

// Replace the page by another one without a flash; history and focus stay as with a link.
async function move(path, push = true) {
  const response = await fetch(path, { headers: { Accept: "text/html" } });
  if (response.redirected && new URL(response.url).pathname === "/login") { location.assign("/login"); return; }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.body.replaceWith(document.adoptNode(page.body));
  document.title = page.title;
  if (push && location.pathname !== path) history.pushState(null, "", path);
  ready();
}

async function act(path, content, next, words) {
  if (state.busy) return;
  state.busy = true;
  document.querySelectorAll("button").forEach((button) => { button.disabled = true; });
  const reply = await send(path, content);
  state.busy = false;
  if (reply) {
    await move(next);
    say(words);
  } else {
    document.querySelectorAll("button").forEach((button) => { button.disabled = false; });
  }
}

function answer(fieldset, content) {
  const seconds = Math.min((Date.now() - state.began) / 1000, 3600);
  const name = task() === "adjudicate" ? "adjudicate" : content.act;
  const text = name === "adjudicate" ? select("#note").value : "";
  const { question, target } = fieldset.dataset;
  act("/act", { ...content, act: name, question, target, seconds, text }, task() === "adjudicate" ? "/adjudicate" : "/judge", "Saved");
}

function press(button) {
  const fieldset = button.closest("fieldset");
  if (button.dataset.value !== undefined) answer(fieldset, { act: "answer", value: Number(button.dataset.value) });
  else {
    const input = select("input", fieldset);
    if (input.value === "" || !input.checkValidity()) { input.reportValidity(); return; }
    answer(fieldset, { act: "answer", value: Number(input.value) });
  }
}

const target = () => select("#work").dataset.target;
const DO = {
  undo: () => act("/undo", {}, task() === "judge" ? "/judge" : location.pathname, "Undone"),
  unsure: () => {
    const fieldset = select("fieldset.active") || select("fieldset");
    if (fieldset && task() === "judge") answer(fieldset, { act: "unsure" });
  },
  skip: () => { if (target() && task() === "judge") act("/act", { act: "skip", target: target() }, "/judge", "Skipped"); },
  again: () => {
    const { question, target } = select("fieldset.active")?.dataset ?? {};
    if (question) act("/act", { act: "again", question, target }, "/adjudicate", "The judges are asked again");
  },
  next: () => move(task() === "adjudicate" ? "/adjudicate" : "/judge"),
  guidelines: () => select("#guidelines")?.classList.toggle("closed"),
  reveal: () => act("/reveal", {}, "/summary", "Names are shown"),
  logout: async () => { await send("/logout", {}); location.assign("/login"); },
  done: () => act("/act", { act: "done", target: target(), text: "done" }, "/discover", "Text done"),
  none: () => act("/act", { act: "done", target: target(), text: "no fact" }, "/discover", "No fact here"),
  swap: () => { if (kind() === "relation") { state.parts.reverse(); draw(); } },
  cancel: () => { state.parts = []; draw(); select("#words").focus(); },
};

const KEYS = {
  judge: { u: "undo", 0: "unsure", s: "skip", n: "next", g: "guidelines" },
  adjudicate: { u: "undo", a: "again", n: "next" },
  discover: { u: "undo", x: "swap", z: "none", d: "done", Escape: "cancel" },
};

function keyed(event) {
  const inField = event.target.closest("input, textarea, select");
  if (event.key === "Enter" && event.target.matches("fieldset.active input")) { event.preventDefault(); press(select("fieldset.active [data-number]")); return; }
  if (inField && event.key === "Escape") { event.target.blur(); if (task() === "discover") DO.cancel(); return; }
  if (inField || event.ctrlKey || event.metaKey || event.altKey || select("#single-keys")?.checked === false) return;
  if (task() === "discover" && select("#words") && word_key(event)) return;
  if (event.key === "e" && select("#note")) { event.preventDefault(); select("#note").focus(); return; }
  const active = select("fieldset.active");
  if (active && /^[1-9]$/.test(event.key)) {
    const button = active.querySelectorAll("[data-value]")[Number(event.key) - 1];
    if (button) { event.preventDefault(); press(button); }
    else select("input", active)?.focus();
    return;
  }
  const name = task() !== "discover" || select("#words") ? KEYS[task()]?.[event.key] : undefined;
  if (name) { event.preventDefault(); DO[name](); }
}

// Discovery: the text as words that can be marked with keys or the pointer. A relation has two parts, a mention or link
// one, a chain as many as are marked, an event its trigger and as many, each with a role.

const kind = () => select("#words").dataset.kind;
const LEAST = { relation: 2, mention: 1, link: 1, chain: 2, event: 1 };
const isOpenEnded = () => kind() === "chain" || kind() === "event";
const isWhole = () => state.parts.length >= LEAST[kind()];

function words() {
  const place = select("#words");
  if (!place || place.dataset.cut) return;
  const text = place.textContent;
  place.dataset.cut = "yes";
  place.textContent = "";
  let end = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu)) {
    place.append(text.slice(end, match.index));
    const span = document.createElement("span");
    end = match.index + match[0].length;
    [span.textContent, span.dataset.start, span.dataset.end] = [match[0], match.index, end];
    place.append(span);
  }
  place.append(text.slice(end));
  state.text = text;
  state.words = [...place.querySelectorAll("span")];
  place.addEventListener("pointerdown", (event) => { const index = state.words.indexOf(event.target); if (index >= 0) state.anchor = state.here = index; });
  place.addEventListener("pointerup", (event) => {
    const index = state.words.indexOf(event.target);
    if (index >= 0 && state.anchor !== null) { state.here = index; pick(); getSelection().removeAllRanges(); }
  });
}

function word_key(event) {
  const last = state.words.length - 1;
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    if (!event.shiftKey) state.anchor = null;
    else if (state.anchor === null) state.anchor = state.here;
    state.here = Math.max(0, Math.min(last, state.here + (event.key === "ArrowRight" ? 1 : -1)));
    draw();
  } else if (event.key === " ") pick();
  else if (event.key === "Enter" && isWhole()) select("#fact").requestSubmit();
  else return false;
  event.preventDefault();
  return true;
}

function pick() {
  const [from, to] = [state.anchor ?? state.here, state.here].sort((a, b) => a - b);
  const place = { from, to, span: [Number(state.words[from].dataset.start), Number(state.words[to].dataset.end)] };
  place.text = state.text.slice(...place.span);
  if (!isOpenEnded() && isWhole()) state.parts.pop();
  state.parts.push(place);
  state.anchor = null;
  draw();
  if (kind() === "event" && state.parts.length > 1) select("#fact-after").lastElementChild.focus();
  else if (isOpenEnded()) say(`${place.text} marked.`);
  else if (isWhole()) select("#fact-label").focus();
  else say(`Head: ${place.text}. Now the tail.`);
}

function draw() {
  const within = (place, index) => place.from <= index && index <= place.to;
  const isTail = (number) => (kind() === "relation" || kind() === "event") && number >= 1;
  const low = Math.min(state.anchor ?? state.here, state.here);
  const high = Math.max(state.anchor ?? state.here, state.here);
  state.words.forEach((span, index) => {
    span.classList.toggle("picked", state.parts.some((place, number) => !isTail(number) && within(place, index)));
    span.classList.toggle("second", state.parts.some((place, number) => isTail(number) && within(place, index)));
    span.classList.toggle("here", low <= index && index <= high);
  });
  select("#fact").hidden = !isWhole();
  show("#fact-before", state.parts.filter((_, number) => !isTail(number)), "head");
  show("#fact-after", state.parts.filter((_, number) => isTail(number)), "tail");
}

function show(query, places, role) {
  const marks = places.map((place) => {
    const mark = document.createElement("mark");
    [mark.className, mark.textContent, mark.dir] = [role, place.text, "auto"];
    return mark;
  });
  if (kind() === "event" && role === "tail") select(query).replaceChildren(...marks.flatMap((mark, number) => [mark, role_of(places[number])]));
  else select(query).replaceChildren(...marks.flatMap((mark, number) => (number ? [" = ", mark] : [mark])));
}

// The role of an argument of an event; Enter goes back to the text.
function role_of(place) {
  const input = document.createElement("input");
  Object.assign(input, { value: place.role ?? "", placeholder: "Its role", ariaLabel: `The role of ${place.text}`, maxLength: 200, autocomplete: "off" });
  input.setAttribute("list", "roles");
  input.addEventListener("input", () => { place.role = input.value.trim(); });
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); event.stopPropagation(); select("#words").focus(); } });
  return input;
}

// JavaScript counts UTF-16 units, the pool characters.
const characters = (offset) => [...state.text.slice(0, offset)].length;

function add_fact(event) {
  event.preventDefault();
  const label = select("#fact-label").value.trim();
  const missing = !label && kind() !== "chain" ? select("#fact-label") : [...document.querySelectorAll("#fact-after input")].find((input) => !input.value.trim());
  if (!isWhole() || missing) { missing?.focus(); say(`Something is missing: ${missing?.ariaLabel}.`, true); return; }
  const parts = state.parts.map((place) => [place.text, [place.span.map(characters)]]);
  const roles = kind() === "event" ? state.parts.slice(1).map((place) => place.role) : [];
  const text = JSON.stringify({ label, parts, roles });
  act("/act", { act: "fact", target: target(), question: nonce().slice(0, 12), text }, location.pathname, "Added");
}

function ready() {
  Object.assign(state, { began: Date.now(), parts: [], here: 0, anchor: null });
  if (task() === "discover" && select("#words")) { words(); draw(); select("#fact").addEventListener("submit", add_fact); select("#words").focus(); }
  select("fieldset.active input")?.focus();
  const note = select("#note");
  if (note && task() === "judge") note.addEventListener("change", async () => {
    if (await send("/act", { act: "note", target: target(), question: "note", text: note.value })) select("#saved").textContent = "note saved";
  });
}

document.addEventListener("keydown", keyed);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do], [data-value], [data-number], [data-withdraw]");
  if (!button || button.disabled) return;
  event.preventDefault();
  if (button.dataset.do) DO[button.dataset.do]();
  else if (button.dataset.withdraw) act("/act", { act: "fact", target: target(), question: button.dataset.withdraw, text: "" }, location.pathname, "Withdrawn");
  else press(button);
});
addEventListener("popstate", () => move(location.pathname, false));
ready();
