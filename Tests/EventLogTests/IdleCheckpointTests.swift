import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@Suite("Checkpoints of an idle log")
struct IdleCheckpointTests {
    /// The state in the write-ahead file: 0 if the data file holds everything.
    private func state(_ fixture: LogFixture) throws -> UInt8? {
        let file = try Data(contentsOf: URL(filePath: fixture.folder.path("log/wal")))
        return file.count > 12 ? file[12] : nil
    }

    @Test("An idle environment is checkpointed", .timeLimit(.minutes(10)))
    func idle() async throws {
        let fixture = LogFixture()
        do {
            let log = try fixture.open()
            for round in 0..<2 {
                for number in 0..<6 { _ = try await log.append(.sample("\(round) \(number)")) }
                #expect(try state(fixture) == 1)
                // It comes by itself; the time limit ends the test if it does not.
                while try state(fixture) != 0 { try await Task.sleep(for: .milliseconds(20)) }
            }
            // Not the writer's own commits alone.
            try log.setNote("place", [1])
            #expect(try state(fixture) == 1)
            while try state(fixture) != 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try log.commits().count == 13)
        }
        try fixture.expectIntact()
    }
}
