// Which commits were undone since. The causation of an undoing holds ten bytes of the hash of the newest commit that it undid: see "What
// undoes another commit" in the format of the log. So the page tells from the commits that it has read, and marks no others.

const undoings = new Map();
// Commits without a mark that others undo, by their correlation: an undoing of the whole work names its newest commit alone.
const undoneWorks = new Map();
// The undoings of each undone commit in merge order; null while that is to be found anew.
let undoingsOf = null;
const undonePlaces = new WeakMap();
const markedPlaces = new Set();

const hashStart = (commit) => commit.hash.slice(0, 20).toLowerCase();
// A UUID of version 8, whose bytes of version and variant stand between those of the hash.
function undoneHash({ causation }) {
  const digits = causation.replaceAll("-", "").toLowerCase();
  return digits.slice(8, 12) + digits.slice(14, 16) + digits.slice(18);
}
const mergeOrder = (a, b) => a.time - b.time
  || (a.replica === b.replica ? a.sequence - b.sequence : a.replica < b.replica ? -1 : 1);

// The commit that a chain of marks begins at, and whether the last of them undoes or does again.
function rootOf(mark) {
  let undoes = true;
  for (let named = undoings.get(mark.subject); named; named = undoings.get(mark.subject)) {
    mark = named;
    undoes = !undoes;
  }
  return { root: mark.subject, undoes };
}

function foundUndoings() {
  if (undoingsOf) return undoingsOf;
  undoingsOf = new Map();
  for (const mark of [...undoings.values()].sort(mergeOrder)) {
    const { root, undoes } = rootOf(mark);
    if (!undoingsOf.has(root)) undoingsOf.set(root, []);
    undoingsOf.get(root).push({ mark, undoes });
  }
  return undoingsOf;
}

const refillUndone = debounced(50, () => { for (const place of document.querySelectorAll(".undone")) fillUndone(place); });

// Notes what a commit undid. Filters leave events out: those of every answer count.
function learnUndoing(commit) {
  if (!commit.undoing || !commit.counts || !commit.causation) return;
  const hash = hashStart(commit);
  const mark = undoings.get(hash) ?? { subject: undoneHash(commit), position: commit.position, replica: commit.replica,
    sequence: commit.sequence, time: Date.parse(commit.timestamp), entities: new Set() };
  const before = mark.entities.size;
  for (const { id } of commit.events) mark.entities.add(id);
  if (undoings.has(hash) && mark.entities.size === before) return;
  undoings.set(hash, mark);
  undoingsOf = null;
  // Older commits follow in a list: only what is shown already has to change.
  if (markedPlaces.has(mark.subject) || markedPlaces.has(rootOf(mark).root)) refillUndone();
}

// The position of the undoing that stands, for one entity of a commit without a mark; null if there is none.
function undoneAt(hash, works, entity) {
  const last = (root) => {
    const found = foundUndoings().get(root)?.findLast(({ mark }) => mark.entities.has(entity));
    return found?.undoes ? found.mark.position : null;
  };
  const others = [...works].filter(([root, entities]) => root !== hash && !entities.has(entity));
  return last(hash) ?? others.map(([root]) => last(root)).find((position) => position !== null) ?? null;
}

// The position of an undoing that reverts one entity of an undoing.
function revertedAt(own, entity) {
  const { root, undoes } = rootOf(own);
  return foundUndoings().get(root)?.find((other) => other.undoes !== undoes && other.mark.entities.has(entity)
    && mergeOrder(own, other.mark) < 0)?.mark.position ?? null;
}

// By which commit, and whether all that is shown of this one; null if none of it is undone.
function undoneState(commit) {
  const hash = hashStart(commit);
  const own = undoings.get(hash);
  const isRoot = !own && foundUndoings().has(hash);
  if (!own && !isRoot && !undoneWorks.has(commit.correlation)) return null;
  const entities = new Set(commit.events.map(({ id }) => id));
  if (isRoot && commit.correlation) {
    const works = undoneWorks.get(commit.correlation) ?? new Map();
    works.set(hash, new Set([...works.get(hash) ?? [], ...entities]));
    undoneWorks.set(commit.correlation, works);
  }
  const works = undoneWorks.get(commit.correlation) ?? [];
  const found = [...entities].map((entity) => (own ? revertedAt(own, entity) : undoneAt(hash, works, entity)));
  const positions = found.filter((position) => position !== null);
  if (positions.length === 0) return null;
  return { position: Math.max(...positions), isWhole: positions.length === found.length,
    verb: own && rootOf(own).undoes ? "done again" : own ? "undone again" : "undone" };
}

function fillUndone(place) {
  const { commit, hasLink } = undonePlaces.get(place);
  const state = undoneState(commit);
  place.replaceChildren(...state ? [span("chip undoing", (state.isWhole ? "" : "in part ") + state.verb + " by ",
    hasLink ? commitLink(state.position) : "commit " + number(state.position))] : []);
}

// A mark that appears when the page reads of an undoing, also later. Without a link it may stand within a control.
function undoneMark(commit, hasLink = true) {
  learnUndoing(commit);
  const place = span("undone");
  undonePlaces.set(place, { commit, hasLink });
  markedPlaces.add(hashStart(commit));
  fillUndone(place);
  return place;
}

// What undid a commit touched the same entities since: a few of these are looked through.
async function learnUndoingsOf({ events, position }, signal) {
  const some = [...new Set(events.map(({ id }) => id))].slice(0, 3);
  const answers = await Promise.all(some.map((entity) => ask(["audit", "log"], { entity, since: position, limit: 100 }, signal)));
  for (const { rows } of answers) rows.forEach(learnUndoing);
}
