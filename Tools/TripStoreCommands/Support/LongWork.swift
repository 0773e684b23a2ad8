import Synchronization
import TripFormats

/// Long work as people at a terminal see it: how far it is, and what stands if they interrupt it.
final class LongWork: Sendable {
    private struct State {
        var pace = WorkPace()
        var hasBegun = false
        var hasEnded = false
    }

    private let console = Console.current
    private let start = ContinuousClock.now
    private let standing: @Sendable () -> String
    private let state = Mutex(State())

    /// - Parameter standing: what is said if a signal ends the process from the first report on.
    init(standing: @escaping @Sendable () -> String) { self.standing = standing }

    convenience init(standing: String) { self.init { standing } }

    /// Shows the state of a stage, unless the work has ended. Its total is nil where that is not known.
    func report(_ stage: String, _ done: some BinaryInteger, of total: (some BinaryInteger)?, _ unit: WorkPace.Unit) {
        let now = ContinuousClock.now - start
        let (done, total) = (Int64(clamping: done), total.map { Int64(clamping: $0) })
        // All under the lock: work reports from several threads, and a line that is shown after the end would stay.
        state.withLock { state in
            guard !state.hasEnded else { return }
            if !state.hasBegun {
                state.hasBegun = true
                console.onInterruption { [console, standing] in console.interruption(standing()) }
            }
            console.progress?(state.pace.words(stage, done, of: total, unit, at: now))
        }
    }

    /// Shows a stage of which it is not known how far it is.
    func report(_ stage: String) { report(stage, 0, of: Int?.none, .things("")) }

    /// Clears the line before what the command prints. May be repeated.
    func end() {
        state.withLock { state in
            defer { state.hasEnded = true }
            guard state.hasBegun, !state.hasEnded else { return }
            console.progress?("")
            console.onInterruption(nil)
        }
    }

    /// Does work that only reads, of which it is not known how far it is.
    static func reading<T>(_ body: () throws -> T) rethrows -> T {
        let work = LongWork(standing: "Nothing was changed.")
        defer { work.end() }
        work.report("reading")
        return try body()
    }

    /// Prints a line for people above the line that shows how far it is.
    func say(_ text: String) {
        console.progress?("")
        console.error(text)
    }

    /// Does work that ends with `body`, and shows a stage until it reports others.
    static func run<T>(
        standing: String, showing stage: String? = nil, _ body: (LongWork) async throws -> T
    ) async rethrows -> T {
        let work = LongWork(standing: standing)
        defer { work.end() }
        if let stage { work.report(stage) }
        return try await body(work)
    }
}

extension Console {
    /// The line that is printed of an interruption.
    fileprivate func interruption(_ standing: String) -> String {
        // On the thread of a signal this is not the current console.
        Console.$current.withValue(self) {
            let text = "Interrupted. \(standing)".onThisStore.visible
            return isJSON ? ErrorReport(CommandError(text, code: "interrupted")).json.text : text
        }
    }
}
