"""Verifies a log of trips: `python3 verify_log.py FOLDER`, the folder being the one with `data.mdb`.

Written from LogFormat.md alone, to prove that the document is enough; it shares nothing with the library. It prints a line
a finding and then a line that begins with "ok" or "not ok"; with `--state` before it a line for each register of each
entity that the merge of the commits comes to, with `--conflicts`, `--lists` and `--frontier` one for each of these.
`python3 verify_log.py --messages` reads lines `commit HEX` and `payload HEX` from standard input and prints for each
"malformed" or the number of its events; of lines `signature HEX`, a key, a signature and a message, whether it is valid; of
lines `leaves HEX` where the leaves of a payload end; and of lines `statement HEX` which statement it is, or "ignored". Needs
the packages lmdb and cryptography.
"""

import hashlib
import struct
import sys
from collections import namedtuple

import lmdb
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KNOWN_FORMAT = 1
KNOWN_FEATURES = 4 | 16
LARGEST_COMMIT = 16 << 20
MOST_EVENTS = 65536
MOST_CHANGES = 1 << 19
LONGEST_KEY = 1024
EVENTS = 15
COMMITS_BETWEEN_SIGNATURES = 1024
BYTES_BETWEEN_SIGNATURES = 1 << 20
DOMAIN = b"TripStore line signature v1\0"
ERASURE_DOMAIN = b"TripStore erasure v1".ljust(28, b"\0")
LARGEST_ERASURE_FRAME = 512
ENOUGH_ERASURES = 5
MOST_ERASURES = 20
GREATEST_ERASURE_NUMBER = 63
LEAST_EVENT = 16
MOST_LEAVES = MOST_EVENTS + 1
MOST_TIMES = 1024
MOST_TIMES_OF_ONE = 65
ALL = None
CREATED, EDITED, DELETED, RESTORED = 1, 2, 3, 4


class Malformed(Exception):
    """Bytes that are not the message expected."""


# The wire format


def varint(data, at):
    value = 0
    for index in range(10):
        if at + index >= len(data):
            raise Malformed("a number is cut off")
        byte = data[at + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if value >= 1 << 64:
                raise Malformed("a number is over 64 bits")
            return value, at + index + 1
    raise Malformed("a number is longer than ten bytes")


def fields(data):
    """Number, wire type and contents of each field: an int for types 0, 1 and 5, bytes for type 2."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        number, wire = tag >> 3, tag & 7
        if not 1 <= number < 1 << 29:
            raise Malformed(f"field number {number}")
        if wire == 0:
            value, at = varint(data, at)
        elif wire in (1, 2, 5):
            if wire == 2:
                size, at = varint(data, at)
            else:
                size = 8 if wire == 1 else 4
            if size > len(data) - at:
                raise Malformed(f"field {number} is cut off")
            value, at = data[at : at + size], at + size
            if wire != 2:
                value = int.from_bytes(value, "little")
        else:
            raise Malformed(f"wire type {wire}")
        yield number, wire, value


def exactly(data, numbers):
    """The contents of the delimited fields with these numbers, each once and in this order, lengths in their shortest form."""
    found, at = [], 0
    for number in numbers:
        need(at < len(data) and data[at] == number << 3 | 2, f"field {number} does not come where it belongs")
        length, end = varint(data, at + 1)
        need(end - at - 1 == max(1, (length.bit_length() + 6) // 7), f"a length of {end - at - 1} bytes")
        need(length <= len(data) - end, f"field {number} is cut off")
        found.append(data[end : end + length])
        at = end + length
    need(at == len(data), "bytes after the last field")
    return found


VARINT, FIXED64, DELIMITED = 0, 1, 2


def read(data, known):
    """The fields of a message by number, lists for repeated ones. `known`: number → (wire type, check, is repeated)."""
    found = {}
    for number, wire, value in fields(data):
        if number not in known:
            continue
        expected, check, repeated = known[number]
        if wire != expected:
            raise Malformed(f"field {number} has wire type {wire}")
        value = check(value)
        if repeated:
            found.setdefault(number, []).append(value)
        else:
            found[number] = value
    return found


def anything(value):
    return value


def size(count):
    def check(value):
        if len(value) != count:
            raise Malformed(f"{len(value)} bytes where {count} belong")
        return value

    return check


def uint32(value):
    if value >= 1 << 32:
        raise Malformed(f"{value} is over 32 bits")
    return value


def zigzag(value):
    return (value >> 1) ^ -(value & 1)


def need(is_right, words):
    if not is_right:
        raise Malformed(words)


# Messages

# `holes` of a commit of which leaves were erased: the number of each, its hash, and the salts of the others.
Commit = namedtuple("Commit", "header_bytes header salt payload_bytes holes")
Holes = namedtuple("Holes", "leaves hashes salts")
Header = namedtuple("Header", "format journal replica sequence timestamp wall_clock schema payload_hash features")
# `held`: what the author held, as (replica, time); none if the payload does not say it.
Payload = namedtuple("Payload", "events public_key introduction membership replicas held erasing")
Event = namedtuple("Event", "verb kind id changes original seen")
Change = namedtuple("Change", "field key value seen")


def read_commit(data):
    need(data[:1] == b"\x0a", "no header")
    length, at = varint(data, 1)
    (header,), rest = exactly(data[: at + length], [1]), data[at + length :]
    salt = payload = holes = None
    if rest[:1] == b"\x1a":
        payload, leaves, hashes, salts = exactly(rest, [3, 4, 5, 6])
        leaves = read_leaves(leaves)
        need(leaves and len(hashes) == 32 * len(leaves) and len(salts) % 16 == 0, "holes that do not fit together")
        count = len(leaves) + len(salts) // 16
        need(count <= MOST_LEAVES and leaves[-1] < count, f"{count} leaves, and number {leaves[-1]} is missing")
        holes = Holes(leaves, pieces(hashes, 32), pieces(salts, 16))
    elif rest:
        salt, payload = exactly(rest, [2, 3])
        size(16)(salt)
    return Commit(header, read_header(header), salt, payload, holes)


def pieces(data, length):
    return [data[at : at + length] for at in range(0, len(data), length)]


def read_leaves(data):
    """Numbers of leaves, ascending: each as how many were passed over since the one before."""
    found, at = [], 0
    while at < len(data):
        gap, end = varint(data, at)
        need(end - at == max(1, (gap.bit_length() + 6) // 7), "a number not in its shortest form")
        found.append((found[-1] + 1 if found else 0) + gap)
        need(found[-1] < MOST_LEAVES, f"a leaf of number {found[-1]}")
        at = end
    return found


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def cut(payload, most=MOST_LEAVES):
    """The leaves of a payload: what stands before the first event, and each event with what stands before the next."""
    starts, at = [0], 0
    while at < len(payload) and len(starts) < most:
        start = at
        try:
            tag, at = varint(payload, at)
            need(1 <= tag >> 3 < 1 << 29, "no field")
            if tag & 7 == 0:
                at = varint(payload, at)[1]
            else:
                length, at = varint(payload, at) if tag & 7 == 2 else ({1: 8, 5: 4}[tag & 7], at)
                need(length <= len(payload) - at, "cut off")
                at += length
        except (Malformed, KeyError):
            break
        if tag == EVENTS << 3 | 2:
            starts.append(start)
    return [payload[a:b] for a, b in zip(starts, starts[1:] + [len(payload)])]


def leaf_salt(salt, index):
    return pieces(sha256(b"\2", salt, struct.pack(">I", index // 2)), 16)[index % 2]


def payload_hash(commit):
    if commit.holes is None:
        leaves = cut(commit.payload_bytes)
        if any(len(leaf) < LEAST_EVENT for leaf in leaves[1:]):
            return None
        pairs = [(leaf_salt(commit.salt, index), leaf) for index, leaf in enumerate(leaves)]
        return sha256(b"\1", *(sha256(b"\0", *pair) for pair in pairs))
    holes = commit.holes
    # What is left is cut where the whole was: before each event.
    lacks_first = holes.leaves[0] == 0
    left = cut(commit.payload_bytes, len(holes.salts) + lacks_first)
    if len(left) != len(holes.salts) + lacks_first or (lacks_first and left.pop(0)):
        return None
    if any(len(leaf) < LEAST_EVENT for leaf in (left if lacks_first else left[1:])):
        return None
    hashes = iter(holes.hashes)
    kept = iter(sha256(b"\0", salt, leaf) for salt, leaf in zip(holes.salts, left))
    missing = set(holes.leaves)
    count = len(holes.leaves) + len(holes.salts)
    return sha256(b"\1", *(next(hashes if leaf in missing else kept) for leaf in range(count)))


def weight(commit, data):
    """What a commit counts where bytes have a bound."""
    if commit.holes is None:
        return len(data)
    return max(0, len(data) - 16 - 24 * len(commit.holes.leaves) - 16 * len(commit.holes.salts))


Erasure = namedtuple("Erasure", "journal replica sequence hash key eraser leaves number statement signature")
# A commit of which something is erased, or said to be, and how many leaves it has; the leaves that are missing
Concerned = namedtuple("Concerned", "where header hash missing count erasures")


def read_erasure(data):
    sizes = []

    def leaves(value):
        sizes.append(len(value))
        return tuple(read_leaves(value))

    statement, signature = exactly(data, [1, 2])
    size(64)(signature)
    found = read(
        statement,
        {
            1: (DELIMITED, size(16), False),
            2: (DELIMITED, size(16), False),
            3: (VARINT, anything, False),
            4: (DELIMITED, size(32), False),
            5: (DELIMITED, size(32), False),
            6: (VARINT, zigzag, False),
            7: (DELIMITED, leaves, False),
            8: (VARINT, uint32, False),
        },
    )
    need(len(data) - sum(sizes[-1:]) <= LARGEST_ERASURE_FRAME, f"an erasure of {len(data)} bytes")
    need(all(number in found for number in (1, 2, 4, 5)), "an erasure of nothing, or by nobody")
    need(2 <= found.get(3, 0) < 1 << 63, "an erasure of a first commit")
    need(found.get(7, ALL) != (), "an erasure of no leaf")
    number = found.get(8, 0)
    need(number <= GREATEST_ERASURE_NUMBER, f"an erasure of the number {number}")
    names = (found[1], found[2], found[3], found[4], found[5], sha256(found[5])[:16], found.get(7, ALL))
    return Erasure(*names, number, statement, signature)


def names_what_is_there(erasure, count):
    """Whether a commit with so many leaves, none if all of it is gone, has those that an erasure names."""
    return erasure.leaves is ALL or not count or erasure.leaves[-1] < count


def is_signed(erasure):
    return is_valid(erasure.signature, erasure.key, ERASURE_DOMAIN + erasure.statement)


def by_whom(erasures):
    own = [one for one in erasures if one.eraser == one.replica]
    others = [one for one in erasures if one.eraser != one.replica]
    return [needed_alone(some)[:ENOUGH_ERASURES] for some in (own, others)]


def needed_alone(erasures):
    """Those that no other makes superfluous."""
    found = []
    for one in sorted(set(erasures), key=lambda one: sha256(message_of(one))):
        if any(is_superfluous(one, other) for other in found):
            continue
        found = [other for other in found if not is_superfluous(other, one)] + [one]
    return found


def message_of(erasure):
    parts = ((0x0A, erasure.statement), (0x12, erasure.signature))
    return b"".join(bytes([tag]) + write_varint(len(part)) + part for tag, part in parts)


def write_varint(value):
    written = b""
    while value >= 0x80:
        written, value = written + bytes([value & 0x7F | 0x80]), value >> 7
    return written + bytes([value])


def is_superfluous(one, other):
    if other.leaves is ALL or one.leaves == other.leaves:
        return True
    return one.leaves is not ALL and one.number < other.number and set(one.leaves) <= set(other.leaves)


def named_leaves(erasures, count):
    """What erasures of one commit with so many leaves name together: ALL, or a set."""
    if any(erasure.leaves is ALL for erasure in erasures):
        return ALL
    if any(len(some) >= ENOUGH_ERASURES for some in by_whom(erasures)):
        return set(range(count))
    return set().union(*(erasure.leaves for erasure in erasures))


def read_header(data):
    found = read(
        data,
        {
            1: (VARINT, uint32, False),
            2: (DELIMITED, size(16), False),
            3: (DELIMITED, size(16), False),
            4: (VARINT, anything, False),
            5: (FIXED64, anything, False),
            6: (VARINT, zigzag, False),
            7: (VARINT, uint32, False),
            8: (DELIMITED, size(32), False),
            9: (VARINT, uint32, False),
        },
    )
    need(found.get(1, 0) != 0, "no format")
    need(2 in found and 3 in found and 8 in found, "no journal, replica or payload hash")
    need(1 <= found.get(4, 0) < 1 << 63, "no sequence from 1 to 2^63 - 1")
    need(1 <= found.get(5, 0) < 1 << 63, "no timestamp from 1 to 2^63 - 1")
    optional = found.get(6), found.get(7, 0), found[8], found.get(9, 0)
    return Header(found[1], found[2], found[3], found[4], found[5], *optional)


def read_payload(data):
    introductions = {}

    def times(value):
        need(len(value) % 8 == 0 and len(value) // 8 <= MOST_EVENTS, "times that are not 8 bytes each")
        return value

    # Those after the first event are ignored.
    replicas, held, are_events = [], [b""], []

    def replica(value):
        if not are_events:
            replicas.append(size(16)(value))
        return size(16)(value)

    def newest(value):
        if not are_events:
            held[0] = times(value)
        return times(value)

    def event(value):
        are_events.append(True)
        return read_event(value)

    def introduction(value):
        known = {
            1: (DELIMITED, size(32), False),
            2: (DELIMITED, anything, False),
            3: (DELIMITED, size(16), False),
            4: (DELIMITED, anything, False),
            5: (DELIMITED, size(16), False),
            6: (DELIMITED, size(64), False),
            7: (DELIMITED, anything, False),
            8: (VARINT, anything, False),
        }
        introductions.update(read(value, known))
        return value

    found = read(
        data,
        {
            1: (DELIMITED, anything, False),
            2: (DELIMITED, size(16), False),
            3: (DELIMITED, size(16), False),
            4: (DELIMITED, size(16), False),
            5: (DELIMITED, introduction, False),
            6: (DELIMITED, replica, True),
            8: (DELIMITED, anything, True),
            12: (DELIMITED, newest, False),
            EVENTS: (DELIMITED, event, True),
        },
    )
    events = found.get(EVENTS, [])
    need(len(events) <= MOST_EVENTS, f"{len(events)} events")
    need(len(found.get(6, [])) <= MOST_EVENTS, f"{len(found.get(6, []))} replicas")
    changes = sum(len(event.changes) for event in events)
    need(changes <= MOST_CHANGES, f"{changes} changes")
    numbers = [int.from_bytes(time, "little") for time in pieces(held[0], 8)]
    pairs = [(replica, time) for replica, time in zip(replicas, numbers) if time][:MOST_TIMES]
    # Versions that do not know the field skip it, whatever its wire type.
    erasing = [value for number, wire, value in fields(data) if (number, wire) == (13, DELIMITED)]
    held = newest_of_each(pairs)
    return Payload(events, introductions.get(1), introductions, found.get(8, []), replicas, held, erasing)


def newest_of_each(pairs):
    """Of each replica the latest times."""
    found = {}
    for replica, time in sorted(set(pairs), key=lambda pair: pair[1], reverse=True):
        if len(found.setdefault(replica, [])) < MOST_TIMES_OF_ONE:
            found[replica].append(time)
    return found


def read_event(data):
    found = read(
        data,
        {
            1: (VARINT, uint32, False),
            2: (VARINT, uint32, False),
            3: (DELIMITED, size(16), False),
            4: (DELIMITED, read_change, True),
            5: (FIXED64, anything, False),
            6: (VARINT, uint32, False),
            7: (FIXED64, anything, False),
        },
    )
    need(found.get(1, 0) != 0, "an event without a verb")
    need(1 <= found.get(2, 0) <= 65535, "an event without a kind from 1 to 65,535")
    need(3 in found, "an event without an id")
    seen = (found[5], found.get(6, 0)) if 5 in found else None
    return Event(found[1], found[2], found[3], found.get(4, []), found.get(7, 0), seen)


def read_change(data):
    found = read(
        data,
        {
            1: (VARINT, anything, False),
            2: (DELIMITED, anything, False),
            3: (DELIMITED, anything, False),
            5: (FIXED64, anything, False),
            6: (VARINT, uint32, False),
        },
    )
    need(1 <= found.get(1, 0) < 1 << 56, "a change without a field from 1 to 2^56 - 1")
    need(len(found.get(2, b"")) <= LONGEST_KEY, "a change with a key that is too long")
    seen = (found[5], found.get(6, 0)) if 5 in found else None
    return Change(found[1], found.get(2, b""), found.get(3), seen)


# Signatures

# The y of the points of small order.
SMALL_ORDER = [0, 1, 2**255 - 20] + [
    int.from_bytes(bytes.fromhex(digits), "little")
    for digits in (
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
]


def is_valid(signature, public_key, message):
    """Whether a signature is valid by the one rule, of which libraries depart in one way or another."""
    if len(signature) != 64 or len(public_key) != 32:
        return False
    for point in (public_key, signature[:32]):
        y = int.from_bytes(point, "little") & ~(1 << 255)
        if y >= 2**255 - 19 or y in SMALL_ORDER:
            return False
    if int.from_bytes(signature[32:], "little") >= 2**252 + 27742317777372353535851937790883648493:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


# Lines


class Line:
    """What the commits of a replica in a journal come to."""

    def __init__(self):
        self.sequence = 0
        self.hash = bytes(32)
        self.timestamp = 0
        self.position = 0
        self.signed = 0
        self.unsigned_commits = 0
        self.unsigned_bytes = 0
        self.runs = {}


class Verifier:
    def __init__(self, tables):
        self.tables = tables
        self.findings = []
        self.lines = {}
        self.commits = 0
        self.events = 0
        self.erased_events = 0
        self.erased_commits = 0
        # Hash of a commit → its erasures, and how many leaves it has; and what is judged of them.
        self.erasures = {}
        self.leaf_counts = {}
        self.concerned = []
        # Journal → what is said to be erased; and the positions of commits that say it.
        self.erasing = {}
        self.erasing_positions = {}
        self.heads = {}
        # Branch → (the line it leaves, its first sequence); and (line, sequence) → what is found there, for branches.
        self.branches = {}
        self.left = {}
        self.public_keys = {}
        self.signatures = {}
        # (kind, id) → path → (order of the merge, value)
        self.registers = {}
        # What is to be merged once it is known whether it counts; and what of it does.
        self.said = []
        self.counting = []
        # Commits by (journal, replica), each with the hash before it, and those that are signed: for frontiers, and for what was held.
        self.previous = {}
        self.signed = {}
        # Of journals that somebody founded
        self.members = {}
        self.member_positions = set()

    def find(self, where, words):
        self.findings.append(f"{where}: {words}")

    def verify(self):
        self.read_heads()
        self.read_signatures()
        self.read_erasures()
        for index, (key, value) in enumerate(self.tables["log"].items()):
            position = int.from_bytes(key, "big")
            if len(key) != 8 or position != index + 1:
                self.find(f"position {position}", f"is the row {index + 1} of the log")
            self.check_commit(f"position {position}", position, value)
        for (line, sequence) in self.signatures:
            self.find("signatures", f"a row for commit {sequence} of {line[1].hex()}, which is not here")
        for commit in self.erasures:
            self.find("erasures", f"a row of the commit {commit.hex()}, which is not here")
        self.check_heads()
        self.check_runs()
        self.check_members()
        self.check_erasures()
        self.check_meta()

    def read_heads(self):
        for key, value in self.tables["heads"].items():
            if (len(key), len(value)) not in ((32, 76), (64, 88)):
                self.find("heads", "a row has the wrong size")
                continue
            self.heads[key[:16], key[16:32], key[32:]] = struct.unpack(">IQ32sQQQQ", value[:76])
            if len(key) == 64:
                self.branches[key[:16], key[16:32], key[32:]] = struct.unpack(">IQ", value[76:])
        numbers = sorted(head[0] for head in self.heads.values())
        if numbers != list(range(1, len(numbers) + 1)):
            self.find("heads", f"the lines have the numbers {numbers}")
        self.lines_by_number = {head[0]: line for line, head in self.heads.items()}
        for line, (parent, first) in self.branches.items():
            left = self.lines_by_number.get(parent)
            if (parent == 0) != (first == 1) or (parent and (left is None or left[:2] != line[:2])):
                self.find("heads", f"the branch {line[2].hex()} leaves line {parent} with commit {first}")
            if left is not None:
                self.left[left, first - 1] = None

    def read_signatures(self):
        for key, value in self.tables["signatures"].items():
            line = self.lines_by_number.get(int.from_bytes(key[:4], "big"))
            if len(key) != 12 or len(value) != 64 or line is None:
                self.find("signatures", "a row belongs to no line or has the wrong size")
                continue
            self.signatures[line, int.from_bytes(key[4:], "big")] = value

    def read_erasures(self):
        for key, value in self.tables["erasures"].items():
            try:
                erasure = read_erasure(value)
            except Malformed as error:
                self.find("erasures", f"a row that is malformed: {error}")
                continue
            if key != erasure.hash + sha256(value)[:16]:
                self.find("erasures", "a row has the key of another")
            self.erasures.setdefault(erasure.hash, []).append(erasure)

    def check_commit(self, where, position, value):
        self.commits += 1
        stored, data = value[:32], value[32:]
        if not data:
            return self.find(where, "too short for a commit")
        try:
            commit = read_commit(data)
        except Malformed as error:
            self.erasures.pop(stored, None)
            return self.find(where, f"malformed commit: {error}")
        header = commit.header
        key = self.line_of(commit, stored)
        line = self.lines.setdefault(key, self.begin(key))
        if header.format > KNOWN_FORMAT:
            self.find(where, f"format {header.format}")
        if weight(commit, data) > LARGEST_COMMIT:
            self.find(where, f"a commit of {len(data)} bytes")
        if header.sequence != line.sequence + 1:
            self.find(where, f"commit {header.sequence} after {line.sequence}")
        if header.timestamp <= line.timestamp:
            self.find(where, f"timestamp {header.timestamp} after {line.timestamp}")
        if hashlib.sha256(line.hash + commit.header_bytes).digest() != stored:
            self.find(where, "another hash than that of the chain")
        if position != line.position + 1 or not line.runs:
            line.runs[header.sequence] = position
        payload, indexes = self.check_payload(where, commit, stored)
        if header.sequence == 1:
            if header.features:
                self.find(where, "a first commit with features")
            public_key = payload.public_key if payload else None
            if public_key is None or hashlib.sha256(public_key).digest()[:16] != header.replica:
                self.find(where, "no key that gives the id of the replica")
            else:
                self.public_keys[header.journal, header.replica] = public_key
        if members.is_founded(header.journal):
            of = self.members.setdefault(header.journal, members.Members(header.journal))
            of.add(header, stored, line.hash, payload)
            if header.sequence == 1 or header.features & members.FEATURE:
                self.member_positions.add(position)
        if header.features & erasing.FEATURE:
            self.erasing_positions.setdefault(header.journal, set()).add(position)
            if (self.leaf_counts.get(stored) or 1) > 1:
                self.find(where, "events in a commit that says what is erased")
        of = (header.journal, header.replica)
        self.previous.setdefault(of, {})[stored] = (header.sequence, line.hash, header.timestamp)
        if (key, header.sequence) in self.signatures:
            self.signed.setdefault(of, set()).add(stored)
        line.sequence, line.hash, line.timestamp, line.position = header.sequence, stored, header.timestamp, position
        line.unsigned_commits += 1
        line.unsigned_bytes += weight(commit, data)
        if (key, header.sequence) in self.left:
            self.left[key, header.sequence] = (stored, header.timestamp)
        self.check_signature(where, header, key, line)
        if payload:
            self.said.append((header, stored, payload, list(zip(indexes, payload.events))))

    def line_of(self, commit, stored):
        """The branch that a commit begins, or the line of its replica that it goes on with."""
        header = commit.header
        trunk = (header.journal, header.replica, b"")
        begun = trunk[:2] + (stored,)
        if begun in self.branches and begun not in self.lines and self.branches[begun][1] == header.sequence:
            return begun
        for line in [trunk] + [line for line in self.branches if line[:2] == trunk[:2]]:
            state = self.lines.get(line)
            if state is None or state.sequence + 1 != header.sequence:
                continue
            if hashlib.sha256(state.hash + commit.header_bytes).digest() == stored:
                return line
        return trunk

    def begin(self, key):
        line = Line()
        if key in self.branches:
            parent, first = self.branches[key]
            found = self.left.get((self.lines_by_number.get(parent), first - 1))
            if found is not None:
                line.sequence, line.hash, line.timestamp = first - 1, found[0], found[1]
        return line

    def check_payload(self, where, commit, stored):
        """The payload, or what is left of it, and the indexes of its events; none if it is not to be read."""
        if commit.payload_bytes is not None and payload_hash(commit) != commit.header.payload_hash:
            self.find(where, "another payload than the header's")
            self.erasures.pop(stored, None)
            return None, []
        self.note_erasures(where, commit, stored)
        if commit.payload_bytes is None or commit.header.features & ~KNOWN_FEATURES:
            return None, []
        try:
            payload = read_payload(commit.payload_bytes)
        except Malformed as error:
            self.find(where, f"malformed payload: {error}")
            return None, []
        self.events += len(payload.events)
        missing = set(commit.holes.leaves) if commit.holes else set()
        return payload, [index for index in range(MOST_EVENTS) if index + 1 not in missing]

    def note_erasures(self, where, commit, stored):
        missing = set(commit.holes.leaves) if commit.holes else set()
        count = 0
        if commit.payload_bytes is not None:
            count = len(missing) + len(commit.holes.salts) if commit.holes else len(cut(commit.payload_bytes))
            self.erased_events += len(missing - {0})
        else:
            missing = ALL
            self.erased_commits += 1
        self.leaf_counts[stored] = count
        erasures = self.erasures.pop(stored, [])
        if erasures or missing is ALL or missing:
            self.concerned.append(Concerned(where, commit.header, stored, missing, count, erasures))

    def check_erasures(self):
        """Nothing is missing that no erasure names."""
        for where, header, stored, missing, count, erasures in self.concerned:
            name = (header.journal, header.replica, header.sequence, stored)
            right = [
                one
                for one in erasures
                if one[:4] == name and not header.features & (members.FEATURE | erasing.FEATURE)
                and names_what_is_there(one, count) and is_signed(one)
                and missing != set() and (one.leaves is ALL or missing is ALL or not missing.isdisjoint(one.leaves))
            ][:MOST_ERASURES]
            rights = erasing.Erasing(header.journal, self.members.get(header.journal))
            named = named_leaves([one for one in right if rights.erases(one.eraser, header.replica)], count)
            if not (named is ALL or missing is not ALL and missing <= named):
                self.find(where, "a payload that is not all here, and no erasure by who may names what is missing")
            if len(right) < len(erasures):
                self.find(where, f"{len(erasures) - len(right)} erasures that name nothing that is missing, or are too many")

    def check_signature(self, where, header, key, line):
        signature = self.signatures.pop((key, header.sequence), None)
        if signature is None:
            if (
                line.unsigned_commits >= COMMITS_BETWEEN_SIGNATURES
                or line.unsigned_bytes >= BYTES_BETWEEN_SIGNATURES
            ):
                self.find(where, f"{line.unsigned_commits} commits without a signature")
                line.unsigned_commits = 0
            return
        line.signed, line.unsigned_commits, line.unsigned_bytes = header.sequence, 0, 0
        message = DOMAIN + header.journal + header.replica + struct.pack(">Q", header.sequence) + line.hash
        if not is_valid(signature, self.public_keys.get((header.journal, header.replica), b""), message):
            self.find(where, "the signature is not valid")

    # Tables that follow from the commits

    def check_heads(self):
        for key, line in self.lines.items():
            head = self.heads.pop(key, None)
            derived = (
                line.sequence, line.hash, line.timestamp, line.position, line.signed, line.unsigned_bytes,
            )
            if head is None or head[1:] != derived:
                self.find("heads", f"the head of {key[1].hex()} is not what its commits come to")
        for key in self.heads:
            self.find("heads", f"a row for {key[1].hex()}, of which there is no commit")

    def check_runs(self):
        listed = {}
        for key, value in self.tables["runs"].items():
            line = self.lines_by_number.get(int.from_bytes(key[:4], "big"))
            if len(key) != 12 or len(value) != 8 or line is None:
                self.find("runs", "a row belongs to no line or has the wrong size")
                continue
            listed[line, int.from_bytes(key[4:], "big")] = int.from_bytes(value, "big")
        derived = {(key, first): at for key, line in self.lines.items() for first, at in line.runs.items()}
        if listed != derived:
            self.find("runs", "the rows are not the runs of the commits")

    def check_members(self):
        for of in self.members.values():
            of.resolve()
        for header, stored, payload, events in self.said:
            said = self.erasing.setdefault(
                header.journal, erasing.Erasing(header.journal, self.members.get(header.journal)))
            said.add(header, stored, payload)
        for header, stored, payload, events in self.said:
            of = self.members.get(header.journal)
            name = members.Name(header.replica, header.sequence, stored)
            payload, events = self.shown(header, name, payload, events)
            if of is None or of.counts(name):
                self.merge(header, stored, events)
                self.counting.append((header, stored, payload, events))
        rows = {int.from_bytes(key, "big") for key, value in self.tables["members"].items() if not value}
        if rows != self.member_positions or len(rows) != len(self.tables["members"]):
            self.find("members", "the rows are not the commits that may say who may write")

    def shown(self, header, name, payload, events):
        """The payload and the events without what is hidden."""
        if header.sequence == 1 or header.features & (members.FEATURE | erasing.FEATURE):
            return payload, events
        hidden = self.erasing[header.journal].hidden(name, self.leaf_counts[name.hash])
        if 0 in hidden:
            payload = payload._replace(replicas=[], held={})
        return payload, [(index, event) for index, event in events if index + 1 not in hidden]

    def check_erasing_index(self, meta):
        if b"erasing" not in meta:
            return
        rows = {key[8:]: value for key, value in meta.items() if key[:8] == b"erasing/" and len(key) == 16}
        listed = {int.from_bytes(key, "big") for key in rows}
        if listed != self.erasing_positions.get(meta.get(b"journal"), set()) or any(len(row) != 8 and row[8:] != b"\1" for row in rows.values()):
            self.find("meta", "the listed commits are not those that say what is erased")
        if len(meta[b"erasing"]) != 16 or (meta[b"erasing"] == bytes(16)) != (not rows):
            self.find("meta", "the state of what is erased is not 16 bytes, or is not that of the listed commits")

    def check_meta(self):
        meta = self.tables["meta"]
        if not meta and not self.commits:
            return
        version = meta.get(b"format", b"")
        if len(version) != 4 or not 1 <= int.from_bytes(version, "big") <= KNOWN_FORMAT:
            self.find("meta", f"format {version.hex()}")
        for name in (b"journal", b"replica"):
            if len(meta.get(name, b"")) != 16:
                self.find("meta", f"no {name.decode()}")
        own = meta.get(b"journal"), meta.get(b"replica"), b""
        if self.lines and all(line[0] != own[0] for line in self.lines):
            self.find("meta", "a journal of which there is no commit")
        newest = max([0] + [state.timestamp for line, state in self.lines.items() if line != own])
        seen = meta.get(b"seen", bytes(8))
        if len(seen) != 8 or int.from_bytes(seen, "big") != newest:
            self.find("meta", f"the newest timestamp of others is {newest}, not {seen.hex()}")
        founded = members.is_founded(meta.get(b"journal", bytes(16)))
        if len(meta.get(b"membership", b"")) != (16 if founded else 0):
            self.find("meta", "the state of the members is not 16 bytes, or there should be none")
        self.check_erasing_index(meta)
        if len(meta.get(b"rewrites", bytes(8))) != 8:
            self.find("meta", "the number of transactions that changed commits is not 8 bytes")
        try:
            meta.get(b"name", b"").decode()
        except UnicodeDecodeError:
            self.find("meta", "the name is not UTF-8")

    # The merge

    def merge(self, header, commit_hash, events):
        for index, event in events:
            time = min(header.timestamp, event.original or header.timestamp)
            order = (time, header.replica, commit_hash, index)
            entity = self.registers.setdefault((event.kind, event.id), {})
            if event.verb == CREATED:
                entity["created"] = min(entity.get("created", order), order)
            if event.verb in (DELETED, RESTORED):
                self.write(entity, (0, b""), order, b"\x01" if event.verb == DELETED else None)
            for change in event.changes:
                self.write(entity, (change.field, change.key), order, change.value)

    @staticmethod
    def write(entity, path, order, value):
        if path not in entity or entity[path][0] <= order:
            entity[path] = (order, value)

    def state(self):
        """A line for each register: kind, id, field, key, value; and one for each creation: kind, id, `created`, when."""
        for (kind, identity), entity in sorted(self.registers.items()):
            if "created" in entity:
                yield f"{kind} {identity.hex()} created {entity['created'][0]}"
            for path in sorted(path for path in entity if path != "created"):
                value = entity[path][1]
                words = "cleared" if value is None else f"={value.hex()}"
                yield f"{kind} {identity.hex()} {path[0]} ={path[1].hex()} {words}"


def judge(line):
    kind, _, digits = line.strip().partition(" ")
    try:
        data = bytes.fromhex(digits)
        if kind == "leaves":
            leaves = cut(data)
            return " ".join(str(sum(map(len, leaves[: number + 1]))) for number in range(len(leaves)))
        if kind == "statement":
            statement = members.read_statement(data)
            return str(statement[0]) if statement else "ignored"
        if kind == "signature":
            return "valid" if is_valid(data[32:96], data[:32], data[96:]) else "not valid"
        if kind == "commit":
            commit = read_commit(data)
            data = None if commit.header.features & ~KNOWN_FEATURES else commit.payload_bytes
        return str(len(read_payload(data).events)) if data is not None else "0"
    except Malformed:
        return "malformed"


def open_tables(folder):
    environment = lmdb.open(folder, max_dbs=8, readonly=True, create=False)
    tables = {}
    with environment.begin() as transaction:
        for name in ("log", "heads", "signatures", "runs", "meta", "erasures", "members"):
            table = environment.open_db(name.encode(), transaction, create=False)
            tables[name] = {bytes(key): bytes(value) for key, value in transaction.cursor(table)}
    return tables


def main(arguments):
    if arguments == ["--messages"]:
        for line in sys.stdin:
            print(judge(line))
        return 0
    verifier = Verifier(open_tables(arguments[-1]))
    verifier.verify()
    for finding in verifier.findings:
        print(finding)
    if "--members" in arguments:
        for of in verifier.members.values():
            for line in of.lines():
                print(line)
    if "--state" in arguments:
        for line in verifier.state():
            print(line)
    if "--conflicts" in arguments:
        import conflicts

        for line in conflicts.lines(verifier):
            print(line)
    if "--lists" in arguments:
        import lists

        for line in lists.lines(verifier.registers):
            print(line)
    if "--frontier" in arguments:
        import frontier

        for line in frontier.lines(verifier):
            print(line)
    print(
        "not ok" if verifier.findings else "ok",
        f"{verifier.commits} commits {verifier.events} events {len(verifier.lines)} lines "
        f"{verifier.erased_events} events and {verifier.erased_commits} commits erased",
    )
    return 1 if verifier.findings else 0


if __name__ == "__main__":
    sys.modules["verify_log"] = sys.modules["__main__"]
    import erasing
    import members

    sys.exit(main(sys.argv[1:]))
