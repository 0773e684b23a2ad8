"""Who may write into a journal: written from the section *Members* of the description of the log format alone."""

import hashlib
from collections import namedtuple

import verify_log as log

FEATURE = 4
MOST_STATEMENTS = 256
MOST_STATEMENT_BYTES = 128 << 10
MOST_CUT = 1024
MOST_REQUESTS = 16
MOST_SUCCESSORS = 64
MOST_GRANTEES = 16
MOST_REPLACEMENTS = 64
DAY = 86_400_000 << 16
EARLIEST_REPLACEMENT = 1_795_392_000_000 << 16
MOST_KEYS = 64
LONGEST_PATH = 256
RELAY, READ, WRITE, ADMIN = 1, 2, 3, 4
JOURNAL_DOMAIN = b"TripStore journal v1" + bytes(12)
INVITATION_DOMAIN = b"TripStore invitation v1" + bytes(9)
HANDOVER_DOMAIN = b"TripStore handover v1" + bytes(11)

Name = namedtuple("Name", "replica sequence hash")
Entry = namedtuple("Entry", "name index timestamp kind value")
Member = namedtuple("Member", "role path cuts revoked")


def journal_id(key, nonce):
    digest = bytearray(hashlib.sha256(JOURNAL_DOMAIN + key + nonce).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    return bytes(digest)


def replica_id(key):
    return hashlib.sha256(key).digest()[:16]


def is_founded(journal):
    return journal[6] >> 4 == 8


def read_keys(data):
    """The keys of field 7 of an introduction, and the signatures between them, nearest first."""
    if len(data) % 96 != 32 or len(data) > 96 * MOST_KEYS:
        return [], []
    starts = range(32, len(data), 96)
    return [data[:32]] + [data[at + 64:at + 96] for at in starts], [data[at:at + 64] for at in starts]


def read_name(data):
    found = log.read(data, {1: (log.DELIMITED, log.size(16), False), 2: (log.VARINT, log.anything, False),
                            3: (log.DELIMITED, log.size(32), False)})
    if {1, 2, 3} - set(found) or not 1 <= found[2] < 1 << 63:
        return None
    return Name(found[1], found[2], found[3])


def read_role(found):
    return found.get(2, 0) if 1 <= found.get(2, 0) <= 4 else None


def read_grant(data):
    found = log.read(data, {1: (log.DELIMITED, log.size(16), False), 2: (log.VARINT, log.anything, False),
                            3: (log.DELIMITED, log.size(32), False)})
    return (found[1], read_role(found), found.get(3)) if 1 in found and read_role(found) else None


def read_revocation(data):
    found = log.read(data, {1: (log.DELIMITED, log.size(16), False), 2: (log.DELIMITED, read_name, True)})
    cut = {name for name in found.get(2, []) if name}
    return (found[1], cut) if 1 in found and len(cut) <= MOST_CUT else None


def read_invitation(data):
    found = log.read(data, {1: (log.DELIMITED, log.size(32), False), 2: (log.VARINT, log.anything, False),
                            3: (log.VARINT, log.anything, False), 4: (log.VARINT, log.anything, False)})
    return (found[1], read_role(found), max(1, found.get(4, 1))) if 1 in found and read_role(found) else None


def read_withdrawal(data):
    return log.read(data, {1: (log.DELIMITED, log.size(32), False)}).get(1)


def read_request(data):
    found = log.read(data, {1: (log.DELIMITED, log.size(32), False), 2: (log.DELIMITED, log.size(64), False)})
    return (found[1], found[2]) if 1 in found and 2 in found else None


def read_void(data):
    found = log.read(data, {1: (log.DELIMITED, read_name, False), 2: (log.VARINT, log.anything, False)})
    return (found[1], found.get(2, 0) == 0) if found.get(1) else None


def read_replacement(data):
    return log.read(data, {1: (log.DELIMITED, read_name, False)}).get(1)


READERS = {1: read_grant, 2: read_revocation, 3: read_invitation, 4: read_withdrawal, 5: read_request, 6: read_void,
           17: read_replacement}


def read_statement(data, readers=READERS):
    """The number and the value of a statement; None if it says nothing."""
    try:
        parts = list(log.fields(data))
        if len(parts) != 1 or parts[0][0] not in readers or parts[0][1] != log.DELIMITED:
            return None
        value = readers[parts[0][0]](parts[0][2])
        return (parts[0][0], value) if value is not None else None
    except log.Malformed:
        return None


class Members:
    """The members of a journal, from its commits in any order."""

    def __init__(self, journal):
        self.journal = journal
        self.founder = None
        self.entries = {}
        self.claims = []
        self.keys = {}
        self.saying = set()
        self.previous = {}
        self.times = {}
        self.members = {}
        self.replacements = {}

    def add(self, header, stored, before, payload):
        """A commit with its hash and that of the one before it, and its payload if it can be read."""
        name = Name(header.replica, header.sequence, stored)
        self.previous[name] = Name(header.replica, header.sequence - 1, before) if header.sequence > 1 else None
        self.times[name] = header.timestamp
        if header.features & FEATURE:
            self.saying.add(stored)
        if payload is None:
            return
        if header.sequence == 1 and payload.introduction.get(1):
            said = payload.introduction
            self.keys[header.replica] = said[1]
            keys, signatures = read_keys(said.get(7, b""))
            for key in [said[1]] + keys:
                if 5 in said and journal_id(key, said[5]) == self.journal:
                    self.founder = replica_id(key)
            if 3 in said and 6 in said:
                if not keys or replica_id(keys[0]) != said[3]:
                    keys, signatures = [None], []
                granted = said.get(8, 0) != 0
                self.claims.append((said[3], list(zip([said[6]] + signatures, keys, [said[1]] + keys)), stored, granted))
        if not header.features & FEATURE or len(payload.membership) > MOST_STATEMENTS:
            return
        if sum(map(len, payload.membership)) > MOST_STATEMENT_BYTES:
            return
        for index, data in enumerate(payload.membership):
            statement = read_statement(data)
            if statement is None:
                continue
            kind, value = statement
            entry = Entry(name, index, header.timestamp, kind, value)
            self.entries.setdefault(header.replica, []).append(entry)

    def stands(self, name, cuts):
        return all(any(self.precedes(name, end) for end in cut) for cut in cuts)

    def precedes(self, name, end):
        while end in self.previous and end is not None:
            if end == name:
                return True
            end = self.previous[end]
        return False

    def in_place_of(self, replica):
        """A replica and all those that it succeeds."""
        seen, waiting = {replica}, [replica]
        while waiting:
            new = self.formers.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        return seen

    def cuts_of(self, replica):
        found = [cut for at in self.in_place_of(replica) for cut in self.revocations.get(at, [])]
        return [{name for name in cut if name.replica == replica} for cut in found]

    def replace(self, replica, own=()):
        """Finds which commits of a replica are replaced; `own` are its statements if it is an admin."""
        found = []
        said = [entry for entries in self.entries.values() for entry in entries
                if entry.kind == 17 and entry.value.replica == replica and entry.timestamp >= EARLIEST_REPLACEMENT]
        for entry in sorted(said, key=lambda entry: (entry.timestamp, place(entry))):
            by = entry.name.replica
            line = self.in_place_of(by)
            if replica not in line:
                continue
            cuts = self.cuts_of(by)
            if by != replica:
                cuts += [one.value[1] for one in own if one.kind == 2 and one.value[0] in line - {replica}
                         and one.value[0] not in self.members]
            if self.stands(entry.name, cuts):
                found.append(entry)
        commits = list(dict.fromkeys(entry.name for entry in found))[:MOST_REPLACEMENTS]
        self.replacements[replica] = [entry for entry in found if entry.name in commits]

    def is_replaced(self, name):
        return any(self.times[name] > entry.timestamp + DAY and self.precedes(name, entry.value)
                   for entry in self.replacements.get(name.replica, ()))

    def counting(self, replica):
        cuts = self.members[replica].cuts
        found = [entry for entry in self.entries.get(replica, []) if self.stands(entry.name, cuts)]
        return sorted(found, key=place)

    def resolve(self):
        self.formers, self.successors, self.revocations = {}, {}, {}
        for previous, links, stored, granted in self.claims:
            for number, (signature, by, key) in enumerate(links):
                by = by or self.keys.get(previous)
                former, successor = replica_id(by or b""), replica_id(key)
                if by is None or former == successor:
                    break
                if not log.is_valid(signature, by, HANDOVER_DOMAIN + self.journal + former + key):
                    break
                self.formers.setdefault(successor, set()).add(former)
                found = self.successors.setdefault(former, {})
                shown = (-number, stored, granted)
                found[successor] = min(found.get(successor, shown), shown)
        said = []
        self.taken = {}
        candidates = [] if self.founder is None else [((), self.founder, None)]
        while candidates:
            candidates = [candidate for candidate in candidates if len(candidate[0]) <= LONGEST_PATH]
            candidates.sort(key=lambda candidate: (len(candidate[0]), candidate[0]))
            path, replica, root = candidates.pop(0)
            if replica in self.members or root is not None and not self.take(root):
                continue
            root = root or replica
            cuts = self.cuts_of(replica)
            self.members[replica] = Member(ADMIN, path, cuts, bool(cuts))
            entries = self.counting(replica)
            self.replace(replica, entries)
            entries = [entry for entry in entries if not self.is_replaced(entry.name)]
            said += [(replica, entry) for entry in entries]
            for entry in entries:
                if entry.kind == 1 and entry.value[1] == ADMIN:
                    candidates.append((path + (place(entry),), entry.value[0], None))
                if entry.kind == 2 and entry.value[0] not in self.members:
                    self.revocations.setdefault(entry.value[0], []).append(entry.value[1])
            for successor, (_, stored, granted) in self.successors.get(replica, {}).items():
                candidates.append((path + ((1, stored, 0),), successor, None if granted else root))
        self.resolve_others(said)
        for replica in self.keys:
            if replica not in self.members or self.members[replica].role != ADMIN:
                self.replace(replica)
        self.resolve_invitations(said)
        self.resolve_voids()

    def take(self, root):
        """Whether there is room for one more in the place of a replica that was granted its role."""
        if self.taken.get(root, 0) >= MOST_SUCCESSORS:
            return False
        self.taken[root] = self.taken.get(root, 0) + 1
        return True

    def resolve_others(self, said):
        roles = {}
        for _, entry in said:
            if entry.kind == 1 and entry.value[1] != ADMIN and entry.value[0] not in self.members:
                roles[entry.value[0]] = max(entry.value[1], roles.get(entry.value[0], 0))
        for role in (WRITE, READ, RELAY):
            level = [(replica, replica) for replica in roles if roles[replica] == role]
            while level:
                steps = sorted((stored, former, successor, root) for former, root in level
                               for successor, (_, stored, _) in self.successors.get(former, {}).items())
                level = []
                for _, _, successor, root in steps:
                    if successor not in self.members and roles.get(successor, 0) < role and self.take(root):
                        roles[successor] = role
                        level.append((successor, root))
        for replica, role in roles.items():
            cuts = self.cuts_of(replica)
            self.members[replica] = Member(role, (), cuts, bool(cuts))

    def resolve_invitations(self, said):
        made = {}
        for _, entry in said:
            if entry.kind == 3:
                made.setdefault(entry.value[0], entry.value[2])
        for _, entry in said:
            if entry.kind == 4:
                made.pop(entry.value, None)
        self.invitations = {
            key: len({entry.value[0] for _, entry in said if entry.kind == 1 and entry.value[2] == key})
            for key in made
        }
        open_keys = {key for key in made if self.invitations[key] < made[key]}
        self.waiting = {
            replica
            for replica, entries in self.entries.items()
            if replica not in self.members
            and any(self.asks(replica, e, open_keys) for e in self.first_requests(entries))
        }
        self.all_waiting = {one for replica in self.waiting for one in self.granted_with(replica)}

    def first_requests(self, entries):
        found = [entry for entry in entries if entry.kind == 5 and not self.is_replaced(entry.name)]
        return sorted(found, key=place)[:MOST_REQUESTS]

    def asks(self, replica, entry, keys):
        key, signature = entry.value
        return key in keys and log.is_valid(signature, key, INVITATION_DOMAIN + self.journal + replica)

    def resolve_voids(self):
        words = {}
        for replica, member in self.members.items():
            if member.role < WRITE:
                continue
            for entry in self.entries.get(replica, []):
                if entry.kind != 6 or not self.stands(entry.name, member.cuts) or self.is_replaced(entry.name):
                    continue
                target, is_void = entry.value
                if target.hash in self.saying or member.role != ADMIN and target.replica != replica:
                    continue
                order = (member.role == ADMIN, entry.timestamp, replica, entry.name.hash, entry.index)
                words[target] = max(words.get(target, (order, is_void)), (order, is_void))
        self.void = {target for target, (_, is_void) in words.items() if is_void}

    def counts(self, name):
        member = self.members.get(name.replica)
        if member is None or member.role < WRITE or name in self.void or self.is_replaced(name):
            return False
        return self.stands(name, member.cuts)

    def granted_with(self, replica):
        """A replica and the nearest of those whose successor it is, that are no members and were not revoked."""
        found, seen = [replica], {replica}
        for at in found:
            for former in sorted(self.formers.get(at, set()) - seen):
                seen.add(former)
                if len(found) == MOST_GRANTEES:
                    return found
                if former not in self.members and former not in self.revocations:
                    found.append(former)
        return found

    def lines(self):
        """What is decided, a line each."""
        words = {RELAY: "relay", READ: "read", WRITE: "write", ADMIN: "admin"}
        for replica in sorted(self.members):
            member = self.members[replica]
            yield f"member {replica.hex()} {words[member.role]}{' revoked' if member.revoked else ''}"
        for replica in sorted(self.waiting):
            yield f"waiting {replica.hex()}"
        for key in sorted(self.invitations):
            yield f"invitation {key.hex()} used {self.invitations[key]}"
        for name in sorted(self.previous):
            if self.counts(name):
                yield f"counts {name.hash.hex()}"


def place(entry):
    return (entry.name.sequence, entry.name.hash, entry.index)
