"""A device in Python: `python3 hub_client.py CODE [--trip NAME] [--await NAME]`.

Written from SessionFormat.md, ExchangeFormat.md, LogFormat.md and hub.proto alone, to prove that the documents are enough; it shares
nothing with the library. It joins the journal of the invitation CODE at the hub that this names, holds all that the hub does in memory,
verified, with --trip creates a trip, and with --await stays until a trip of that name has arrived, which the hub tells. Segments are checked by read_bundle.py, and who is a member by
members.py, which came about in the same way. It prints what it did, a line each. Erasures come with the commits that lack
bytes. Needs the packages grpcio and cryptography, and takes zstandard if it is there.
"""

import hashlib
import os
import queue
import ssl
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "..", folder) for folder in ("CodecTests", "LogExchangeTests")]

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import members
import read_bundle as bundle
import verify_log as log
from verify_log import DELIMITED, VARINT, anything, read, size, uint32, write_varint

METHOD = "/tripstore.hub.Hub/Sync"
LARGEST_FRAME = 34_294_823
LEAST_PACKED = 512
PING = 20
CLIENT_DOMAIN = b"TripStore session client v1".ljust(32, b"\0")
SERVER_DOMAIN = b"TripStore session server v1".ljust(32, b"\0")
SIGNATURE_DOMAIN = b"TripStore line signature v1\0"
INVITATION_KEY_DOMAIN = b"TripStore invitation key v1".ljust(32, b"\0")
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CREATED, TRIP, NAME = 1, 1, 1
ZLIB, ZSTD = 1, 2


class Refusal(Exception):
    """Why the hub, or this side, goes no further."""


def demand(is_right, words):
    if not is_right:
        raise Refusal(words)


# The wire format, written


def field(number, value):
    """A field with bytes, text, or a number."""
    if isinstance(value, int):
        return write_varint(number << 3) + write_varint(value)
    data = value.encode() if isinstance(value, str) else value
    return write_varint(number << 3 | 2) + write_varint(len(data)) + data


def fixed64(number, value):
    return write_varint(number << 3 | 1) + value.to_bytes(8, "little")


def message(*parts):
    """Of the number and the value of each field."""
    return b"".join(field(number, value) for number, value in parts)


def write_name(name):
    replica, sequence, commit_hash = name
    return field(1, replica) + field(2, sequence) + field(3, commit_hash)


def write_frontier(journal, heads):
    if not heads:
        return b""
    return field(1, journal) + b"".join(field(2, write_name(head)) for head in sorted(heads))


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


# Keys and invitations


class Key:
    def __init__(self, seed=None):
        self.private = Ed25519PrivateKey.from_private_bytes(seed) if seed else Ed25519PrivateKey.generate()
        self.public = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.replica = sha256(self.public)[:16]

    def sign(self, *parts):
        return self.private.sign(b"".join(parts))


class Invitation:
    """From the text of its code."""

    def __init__(self, text):
        letters = "".join(text.upper().split()).replace("-", "").translate(str.maketrans("OIL", "011"))
        demand(letters[:5] == "TR1P2", "no code of an invitation, or it names no hub")
        value = 0
        for letter in letters[5:]:
            demand(letter in ALPHABET, f"{letter} is in no code of an invitation")
            value = value << 5 | ALPHABET.index(letter)
        bits = 5 * len(letters[5:])
        data, check = (value >> bits % 8).to_bytes(bits // 8, "big")[:-3], (value >> bits % 8) & 0xFFFFFF
        demand(value & (1 << bits % 8) - 1 == 0 and len(data) > 66, "the code was cut")
        demand(sha256(data)[:3] == check.to_bytes(3, "big"), "the code was mistyped")
        self.journal, secret, self.pin = data[:16], data[16:32], data[32:64]
        self.host, self.port = data[66:].decode(), int.from_bytes(data[64:66], "big")
        self.key = Key(sha256(INVITATION_KEY_DOMAIN, self.journal, secret))

    def signature(self, replica):
        return self.key.sign(members.INVITATION_DOMAIN, self.journal, replica)


# Sessions


class Session:
    """One call of the hub's method."""

    def __init__(self, key, invitation):
        self.key, self.invitation, self.notice = key, invitation, None
        at = (invitation.host, invitation.port)
        certificate = x509.load_pem_x509_certificate(ssl.get_server_certificate(at).encode())
        known = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.pin = sha256(known)
        demand(self.pin == invitation.pin, "the server has another certificate than the invitation's")
        options = [("grpc.max_receive_message_length", LARGEST_FRAME), ("grpc.max_send_message_length", LARGEST_FRAME)]
        options.append(("grpc.ssl_target_name_override", name_of(certificate)))
        credentials = grpc.ssl_channel_credentials(certificate.public_bytes(Encoding.PEM))
        self.channel = grpc.secure_channel(f"{at[0]}:{at[1]}", credentials, options)
        self.sent = queue.Queue()
        self.method = 0
        self.call = self.channel.stream_stream(METHOD)(iter(self.sent.get, None))
        self.greet()
        threading.Thread(target=self.ping, daemon=True).start()

    def ping(self):
        """Shows that this end is there, also while it waits."""
        while True:
            time.sleep(PING)
            self.send(10, 0)

    def greet(self):
        methods = bytes([ZLIB] + ([ZSTD] if bundle.zstandard else []))
        hello = message((1, 1), (2, self.invitation.journal), (3, self.key.public), (4, os.urandom(32)),
            (5, self.pin), (6, methods),
        )
        self.send(1, hello)
        answer = self.expect(2)
        found = read(answer, {1: (VARINT, uint32, False), 2: (DELIMITED, size(32), False), 3: (DELIMITED, anything, False)})
        demand(found.get(1) == 1, "another version of sessions")
        claims = message((1, self.invitation.key.public), (2, self.invitation.signature(self.key.replica)))
        transcript = [sha256(hello), sha256(answer), sha256(claims)]
        proof = self.key.sign(CLIENT_DOMAIN, sha256(*transcript))
        self.send(3, message((1, claims), (2, proof)))
        welcome = read(self.expect(4), {1: (DELIMITED, anything, False), 2: (DELIMITED, size(64), False)})
        admission = welcome.get(1, b"")
        said = read(admission, {1: (DELIMITED, size(16), False), 2: (DELIMITED, size(32), False),
                                3: (DELIMITED, size(16), False), 4: (VARINT, anything, False)})
        signed = SERVER_DOMAIN + sha256(*transcript, sha256(admission))
        demand(log.is_valid(welcome[2], said[2], signed), "the server did not prove its key")
        demand(3 not in said, "this replica was revoked")
        demand(not said.get(4), "this replica waits to be granted")
        demand(said[1] == self.invitation.journal, "another journal")
        self.server = sha256(said[2])[:16]
        # The greatest that both have.
        self.method = max(set(methods) & set(found.get(3, b"")), default=0)

    def send(self, kind, data):
        frame = field(kind, data)
        packed = self.packed(frame) if self.method and len(frame) >= LEAST_PACKED else None
        self.sent.put(field(14, packed) if packed else frame)

    def packed(self, frame):
        data = bundle.zlib.compress(frame) if self.method == ZLIB else bundle.zstandard.ZstdCompressor().compress(frame)
        if len(data) >= len(frame) or len(frame) > bundle.MOST_BYTES_PER_PACKED * len(data):
            return None
        return message((1, self.method), (2, len(frame)), (3, data))

    def receive(self):
        """The number and the contents of the next frame; None at the end."""
        for data in self.call:
            parts = [part for part in log.fields(data) if part[0] <= 14]
            demand(len(parts) == 1, "a frame with several contents, or with none")
            if parts[0][0] == 14:
                parts = [part for part in log.fields(self.unpacked(parts[0][2])) if part[0] <= 13]
                demand(len(parts) == 1, "a packed frame with several contents, or with none")
            number, _, value = parts[0]
            if number in (5, 12):
                said = read(value, {1: (DELIMITED, anything, False), 2: (DELIMITED, anything, False)})
                raise Refusal(f"the hub says {said.get(1, b'').decode()}: {said.get(2, b'').decode()}")
            return number, value
        return None

    def unpacked(self, data):
        found = read(data, {1: (VARINT, anything, False), 2: (VARINT, anything, False), 3: (DELIMITED, anything, False)})
        demand(found.get(1, 0) == self.method != 0, "a frame that is packed otherwise than agreed")
        return bundle.unpack(self.method, found.get(2, 0), found.get(3, b""), LARGEST_FRAME)

    def expect(self, kind):
        frame = self.receive()
        demand(frame is not None and frame[0] == kind, f"frame {kind} was expected, and {frame and frame[0]} came")
        return frame[1]

    def request(self, kind, contents):
        """The contents of the responses' messages, with their kinds."""
        self.send(6, message((1, 1), (kind, contents)))
        while True:
            frame = self.receive()
            demand(frame is not None, "the hub closed the connection")
            number, data = frame
            if number == 9:
                self.notice = data
            if number not in (7, 8):
                continue
            for kind, _, value in log.fields(data):
                if kind == 9:
                    said = read(value, {1: (DELIMITED, anything, False), 2: (DELIMITED, anything, False)})
                    raise Refusal(f"the hub refuses, {said.get(1, b'').decode()}: {said.get(2, b'').decode()}")
                if kind > 1:
                    yield kind, value
            if number == 8:
                return

    def wait_for_notice(self):
        while self.notice is None:
            frame = self.receive()
            demand(frame is not None, "the hub closed the connection")
            if frame[0] == 9:
                self.notice = frame[1]
        self.notice = None

    def close(self):
        self.sent.put(None)
        demand(self.receive() is None, "a frame after the end")
        self.channel.close()


def name_of(certificate):
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    found = names.get_values_for_type(x509.DNSName) + [str(ip) for ip in names.get_values_for_type(x509.IPAddress)]
    return found[0]


# A replica


class Replica:
    def __init__(self, key, invitation, name):
        self.key, self.invitation, self.name = key, invitation, name
        self.held = bundle.Reader()
        self.held.journal = invitation.journal
        self.members = members.Members(invitation.journal)
        self.previous, self.newest = {}, 0
        # Path of an entity → (the order of the merge, value), of the events that count if all do.
        self.said = []
        # This replica's own commits, as bytes, their names, and the last name that the hub acknowledged.
        self.own, self.own_names, self.pushed = [], [], 0

    def heads(self):
        return sorted(self.held.signed - self.held.followed)

    def digest(self):
        return bundle.digest(self.invitation.journal, self.heads())

    # Reading

    def store(self, data):
        """A segment, checked by the one rule, then by what it says of members."""
        segment = bundle.read_segment(data)
        chain = segment[4]
        self.held.store(segment)
        for commit_bytes in segment.get(5, []):
            commit = log.read_commit(commit_bytes)
            header, before = commit.header, chain
            chain = sha256(before, commit.header_bytes)
            name = (header.replica, header.sequence, chain)
            self.newest = max(self.newest, header.timestamp)
            if name in self.previous:
                continue
            self.previous[name] = (header.replica, header.sequence - 1, before)
            payload = None
            if commit.payload_bytes is not None and not header.features & ~log.KNOWN_FEATURES:
                payload = log.read_payload(commit.payload_bytes)
            self.members.add(header, chain, before, payload)
            if payload and commit.holes is None:
                self.said.append((header, chain, payload.events))

    def resolve(self):
        again = members.Members(self.invitation.journal)
        for name in ("founder", "entries", "claims", "keys", "saying", "previous"):
            setattr(again, name, getattr(self.members, name))
        again.resolve()
        return again

    def trips(self):
        """The names of the trips that are there, by the merge of the events that count."""
        resolved, registers, created = self.resolve(), {}, set()
        for header, chain, events in self.said:
            if not resolved.counts(members.Name(header.replica, header.sequence, chain)):
                continue
            for index, event in enumerate(events):
                time_of = event.original if 0 < event.original < header.timestamp else header.timestamp
                writes = [(0, b"", {3: b"\1", 4: None}.get(event.verb))] if event.verb in (3, 4) else []
                writes += [(change.field, change.key, change.value) for change in event.changes]
                if event.verb == CREATED:
                    created.add((event.kind, event.id))
                for number, (path, key, value) in enumerate(writes):
                    order = (time_of, header.replica, chain, index, number)
                    at = (event.kind, event.id, path, key)
                    if at not in registers or registers[at][0] < order:
                        registers[at] = (order, value)
        gone = {at[:2] for at, (_, value) in registers.items() if at[2] == 0 and value is not None}
        return sorted(
            value.decode()
            for (kind, entity, path, key), (_, value) in registers.items()
            if (kind, path, key) == (TRIP, NAME, b"") and value and (kind, entity) in created - gone
        )

    # Writing

    def write(self, payload, features=0):
        """A commit of the line, which is not offered before its line is signed."""
        sequence = len(self.own) + 1
        now = int(time.time() * 1000)
        timestamp = max(now << 16, self.newest + 1)
        salt = os.urandom(16)
        found = log.Commit(None, None, salt, payload, None)
        header = message((1, 1), (2, self.invitation.journal), (3, self.key.replica), (4, sequence))
        header += fixed64(5, timestamp)
        if abs((timestamp >> 16) - now) > 1000:
            header += field(6, now << 1)
        header += field(7, 1) + field(8, log.payload_hash(found))
        if features:
            header += field(9, features)
        before = self.own_names[-1][2] if self.own_names else bytes(32)
        self.own.append(field(1, header) + field(2, salt) + field(3, payload))
        self.own_names.append((self.key.replica, sequence, sha256(before, header)))
        self.newest = timestamp

    def introduce(self):
        """Commit 1 has the key, and no feature; the request for membership follows."""
        self.write(field(5, field(1, self.key.public) + field(2, self.name)))
        request = field(1, self.invitation.key.public) + field(2, self.invitation.signature(self.key.replica))
        self.write(field(8, field(5, request)), members.FEATURE)

    def create_trip(self, name):
        entity = bytearray(os.urandom(16))
        entity[:6] = int(time.time() * 1000).to_bytes(6, "big")
        entity[6], entity[8] = entity[6] & 0x0F | 0x70, entity[8] & 0x3F | 0x80
        change = field(1, NAME) + field(3, name)
        event = field(1, CREATED) + field(2, TRIP) + field(3, bytes(entity)) + field(4, change)
        self.write(field(1, "python") + field(15, event))

    def segment(self):
        """What was not pushed yet: few and small commits, so one segment holds them all."""
        first = self.pushed + 1
        previous = self.own_names[self.pushed - 1][2] if self.pushed else bytes(32)
        _, sequence, head = self.own_names[-1]
        signature = self.key.sign(
            SIGNATURE_DOMAIN, self.invitation.journal, self.key.replica, sequence.to_bytes(8, "big"), head)
        parts = [field(1, self.invitation.journal), field(2, self.key.replica), field(3, first), field(4, previous)]
        parts += [field(5, commit) for commit in self.own[self.pushed :]]
        return b"".join(parts) + field(6, signature)

    # Exchanging

    def exchange(self, session):
        greeting = message((1, 1), (2, self.invitation.journal), (3, self.key.replica), (4, self.name),
            (6, bytes.fromhex(self.digest())))
        (kind, answer), = session.request(2, greeting)
        demand(kind == 2, "no greeting")
        found = read(
            answer, {2: (DELIMITED, size(16), False), 3: (DELIMITED, size(16), False), 6: (DELIMITED, size(32), False)})
        demand(found.get(3) == session.server, "a greeting of another replica than the one that proved its key")
        demand(found.get(2) == self.invitation.journal, "another journal")
        if found[6].hex() != self.digest():
            (kind, answer), = session.request(3, b"")
            demand(kind == 4, "no frontier")
            self.fetch(session, bundle.read_frontier(answer)[1])
        while self.pushed < len(self.own):
            self.push(session)
        self.acknowledge(session)

    def fetch(self, session, heads):
        wanted = [head for head in heads if head not in self.held.signed]
        if not wanted:
            return
        request = field(1, self.invitation.journal) + b"".join(field(2, write_name(name)) for name in wanted)
        request += b"".join(field(3, write_name(name)) for name in self.held_of({name[0] for name in wanted}))
        received = 0
        for kind, data in session.request(5, request):
            if kind == 8:
                demand(read(data, {1: (VARINT, anything, False)}).get(1, 0) == received, "another count of segments")
                continue
            demand(kind == 6, "no segments")
            for number, _, segment in log.fields(data):
                if number == 1:
                    self.store(segment)
                    received += 1
        demand(all(head in self.held.signed for head in wanted), "a head that was announced did not come")

    def held_of(self, replicas):
        """Of each line the newest signed commit, those 1, 2, 4, 8… before it, and the first."""
        found = []
        for head in self.heads():
            at, steps, step = head, 0, 1
            while head[0] in replicas and at in self.previous:
                if steps in (0, step) or at[1] == 1:
                    found.append(at)
                    step = step * 2 if steps == step else step
                at, steps = self.previous[at], steps + 1
        return found

    def push(self, session):
        segment, count = self.segment(), len(self.own)
        (kind, answer), = session.request(6, field(1, segment))
        demand(kind == 7, "no acknowledgement")
        frontier = read(answer, {1: (DELIMITED, size(16), False), 3: (DELIMITED, bundle.read_frontier, False)})
        demand(frontier.get(1) == session.server, "an acknowledgement of another replica")
        heads = frontier.get(3, (None, []))[1]
        demand(self.own_names[-1] in heads, "the hub does not acknowledge what was pushed")
        self.store(segment)
        self.pushed = count
        # An admin's hub has granted the request before it responded.
        self.fetch(session, heads)

    def acknowledge(self, session):
        frontier = write_frontier(self.invitation.journal, self.heads())
        said = message((1, self.key.replica), (2, self.name), (3, frontier))
        (kind, _), = session.request(7, said)
        demand(kind == 8, "no end")


def tell(*words):
    print(*words, flush=True)


def main(arguments):
    options = dict(zip(arguments[1::2], arguments[2::2]))
    invitation, key = Invitation(arguments[0]), Key()
    replica = Replica(key, invitation, "python")
    session = Session(key, invitation)
    tell("replica", key.replica.hex())
    tell("packed", session.method)
    replica.introduce()
    replica.exchange(session)
    role = replica.resolve().members.get(key.replica)
    demand(role is not None and role.role >= members.WRITE, "this replica became no member that may write")
    tell("holds", len(replica.held.commits), "commits", replica.digest())
    tell("trips", replica.trips())
    if "--trip" in options:
        replica.create_trip(options["--trip"])
        replica.exchange(session)
        tell("created", options["--trip"])
    while "--await" in options and options["--await"] not in replica.trips():
        session.wait_for_notice()
        replica.exchange(session)
    tell("holds", len(replica.held.commits), "commits", replica.digest())
    tell("trips", replica.trips())
    session.close()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Refusal, bundle.Refused, log.Malformed) as problem:
        tell("not ok", problem)
        sys.exit(1)
