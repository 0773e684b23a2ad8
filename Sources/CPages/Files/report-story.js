const collator = new Intl.Collator("en", { numeric: true });
const trips = entities.filter((entity) => entity.kind === "trip").map((entity) => ({
  entity, parts: [entity], events: 0, latest: 0, conflicts: 0,
}));
const tripOf = new Map(trips.map((trip) => [trip.entity, trip]));
for (const entity of entities) {
  for (const trip of new Set(entity.trips)) tripOf.get(entities[trip])?.parts.push(entity);
}
for (const trip of trips) {
  for (const event of trip.parts.flatMap((part) => part.events)) {
    trip.events += 1;
    trip.latest = Math.max(trip.latest, event.commit.time);
    if (event.beaten) trip.conflicts += 1;
  }
}
trips.sort((a, b) => b.latest - a.latest || collator.compare(a.entity.name, b.entity.name));

function tripElement(trip) {
  const facts = make("small", {}, counted(trip.events, "event") + ", " + counted(trip.parts.length - 1, "item"));
  if (trip.conflicts > 0) {
    facts.append(", ", make("span", { class: "warn" }, counted(trip.conflicts, "conflict")));
  }
  return make("li", {}, make("a", { href: "#trip/" + trip.entity.id }, quote(label(trip.entity)), facts));
}

let tripsMatching = [];

function listTrips(text) {
  const terms = termsOf(text);
  const has = (entity, term) => entity.name.toLowerCase().includes(term)
    || entity.id.toLowerCase().startsWith(term);
  tripsMatching = trips.filter((trip) => trip.events > 0
    && terms.every((term) => trip.parts.some((part) => has(part, term))));
  byId("trip-list").replaceChildren();
  growTrips();
  byId("found").textContent = terms.length > 0
    ? number(tripsMatching.length) + " of " + counted(trips.length, "trip") : counted(trips.length, "trip");
}

function growTrips() {
  const list = byId("trip-list");
  const begin = list.children.length;
  list.append(...tripsMatching.slice(begin, begin + 60).map(tripElement));
  markTrip();
}

function markTrip() {
  for (const link of byId("trip-list").querySelectorAll("a")) {
    if (link.getAttribute("href") === location.hash) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// Neighbours in the order that are of one commit stand together under its head.
function grouped(list) {
  const groups = [];
  for (const event of list) {
    if (groups.at(-1)?.commit === event.commit) groups.at(-1).events.push(event);
    else groups.push({ commit: event.commit, events: [event] });
  }
  return groups;
}

let told = null;
const feedStory = feed(byId("story-list"), byId("story-more"));

function showPart() {
  const chosen = byId("part").value;
  const parts = chosen === "" ? told.parts : [entities[Number(chosen)]];
  feedStory(grouped(parts.flatMap((part) => part.events).sort(byMerge)), told.entity);
}

function tellStory(id) {
  const trip = trips.find(({ entity }) => entity.id === id.toUpperCase());
  told = trip ?? null;
  const title = byId("story-title"), note = byId("story-note"), partLabel = byId("part-label");
  partLabel.hidden = !trip || trip.parts.length < 2;
  markTrip();
  if (!trip) {
    title.textContent = id ? "No such trip in this report" : "No trip chosen";
    note.textContent = id ? "Nothing here is about a trip " + id + "."
      : "Choose a trip to read what happened to it and to its items, in order.";
    if (id && store.part) note.append(" ", elsewhere("#trip/" + id, "Look for it in the other parts"));
    feedStory([]);
    return;
  }
  title.replaceChildren(quote(label(trip.entity)));
  const fate = trip.entity.events.filter((event) => /deleted|restored/.test(event.verb)).sort(byMerge).at(-1);
  note.replaceChildren("Trip ", make("code", {}, trip.entity.id), ": ", counted(trip.events, "event") + ", "
    + counted(trip.parts.length - 1, "item") + ".", fate?.verb === "deleted" ? " It is deleted." : "",
    trip.conflicts > 0 ? make("span", { class: "warn" }, " " + counted(trip.conflicts, "event")
      + " lost to an edit that had not seen " + (trip.conflicts === 1 ? "it." : "them.")) : "",
    ...(store.part ? [" ", elsewhere("#trip/" + trip.entity.id, "Other parts may have more of it")] : []));
  const items = trip.parts.slice(1).sort((a, b) => collator.compare(label(a), label(b)));
  const option = (part) => make("option", { value: part.index }, part.kind + " " + label(part));
  byId("part").replaceChildren(make("option", { value: "" }, "everything"), option(trip.entity),
    ...items.map(option));
  showPart();
}

byId("find").addEventListener("input", () => listTrips(byId("find").value));
byId("part").addEventListener("change", showPart);
byId("trip-list").addEventListener("scroll", (event) => {
  const list = event.currentTarget;
  if (list.scrollTop + list.clientHeight > list.scrollHeight - 400) growTrips();
});
