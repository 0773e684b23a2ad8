import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@Suite("A log that rests")
struct SettlingTests {
    /// What the write-ahead file says: 0 where the data file holds everything.
    private func state(_ fixture: LogFixture) throws -> UInt8? {
        let file = try Data(contentsOf: URL(filePath: fixture.folder.path("log/wal")))
        return file.count > 12 ? file[12] : nil
    }

    @Test("When nobody has written for a while, what was written ahead is where it belongs", .timeLimit(.minutes(5)))
    func idle() async throws {
        let fixture = LogFixture()
        do {
            let log = try fixture.open()
            for round in 0..<2 {
                for number in 0..<6 { _ = try await log.append(.sample("\(round) \(number)")) }
                #expect(try state(fixture) == 1)
                // It comes by itself; the limit of time ends the test if it does not.
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
