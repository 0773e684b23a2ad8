import Foundation
import Synchronization
import Testing
import TripStoreCommands

/// A terminal on which answers are typed, one for each question; then its input ends.
final class TypedAnswers: Sendable {
    private let state: Mutex<(answers: [String], questions: [String])>

    init(_ answers: [String]) { state = Mutex((answers, [])) }

    var questions: [String] { state.withLock(\.questions) }

    func answer(_ question: String) -> String? {
        state.withLock {
            $0.questions.append(question)
            return $0.answers.isEmpty ? nil : $0.answers.removeFirst()
        }
    }
}

extension Tool {
    /// A tool with a trip, whose commands run on 1 April 2027 on a device in Warsaw.
    static func planning() async throws -> Tool {
        let tool = try await withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--destination", "Lisbon, Sintra", "--start-date", "2027-05-01",
            "--end-date", "2027-05-08")
        return tool
    }

    /// Runs a command line on that day; with answers on a terminal.
    func plan(_ line: [String], typing answers: TypedAnswers? = nil) async -> Outcome {
        await Self.run(line + ["--store", path]) { console in
            console.now = { Date(timeIntervalSince1970: 1_806_543_000) }
            console.timeZone = TimeZone(identifier: "Europe/Warsaw") ?? console.timeZone
            if let answers { console.ask = { answers.answer($0) } }
        }
    }

    /// The item that was written last, as JSON: its kind, and its members.
    func lastItem() async throws -> [String: Any] {
        try await run("show", "last", "--json").object()["item"] as? [String: Any] ?? [:]
    }

    /// A moment of an item as in "2027-05-02T10:05:00+01:00 Europe/Lisbon".
    static func words(_ moment: Any?) -> String? {
        guard let moment = moment as? [String: Any], let time = moment["time"], let zone = moment["zone"] else {
            return nil
        }
        return "\(time) \(zone)"
    }
}
