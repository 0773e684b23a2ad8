"""What is erased of a journal: written from the section *Erased payloads* of the description of the log format alone."""

from collections import namedtuple

import members
import verify_log as log

FEATURE = 16
MOST_STATEMENTS = 1024
MOST_STATEMENT_BYTES = 256 << 10
MOST_JUDGED = 64

Entry = namedtuple("Entry", "order name author kind target leaves causes")


def read_erasure(data):
    names = (log.DELIMITED, log.anything, True)
    causes = (log.DELIMITED, members.read_name, True)
    found = log.read(data, {1: (log.DELIMITED, log.read_erasure, False), 2: names, 3: names, 4: causes})
    return None if 1 not in found or None in found.get(4, []) else (found[1], found.get(4, []))


def read_take_back(data):
    found = log.read(data, {1: (log.DELIMITED, members.read_name, False), 2: (log.DELIMITED, log.read_leaves, False)})
    leaves = found.get(2, log.ALL)
    return (found[1], leaves) if found.get(1) and leaves != [] else None


def read_period(data):
    return log.read(data, {1: (log.VARINT, log.anything, False)}).get(1, 0)


READERS = {1: read_erasure, 2: read_take_back, 3: read_period}


class Erasing:
    """What is erased of a journal, from its commits in any order; `of` are its members, None if all may write."""

    def __init__(self, journal, of):
        self.journal = journal
        self.of = of
        # Commit → what is said of it; commit → the erasures that it states
        self.said = {}
        self.stated = {}

    def add(self, header, stored, payload):
        if not header.features & FEATURE or len(payload.erasing) > MOST_STATEMENTS:
            return
        if sum(map(len, payload.erasing)) > MOST_STATEMENT_BYTES:
            return
        name = members.Name(header.replica, header.sequence, stored)
        for index, data in enumerate(payload.erasing):
            kind, value = members.read_statement(data, READERS) or (0, None)
            causes = []
            if kind == 1:
                value, causes = value
                if value.eraser != header.replica or value.journal != header.journal or not log.is_signed(value):
                    continue
                target, leaves = members.Name(value.replica, value.sequence, value.hash), value.leaves
            elif kind == 2:
                target, leaves = value
            else:
                continue
            order = (header.timestamp, header.replica, stored, index)
            entry = Entry(order, name, header.replica, kind, target, leaves, causes)
            self.said.setdefault(target, []).append(entry)
            if kind == 1:
                self.stated.setdefault(name, []).append(entry)

    def stands(self, name):
        if self.of is None:
            return True
        member = self.of.members.get(name.replica)
        return member is not None and self.of.stands(name, member.cuts) and not self.of.is_replaced(name)

    def speaks(self, replica, other):
        return replica == other or self.of is not None and other in self.of.in_place_of(replica)

    def path(self, replica):
        """The path of an admin, comparable; None for others."""
        member = self.of.members.get(replica) if self.of else None
        return (len(member.path), member.path) if member and member.role == members.ADMIN else None

    def erases(self, replica, author):
        """Whether a replica erases what another wrote, as its author or as an admin."""
        return self.speaks(replica, author) or self.path(replica) is not None

    def beats(self, taken, erased):
        if self.speaks(taken.author, erased.author) and taken.order > erased.order:
            return True
        path, other = self.path(taken.author), self.path(erased.author)
        if path is not None and (other is None or path < other):
            return True
        author = erased.target.replica
        member = self.of.members.get(taken.author) if self.of else None
        return (member is not None and not member.revoked and self.speaks(taken.author, author)
                and not self.speaks(erased.author, author))

    def judged(self, target):
        """The statements of one commit that are considered."""
        standing = [entry for entry in self.said.get(target, []) if self.stands(entry.name)]
        last = []
        for group in {(entry.kind, entry.author, entry.causes == []) for entry in standing}:
            own = [entry for entry in standing if (entry.kind, entry.author, entry.causes == []) == group]
            last += sorted(own, key=lambda entry: entry.order)[-MOST_JUDGED:]
        return last

    def left(self, erased, judged, count=None):
        """The leaves in which an erasure is not beaten; without a count None for leaves of a whole payload."""
        if not self.erases(erased.author, erased.target.replica):
            return set()
        whole = {None} if count is None else set(range(count))
        leaves = whole if erased.leaves is log.ALL else set(erased.leaves)
        for taken in judged:
            if taken.kind == 2 and self.beats(taken, erased):
                leaves = set() if taken.leaves is log.ALL else leaves - set(taken.leaves)
        return leaves

    def is_in_force(self, erased):
        def is_cause(entry):
            judged = self.judged(entry.target)
            return not entry.causes and entry in judged and self.left(entry, judged)
        return not erased.causes or any(is_cause(entry) for name in erased.causes for entry in self.stated.get(name, []))

    def hidden(self, target, count):
        """The leaves that are hidden of a commit with so many."""
        found, judged = set(), self.judged(target)
        for erased in judged:
            fits = erased.kind == 1 and (erased.leaves is log.ALL or erased.leaves[-1] < count)
            if fits and self.is_in_force(erased):
                found |= self.left(erased, judged, count)
        return found
