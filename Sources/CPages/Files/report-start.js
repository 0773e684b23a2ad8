const feedLog = feed(byId("log-list"), byId("log-more"));
const chosen = (id) => byId(id).value;
let position = null;

function refresh() {
  const groups = matching({
    position, text: chosen("text"), day: chosen("day"), replica: chosen("replica"), author: chosen("author"),
    verb: chosen("verb"), kind: chosen("kind"), conflicts: byId("conflicts").checked,
  });
  const shown = groups.reduce((sum, group) => sum + group.events.length, 0);
  byId("count").textContent = groups.length === commits.length && shown === events.length
    ? counted(events.length, "event") + " in " + counted(commits.length, "commit")
    : number(shown) + " of " + counted(events.length, "event") + ", in " + number(groups.length) + " of "
      + counted(commits.length, "commit");
  if (groups.length === 0) byId("count").textContent = "Nothing passes these filters.";
  feedLog(chosen("order") === "oldest" ? groups.reverse() : groups);
  markBars(chosen("day"), chosen("replica"));
}

function fillSelect(id, all, options) {
  byId(id).replaceChildren(make("option", { value: "" }, all),
    ...options.map(([value, text]) => make("option", { value }, text)));
}

function tally(list, key) {
  const counts = new Map();
  for (const entry of list) counts.set(key(entry), (counts.get(key(entry)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function fillFilters() {
  const days = [...new Set(commits.map((commit) => commit.day))].sort((a, b) => b - a);
  fillSelect("day", "all days", days.map((day) => [day, dayText(day)]));
  const writing = replicas.filter((replica) => commits.some((commit) => commit.replica === replica));
  fillSelect("replica", "all replicas", writing.map((replica) => [replica.index, replica.title]));
  fillSelect("author", "all authors", tally(commits, (commit) => commit.authorIndex)
    .map(([author]) => [author, strings[author] || "no author"]));
  fillSelect("verb", "all verbs", tally(events, (event) => event.verb).map(([verb]) => [verb, verb]));
  fillSelect("kind", "all kinds", tally(events, (event) => event.entity.kind).map(([kind]) => [kind, kind]));
}

// The way to the other pages of a report.
function fillPart() {
  if (!store.part) return;
  const link = (file, text) => (file ? make("a", { href: encodeURIComponent(file) }, text) : null);
  byId("title").append(", part " + number(store.part.number));
  document.querySelector("nav").append(...[elsewhere("", "All parts"), link(store.part.newer, "Newer commits"),
    link(store.part.older, "Older commits")].filter(Boolean));
}

function fillFacts() {
  const times = commits.map((commit) => commit.time);
  const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)],
    [Infinity, -Infinity]);
  const conflicts = events.filter((event) => event.beaten).length;
  fillHead([fact("Commits", number(commits.length)), fact("Events", number(events.length)),
    fact("Trips touched", number(trips.filter((trip) => trip.events > 0).length)),
    fact("Events in conflict", number(conflicts)),
    fact("Time span", commits.length === 0 ? "none" : timeText(first) + " to " + timeText(last))],
  "; authors are claims of the devices. Old and new values are in the order of the merge");
  fillPart();
}

function showCommit() {
  const panel = byId("commit");
  panel.hidden = position === null;
  if (position === null) return;
  const commit = commitAt.get(position);
  const back = make("a", { href: "#log" }, "Show all commits");
  if (!commit) {
    panel.replaceChildren(make("h3", {}, "Commit " + position + " is not in this report"),
      store.part ? make("p", {}, elsewhere("#commit/" + position, "Look for it in the other parts")) : make("p", {},
        "It goes up to position " + number(store.position) + ". "), back);
    return;
  }
  const facts = make("dl", { class: "facts" }, fact("Time", timeElement(commit.time, timeText(commit.time))),
    fact("Author", commit.author ? quote(commit.author) : "none"),
    fact("Replica", quote(commit.replica.label), " ", make("code", {}, commit.replica.id.slice(0, 8))),
    fact("Number in the replica's line", number(commit.sequence)), fact("Events", number(commit.count)),
    fact("Hash begins with", make("code", {}, commit.hash)));
  if (commit.wall >= 0) facts.append(fact("The device's clock said", timeText(commit.wall)));
  panel.replaceChildren(make("h3", {}, "Commit " + position), facts, back);
}

function route() {
  const [view, ...rest] = location.hash.slice(1).split("/");
  const ofTrips = view === "trip" || view === "trips";
  byId("log-view").hidden = ofTrips || commits.length === 0;
  byId("trips-view").hidden = !ofTrips || commits.length === 0;
  byId("to-log").setAttribute("aria-current", ofTrips ? "false" : "page");
  byId("to-trips").setAttribute("aria-current", ofTrips ? "page" : "false");
  if (ofTrips) {
    tellStory(rest.join("/"));
    if (view === "trip") {
      byId("story").focus({ preventScroll: true });
      // Where the list of trips stands above the story, it is in the way.
      if (innerWidth <= 640) byId("story").scrollIntoView();
    }
  } else {
    const was = position;
    position = view === "commit" && /^\d{1,15}$/.test(rest[0]) ? Number(rest[0]) : null;
    if (position !== null && position !== was) byId("filters").reset();
    byId("overview").hidden = byId("filters").hidden = byId("count").hidden = position !== null;
    showCommit();
    refresh();
  }
}

function choose(cell) {
  const isChosen = chosen("day") === String(cell.day) && chosen("replica") === String(cell.replica.index);
  byId("day").value = isChosen ? "" : cell.day;
  byId("replica").value = isChosen ? "" : cell.replica.index;
  if (position !== null) location.hash = "#log";
  else refresh();
}

fillFacts();
fillFilters();
listTrips("");
showMonths(4, choose);
if (commits.length === 0) {
  byId("empty").hidden = false;
  document.querySelector("nav").hidden = true;
  byId("empty").textContent = "Nothing has been written here yet. Once somebody adds a trip, make this report again.";
  if (store.scope) byId("empty").textContent = "No commit is in what was asked for.";
}
byId("earlier").addEventListener("click", () => showMonths(12, choose));
byId("timeline").addEventListener("keydown", (event) => { if (moveAmongBars(event.key)) event.preventDefault(); });
byId("filters").addEventListener("input", refresh);
byId("filters").addEventListener("reset", () => setTimeout(refresh));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", route);
route();
