// New commits as they come, and the live queries that they run.
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
function debounced(milliseconds, run) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => run(...values), milliseconds); };
}

const mostUnheard = 20;
const mostLags = 10;
// The stream has no changes of commits with more events: they may concern any view.
const mostDetailed = 50;

const live = {
  // The newest position of the log, and the newest that an answer showed.
  newest: 0, shown: 0,
  // Commits that came while the view read what it shows: it hears of them when it is there.
  handlers: [], unheard: [],
  on(handler) { this.handlers.push(handler); },
  leave() { this.handlers = []; this.unheard = []; },
  tell(commit) {
    if (this.handlers.length === 0) this.unheard = [...this.unheard.slice(1 - mostUnheard), commit];
    for (const handler of this.handlers) handler(commit);
  },

  // One stream a page; that of a trip also says when and why the query of the trip ran. A browser keeps six connections to a
  // server for all of its tabs: hidden ones give theirs back, and get what they missed when they are shown.
  source: null, trip: null, isStarted: false,
  start(position) {
    this.newest = position;
    this.isStarted = true;
    this.connect();
  },
  connect() {
    const trip = address.view === "trip" ? address.id : null;
    const isOpen = this.source !== null && this.source.readyState !== EventSource.CLOSED;
    if (!this.isStarted || (isOpen && !document.hidden && this.trip === trip)) return;
    this.source?.close();
    this.source = document.hidden ? null : follow(this.newest, trip);
    this.trip = trip;
  },

  // Renews a view at once after a commit that concerns it; while that runs, further commits make it run once more.
  refresh(isConcerned, run) {
    if (address.asOf) return;
    const { signal } = leaving;
    let isRunning = false;
    let due = null;
    let lags = 0;
    const renewView = async (commit) => {
      if (isRunning) { due = commit; return; }
      isRunning = true;
      try {
        await run(signal);
        const isShown = this.shown >= commit.position;
        if (isShown) say("Updated after commit " + number(commit.position) + (commit.author ? " by " + commit.author : ""));
      } catch (error) {
        if (!isAbort(error)) showState(error.message, true);
      }
      await pause(200);
      isRunning = false;
      // The log may have a commit a moment before the queries show it.
      lags = this.shown < commit.position ? lags + 1 : 0;
      const next = due ?? (lags > 0 && lags < mostLags ? commit : null);
      due = null;
      if (next !== null && !signal.aborted) renewView(next);
    };
    const hear = (commit) => {
      if (commit.isMany || commit.events.length > mostDetailed || isConcerned(commit)) renewView(commit);
    };
    this.on(hear);
    this.unheard.splice(0).forEach(hear);
  },
};

function showState(words, isTrouble = false) {
  byId("state").replaceChildren(make("span", { class: isTrouble ? "dot trouble" : "dot", "aria-hidden": "true" }), words);
}

function addToLog(...content) {
  const list = byId("live-list");
  list.prepend(make("li", {}, ...content));
  while (list.children.length > 100) list.lastChild.remove();
}

function onCommit(event) {
  const row = JSON.parse(event.data);
  if (row.position <= live.newest) return;
  live.newest = row.position;
  know(row.events);
  learnUndoing(row);
  // The first commit of a device that joined since.
  if (row.sequence === 1) asked = null;
  showState("live, position " + number(row.position));
  const [first] = row.events;
  byId("live-newest").replaceChildren("commit " + number(row.position),
    ...first ? [": " + first.verb + " " + kindWord(first.kind) + " ", quote(first.name)] : []);
  addToLog(timeElement(row.timestamp), " ", commitNumber(row.position), " by ", commitWho(row),
    first && [": ", eventWords(first)], row.events.length > 1 && " and " + (row.events.length - 1) + " more");
  past.grew();
  live.tell(row);
}

// So many commits came at once that only the position is told, as after an exchange.
function onMany(event) {
  live.newest = JSON.parse(event.data).position;
  showState("live, position " + number(live.newest));
  byId("live-newest").replaceChildren("many commits, up to " + number(live.newest));
  asked = null;
  past.grew();
  live.tell({ position: live.newest, events: [], isMany: true });
}

function onQuery(event) {
  const ran = JSON.parse(event.data);
  addToLog(span("chip", "query"), " ", quote(ran.query), " ran: ", quote(ran.changed.words), " in ",
    make("code", {}, ran.changed.view), ", key ", make("code", { class: "key" }, ran.changed.key));
}

function follow(position, trip) {
  const source = new EventSource(pathOf(["live"], { after: String(position), trip }));
  source.addEventListener("open", () => showState("live, position " + number(live.newest)));
  // An answer that is a refusal ends it for good: another program took the port, which this page has no cookie for.
  source.addEventListener("error", () => showState(source.readyState === EventSource.CLOSED
    ? "not connected: open what tripstore inspect printed last" : "not connected, trying again", true));
  source.addEventListener("commit", onCommit);
  source.addEventListener("many", onMany);
  source.addEventListener("query", onQuery);
  source.addEventListener("gone", (event) => {
    const report = JSON.parse(event.data);
    source.close();
    showState("the store is gone", true);
    byId("main").prepend(faultElement(new Fault(report.error ?? report)));
  });
  return source;
}
