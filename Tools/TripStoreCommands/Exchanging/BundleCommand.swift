import ArgumentParser
import Events
import Foundation
import LogExchange
import TripFormats
import TripStore

struct BundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle", abstract: "Exchange by files: for mail, AirDrop or a stick.",
        discussion: """
            A bundle holds a store's whole log, or just what somebody lacks. Whoever gets it reads it as often as they like \
            and in any order with others; what is held already is passed over.
            """,
        subcommands: [BundleWriteCommand.self, BundleReadCommand.self, BundleShowCommand.self])
}

struct BundleReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Take in what a bundle file holds.",
        discussion: """
            The file is held against its checksum first, and each commit against its chain and signature. A store that \
            holds nothing joins the bundle's journal.

            Example:
              tripstore bundle read all.bundle
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The bundle file, or - for standard input.", completion: .file())
    var file: String

    func run() async throws {
        guard file == "-" else { return try await read(URL(argument: file)) }
        // All of it before the store is opened: others may write there until the last byte has arrived.
        try await SpooledInput(.standardInput).read { try await read(URL(fileURLWithPath: $0)) }
    }

    private func read(_ file: URL) async throws {
        try await withStore(options) { store in
            try await SyncCommand.exchange(with: .bundle(file), store, options)
        }
    }
}

/// Bundles in words and in JSON.
enum BundleText {
    static func members(_ path: String, _ summary: BundleSummary) -> [(String, JSON)] {
        let header = summary.header
        let lines = summary.lines.map { line in
            JSON.object([
                ("replica", .string("\(line.replica)")), ("first", .integer(line.first.rawValue)),
                ("last", .integer(line.last.rawValue)),
            ])
        }
        return [
            ("file", .string(path)), ("replica", .string("\(header.replica)")), ("name", .string(header.name)),
            ("journal", .optional(header.frontier.journal?.description)), ("created", .optional(date(header)?.utcText)),
            ("complete", .bool(header.since.isEmpty)), ("commits", .integer(summary.commits)),
            ("events", .integer(summary.events)), ("bytes", .integer(summary.fileSize)),
            ("unpackedBytes", .integer(summary.unpackedSize)), ("compression", .array(compressions(summary))),
            ("attachments", .integer(summary.contents.count)), ("attachmentBytes", .integer(size(summary))),
            ("lines", .array(lines)),
            ("since", .sequences(header.since)), ("frontier", .sequences(header.frontier)),
            ("frontierText", .string(header.frontier.text)),
        ]
    }

    static func lines(_ summary: BundleSummary) -> [String] {
        let header = summary.header
        var lines = [
            "  from      \(header.name.isEmpty ? "" : "\"\(header.name)\", ")replica \(header.replica), "
                + (date(header)?.utcText ?? "at an unknown time"),
            "  journal   \(header.frontier.journal.map { "\($0)" } ?? "none yet")",
            "  holds     \(summary.commits.counted("commit")), \(summary.events.counted("event")), "
                + Words.bytes(summary.fileSize),
        ]
        if !summary.compressions.isEmpty {
            let names = summary.compressions.map(\.rawValue).sorted().joined(separator: " and ")
            lines.append("  packed    by \(names), from \(Words.bytes(summary.unpackedSize))")
        }
        if !summary.contents.isEmpty {
            lines.append(
                "  attached  \(summary.contents.count.counted("attachment")), \(Words.bytes(Int(size(summary))))")
        }
        for line in summary.lines {
            lines.append("  line      \(line.replica) from commit \(line.first) to \(line.last)")
        }
        if header.since.isEmpty {
            lines.append("  complete  whoever has nothing can read it")
        } else {
            let heads = header.since.heads.map { "commit \($0.sequence) of \($0.replica)" }.joined(separator: ", ")
            lines.append("  goes on   from \(heads): for whoever holds that")
        }
        return lines.map(\.visible)
    }

    private static func size(_ summary: BundleSummary) -> Int64 { summary.contents.reduce(0) { $0 + $1.size } }

    private static func compressions(_ summary: BundleSummary) -> [JSON] {
        summary.compressions.map(\.rawValue).sorted().map { .string($0) }
    }

    /// When it was written; nil if the number is no time, because bundles come from others.
    private static func date(_ header: BundleHeader) -> Date? {
        guard (0...253_402_300_799_999).contains(header.created) else { return nil }
        return Date(timeIntervalSince1970: Double(header.created) / 1000)
    }
}
