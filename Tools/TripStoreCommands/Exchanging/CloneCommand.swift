import ArgumentParser
import Foundation
import Platform
import TripStore

struct CloneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone", abstract: "Make a new store that holds what another one does.",
        discussion: """
            It is a replica of its own. The folder must be new or empty, or hold a clone that was cut off: then it goes on with that. To copy a store's folder by other means is no way to make a second device: the \
            copy notices, and goes on as another replica, but a clone checks what it takes. A bundle must be complete.

            Of a hub the address names the journal. A journal that has members needs an invitation: 'tripstore join' with its code.

            Examples:
              tripstore clone ~/trips ~/second --name tablet
              tripstore clone https://hub.example:4433/JOURNAL ~/second --name tablet
            """)

    @OptionGroup var hub: HubOptions

    @Argument(help: "The store's folder, a bundle file, or a hub's address with a journal.", completion: .file())
    var peer: String

    @Argument(help: "The folder of the new store.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "The new device's name, for people who read the history; it stays in the log.")
    var name: String?

    @Flag(name: .long, help: "Print JSON: one object.")
    var json = false

    func run() async throws {
        var options = StoreOptions.options()
        options.deviceName = name ?? ""
        let url = URL(argument: folder)
        let standing = "What came before is in \(url.path): the same command goes on with it."
        let (store, report) = try await ExchangeText.exchanging(standing: standing) {
            try await clone(to: url, options, $0)
        }
        let text = try await ExchangeText(report, store, after: [])
        let members: [(String, JSON)] = [
            ("store", .string(url.path)), ("replica", .string("\(store.replica)")),
            ("journal", .string("\(store.journal)")),
        ]
        text.print(
            "Made a store at \(url.path), replica \(store.replica), from \(report.peer.words)", members, json: json)
        await store.close()
        try text.check()
    }

    private func clone(
        to url: URL, _ options: TripStore.Options, _ progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) async throws -> (TripStore, ExchangeReport) {
        do {
            switch PeerArgument(peer) {
            case .file(let file):
                return try await TripStore.clone(
                    .path(file), to: url, options: options, progress: progress)
            case .hub(let address):
                let reached = try await ReachedHub(address, hub, nil)
                guard reached.connector.journal != nil else {
                    throw CommandError(
                        "'\(address)' names no journal, and a hub may have many: write https://HOST:PORT/JOURNAL, with the id that "
                            + "the status of one of its stores shows.")
                }
                let made = try await TripStore.clone(
                    .connector(reached.connector), to: url, options: options, progress: progress)
                try await reached.remember(in: made.store)
                return (made.store, made.report)
            }
        } catch let error as TripStoreError where error.code == .otherJournal {
            throw error
        } catch  where TripStore.isUnfinishedClone(at: url) {
            throw CommandError(
                "\(error.systemText) What came before is in \(url.path): the same command goes on with it.")
        } catch {
            throw ReachedHub.advised(error)
        }
    }
}

extension CloneCommand: NetworkCommand {
    var needsNetwork: Bool { PeerArgument(peer).isHub }
}
