import ArgumentParser
import Events
import Foundation
import LogExchange
import TripFormats
import TripStore

struct BundleWriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write the log, or what another lacks, to a file.",
        discussion: """
            The file is there whole or not at all. It takes the place of a bundle of that name, and of no other file without \
            --force. With - the bundle goes to standard output, and what is told of it to standard error: 'ssh host tripstore \
            bundle write - | tripstore bundle read -' brings what is there.

            A frontier says what a store holds: 'tripstore status --frontier' prints it there, to be carried here for \
            --holds. Where nothing can be asked, a bundle that was written there tells it as well. Who reads what came \
            --since must hold what was here before.

            What is handed to others is signed first. Of a store that cannot be written to, as on a read-only medium, what is \
            signed already is written, and the output says how much is not. Where the medium lost commits, the bundle has the others, and the exit \
            code is 1.

            Examples:
              tripstore bundle write all.bundle
              tripstore bundle write news.bundle --for tablet
              tripstore bundle write week.bundle --since 2027-05-01
              tripstore bundle write all.bundle --attachments
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file to write, or - for standard output.", completion: .file())
    var file: String

    @Option(
        name: .long,
        help: """
            Only what a reader lacks that holds this frontier: REPLICA:SEQUENCE:HASH with commas between, the hash being \
            optional for commits that are here; or the path of a bundle, whose frontier it is.
            """)
    var holds: String?

    @Option(name: .long, help: "\(SinceArgument.help)", transform: SinceArgument.init(parsing:))
    var since: SinceArgument?

    @Option(
        name: .customLong("for"), help: "Only what this replica has not acknowledged; 'tripstore peers' lists them.")
    var replica: ReplicaArgument?

    @Option(
        name: .long,
        help: """
            zstd, zlib or none. Default: the first of these that this system has. A reader needs the same library: zlib is \
            everywhere, zstd is missing on most Macs.
            """)
    var compression: Compression?

    @Flag(name: .long, help: "With the bytes of attachments that are here.")
    var attachments = false

    @Flag(name: .long, help: "Replace another file, if it is there.")
    var force = false

    func validate() throws {
        try OutputTarget.check(file, json: options.json)
        if [holds != nil, since != nil, replica != nil].count(where: { $0 }) > 1 {
            throw ArgumentParser.ValidationError(
                "--holds, --since and --for each say what the reader holds: give one of them.")
        }
    }

    func run() async throws {
        let target = OutputTarget(argument: file)
        if target.isStandardOutput, Console.current.bytes == nil {
            throw CommandError("A bundle is no text to look at: send it to a pipe or a file, as with > FILE.")
        }
        let store = try await openToSign()
        let summary: BundleSummary
        let unknown: [CommitID]
        do {
            let audience = try await audience(in: store)
            summary = try await write(target, store, audience)
            unknown = if case .holder(let frontier) = audience { try store.lacking(frontier) } else { [] }
            await store.close()
        } catch {
            await store.close()
            throw error
        }
        // What could not be written is the command's failure, and nothing is said of a bundle.
        if target.isStandardOutput, Console.current.failure() != nil { return }
        let unsigned = store.isReadOnly ? try Self.unsigned(store, summary) : 0
        tell(of: summary, unknown, unsigned: unsigned, store.lostRecords)
        if !summary.leftOut.isEmpty || !store.lostRecords.isEmpty { throw ExitCode.found }
    }

    private func tell(of summary: BundleSummary, _ unknown: [CommitID], unsigned: Int, _ findings: [Finding]) {
        let isStandardOutput = OutputTarget(argument: file).isStandardOutput
        if options.json {
            let more: [(String, JSON)] = [
                ("unknown", .array(unknown.map { .string("\($0)") })), ("unsigned", .integer(unsigned)),
                ("leftOut", .array(summary.leftOut.map { .string("\($0)") })),
                ("findings", .array(findings.map(JSON.finding))),
            ]
            Console.current.out(JSON.object(BundleText.members(file, summary) + more).text)
            return
        }
        let tell = isStandardOutput ? Console.current.error : Console.current.out
        tell((isStandardOutput ? "Wrote a bundle" : "Wrote \(file)").visible)
        for line in BundleText.lines(summary) { tell(line) }
        for head in unknown {
            tell(
                "  note      commit \(head.sequence) of \(head.replica) is not known here, so what is here of that replica "
                    + "is in the bundle")
        }
        for error in summary.leftOut { tell("  left out  \(error)".visible) }
        if unsigned > 0 {
            tell(
                "  note      \(unsigned.counted("commit")) of this store \(unsigned == 1 ? "is" : "are") not in it: not signed "
                    + "yet, and the store cannot be written to here")
        }
        for finding in findings { tell("  finding   \(finding.code): \(finding)".visible) }
    }

    private func write(
        _ target: OutputTarget, _ store: TripStore, _ audience: BundleAudience
    ) async throws -> BundleSummary {
        switch target {
        case .standardOutput:
            let console = Console.current
            return try await store.write(
                bundleTo: { bytes in
                    // A reader that is gone needs no rest of it.
                    guard console.hasReader() || console.failure() != nil else { throw ExitCode.success }
                    console.bytes?(bytes)
                }, for: audience, attachments: attachments, compression: compression)
        case .file(let path):
            do {
                return try await store.write(
                    bundle: URL(fileURLWithPath: path), for: audience, attachments: attachments,
                    compression: compression, replacingOtherFiles: force)
            } catch let error as TripStoreError where error.code == .fileExists {
                throw CommandError("\(error.message) Or replace it with --force.", code: "fileExists")
            }
        }
    }

    /// Opens the store for writing, or for reading if it cannot be written to.
    private func openToSign() async throws -> TripStore {
        do { return try await options.openForWriting() } catch  where TripStore.isUnwritable(error) {
            return try await options.openForReading()
        }
    }

    /// The number of commits that are held and not in the bundle's frontier.
    private static func unsigned(_ store: TripStore, _ summary: BundleSummary) throws -> Int {
        let signed = Dictionary(grouping: summary.header.frontier.heads, by: \.replica)
        return try store.status().frontier.reduce(0) { sum, held in
            let reached = signed[held.key]?.map(\.sequence.rawValue).max() ?? 0
            return sum + Int(clamping: held.value.rawValue - min(held.value.rawValue, reached))
        }
    }

    private func audience(in store: TripStore) async throws -> BundleAudience {
        if let replica { return .replica(try replica.replica(in: store)) }
        if let since { return .holder(of: try store.frontier(at: try since.position(in: store))) }
        guard let holds else { return .anyone }
        let url = URL(argument: holds)
        if !holds.isEmpty, FileManager.default.fileExists(atPath: url.path) {
            let frontier = try await TripStore.summary(ofBundle: url).header.frontier
            if let journal = frontier.journal, journal != store.journal {
                throw TripStoreError(
                    .otherJournal,
                    "The bundle \(holds) belongs to the journal \(journal) and this store to \(store.journal), so its "
                        + "frontier says nothing here. Give one of the same journal.")
            }
            return .holder(of: frontier)
        }
        do { return .holder(of: try store.frontier(holds)) } catch let error as TripStoreError {
            throw TripStoreError(error.code, "\(error.message) Or name a bundle file; there is none at \(url.path).")
        }
    }
}
