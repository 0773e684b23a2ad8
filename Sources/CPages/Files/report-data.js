const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { strings, store } = data;
const dayLength = 86400000;

const replicas = data.replicas.map(([id, device], index) => {
  const label = strings[device] || id.slice(0, 8);
  return { index, id, label, title: strings[device] ? strings[device] + " (" + id.slice(0, 8) + ")" : id };
});
const entities = data.entities.map(([kind, id, name, ...trips], index) => ({
  index, kind: strings[kind], id, name: strings[name], trips, events: [],
}));
const entityById = new Map(entities.map((entity) => [entity.id, entity]));
const label = (entity) => entity.name || entity.kind + " " + entity.id.slice(0, 8);

// The log is one row of numbers: a commit's head, then its events, then their changes as triples.
const commits = [];
const events = [];
const log = data.log;
for (let at = 0; at < log.length;) {
  const commit = {
    position: log[at], replica: replicas[log[at + 1]], sequence: log[at + 2], time: log[at + 3],
    counter: log[at + 4], author: strings[log[at + 5]], authorIndex: log[at + 5], hash: strings[log[at + 6]],
    note: strings[log[at + 7]], noteIndex: log[at + 7], wall: log[at + 8], day: Math.floor(log[at + 3] / dayLength),
    first: events.length, count: log[at + 9], conflicts: 0,
  };
  at += 10;
  for (let number = 0; number < commit.count; number += 1) {
    const event = {
      index: events.length, commit, verb: strings[log[at]], verbIndex: log[at], entity: entities[log[at + 1]],
      from: at + 3, to: at + 3 + 3 * log[at + 2], beaten: null,
    };
    at = event.to;
    event.entity.events.push(event);
    events.push(event);
  }
  commits.push(commit);
}
for (let at = 0; at < data.conflicts.length; at += 7) {
  const [event, change, position, replica, time, author, value] = data.conflicts.slice(at, at + 7);
  const beaten = { position, replica: replicas[replica], time, author, value };
  (events[event].beaten ??= new Map()).set(change, beaten);
  events[event].commit.conflicts += 1;
}
commits.sort((a, b) => b.position - a.position);
const commitAt = new Map(commits.map((commit) => [commit.position, commit]));
// The order of the merge: old and new values follow each other in it.
const byMerge = (a, b) => a.commit.time - b.commit.time || a.commit.counter - b.commit.counter
  || (a.commit.replica.id < b.commit.replica.id ? -1 : a.commit.replica.id > b.commit.replica.id ? 1 : 0)
  || (a.commit.hash < b.commit.hash ? -1 : a.commit.hash > b.commit.hash ? 1 : 0) || a.index - b.index;

const number = (value) => value.toLocaleString("en-US");
const counted = (value, one, many = one + "s") => number(value) + " " + (value === 1 ? one : many);
const dayText = (day) => new Date(day * dayLength).toISOString().slice(0, 10);
const clockText = (time) => new Date(time).toISOString().slice(11, 19);
const timeText = (time) => new Date(time).toISOString().slice(0, 19).replace("T", " ") + " UTC";
const longDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
// Names come from people: their direction of writing must not spill over what stands beside them.
const quote = (text) => make("bdi", {}, text);
const timeElement = (time, text) => make("time", { datetime: new Date(time).toISOString() }, text);
const fact = (name, ...value) => make("div", {}, make("dt", {}, name), make("dd", {}, ...value));

// The head and the foot that all pages have; `facts` are those of a page alone.
function fillHead(facts, rest = "") {
  byId("title").replaceChildren(quote(store.name));
  byId("scope").textContent = store.scope;
  byId("facts").append(fact("Journal", make("code", {}, store.journal)),
    fact("Replica of this copy", make("code", {}, store.replica)), ...facts,
    fact("Generated", timeText(store.generated) + ", up to position " + number(store.position)));
  byId("footer").textContent = "Made by tripstore audit report. Times are in UTC and those of the commits" + rest + ".";
}
