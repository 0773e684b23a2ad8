import Foundation
import Logging
import Synchronization
import Testing

@testable import TripStoreCommands

@Suite("Logs as lines of JSON")
struct JSONLogHandlerTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func logger(_ lines: Lines) -> Logger {
        var logger = Logger(label: "tests.hub") { label in
            JSONLogHandler(label: label, now: { Date(timeIntervalSince1970: 1_800_000_000.25) }) { lines.add($0) }
        }
        logger.logLevel = .info
        return logger
    }

    @Test("An entry is one line with its time, level, label, message and metadata")
    func entry() {
        let lines = Lines()
        var logger = logger(lines)
        logger[metadataKey: "hub"] = "a"
        logger.warning(
            "a \"quoted\"\nmessage", metadata: ["list": ["1", .stringConvertible(2)], "part": ["key": "\u{1B}[2J"]])
        logger.debug("below the level")
        #expect(
            lines.all == [
                "{\"time\":\"2027-01-15T08:00:00.250Z\",\"level\":\"warning\",\"label\":\"tests.hub\","
                    + "\"message\":\"a \\\"quoted\\\"\\nmessage\",\"metadata\":{\"hub\":\"a\",\"list\":[\"1\",\"2\"],"
                    + "\"part\":{\"key\":\"\\u001b[2J\"}}}\n"
            ])
    }

    @Test("Long texts are cut, also within a character")
    func long() throws {
        let lines = Lines()
        logger(lines).notice("\(String(repeating: "é", count: 10_000))x")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(lines.all[0].utf8)) as? [String: Any])
        let message = try #require(object["message"] as? String)
        #expect(message.utf8.count < 4200 && message.hasSuffix("…"))
        #expect(object["metadata"] == nil)
    }
}
