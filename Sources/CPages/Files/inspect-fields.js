// Pieces of the pages of trips and of all else: sections, fields with their history, and what differs from now.
const section = (title, ...children) => make("section", {}, make("h2", {}, title), ...children);
const panel = (title, ...children) => make("section", { class: "panel" }, make("h2", {}, title), ...children);
const bullets = (entries, build) => make("ul", { class: "plain" }, entries.map((one) => make("li", {}, build(one))));

// Answers that a page can do without: a moment before its entity was written has none of them.
async function askOrNone(path, parameters, signal) {
  try {
    return (await ask(path, parameters, signal)).rows;
  } catch (fault) {
    if (isAbort(fault) || fault.status === 0) throw fault;
    return [];
  }
}
const sinceThen = (id, signal) => (address.asOf ? askOrNone(["audit", "diff", address.asOf, "now"], { under: id }, signal) : []);
const blameOf = (id, signal) => (address.asOf ? [] : askOrNone(["audit", "blame", id], {}, signal));

// The writes of a field, the newest first. Elements of collections have the field's name and a key.
async function historyOf(id, field, signal) {
  const { rows } = await ask(["audit", "log"], { entity: id, until: address.asOf, limit: 500 }, signal);
  rows.forEach(learnUndoing);
  const isOfField = (change) => change.field === field || change.field.startsWith(field + "[");
  const writes = rows.flatMap((commit) => commit.events.filter((event) => event.id === id)
    .flatMap(({ changes }) => changes.filter(isOfField).map((change) => ({ commit, change }))));
  return { writes, isCut: Boolean(rows.at(-1)?.next) };
}

const whoWords = ({ author, replica }) => quote(author || deviceWord(replica));
const commitNumber = (position) => link("commit", position, {}, "commit " + number(position));

function writeElement({ commit, change: { field, old, new: now, beatenBy } }) {
  return make("li", {},
    para("soft", commitNumber(commit.position), " by ", commitWho(commit), ", ", timeElement(commit.timestamp),
      commit.undoing && " (" + commit.undoing + ")", " ", undoneMark(commit)),
    make("dl", { class: "changes" }, changeElement(field, old, now)),
    beatenBy && para("beaten", "superseded unseen by ", whoWords(beatenBy), ": ", valueElement(beatenBy.value, field), ", ",
      commitNumber(beatenBy.position)));
}

// A value without links and buttons: a summary is a control, and holds no other one.
function plainValue(value, field) {
  const element = span("field-value", valueElement(value, field));
  for (const control of element.querySelectorAll("a, button")) {
    control.replaceWith(...control.matches("a") ? control.childNodes : []);
  }
  return element;
}

// A value that opens who wrote it, when, and what was there before. `since` is what differs from now.
function fieldElement(id, field, value, origin, since) {
  const told = make("div", { class: "blame" });
  const plain = plainValue(value, field);
  if (since) plain.append(span("since-now", " now ", make("ins", {}, plainValue(since.new, field))));
  const whole = span("", valueElement(value, field));
  const summary = make("summary", {},
    make("span", { class: "field-name", title: field }, fieldWord(field)),
    plain,
    origin?.contested && span("chip warn", "superseded another"),
    origin && span("field-who soft", whoWords(origin)));
  const tell = async () => {
    const stopBusy = busy(told, "Reading its history…");
    try {
      // What the summary could not hold: links, and the whole of a long text.
      if (whole.querySelector("a, button")) told.append(para(null, whole));
      const { writes, isCut } = await historyOf(id, field, leaving.signal);
      if (writes.length === 0 && !isCut) told.append(para("soft", "No commit that is held wrote it."));
      else told.append(make("ol", { class: "plain writes", "aria-label": "Who wrote it, the newest first" }, writes.map(writeElement)));
      if (isCut) told.append(para("soft", "Older writes are in ", link("who", null, { under: id }, "the timeline"), "."));
    } catch (fault) { if (!isAbort(fault)) told.append(faultElement(fault)); }
    stopBusy();
  };
  return make("details", {
    "data-key": id + field, "data-row": true, class: "field",
    ontoggle: ({ target }) => { if (target.open && !told.hasChildNodes()) tell(); },
  }, summary, told);
}

const notFields = new Set(words("id kind createdAt updatedAt itemCount own fields parent contested status rank"));
const isCleared = (value) => value === null || value === undefined || value === "" || value === false
  || (typeof value === "object" && Object.keys(value).length === 0);

// The fields of an entity as an answer has it, which does not say who wrote them.
function fieldsOf(entity) {
  const all = { ...entity, ...entity.fields, ...entity.own };
  return Object.entries(all).filter(([name, value]) => !notFields.has(name) && !isCleared(value)
    && !(name === "cost" && Array.isArray(value))).map(([field, value]) => ({ field, value }));
}

function fieldsPart(entity, blame, since) {
  const changed = new Map((since.find(({ id }) => id === entity.id)?.fields ?? []).map((one) => [one.field, one]));
  const set = blame ? blame.fields : fieldsOf(entity);
  const cleared = [...changed.keys()].filter((name) => !set.some(({ field }) => field === name))
    .map((field) => ({ field, value: null }));
  return part("fields", [set, [...changed]], () => section("Fields",
    para("hint", "A value opens who wrote it, when, and what was there before."),
    make("div", { class: "fields" }, [...set, ...cleared].map((one) => fieldElement(entity.id, one.field, one.value,
      one.author === undefined ? null : one, changed.get(one.field))))));
}

// What differs between then and now.
const fateWords = { created: "written since", changed: "changed since", deleted: "deleted since", restored: "restored since" };
const fateChip = (fate) => span("chip fate " + fate, fateWords[fate] ?? fate);
const mostFields = 12;

function differenceElement({ kind, id, name, fate, fields }) {
  const isNew = fate === "created";
  // Entities that were written since have a page only as of now.
  const page = addressText(kind === "trip" ? "trip" : "item", id, {}, isNew ? null : address.asOf);
  const told = fate === "deleted" ? [] : fields.filter(({ field }) => !isNew || field !== "name");
  return make("div", { class: "difference" },
    para(null, make("a", { href: page }, name ? quote(name) : kindWord(kind) + " " + id.slice(0, 8)), " ",
      span("soft", kindWord(kind)), " ", fateChip(fate)),
    told.length > 0 && make("dl", { class: isNew ? "changes first" : "changes" },
      told.slice(0, mostFields).map(({ field, old, new: now }) => changeElement(field, old, now))),
    told.length > mostFields && para("soft", "and " + counted(told.length - mostFields, "more field", "more fields")));
}
const sincePart = (since) => since.length > 0 && part("since", since, () => panel("Since then",
  bullets(since.slice(0, 50), differenceElement),
  since.length > 50 && para(null, link("then", null, {}, "All " + number(since.length)))));
