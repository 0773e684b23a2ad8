// Values of the interface in words.
const number = (value) => Number(value).toLocaleString("en-GB");
const counted = (value, one, many = one + "s") => number(value) + " " + (value === 1 ? one : many);
const localTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const utc = { timeZone: "UTC" };
const dayForms = {
  short: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", ...utc }),
  medium: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", ...utc }),
  full: new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric", ...utc }),
  weekday: new Intl.DateTimeFormat("en-GB", { weekday: "short", ...utc }),
  month: new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", ...utc }),
};
const isId = (text) => /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(text);
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text);
const isInstant = (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
const kindNames = { transportation: "transport", entry: "checklist entry", own: "own kind" };
const kindWord = (kind) => kindNames[kind] ?? String(kind).replace(/^own\./, "");

// What the answers said of entities, so that an id elsewhere has a name.
const known = new Map();
function know(...rows) {
  for (const row of rows.flat()) if (row?.id && row.name) known.set(row.id,
    { kind: row.kind ?? "trip", name: row.name });
}

// Years beyond 9999 are days that no calendar of the browser shows: they stay as they are.
function dayText(day, form = "medium") {
  const date = new Date(day + "T00:00:00Z");
  return isDay(day) && !Number.isNaN(date.getTime()) ? dayForms[form].format(date) : String(day);
}
const dayElement = (day, form) => make("time", { datetime: day, title: day }, dayText(day, form));
function daysText(first, last, form = "medium") {
  if (!first) return "no dates";
  if (first === last || !last) return dayText(first, form);
  if (first.slice(0, 7) === last.slice(0, 7) && isDay(first)) return Number(first.slice(8)) + "–" + dayText(last, form);
  return dayText(first, first.slice(0, 4) === last.slice(0, 4) ? "short" : form) + " – " + dayText(last, form);
}

function timeElement(text) {
  const date = new Date(text);
  return make("time", { datetime: text, title: text }, Number.isNaN(date.getTime()) ? text : localTime.format(date));
}
// What clocks show at the place, with its zone.
const clock = (moment) => moment.time.slice(11, 16);
const zoneCity = (zone) => zone.split("/").at(-1).replaceAll("_", " ");
function momentElement(moment, withDay = true, withZone = true) {
  return make("time", { datetime: moment.time, title: moment.time + " " + moment.zone },
    withDay && dayText(moment.time.slice(0, 10)) + ", ", clock(moment), withZone && span("zone", " " + zoneCity(moment.zone)));
}

function moneyText({ currency, minor, exponent }) {
  if (exponent === null) return number(minor) + " of the smallest unit of " + currency;
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  return (minor / 10 ** exponent).toLocaleString("en-GB", digits) + "\u00a0" + currency;
}

function addressElement({ formatted, street, postalCode, city, state, country, latitude, longitude }) {
  const lines = [street, [postalCode, city].filter(Boolean).join(" "), state, country].filter(Boolean);
  const place = latitude === null || latitude === undefined ? "" : latitude.toFixed(4) + ", " + longitude.toFixed(4);
  return make("span", { title: place }, quote(formatted || lines.join(", ") || place));
}

function linkElement({ url, title }) {
  if (!/^https?:\/\//i.test(url)) return quote(title ? title + " (" + url + ")" : url);
  return make("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, quote(title || url));
}

// Trips have a page of their own; all others share one.
const entityLink = (kind, id, name) => link(kind === "trip" ? "trip" : "item", id, {},
  name ? quote(name) : kindWord(kind) + " " + id.slice(0, 8));
const nameOf = (id) => quote(known.get(id)?.name ?? id.slice(0, 8));
const withCommas = (elements) => make("span", {}, elements.map((one, index) => [index > 0 && ", ", one]));

function valueElement(value, field = "") {
  if (value === null || value === undefined || value === "") return nothing();
  if (value === true || value === false) return make("span", {}, value ? "yes" : "no");
  if (typeof value === "number") return make("span", {}, number(value));
  if (typeof value === "string") return textElement(value, field);
  if (Array.isArray(value)) return value.length === 0 ? nothing() : withCommas(value.map((one) => valueElement(one, field)));
  return objectElement(value);
}

function objectElement(value) {
  if ("currency" in value) return span("money", moneyText(value));
  if ("milliseconds" in value) return momentElement(value);
  if ("latitude" in value || "formatted" in value) return addressElement(value);
  if ("url" in value) return linkElement(value);
  if ("phone" in value) return quote([value.name, value.role, value.phone, value.email].filter(Boolean).join(", "));
  if ("base64" in value) return make("span", { class: "soft", title: value.base64 }, "a value that this version cannot read");
  if (value.id) return entityLink(value.kind ?? "organization", value.id, value.name);
  const entries = Object.entries(value);
  if (entries.length === 0) return nothing();
  return withCommas(entries.map(([name, one]) => [isId(name) ? nameOf(name) : quote(name), ": ", valueElement(one)]));
}

const choices = new Set(["paid", "stage", "status", "mode", "split"]);
const longestText = 400;

function textElement(text, field) {
  if (isId(text)) {
    const guess = field === "trip" || field === "organization" ? field : "entity";
    const { kind, name } = known.get(text) ?? { kind: guess, name: "" };
    return entityLink(kind, text, name);
  }
  if (isDay(text)) return dayElement(text);
  if (isInstant(text)) return timeElement(text);
  if (choices.has(field)) return quote(fieldWord(text));
  if (field === "color" && /^#[0-9a-f]{6}$/i.test(text)) {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = text;
    return make("span", {}, swatch, text);
  }
  if (text.length <= longestText) return span("text", quote(text));
  const whole = span("text", quote(text.slice(0, longestText) + "…"));
  whole.append(" ", button("All " + number(text.length) + " characters", () => {
    whole.replaceChildren(quote(text));
    whole.tabIndex = -1;
    whole.focus();
  }));
  return whole;
}

const fieldNames = {
  startDate: "first day", endDate: "last day", isProtected: "protected", originalCreation: "created in its first app",
  customLocationName: "place", hidesLocation: "hides its place", isTemplate: "template", isDone: "done", logoURL: "logo",
};
const fieldWord = (field) => fieldNames[field] ?? field.replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase());

// A term and what is said of it, in a list of these. The roles are those that the elements have by themselves: some
// checkers of pages know them in groups only if they are stated.
const pair = (className, name, ...value) => make("div", { class: className }, make("dt", { role: "term" }, name),
  make("dd", { role: "definition" }, ...value));
const fact = (name, ...value) => pair("fact", name, ...value);

// A field before and after.
function changeElement(field, old, now) {
  const isSet = old !== null && old !== undefined && old !== "";
  return pair("change", fieldWord(field), isSet && [make("del", {}, valueElement(old, field)), span("arrow", " → ")],
    make("ins", {}, valueElement(now, field)));
}

// Devices have names in the first commits of their replicas: views that learn them say so.
const devices = new Map();
const deviceWord = (replica) => devices.get(replica) ?? replica.slice(0, 8);
function commitWho({ author, replica, device }) {
  if (device) devices.set(replica, device);
  return author ? link("who", null, { author }, quote(author)) : link("who", null, { replica }, "device ", quote(deviceWord(replica)));
}

// An event in a few words.
function eventWords({ verb, kind, id, name, changes }) {
  const fields = changes.map(({ field }) => fieldWord(field));
  const some = fields.slice(0, 3).join(", ") + (fields.length > 3 ? " and " + (fields.length - 3) + " more" : "");
  return [span("verb " + verb, verb), " ", entityLink(kind, id, name || known.get(id)?.name),
    verb === "edited" && some !== "" && span("soft", ": " + some)];
}

function commitSummary(commit) {
  const { position, timestamp, events, statements, erased, undoing, counts, ...who } = commit;
  const shown = events.slice(0, 3);
  const without = erased ? "erased" : statements.length > 0 ? "of members: " + statements.map(({ says }) => says).join(", ") : "no events";
  return make("div", { class: "story-row" }, link("commit", position, {}, span("unseen", "commit "), number(position)),
    make("div", {}, shown.map((event) => para(null, eventWords(event))),
      events.length > shown.length && para("soft", "and " + counted(events.length - shown.length, "more event", "more events")),
      events.length === 0 && para("soft", without), undoing && span("chip", undoing), !counts && span("chip warn", "does not count"),
      " ", undoneMark(commit)),
    para("soft story-who", commitWho(who), ", ", timeElement(timestamp)));
}
