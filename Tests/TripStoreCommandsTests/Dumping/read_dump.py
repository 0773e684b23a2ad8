"""Lists the commits of a dump, from DumpFormat.md alone: position, hash, author, events, statements.

Checks on the way what a reader can check without Ed25519: the chain of every line, and the counts of the end.
"""

import base64
import hashlib
import json
import sys


def unique(pairs):
    members = dict(pairs)
    assert len(members) == len(pairs), "a member is there twice"
    return members


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
        shift += 7


def header(commit):
    """Field 1 of the message Commit."""
    assert commit[0] == 0x0A
    length, at = varint(commit, 1)
    return commit[at : at + length]


commits, segments, left, previous, end = [], 0, 0, None, None
with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
    for number, text in enumerate(file, 1):
        assert text.endswith("\n") and end is None
        line = json.loads(text, object_pairs_hook=unique)
        kind = line["type"]
        if number == 1:
            assert kind == "dump" and line["format"] == "tripstore dump" and line["version"] == 1
        elif kind == "segment":
            assert left == 0
            segments, left, previous = segments + 1, line["commits"], bytes.fromhex(line["previous"])
        elif kind == "commit":
            assert left > 0
            left -= 1
            previous = hashlib.sha256(previous + header(base64.b64decode(line["bytes"], validate=True))).digest()
            assert previous.hex() == line["hash"], f"line {number} has another hash"
            for event in line["events"]:
                assert event["verb"] in ("created", "edited", "deleted", "restored") or isinstance(event["verb"], int)
                for change in event["changes"]:
                    assert change["bytes"] is None or isinstance(base64.b64decode(change["bytes"], validate=True), bytes)
            commits.append(line)
        elif kind == "end":
            end = line
assert left == 0 and end == {"type": "end", "segments": segments, "commits": len(commits)}
for line in sorted(commits, key=lambda line: line["position"]):
    print(line["position"], line["hash"], line["author"], len(line["events"]), len(line["statements"]))
