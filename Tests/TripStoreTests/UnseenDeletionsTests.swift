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

    /// What the log format says, word by word.
    private static func expected(_ writes: [Write], _ edit: Stamp) -> Int? {
        var found: Int?
        for (place, write) in writes.enumerated() where write.isDeletion && write.stamp.hash != edit.hash {
            let restored = writes[(place + 1)...].first { !$0.isDeletion }
            if edit > write.stamp {
                if restored.map({ edit < $0.stamp }) ?? true { found = write.entry }
            } else if let newest = write.newestSeen, newest < edit.timestamp {
                found = write.entry
            }
        }
        return found
    }

    @Test("They are those of the definition", arguments: Seeds.some(300))
    func definition(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Few times and commits, so that many are equal.
        func drawn() -> Stamp {
            Self.stamp(.random(in: 1...8, using: &random), commit: .random(in: 0..<6, using: &random))
        }
        let stamps = (0..<Int.random(in: 0...12, using: &random)).map { _ in drawn() }.sorted()
        let writes = stamps.enumerated().map { number, stamp in
            Write(
                entry: 3 * number, stamp: stamp, isDeletion: Int.random(in: 0..<3, using: &random) > 0,
                newestSeen: Bool.random(using: &random)
                    ? Timestamp(rawValue: .random(in: 0...8, using: &random)) : nil)
        }
        let deletions = UnseenDeletions(writes)
        for _ in 0..<20 {
            let edit = drawn()
            // An edit lies before or after a write, and is none of them.
            guard !stamps.contains(edit) else { continue }
            #expect(deletions.last(unseenWith: edit) == Self.expected(writes, edit), "\(writes) \(edit)")
        }
    }
}
