const parts = data.parts.map(([file, newest, oldest, first, last, count, eventCount], index) => ({
  number: index + 1, file, newest, oldest, first, last, commits: count, events: eventCount,
}));
const address = (part, hash = "") => encodeURIComponent(part.file) + hash;
const dayOf = (time) => dayText(Math.floor(time / dayLength));

function partElement(part) {
  const days = dayOf(part.first) === dayOf(part.last) ? dayOf(part.first)
    : dayOf(part.first) + " to " + dayOf(part.last);
  return make("li", {}, make("a", { href: address(part) }, "Part " + number(part.number) + ": " + days,
    make("small", {}, "commits " + number(part.oldest) + " to " + number(part.newest) + ", "
      + counted(part.events, "event"))));
}

const listed = data.trips.map(([id, name, eventCount, ...places]) => ({ id, name, events: eventCount, places }));
let matching = [];

function tripElement(trip) {
  const links = trip.places.map((place) => make("a", { href: address(parts[place - 1], "#trip/" + trip.id) },
    "part " + number(place)));
  const facts = make("p", { class: "who" }, make("strong", {}, quote(trip.name || "trip " + trip.id.slice(0, 8))),
    counted(trip.events, "event"), ...links);
  return make("li", { class: "commit" }, facts);
}

function grow() {
  const list = byId("trip-list");
  const begin = list.children.length;
  list.append(...matching.slice(begin, begin + 60).map(tripElement));
  const left = matching.length - list.children.length;
  byId("more").hidden = left === 0;
  byId("more").textContent = "Show more: " + counted(left, "trip") + " left";
}

function find(text) {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  matching = listed.filter((trip) => terms.every((term) => trip.name.toLowerCase().includes(term)
    || trip.id.toLowerCase().startsWith(term)));
  byId("trip-list").replaceChildren();
  grow();
  const which = data.areAllListed ? "" : ", those with the newest events; others are in the parts";
  byId("found").textContent = (terms.length > 0 ? number(matching.length) + " of " : "")
    + counted(listed.length, "trip") + which;
}

// A link to a commit or a trip leads on to where that is.
function route() {
  const [view, ...rest] = location.hash.slice(1).split("/");
  if (view === "commit") {
    const position = Number(rest[0]);
    const part = parts.find(({ oldest, newest }) => oldest <= position && position <= newest);
    if (part) location.replace(address(part, "#commit/" + position));
  } else if (view === "trip") {
    const trip = listed.find(({ id }) => id === rest.join("/").toUpperCase());
    byId("find").value = trip ? trip.id : "";
    find(byId("find").value);
  }
}

const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
fillHead([fact("Parts", number(parts.length)), fact("Events", number(sum("events"))),
  fact("Time span", timeText(Math.min(...parts.map(({ first }) => first))) + " to "
    + timeText(Math.max(...parts.map(({ last }) => last))))]);
byId("parts").append(...parts.map(partElement));
byId("find").addEventListener("input", () => find(byId("find").value));
byId("more").addEventListener("click", grow);
window.addEventListener("hashchange", route);
find("");
route();
