public import EventLog
public import Events

/// What a replica holds of a journal: the newest signed commit of every line, several of a replica whose commits fork.
///
/// It says everything, for whoever holds a commit holds all before it on its line.
public struct Frontier: Sendable, Hashable {
    /// Nil if nothing is held: then it may be of any journal.
    public let journal: JournalID?
    /// In order, none twice.
    public let heads: [CommitID]

    /// Of nothing.
    public static let empty = Frontier(journal: nil, heads: [])

    public init(journal: JournalID?, heads: some Sequence<CommitID>) {
        self.heads = Set(heads).sorted()
        self.journal = self.heads.isEmpty ? nil : journal
    }

    /// That of a log as it stands.
    public init(_ log: borrowing LogSnapshot) throws {
        let journal = try log.journal()
        self.init(journal: journal, heads: try log.listedHeads(of: journal))
    }

    public var isEmpty: Bool { heads.isEmpty }

    /// Equal for equal frontiers and for no others: SHA-256 over the journal (16 bytes, zero bytes if there is none) and,
    /// in order, each head's replica (16), sequence (8, most significant byte first) and hash (32).
    public var digest: Digest {
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

    /// How many commits it comes to, where nothing forks; what branches share counts for each of them.
    public var commitCount: Int {
        heads.reduce(0) { $0.addingUpTo(Int(clamping: $1.sequence.rawValue)) }
    }
}

extension Int {
    /// The sum, or the greatest number: what peers announce may be anything.
    func addingUpTo(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
