import Events
import TripFormats

/// How far long work is, how fast, and how long it takes yet, in words.
struct WorkPace {
    /// The unit of a count.
    enum Unit: Equatable, Sendable {
        case bytes
        /// Things, by the noun of one.
        case things(String)
    }

    private struct Stage {
        let name: String
        let start: Duration
        let done: Int64
    }

    private var stage: Stage?

    /// The state of a stage, as in "writing 1200 of 5000 commits, 24 %, 400 a second, 9 s left": the rate since it began, and for people who
    /// have waited for a second the time that is left.
    ///
    /// - Parameters:
    ///   - total: nil where it is not known.
    ///   - now: the time since any instant, the same one at each call.
    mutating func words(_ name: String, _ done: Int64, of total: Int64?, _ unit: Unit, at now: Duration) -> String {
        if stage?.name != name { stage = Stage(name: name, start: now, done: done) }
        guard let stage else { return name }
        var facts = [share(name, done, of: total, unit)]
        let milliseconds = (now - stage.start) / .milliseconds(1)
        let rate = Double(done - stage.done) / milliseconds * 1000
        // Before that it says more of the first pieces than of the stage.
        guard milliseconds >= 200, rate > 0 else { return facts[0] }
        switch unit {
        case .bytes: facts.append("\(Words.bytes(Int(rate)))/s")
        case .things: if rate >= 1 { facts.append("\(Int(rate)) a second") }
        }
        if let total, done < total, milliseconds > 1000 {
            let left = Double(total - done) / rate * 1000
            facts.append("\(Words.duration(milliseconds: max(1000, Int64(min(left, 1e15).rounded())))) left")
        }
        return facts.joined(separator: ", ")
    }

    private func share(_ name: String, _ done: Int64, of total: Int64?, _ unit: Unit) -> String {
        let percent = total.map { "\(min(done, $0) * 100 / max($0, 1)) %" }
        switch unit {
        case .bytes: return percent.map { "\(name) \($0)" } ?? "\(name) \(Words.bytes(Int(done)))"
        case .things(let noun):
            guard let total, let percent, total > 0 else { return done == 0 ? name : "\(name) \(done.counted(noun))" }
            return "\(name) \(done) of \(total.counted(noun)), \(percent)"
        }
    }
}
