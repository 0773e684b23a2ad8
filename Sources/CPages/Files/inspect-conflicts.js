// Conflicts: what two wrote without seeing each other, side by side, and what is deleted. With --write either is put right here.

const deletedAtMost = 200;

views.conflicts = {
  title: "Conflicts", key: "c",
  async draw(main, address, signal) {
    const all = address.parameters.has("all");
    const [{ rows: conflicts }] = await Promise.all([ask(["audit", "conflicts"], { all }, signal), deviceNames()]);
    if (signal.aborted) return;
    const open = conflicts.filter((conflict) => conflict.open).length;
    const list = make("ol", { class: "plain conflicts" });
    const words = open === 0 ? "No conflict is open. " : counted(open, "conflict") + (open === 1 ? " is" : " are")
      + " open: two wrote without seeing each other, and one value stands. ";
    append(main, make("h1", {}, "Conflicts"), make("p", { class: "lead" }, words, all
      ? link("conflicts", null, {}, "Only open ones") : link("conflicts", null, { all: "yes" }, "Also resolved ones")),
    conflicts.length > 0 && portions(list, conflicts, conflictElement, "conflict"));

    const deleted = make("section", { "aria-labelledby": "deleted-title" }, make("h2", { id: "deleted-title" }, "Deleted"));
    main.append(deleted);
    await showDeleted(deleted, signal);

    // What is typed or read here stays: what came since is only announced.
    const news = make("p", { class: "notice", hidden: true }, "Other conflicts came since. ", button("Show them", redraw));
    main.children[1].after(news);
    const shown = new Set(conflicts.map(({ id }) => id));
    live.on(debounced(200, async () => {
      if (signal.aborted) return;
      let rows;
      // The view says what it could not read; this only offers to read anew.
      try { ({ rows } = await ask(["audit", "conflicts"], { all }, signal)); } catch { return; }
      news.hidden = rows.every(({ id }) => shown.has(id));
      if (!news.hidden) say("Other conflicts came since.");
    }));
  },
};

const isDeletion = (conflict) => conflict.subject !== "field";

function conflictElement(conflict) {
  const name = nameOrID({ ...conflict, id: conflict.entity });
  const outcome = make("div", { class: "outcome", tabindex: "-1" });
  const question = conflictQuestion(conflict);
  return make("li", { "data-row": conflict.id }, make("article", { class: "conflict", "aria-label": name + ", " + question },
    make("h2", {}, entityLink(conflict.kind, conflict.entity, conflict.name), " ",
      make("span", { class: "soft" }, kindWord(conflict.kind)), !conflict.open && [" ", make("span", { class: "chip" }, "resolved")]),
    make("p", { class: "conflict-field" }, question),
    make("div", { class: "sides" }, sideElement(conflict, "winner", outcome), sideElement(conflict, "superseded", outcome)),
    mayWrite && conflict.open && otherValueForm(conflict, outcome), outcome));
}

function conflictQuestion(conflict) {
  if (conflict.subject === "deletion") return "Edited here (" + conflict.field + "), and deleted there";
  if (conflict.subject === "parentDeletion") return "Put under what was deleted there";
  return fieldWord(conflict.field);
}

function sideAction(conflict, stands, deletes) {
  if (!isDeletion(conflict)) return stands ? "Keep this" : "Take this";
  if (deletes) return stands ? "Leave deleted" : "Delete again";
  return stands ? "Leave it" : "Restore";
}

function sideElement(conflict, side, outcome) {
  const { value, ...origin } = conflict[side];
  const stands = side === "winner";
  const deletes = isDeletion(conflict) && value === true;
  const field = conflict.field.split(", ")[0];
  return make("section", { class: "side " + side, "aria-label": stands ? "The value that stands" : "The superseded value" },
    make("h3", {}, stands ? (conflict.open ? "Stands" : "Stood") : "Superseded, unseen"),
    make("p", { class: "value" }, deletes ? make("em", {}, "deleted")
      : [isDeletion(conflict) && make("span", { class: "soft" }, fieldWord(field) + " "), valueElement(value, field)]),
    make("p", { class: "soft" }, commitWho(origin), ", ", timeElement(origin.written), ", ", commitLink(origin.position)),
    mayWrite && conflict.open && button(sideAction(conflict, stands, deletes), (event) =>
      resolve(conflict, { take: side }, event.currentTarget, outcome)));
}

// What can be typed as one value: addresses and links have parts, which the edit of the item has.
function valueHint(conflict) {
  const values = [conflict.winner.value, conflict.superseded.value];
  if (isDeletion(conflict) || values.some((value) => Array.isArray(value))) return null;
  if (values.every((value) => value === null || typeof value !== "object")) return "";
  if (values.some((value) => value?.currency !== undefined)) return "as 12.50 EUR";
  return values.some((value) => value?.zone !== undefined) ? "as 2027-05-01T10:00 Europe/Lisbon" : null;
}

function otherValueForm(conflict, outcome) {
  const placeholder = valueHint(conflict);
  if (placeholder === null) return null;
  const write = make("button", { class: "quiet" }, "Write this");
  const form = make("form", { class: "other", autocomplete: "off" }, make("label", {}, "Another value",
    make("input", { name: "value", required: true, placeholder })), write);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    resolve(conflict, { value: form.elements.value.value }, write, outcome);
  });
  return form;
}

// Resolves a conflict at once: the history keeps both, and the outcome has an undo.
async function resolve(conflict, choice, pressed, outcome) {
  const article = outcome.parentElement;
  const controls = article.querySelectorAll(".side > button, .other :is(button, input)");
  for (const control of controls) control.disabled = true;
  try {
    const receipt = (await send(["resolve", conflict.id], choice)).rows[0];
    const stands = choice.take ? valueElement(conflict[choice.take].value, conflict.field) : quote(choice.value);
    const content = make("span", {}, make("strong", {}, "Resolved: "),
      isDeletion(conflict) ? (conflict[choice.take].value === true ? "it is deleted" : "it is there") : [stands, " stands now"]);
    for (const control of controls) control.remove();
    article.querySelector(".other")?.remove();
    article.querySelector(".winner h3").textContent = "Stood before";
    showWritten(outcome, content.textContent, content, receipt);
  } catch (fault) {
    for (const control of controls) control.disabled = false;
    outcome.replaceChildren(faultElement(fault));
    pressed.focus();
  }
}

// Deleted entities, the last deleted first.
async function showDeleted(section, signal) {
  const rows = (await ask(["list"], { deleted: true, limit: deletedAtMost }, signal)).rows;
  if (signal.aborted) return;
  if (rows.length === 0) return section.append(make("p", { class: "soft" }, "Nothing is deleted."));
  const outcome = make("div", { class: "outcome", tabindex: "-1" });
  section.append(outcome, portions(make("ul", { class: "plain deleted" }), rows, (row) => deletedElement(row, outcome), "deletion"));
  if (rows.length === deletedAtMost) section.append(make("p", { class: "soft" }, "These were deleted last; there may be more."));
}

const nameOrID = ({ kind, id, name }) => name || kindWord(kind) + " " + id.slice(0, 8);

function deletedElement(row, outcome) {
  const restore = mayWrite && button("Restore…", () => restoreEntity(row, item, outcome),
    { "aria-label": "Restore… " + nameOrID(row) });
  const item = make("li", { "data-row": row.id },
    make("span", {}, make("strong", {}, quote(nameOrID(row))), " ", row.name && make("span", { class: "soft" }, kindWord(row.kind))),
    make("span", { class: "soft" }, "deleted ", timeElement(row.deletedAt)),
    make("span", { class: "acts" }, link("item", row.id, null, "Its history"), restore));
  return item;
}

async function restoreEntity(row, item, outcome) {
  const named = nameOrID(row);
  const receipt = await confirmed({
    title: "Restore it?", verb: "Restore",
    async preview() {
      const plan = (await send(["restore", row.id], { "dry-run": true })).rows[0];
      const others = plan.followers > 0 ? ", with " + counted(plan.followers, "other") + " that were hidden with it" : "";
      return { content: [make("p", {}, quote(named), " comes back", others, ".")], isPossible: plan.entities.length > 0 };
    },
    run: async () => (await send(["restore", row.id])).rows[0],
  });
  if (!receipt) return;
  item.remove();
  showWritten(outcome, "Restored " + named, [make("strong", {}, "Restored "), entityLink(row.kind, row.id, row.name)], receipt);
}

// What was written, by which commit, and a way back.
function showWritten(place, words, content, { changed, position }) {
  showOutcome(place, words, [make("p", {}, content, changed && [", by ", commitLink(position)], "."),
    changed && make("p", {}, button("Undo this…", () => undoCommit(position, place)))]);
}
