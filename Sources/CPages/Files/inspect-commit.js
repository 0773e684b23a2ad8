// One commit with all of its details, and what it takes to put it back. The timeline and other views use the elements of events.

const eventsPerPortion = 50;

// Shows a list in portions: a commit may hold 16 MiB of events.
function portions(list, entries, element, noun) {
  if (entries.length <= eventsPerPortion) {
    list.append(...entries.map(element));
    return list;
  }
  let shown = 0;
  const more = make("button", { type: "button", class: "quiet" });
  function grow(count) {
    const added = entries.slice(shown, shown + count).map(element);
    list.append(...added);
    shown += added.length;
    more.hidden = shown >= entries.length;
    more.textContent = "Show " + number(Math.min(eventsPerPortion * 4, entries.length - shown)) + " more of "
      + counted(entries.length, noun);
    return added[0];
  }
  more.addEventListener("click", () => {
    const first = grow(eventsPerPortion * 4);
    first.tabIndex = -1;
    first.focus();
  });
  grow(eventsPerPortion);
  return make("div", { class: "portions" }, list, more);
}

const eventsElement = (events) => portions(make("ul", { class: "events" }), events, eventElement, "event");

function eventElement(event) {
  const created = event.verb === "created" && !event.changes.some((change) => change.beatenBy);
  const changes = make("dl", { class: created ? "changes first" : "changes" });
  return make("li", { class: "event" }, make("span", { class: "verb " + event.verb }, event.verb),
    make("div", {}, make("p", { class: "what" }, entityLink(event.kind, event.id, event.name), " ",
      event.name && make("span", { class: "soft" }, kindWord(event.kind))), event.changes.length > 0
      && portions(changes, event.changes, eventChange, "field")));
}

function eventChange({ field, old, new: now, beatenBy }) {
  const row = changeElement(field, old, now);
  if (beatenBy) row.append(make("dd", { class: "beaten", role: "definition" }, ...beatenWords(beatenBy, field)));
  return row;
}

const beatenWords = (beaten, field) => ["superseded, unseen, by ", commitWho(beaten), ", ", timeElement(beaten.timestamp),
  ", ", commitLink(beaten.position), ": ", valueElement(beaten.value, field)];

const commitLink = (position) => link("commit", position, null, "commit " + number(position));

const neededVersion = (update) => (update?.version ? ": it needs version " + update.version + " or a newer one"
  : update ? ": it needs a newer version" : "");

// A commit id is `REPLICA:SEQUENCE:HASH`.
function commitIDText(id) {
  const [replica, sequence] = id.split(":");
  return "commit " + sequence + " of " + deviceWord(replica);
}

function statementText(statement) {
  const device = statement.replica ? deviceWord(statement.replica) : "";
  switch (statement.says) {
    case "grant": return "grants " + device + " the role " + statement.role;
    case "revoke": return "revokes " + device + (statement.cut?.length > 0
      ? ", of which counts what comes up to " + statement.cut.map(commitIDText).join(", ") : ", of which nothing counts");
    case "invite": return "invites, with the role " + statement.role;
    case "withdraw": return "takes an invitation back";
    case "request": return "asks to become a member";
    case "void": return "says that " + commitIDText(statement.commit) + " is void";
    case "lift": return "says that " + commitIDText(statement.commit) + " counts again";
    case "replace": return "replaces commits up to " + commitIDText(statement.commit) + ", written with a clock that was ahead";
    default: return statement.says;
  }
}

// What sets the commit apart, in sentences.
function commitNotes(commit) {
  const notes = [
    commit.undoing === "undo" && "It puts back what another commit changed.",
    commit.undoing === "redo" && "It does again what was undone.",
    !commit.counts && "Its events do not count: its writer was no member or was revoked, or it was voided or replaced.",
    commit.erased && "Its author and all of its events were erased.",
    commit.erasedEvents > 0 && counted(commit.erasedEvents, "event") + " of it were erased; what is left is shown.",
    !commit.readable && "Its events cannot be read" + neededVersion(commit.neededUpdate) + ".",
    ...commit.statements.map((statement) => "It " + statementText(statement) + "."),
    commit.device !== null && "It is the first commit of the device" + (commit.device ? " " + commit.device : "") + ".",
  ];
  const stated = erasures.filter(({ position }) => position === commit.position)
    .map((erasure) => ["It states an erasure: ", erasureAmount(erasure), erasureState(erasure), "."]);
  const suffered = erasures.filter(({ commits }) => commits.includes(commit.position))
    .map((erasure) => ["What was erased of it is stated by ", commitLink(erasure.position), "."]);
  return [...notes.filter(Boolean).map((note) => [quote(note)]), ...stated, ...suffered];
}

function commitFacts(commit) {
  return make("dl", { class: "facts" }, fact("Written", timeElement(commit.timestamp)),
    fact("Author", commit.author ? link("who", null, { author: commit.author }, quote(commit.author)) : "none"),
    fact("Device", link("who", null, { replica: commit.replica }, quote(deviceWord(commit.replica)))),
    fact("Number on that device", number(commit.sequence)), fact("Events", number(commit.events.length)),
    commit.wallClock !== null && fact("The device's clock showed", timeElement(new Date(commit.wallClock).toISOString())),
    commit.correlation && fact("Part of the work", make("code", {}, commit.correlation)),
    commit.causation && fact("Caused by", make("code", {}, commit.causation)),
    wideFact("Hash", make("code", {}, commit.hash)), wideFact("Replica", make("code", {}, commit.replica)));
}

views.commit = {
  title: "Commit", hidden: true, under: "who",
  async draw(main, address, signal) {
    const position = Number(address.id);
    const [{ rows: [commit], position: last }] = await Promise.all([ask(["audit", "show", address.id], {}, signal),
      deviceNames(), learnErasures(signal).catch(() => {})]);
    if (signal.aborted) return;
    know(commit.events);
    const outcome = make("div", { class: "outcome", tabindex: "-1" });
    append(main, make("h1", {}, "Commit " + number(position), " ", ...commitMarks(commit), " ", undoneMark(commit)),
      make("nav", { class: "beside", "aria-label": "Commits beside" },
        position > 1 && link("commit", position - 1, null, "← Commit " + number(position - 1)),
        position < last && link("commit", position + 1, null, "Commit " + number(position + 1) + " →"),
        link("who", null, { until: position }, "The timeline from here back")),
      commitFacts(commit), ...commitNotes(commit).map((note) => make("p", { class: "note" }, ...note)),
      mayWrite && make("p", { class: "acts" },
        commit.events.length > 0 && button("Undo this commit…", () => undoCommit(position, outcome)),
        commit.correlation && button("Undo the whole work…", () => undoWork(commit.correlation, outcome))),
      outcome, make("h2", {}, "What it changed"),
      commit.events.length > 0 ? eventsElement(commit.events) : make("p", { class: "soft" }, quote(commitWithoutEvents(commit))));
    // Without an answer the mark is missing, and the page is whole.
    learnUndoingsOf(commit, signal).catch(() => {});
  },
};

// Asks in a dialog before anything is written. `preview` resolves to what would come of it and whether that is anything;
// `run` writes and resolves to what came of it. Resolves to that, or to null if nothing was written.
function confirmed({ title, verb, preview, run }) {
  return new Promise((resolve) => {
    let outcome = null;
    const stop = new AbortController();
    const body = make("div", { class: "dialog-body", role: "status" }, "Looking at what would come of it…");
    const act = button(verb, carryOut, { class: "main", disabled: true });
    const cancel = button("Cancel", () => dialog.close(), { autofocus: true });
    const dialog = make("dialog", { class: "confirm", "aria-labelledby": "confirm-title" },
      make("h2", { id: "confirm-title" }, title), body, make("p", { class: "buttons" }, cancel, act));
    async function carryOut() {
      act.disabled = cancel.disabled = true;
      try {
        outcome = await run();
        dialog.close();
      } catch (fault) {
        body.replaceChildren(faultElement(fault));
        cancel.disabled = false;
        cancel.focus();
      }
    }
    // A link in the preview leads elsewhere. While it writes the dialog stays: otherwise nobody would see what came of it.
    addEventListener("hashchange", () => { if (!cancel.disabled) dialog.close(); }, { signal: stop.signal });
    dialog.addEventListener("cancel", (event) => { if (cancel.disabled) event.preventDefault(); });
    dialog.addEventListener("close", () => {
      stop.abort();
      dialog.remove();
      resolve(outcome);
    });
    document.body.append(dialog);
    dialog.showModal();
    preview(stop.signal).then(({ content, isPossible }) => {
      body.replaceChildren(...content);
      act.disabled = !isPossible;
    }, (fault) => { if (!stop.signal.aborted) body.replaceChildren(faultElement(fault)); });
  });
}

// The changes and what stays, of an undoing that is planned or done.
function undoingElements(undoing, isDone) {
  const change = (row) => make("li", {}, row.field === null ? row.verb + " " : "", entityLink(row.kind, row.id, row.name),
    row.field !== null && make("span", {}, ": " + fieldWord(row.field) + " ", make("del", {}, valueElement(row.old, row.field)), " → ",
      make("ins", {}, valueElement(row.new, row.field))));
  const stay = (row) => make("li", {}, row.id && entityLink(row.kind, row.id, row.name),
    row.field && ", " + fieldWord(row.field), row.id && ": ", quote(row.reason));
  return [
    make("p", {}, undoing.changes.length === 0 ? "Nothing of it " + (isDone ? "was" : "can be") + " put back."
      : counted(undoing.changes.length, "change") + (isDone ? " put back:" : " to put back:")),
    undoing.changes.length > 0 && portions(make("ul"), undoing.changes, change, "change"),
    undoing.kept.length > 0 && make("p", {}, "What stays as it is:"),
    undoing.kept.length > 0 && portions(make("ul"), undoing.kept, stay, "field"),
  ].filter(Boolean);
}

// Undoes a commit after a preview. The outcome stands in `place`, with a way to do it again.
const undoCommit = (position, place) => putBack(place, {
  title: "Undo commit " + number(position) + "?", verb: "Undo", path: ["undo"], parameters: { commit: position },
  done: "Undone", next: (undone) => button("Do it again…", () => redoUndoing(undone, place)),
});

// Undoes all commits with one correlation, such as those of an import.
const undoWork = (correlation, place) => putBack(place, {
  title: "Undo the whole work?", verb: "Undo all", path: ["undo"], parameters: { correlation }, done: "Undone",
  next: (undone) => button("Do it again…", () => redoUndoing(undone, place)),
  note: ({ commits }) => ["The work has " + counted(commits.length, "commit") + ": ", positionLinks(commits), "."],
});

// What was too large for one commit was written by several, which have a correlation.
async function undoWritten(positions, place) {
  if (positions.length === 1) return undoCommit(positions[0], place);
  try {
    const { rows: [{ correlation }] } = await ask(["audit", "show", positions.at(-1)]);
    await undoWork(correlation, place);
  } catch (fault) { place.append(faultElement(fault)); }
}

const redoUndoing = (undone, place) => putBack(place, {
  title: "Do again what was undone?", verb: "Do again", path: ["redo"], parameters: {}, done: "Done again",
  next: (redone, all) => button("Undo it again…", () => undoWritten(all, place)),
  // Redo takes the newest undoing of this device: another one may have come in between.
  note: ({ commits }) => !commits.includes(undone) && "This does again what " + commits.map((one) => "commit " + number(one)).join(", ")
    + " undid, which came since.",
});

async function putBack(place, { title, verb, path, parameters, done, next, note }) {
  const written = await confirmed({
    title, verb,
    async preview() {
      const plan = (await send(path, { ...parameters, "dry-run": true })).rows[0];
      const warning = note?.(plan);
      const content = [warning && make("p", { class: "note" }, warning), ...undoingElements(plan, false)];
      return { content: content.filter(Boolean), isPossible: plan.changes.length > 0 };
    },
    run: async () => (await send(path, parameters)).rows[0],
  });
  if (!written) return;
  const positions = written.receipts.filter((receipt) => receipt.changed).map((receipt) => receipt.position);
  const by = positions.flatMap((position, index) => [index > 0 ? ", " : " by ", commitLink(position)]);
  showOutcome(place, done + (positions.length > 0 ? " by commit " + positions.join(", ") : ": nothing was written"), [
    make("p", {}, make("strong", {}, done), ...by, "."), ...undoingElements(written, true),
    positions.length > 0 && make("p", {}, next(positions.at(-1), positions))]);
}

// Puts what came of an action where it began, announces it, and takes the focus there.
function showOutcome(place, words, content) {
  place.replaceChildren(...content.filter(Boolean));
  place.focus();
  say(words);
}
