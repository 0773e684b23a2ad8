import BenchmarkData
import Foundation
import TripStore

/// Many tasks that each append small durable commits one after the other, beside a single such task.
struct ManyTasksRow: Row {
    let name = "many-tasks"
    let work = "64 tasks appending small durable commits"
    let peer = "one task"
    private static let tasks = 64

    func run(in workplace: Workplace) async throws -> Outcome {
        let settings = workplace.settings
        let filled = try await FilledLog(try workplace.makeFolder("log"), eventsPerCommit: 1)
        let log = filled.log
        let each = settings.count(200)
        let paired = try await Paired.measure(settings, repeats: settings.isSingle ? 1 : settings.repeats * 2 + 1) {
            let commits = (0..<Self.tasks).map { _ in filled.make(each).map(\.payload) }
            return try await seconds {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for payloads in commits {
                        group.addTask { for payload in payloads { _ = try await log.append(payload) } }
                    }
                    try await group.waitForAll()
                }
            } / Double(each * Self.tasks)
        } peer: {
            let payloads = filled.make(each * 2).map(\.payload)
            return try await seconds { for payload in payloads { _ = try await log.append(payload) } }
                / Double(each * 2)
        }
        return Outcome(measurements: [paired.rates(1, "the log", goal: .ratioAtLeast(25))])
    }
}
