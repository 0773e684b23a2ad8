// The page of anything else than a trip, and the frame of both.
views.item = { title: "Item", hidden: true, under: "now", draw: drawItem };

const crumbs = (...trail) => make("nav", { class: "crumbs", "aria-label": "Where this is" },
  trail.filter(Boolean).map((one, index) => [index > 0 && " › ", one]));

// What is read, and below it the story, which grows by itself.
async function drawEntity(main, { load, body, aside, story, isConcerned }, signal) {
  let page = await load(signal);
  const left = make("div", { class: "page-main" });
  const right = make("aside", { class: "page-side", "aria-label": "Beside it" });
  const tale = section("Story", para("hint", "Every commit that touched it, the newest first."));
  main.append(make("div", { class: "page" }, left, right, make("div", { class: "page-main" }, tale)));
  const show = () => {
    renew(left, body(page));
    renew(right, aside(page));
    document.title = (page.trip?.name ?? page.entity?.name ?? "") + " · " + document.documentElement.dataset.store;
  };
  show();
  const list = longList(tale, {
    fetch: pages(["audit", "log"], story), row: commitSummary, empty: "No commit that is held touched it.",
  });
  live.refresh((commit) => isConcerned(commit, page), async (signal) => {
    page = await load(signal);
    show();
    await list.refresh();
  });
}

async function loadItem(id, signal) {
  const [shown, blame, since] = await Promise.all([ask(["show", id], {}, signal), blameOf(id, signal), sinceThen(id, signal)]);
  const row = shown.rows[0];
  if (row.trip) return row;
  const entity = row.item ?? row.entity ?? { kind: "organization", ...row.organization };
  await Promise.all([learn("trips", [tripOf(entity)], signal),
    learn("travellers", [entity.payer, ...entity.participants ?? []], signal)]);
  know(entity, row.children ?? []);
  const own = since.filter((one) => one.id === id);
  return { attachments: [], conflicts: [], children: [], ...row, entity, blame: blame[0] ?? null, since: own };
}

function itemTimes({ start, end, startDay, endDay }) {
  if (!start) return startDay ? daysText(startDay, endDay) : "";
  const isSameDay = end?.time.slice(0, 10) === start.time.slice(0, 10);
  return [momentElement(start, true, end?.zone !== start.zone), end && [" – ", momentElement(end, !isSameDay)]];
}

function itemHead({ entity }) {
  const parent = entity.trip ? { kind: "trip", id: entity.trip } : entity.parent;
  return part("head", entity, () => make("header", {},
    crumbs(link("now", null, {}, "Trips"), parent && entityLink(parent.kind, parent.id, known.get(parent.id)?.name)),
    make("h1", {}, quote(entity.name || "Without a name")),
    para("lead", span("chip", kindWord(entity.kind)), " ", itemTimes(entity), " ",
      entity.cost?.currency && make("strong", { class: "money" }, moneyText(entity.cost)), " ",
      stageChip(entity.stage), past.since(entity.id))));
}

const childrenPart = ({ children }) => children.length > 0 && part("children", children,
  () => panel("Under it", bullets(children, ({ kind, id, name }) => entityLink(kind, id, name))));

async function drawItem(main, { id }, signal) {
  let first = await loadItem(id, signal);
  if (first.trip) { location.replace(addressText("trip", id)); return; }
  await drawEntity(main, {
    load: async (signal) => {
      const page = first ?? await loadItem(id, signal);
      first = null;
      return page;
    },
    body: (page) => [itemHead(page), fieldsPart(page.entity, page.blame, page.since)],
    aside: (page) => [sincePart(page.since), conflictsPart(page.conflicts, id), filesPart(page.attachments), childrenPart(page)],
    story: { entity: id },
    isConcerned: ({ events }) => events.some((event) => event.id === id
      || event.changes.some(({ old, new: now }) => old === id || now === id)),
  }, signal);
}
