const longest = 400;

function valueElement(tag, text) {
  if (text === "") return make(tag, {}, make("span", { class: "none" }, "nothing"));
  const entity = entityById.get(text);
  if (entity && entity.name) return make(tag, { title: text }, quote(entity.name));
  if (text.length <= longest) return make(tag, {}, quote(text));
  const element = make(tag, {}, quote(text.slice(0, longest) + "…"));
  const whole = make("button", { type: "button", class: "whole" }, "Show all " + number(text.length)
    + " characters");
  whole.addEventListener("click", () => element.replaceChildren(quote(text)));
  element.append(" ", whole);
  return element;
}

// Of a report of several pages the index leads to what is on another one.
const elsewhere = (hash, ...text) => make("a", { href: encodeURIComponent(store.part.index) + hash }, ...text);

function commitLink(position) {
  const text = "commit " + position;
  if (commitAt.has(position)) return make("a", { href: "#commit/" + position }, text);
  return store.part ? elsewhere("#commit/" + position, text) : text;
}

function beatenElement(beaten) {
  const who = strings[beaten.author] ? quote(strings[beaten.author]) : quote(beaten.replica.label);
  const value = strings[beaten.value] === "" ? make("span", { class: "none" }, "nothing")
    : valueElement("span", strings[beaten.value]);
  return make("p", { class: "beaten" }, "superseded unseen by ", who, " on ", quote(beaten.replica.label), ", ",
    timeElement(beaten.time, timeText(beaten.time)), ", ", commitLink(beaten.position), ": ", value);
}

function changesElement(event) {
  const first = event.verb === "created" && !event.beaten;
  const list = make("dl", { class: first ? "changes first" : "changes" });
  for (let at = event.from, place = 0; at < event.to; at += 3, place += 1) {
    const [field, old, now] = [strings[log[at]], log[at + 1], strings[log[at + 2]]];
    const row = make("div", { class: "change" }, make("dt", {}, field));
    if (old < 0) {
      row.classList.add("alone");
      row.classList.toggle("long", now.length > 60);
      row.append(valueElement("dd", now));
    } else {
      row.append(make("dd", { class: "from" }, valueElement("del", strings[old])),
        make("dd", { class: "arrow", "aria-hidden": "true" }, "→"),
        make("dd", { class: "to" }, valueElement("ins", now)));
    }
    const beaten = event.beaten?.get(place);
    if (beaten) row.append(make("dd", { class: "beaten" }, ...beatenElement(beaten).childNodes));
    list.append(row);
  }
  return list;
}

function eventElement(event, story) {
  const { entity } = event;
  const home = story ?? entities[entity.kind === "trip" ? entity.index : entity.trips[0]];
  const name = home && home !== story ? make("a", { href: "#trip/" + home.id }, quote(label(entity)))
    : make("strong", {}, quote(label(entity)));
  const what = make("p", { class: "what" }, name, make("span", { class: "kind" }, entity.kind));
  if (home && home !== entity && !story) {
    what.append(make("span", { class: "in" }, " in ", quote(label(home))));
  }
  const body = make("div", {}, what);
  if (event.to > event.from) body.append(changesElement(event));
  if (event.beaten?.has(-1)) body.append(beatenElement(event.beaten.get(-1)));
  return make("li", { class: "event" }, make("span", { class: "verb " + event.verb }, event.verb), body);
}

function commitElement({ commit, events: shown }) {
  const who = make("p", { class: "who" }, timeElement(commit.time, clockText(commit.time)),
    make("strong", {}, commit.author ? quote(commit.author) : "no author"),
    make("span", { title: commit.replica.id }, quote(commit.replica.label)));
  if (commit.count > 1) {
    const all = counted(commit.count, "event");
    who.append(make("span", {}, shown.length < commit.count ? number(shown.length) + " of " + all : all));
  }
  who.append(make("a", { class: "tail", href: "#commit/" + commit.position }, "commit " + commit.position));
  if (commit.note) who.append(make("span", { class: "note" }, quote(commit.note)));
  return make("li", { class: "commit" }, who, make("ul", { class: "events" }));
}

// Fills a list as far as it is looked at; the rest comes when its end comes into view.
function feed(list, more) {
  let groups = [], story, at = 0, inside = 0, open = null, day = null;
  function grow(count = 60) {
    while (count > 0 && at < groups.length) {
      const group = groups[at];
      if (inside === 0) {
        open = commitElement(group);
        if (group.commit.day !== day) {
          day = group.commit.day;
          list.append(make("li", { class: "day" }, timeElement(day * dayLength,
            longDay.format(day * dayLength))));
          open.classList.add("apart");
        }
        list.append(open);
      }
      const part = group.events.slice(inside, inside + count);
      open.lastChild.append(...part.map((event) => eventElement(event, story)));
      inside += part.length;
      count -= Math.max(part.length, 1);
      if (inside >= group.events.length) [at, inside] = [at + 1, 0];
    }
    let left = -inside;
    for (let index = at; index < groups.length; index += 1) left += groups[index].events.length;
    more.hidden = at >= groups.length;
    more.textContent = "Show more: " + counted(left, "event") + " left";
  }
  more.addEventListener("click", () => grow());
  new IntersectionObserver((entries, observer) => {
    if (more.hidden || !entries.some((entry) => entry.isIntersecting)) return;
    grow();
    // Should the end be in view still, it is to be told again.
    observer.unobserve(more);
    observer.observe(more);
  }, { rootMargin: "600px" }).observe(more);
  window.addEventListener("beforeprint", () => {
    if (!list.offsetParent) return;
    grow(1000);
    for (const whole of list.querySelectorAll(".whole")) whole.click();
  });
  return (newGroups, newStory) => {
    [groups, story, at, inside, open, day] = [newGroups, newStory, 0, 0, null, null];
    list.replaceChildren();
    grow();
  };
}
