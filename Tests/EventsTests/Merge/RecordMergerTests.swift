import Events
import Foundation
import TestSupport
import Testing

@Suite("Merging in place")
struct RecordMergerTests {
    /// Calls `body` with the message of each event of some commits, in order; the bytes live until it returns.
    private func withMessages(
        _ commits: [Commit], _ body: ([(bytes: UnsafeRawBufferPointer, index: Int, stamp: Stamp)]) throws -> Void
    ) throws {
        let payloads = commits.map { Payload(events: $0.events).encoded() }
        let all = payloads.flatMap { $0 }
        try all.withUnsafeBytes { all in
            var messages: [(bytes: UnsafeRawBufferPointer, index: Int, stamp: Stamp)] = []
            var start = 0
            for (commit, payload) in zip(commits, payloads) {
                let part = UnsafeRawBufferPointer(rebasing: all[start..<start + payload.count])
                try PayloadView(part).forEachEvent { event, index throws(WireError) in
                    messages.append(
                        (UnsafeRawBufferPointer(rebasing: part[event.range(in: part)]), index, commit.stamp))
                }
                start += payload.count
            }
            try body(messages)
        }
    }

    private func apply(
        _ messages: [(bytes: UnsafeRawBufferPointer, index: Int, stamp: Stamp)], to merger: inout RecordMerger
    ) throws {
        for message in messages {
            try merger.apply(EventView(message.bytes), index: message.index, stamp: message.stamp)
        }
    }

    private func merged(_ commits: [Commit]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var merger = RecordMerger()
        // Its previous content leaves no trace.
        try withMessages(Array(commits.prefix(1))) { messages in
            try apply(messages, to: &merger)
        }
        try withMessages(commits) { messages in
            merger.reset()
            try apply(messages, to: &merger)
            merger.encode(into: &bytes)
        }
        return bytes
    }

    @Test("It comes to the record that merging copies comes to", arguments: 0..<40 as Range<UInt64>)
    func equalsCopies(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for count in [1, 2, 3, 7, 20] {
            let commits = Histories.random(count, using: &generator)
            #expect(try merged(commits) == Histories.record(commits).encoded(), "seed \(seed), \(count) commits")
        }
    }

    @Test("It continues from an existing record", arguments: 0..<40 as Range<UInt64>)
    func goesOn(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let commits = Histories.random(12, using: &generator)
        let before = Histories.record(commits.prefix(6)).encoded()
        var bytes: [UInt8] = []
        try before.withUnsafeBytes { before in
            try withMessages(Array(commits.dropFirst(6))) { messages in
                var merger = RecordMerger()
                try merger.reset(to: RecordView(before))
                try apply(messages, to: &merger)
                merger.encode(into: &bytes)
            }
        }
        #expect(bytes == Histories.record(commits).encoded(), "seed \(seed)")
    }

    @Test("A record without events, or with nothing but a creation, has the same bytes")
    func small() throws {
        var bytes: [UInt8] = []
        var merger = RecordMerger()
        merger.encode(into: &bytes)
        #expect(bytes == EntityRecord().encoded())
        for verb in [Verb.created, .edited, .deleted, .restored] {
            let commits = [Commit(stamp: Histories.stamp(1), events: [Histories.event(verb)])]
            #expect(try merged(commits) == Histories.record(commits).encoded())
        }
    }

    @Test("An event that writes nothing leaves no trace in the entity after it")
    func nothingWritten() throws {
        let empty = [Commit(stamp: Histories.stamp(1), events: [Histories.event(.edited)])]
        let created = [Commit(stamp: Histories.stamp(2), events: [Histories.event(.created, [1: [1]])])]
        var merger = RecordMerger()
        for commits in [empty, created, empty, created] {
            var bytes: [UInt8] = []
            try withMessages(commits) { messages in
                merger.reset()
                try apply(messages, to: &merger)
                merger.encode(into: &bytes)
            }
            #expect(bytes == Histories.record(commits).encoded())
        }
    }

    @Test("Registers that are not in order are refused, for they could not be found again")
    func disorder() throws {
        let commits = [Commit(stamp: Histories.stamp(1), events: [Histories.event(.created, [1: [1], 2: [2]])])]
        var bytes = Histories.record(commits).encoded()
        // The field's number of the last register: field, empty key, stamp, length, value.
        let place = bytes.count - 5
        #expect(bytes[place] == 2)
        bytes[place] = 1
        bytes.withUnsafeBytes { bytes in
            var merger = RecordMerger()
            #expect(throws: WireError.self) { try merger.reset(to: RecordView(bytes)) }
        }
    }
}
