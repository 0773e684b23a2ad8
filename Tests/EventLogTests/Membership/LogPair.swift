import Events
import StoreSupport
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

    func meet() async throws {
        try await founder.pass(to: other)
        try await other.pass(to: founder)
        try await founder.pass(to: other)
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
