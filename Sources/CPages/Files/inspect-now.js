// Lists of trips and of what is in them, with search and conditions.
views.now = { title: "Now", key: "n", draw: drawNow };

const queryWords = words("and or not contains between overlaps in is any item");
const control = (label, input, attributes = {}) => make("label", attributes, label, input);

function filterForm(state) {
  const text = (name, attributes) => make("input", { name, value: state[name], spellcheck: "false", ...attributes });
  const kinds = Object.entries(listed).map(([name, { title }]) =>
    make("option", { value: name, selected: name === state.kind }, title));
  return make("form", { class: "filters", autocomplete: "off", role: "search", "aria-label": "Which are listed" },
    control("Kind", make("select", { name: "kind" }, kinds)),
    control("Search", text("find", { type: "search", placeholder: "Words of any text" })),
    control("Condition", text("where", {
      placeholder: "destination = 'Lisbon' and any lodging", list: "where-words", "aria-describedby": "where-fault",
    }), { class: "wide2" }),
    control("Order", text("sort", {
      placeholder: "-endDate", title: "Fields with commas between; - from the last to the first", list: "sort-words",
      "aria-describedby": "where-fault",
    })),
    control("From", text("from", { type: "date" })),
    make("datalist", { id: "where-words" }), make("datalist", { id: "sort-words" }),
    make("div", { id: "where-fault", class: "wide" }));
}

// A browser offers whole values: each is what was typed with the last word completed.
function suggest({ elements }) {
  const { fields } = listed[elements.kind.value];
  const typed = elements.where.value;
  const begun = typed.split(/[\s(]/).at(-1);
  const head = typed.slice(0, typed.length - begun.length);
  const options = (values) => values.map((value) => make("option", { value }));
  byId("where-words").replaceChildren(...options([...fields, ...head === "" ? [] : queryWords].map((word) => head + word + " ")));
  byId("sort-words").replaceChildren(...options(fields.flatMap((field) => [field, "-" + field])));
}

const monthOf = ({ startDate }) => (startDate ? dayText(startDate.slice(0, 7) + "-01", "month") : "Without dates");
const monthHeading = (row, previous) => (previous === null || monthOf(row) !== monthOf(previous) ? monthOf(row) : null);

// A question with a fault is shown in place with the wrong character marked.
async function checkQuestions({ kind, where, sort }, form, signal) {
  const faults = form.querySelector("#where-fault");
  for (const [name, question] of Object.entries({ where, sort })) {
    form.elements[name].removeAttribute("aria-invalid");
    if (!question) continue;
    try {
      await ask(["list", kind], { [name]: question, limit: 1 }, signal);
    } catch (fault) {
      if (isAbort(fault)) throw fault;
      form.elements[name].setAttribute("aria-invalid", "true");
      faults.replaceChildren(faultElement(fault, question));
      return false;
    }
  }
  faults.replaceChildren();
  return true;
}

async function drawNow(main, { parameters }, signal) {
  const stateFrom = (entries) => {
    const state = Object.fromEntries([...entries].filter(([, value]) => value !== ""));
    return { ...state, kind: listed[state.kind] ? state.kind : "trips" };
  };
  let state = stateFrom(parameters);
  let list = null;
  let asking = new AbortController();
  const form = filterForm(state);
  const [title, count, results] = [make("h1"), make("p", { class: "count", role: "status" }), make("div")];
  main.append(make("div", { class: "title" }, title, count), form, results);

  async function countRows() {
    count.textContent = "";
    if (state.find) return;
    const isCurrent = asking.signal;
    const { kind, where } = state;
    const { rows } = await ask(["list", kind], { where, count: true }, AbortSignal.any([signal, isCurrent]));
    if (!isCurrent.aborted) count.textContent = number(rows[0].count) + (where ? " meet the condition" : " in all");
  }
  // The list is replaced only by one that can be shown.
  async function show() {
    asking.abort();
    asking = new AbortController();
    if (!await checkQuestions(state, form, AbortSignal.any([signal, asking.signal]))) return;
    title.textContent = listed[state.kind].title;
    list?.stop();
    const isAsked = state.find || state.where || state.from;
    const ofItems = state.kind === "trips" && state.find
      && [" ", link("now", null, { kind: "items", find: state.find }, "Search what is in trips")];
    list = longList(results, {
      fetch: rowPages(state), row: state.kind === "trips" ? tripRow : otherRow,
      heading: isByDate(state) ? monthHeading : undefined,
      empty: isAsked ? ["Nothing meets this.", ofItems] : "Nothing of this kind has been written yet.",
    });
    countRows().catch(() => {});
    await list.ready;
  }
  const change = debounced(250, () => {
    // The address is that of the next view already.
    if (signal.aborted) return;
    state = stateFrom(new FormData(form));
    keepInAddress({ ...state, kind: state.kind === "trips" ? "" : state.kind });
    show().catch((fault) => { if (!isAbort(fault)) results.prepend(faultElement(fault)); });
  });
  form.addEventListener("input", () => { suggest(form); change(); });
  form.addEventListener("focusin", () => suggest(form));
  form.addEventListener("submit", (event) => { event.preventDefault(); change(); });
  title.textContent = listed[state.kind].title;

  // What trips and lists of items say comes from items as well.
  const isListed = ({ kind }) => kind === listed[state.kind].kind
    || (itemKinds.includes(kind) && ["trips", "items"].includes(state.kind));
  live.refresh(({ events }) => events.some(isListed), async () => {
    await list?.refresh();
    countRows().catch(() => {});
  });
  await show();
}
