// Devices: which replicas wrote the log, what each holds and lacks, what waits and why, and what is to be erased.

function learnDevices(members, peers) {
  for (const { replica, name } of [members?.members ?? [], members?.waiting ?? [], peers].flat()) if (name) devices.set(replica, name);
}

// The names of all replicas that are known, empty where there is none. They are asked for once.
let asked = null;
function deviceNames() {
  // A damaged store or a hub's journal may lack answers: then ids stand for names.
  asked ??= Promise.allSettled([ask(["status"]), ask(["members"]), ask(["peers"])]).then((answers) => {
    const [status, members, peers] = answers.map(({ value }) => value?.rows ?? []);
    learnDevices(members[0], peers);
    if (answers.some(({ status: outcome }) => outcome === "rejected")) asked = null;
    const all = new Set([...Object.keys(status[0]?.frontier ?? {}), ...devices.keys()]);
    return new Map([...all].map((replica) => [replica, devices.get(replica) ?? ""]));
  });
  return asked;
}

function sizeText(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  for (; bytes >= 1000 && at < units.length - 1; at += 1) bytes /= 1000;
  return (at === 0 ? bytes : bytes.toPrecision(3)) + " " + units[at];
}

// What was erased, as far as the log states it: commits that do so have nothing else to show.
let erasures = [];
async function learnErasures(signal) { erasures = (await ask(["erasures"], {}, signal)).rows; }

const erasureAmount = ({ events, commits }) => (events > 0 ? counted(events, "event") + " of " + counted(commits.length, "commit")
  : counted(commits.length, "whole commit"));

function erasureState({ state, removal, takenBackBy, lateAfter }) {
  const late = lateAfter.length > 0 ? ", late after " + lateAfter.join(", ") : "";
  if (state === "pending") return make("span", {}, late + ", hidden now; the bytes go on ", timeElement(removal));
  if (state === "removed") return late + ", removed";
  return late + ", taken back" + (takenBackBy.length > 0 ? " by " + takenBackBy.map(deviceWord).join(", ") : "");
}

// Children that are false are left out, as `make` does.
const append = (element, ...children) => element.append(...children.flat(2).filter(Boolean));

// All that is known of each replica, this store's own first, then those met last.
function knownDevices(status, { members, waiting }, peers) {
  const found = new Map();
  const device = (replica) => {
    if (!found.has(replica)) found.set(replica, { replica, held: 0 });
    return found.get(replica);
  };
  for (const [replica, held] of Object.entries(status.frontier)) device(replica).held = held;
  for (const member of members) device(member.replica).member = member;
  for (const applicant of waiting) device(applicant.replica).waiting = true;
  for (const peer of peers) device(peer.replica).peer = peer;
  for (const fork of status.forks) device(fork.replica).fork = fork;
  device(status.replica).own = true;
  const rank = (one) => (one.own ? "~" : one.peer?.lastExchange ?? "");
  return [...found.values()].sort((a, b) => (rank(a) < rank(b) ? 1 : rank(a) > rank(b) ? -1 : b.held - a.held));
}

function deviceMarks(device) {
  const { member } = device;
  const marks = [device.own && ["member", "this store"], member && (member.revoked ? ["gone", "revoked"] : ["", member.role]),
    device.waiting && ["warn", "waits to be let in"], device.fork && ["warn", "forked"],
    device.peer?.lastError && ["warn", "last exchange failed"]];
  return marks.filter(Boolean).map(([tone, text]) => make("span", { class: "chip " + tone }, text));
}

function wideFact(name, ...value) {
  const element = fact(name, ...value);
  element.classList.add("wide");
  return element;
}

function peerFacts(peer) {
  return [
    fact("It lacks", peer.toSend > 0 ? counted(peer.toSend, "commit") + ", " + sizeText(peer.bytesToSend) : "nothing, as far as it said"),
    fact("This store lacks", peer.toReceive > 0 ? counted(peer.toReceive, "commit") + " that it holds" : "nothing, as far as it said"),
    fact("Last exchange", peer.lastExchange ? timeElement(peer.lastExchange) : "never to the end"),
    peer.lastTried && peer.lastTried !== peer.lastExchange && fact("Last tried", timeElement(peer.lastTried)),
    peer.lastError && wideFact("Why that failed", make("span", { class: "warn" }, quote(peer.lastError))),
  ];
}

function forkFact({ sequence, branches }) {
  return wideFact("Forked: these are different commits with its number " + number(sequence),
    make("span", { class: "warn" }, branches.map((hash) => make("code", {}, hash.slice(0, 16) + " "))));
}

// What another device said that it holds, of each device, beside what this store holds.
function holdingElement(peer, frontier) {
  const holds = Object.entries(peer?.acknowledged ?? {}).sort((a, b) => b[1] - a[1]);
  return holds.length > 0 && make("details", { "data-key": peer.replica }, make("summary", {}, "What it said it holds"),
    make("ul", {}, holds.map(([replica, held]) => make("li", {}, "of ", quote(deviceWord(replica)), ": " + number(held),
      (frontier[replica] ?? 0) > held && ", here " + number(frontier[replica])))));
}

function deviceElement(device, frontier) {
  const { replica, peer, member, fork } = device;
  const title = deviceWord(replica);
  return make("article", { class: "device panel", "aria-label": title }, make("h3", {}, quote(title), " ", ...deviceMarks(device)),
    make("dl", { class: "facts" },
      fact("Its commits here", device.held > 0 ? link("who", null, { replica }, number(device.held)) : "none"), peer && peerFacts(peer),
      member?.grantedBy && fact("Granted by", quote(deviceWord(member.grantedBy))),
      member?.revokedBy && fact("Revoked by", quote(deviceWord(member.revokedBy))),
      member?.inThePlaceOf && fact("In the place of", quote(deviceWord(member.inThePlaceOf))), fork && forkFact(fork)),
    holdingElement(peer, frontier), make("p", { class: "soft" }, make("code", {}, replica)));
}

const positionLinks = (positions) => positions.slice(0, 8).flatMap((position, index) => [index > 0 && ", ", commitLink(position)])
  .concat(positions.length > 8 ? " and " + number(positions.length - 8) + " more" : []);

// What waits for another device, and why.
function peerSentences(peer) {
  const name = () => quote(deviceWord(peer.replica));
  const why = peer.lastError ? ["the last try failed: ", quote(peer.lastError)]
    : peer.lastExchange ? ["written since the last exchange, ", timeElement(peer.lastExchange)] : ["no exchange with it ever ended"];
  return [
    peer.toSend > 0 && [counted(peer.toSend, "commit") + (peer.toSend === 1 ? " waits for " : " wait for "), name(), ": ", ...why, "."],
    peer.toReceive > 0 && [counted(peer.toReceive, "commit") + " of ", name(), peer.toReceive === 1 ? " is" : " are", " not here yet."],
    peer.erasuresToSend.length > 0 && [name(), " has not acknowledged " + counted(peer.erasuresToSend.length, "erasure")
      + " and may still show what was erased: ", positionLinks(peer.erasuresToSend), "."],
  ];
}

const standings = {
  waiting: "This device waits to be let in: what it writes counts here alone until an admin grants it a role.",
  revoked: "This device was revoked and may not write.", read: "This device has the role read and may not write.",
  relay: "This device has the role relay and may not write.",
};

function waitingSentences(status, members, peers) {
  return [
    standings[members.standing], status.unfinishedClone !== null && "This store is an unfinished clone: cloning again goes on with it.",
    status.neededUpdate && counted(status.neededUpdate.commits, "commit") + " cannot be read" + neededVersion(status.neededUpdate) + ".",
    ...status.faults.map((fault) => "Views are not brought up to date: " + fault.message),
    ...members.waiting.map(({ replica }) => [quote(deviceWord(replica)), " asks to become a member, and waits for an admin."]),
    ...peers.filter(({ replica }) => !members.members.some((one) => one.replica === replica && one.revoked)).flatMap(peerSentences),
    ...erasures.filter(({ state }) => state === "pending").map((erasure) => [erasureAmount(erasure), " erased by ",
      quote(erasure.device || deviceWord(erasure.replica)), " in ", commitLink(erasure.position), erasureState(erasure), "."]),
    ...Object.entries(status.stranded).map(([replica, count]) => counted(count, "commit") + " of " + deviceWord(replica)
      + " can reach no other device: the key is lost."),
    ...status.lostBytes.map((text) => "Bytes that no known device has: " + text),
  ].filter(Boolean).map((sentence) => make("li", {}, [sentence].flat(2)));
}

const invitationElement = (invitation) => make("li", {}, "Role " + invitation.role + ", " + invitation.used + " of "
  + counted(invitation.uses, "use") + " taken, by ", quote(deviceWord(invitation.by)),
invitation.until ? [", until ", timeElement(invitation.until)] : ", for ever", " ", make("code", {}, invitation.key.slice(0, 16)));

const erasureElement = (erasure) => make("li", { "data-row": erasure.position }, commitLink(erasure.position), ", ",
  quote(erasure.device || deviceWord(erasure.replica)), ", ", timeElement(erasure.date), ": ", erasureAmount(erasure),
  erasureState(erasure), ". It is about ", positionLinks(erasure.commits));

function erasuresSection(period) {
  const coming = period && period.coming !== null
    ? [", and after " + counted(period.coming, "day") + " from ", timeElement(period.comingFrom), " on"] : "";
  return sectionOf("Erasures", erasures.length > 0
    ? portions(make("ul", { class: "plain erasures" }), [...erasures].reverse(), erasureElement, "erasure")
    : make("p", { class: "soft" }, "Nothing was erased."),
  period && make("p", { class: "soft" }, "What an admin erases of others is removed after " + counted(period.days, "day"), coming, "."));
}

const findingElement = ({ severity, message, remedy, entities }) => make("li", { class: "finding" },
  make("span", { class: severity === "note" ? "chip" : "chip warn" }, severity), " ", quote(message), " ",
  make("span", { class: "soft" }, quote(remedy)), entities.slice(0, 4).map(({ kind, id }) => [" ", entityLink(kind, id, "")]).flat());

const sectionOf = (title, ...content) => make("section", {}, make("h2", {}, title), ...content);

// The findings take longest, since the whole store is looked at: they come when they are there.
async function showFindings(section, signal) {
  const { rows: [diagnosis] } = await ask(["doctor"], { quick: true }, signal);
  section.querySelector(".busy").replaceWith(diagnosis.findings.length === 0 ? make("p", {}, "Nothing is wrong or odd.")
    : portions(make("ul", { class: "plain findings" }), diagnosis.findings, findingElement, "finding"));
  append(section, diagnosis.omitted.map(({ code, count }) => make("p", { class: "soft" }, number(count) + " more of " + code)));
}

function devicesParts(status, members, peers) {
  const waits = waitingSentences(status, members, peers);
  const found = knownDevices(status, members, peers);
  return [
    part("waits", [status, members, peers, erasures], () => sectionOf("What waits, and why", waits.length > 0
      ? make("ul", { class: "waits" }, waits)
      : make("p", {}, peers.length === 0 ? "Nothing waits: no other device was met yet."
        : "Nothing waits: every device that was met holds all of this store, as far as it has said."))),
    part("devices", [found, status.frontier], () => sectionOf(counted(found.length, "device"), make("div", { class: "devices" },
      found.map((device) => deviceElement(device, status.frontier))))),
    members.standing === "open" && part("open", null, () => make("p", { class: "soft" },
      "Nobody founded this journal: every device that has its id may write.")),
    members.invitations.length > 0 && part("invitations", members.invitations, () => sectionOf("Invitations",
      make("ul", {}, members.invitations.map(invitationElement)))),
    part("erasures", [erasures, members.erasingPeriod], () => erasuresSection(members.erasingPeriod)),
    part("journal", status.journal, () => make("p", { class: "soft" }, "Journal ", make("code", {}, status.journal))),
  ];
}

views.devices = {
  title: "Devices", key: "d",
  async draw(main, address, signal) {
    const body = make("div");
    const findings = sectionOf("What doctor finds", make("p", { class: "busy" }, "Looking at the whole store…"));
    async function show() {
      const [{ rows: [status] }, { rows: [members] }, { rows: peers }] = await Promise.all([ask(["status"], {}, signal),
        ask(["members"], {}, signal), ask(["peers"], {}, signal), learnErasures(signal)]);
      learnDevices(members, peers);
      renew(body, devicesParts(status, members, peers));
    }
    append(main, make("h1", {}, "Devices"), body, findings);
    // What doctor finds helps most where the rest cannot be read.
    await show().catch((fault) => {
      if (isAbort(fault)) throw fault;
      body.append(faultElement(fault));
    });
    live.refresh(() => true, show);
    showFindings(findings, signal).catch((fault) => { if (!isAbort(fault)) findings.lastChild.replaceWith(faultElement(fault)); });
  },
};
