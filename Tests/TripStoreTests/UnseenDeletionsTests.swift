import EventLog
import Events
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Deletions that did not know of an edit")
struct UnseenDeletionsTests {
    typealias Write = UnseenDeletions.Write

    private static func stamp(_ time: UInt64, commit: UInt64) -> Stamp {
        var builder = DigestBuilder()
        builder.add(commit.bigEndianBytes)
        return Stamp(
            timestamp: Timestamp(rawValue: time), replica: ReplicaID(publicKey: [UInt8(commit % 3)]),
            hash: builder.finish())
    }

    /// What the log format says, word by word, of an edit that is an entry of the same entity.
    private static func expected(_ writes: [Write], _ edit: Stamp, entry: Int) -> Int? {
        var found: Int?
        for (place, write) in writes.enumerated() where write.isDeletion && write.stamp.hash != edit.hash {
            let restored = writes[(place + 1)...].first { !$0.isDeletion }
            if edit > write.stamp {
                if restored.map({ entry < $0.entry }) ?? true { found = write.entry }
            } else if let newest = write.newestSeen, newest < edit.timestamp {
                found = write.entry
            }
        }
        return found
    }

    /// The same of a write to another entity.
    private static func expected(_ writes: [Write], before filing: Stamp) -> Int? {
        var found: Int?
        for (place, write) in writes.enumerated() where write.isDeletion && write.stamp.hash != filing.hash {
            let restored = writes[(place + 1)...].first { !$0.isDeletion }
            if filing > write.stamp, restored.map({ filing < $0.stamp }) ?? true { found = write.entry }
        }
        return found
    }

    @Test("They are those of the definition", arguments: Seeds.some(300))
    func definition(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Few times and commits, so that many are equal: of one commit, or of commits of one time.
        func drawn() -> Stamp {
            let commit = UInt64.random(in: 0..<8, using: &random)
            return Self.stamp(commit / 2 + UInt64.random(in: 1...3, using: &random), commit: commit)
        }
        let entries = (0..<Int.random(in: 0...16, using: &random)).map { _ in drawn() }.sorted()
        let isEdit = entries.map { _ in Bool.random(using: &random) }
        let writes = entries.indices.filter { !isEdit[$0] }.map { number in
            Write(
                entry: number, stamp: entries[number], isDeletion: Int.random(in: 0..<3, using: &random) > 0,
                newestSeen: Bool.random(using: &random) ? Timestamp(rawValue: .random(in: 0...8, using: &random)) : nil)
        }
        let deletions = UnseenDeletions(writes)
        for number in entries.indices where isEdit[number] {
            let found = deletions.last(unseenWith: entries[number], entry: number)
            #expect(found == Self.expected(writes, entries[number], entry: number), "\(writes) \(number)")
        }
        for _ in 0..<10 {
            let filing = drawn()
            #expect(deletions.lastEarlier(than: filing) == Self.expected(writes, before: filing), "\(writes) \(filing)")
        }
    }
}
