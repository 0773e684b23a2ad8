import BenchmarkData
import Synchronization
import TripStore

/// The clock of stores that are filled: it stands where the data says.
final class BenchClock: Sendable {
    private let milliseconds = Atomic<Int64>(CommitGenerator.clock(of: 0))

    func set(_ commit: Int) { milliseconds.store(CommitGenerator.clock(of: commit), ordering: .relaxed) }

    /// What a log takes from the world: this clock, and nothing remembered of the store elsewhere.
    var dependencies: Dependencies {
        var dependencies = Dependencies.system
        dependencies.now = { self.milliseconds.load(ordering: .relaxed) }
        dependencies.machineFolder = nil
        return dependencies
    }
}

extension Dependencies {
    /// The system's clock, and nothing remembered elsewhere of stores that come and go.
    static var forgetful: Dependencies {
        var dependencies = Dependencies.system
        dependencies.machineFolder = nil
        return dependencies
    }
}
