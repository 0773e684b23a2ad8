"use strict";
const byId = (id) => document.getElementById(id);
const mayWrite = document.documentElement.dataset.write === "yes";

// Elements. Text of the store reaches the page only as text nodes and attributes, never as markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined
    && child !== false));
  return element;
}
const span = (className, ...children) => make("span", { class: className }, ...children);
const para = (className, ...children) => make("p", { class: className }, ...children);
const nothing = (words = "nothing") => make("span", { class: "none" }, words);
// Names come from people: their direction of writing must not spill over what stands beside them.
const quote = (text) => (text === "" || text === null || text === undefined ? nothing() : make("bdi", {},
  String(text)));
// For titles and labels, which have no elements: marks of the Unicode standard do the same.
const isolated = (text) => (text ? "\u2068" + text + "\u2069" : "");
const button = (text, onclick, attributes = {}) => make("button", { type: "button", class: "quiet", onclick,
  ...attributes }, text);

// The interface.
class Fault extends Error {
  constructor({ code, message, hint = null, position = null }, status = 0) {
    super(message);
    Object.assign(this, { code, hint, position, status });
  }
}
// The commands that can answer as of a moment.
const pastCommands = new Set(["trips", "list", "show", "find", "agenda", "totals"]);

function pathOf(path, parameters) {
  const words = [];
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      if (one === null || one === undefined || one === false || one === "") continue;
      words.push(encodeURIComponent(name) + (one === true ? "" : "=" + encodeURIComponent(one)));
    }
  }
  return "api/1/" + path.map(encodeURIComponent).join("/") + (words.length > 0 ? "?" + words.join("&") : "");
}

async function exchange(method, path, parameters, signal) {
  let response, answer;
  const target = pathOf(path, parameters);
  // Servers of the web take no longer ones.
  if (target.length > 60000) throw new Fault({ code: "tooLong", message: "The question is too long.", hint: "Ask with fewer words." });
  try {
    response = await fetch(target, { method, signal, cache: "no-store" });
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Fault({ code: "unreachable", message: "The program that serves this page does not answer.",
      hint: "It ends after an hour of rest, and with Ctrl-C. Start tripstore inspect again, and open what it prints." });
  }
  if (answer.error) throw new Fault(answer.error, response.status);
  if (!response.ok) throw new Fault({ code: "failed", message: "The program answered with " + response.status + "." },
    response.status);
  live.shown = Math.max(live.shown, answer.position ?? 0);
  return answer;
}

function ask(path, parameters = {}, signal = undefined) {
  const moment = address.asOf && pastCommands.has(path[0]) ? { "as-of": address.asOf } : {};
  return exchange("GET", path, { ...moment, ...parameters }, signal);
}
const send = (path, parameters = {}) => exchange("POST", path, parameters);
const isAbort = (error) => error.name === "AbortError";

// The address: #VIEW/ID?PARAMETERS, with as-of in any of them, so that every state has one.
const views = {};
const address = { view: "now", id: null, parameters: new URLSearchParams(), asOf: null };

function decoded(word) {
  try { return decodeURIComponent(word); } catch { return word; }
}

function readAddress() {
  const [path, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const [view, ...rest] = path.split("/").map(decoded);
  const parameters = new URLSearchParams(query);
  const asOf = parameters.get("as-of");
  parameters.delete("as-of");
  return { view: view || "now", id: rest.length > 0 ? rest.join("/") : null, parameters, asOf };
}

function addressText(view, id = null, parameters = {}, asOf = address.asOf) {
  const query = new URLSearchParams(parameters);
  const without = new Set(["", "null", "undefined"]);
  for (const [name, value] of [...query]) if (without.has(value)) query.delete(name);
  if (asOf) query.set("as-of", asOf);
  const text = query.toString();
  return "#" + view + (id === null ? "" : "/" + encodeURIComponent(id)) + (text === "" ? "" : "?" + text);
}
const go = (view, id = null, parameters = {}) => { location.hash = addressText(view, id, parameters); };
function link(view, id, parameters, ...children) {
  return make("a", { href: addressText(view, id, parameters ?? {}) }, ...children);
}
// Another state of the view that is shown, without drawing it anew and without an entry in the history.
function keepInAddress(parameters) {
  history.replaceState(history.state, "", addressText(address.view, address.id, parameters));
  address.parameters = readAddress().parameters;
}

// Drawing. What was shown stays until the next view has something to show, or for a moment, so that nothing flickers.
let leaving = new AbortController();
const scrolls = new Map();
let entry = null;

async function route() {
  if (entry !== null) scrolls.set(entry, scrollY);
  const isFirst = entry === null;
  const before = addressText(address.view, address.id, address.parameters, null);
  const isTraversal = history.state?.entry !== undefined;
  entry = history.state?.entry ?? String(Math.random());
  history.replaceState({ entry }, "");
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  live.leave();
  Object.assign(address, readAddress());
  live.connect();
  // Only the moment differs: focus and place stay.
  const isSame = !isFirst && before === addressText(address.view, address.id, address.parameters, null);
  const view = views[address.view] ?? { title: "Not here", draw: drawUnknown };
  showFrame(view);
  const stage = make("div", { class: "view view-" + address.view });
  const put = () => {
    if (signal.aborted || stage.isConnected) return;
    const at = scrollY;
    const takesFocus = byId("main").contains(document.activeElement);
    byId("main").replaceChildren(stage);
    byId("main").removeAttribute("aria-busy");
    if (!isFirst && (!isSame || takesFocus)) byId("main").focus({ preventScroll: true });
    scrollTo(0, isSame ? at : isTraversal ? scrolls.get(entry) ?? 0 : 0);
  };
  byId("main").setAttribute("aria-busy", "true");
  const stopBusy = busy(stage, address.asOf ? "Building the store as it was then…" : "Reading…");
  // A moment of the past takes longer: what was shown stays, dimmed.
  const timer = setTimeout(put, address.asOf ? 800 : 120);
  try {
    await view.draw(stage, address, signal);
  } catch (error) {
    if (isAbort(error)) return;
    if (!(error instanceof Fault)) console.error(error);
    stage.append(stage.querySelector("h1") ? "" : make("h1", {}, view.title), faultElement(error));
  } finally {
    stopBusy();
    clearTimeout(timer);
  }
  put();
}

const redraw = () => route();

function drawUnknown(main) {
  main.append(make("h1", {}, "There is no such view"),
    para(null, "This page has no view called ", quote(address.view), ". ", link("now", null, {}, "All trips")));
}

function showFrame(view) {
  document.title = view.title + " · " + isolated(document.documentElement.dataset.store);
  const shown = Object.entries(views).filter(([, { hidden }]) => !hidden);
  byId("views").replaceChildren(...shown.map(([name, { title }]) => {
    const anchor = link(name, null, {}, title);
    if (name === address.view) anchor.setAttribute("aria-current", "page");
    else if (name === view.under) anchor.setAttribute("aria-current", "true");
    return anchor;
  }));
  past.show();
}

// Words for people.
function say(text) {
  byId("said").textContent = "";
  setTimeout(() => { byId("said").textContent = text; }, 50);
}

// Shown only after 150 ms; the function that comes back takes it away.
function busy(main, text) {
  const element = make("p", { class: "busy" }, text);
  const timer = setTimeout(() => main.append(element), 150);
  return () => { clearTimeout(timer); element.remove(); };
}

function faultElement(fault, question = null) {
  const parts = [para(null, make("strong", {}, fault.message || String(fault)))];
  if (question !== null && fault.position !== null && fault.position !== undefined) {
    // Positions count characters as the grammar does, which are Unicode scalars.
    const scalars = [...question];
    const wrong = scalars[fault.position] ?? " ";
    parts.push(para("question", scalars.slice(0, fault.position).join(""),
      make("mark", { title: "character " + (fault.position + 1) }, wrong === " " ? "\u00a0" : wrong),
      scalars.slice(fault.position + 1).join("")));
  }
  if (fault.hint) parts.push(para("soft", fault.hint));
  return make("div", { class: "fault", role: "alert" }, ...parts);
}

// Keys: one letter, or "g" and a letter. None works while typing.
const keys = { all: new Map(), prefix: "", add(key, words, run) { this.all.set(key, { words, run }); } };
const typed = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select";
const isTyping = (element) => element instanceof Element && element.closest(typed) !== null;

function moveInList(step) {
  const rows = [...byId("main").querySelectorAll("[data-row]")];
  let at = rows.indexOf(document.activeElement.closest("[data-row]"));
  if (at < 0) at = rows.findIndex((row) => row.getBoundingClientRect().bottom > 120);
  else do at += step; while (rows[at]?.closest("[hidden], details:not([open]) > :not(summary)"));
  const row = rows[at];
  row?.querySelector("a, summary, button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === "Escape" && isTyping(event.target)) return event.target.blur();
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (event.target.matches?.("input[type=range]") && event.key.startsWith("Arrow")) return;
  const isInRow = event.target.closest?.("[data-row]");
  const key = keys.prefix + event.key;
  const found = keys.all.get(key) ?? (isInRow ? keys.all.get({ ArrowDown: "j", ArrowUp: "k" }[event.key]) : undefined);
  keys.prefix = event.key === "g" && keys.prefix === "" ? "g " : "";
  if (!found) return;
  event.preventDefault();
  found.run();
}

function showHelp() {
  const others = [["Enter", { words: "Open what is chosen" }], ["Esc", { words: "Leave a field, close this" }]];
  const keyElement = (key) => key.split(" ").map((one, index) => [index > 0 && " then ", make("kbd", {}, one)]);
  byId("help-keys").replaceChildren(...[...keys.all, ...others].map(([key, { words }]) => pair(null, keyElement(key), words)));
  byId("help").showModal();
}
keys.add("?", "Show the keys", showHelp);
keys.add("/", "Go to the search", () => byId("main").querySelector("input[type=search]")?.focus());
keys.add("j", "Next in a list, also arrow down", () => moveInList(1));
keys.add("k", "Previous in a list, also arrow up", () => moveInList(-1));
