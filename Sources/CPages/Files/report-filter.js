// A value that is the id of an entity is found by the entity's name, too.
const searchable = strings.map((text) => {
  const entity = entityById.get(text);
  return (entity ? text + " " + entity.name : text).toLowerCase();
});

const termsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

function lookUp(term) {
  const inStrings = searchable.map((text) => text.includes(term));
  return {
    position: Number(term.replace(/^#/, "")),
    inStrings,
    inEntities: entities.map((entity) => entity.id.toLowerCase().startsWith(term)
      || entity.name.toLowerCase().includes(term) || entity.kind.includes(term)),
    inReplicas: replicas.map((replica) => replica.id.startsWith(term)
      || replica.label.toLowerCase().includes(term)),
  };
}

const commitHas = (commit, term) => term.inStrings[commit.authorIndex] || term.inStrings[commit.noteIndex]
  || term.inReplicas[commit.replica.index] || commit.position === term.position;

function eventHas(event, term) {
  if (term.inEntities[event.entity.index] || term.inStrings[event.verbIndex]) return true;
  for (let at = event.from; at < event.to; at += 1) {
    if (log[at] >= 0 && term.inStrings[log[at]]) return true;
  }
  if (!event.beaten) return false;
  return [...event.beaten.values()].some((beaten) => term.inStrings[beaten.value]
    || term.inStrings[beaten.author]);
}

// The commits that pass, newest first, each with those of its events that do.
function matching(filter) {
  const terms = termsOf(filter.text).map(lookUp);
  const ofEvents = filter.verb || filter.kind || filter.conflicts;
  const groups = [];
  for (const commit of commits) {
    if (filter.position !== null && commit.position !== filter.position) continue;
    if (filter.day !== "" && commit.day !== Number(filter.day)) continue;
    if (filter.replica !== "" && commit.replica.index !== Number(filter.replica)) continue;
    if (filter.author !== "" && commit.authorIndex !== Number(filter.author)) continue;
    if (filter.conflicts && commit.conflicts === 0) continue;
    const open = terms.filter((term) => !commitHas(commit, term));
    if (commit.count === 0 && !ofEvents && open.length === 0) groups.push({ commit, events: [] });
    const chosen = [];
    for (let index = commit.first; index < commit.first + commit.count; index += 1) {
      const event = events[index];
      if (filter.verb && event.verb !== filter.verb) continue;
      if (filter.kind && event.entity.kind !== filter.kind) continue;
      if (filter.conflicts && !event.beaten) continue;
      if (open.every((term) => eventHas(event, term))) chosen.push(event);
    }
    if (chosen.length > 0) groups.push({ commit, events: chosen });
  }
  return groups;
}
