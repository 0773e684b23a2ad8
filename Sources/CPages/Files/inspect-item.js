// The page of anything else than a trip, and the frame of both.
views.item = { title: "Item", hidden: true, under: "now", draw: drawItem };

const crumbs = (...trail) => make("nav", { class: "crumbs", "aria-label": "Where this is" },
  trail.filter(Boolean).map((one, index) => [index > 0 && " › ", one]));

// What is read, and below it the story, which grows by itself.
async function drawEntity(main, { id, load, body, aside, story, isConcerned }, signal) {
  let page;
  try { page = await load(signal); } catch (fault) {
    if (!isAbsence(fault)) throw fault;
    return drawAbsent(main, id, fault, story, signal);
  }
  const left = make("div", { class: "page-main" });
  const right = make("aside", { class: "page-side", "aria-label": "Beside it" });
  const tale = section("Story", para("hint", "Every commit that touched it, the newest first."));
  main.append(make("div", { class: "page" }, left, right, make("div", { class: "page-main" }, tale)));
  const show = () => {
    renew(left, body(page));
    renew(right, aside(page));
    document.title = isolated(page.trip?.name ?? page.entity?.name) + " · " + isolated(document.documentElement.dataset.store);
  };
  show();
  const list = longList(tale, {
    fetch: pages(["audit", "log"], { until: address.asOf, ...story }), row: commitSummary, empty: "No commit that is held touched it.",
  });
  live.refresh((commit) => isConcerned(commit, page), async (signal) => {
    try { page = await load(signal); } catch (fault) {
      if (!isAbsence(fault)) throw fault;
      redraw();
      return;
    }
    show();
    await list.refresh();
  });
}

const isAbsence = ({ code }) => code === "deleted" || code === "unknownEntity";

// What is deleted, or was not there then, has a story all the same: who deleted it, and what it was.
async function drawAbsent(main, id, fault, story, signal) {
  const [blame] = await askOrNone(["audit", "blame", id], {}, signal);
  const entity = { kind: blame?.kind ?? address.view, id, name: blame?.name ?? "" };
  const isDeleted = fault.code === "deleted";
  const outcome = make("div", { class: "outcome", tabindex: "-1" });
  const restore = make("p", {}, button("Restore…", () => restoreEntity(entity, restore, outcome)));
  const tale = section("Story", para("hint", "Every commit that touched it, the newest first."));
  append(main, crumbs(link("now", null, {}, "Trips")), make("h1", {}, quote(nameOrID(entity))),
    para("lead", isDeleted ? "It is deleted, or what it belongs to is." : address.asOf ? "It was not there at this moment." : fault.message,
      isDeleted && blame?.deleted && [" Deleted by ", commitWho(blame.deleted), ", ", timeElement(blame.deleted.timestamp), ", ",
        commitNumber(blame.deleted.position), "."]),
    mayWrite && isDeleted && !address.asOf && restore, outcome, tale);
  longList(tale, { fetch: pages(["audit", "log"], story), row: commitSummary, empty: "No commit that is held touched it." });
  live.refresh(({ events }) => events.some((event) => event.id === id || event.verb === "restored"), async () => { redraw(); });
}

async function loadItem(id, signal) {
  const [shown, blame, since] = await Promise.all([ask(["show", id], {}, signal), blameOf(id, signal), sinceThen(id, signal)]);
  const row = shown.rows[0];
  if (row.trip) {
    location.replace(addressText("trip", id));
    throw new DOMException("It has another page.", "AbortError");
  }
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

function drawItem(main, { id }, signal) {
  return drawEntity(main, {
    id, load: (signal) => loadItem(id, signal),
    body: (page) => [itemHead(page), fieldsPart(page.entity, page.blame, page.since)],
    aside: (page) => [sincePart(page.since), conflictsPart(page.conflicts, id), filesPart(page.attachments), childrenPart(page)],
    story: { entity: id },
    isConcerned: ({ events }) => events.some((event) => event.id === id
      || event.changes.some(({ old, new: now }) => old === id || now === id)),
  }, signal);
}
