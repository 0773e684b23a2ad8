import Events
import Testing

@testable import EventLog

/// A founder's log and another of the same journal, whose commits the test passes by hand.
struct LogPair {
    let fixtures = (LogFixture(seed: 1), LogFixture(seed: 2))
    let founder: Log
    let other: Log

    init() async throws {
        founder = try fixtures.0.open(founding: true)
        other = try fixtures.1.open(journal: founder.journal)
    }

    /// Passes everything listed from one to the other.
    func pass(from log: Log, to target: Log) async throws { try await Self.pass(from: log, to: target) }

    static func pass(from log: Log, to target: Log) async throws {
        try await log.signHead()
        let segments = try log.read { log in
            let journal = try log.journal()
            var found: [LineSegment] = []
            for range in try log.ranges(towards: log.listedHeads(of: journal), lackedBy: [], in: journal) {
                var sequence = range.after
                while let segment = try log.segment(towards: range.head, after: sequence, in: journal) {
                    found.append(segment)
                    sequence = segment.last
                    if sequence >= range.head.sequence { break }
                }
            }
            return found
        }
        for segment in segments { try await target.store(segment) }
    }

    func meet() async throws {
        try await pass(from: founder, to: other)
        try await pass(from: other, to: founder)
        try await pass(from: founder, to: other)
    }

    func expectIntact() throws {
        try fixtures.0.expectIntact()
        try fixtures.1.expectIntact()
    }
}

extension Log {
    /// The texts of the events that count.
    func texts() throws -> [String] {
        try commits().filter(\.counts).flatMap { $0.payload?.events ?? [] }.flatMap(\.changes)
            .map { String(decoding: $0.value ?? [], as: UTF8.self) }
    }
}
