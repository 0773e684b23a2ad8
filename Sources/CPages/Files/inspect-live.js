// New commits as they come, and the live queries that they run.
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
function debounced(milliseconds, run) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => run(...values), milliseconds); };
}

const live = {
  newest: 0, handlers: [], queryHandlers: [],
  on(handler) { this.handlers.push(handler); },
  queries(handler) { this.queryHandlers.push(handler); },
  leave() { this.handlers = []; this.queryHandlers = []; },

  // Renews a view at once after a commit that concerns it; while that runs, further commits make it run once more.
  refresh(isConcerned, run) {
    if (address.asOf) return;
    const { signal } = leaving;
    let isRunning = false;
    let isDue = false;
    const renewView = async (commit) => {
      if (isRunning) { isDue = true; return; }
      isRunning = true;
      try {
        await run(signal);
        say("Updated after commit " + number(commit.position) + (commit.author ? " by " + commit.author : ""));
      } catch (error) {
        if (!isAbort(error)) showState(error.message, true);
      }
      await pause(200);
      isRunning = false;
      if (isDue && !signal.aborted) { isDue = false; renewView(commit); }
    };
    this.on((commit) => { if (isConcerned(commit)) renewView(commit); });
  },
  start,
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
  showState("live, position " + number(row.position));
  const [first] = row.events;
  byId("live-newest").replaceChildren("commit " + number(row.position),
    ...first ? [": " + first.verb + " " + kindWord(first.kind) + " ", quote(first.name)] : []);
  addToLog(timeElement(row.timestamp), " ", commitNumber(row.position), " by ", commitWho(row),
    first && [": ", eventWords(first)], row.events.length > 1 && " and " + (row.events.length - 1) + " more");
  past.grew();
  for (const handler of live.handlers) handler(row);
}

// So many commits came at once that only the position is told, as after an exchange.
function onMany(event) {
  live.newest = JSON.parse(event.data).position;
  showState("live, position " + number(live.newest));
  byId("live-newest").replaceChildren("many commits, up to " + number(live.newest));
  past.grew();
  if (!address.asOf) redraw();
}

function onQuery(event) {
  const ran = JSON.parse(event.data);
  addToLog(span("chip", "query"), " ", quote(ran.query), " ran: ", quote(ran.changed.words), " in ",
    make("code", {}, ran.changed.view), ", key ", make("code", { class: "key" }, ran.changed.key));
  for (const handler of live.queryHandlers) handler(ran);
}

function start(position) {
  live.newest = position;
  const source = new EventSource(pathOf(["live"], { after: String(position) }));
  source.addEventListener("open", () => showState("live, position " + number(live.newest)));
  source.addEventListener("error", () => showState("not connected, trying again", true));
  source.addEventListener("commit", onCommit);
  source.addEventListener("many", onMany);
  source.addEventListener("query", onQuery);
  source.addEventListener("gone", (event) => {
    const report = JSON.parse(event.data);
    source.close();
    showState("the store is gone", true);
    byId("main").prepend(faultElement(new Fault(report.error ?? report)));
  });
}
