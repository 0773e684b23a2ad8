import ArgumentParser
import Foundation
import TripStore

struct BundleShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what a bundle holds, and if a store can read it.",
        discussion: """
            The whole file is held against its checksum. With a store, by --store or TRIPSTORE, it says whether that store \
            belongs to the same journal, has what the bundle goes on from, and lacks anything of it.

            Example:
              tripstore bundle show all.bundle
            """)

    @Argument(help: "The bundle file.", completion: .file())
    var file: String

    @Option(
        name: .long, help: "The store's folder. Default: the environment variable TRIPSTORE; none is needed.",
        completion: .directory)
    var store: String?

    @Flag(name: .long, help: "Print JSON: one object.")
    var json = false

    func run() async throws {
        let summary = try await TripStore.summary(ofBundle: URL(argument: file))
        let use = try await use(of: summary)
        if json {
            Console.current.out(JSON.object(BundleText.members(file, summary) + [("store", use?.json ?? .null)]).text)
        } else {
            Console.current.out("Bundle \(file)".visible)
            for line in BundleText.lines(summary) { Console.current.out(line) }
            if let use { Console.current.out("  store     \(use.words)".visible) }
        }
    }

    /// Nil if no store was named.
    private func use(of summary: BundleSummary) async throws -> BundleUse? {
        let path = try store ?? Configuration.current()[.store] ?? ""
        guard !path.isEmpty else { return nil }
        let folder = URL(argument: path)
        // The variable may name a store that does not exist yet; an option that names none is a mistake.
        if store == nil && !TripStore.exists(at: folder) { return nil }
        let store = try await StoreOptions.openForReading(folder)
        let header = summary.header
        let isEmpty = try store.status().position == .start
        let isOther = !isEmpty && header.frontier.journal.map { $0 != store.journal } ?? false
        return BundleUse(
            folder: folder.path, journal: isOther ? store.journal : nil, missing: try store.lacking(header.since),
            bringsNews: try !store.lacking(header.frontier).isEmpty)
    }
}

/// The use of a bundle for a store.
private struct BundleUse {
    let folder: String
    /// The store's journal, if it differs from the bundle's.
    let journal: JournalID?
    /// The commits that the bundle continues from and the store does not hold.
    let missing: [CommitID]
    /// Whether it has anything that the store does not hold.
    let bringsNews: Bool

    var json: JSON {
        .object([
            ("folder", .string(folder)), ("otherJournal", .bool(journal != nil)),
            ("lacksStart", .bool(!missing.isEmpty)), ("missing", .array(missing.map { .string("\($0)") })),
            ("bringsNews", .bool(bringsNews)),
        ])
    }

    var words: String {
        if let journal {
            return "\(folder) belongs to another journal, \(journal): 'tripstore sync' with --adopt takes over entities"
                .onThisStore
        }
        guard bringsNews else { return "\(folder) holds all of it already" }
        guard !missing.isEmpty else { return "\(folder) can read it, and lacks some of it" }
        let heads = missing.map { "commit \($0.sequence) of \($0.replica)" }.joined(separator: ", ")
        return "\(folder) lacks its start, \(heads): have a bundle written since what is here, or a complete one"
    }
}
