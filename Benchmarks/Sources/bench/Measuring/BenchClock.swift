import BenchmarkData
import EventLog
import Synchronization
import TripStore

/// The clock of stores that are filled: it shows the data's time.
final class BenchClock: Sendable {
    private let milliseconds = Atomic<Int64>(CommitGenerator.clock(of: 0))

    func set(_ commit: Int) { milliseconds.store(CommitGenerator.clock(of: commit), ordering: .relaxed) }

    /// The log's dependencies: this clock, and no machine record.
    var dependencies: Dependencies {
        var dependencies = Dependencies.system
        dependencies.now = { self.milliseconds.load(ordering: .relaxed) }
        dependencies.machineFolder = nil
        return dependencies
    }
}

extension Dependencies {
    /// The system's clock, and no machine record of temporary stores.
    static var forgetful: Dependencies {
        var dependencies = Dependencies.system
        dependencies.machineFolder = nil
        return dependencies
    }
}
