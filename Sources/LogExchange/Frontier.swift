package import EventLog
package import Events

/// The extent of what a replica holds of a journal: the newest signed commit of every line, several for a replica whose
/// commits fork.
///
/// A frontier is complete, because the holder of a commit holds all commits before it on its line.
public struct Frontier: Sendable, Hashable {
    /// The most heads of a frontier: over ten times the number of replicas that a log stores.
    package static let mostHeads = 1 << 17

    /// Nil if nothing is held: then it may be of any journal.
    package let journal: JournalID?
    /// In order, without duplicates.
    package let heads: [CommitID]

    /// The frontier of a replica that holds nothing.
    package static let empty = Frontier(journal: nil, heads: [])

    package init(journal: JournalID?, heads: some Sequence<CommitID>) {
        self.heads = Set(heads).sorted()
        self.journal = self.heads.isEmpty ? nil : journal
    }

    /// The frontier of a log. If there are too many heads, those of members that may write come first, and of other
    /// members next.
    package init(_ log: borrowing LogSnapshot) throws {
        let journal = try log.journal()
        let heads = try log.listedHeads(of: journal)
        guard heads.count > Self.mostHeads else {
            self.init(journal: journal, heads: heads)
            return
        }
        let membership = try log.membership()
        self.init(
            journal: journal,
            heads: Self.cut(heads, to: Self.mostHeads) { replica in
                guard let role = membership?.role(of: replica) else {
                    return membership?.members[replica] == nil ? 2 : 1
                }
                return role >= .write ? 0 : 1
            })
    }

    /// What a log held when the commit at a position had come, signed or not. O(commits up to there).
    package init(_ log: borrowing LogSnapshot, at position: Position) throws {
        let journal = try log.journal()
        // Of each replica the commits that may be the last of a branch.
        var ends: [ReplicaID: [CommitID]] = [:]
        try log.forEachCommit(after: .start, upTo: position) { commit in
            let replica = commit.header.replica
            let id = CommitID(replica: replica, sequence: commit.header.sequence, hash: commit.hash)
            // Only as long as the replica has one branch is the commit before certainly the predecessor.
            if ends[replica]?.count == 1, ends[replica]?[0].sequence.next == id.sequence {
                ends[replica]?[0] = id
            } else {
                ends[replica, default: []].append(id)
            }
            return true
        }
        let heads = try log.withoutPredecessors(Set(ends.values.joined()), in: journal)
        self.init(journal: journal, heads: heads.prefix(Self.mostHeads))
    }

    /// At most that many heads, those of the lowest rank first, and of one rank in replica order: the same on every
    /// replica that holds the same.
    static func cut(_ heads: [CommitID], to most: Int, rank: (ReplicaID) -> Int) -> [CommitID] {
        let ranks = Dictionary(Set(heads.map(\.replica)).map { ($0, rank($0)) }, uniquingKeysWith: min)
        let ranked = heads.map { (rank: ranks[$0.replica] ?? .max, head: $0) }
        return ranked.sorted { ($0.rank, $0.head) < ($1.rank, $1.head) }.prefix(most).map(\.head)
    }

    /// Throws `ExchangeError.tooManyHeads` if the frontier has too many heads.
    func checkCount() throws(ExchangeError) {
        try ExchangeError.checkCount(heads.count, "a frontier with so many heads")
    }

    package var isEmpty: Bool { heads.isEmpty }

    /// Equal for equal frontiers and for no others: SHA-256 over the journal (16 bytes, zero bytes if there is none)
    /// and, in order, each head's replica (16), sequence (8, most significant byte first) and hash (32).
    package var digest: Digest {
        var builder = DigestBuilder()
        builder.add(journal?.bytes ?? [UInt8](repeating: 0, count: 16))
        for head in heads {
            builder.add(head.replica.bytes)
            builder.add(head.sequence.rawValue.bigEndianBytes)
            builder.add(head.hash.bytes)
        }
        return builder.finish()
    }

    /// The heads of each replica.
    var byReplica: [ReplicaID: [CommitID]] { Dictionary(grouping: heads, by: \.replica) }

    /// The number of commits, if nothing forks; commits that branches share count for each of them.
    package var commitCount: Int {
        heads.reduce(0) { $0.addingUpTo(Int(clamping: $1.sequence.rawValue)) }
    }
}

extension ExchangeError {
    /// Throws `.tooManyHeads` if that many commits are more than a frontier may name.
    static func checkCount(_ count: Int, _ what: String) throws(ExchangeError) {
        guard count > Frontier.mostHeads else { return }
        throw ExchangeError(
            .tooManyHeads,
            "The other sent \(what): \(count), and \(Frontier.mostHeads) are the most. Nothing of it was used.")
    }
}

extension Int {
    /// The sum, or the greatest number: a peer's counts may be anything.
    func addingUpTo(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
