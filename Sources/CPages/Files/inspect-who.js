// Who: the timeline of commits, the newest first. Each opens in place to what it changed.

const whoKinds = ["trip", "activity", "lodging", "transportation", "organization", "traveller", "budget", "rate", "checklist",
  "entry", "attachment", "schema"];
const whoFilters = ["text", "author", "replica", "kind", "under", "since", "until"];
// A page of commits holds all of their events: fewer of them keep the answer of an import small.
const commitsPerPage = 50;

// What sets a commit apart from an ordinary one. Each mark is a word, so that colour is never all that tells.
function commitMarks(commit) {
  const beaten = commit.events.reduce((sum, event) => sum + event.changes.filter((change) => change.beatenBy).length, 0);
  const marks = [
    commit.undoing === "undo" && ["undoing", "undo"], commit.undoing === "redo" && ["undoing", "redo"],
    !commit.counts && ["warn", "does not count"], commit.erased && ["gone", "erased"],
    commit.erasedEvents > 0 && ["gone", counted(commit.erasedEvents, "event") + " erased"],
    !commit.readable && ["warn", "cannot be read"], commit.statements.length > 0 && ["member", "members"],
    commit.device !== null && ["member", "new device"], beaten > 0 && ["warn", counted(beaten, "value") + " superseded"],
  ];
  return marks.filter(Boolean).map(([tone, text]) => make("span", { class: "chip " + tone }, text));
}

// A value in a few plain words: a summary is a control of its own and must hold no other one.
function briefValue(value, field) {
  const text = valueElement(value, field).textContent;
  return text.length > 48 ? text.slice(0, 47) + "…" : text;
}

function briefEvent(event) {
  const parts = [event.verb, " ", event.name ? make("strong", {}, quote(event.name)) : "", event.name ? " " : "",
    make("span", { class: "soft" }, kindWord(event.kind))];
  if (event.verb === "created" || event.changes.length === 0) return parts;
  if (event.changes.length > 2) return [...parts, ": ", event.changes.map(({ field }) => fieldWord(field)).join(", ")];
  const brief = (tag, value, field) => make(tag, {}, quote(briefValue(value, field)));
  return [...parts, ": ", ...event.changes.flatMap(({ field, old, new: now }, index) => [index > 0 ? ", " : "",
    make("span", { class: "soft" }, fieldWord(field) + " "), brief("del", old, field), " → ", brief("ins", now, field)])];
}

const kindWords = (kind) => kindWord(kind).replace(/y$/, "ie") + "s";

// What a commit did, in a line: its events, or their number by verb and kind.
function summaryWords(commit) {
  if (commit.events.length === 0) return [quote(commitWithoutEvents(commit))];
  if (commit.events.length <= 2) {
    return commit.events.flatMap((event, index) => [...(index > 0 ? ["; "] : []), ...briefEvent(event)]);
  }
  const counts = new Map();
  for (const event of commit.events) {
    const key = event.verb + "\n" + event.kind;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [[...counts].map(([key, count]) => {
    const [verb, kind] = key.split("\n");
    return verb + " " + counted(count, kindWord(kind), kindWords(kind));
  }).join(", ")];
}

function commitWithoutEvents(commit) {
  if (commit.erased) return "erased: who wrote it, and what";
  if (!commit.readable) return "cannot be read" + neededVersion(commit.neededUpdate);
  if (commit.statements.length > 0) return commit.statements.map(statementText).join("; ");
  if (commit.erasedEvents > 0) return counted(commit.erasedEvents, "event") + " erased, and no others";
  if (commit.device !== null) return "a device joins" + (commit.device ? ": " + commit.device : "");
  const stated = erasures.filter(({ position }) => position === commit.position);
  return stated.length > 0 ? "erases " + stated.map(erasureAmount).join(", ") : "changes nothing of a trip";
}

// A commit of the timeline. Its events become elements when it is first opened.
function commitRow(commit) {
  know(commit.events);
  if (commit.device) devices.set(commit.replica, commit.device);
  const details = make("details", { class: "commit-body", "data-key": commit.position }, make("summary", {},
    make("span", { class: "commit-head" }, make("span", { class: "position" }, number(commit.position)), timeElement(commit.timestamp),
      commitAuthor(commit)), make("span", { class: "commit-what" }, ...summaryWords(commit), ...commitMarks(commit),
      undoneMark(commit, false))));
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    details.append(make("div", { class: "commit-open" },
      ...commit.statements.map((statement) => make("p", {}, quote(statementText(statement)))), eventsElement(commit.events),
      make("p", {}, link("commit", commit.position, null, "Commit " + number(commit.position) + ", all of it"))));
  });
  return details;
}

// Words alone: links, as of `commitWho`, would stand within the control that opens the commit.
const commitAuthor = ({ author, replica }) => make("span", {}, author && [make("strong", {}, quote(author)), " on "],
  make(author ? "span" : "strong", {}, quote(deviceWord(replica))));

function whoForm(parameters, devices) {
  const field = (name, label, control) => make("label", {}, label, control(parameters.get(name) ?? ""));
  const input = (name, attributes) => (value) => make("input", { id: "who-" + name, name, value, spellcheck: "false",
    ...attributes });
  const select = (name, all, options) => (value) => make("select", { id: "who-" + name, name },
    make("option", { value: "" }, all), ...options.map(([key, text]) => make("option", { value: key,
      selected: key === value }, text)),
    value && !options.some(([key]) => key === value) && make("option", { value, selected: true }, value));
  return make("form", { class: "filters who-filters", role: "search", autocomplete: "off", "aria-label": "Filter the commits" },
    field("text", "Text", input("text", { type: "search", placeholder: "in a name or a value" })),
    field("under", "Trip or item", input("under", { placeholder: "name or id, with all in it" })),
    field("author", "Author", input("author", {})),
    field("replica", "Device", select("replica", "all devices", devices)),
    field("kind", "Kind", select("kind", "all kinds", whoKinds.map((kind) => [kind, kindWord(kind)]))),
    field("since", "Since", input("since", { placeholder: "day, time or position" })),
    field("until", "Until", input("until", { placeholder: "day, time or position" })),
    make("button", { type: "reset", class: "quiet" }, "Clear"));
}

views.who = {
  title: "Who", key: "w",
  async draw(main, address, signal) {
    const [names] = await Promise.all([deviceNames(), learnErasures(signal).catch(() => {})]);
    if (signal.aborted) return;
    const form = whoForm(address.parameters, [...names].map(([id, name]) =>
      [id, name ? name + " (" + id.slice(0, 8) + ")" : id.slice(0, 8)]));
    const note = make("p", { class: "count", role: "status" });
    const container = make("div", { class: "timeline" });
    main.append(make("h1", {}, "Who changed what"), form, note, container);

    let listing = null, filters = {};
    const chosen = () => Object.fromEntries(whoFilters.map((name) => [name, form.elements[name].value.trim()])
      .filter(([, value]) => value !== ""));
    function show() {
      listing?.stop();
      filters = chosen();
      note.textContent = Object.keys(filters).length > 0 ? "Only the events that pass the filters are shown." : "";
      listing = longList(container, {
        fetch: pages(["audit", "log"], { until: address.asOf, ...filters, limit: commitsPerPage }),
        row: commitRow, key: (commit) => commit.position, empty: "No commit passes these filters.",
      });
    }
    // The address keeps the filters, and the form is not drawn anew, so that the focus stays in it.
    const refilter = debounced(400, () => {
      if (signal.aborted) return;
      keepInAddress(chosen());
      show();
    });
    form.addEventListener("input", refilter);
    form.addEventListener("submit", (event) => { event.preventDefault(); refilter(); });
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      for (const name of whoFilters) form.elements[name].value = "";
      refilter();
    });
    show();
    live.refresh(() => !filters.until, async (stop) => {
      await learnErasures(stop).catch(() => {});
      await listing.refresh();
    });
  },
};
