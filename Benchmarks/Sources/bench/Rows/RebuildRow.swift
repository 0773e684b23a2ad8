import Foundation
import TripStore

/// Views built from an existing log, each time in a process of its own.
struct RebuildRow: Row {
    let name = "rebuild"
    let work = "rebuild views from the log"
    let peer = "ours, of a fourth of the events"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let sizes =
            settings.isSingle ? [settings.events] : [settings.events / 10, settings.events, settings.events * 4]
        var four = Series(plot: "rebuild", name: "four views")
        var all = Series(plot: "rebuild", name: "all views")
        var found: [Int: (four: Result, all: Result)] = [:]
        for size in sizes {
            try await scratch.withFolder { folder in
                try await FilledLog.make(folder, events: size)
                let repeats = settings.repeats(atMost: size > 1_000_000 ? 2 : 5)
                let result = (
                    four: try Result(folder, all: false, settings, repeats: repeats),
                    all: try Result(folder, all: true, settings, repeats: repeats)
                )
                four.points.append(Series.Point(size: size, value: result.four.seconds))
                all.points.append(Series.Point(size: size, value: result.all.seconds))
                found[size] = result
            }
        }
        return Outcome(measurements: measurements(found, settings.events), series: [four, all])
    }

    private struct Result {
        let seconds: Double
        let userSeconds: Double
        let anonymousBytes: Double

        init(_ folder: URL, all: Bool, _ settings: Settings, repeats: Int) throws {
            // A virtual machine gets memory from its host when it is first touched, including that of the page cache: a
            // time that depends on what ran before. The first build is not counted.
            if !settings.isSingle { _ = try RebuildCommand.run(folder, all: all) }
            let outcomes = try (0..<repeats).map { _ in try RebuildCommand.run(folder, all: all) }
            seconds = outcomes.map(\.seconds).median
            userSeconds = outcomes.map(\.userSeconds).median
            anonymousBytes = outcomes.map { Double($0.anonymousBytes) }.median
        }
    }

    private func measurements(_ found: [Int: (four: Result, all: Result)], _ size: Int) -> [Measurement] {
        guard let full = found[size] else { return [] }
        var measurements = [
            Measurement(
                detail: "entities, trips by date, items per trip, history",
                ours: .perSecond(Double(size) / full.four.seconds), goal: .atLeast(2.5e6)),
            Measurement(
                detail: "all built-in views", ours: .perSecond(Double(size) / full.all.seconds), goal: .atLeast(1.2e6)),
            Measurement(
                detail: "anonymous memory, four views", ours: .bytes(full.four.anonymousBytes), goal: .atMost(130e6)),
            Measurement(
                detail: "anonymous memory, all views", ours: .bytes(full.all.anonymousBytes), goal: .atMost(130e6)),
        ]
        guard let large = found[size * 4] else { return measurements }
        for (name, one, four) in [("four views", full.four, large.four), ("all views", full.all, large.all)] {
            measurements += [
                Measurement(
                    detail: "four times the events, \(name)", ours: .seconds(four.seconds), peer: .seconds(one.seconds),
                    ratio: four.seconds / one.seconds, goal: .ratioAtMost(4.4)),
                Measurement(
                    detail: "four times the events, \(name): times the processors' time outside the kernel",
                    ours: Quantity(value: four.userSeconds / one.userSeconds, unit: .times)),
                Measurement(
                    detail: "anonymous memory at four times the events, \(name)", ours: .bytes(four.anonymousBytes),
                    goal: .atMost(280e6)),
            ]
        }
        return measurements
    }
}
