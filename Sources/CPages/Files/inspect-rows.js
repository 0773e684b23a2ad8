// The kinds that are listed, and their rows.
const itemKinds = ["activity", "lodging", "transportation"];
const itemLists = ["activities", "lodgings", "transportations"];
const words = (text) => text.split(" ");
const itemFields = "name trip start end time startDay endDay stage cost paid paidAmount category notes address organization payer";
const otherFields = words("name created updated");
const listed = {
  trips: { title: "Trips", kind: "trip", order: "startDate",
    fields: words("name destination notes startDate endDate days stage isProtected archivedAt color isTemplate created updated") },
  // Items of all kinds have no order of their own.
  items: { title: "Items", kind: "item", order: null, fields: words(itemFields) },
  activities: { title: "Activities", kind: "activity", order: "start", fields: words(itemFields + " reservation") },
  lodgings: { title: "Lodgings", kind: "lodging", order: "start", fields: words(itemFields + " reservation checkIn checkOut") },
  transportations: { title: "Transports", kind: "transportation", order: "start",
    fields: words(itemFields + " confirmation mode carrier number seat departureName departureCode arrivalName arrivalCode") },
  organizations: { title: "Organizations", kind: "organization", fields: words("name phone email website address created updated") },
  travellers: { title: "Travellers", kind: "traveller", fields: otherFields },
  budgets: { title: "Budgets", kind: "budget", fields: otherFields },
  checklists: { title: "Checklists", kind: "checklist", fields: otherFields },
  entries: { title: "Checklist entries", kind: "entry", fields: otherFields },
  rates: { title: "Rates", kind: "rate", fields: otherFields },
};
const tripOf = ({ trip, parent }) => trip ?? (parent?.kind === "trip" ? parent.id : null);
const hasTimes = (kind) => listed[kind].order !== undefined;
const oneOf = (ids) => "id in (" + ids.join(", ") + ")";
const both = (first, second) => (first && second ? "(" + first + ") and " + second : first || second);

// The names of the trips, or of what is in another list, that rows refer to, in one request.
async function learn(list, ids, signal) {
  const unknown = [...new Set(ids)].filter((id) => id && !known.has(id));
  if (unknown.length === 0) return;
  know((await ask(["list", list], { where: oneOf(unknown), limit: unknown.length }, signal)).rows);
}

// What was found, as rows of its kind in the order of the search, and only those that meet the condition.
function foundPages({ kind, find, where }) {
  return async (cursor, signal) => {
    const parameters = { kind: kind === "items" ? itemLists : kind, limit: 100, after: cursor };
    const { rows: hits } = await ask(["find", find], parameters, signal);
    if (hits.length === 0) return { rows: [], next: null };
    const condition = both(where, oneOf(hits.map(({ id }) => id)));
    const { rows } = await ask(["list", kind], { where: condition, limit: hits.length }, signal);
    const byID = new Map(rows.map((row) => [row.id, row]));
    const found = hits.filter(({ id }) => byID.has(id));
    return { rows: found.map(({ id, passages }) => ({ ...byID.get(id), passages })), next: hits.at(-1).next };
  };
}

const isByDate = ({ kind, find, where, sort }) => kind === "trips" && !find && !where && !sort;

function rowPages(state) {
  const { kind, find, where, sort, from } = state;
  if (find) return foundPages(state);
  if (isByDate(state)) return pages(["trips"], from ? { from, overlapping: true } : {});
  const since = from && hasTimes(kind) ? (kind === "trips" ? "startDate" : "start") + " >= " + from : "";
  const list = pages(["list", kind], { where: both(where, since), sort: sort || listed[kind].order });
  if (kind === "trips") return list;
  return async (cursor, signal) => {
    const answer = await list(cursor, signal);
    await learn("trips", answer.rows.map(tripOf), signal);
    return answer;
  };
}

// The part of a passage around what was found, which is marked. Places are in bytes of UTF-8.
function passageElement({ field, text, places }) {
  const bytes = new TextEncoder().encode(text);
  const piece = (start, end) => new TextDecoder().decode(bytes.slice(start, end));
  const first = Math.max(0, (places[0]?.start ?? 0) - 60);
  const last = Math.min(bytes.length, first + 240);
  const parts = [];
  let at = first;
  for (const { start, end } of places) {
    if (end > last) break;
    parts.push(piece(at, start), make("mark", {}, piece(start, end)));
    at = end;
  }
  return para("passage", span("soft", fieldWord(field), ": "), first > 0 && "…", make("bdi", {}, parts, piece(at, last)),
    last < bytes.length && "…");
}

const stageChip = (stage) => stage && stage !== "planned" && span("chip stage " + stage, stage);
const contestedChip = ({ contested, id }) => contested
  && make("a", { class: "chip warn", href: addressText("conflicts", null, { under: id }) }, "conflict");

function rowElement(row, when, name, middle, cost) {
  const passages = (row.passages ?? []).filter(({ field }) => field !== "name").slice(0, 2);
  return make("div", { class: "row" }, para("row-when", when),
    make("div", { class: "row-what" }, para(null, name, " ", stageChip(row.stage), contestedChip(row), past.since(row.id)),
      passages.map(passageElement)),
    para("row-count soft", middle), para("row-cost", cost.length > 0 && span("money", cost.map(moneyText).join(" + "))));
}

function tripRow(row) {
  know({ ...row, kind: "trip" });
  const when = row.startDate ? make("time", { datetime: row.startDate }, daysText(row.startDate, row.endDate)) : nothing("no dates");
  const name = [link("trip", row.id, {}, quote(row.name || "A trip without a name")), " ",
    row.destination && span("soft", quote(row.destination))];
  return rowElement(row, when, name, counted(row.itemCount, "item"), row.cost);
}

function otherRow(row) {
  know(row);
  const { kind = "organization", id, name, start, startDay, createdAt } = row;
  const parent = row.trip ? { kind: "trip", id: row.trip } : row.parent;
  const time = start ? momentElement(start) : startDay ? dayElement(startDay) : nothing("no time");
  const cost = row.cost ?? row.fields?.amount;
  return rowElement(row, itemKinds.includes(kind) ? time : createdAt ? timeElement(createdAt) : nothing(),
    [entityLink(kind, id, name), " ", itemKinds.includes(kind) && span("chip", kindWord(kind))],
    parent && entityLink(parent.kind, parent.id, known.get(parent.id)?.name), cost?.currency ? [cost] : []);
}
