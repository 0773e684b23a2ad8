import ArgumentParser
import FaultTesting
import Foundation

/// Puts a load on a hub: many replicas in one process, without the views that a store has. `Tools/soak load` runs it.
@main
struct HubLoad: AsyncParsableCommand {
    private static let commands: [any ParsableCommand.Type] = [
        FleetCommand.self, EchoServerCommand.self, EchoCommand.self, DiskCommand.self, InsertCommand.self,
        FillCommand.self, FetchCommand.self, SubscribersCommand.self,
    ]

    static let configuration = CommandConfiguration(
        commandName: "hub-load", abstract: "Put a load on a hub, and measure.", subcommands: commands)
}

/// Prints an object at once, for the script that waits for it.
func report(_ members: KeyValuePairs<String, Double>) {
    let text = members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    FileHandle.standardOutput.write(Data("{\(text)}\n".utf8))
}

/// Runs `body` again and again in that many tasks, until the time has passed. Returns what each run took.
func measure(
    tasks: Int, seconds: Double, _ body: @escaping @Sendable (_ task: Int) async throws -> Void
) async throws -> (latencies: Latencies, seconds: Double) {
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let all = try await withThrowingTaskGroup(of: Latencies.self) { group in
        for task in 0..<tasks {
            group.addTask {
                var latencies = Latencies()
                while case let began = ContinuousClock.now, began < end {
                    try await body(task)
                    latencies.add(ContinuousClock.now - began)
                }
                return latencies
            }
        }
        return try await group.reduce(into: Latencies()) { $0.add($1) }
    }
    return (all, (ContinuousClock.now - start) / .seconds(1))
}

/// Lets that many tasks begin at the same time, each after it has prepared, and again once all are done, until the time has passed.
/// Returns what each took, the seconds in which they ran, and this process's processor time of them: preparing takes none of either.
func measureRounds(
    tasks: Int, seconds: Double, _ prepare: @escaping @Sendable (_ task: Int) async throws -> Void,
    _ body: @escaping @Sendable (_ task: Int) async throws -> Void
) async throws -> (latencies: Latencies, seconds: Double, processor: Double) {
    var all = Latencies()
    var taken = Duration.zero
    var processor = 0.0
    while taken < .seconds(seconds) {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks { group.addTask { try await prepare(task) } }
            try await group.waitForAll()
        }
        let (start, used) = (ContinuousClock.now, processorSeconds())
        let latencies = try await withThrowingTaskGroup(of: Duration.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    let began = ContinuousClock.now
                    try await body(task)
                    return ContinuousClock.now - began
                }
            }
            return try await group.reduce(into: Latencies()) { $0.add($1) }
        }
        taken += ContinuousClock.now - start
        processor += processorSeconds() - used
        all.add(latencies)
    }
    return (all, taken / .seconds(1), processor)
}

/// The processor time of this process until now.
private func processorSeconds() -> Double {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
