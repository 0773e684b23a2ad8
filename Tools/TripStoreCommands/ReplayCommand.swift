import ArgumentParser
import Events
import Foundation
import TripFormats
import TripStore

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Build the views anew from the log.",
        discussion: """
            Without options the new views take the place of the serving ones, which answer until then. With --verify they \
            are built apart and compared; a difference is named and the exit code is 1. With --into they are built into a \
            folder and compared, and stay there. With --as-of they are built apart of the log up to there, shown, and \
            thrown away.

            Examples:
              tripstore replay --verify
              tripstore replay --view trips-by-start
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption

    @Option(name: .long, help: "Only this view; may be given several times.")
    var view: [String] = []

    @Flag(name: .long, help: "Build apart and compare.")
    var verify = false

    @Option(name: .long, help: "Build into this folder, which must be new or empty.", completion: .directory)
    var into: String?

    func validate() throws {
        if past.asOf != nil && (verify || into != nil || !view.isEmpty) {
            throw ArgumentParser.ValidationError(
                "--as-of builds all views as they were and compares them with none: leave out --view, --verify and "
                    + "--into.")
        }
    }

    func run() async throws {
        if past.asOf != nil { return try await showPast() }
        let names = view.isEmpty ? nil : Set(view)
        let clock = ContinuousClock()
        let start = clock.now
        let work = LongWork(standing: "The log and the views that serve stand as they are; no new ones are in place.")
        defer { work.end() }
        let progress = StoreOptions.progress(of: work)
        let report: ReplayReport
        if verify || into != nil {
            let store = try await options.openForReading()
            if let into {
                let folder = URL(fileURLWithPath: (into as NSString).expandingTildeInPath)
                report = try await store.buildViews(into: folder, names, progress: progress)
            } else {
                report = try await store.verifyViews(names, progress: progress)
            }
        } else {
            // Waiting for views that could not be built would refuse the command that builds them.
            report = try await withStore(options, waitsForViews: false) {
                try await $0.replayViews(names, progress: progress)
            }
        }
        let seconds = (clock.now - start) / .seconds(1)
        work.end()
        Console.current.out(options.json ? json(report, seconds).text : text(report, seconds))
        guard let different = report.views.first(where: { $0.matches == false }) else { return }
        Console.current.warn(Self.words(different))
        throw ExitCode.found
    }

    /// Shows the views of a past state.
    private func showPast() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let store = try await options.openForReading()
        guard let past = try await past.past(of: store) else { return }
        let seconds = (clock.now - start) / .seconds(1)
        let views = try past.viewStatus(digests: true)
        // The history of each entity has a row for each of its events.
        let events = views.first { $0.name == "entity-history" }?.rows ?? 0
        if options.json {
            let views = views.map { view in
                JSON.object([
                    ("name", .string(view.name)), ("rows", .integer(view.rows)),
                    ("digest", .optional(view.digest?.description)),
                ])
            }
            Console.current.out(
                JSON.object([
                    ("events", .integer(events)), ("position", .integer(past.position.rawValue)),
                    ("seconds", .double(seconds)), ("eventsPerSecond", .integer(Self.rate(events, seconds))),
                    ("views", .array(views)),
                ]).text)
        } else {
            Console.current.out(
                "\(events.counted("event")) of the log up to position \(past.position) in \(Self.words(seconds)), "
                    + "\(Self.rate(events, seconds)) a second")
            let cells = views.map { [$0.name, $0.rows.counted("row"), $0.digest?.description ?? ""] }
            for line in TextTable.lines(cells) { Console.current.out(line) }
        }
    }

    private static func rate(_ events: Int, _ seconds: Double) -> Int { Int(Double(events) / max(seconds, 1e-9)) }

    private static func words(_ seconds: Double) -> String { String(format: "%.3f s", seconds) }

    private static func words(_ view: ReplayReport.View) -> String {
        let row = view.difference
        let serving = row?.serving.map { "holds \($0.hexadecimal)" } ?? "has no such row"
        let rebuilt = row?.rebuilt.map { "\($0.hexadecimal)" } ?? "no such row"
        return "The view \(view.name) differs from the log at the key \(row?.key.hexadecimal ?? ""): it \(serving), "
            + "and the log gives \(rebuilt). Build it anew with \("'tripstore replay'".onThisStore)."
    }

    private func json(_ report: ReplayReport, _ seconds: Double) -> JSON {
        let views = report.views.map { view in
            JSON.object([
                ("name", .string(view.name)), ("rows", .integer(view.rows)), ("digest", .string("\(view.digest)")),
                ("matches", view.matches.map { .bool($0) } ?? .null),
            ])
        }
        return .object([
            ("events", .integer(report.events)), ("commits", .integer(report.commits)), ("seconds", .double(seconds)),
            ("eventsPerSecond", .integer(Self.rate(report.events, seconds))), ("views", .array(views)),
        ])
    }

    private func text(_ report: ReplayReport, _ seconds: Double) -> String {
        let (rate, time) = (Self.rate(report.events, seconds), Self.words(seconds))
        let cells = report.views.map { view in
            [
                view.name, view.rows.counted("row"),
                view.matches.map { $0 ? "matches" : "DIFFERS" } ?? "rebuilt", "\(view.digest)",
            ]
        }
        return
            ([
                "\(report.events.counted("event")) of \(report.commits.counted("commit")) in \(time), \(rate) a second"
            ]
            + TextTable.lines(cells)).joined(separator: "\n")
    }
}
