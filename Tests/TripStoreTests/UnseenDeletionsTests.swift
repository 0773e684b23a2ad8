import EventLog
import Events
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Deletions that did not know of an edit")
struct UnseenDeletionsTests {
    typealias Write = UnseenDeletions.Write

    private static let replicas = (0..<3).map { ReplicaID(publicKey: [UInt8($0)]) }

    private static func time(_ raw: UInt64) -> Timestamp { Timestamp(rawValue: raw) }

    /// An event of a commit with an original time that much earlier.
    private static func edit(of commit: UInt64, earlier: UInt64) -> UnseenDeletions.Edit {
        var builder = DigestBuilder()
        builder.add(commit.bigEndianBytes)
        let replica = replicas[Int(commit % 3)]
        let time = commit / 2 + 4
        let stamp = Stamp(timestamp: Self.time(time - earlier), replica: replica, hash: builder.finish())
        return UnseenDeletions.Edit(
            stamp: stamp, timestamp: Self.time(time), branch: ForkedLines.Branch(of: replica))
    }

    /// Whether the author of a deletion held an edit, word by word as the log format specifies.
    private static func held(_ edit: UnseenDeletions.Edit, _ write: Write, _ vectors: [VersionVector]) -> Bool {
        guard let position = write.heldAt else { return true }
        let replica = edit.stamp.replica
        // Of its own replica, earlier commits.
        let newest =
            replica == write.stamp.replica
            ? write.stamp.timestamp : vectors[Int(position.rawValue)][replica] ?? .zero
        return newest >= edit.timestamp
    }

    /// The last deletion whose author had not seen an edit; `isBefore` says whether the edit comes before a write.
    private static func expected(
        _ writes: [Write], _ vectors: [VersionVector], _ edit: UnseenDeletions.Edit, isBefore: (Write) -> Bool
    ) -> Int? {
        let later = writes.last { write in
            write.isDeletion && write.stamp.hash != edit.stamp.hash && write.stamp > edit.stamp
                && !held(edit, write, vectors)
        }
        if let later { return later.entry }
        let earlier = writes.prefix { !isBefore($0) }
        let standing = earlier.suffix(while: { $0.isDeletion })
        return standing.last { $0.stamp.hash != edit.stamp.hash }?.entry
    }

    @Test("They are those of the definition", arguments: Seeds.some(300))
    func definition(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Few times and commits, so that many are equal: of one commit, or of commits of one time.
        func drawn() -> UnseenDeletions.Edit {
            let isOriginal = Int.random(in: 0..<3, using: &random) == 0
            return Self.edit(
                of: UInt64.random(in: 0..<8, using: &random),
                earlier: isOriginal ? UInt64.random(in: 1...3, using: &random) : 0)
        }
        // Of each commit, at its position, with its author.
        var held: [Digest: Position] = [:]
        var vectors: [VersionVector] = []
        var authors: [Stamp] = []
        let entries = (0..<Int.random(in: 0...16, using: &random)).map { _ in drawn() }.sorted { $0.stamp < $1.stamp }
        let isEdit = entries.map { _ in Bool.random(using: &random) }
        let writes = entries.indices.filter { !isEdit[$0] }.map { number in
            let times = Self.replicas.map { ($0, Self.time(.random(in: 0...8, using: &random))) }
            let named = times.filter { _ in Bool.random(using: &random) }
            let entry = entries[number]
            // All events of a commit have the same time, except those with an original time.
            let position = held[entry.stamp.hash] ?? Position(UInt64(vectors.count))
            if held.updateValue(position, forKey: entry.stamp.hash) == nil {
                vectors.append(VersionVector(Dictionary(uniqueKeysWithValues: named)))
                authors.append(Stamp(timestamp: entry.timestamp, replica: entry.stamp.replica, hash: entry.stamp.hash))
            }
            return Write(
                entry: number, stamp: entry.stamp, isDeletion: Int.random(in: 0..<3, using: &random) > 0,
                heldAt: entry.stamp.timestamp == entry.timestamp ? position : nil)
        }
        var deletions = UnseenDeletions(writes)
        let newest = { (position: Position, branch: ForkedLines.Branch) -> Timestamp in
            let author = authors[Int(position.rawValue)]
            if branch.replica == author.replica { return author.timestamp }
            return vectors[Int(position.rawValue)][branch.replica] ?? .zero
        }
        for number in entries.indices where isEdit[number] {
            let found = deletions.last(unseenWith: entries[number], entry: number, newest)
            #expect(
                found == Self.expected(writes, vectors, entries[number]) { $0.entry > number }, "\(writes) \(number)")
        }
        for _ in 0..<10 {
            let filing = drawn()
            let found = deletions.last(unseenWith: filing, newest)
            #expect(found == Self.expected(writes, vectors, filing) { $0.stamp > filing.stamp }, "\(writes) \(filing)")
        }
    }
}

extension BidirectionalCollection {
    /// The longest run of elements at the end that fulfil a condition.
    fileprivate func suffix(while condition: (Element) -> Bool) -> [Element] {
        Array(reversed().prefix(while: condition).reversed())
    }
}
