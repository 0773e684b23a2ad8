"""Writes that are in conflict: written from the section *What an author saw* of the description of the log format alone."""

from collections import namedtuple

import verify_log as log

PARENT = (2, b"")
DELETION = (0, b"")
TRIP, OWN = 1, 7
ITEMS = (2, 3, 4)
FIRST_OWN_FIELD = 65536
RANK = 4

# An event of an entity: `order` is its place in the merge, `name` its commit, (journal, replica, hash).
Entry = namedtuple("Entry", "order timestamp name index event held")
Write = namedtuple("Write", "entry value seen")


class Conflicts:
    def __init__(self, verifier):
        self.previous = verifier.previous
        self.forked = {of for of, commits in verifier.previous.items() if is_forked(commits)}
        self.entries = {}
        for header, stored, payload, events in verifier.counting:
            name = (header.journal, header.replica, stored)
            for index, event in events:
                time = min(header.timestamp, event.original or header.timestamp)
                held = None if event.original or not payload.held else payload.held
                entry = Entry((time, header.replica, stored, index), header.timestamp, name, index, event, held)
                self.entries.setdefault((event.kind, event.id), []).append((entry, payload.replicas))
        self.writes = {entity: writes(found) for entity, found in self.entries.items()}

    def lines(self):
        for entity, found in self.entries.items():
            for path in self.writes[entity]:
                if path != DELETION:
                    yield from self.of_field(path, self.writes[entity][path])
            for entry, _ in found:
                yield from self.of_deletion(entity, entry)
            yield from self.of_parents(entity)

    def of_field(self, path, written):
        for start, first in enumerate(written):
            end = start
            while end + 1 < len(written):
                one, last = written[end + 1], written[end]
                if one.entry.name == last.entry.name or saw(one, last, written) or saw(one, first, written):
                    break
                end += 1
            last = written[end]
            if last.value == first.value or is_rebalancing(first.entry.event) or is_rebalancing(last.entry.event):
                continue
            key = f".{path[1].hex()}" if path[1] else ""
            yield line(first.entry, f"{path[0]}{key}", written[-1].entry == last.entry)

    def of_deletion(self, entity, entry):
        event = entry.event
        if not event.changes or event.verb == log.CREATED or is_rebalancing(event):
            return
        deletion = self.unseen(entry, self.writes[entity].get(DELETION, []), len(entry.order))
        if deletion:
            yield line(entry, "deleted", self.standing(entity) == deletion)

    def of_parents(self, entity):
        # Of several assignments of one event to one parent the last.
        found = {}
        for write in self.writes[entity].get(PARENT, []):
            parent = parent_in(write.value, entity[0])
            if parent and self.is_created(parent):
                found[write.entry.order, parent] = write
        for (_, parent), write in found.items():
            # All writes to path 0 of one commit are before its other ones: its index decides nothing.
            deletion = self.unseen(write.entry, self.writes[parent].get(DELETION, []), len(write.entry.order) - 1)
            if deletion is None:
                continue
            is_there = self.writes[entity][PARENT][-1].value == write.value and self.standing(entity) is None
            is_open = self.is_created(entity) and is_there and self.standing(parent) == deletion
            yield line(write.entry, "parent", is_open)

    def is_created(self, entity):
        return any(entry.event.verb == log.CREATED for entry, _ in self.entries.get(entity, []))

    def standing(self, entity):
        """The deletion that is the last write to path 0."""
        written = self.writes[entity].get(DELETION, [])
        return written[-1].entry if written and written[-1].value is not None else None

    def unseen(self, edit, deletions, length):
        """The deletion that an edit is in conflict with. Of the order that much decides which is earlier."""
        others = [write for write in deletions if write.entry.name != edit.name]
        later = [
            write.entry
            for write in others
            if write.value is not None and write.entry.order > edit.order and write.entry.held is not None
            and not self.held(write.entry, edit)
        ]
        if later:
            return later[-1]
        standing = None
        for write in deletions:
            # A restoration that edits as well is not between the deletion and itself.
            if write.entry.order[:length] > edit.order[:length] or write.entry == edit:
                break
            if write.value is None:
                standing = None
            elif write.entry.name != edit.name:
                standing = write.entry
        return standing

    def held(self, entry, edit):
        """Whether the author of an event held the commit of another."""
        of = edit.name[:2]
        is_own = entry.name[:2] == of
        times = entry.held.get(edit.name[1], [])
        if of not in self.forked:
            newest = entry.timestamp if is_own else max(times, default=0)
            return edit.timestamp <= newest
        commits = self.previous[of]
        if is_own:
            return precedes(edit.name[2], entry.name[2], commits)
        for time in times:
            found = [stored for stored, commit in commits.items() if commit[2] == time]
            if len(found) == 1 and precedes(edit.name[2], found[0], commits):
                return True
        return False


def lines(verifier):
    return sorted(Conflicts(verifier).lines())


def line(entry, what, is_open):
    return f"{entry.name[2].hex()}.{entry.index}-{what} {'open' if is_open else 'resolved'}"


def is_forked(commits):
    return len({commit[0] for commit in commits.values()}) < len(commits)


def precedes(commit, end, commits):
    while end in commits:
        if end == commit:
            return True
        end = commits[end][1]
    return False


def writes(found):
    """The writes to each path in the order of the merge."""
    found.sort(key=lambda pair: pair[0].order)
    paths = {}
    for entry, replicas in found:
        event = entry.event
        if event.verb in (log.DELETED, log.RESTORED):
            value = b"\1" if event.verb == log.DELETED else None
            paths.setdefault(DELETION, []).append(Write(entry, value, names(event.seen, replicas)))
        for change in event.changes:
            write = Write(entry, change.value, names(change.seen, replicas))
            paths.setdefault((change.field, change.key), []).append(write)
    return paths


def names(seen, replicas):
    """The time and the replica that were seen; none if the replica is not in the list."""
    return (seen[0], replicas[seen[1]]) if seen and seen[1] < len(replicas) else None


def saw(write, earlier, written):
    order = earlier.entry.order
    if write.seen != order[:2]:
        return False
    return all(other.entry.order[2] == order[2] for other in written if other.entry.order[:2] == order[:2])


def is_rebalancing(event):
    return bool(event.original and event.changes) and all(
        change.field >= FIRST_OWN_FIELD and change.key[:1] == bytes([RANK]) for change in event.changes
    )


def parent_in(value, kind):
    """The parent that a value of field 2 names."""
    if kind not in ITEMS + (OWN,) or value is None or len(value) != 18:
        return None
    parent = (int.from_bytes(value[:2], "big"), value[2:])
    return parent if kind == OWN or parent[0] == TRIP else None
