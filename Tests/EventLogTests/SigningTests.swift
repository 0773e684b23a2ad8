import EventLog
import Events
import StoreSupport
import Testing

@Suite("When a line is signed")
struct SigningTests {
    private static func isSigned(_ log: Log) throws -> Bool {
        try log.read { log in
            let journal = try log.journal()
            return try log.signedHeads(of: journal) == log.newestCommits(of: journal)
        }
    }

    @Test("After some seconds without a commit, and not before")
    func atRest() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.appendSamples(3)
        // Two arrived during the idle wait for the first.
        fixture.clock.rest()
        try await log.worker.run {}
        #expect(try !Self.isSigned(log))
        fixture.clock.rest()
        try await log.worker.run {}
        #expect(try Self.isSigned(log))
        _ = try await log.appendSamples(1)
        #expect(try !Self.isSigned(log))
        fixture.clock.rest()
        try await log.worker.run {}
        #expect(try Self.isSigned(log))
        try fixture.expectIntact()
    }

    @Test("When the log is closed, and with nothing new it stays as it is")
    func atClose() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.appendSamples(3)
        #expect(try !Self.isSigned(log))
        try await log.worker.run { try log.prepareClose() }
        #expect(try Self.isSigned(log))
        let before = try log.changeCount()
        try await log.worker.run { try log.prepareClose() }
        #expect(try log.changeCount() == before)
        try fixture.expectIntact()
    }

    @Test("A log that is closed when the idle wait ends is left alone")
    func gone() async throws {
        let fixture = LogFixture()
        do {
            let log = try fixture.open()
            _ = try await log.appendSamples(1)
        }
        fixture.clock.rest()
        try fixture.expectIntact()
    }
}
