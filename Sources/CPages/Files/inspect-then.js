// The store as it was: a slider through positions that sets as-of for every view, and what differs from now.
views.then = { title: "Then", key: "t", draw: drawThen };
// More commits than this are compared only when a person asks: the difference of a whole log is as long as the store.
const mostCompared = 20000;

const past = {
  asOf: null, position: null, distance: 0, marks: null, work: new AbortController(),
  slider: make("input", { type: "range", min: "1", max: "1", step: "1", "aria-label": "Position in the log" }),
  words: make("output", { class: "past-words", for: "past-slider" }),
  field: make("input", { type: "text", name: "moment", placeholder: "120, 2027-05-01, fri 10:00" }),

  // The parts stay, so that a hand on the slider keeps it while views change under it.
  build() {
    this.slider.id = "past-slider";
    const form = make("form", { class: "past-form", autocomplete: "off" },
      make("label", {}, "Position, day or time ", this.field), make("button", { class: "quiet" }, "Show"),
      button("Back to now", () => this.set(null), { class: "strong" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.set(this.field.value.trim() || null);
    });
    byId("past").append(para("past-title", make("strong", {}, "As of"), " ", this.words), this.slider, form);
    const settle = debounced(180, () => this.set(this.slider.value));
    const tell = debounced(60, () => this.tell(this.slider.value));
    this.slider.addEventListener("input", () => {
      this.words.textContent = "position " + number(this.slider.value);
      tell();
      settle();
    });
  },

  // A moving slider leaves one entry in the history, not one for each position.
  set(asOf) {
    const text = addressText(address.view, address.id, address.parameters, asOf);
    if (address.asOf && asOf) { history.replaceState(history.state, "", text); redraw(); } else location.hash = text;
  },

  // The position and the time of a moment.
  async tell(asOf) {
    this.work.abort();
    this.work = new AbortController();
    try {
      const { commit, newest } = await newestBefore(asOf, this.work.signal);
      this.position = commit?.position ?? 0;
      this.distance = newest - this.position;
      this.words.replaceChildren("position " + number(this.position), ...commit ? [", ", timeElement(commit.timestamp)] : []);
      this.slider.setAttribute("aria-valuetext", this.words.textContent);
      return true;
    } catch (fault) {
      // The view that is drawn says what is wrong with the moment.
      if (!isAbort(fault)) this.words.replaceChildren(quote(asOf));
      return false;
    }
  },

  grew() {
    this.slider.max = String(Math.max(1, live.newest));
    if (document.activeElement === this.slider) return;
    this.slider.value = String(this.asOf ? this.position ?? 1 : live.newest);
  },

  // Called when a view begins to be drawn.
  show() {
    if (!byId("past").hasChildNodes()) this.build();
    byId("past").hidden = !address.asOf && address.view !== "then";
    byId("past").classList.toggle("is-past", address.asOf !== null);
    byId("past").classList.toggle("is-then", address.view === "then");
    if (this.asOf === address.asOf && this.words.hasChildNodes()) return;
    this.asOf = address.asOf;
    this.marks = null;
    known.clear();
    if (document.activeElement !== this.field) this.field.value = address.asOf ?? "";
    if (!address.asOf) {
      this.work.abort();
      this.words.textContent = "now";
      this.grew();
      return;
    }
    const { asOf } = this;
    this.tell(asOf).then((isKnown) => {
      if (!isKnown || asOf !== this.asOf) return;
      this.grew();
      if (this.distance <= mostCompared) this.mark(asOf);
    });
  },

  // Marks in lists what differs from now.
  async mark(asOf) {
    try {
      const { rows } = await ask(["audit", "diff", asOf, "now"], {}, this.work.signal);
      this.marks = new Map(rows.map(({ id, fate }) => [id, fate]));
      for (const place of document.querySelectorAll(".since")) this.fill(place);
    } catch { this.marks = null; }
  },
  since(id) {
    const place = make("span", { class: "since", "data-id": id });
    this.fill(place);
    return place;
  },
  fill(place) {
    const fate = address.asOf ? this.marks?.get(place.dataset.id) : undefined;
    if (fate) place.replaceChildren(fateChip(fate));
  },
};

async function newestBefore(asOf, signal) {
  const { rows, position } = await ask(["audit", "log"], { until: asOf, limit: 1 }, signal);
  return { commit: rows[0] ?? null, newest: position };
}

function differencesElement(rows) {
  const results = make("div");
  const tally = Object.keys(fateWords).map((fate) => [fate, rows.filter((row) => row.fate === fate).length])
    .filter(([, count]) => count > 0).map(([fate, count]) => number(count) + " " + fateWords[fate]);
  results.append(make("p", { class: "count", role: "status" }, tally.join(", ") || "Nothing differs."));
  const fetch = async (cursor) => {
    const end = (cursor ?? 0) + 100;
    return { rows: rows.slice(cursor ?? 0, end), next: end < rows.length ? end : null };
  };
  longList(results, { fetch, row: differenceElement, empty: "The store is as it was then." });
  return results;
}

async function drawThen(main, { asOf }, signal) {
  main.append(make("h1", {}, "Then"));
  if (!asOf) {
    main.append(para("lead", "Move the slider, or name a position, a day or a time. Every view then shows the store as it was, ",
      "until you go back to now."),
    para("soft", "What differs between then and now is listed here, and marked in the lists and on the pages of trips."));
    return;
  }
  const results = make("div");
  main.append(para("lead", "Look at ", link("now", null, {}, "the trips as they were"), ". This is what differs from now:"), results);
  const compare = async () => {
    results.replaceChildren();
    const stopBusy = busy(results, "Comparing then with now…");
    try {
      const { rows } = await ask(["audit", "diff", asOf, "now"], {}, signal);
      know(rows);
      results.replaceChildren(differencesElement(rows));
    } catch (fault) { if (!isAbort(fault)) results.append(faultElement(fault)); } finally { stopBusy(); }
  };
  const { commit, newest } = await newestBefore(asOf, signal);
  const distance = newest - (commit?.position ?? 0);
  if (distance <= mostCompared) await compare();
  else results.append(button("Compare over " + counted(distance, "commit"), compare));
}
