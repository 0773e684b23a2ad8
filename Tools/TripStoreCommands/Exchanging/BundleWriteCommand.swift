import ArgumentParser
import Foundation
import TripStore

struct BundleWriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write all of the log, or what somebody lacks, to a file.",
        discussion: """
            The file is there whole or not at all. It takes the place of a bundle of that name, and of no other file. A \
            frontier says what a store holds: 'tripstore status --frontier' prints it there, to be carried here. Where \
            nothing can be asked, a bundle that was written there tells it as well.
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file to write.")
    var file: String

    @Option(
        name: .long,
        help: """
            Only what lies beyond this frontier: REPLICA:SEQUENCE:HASH with commas between, the hash being optional for \
            commits that are here; or the path of a bundle, whose frontier it is.
            """)
    var since: String?

    @Option(
        name: .customLong("for"), help: "Only what this replica has not acknowledged; 'tripstore peers' lists them.")
    var replica: ReplicaID?

    func validate() throws {
        if since != nil && replica != nil {
            throw ArgumentParser.ValidationError("--since and --for both say what the reader holds: give one of them.")
        }
    }

    func run() async throws {
        let url = URL(argument: file)
        try check(url)
        // Written to, for what is handed to others is signed first.
        let (summary, unknown) = try await withStore(options) { store in
            let audience = try await audience(in: store)
            guard case .holder(let frontier) = audience else {
                return (try await store.write(bundle: url, for: audience), [CommitID]())
            }
            return (try await store.write(bundle: url, for: audience), try store.lacking(frontier))
        }
        if options.json {
            let more = unknown.isEmpty ? [] : [("unknown", JSON.array(unknown.map { .string("\($0)") }))]
            Console.current.out(JSON.object(BundleText.members(file, summary) + more).text)
            return
        }
        Console.current.out("Wrote \(file)".visible)
        for line in BundleText.lines(summary) { Console.current.out(line) }
        for head in unknown {
            Console.current.out(
                "  note      commit \(head.sequence) of \(head.replica) is not known here, so what is here of that replica "
                    + "is in the bundle")
        }
    }

    private func audience(in store: TripStore) async throws -> BundleAudience {
        if let replica { return .replica(replica) }
        guard let since else { return .anyone }
        let url = URL(argument: since)
        if !since.isEmpty, FileManager.default.fileExists(atPath: url.path) {
            let frontier = try await TripStore.summary(ofBundle: url).header.frontier
            if let journal = frontier.journal, journal != store.journal {
                throw ExchangeError(
                    .otherJournal,
                    "The bundle \(since) belongs to the journal \(journal) and this store to \(store.journal), so its "
                        + "frontier says nothing here. Give one of the same journal.")
            }
            return .holder(of: frontier)
        }
        do { return .holder(of: try store.frontier(since)) } catch let error as ExchangeError {
            throw ExchangeError(error.code, "\(error.message) Or name a bundle file; there is none at \(url.path).")
        }
    }

    /// Refuses to write over what is no bundle: a mistyped name must not cost somebody's file.
    private func check(_ url: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return }
        if isFolder.boolValue { throw CommandError("\(file) is a folder. Name a file in it.") }
        guard let handle = try? FileHandle(forReadingFrom: url) else { return }
        defer { try? handle.close() }
        let start = try handle.read(upToCount: 8) ?? Data()
        guard start.isEmpty || start == Data("TSBUNDLE".utf8) else {
            throw CommandError("\(file) is there already and no bundle. Choose another name.")
        }
    }
}
