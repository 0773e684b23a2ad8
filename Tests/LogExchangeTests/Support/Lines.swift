import EventLog
import Events
import Foundation
import LogExchange

/// The commits that a replica holds, in one notation: `a:12345` are five commits of replica a, `a:123xy` is a branch
/// that shares the first three, and spaces separate lines.
///
/// Two commits are the same if their paths are written the same. `a:z@9` claims to be commit 9, with an unspecified
/// path.
struct Lines: Hashable, CustomStringConvertible {
    /// None is a prefix of another.
    private(set) var all: Set<String> = []

    init(_ text: String = "") { for line in text.split(separator: " ") { add(String(line)) } }

    init(_ lines: some Sequence<String>) { for line in lines { add(line) } }

    mutating func add(_ line: String) {
        guard line.count > 2, !holds(line) else { return }
        all = all.filter { !line.hasPrefix($0) }
        all.insert(line)
    }

    func holds(_ line: String) -> Bool { all.contains { $0.hasPrefix(line) } }

    var description: String { all.sorted().joined(separator: " ") }

    static let journal = JournalID(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))

    var frontier: Frontier { Frontier(journal: Self.journal, heads: all.map { Self.head(of: $0) }) }

    /// The last commit of a line.
    static func head(of line: String) -> CommitID {
        var hash = DigestBuilder()
        hash.add(Array(line.utf8))
        return CommitID(
            replica: replica(line), sequence: number(of: line), hash: hash.finish())
    }

    private static func number(of line: String) -> SequenceNumber {
        let claimed = line.split(separator: "@").dropFirst().first.flatMap { UInt64($0) }
        return SequenceNumber(claimed ?? UInt64(line.count - 2))
    }

    static func replica(_ line: String) -> ReplicaID { ReplicaID(publicKey: Array(line.utf8.prefix(1))) }

    /// The plan of a replica with these lines for another.
    func plan(for other: Lines) -> ExchangePlan {
        ExchangePlan(
            local: frontier, remote: other.frontier,
            held: Set(other.all.filter { holds($0) }.map { Self.head(of: $0) }))
    }

    /// The lines with these heads.
    func lines(_ heads: [CommitID]) -> Lines { Lines(all.filter { heads.contains(Self.head(of: $0)) }) }
}
