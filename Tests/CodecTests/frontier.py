"""The heads that a replica lists: written from *What is forwarded* of the log format and *Frontiers* of the exchange format."""

from members import Name, read_keys, replica_id


def lines(verifier):
    """A line for each head of the journal that the log writes, in the order of a frontier."""
    journal = verifier.tables["meta"].get(b"journal")
    own = verifier.tables["meta"].get(b"replica")
    of = verifier.members.get(journal)
    heads = []
    mine = {own} | formers_of(own, verifier)
    for (line_journal, replica), commits in verifier.previous.items():
        if line_journal == journal:
            signed = verifier.signed.get((journal, replica), set())
            heads += [(replica, commits[head][0], head) for head in listed(replica, commits, signed, of, own, mine)]
    for replica, sequence, head in sorted(heads):
        yield f"head {replica.hex()} {sequence} {head.hex()}"


def listed(replica, commits, signed, of, own, mine):
    vouched = reach(signed, commits)
    if of is None:
        return ends(vouched, commits)
    standing = {at for at in commits if not of.is_replaced(Name(replica, commits[at][0], at))}
    # A signature after which commits were replaced vouches for nothing that is forwarded.
    kept = {back(end, standing, commits) for end in ends(vouched, commits)}
    vouched = reach({back(end, signed, commits) for end in kept}, commits)
    starts = {at for at in vouched & standing if commits[at][0] == 1}
    member = of.members.get(replica)
    counting = vouched
    if member is not None:
        for cut in member.cuts:
            counting = counting & left_by(cut, commits, vouched)
    is_own = own not in of.members and replica in mine and (replica == own or replica not in of.revocations)
    if member is not None or replica in of.all_waiting or is_own:
        last = {back(end, standing, commits) for end in ends(counting, commits)}
        return ends(reach(last, commits) | starts, commits)
    return ends(starts, commits) if replica in named(of) else set()


def back(at, some, commits):
    """The nearest of some commits among one and those before it; None if there is none."""
    while at in commits and at not in some:
        at = commits[at][1]
    return at if at in commits else None


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


def formers_of(replica, verifier):
    """Those that a replica succeeds: the ones that `meta` names, and those that introductions do."""
    meta = verifier.tables["meta"]
    said = {}
    for header, _, payload, _ in verifier.said:
        if header.sequence == 1 and payload.introduction:
            said.setdefault(header.replica, payload.introduction)
    found = set()
    former, unwritten = meta.get(b"former", b"")[:16], ids(meta.get(b"formerKeys", b""))
    while former and former not in found:
        found.add(former)
        if unwritten[:1] == [former]:
            unwritten = unwritten[1:]
        if unwritten:
            former = unwritten[0]
        else:
            introduction = said.get(former, {})
            former, unwritten = introduction.get(3), ids(introduction.get(7, b""))
    return found - {replica}


def ids(keys):
    """The replicas whose keys field 7 of an introduction holds."""
    return [replica_id(key) for key in read_keys(keys)[0]]


def named(of):
    """Those that members and waiting replicas name as their predecessors, with handovers that nothing refutes."""
    known = set(of.members) | of.all_waiting
    unknown = {}
    for former, links, _, _ in of.claims:
        successor = replica_id(links[0][2])
        if links[0][1] is None and former not in of.keys and former != successor:
            unknown.setdefault(successor, set()).add(former)
    found, rest = set(), list(known)
    while rest:
        at = rest.pop()
        new = (of.formers.get(at, set()) | unknown.get(at, set())) - found - {at}
        found |= new
        rest += new
    return found - known
