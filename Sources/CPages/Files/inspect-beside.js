// What stands beside an agenda: conflicts, what cannot work, costs, travellers, files and checklists.
function conflictsPart(conflicts, id) {
  const side = (name, { value, timestamp, ...who }, field) => pair("change", name, valueElement(value, field),
    span("line soft", whoWords(who), ", ", timeElement(timestamp)));
  const conflictElement = ({ kind, entity, name, field, winner, superseded }) => [
    para(null, entityLink(kind, entity, name), ": ", fieldWord(field)),
    make("dl", { class: "changes" }, side("stands", winner, field), side("superseded", superseded, field)),
  ];
  return conflicts.length > 0 && part("conflicts", conflicts, () => make("section", { class: "panel warned" },
    make("h2", {}, link("conflicts", null, { under: id }, counted(conflicts.length, "open conflict"))),
    bullets(conflicts, conflictElement)));
}

const problemWords = {
  overlap: "overlap", noBed: "a night without a bed", missedConnection: "a connection that is missed",
  outsideOfTrip: "outside of the trip's days",
};
const findingsPart = ({ findings }) => findings.length > 0 && part("findings", findings, () => panel("Cannot work",
  bullets(findings, ({ problem, items, firstDay, lastDay }) => [
    make("strong", {}, problemWords[problem] ?? problem), " ", daysText(firstDay, lastDay),
    span("line", items.map(({ kind, id, name }, index) => [index > 0 && ", ", entityLink(kind, id, name)])),
  ])));

const plural = { activity: "activities", lodging: "lodgings", transportation: "transports" };

// A row of the sums: what counts of the costs, and what of it is paid.
const sumRow = (name, { cost, paid }, className = null) => make("tr", { class: className },
  make("th", { scope: "row" }, name), make("td", {}, moneyText(cost)), make("td", {}, moneyText(paid)));

function sumsElement({ totals, byKind, byTraveller }) {
  const groupRows = (title, groups) => groups.length > 1 && [
    make("tr", {}, make("th", { colspan: "3", scope: "rowgroup", class: "group" }, title)),
    groups.map(({ name, totals }) => totals.map((one) => sumRow(name ? quote(plural[name] ?? name) : nothing("nobody"), one))),
  ];
  const column = (title) => make("th", { scope: "col" }, title);
  return make("table", { class: "sums" },
    make("thead", {}, make("tr", {}, make("td", {}), column("Cost"), column("Paid"))),
    make("tbody", {}, totals.map((one) => sumRow(counted(one.itemCount, "item"), one, "sum")),
      groupRows("By kind", byKind), groupRows("By traveller", byTraveller)));
}

function totalsPart({ totals, budgets, doubts }) {
  if (!totals || totals.totals.length === 0) return null;
  const budgetLine = ({ category, budgeted, left }) => span("line", quote(plural[category] ?? (category || "all")), " ",
    moneyText(budgeted), ", ", span(left.minor < 0 ? "warn" : "soft", moneyText(left), " left"));
  const paymentLine = ({ from, to, amount }) => span("line", nameOf(from), " → ", nameOf(to), " ", moneyText(amount));
  return part("totals", [totals, budgets, doubts], () => panel("Costs", sumsElement(totals),
    budgets.length > 0 && para(null, make("strong", {}, "Budgets"), budgets.map(budgetLine)),
    totals.payments.length > 0 && para(null, make("strong", {}, "Settled by"), totals.payments.map(paymentLine)),
    doubts.map(({ kind, id, name, problem }) => para("warn", entityLink(kind, id, name), ": ", problem))));
}

const travellersPart = ({ travellers }) => travellers.length > 0 && part("travellers", travellers,
  () => panel("Travellers", bullets(travellers, ({ kind, id, name }) => entityLink(kind, id, name))));

function bytesText(bytes) {
  if (bytes === null) return "no bytes";
  const step = bytes < 1000 ? 0 : bytes < 1e6 ? 1 : 2;
  return (bytes / 1000 ** step).toLocaleString("en-GB", { maximumSignificantDigits: 3 }) + " " + ["B", "kB", "MB"][step];
}
const filesPart = (attachments) => attachments.length > 0 && part("files", attachments, () => panel("Files",
  bullets(attachments, ({ attachment, name, bytes, state, caption }) => [
    entityLink("attachment", attachment, name), " ", span("soft", bytesText(bytes)), " ",
    state !== "here" && span("chip warn", state), caption && span("line soft", quote(caption)),
  ])));

const entryLine = ({ kind, id, name, fields }) => [
  make("span", { "aria-hidden": "true" }, fields.isDone ? "☑ " : "☐ "),
  span("unseen", fields.isDone ? "done: " : "open: "), entityLink(kind, id, name),
];
const checklistsPart = ({ checklists }) => checklists.length > 0 && part("checklists", checklists, () => panel("Checklists",
  checklists.map(({ list, entries }) => [make("h3", {}, entityLink(list.kind, list.id, list.name)), bullets(entries, entryLine)])));
