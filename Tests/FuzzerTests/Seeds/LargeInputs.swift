import EventLog
import Events
import Foundation

@testable import LogExchange

/// Large repetitive inputs of some megabytes, by fuzzer: fuzzers stay with small ones, where quadratic time does not
/// show.
enum LargeInputs {
    static func all() -> [(kind: any Fuzzer.Type, name: String, bytes: [UInt8])] {
        let text = { (text: String) in Array(text.utf8) }
        return [
            (WireFuzzer.self, "many-fields", repeated([8, 1], 1 << 18)),
            (CommitFuzzer.self, "paths-ascend", payload((0..<150_000).map { $0 }, perEvent: 150_000)),
            (CommitFuzzer.self, "paths-descend", payload((0..<150_000).reversed(), perEvent: 150_000)),
            (CommitFuzzer.self, "paths-of-many-events", payload((0..<15_000).reversed(), perEvent: 1)),
            (CommitFuzzer.self, "unknown-fields", repeated([0x60, 1], 1 << 20)),
            (MessageFuzzer.self, "many-heads", ExchangeMessage.frontier(frontier).encoded()),
            (MessageFuzzer.self, "empty-commits", ExchangeMessage.segments(segments).encoded()),
            (BundleFuzzer.self, "empty-records", [0] + BundleRecord.magic + repeated([0, 0, 0, 0], 200_000)),
            (BundleFuzzer.self, "long-record", [0] + BundleRecord.magic + [0x00, 0x40, 0, 0] + repeated([0], 100)),
            (ExportFuzzer.self, "bad-trips", export(trips: repeated(text("1,"), 200_000) + text("1"))),
            (ExportFuzzer.self, "empty-trips", export(trips: repeated(text("{},"), 200_000) + text("{}"))),
            (ExportFuzzer.self, "lists", export(trips: repeated(text("[],"), 200_000) + text("[]"))),
            (ExportFuzzer.self, "spaces", export(trips: repeated(text(" \n"), 1 << 20))),
            (ExportFuzzer.self, "same-keys", export(trips: text("{") + repeated(text(#""cost":-1,"#), 200_000))),
            (ExportFuzzer.self, "other-keys", export(trips: text("{") + repeated(text(#""x":[{}],"#), 200_000))),
            (ExportFuzzer.self, "escapes", export(trips: text(#"{"x":""#) + repeated(text(#"\u0041"#), 500_000))),
            (WriteAheadFuzzer.self, "changes", writeAhead()),
            (CalendarFuzzer.self, "rules", calendar((0..<5_000).map { rule($0, "FREQ=YEARLY;BYDAY=53MO") })),
            (CalendarFuzzer.self, "folds", calendar([text("SUMMARY:") + repeated(text("x\r\n "), 200_000)])),
        ]
    }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(bytes.count * count)
        for _ in 0..<count { all += bytes }
        return all
    }

    private static func payload(_ numbers: some Sequence<Int>, perEvent: Int) -> [UInt8] {
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID(uuid: noID))
        let changes = numbers.map { Change(path: FieldPath(field: 1, key: UInt32($0).bigEndianBytes), value: nil) }
        let events = stride(from: 0, to: changes.count, by: perEvent).map { start in
            Event(
                verb: .edited, entity: entity, changes: Array(changes[start..<min(start + perEvent, changes.count)]))
        }
        return Payload(events: events).encoded()
    }

    private static let journal = JournalID(UUID(uuid: noID))
    private static let replica = ReplicaID(publicKey: [])

    private static var frontier: Frontier {
        Frontier(
            journal: journal,
            heads: (1...50_000).map { CommitID(replica: replica, sequence: SequenceNumber($0), hash: .zero) })
    }

    private static var segments: [LineSegment] {
        let commits = [[UInt8]](repeating: [], count: LineSegment.largestCommitCount)
        return (0..<300).map { _ in
            LineSegment(
                journal: journal, replica: replica, first: SequenceNumber(1), previous: .zero, commits: commits,
                signature: repeated([0], 64))
        }
    }

    private static func export(trips: [UInt8]) -> [UInt8] {
        Array(#"{"exportInfo":{"version":"1.0","format":"json"},"trips":["#.utf8) + trips + Array("]}".utf8)
    }

    /// Events of some lines each.
    static func calendar(_ events: [[UInt8]]) -> [UInt8] {
        let lines = events.flatMap { Array("BEGIN:VEVENT\r\n".utf8) + $0 + Array("\r\nEND:VEVENT\r\n".utf8) }
        return Array("BEGIN:VCALENDAR\r\n".utf8) + lines + Array("END:VCALENDAR\r\n".utf8)
    }

    static func rule(_ number: Int, _ rule: String) -> [UInt8] {
        Array("UID:\(number)@test\r\nDTSTART:20280101T100000Z\r\nRRULE:\(rule)".utf8)
    }

    /// Frames of many small changes each.
    private static func writeAhead() -> [UInt8] {
        let change: [UInt8] = [1, 4] + Array("rows".utf8) + [2, 0, 0, 0, 7, 8, 0, 0, 0, 0]
        let changes = repeated(change, 4000)
        let record = [UInt8(changes.count & 0xFF), UInt8(changes.count >> 8)] + changes
        return [3] + repeated(record, 20)
    }
}

private let noID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
