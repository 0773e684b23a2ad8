const cells = new Map();
for (const commit of commits) {
  const key = commit.day + "/" + commit.replica.index;
  const cell = cells.get(key) ?? { day: commit.day, replica: commit.replica, commits: 0, events: 0 };
  cell.commits += 1;
  cell.events += commit.count;
  cells.set(key, cell);
}
const tallest = Math.max(1, ...[...cells.values()].map((cell) => cell.events));
const months = new Map();
for (const cell of cells.values()) {
  const month = dayText(cell.day).slice(0, 7);
  if (!months.has(month)) months.set(month, []);
  months.get(month).push(cell);
}
const monthKeys = [...months.keys()].sort().reverse();
let monthsShown = 0;

const byLabel = [...replicas].sort((a, b) => a.title.localeCompare(b.title, "en"));

const cellText = (cell) => dayText(cell.day) + ", " + cell.replica.title + ": "
  + counted(cell.commits, "commit") + ", " + counted(cell.events, "event");

function barElement(cell, choose) {
  const fill = make("span");
  fill.style.height = Math.max(2, Math.round(40 * Math.sqrt(cell.events / tallest))) + "px";
  const bar = make("button", {
    type: "button", class: "bar", tabindex: "-1", "aria-pressed": "false", "aria-label": cellText(cell),
    "data-cell": cell.day + "/" + cell.replica.index,
  }, fill);
  const read = () => { byId("readout").textContent = cellText(cell); };
  bar.addEventListener("focus", read);
  bar.addEventListener("pointerenter", read);
  bar.addEventListener("click", () => choose(cell));
  return bar;
}

function monthElement(month, choose) {
  const begin = Date.parse(month + "-01T00:00:00Z");
  const firstDay = begin / dayLength;
  const next = new Date(begin);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const length = Math.round((next.getTime() - begin) / dayLength);
  const head = make("tr", {}, make("th", { scope: "col", "aria-label": "Replica" }));
  for (let day = 1; day <= 31; day += 1) {
    const isMarked = day === 1 || (day % 5 === 0 && day <= length);
    head.append(make("th", { scope: "col", "aria-label": day <= length ? String(day) : "" },
      make("span", { "aria-hidden": "true" }, isMarked ? String(day) : "")));
  }
  head.append(make("th", { scope: "col", "aria-label": "Total" }));
  const body = make("tbody");
  const inMonth = new Map(months.get(month).map((cell) => [cell.day + "/" + cell.replica.index, cell]));
  for (const replica of byLabel) {
    const own = [...inMonth.values()].filter((cell) => cell.replica === replica);
    if (own.length === 0) continue;
    const row = make("tr", {}, make("th", { scope: "row", title: replica.id }, quote(replica.label)));
    for (let day = 0; day < 31; day += 1) {
      const cell = inMonth.get(firstDay + day + "/" + replica.index);
      row.append(make("td", {}, cell ? barElement(cell, choose) : null));
    }
    const total = own.reduce((sum, cell) => sum + cell.events, 0);
    row.append(make("td", { class: "total" }, counted(total, "event")));
    body.append(row);
  }
  return make("table", { class: "month" }, make("caption", {}, monthName.format(begin)), make("thead", {}, head),
    body);
}

function showMonths(count, choose) {
  const shown = monthKeys.slice(monthsShown, monthsShown + count);
  byId("timeline").append(...shown.map((month) => monthElement(month, choose)));
  monthsShown += shown.length;
  const left = monthKeys.length - monthsShown;
  byId("earlier").hidden = left === 0;
  byId("earlier").textContent = "Show earlier: " + counted(left, "month") + " left";
  const bars = [...document.querySelectorAll(".bar")];
  if (!bars.some((bar) => bar.tabIndex === 0) && bars.length > 0) bars[0].tabIndex = 0;
}

// One bar can be reached with the tab key; the arrow keys go from there.
function moveAmongBars(key) {
  const bars = [...document.querySelectorAll(".bar")];
  const from = bars.indexOf(document.activeElement);
  if (from < 0) return false;
  const steps = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: bars.length - 1 };
  let to = steps[key];
  if (key === "ArrowUp" || key === "ArrowDown") {
    const row = bars[from].closest("tr");
    to = key === "ArrowDown" ? bars.findIndex((bar, index) => index > from && bar.closest("tr") !== row)
      : bars.findLastIndex((bar, index) => index < from && bar.closest("tr") !== row);
  }
  if (to === undefined) return false;
  if (!bars[to]) return true;
  bars[from].tabIndex = -1;
  bars[to].tabIndex = 0;
  bars[to].focus();
  return true;
}

function markBars(day, replica) {
  for (const bar of document.querySelectorAll(".bar")) {
    bar.setAttribute("aria-pressed", String(day !== "" && bar.dataset.cell === day + "/" + replica));
  }
}
