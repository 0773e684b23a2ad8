import Foundation
import Synchronization
import TripStore

/// What a command of the tool printed that ran in this process.
struct CommandRun: Sendable {
    let code: Int32
    /// Objects of JSON, as they were printed.
    let rows: [String]
    /// Faults and warnings, each an object of JSON.
    let complaints: [String]
    /// Whether it printed more than is kept.
    let isTooLong: Bool

    /// The most bytes of rows that are kept: one of the largest commits that there can be. An answer is in memory four times at most.
    private static let mostBytes = 32 << 20

    /// Runs a command line on a store that is open.
    ///
    /// - Parameter progress: receives what a terminal would show of how far it is.
    static func run(
        _ line: [String], on store: TripStore, environment: [String: String],
        progress: (@Sendable (String) -> Void)? = nil
    ) async -> CommandRun {
        let printed = Printed(mostBytes: mostBytes)
        let console = Console(
            out: { printed.add(row: $0) }, error: { printed.add(complaint: $0) }, progress: progress,
            environment: environment, hasReader: { !printed.isTooLong && !Task.isCancelled })
        let code = await SharedStore.$current.withValue(store) {
            await TripStoreCommand.run(line, console: console)
        }
        return printed.outcome(code)
    }
}

/// Collects what a command prints.
private final class Printed: Sendable {
    private struct State {
        var rows: [String] = []
        var complaints: [String] = []
        var bytes = 0
    }

    private let mostBytes: Int
    private let state = Mutex(State())

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    func add(row: String) {
        state.withLock { state in
            state.bytes += row.utf8.count
            if state.bytes <= mostBytes { state.rows.append(row) }
        }
    }

    func add(complaint: String) { state.withLock { $0.complaints.append(complaint) } }

    var isTooLong: Bool { state.withLock { $0.bytes > mostBytes } }

    func outcome(_ code: Int32) -> CommandRun {
        state.withLock {
            CommandRun(code: code, rows: $0.rows, complaints: $0.complaints, isTooLong: $0.bytes > mostBytes)
        }
    }
}
