"""The heads that a replica lists: written from *What is forwarded* of the log format and *Frontiers* of the exchange format."""


def lines(verifier):
    """A line for each head of the journal that the log writes, in the order of a frontier."""
    journal = verifier.tables["meta"].get(b"journal")
    own = verifier.tables["meta"].get(b"replica")
    of = verifier.members.get(journal)
    heads = []
    mine = {own} | formers_of(own, verifier.tables["meta"].get(b"former", b"")[:16], verifier)
    for (line_journal, replica), commits in verifier.previous.items():
        if line_journal == journal:
            vouched = reach(verifier.signed.get((journal, replica), set()), commits)
            heads += [(replica, commits[head][0], head) for head in listed(replica, commits, vouched, of, own, mine)]
    for replica, sequence, head in sorted(heads):
        yield f"head {replica.hex()} {sequence} {head.hex()}"


def listed(replica, commits, vouched, of, own, mine):
    if of is None:
        return ends(vouched, commits)
    starts = {stored for stored in vouched if commits[stored][0] == 1}
    member = of.members.get(replica)
    if member is not None and member.cuts:
        standing = set(vouched)
        for cut in member.cuts:
            standing &= left_by(cut, commits, vouched)
        return ends(standing | starts, commits)
    is_own = own not in of.members and replica in mine and (replica == own or replica not in of.revocations)
    if member is not None or replica in of.all_waiting or is_own:
        return ends(vouched, commits)
    return ends(starts, commits) if replica in named(of) else set()


def left_by(cut, commits, vouched):
    """The commits that a cut leaves; while one of them is missing, also what may lead to it."""
    found = reach({name.hash for name in cut if name.hash in commits and commits[name.hash][0] == name.sequence}, commits)
    missing = [
        name.sequence for name in cut if name.hash not in commits or commits[name.hash][0] != name.sequence
    ]
    if missing:
        found |= {stored for stored in vouched if commits[stored][0] < max(missing)}
    return found


def reach(some, commits):
    """Commits with all before them."""
    found = set()
    for stored in some:
        while stored in commits and stored not in found:
            found.add(stored)
            stored = commits[stored][1]
    return found


def ends(some, commits):
    """Those that no other follows."""
    return some - {commits[stored][1] for stored in reach(some, commits)}


def formers_of(replica, former, verifier):
    """Those that a replica succeeds: the one that `meta` names, and those that introductions do."""
    named = {}
    for header, _, payload, _ in verifier.said:
        if header.sequence == 1 and 3 in payload.introduction:
            named.setdefault(header.replica, payload.introduction[3])
    found = set()
    while former and former not in found:
        found.add(former)
        former = named.get(former)
    return found - {replica}


def named(of):
    """Those that members and waiting replicas name as their predecessors, with handovers that nothing refutes."""
    known = set(of.members) | of.all_waiting
    found, rest = set(), list(known)
    while rest:
        at = rest.pop()
        unknown = {former for former, _, successor, _, _ in of.claims if successor == at and former not in of.keys}
        new = (of.formers.get(at, set()) | unknown) - found - {at}
        found |= new
        rest += new
    return found - known
