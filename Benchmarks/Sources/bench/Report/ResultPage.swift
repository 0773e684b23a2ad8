import Foundation

/// The page of results: the machine, the table, plots, and the written notes.
struct ResultPage {
    private let outcomes: [(row: any Row, outcome: Outcome)]
    private let settings: Settings

    init(_ outcomes: [(row: any Row, outcome: Outcome)], _ settings: Settings) {
        self.outcomes = outcomes
        self.settings = settings
    }

    /// The table of all measurements.
    var table: String {
        var lines = [
            "| work | beside | ours | the peer's | ratio | goal | |", "|---|---|--:|--:|--:|--:|---|",
        ]
        for (row, outcome) in outcomes {
            if let failure = outcome.failure {
                lines.append("| \(row.work) | \(row.peer) | failed: \(failure) | | | | |")
            }
            for measurement in outcome.measurements {
                let cells = ResultTable.cells(measurement)
                let work = cells[0].isEmpty ? row.work : "\(row.work): \(cells[0])"
                let peer = measurement.peer == nil ? "–" : row.peer
                lines.append("| \(work) | \(peer) | \(cells.dropFirst().joined(separator: " | ")) |")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Writes `Results.md` and its plots into a folder. `Notes.md` there is included.
    func write(to folder: URL) throws {
        let plots = folder.appendingPathComponent("Results")
        try FileManager.default.createDirectory(at: plots, withIntermediateDirectories: true)
        var names: [(file: String, title: String)] = []
        for (row, outcome) in outcomes {
            for plot in outcome.series.map(\.plot).uniqued {
                let title = plot == row.name ? row.work : "\(row.work): \(plot)"
                let drawn = Plot(title: title, series: outcome.series.filter { $0.plot == plot })
                guard let svg = drawn.svg else { continue }
                try Data(svg.utf8).write(to: plots.appendingPathComponent("\(plot).svg"))
                names.append(("Results/\(plot).svg", title))
            }
        }
        let notes = try? String(contentsOf: folder.appendingPathComponent("Notes.md"), encoding: .utf8)
        try Data(text(names, notes).utf8).write(to: folder.appendingPathComponent("Results.md"))
    }

    private func text(_ plots: [(file: String, title: String)], _ notes: String?) -> String {
        let machine = Machine(folder: settings.folder)
        var lines = [
            "# Results", "", "Written by `\(command)`; by hand are only the notes, which lie in `Notes.md`.", "",
        ]
        lines += ["| | |", "|---|---|", "| date | \(Self.date) |"]
        lines += machine.lines.map { "| \($0.name) | \($0.value) |" }
        lines += ["| events | \(settings.events) |", "| repetitions | \(settings.repeats) |", ""]
        lines += ["Ours and the peer's run in turn in one process; figures are medians.", "", table, ""]
        if let notes { lines += [notes.trimmingCharacters(in: .whitespacesAndNewlines), ""] }
        lines += ["## How cost grows", ""]
        for plot in plots { lines += ["![\(plot.title)](\(plot.file))", ""] }
        return lines.joined(separator: "\n")
    }

    private var command: String {
        ProcessInfo.processInfo.environment["BENCH_COMMAND"] ?? CommandLine.arguments.joined(separator: " ")
    }

    private static var date: String {
        Date.now.formatted(.iso8601.year().month().day())
    }
}

extension [String] {
    /// Each once, in the order of first occurrence.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
