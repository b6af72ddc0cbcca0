// A list that holds only the rows in view plus one screen. Heights are guessed until a row was there once; their sums
// are kept in a tree (of Fenwick), so that a place is found at once among hundreds of thousands.

class VirtualList {
  constructor(host, { row, guess, key, drop = () => {}, keep = false }) {
    Object.assign(this, { host, row, guess, key, drop, keep, items: [], known: new Map(), rendered: new Map(), places: new Map() });
    this.before = el("div", { class: "space", "aria-hidden": "true" });
    this.after = el("div", { class: "space", "aria-hidden": "true" });
    this.body = el("div", { class: "rows" });
    host.replaceChildren(this.before, this.body, this.after);
    host.addEventListener("scroll", () => this.draw(), { passive: true });
    this.sizes = new ResizeObserver((changed) => this.measured(changed));
    new ResizeObserver(() => this.draw()).observe(host);
  }

  // Show these items; rows that stay may be kept as they are.
  show(items) {
    this.items = items;
    const size = items.length;
    this.heights = new Float64Array(size);
    this.tree = new Float64Array(size + 1);
    this.places = null;
    for (let place = 0; place < size; place += 1) {
      const known = this.known.get(this.key(items[place]));
      this.heights[place] = known === undefined ? this.guess(items[place]) : known;
      this.tree[place + 1] += this.heights[place];
      const above = place + 1 + ((place + 1) & -(place + 1));
      if (above <= size) this.tree[above] += this.tree[place + 1];
    }
    if (!this.keep) {
      for (const element of this.rendered.values()) this.leave(element);
      this.rendered.clear();
    }
    this.draw();
  }

  // How far down a place begins, and the place at a distance.
  top(place) {
    let sum = 0;
    for (let index = place; index > 0; index -= index & -index) sum += this.tree[index];
    return sum;
  }

  placeAt(distance) {
    let index = 0, left = distance;
    for (let step = 1 << Math.floor(Math.log2(Math.max(1, this.items.length))); step; step >>= 1) {
      if (index + step <= this.items.length && this.tree[index + step] <= left) { index += step; left -= this.tree[index]; }
    }
    return Math.min(index, Math.max(0, this.items.length - 1));
  }

  placeOf(key) {
    if (!this.places) this.places = new Map(Array.from(this.items, (item, place) => [this.key(item), place]));
    return this.places.get(key);
  }

  draw() {
    const { scrollTop, clientHeight } = this.host;
    if (!clientHeight) return;
    const size = this.items.length, total = this.top(size);
    const from = size ? this.placeAt(Math.max(0, scrollTop - clientHeight)) : 0;
    const to = size ? this.placeAt(Math.min(total, scrollTop + 2 * clientHeight)) + 1 : 0;
    this.before.style.height = `${this.top(from)}px`;
    this.after.style.height = `${Math.max(0, total - this.top(to))}px`;
    const wanted = new Set();
    let last = null;
    for (let index = from; index < to; index += 1) {
      const key = this.key(this.items[index]);
      wanted.add(key);
      let element = this.rendered.get(key);
      if (!element) {
        element = this.row(this.items[index], index);
        this.rendered.set(key, element);
        this.sizes.observe(element);
      }
      element.place = index;
      const next = last ? last.nextSibling : this.body.firstChild;
      if (next !== element) this.body.insertBefore(element, next);
      last = element;
    }
    for (const [key, element] of this.rendered) if (!wanted.has(key)) { this.leave(element); this.rendered.delete(key); }
  }

  // What was guessed wrong above the view must not move what is read.
  measured(changed) {
    let moved = 0, some = false;
    const view = this.host.getBoundingClientRect().top;
    for (const { target } of changed) {
      if (!target.isConnected) continue;
      const box = target.getBoundingClientRect(), difference = box.height - this.heights[target.place];
      if (!box.height || Math.abs(difference) < 0.5) continue;
      if (box.bottom < view + difference) moved += difference;
      this.heights[target.place] = box.height;
      this.known.set(this.key(this.items[target.place]), box.height);
      for (let index = target.place + 1; index <= this.items.length; index += index & -index) this.tree[index] += difference;
      some = true;
    }
    if (moved) this.host.scrollTop += moved;
    if (some) this.draw();
  }

  leave(element) {
    this.sizes.unobserve(element);
    this.drop(element);
    element.remove();
  }

  forget() { this.known.clear(); }

  reveal(key, { block = "nearest" } = {}) {
    const place = this.placeOf(key);
    if (place === undefined) return;
    const top = this.top(place), bottom = this.top(place + 1), { scrollTop, clientHeight } = this.host;
    if (block === "start" || top < scrollTop) this.host.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.host.scrollTop = Math.max(0, Math.min(top, bottom - clientHeight));
    this.draw();
  }
}
