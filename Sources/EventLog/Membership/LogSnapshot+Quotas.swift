import Events
import LMDB

/// What the quotas of a log are compared with.
extension LogSnapshot {
    /// How many commits about members or erasing each replica wrote, the latter by their KiB. O(those).
    func statementCounts() throws -> [ReplicaID: Int] {
        var counts: [ReplicaID: Int] = [:]
        var cursor = try transaction.cursor(on: tables.members)
        var row = try cursor.first()
        while let current = row {
            guard current.key.count == 8, let commit = try bytes(at: current.key.bigEndian(UInt64.self)) else {
                throw Self.damaged("a row of members")
            }
            let header = commit.view.header
            if header.isMembership, !header.isErasing { counts[header.replica, default: 0] += 1 }
            row = try cursor.next()
        }
        try ErasingIndex.forEachRow(self) { row in
            guard let commit = try bytes(at: row.position) else { throw Self.damaged("the index of what is erased") }
            counts[commit.view.header.replica, default: 0] += (commit.view.bytes.count + 1023) / 1024
        }
        return counts
    }

    static func receivedKey(_ replica: ReplicaID) -> [UInt8] { Array("received/".utf8) + replica.bytes }

    func received(from replica: ReplicaID) throws -> QuotaKeeper.Received {
        guard let row = try meta(Self.receivedKey(replica)), row.count == 32 else { return QuotaKeeper.Received() }
        return row.withUnsafeBytes {
            QuotaKeeper.Received(
                day: $0.bigEndian(UInt64.self), bytes: $0.bigEndian(UInt64.self, at: 8),
                statements: $0.bigEndian(UInt64.self, at: 16), total: $0.bigEndian(UInt64.self, at: 24))
        }
    }

    /// The number of replicas of the journal whose commits are held. O(lines).
    func replicaCount() throws -> Int {
        let journal = try journal().bytes
        var count = 0
        var cursor = try transaction.cursor(on: tables.heads)
        var row = try cursor.seek(atOrAfter: journal)
        while let current = row, current.key.starts(with: journal) {
            // The keys of branches are longer.
            if current.key.count == 32 { count += 1 }
            row = try cursor.next()
        }
        return count
    }

    func hasLine(of replica: ReplicaID) throws -> Bool {
        try head(of: LineID(journal: journal(), replica: replica)) != nil
    }

    /// The replicas that no member vouches for, and the bytes of their commits. It stops once either is beyond its quota:
    /// a revoked admin may leave behind many replicas that it had granted.
    func strangers(_ membership: Membership) throws -> (replicas: Set<ReplicaID>, bytes: Int) {
        let waiting = try verdicts().waiting
        var found: (replicas: Set<ReplicaID>, bytes: Int) = ([], 0)
        for family in try families(of: try journal())
        where membership.isStranger(family.replica) && !waiting.contains(family.replica) {
            found.replicas.insert(family.replica)
            for member in family.members {
                var sequence = member.head.first
                while sequence <= member.head.sequence {
                    if found.bytes > ReceivingQuotas.strangerBytes { return found }
                    let position = try run(of: sequence, in: member.head, family.replica).position
                    found.bytes += try bytes(at: position.rawValue)?.view.bytes.count ?? 0
                    sequence = sequence.next
                }
            }
        }
        return found
    }
}
