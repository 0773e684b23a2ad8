import Events
import Foundation
import TestSupport
import Testing

@Suite("Merging paths that do not ascend")
struct LatePathTests {
    private func path(_ number: Int) -> FieldPath {
        FieldPath(field: UInt64(number % 5 + 1), key: UInt32(number / 5).bigEndianBytes)
    }

    /// The result of merging in place, continuing from a record.
    private func merged(_ commits: some Sequence<Commit>, after record: EntityRecord) throws -> [UInt8] {
        var merged: [UInt8] = []
        let before = record.encoded()
        let payloads = commits.map { (stamp: $0.stamp, bytes: Payload(events: $0.events).encoded()) }
        let all = payloads.flatMap { $0.bytes }
        try before.withUnsafeBytes { before in
            try all.withUnsafeBytes { all in
                var merger = RecordMerger()
                try merger.reset(to: RecordView(before))
                var start = 0
                for (stamp, bytes) in payloads {
                    let part = UnsafeRawBufferPointer(rebasing: all[start..<start + bytes.count])
                    try PayloadView(part).forEachEvent { event, index throws(WireError) in
                        try merger.apply(event, index: index, stamp: stamp)
                    }
                    start += bytes.count
                }
                merger.encode(into: &merged)
            }
        }
        return merged
    }

    /// Commits over many paths, in any order, some of them several times in one event.
    private func commits(_ generator: inout SeededGenerator) -> [Commit] {
        (0..<8).map { number in
            let events = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                let changes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                    Change(
                        path: path(.random(in: 0..<500, using: &generator)),
                        value: Bool.random(using: &generator) ? nil : generator.bytes(upTo: 3))
                }
                let verbs: [Verb] = [.created, .edited, .deleted, .restored]
                return Event(
                    verb: verbs.randomElement(using: &generator) ?? .edited, entity: Histories.entity,
                    changes: changes)
            }
            return Commit(
                stamp: Histories.stamp(.random(in: 1...4, using: &generator), hash: UInt64(number)), events: events)
        }
    }

    @Test("They yield the same as sorting every write, copied and in place", arguments: Seeds.some(20))
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let commits = commits(&generator)
        let record = Histories.record(commits)
        let expected = Histories.expected(commits)
        #expect(record.registers.map(\.path) == expected.keys.sorted(), "seed \(seed)")
        for register in record.registers {
            #expect(register.stamp == expected[register.path]?.0, "seed \(seed)")
            #expect(register.value == expected[register.path]?.1, "seed \(seed)")
        }
        for held in [0, 1, 4] {
            let before = Histories.record(commits.prefix(held))
            #expect(
                try merged(commits.dropFirst(held), after: before) == record.encoded(), "seed \(seed), \(held) held")
        }
        var encoded = EntityRecord()
        for commit in commits { try commit.applyEncoded(to: &encoded) }
        #expect(encoded == record, "seed \(seed)")
    }

    @Test("Of one path that comes several times in an event the last one counts")
    func lastCounts() throws {
        let paths = (0..<300).reversed().map { path($0) }
        let changes = paths.map { Change(path: $0, value: [1]) } + paths.map { Change(path: $0, value: [2]) }
        let commit = Commit(
            stamp: Histories.stamp(1), events: [Event(verb: .created, entity: Histories.entity, changes: changes)])
        let record = Histories.record([commit])
        #expect(record.registers.map(\.path) == paths.sorted())
        #expect(record.registers.allSatisfy { $0.value == [2] })
        #expect(try merged([commit], after: EntityRecord()) == record.encoded())
    }

    /// Quadratic time would be two minutes here, and half an hour for a commit of 16 MiB.
    @Test("A commit whose paths descend is merged in no more than the time that sorting takes", .timeLimit(.minutes(1)))
    func descending() throws {
        let changes = (0..<300_000).reversed().map { Change(path: path($0), value: nil) }
        let commit = Commit(
            stamp: Histories.stamp(1), events: [Event(verb: .edited, entity: Histories.entity, changes: changes)])
        let record = Histories.record([commit])
        #expect(record.registers.count == changes.count)
        #expect(try merged([commit], after: EntityRecord()) == record.encoded())
        // An event for each works as well in place.
        let events = changes.prefix(20_000).map {
            Event(verb: .edited, entity: Histories.entity, changes: [$0])
        }
        let apart = try merged([Commit(stamp: Histories.stamp(1), events: events)], after: EntityRecord())
        let count = try apart.withUnsafeBytes { try EntityRecord($0).registers.count }
        #expect(count == events.count)
    }
}
