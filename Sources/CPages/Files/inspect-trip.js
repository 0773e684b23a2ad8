// A trip as a page.
views.trip = { title: "Trip", hidden: true, under: "now", draw: drawTrip };

async function loadTrip(id, signal) {
  const [shown, days, findings, totals, blame, since] = await Promise.all([
    ask(["show", id], { kind: "trip" }, signal), askOrNone(["agenda"], { trip: id }, signal),
    askOrNone(["agenda"], { trip: id, findings: true }, signal), askOrNone(["totals", id], {}, signal),
    blameOf(id, signal), sinceThen(id, signal),
  ]);
  const page = { ...shown.rows[0], days, findings, totals: totals[0] ?? null, blame: blame[0] ?? null, since };
  know((page.totals?.byTraveller ?? []).map(({ key, name }) => ({ id: key, kind: "traveller", name })));
  know({ ...page.trip, kind: "trip" }, page.items, page.travellers, page.own, page.rates);
  return page;
}

function tripHead({ trip, days }) {
  return part("head", [trip, days.length], () => make("header", {}, crumbs(link("now", null, {}, "Trips")),
    make("h1", {}, quote(trip.name || "A trip without a name")),
    para("lead", trip.destination && [quote(trip.destination), ", "], daysText(trip.startDate, trip.endDate),
      days.length > 1 && ", " + counted(days.length, "day"), " ", stageChip(trip.stage),
      trip.isProtected && span("chip", "protected"), trip.archivedAt && span("chip", "archived"), past.since(trip.id)),
    trip.notes && para("notes", quote(trip.notes))));
}

// A bar of the days, each with what happens on it. A stay runs through the days that it lasts.
const signs = { activity: "●", lodging: "▬", transportation: "▶" };
const mostDays = 400;

function dayWords({ day, entries }) {
  const said = entries.map(({ kind, name, role }) => [kindWord(kind), isolated(name) || "without a name", role !== "whole" && role]
    .filter(Boolean).join(" "));
  return dayText(day, "full") + ": " + (said.length > 0 ? said.join(", ") : "nothing planned");
}

function goToDay(day) {
  const target = document.querySelector(`[data-day="${CSS.escape(day)}"]`);
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "start" });
}

function barDay(day) {
  const stays = new Set(day.entries.filter(({ kind }) => kind === "lodging").map(({ role }) => "stay-" + role));
  const others = day.entries.filter(({ kind, role }) => kind !== "lodging" && role !== "continues");
  const attributes = {
    type: "button", class: others.length === 0 ? "day free" : "day", title: dayWords(day), "aria-label": dayWords(day),
    onclick: () => goToDay(day.day),
  };
  return make("li", {}, make("button", attributes,
    span("day-week", dayText(day.day, "weekday")), span("day-number", day.day.slice(8).replace(/^0/, "")),
    span("day-marks", others.slice(0, 4).map(({ kind }) => span("sign " + kind, signs[kind] ?? "●")),
      others.length > 4 && "+" + (others.length - 4)),
    span(["stay", ...stays].join(" "))));
}

const barPart = ({ days }) => days.length > 0 && part("bar", days, () => {
  const bar = make("ol", { class: "plain days" }, days.slice(0, mostDays).map(barDay));
  // Few days are not drawn out over the whole width.
  bar.style.maxWidth = days.length * 6 + "rem";
  return make("section", { "aria-label": "The days" }, bar);
});

// The agenda. Times are those of the clocks at their places, with the zone where it is not the day's.
function entryTimes(entry, item) {
  const zoned = (moment) => [clock(moment), moment.zone !== entry.zone && span("zone", " " + zoneCity(moment.zone))];
  const [start, end] = [item?.start ?? entry.begins, item?.end ?? entry.ends];
  if (entry.role === "continues") return entry.nights ? "" : "goes on";
  if (!start) return "any time";
  if (entry.role === "ends") return end ? ["until ", zoned(end)] : "ends";
  if (entry.role === "starts") return ["from ", zoned(start)];
  return end && end.milliseconds !== start.milliseconds ? [zoned(start), " – ", zoned(end)] : zoned(start);
}

function entryWords(entry, item) {
  if (entry.kind === "lodging") return entry.night ? "night " + entry.night + " of " + entry.nights : "leaving";
  if (!item) return "";
  const way = [item.departureCode || item.departureName, item.arrivalCode || item.arrivalName].filter(Boolean).join(" → ");
  return [way, item.number, item.seat && "seat " + item.seat, item.customLocationName].filter(Boolean).join(", ");
}

function entryElement(entry, item, isContested, fate) {
  const isFirst = ["starts", "whole"].includes(entry.role);
  return make("li", { class: "entry", "data-row": true }, para("entry-time", entryTimes(entry, item)),
    para("entry-what", make("span", { class: "sign " + entry.kind, "aria-hidden": "true" }, signs[entry.kind] ?? "●"),
      span("unseen", kindWord(entry.kind) + ": "), entityLink(entry.kind, entry.id, entry.name), " ",
      span("soft", entryWords(entry, item)), " ", stageChip(entry.stage),
      entry.role !== "continues" && [isContested && span("chip warn", "conflict"), fate && fateChip(fate)]),
    para("entry-cost", isFirst && item?.cost && span("money", moneyText(item.cost))));
}

function agendaPart({ days, items, conflicts, since }) {
  const byID = new Map(items.map((item) => [item.id, item]));
  const contested = new Set(conflicts.map(({ entity }) => entity));
  const fates = new Map(since.map(({ id, fate }) => [id, fate]));
  const list = (entries) => make("ol", { class: "plain" }, entries.map((entry) =>
    entryElement(entry, byID.get(entry.id), contested.has(entry.id), fates.get(entry.id))));
  const dayOf = ({ day, entries }) => {
    const zone = entries.find((entry) => entry.zone)?.zone;
    return make("section", { class: "agenda-day", "data-day": day, tabindex: "-1" },
      make("h3", {}, dayElement(day, "full"), zone && span("soft", " " + zoneCity(zone) + " time")),
      entries.length > 0 ? list(entries) : para("none", "Nothing planned"));
  };
  const placed = new Set(days.flatMap(({ entries }) => entries.map(({ id }) => id)));
  const others = items.filter(({ id }) => !placed.has(id)).map((item) => ({ ...item, role: "whole", begins: null }));
  return part("agenda", [days, items, [...contested], [...fates]], () => section("Agenda", days.map(dayOf),
    others.length > 0 && make("section", { class: "agenda-day" }, make("h3", {}, "Without a day"), list(others)),
    days.length + others.length === 0 && para("none", "Neither days nor items yet.")));
}

// A commit concerns a trip if it touches the trip or what is in it, or puts something into it or takes it out.
function concernsTrip({ events }, { trip, items, travellers, own, checklists, attachments }) {
  const ids = new Set([trip, ...items, ...travellers, ...own, ...checklists.map(({ list }) => list)].map(({ id }) => id));
  for (const { attachment } of attachments) ids.add(attachment);
  return events.some(({ id, changes }) => ids.has(id)
    || changes.some(({ old, new: now }) => [old, now].some((value) => ids.has(value) || ids.has(value?.id))));
}

function drawTrip(main, { id }, signal) {
  return drawEntity(main, {
    id, load: (signal) => loadTrip(id, signal),
    body: (page) => [tripHead(page), barPart(page), agendaPart(page), fieldsPart(page.trip, page.blame, page.since)],
    aside: (page) => [sincePart(page.since), conflictsPart(page.conflicts, id), findingsPart(page), totalsPart(page),
      travellersPart(page), filesPart(page.attachments), checklistsPart(page)],
    story: { under: id },
    isConcerned: concernsTrip,
  }, signal);
}
