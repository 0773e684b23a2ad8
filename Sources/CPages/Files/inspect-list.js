// Pages of a command: the last row of each names where the next begins.
function pages(path, parameters = {}) {
  return async (cursor, signal) => {
    const { rows } = await ask(path, { limit: 100, ...parameters, after: cursor }, signal);
    return { rows, next: rows.at(-1)?.next ?? null };
  };
}

// An endless list. Its rows are real elements that are added ahead of what is seen, so that there is nothing blank to
// scroll to. Pages are fetched again one by one: those in sight at once, others when they come into sight.
function longList(container, options) {
  const { fetch, row, empty = "Nothing is here.", heading = () => null, key = (one) => one.id ?? one.position } = options;
  const own = new AbortController();
  const signal = AbortSignal.any([leaving.signal, own.signal]);
  const list = make("ol", { class: "plain long" });
  const end = make("div", { class: "list-end" });
  const held = [];
  let next = null;
  let work = null;
  container.append(list, end);

  const isInSight = ({ elements }) => elements.length > 0 && elements.at(-1).getBoundingClientRect().bottom > -200
    && elements[0].getBoundingClientRect().top < innerHeight + 200;
  // Three pages of rows beyond what is seen: more than a turn of a wheel or a page key passes.
  function lacksRows() {
    if (held.length === 0 || next === null || !list.isConnected) return held.length === 0;
    const ofPage = list.offsetHeight / held.length;
    return list.getBoundingClientRect().bottom - innerHeight < 3 * ofPage;
  }

  // Elements of rows that are as before stay, so that focus stays with them.
  function put(index, rows) {
    const page = held[index];
    const before = new Map(page.elements.map((element) => [element.dataset.key, element]));
    const focused = page.elements.find((element) => element.contains(document.activeElement));
    let previous = held[index - 1]?.rows.at(-1) ?? null;
    const elements = [];
    for (const one of rows) {
      const title = heading(one, previous);
      previous = one;
      const text = JSON.stringify({ ...one, next: null });
      if (title !== null) elements.push(same(before, "heading " + title, title, () => make("h2", {}, title), { class: "group" }));
      elements.push(same(before, String(key(one)), text, () => row(one), { "data-row": true }));
    }
    const stays = new Set(elements);
    for (const element of page.elements) if (!stays.has(element)) element.remove();
    const later = held.slice(index + 1).find(({ elements }) => elements.length > 0);
    let at = page.elements.find((element) => stays.has(element)) ?? later?.elements[0] ?? null;
    for (const element of elements) {
      if (element === at) at = at.nextSibling;
      else list.insertBefore(element, at);
    }
    if (focused && !focused.isConnected) {
      const again = elements.find(({ dataset }) => dataset.key === focused.dataset.key);
      again?.querySelector("a, button, summary")?.focus({ preventScroll: true });
    }
    Object.assign(page, { rows, elements, isStale: false });
  }
  const texts = new WeakMap();
  function same(before, name, text, build, attributes) {
    const was = before.get(name);
    if (was && texts.get(was) === text) return was;
    const element = make("li", { ...attributes, "data-key": name }, build());
    texts.set(element, text);
    return element;
  }

  async function fetchPage(index) {
    const page = held[index];
    const answer = await fetch(page.cursor, signal);
    put(index, answer.rows);
    if (index === held.length - 1 || answer.next === null) {
      for (const later of held.splice(index + 1)) for (const element of later.elements) element.remove();
      next = answer.next;
    } else if (held[index + 1].cursor !== answer.next) {
      Object.assign(held[index + 1], { cursor: answer.next, isStale: true });
    }
  }

  // One request at a time; the loop ends when nothing in sight is stale and enough lies ahead.
  async function run() {
    while (!signal.aborted) {
      const stale = held.findIndex((page) => page.isStale && (page.elements.length === 0 || isInSight(page)));
      if (stale >= 0) await fetchPage(stale);
      else if (lacksRows()) {
        held.push({ cursor: next, rows: [], elements: [], isStale: true });
        await fetchPage(held.length - 1);
      } else return;
    }
  }
  function fill() {
    work ??= run().then(() => {
      const isEmpty = held.every(({ rows }) => rows.length === 0);
      end.replaceChildren(isEmpty ? para("notice soft", empty) : next !== null ? para("soft", "More follow…") : "");
    }, (fault) => {
      if (held.at(-1)?.elements.length === 0) held.pop();
      if (isAbort(fault)) return;
      end.replaceChildren(faultElement(fault), button("Try again", () => { end.replaceChildren(); fill(); }));
    }).finally(() => { work = null; });
    return work;
  }

  const onScroll = () => { if (end.querySelector(".fault") === null) fill(); };
  addEventListener("scroll", onScroll, { passive: true, signal });
  const watcher = new ResizeObserver(onScroll);
  watcher.observe(list);
  signal.addEventListener("abort", () => watcher.disconnect());
  return {
    element: list, ready: fill(),
    async refresh() {
      await work;
      for (const page of held) page.isStale = true;
      await fill();
    },
    stop() { own.abort(); list.remove(); end.remove(); },
  };
}

// Parts of a page, each with the data that it is made of. One whose data is as before stays; of the others focus and
// what was opened are put back, so that a page can be renewed under a reader.
const partTexts = new WeakMap();
const part = (name, data, build) => ({ name, text: JSON.stringify(data), build });
const focusables = (element) => [...element.querySelectorAll("a, button, summary, input, select")];

function renew(container, parts) {
  const before = new Map([...container.children].map((child) => [child.dataset.part, child]));
  const active = document.activeElement;
  const elements = parts.filter(Boolean).map(({ name, text, build }) => {
    const was = before.get(name);
    if (was && partTexts.get(was) === text) return was;
    const element = build();
    element.dataset.part = name;
    partTexts.set(element, text);
    for (const opened of was?.querySelectorAll("details[open][data-key]") ?? []) {
      const again = element.querySelector(`details[data-key="${CSS.escape(opened.dataset.key)}"]`);
      if (again) again.open = true;
    }
    return element;
  });
  const stays = new Set(elements);
  const lost = [...before.values()].find((child) => !stays.has(child) && child.contains(active));
  const at = lost ? focusables(lost).indexOf(active) : -1;
  for (const child of before.values()) if (!stays.has(child)) child.hidden = true;
  let place = container.firstChild;
  for (const element of elements) {
    if (element === place) place = place.nextSibling;
    else container.insertBefore(element, place);
  }
  for (const child of before.values()) if (!stays.has(child)) child.remove();
  if (at < 0) return;
  const candidates = focusables(container.querySelector(`[data-part="${CSS.escape(lost.dataset.part)}"]`) ?? container);
  const alike = candidates.find((one) => one.outerHTML === active.outerHTML) ?? candidates[at] ?? candidates.at(-1);
  alike?.focus({ preventScroll: true });
}
