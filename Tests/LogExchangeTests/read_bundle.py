"""Reads and checks bundle files: `python3 read_bundle.py FILE…`, in order, into one memory of what is held;
with `--each` before them into one memory each.

Written from ExchangeFormat.md and LogFormat.md alone, to prove that the documents are enough; it shares nothing with the
library. Messages of the log format are read by Tests/CodecTests/verify_log.py, which comes about in the same way. For each file
it prints a line: "ok" with the counts and the digest of the frontier held afterwards, or "not ok" with what is wrong; nothing of
a file that is not ok is held. Needs the packages lmdb and cryptography, and zstandard for files that are packed with zstd.
"""

import hashlib
import os
import sys
import zlib

try:
    import zstandard
except ImportError:
    zstandard = None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "CodecTests"))

from verify_log import ALL, DELIMITED, DOMAIN, ENOUGH_ERASURES, KNOWN_FEATURES, VARINT, Malformed
from verify_log import anything, cut, fields, is_signed, is_valid, named_leaves, names_what_is_there, need, payload_hash
from verify_log import read, read_commit, read_erasure, read_payload, size, uint32, weight, zigzag

import erasing
import members

MAGIC = b"TSBUNDLE"
PART = 1 << 20
VERSION = 2
LARGEST_RECORD = 32_195_687
LARGEST_BLOCK = 34_293_799
MOST_BYTES_PER_PACKED = 1024
MOST_COMMITS = 1024
MOST_BYTES_BEFORE_LAST = 1 << 20
LARGEST_COMMIT = 16 << 20
MOST_ERASURE_BYTES = 8 << 20
# Of one commit in a segment: those that count, and as many that do not.
MOST_ERASURES_OF_ONE = 4 * ENOUGH_ERASURES
# Commits with one of these features are never erased: members, and statements about erasures.
NEVER_ERASED = members.FEATURE | erasing.FEATURE


class Refused(Exception):
    """A file that is not taken in."""


def demand(is_right, words):
    if not is_right:
        raise Refused(words)


# Messages: commits' names are tuples (replica, sequence, hash), which sort as the document says


def read_name(data):
    found = read(
        data, {1: (DELIMITED, size(16), False), 2: (VARINT, anything, False), 3: (DELIMITED, size(32), False)}
    )
    need(1 in found and 3 in found and 1 <= found.get(2, 0) < 1 << 62, "a commit's name lacks a part")
    return found[1], found[2], found[3]


def read_frontier(data):
    found = read(data, {1: (DELIMITED, size(16), False), 2: (DELIMITED, read_name, True)})
    heads = sorted(set(found.get(2, [])))
    need(not heads or 1 in found, "heads without a journal")
    return (found[1] if heads else None), heads


def read_segment(data):
    found = read(
        data,
        {
            1: (DELIMITED, size(16), False),
            2: (DELIMITED, size(16), False),
            3: (VARINT, anything, False),
            4: (DELIMITED, size(32), False),
            5: (DELIMITED, anything, True),
            6: (DELIMITED, size(64), False),
            7: (DELIMITED, anything, True),
        },
    )
    need(all(number in found for number in (1, 2, 4, 6)), "a segment lacks a part")
    need(1 <= found.get(3, 0) < 1 << 62, "a segment begins with no number")
    return found


def read_header(data):
    found = read(
        data,
        {
            1: (VARINT, uint32, False),
            2: (DELIMITED, size(16), False),
            3: (DELIMITED, anything, False),
            4: (VARINT, zigzag, False),
            5: (DELIMITED, read_frontier, False),
            6: (DELIMITED, read_frontier, False),
        },
    )
    need(found.get(1, 0) != 0 and 2 in found, "a header lacks its version or its replica")
    return found


def read_end(data):
    found = read(data, {1: (VARINT, anything, False), 2: (VARINT, anything, False)})
    return found.get(1, 0), found.get(2, 0)


def read_content(data):
    need(len(data) >= 40 and len(data) % 32 == 8, "a content without a name, or half a hash")
    count = int.from_bytes(data[32:40], "big")
    leaves = [data[at : at + 32] for at in range(40, len(data), 32)]
    need(len(leaves) == (count + PART - 1) // PART, "a content with other parts than its size says")
    need(merkle_root(leaves) == data[:32], "a content with other hashes than its name says")
    return data[:32], count, leaves


def merkle_root(leaves):
    """Of RFC 6962."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    return hashlib.sha256(b"\1" + merkle_root(leaves[:left]) + merkle_root(leaves[left:])).digest()


def read_packed(data):
    found = read(data, {1: (VARINT, anything, False), 2: (VARINT, anything, False), 3: (DELIMITED, anything, False)})
    return unpack(found.get(1, 0), found.get(2, 0), found.get(3, b""), LARGEST_BLOCK)


def unpack(method, claimed, data, most):
    """The bytes of the message `Packed`. No more than it claims are ever unpacked, and it claims no more than `most`."""
    if method == 0:
        need(len(data) <= most, "more bytes than there may be")
        return data
    need(1 <= claimed <= min(most, MOST_BYTES_PER_PACKED * len(data)), f"{claimed} bytes unpacked")
    if method == 1:
        found = unpack_zlib(data, claimed)
    elif method == 2 and zstandard:
        found = unpack_zstd(data, claimed)
    else:
        raise Refused(f"packed by method {method}, which is not to be had here")
    need(len(found) == claimed, "packed bytes of another size")
    return found


def unpack_zlib(data, claimed):
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, claimed + 1)
    except zlib.error as problem:
        raise Malformed(f"bytes that are not zlib's: {problem}") from problem
    need(unpacker.eof and not unpacker.unused_data, "a stream of zlib's that is cut off, too long, or not all")
    return found


def unpack_zstd(data, claimed):
    try:
        # A frame may name its size, which the package would believe.
        need(zstandard.frame_content_size(data) in (-1, claimed), "a frame of zstd's of another size")
        unpacker = zstandard.ZstdDecompressor()
        return unpacker.decompress(data, max_output_size=claimed, allow_extra_data=False)
    except zstandard.ZstdError as problem:
        raise Malformed(f"bytes that are not zstd's: {problem}") from problem


def digest(journal, heads):
    data = journal if heads else bytes(16)
    for replica, sequence, commit_hash in sorted(heads):
        data += replica + sequence.to_bytes(8, "big") + commit_hash
    return hashlib.sha256(data).hexdigest()


# Files


def records(data):
    """The kind and the contents of each record that is known, once the file as a whole is found right."""
    demand(data[:8] == MAGIC, "no bundle")
    at, found, version = 8, [], 0
    while not found or found[-1][0] != 3:
        message, at = record(data, at)
        demand(found or 1 in message, "no header")
        if not message:
            continue
        kind = list(message)[-1]
        if kind == 1:
            version = message[1][1]
            demand(version <= VERSION, "a newer version")
        if kind == 5:
            demand(version >= 2, "a packed record in a bundle of version 1")
            found += packed_records(message[5])
        else:
            found.append((kind, message[kind]))
    kinds = [kind for kind, _ in found]
    demand(6 not in kinds or 2 not in kinds[kinds.index(6) :], "commits after a content")
    demand(hashlib.sha256(data[:at]).digest() == data[at:], "another checksum, or something after it")
    return found


def record(data, at):
    """The known fields of the record at an offset, and the offset after it."""
    demand(at + 4 <= len(data), "cut off")
    length = int.from_bytes(data[at : at + 4], "big")
    demand(length <= LARGEST_RECORD, "a record is too long")
    demand(at + 4 + length <= len(data), "cut off")
    kinds = {1: read_header, 2: read_segment, 3: read_end, 5: read_packed, 6: read_content, 7: bytes}
    known = {number: (DELIMITED, kind, False) for number, kind in kinds.items()}
    contents = data[at + 4 : at + 4 + length]
    demand(sum(number in known for number, _, _ in fields(contents)) <= 1, "a record of several kinds")
    return read(contents, known), at + 4 + length


def packed_records(data):
    at, found = 0, []
    while at < len(data):
        message, at = record(data, at)
        demand(all(kind == 2 for kind in message), "something else than segments is packed")
        found += message.items()
    return found


def contents_of(found):
    """The bytes of each content that is whole, by its name."""
    whole, name, count, data, leaves = {}, None, 0, b"", []
    for kind, value in found + [(6, (None, 0, []))]:
        if kind == 6:
            if name and len(data) == count:
                whole[name] = data
            name, count, leaves, data = value[0], value[1], list(value[2]), b""
        if kind == 7:
            demand(leaves, "a part of no content")
            demand(len(value) == min(PART, count - len(data)), "a part of another size")
            demand(hashlib.sha256(b"\0" + value).digest() == leaves.pop(0), "a part with other bytes")
            data += value
    return whole


class Reader:
    """What is held: of each commit, by name, its timestamp; of each replica the key. Names of what others follow, and of what
    is signed: heads are signed and followed by nothing."""

    def __init__(self, other=None):
        self.journal = other.journal if other else None
        self.commits = dict(other.commits) if other else {}
        self.keys = dict(other.keys) if other else {}
        self.followed = set(other.followed) if other else set()
        self.signed = set(other.signed) if other else set()
        # The name of each content that is whole, and its bytes.
        self.contents = dict(other.contents) if other else {}

    def take(self, data):
        found = records(data)
        demand(found and found[0][0] == 1 and all(kind != 1 for kind, _ in found[1:]), "no header, or two")
        header, segments = found[0][1], [value for kind, value in found if kind == 2]
        demand(
            found[-1][1] == (len(segments), sum(len(one.get(5, [])) for one in segments)), "other counts at the end"
        )
        journal, heads = header.get(6, (None, []))
        demand(not self.journal or not journal or self.journal == journal, "another journal")
        held = Reader(self)
        held.journal = self.journal or journal
        for replica, sequence, commit_hash in header.get(5, (None, []))[1]:
            demand(
                (replica, sequence, commit_hash) in held.commits, f"commit {sequence} of {replica.hex()} is needed"
            )
        events = sum(held.store(segment) for segment in segments)
        demand(all(head in held.commits for head in heads), "a head that was announced did not come")
        self.contents.update(contents_of(found))
        held.contents = self.contents
        commits = len(held.commits) - len(self.commits)
        self.__dict__ = held.__dict__
        heads = self.signed - self.followed
        contents = f" {len(self.contents)} contents" if self.contents else ""
        return f"{len(segments)} segments {commits} commits {events} events {digest(self.journal, heads)}{contents}"

    def store(self, segment):
        """Checks a segment and holds it; answers the number of events that are new."""
        replica, first, commits = segment[2], segment[3], segment.get(5, [])
        demand(segment[1] == self.journal, "a segment of another journal")
        demand(1 <= len(commits) <= MOST_COMMITS, "a segment of no size")
        demand((first == 1) == (segment[4] == bytes(32)), "a segment that follows nothing, or something before 1")
        before = (replica, first - 1, segment[4])
        demand(first == 1 or before in self.commits, f"commit {first - 1} of {replica.hex()} is needed")
        chain, timestamp = segment[4], self.commits.get(before, 0)
        new, events, key, weights, missing = {}, 0, self.keys.get(replica), [], {}
        for offset, data in enumerate(commits):
            commit = read_commit(data)
            weights.append(weight(commit, data))
            demand(weights[-1] <= LARGEST_COMMIT, "a commit that is too large")
            header = commit.header
            demand(header.format == 1, "a newer format")
            demand((header.journal, header.replica) == (self.journal, replica), "a commit of another line")
            demand(header.sequence == first + offset, "a gap")
            demand(header.timestamp > timestamp, "a commit that goes back in time")
            is_erased = commit.payload_bytes is None
            demand(is_erased or payload_hash(commit) == header.payload_hash, "another payload")
            self.followed.add((replica, header.sequence - 1, chain))
            chain, timestamp = hashlib.sha256(chain + commit.header_bytes).digest(), header.timestamp
            if header.sequence == 1:
                demand(header.features == 0 and not is_erased, "a key that cannot be read")
                key = read_payload(commit.payload_bytes).public_key
                demand(key and hashlib.sha256(key).digest()[:16] == replica, "a key that is not the replica's")
            name = (replica, header.sequence, chain)
            missing[name] = (header.features, *holes(commit))
            if name not in self.commits:
                new[name] = timestamp
                events += count_events(commit)
        message = DOMAIN + self.journal + replica + (first + len(commits) - 1).to_bytes(8, "big") + chain
        demand(is_valid(segment[6], key or b"", message), "a segment that is not signed")
        demand(sum(weights[:-1]) < MOST_BYTES_BEFORE_LAST, "a segment that should have been signed before")
        self.check_erasures(segment, missing)
        self.keys[replica] = key
        self.commits.update(new)
        self.signed.add((replica, first + len(commits) - 1, chain))
        return events

    def check_erasures(self, segment, missing):
        """Nothing is missing of the segment's commits but what its erasures name. They take nothing away from what is held."""
        found, erasures = {}, segment.get(7, [])
        demand(sum(map(len, erasures)) <= MOST_ERASURE_BYTES, "more erasures than a segment may have")
        for erasure in map(read_erasure, erasures):
            name = (erasure.replica, erasure.sequence, erasure.hash)
            demand(name in missing and erasure.journal == self.journal, "an erasure of no commit in the segment")
            features, _, count = missing[name]
            demand(not features & NEVER_ERASED, "an erasure of what says who may write, or of a statement about erasures")
            demand(names_what_is_there(erasure, count), "an erasure of what the commit does not have")
            is_known = erasure.eraser == erasure.replica or members.is_founded(self.journal)
            demand(is_known and is_signed(erasure), "an erasure that is not signed by who may")
            found.setdefault(name, []).append(erasure)
            demand(len(found[name]) <= MOST_ERASURES_OF_ONE, "more erasures of a commit than are enough")
        for name, (_, leaves, count) in missing.items():
            named = named_leaves(found.get(name, []), count)
            is_named = named is ALL or (leaves is not ALL and leaves <= named)
            demand(is_named, "a payload that is not all there, and no erasure names what is missing")


def holes(commit):
    """The leaves that are missing, and how many the commit has: none if all of it is gone."""
    if commit.payload_bytes is None:
        return ALL, 0
    if commit.holes is None:
        return set(), len(cut(commit.payload_bytes))
    return set(commit.holes.leaves), len(commit.holes.leaves) + len(commit.holes.salts)


def count_events(commit):
    if commit.payload_bytes is None or commit.header.features & ~KNOWN_FEATURES:
        return 0
    try:
        return len(read_payload(commit.payload_bytes).events)
    except Malformed:
        return 0


def main(arguments):
    reader, is_right = Reader(), True
    for path in arguments:
        if arguments[0] == "--each":
            reader = Reader()
            if path == "--each":
                continue
        try:
            with open(path, "rb") as file:
                print("ok", reader.take(file.read()))
        except (Refused, Malformed) as problem:
            is_right = False
            print("not ok", problem)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
