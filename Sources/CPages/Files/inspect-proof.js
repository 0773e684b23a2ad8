// Proof: verifies the log, and rebuilds the views to compare them. A run goes on while other views are shown.

const proofs = {
  verify: { title: "The log", start: "Verify the log", result: verificationElement, source: null, percent: null,
    words: "Reads every commit, and checks hashes, signatures, members and order." },
  replay: { title: "The views", start: "Rebuild and compare", result: replayElement, source: null, percent: null,
    words: "Builds every view anew from the log, apart, and compares each with the one that serves." },
};

// The last results outlast a reload of the page, in this tab alone.
const proofKey = (name) => "proof " + name + " " + document.documentElement.dataset.store;
function keptProof(name) {
  try { return JSON.parse(sessionStorage.getItem(proofKey(name))); } catch { return null; }
}
function keepProof(name, kept) {
  proofs[name].last = kept;
  try { sessionStorage.setItem(proofKey(name), JSON.stringify(kept)); } catch { /* Without a place for it the page keeps it. */ }
}

function startProof(name) {
  const proof = proofs[name];
  const source = new EventSource("api/1/progress/" + name);
  Object.assign(proof, { source, percent: null, text: "begins…", fault: null });
  const end = (fault) => {
    source.close();
    Object.assign(proof, { source: null, fault });
    proof.show?.();
    say(fault ? proof.title + ": " + fault.message : proof.title + ": " + proofWords(name, proof.last.answer));
  };
  source.addEventListener("progress", (event) => {
    proof.text = JSON.parse(event.data).text;
    const percent = /(\d+(?:\.\d+)?)\s*%/.exec(proof.text);
    proof.percent = percent ? Number(percent[1]) : null;
    proof.advance?.();
  });
  source.addEventListener("answer", (event) => {
    const answer = JSON.parse(event.data);
    if (answer.error) return end(new Fault(answer.error));
    keepProof(name, { answer, at: new Date().toISOString() });
    end(null);
  });
  let hasBegun = false;
  source.addEventListener("open", () => { hasBegun = true; });
  // The browser would connect again, which would begin anew.
  source.addEventListener("error", () => {
    if (proof.source !== source) return;
    end(new Fault({ code: "failed", message: hasBegun ? "The connection ended before the result was there." : "It did not begin.",
      hint: hasBegun ? null : "It runs already, as in another tab, or one that was cancelled has not ended yet: try again." }));
  });
  proof.show?.();
}

function cancelProof(name) {
  proofs[name].source.close();
  proofs[name].source = null;
  proofs[name].show?.();
  say(proofs[name].title + ": cancelled");
}

const isSound = (name, { rows: [row] }) => (name === "verify" ? row.ok : row.views.every((view) => view.matches !== false));

function proofWords(name, answer) {
  const [row] = answer.rows;
  if (name === "verify") return row.ok ? "everything verifies" : counted(row.findings.length, "finding");
  const different = row.views.filter((view) => view.matches === false).length;
  if (different === 0) return "every view is what the log gives";
  return counted(different, "view") + (different === 1 ? " differs" : " differ") + " from the log";
}

function verificationElement({ rows: [row] }) {
  const finding = ({ code, message, position, replica, sequence }) => make("li", { class: "finding" },
    make("span", { class: "chip warn" }, code), " ", quote(message), position !== null && [" ", commitLink(position)],
    replica && [", of ", quote(deviceWord(replica)), sequence !== null && ", its commit " + number(sequence)]);
  return [
    make("dl", { class: "facts" }, fact("Commits", number(row.commits)), fact("Events", number(row.events)),
      fact("Devices", number(row.replicas)), row.erasedEvents + row.erasedCommits > 0 && fact("Erased, and proven",
        counted(row.erasedEvents, "event") + ", " + counted(row.erasedCommits, "whole commit"))),
    row.findings.length > 0 && portions(make("ul", { class: "plain findings" }), row.findings, finding, "finding"),
    row.unstated.length > 0 && make("p", { class: "note" }, "Of " + counted(row.unstated.length, "commit")
      + " erased bytes are missing though no erasure of them stands: any copy puts them back."),
  ];
}

function replayElement({ rows: [row], warnings }) {
  const view = ({ name, rows, matches, digest }) => make("tr", {}, make("th", { scope: "row" }, name),
    make("td", { class: "amount" }, number(rows)),
    make("td", {}, matches === false ? make("span", { class: "chip warn" }, "differs") : "matches"),
    make("td", { class: "digest" }, make("code", {}, digest)));
  const heads = [["View"], ["Rows", "amount"], ["Beside the log"], ["Digest", "digest"]];
  const differing = row.views.filter((one) => one.matches === false);
  return [
    make("p", { class: "soft" }, counted(row.events, "event") + " of " + counted(row.commits, "commit") + " in " + row.seconds.toFixed(1)
      + " s, " + number(row.eventsPerSecond) + " a second"),
    // The command warns of the first view that differs, and names the first row of it.
    differing.length > 0 && warnings.map((text) => make("p", { class: "note" }, quote(text))),
    make("table", { class: "proof-views" }, make("thead", {}, make("tr", {}, heads.map(([title, name]) =>
      make("th", { scope: "col", class: name }, title)))),
    make("tbody", {}, [...differing, ...row.views.filter((one) => one.matches !== false)].map(view))),
  ];
}

function verdictElement(name, { answer, at }) {
  const sound = isSound(name, answer);
  const words = proofWords(name, answer);
  return make("p", { class: sound ? "verdict sound" : "verdict unsound" },
    make("strong", {}, (sound ? "✓ " : "✗ ") + words.slice(0, 1).toUpperCase() + words.slice(1)), ", up to ",
    commitLink(answer.rows[0].position ?? answer.position), ", ", timeElement(at));
}

function proofElement(name, signal) {
  const proof = proofs[name];
  proof.last ??= keptProof(name);
  const bar = make("progress", { max: 100, "aria-label": proof.title + ", how much is done" });
  const text = make("span", { class: "progress-text" });
  const start = button(proof.start, () => { startProof(name); cancel.focus(); }, { class: "main" });
  const cancel = button("Cancel", () => { cancelProof(name); start.focus(); });
  const running = make("div", { class: "running" }, bar, text, cancel);
  const result = make("div", { class: "result" });
  proof.advance = () => {
    if (proof.percent === null) bar.removeAttribute("value");
    else bar.value = proof.percent;
    text.textContent = proof.text ?? "";
  };
  proof.show = () => {
    const hadFocus = document.activeElement === cancel;
    running.hidden = !proof.source;
    start.hidden = Boolean(proof.source);
    proof.advance();
    if (hadFocus && !proof.source) start.focus();
    result.replaceChildren();
    append(result, proof.fault && faultElement(proof.fault), proof.last
      ? [verdictElement(name, proof.last), ...proof.result(proof.last.answer)]
      : make("p", { class: "soft" }, "Not done yet in this tab."));
  };
  signal.addEventListener("abort", () => { proof.show = proof.advance = null; });
  proof.show();
  return make("section", { class: "panel proof", "aria-label": proof.title }, make("h2", {}, proof.title),
    make("p", { class: "soft" }, proof.words), start, running, result);
}

views.proof = {
  title: "Proof", key: "p",
  async draw(main, address, signal) {
    await deviceNames();
    append(main, make("h1", {}, "Proof"), make("p", { class: "lead" }, "Whether the log is what its writers signed, "
      + "and whether what is shown is what the log says."),
    make("div", { class: "proofs" }, Object.keys(proofs).map((name) => proofElement(name, signal))));
  },
};
