import ArgumentParser
import Events
import Foundation
import Platform
import TripFormats
import TripStore

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Exchange with another store's folder or a hub.",
        discussion: """
            What either lacks is sent, checked and stored; nothing else is. It may be interrupted at any place, and goes on \
            from there the next time. The views of the other folder show then what came there. A store that holds nothing joins the other's journal. Edits that superseded others \
            which their authors had not seen are listed as conflicts.

            Two stores that were begun apart belong to different journals and share no history. With --adopt the other's \
            entities are written anew into this store, field by field where the other's value is later, and the other \
            stays as it is; done again, it takes over what was written there since.

            A hub, or a device that serves its store, has an address: https://HOST:PORT, or https://HOST:PORT/JOURNAL for a store that \
            holds nothing yet. Its certificate must be valid for the system; or have a key with the hash that --pin gives, which is \
            remembered. With --stay the command stays connected, pushes each commit as it is written and takes those of others as they \
            come, until it is interrupted, and prints how it stands.

            Examples:
              tripstore sync /media/stick/trips
              tripstore sync https://hub.example:4433 --stay
              tripstore sync all.bundle
              tripstore sync ~/begun-apart --adopt
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @OptionGroup var hub: HubOptions

    @Argument(help: "Another store's folder, a bundle file, or a hub's address.", completion: .file())
    var peer: String

    @Flag(name: .long, help: "Stay in sync with a hub, until the command is interrupted.")
    var stay = false

    @Flag(name: .long, help: "Where the other belongs to another journal, write its entities anew, in --author's name.")
    var adopt = false

    @Flag(
        name: .long,
        help:
            "Also put back bytes that are missing here and that nobody erased, if the other has them: see 'audit verify'."
    )
    var heal = false

    func validate() throws {
        guard stay else { return }
        guard PeerArgument(peer).isHub else {
            throw ValidationError("--stay: only with a hub, whose address begins with https://.")
        }
        if adopt || heal { throw ValidationError("--stay: not together with --adopt or --heal.") }
    }

    func run() async throws {
        try await withStore(options) { store in
            if stay { return try await self.stay(store) }
            try await PeerArgument(peer).reached(from: store, hub) { try await sync(store, $0) }
        }
    }

    private func sync(_ store: TripStore, _ target: ExchangeTarget) async throws {
        let met = try store.peers()
        do {
            try await Self.exchange(with: target, healing: heal, store, options)
        } catch let error as TripStoreError where error.code == .otherJournal {
            guard adopt else {
                throw TripStoreError(
                    .otherJournal,
                    "\(error.message) 'tripstore sync \(peer) --adopt' writes them anew into this store.")
            }
            try await self.adopt(target, store)
            // A failed exchange adds no peer.
            for peer in try store.peers() where peer.lastExchange == nil && !met.contains(peer) {
                try await store.forget(peer.replica)
            }
        }
    }

    /// Exchanges, and prints the result.
    static func exchange(
        with target: ExchangeTarget, healing: Bool = false, _ store: TripStore, _ options: StoreOptions
    ) async throws {
        let erasures = try store.erasures().rows
        let report = try await ExchangeText.exchanging {
            try await store.exchange(with: target, healing: healing, progress: $0)
        }
        let text = try await ExchangeText(report, store, after: erasures)
        if case .folder(let folder) = target, report.sent.commits > 0 { await catchUp(folder) }
        text.print("Exchanged with \(report.peer.words)", json: options.json)
        try text.check()
    }

    /// Updates the views of a folder that received commits: its own next command would have to, and others show old
    /// results until then. If that fails, it is left to that command.
    private static func catchUp(_ folder: URL) async {
        do {
            let other = try await StoreOptions.openForReading(folder)
            await other.close()
        } catch {
            Console.current.warn("The views of \(folder.path) do not show yet what came there: \(error.systemText)")
        }
    }

    private func adopt(_ target: ExchangeTarget, _ store: TripStore) async throws {
        var authorship = author.authorship
        let correlation = UUID()
        authorship.correlation = correlation
        let start = ContinuousClock.now
        let standing =
            "What was written before stands: the same command goes on from there, and 'tripstore undo "
            + "--correlation \(correlation.uuidString)' undoes it."
        let report = try await ExchangeText.exchanging(standing: standing) { [authorship] progress in
            try await store.adopt(target, by: authorship, progress: progress)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard options.json else {
            Console.current.out("Adopted what the other holds, and left it as it is")
            let counts =
                "\(report.created) created, \(report.edited) edited, \(report.deleted) deleted, "
                + "\(report.restored) restored, \(report.unchanged) unchanged"
            Console.current.out("  entities     \(counts)")
            Console.current.out("  written      \(report.receipts.count.counted("commit"))")
            if !report.receipts.isEmpty {
                Console.current.out(
                    "  undo         'tripstore undo --correlation \(correlation.uuidString)'".onThisStore)
            }
            return
        }
        let adopted = JSON.object([
            ("created", .integer(report.created)), ("edited", .integer(report.edited)),
            ("deleted", .integer(report.deleted)), ("restored", .integer(report.restored)),
            ("unchanged", .integer(report.unchanged)),
        ])
        let members: [(String, JSON)] = [
            ("adopted", adopted), ("commits", .integer(report.receipts.count)),
            ("positions", .array(report.receipts.map { .integer($0.position.rawValue) })),
            ("correlation", .optional(report.receipts.isEmpty ? nil : correlation.uuidString)),
            ("seconds", .double(seconds)),
        ]
        Console.current.out(JSON.object(members).text)
    }
}

extension SyncCommand: NetworkCommand {
    var needsNetwork: Bool { PeerArgument(peer).isHub }
}
