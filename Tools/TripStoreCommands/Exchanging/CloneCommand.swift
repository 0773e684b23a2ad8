import ArgumentParser
import Foundation
import TripStore

struct CloneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone", abstract: "Make a new store that holds what another one does, as a replica of its own.",
        discussion: """
            The folder must be new or empty, or hold a clone that was cut off: then it goes on with that. To copy a store's folder by other means is no way to make a second device: the \
            copy notices, and goes on as another replica, but a clone checks what it takes. A bundle must be complete.

            Example:
              tripstore clone ~/trips ~/second --name tablet
            """)

    @Argument(help: "The store's folder, or a bundle file.")
    var peer: String

    @Argument(help: "The folder of the new store.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "The new device's name, for people who read the history; it stays in the log.")
    var name: String?

    @Flag(name: .long, help: "Print JSON: one object.")
    var json = false

    func run() async throws {
        var options = StoreOptions.options
        options.deviceName = name ?? ""
        let url = URL(argument: folder)
        defer { Console.current.progress?("") }
        let store: TripStore
        let report: ExchangeReport
        do {
            (store, report) = try await TripStore.clone(
                .path(URL(argument: peer)), to: url, options: options, progress: ExchangeText.progress)
        } catch let error as TripStoreError where error.code == .otherJournal {
            throw error
        } catch  where TripStore.isUnfinishedClone(at: url) {
            throw CommandError("\(error) What came before is in \(url.path): the same command goes on with it.")
        }
        let text = try await ExchangeText(report, store)
        Console.current.progress?("")
        let members: [(String, JSON)] = [
            ("store", .string(url.path)), ("replica", .string("\(store.replica)")),
            ("journal", .string("\(store.journal)")),
        ]
        text.print(
            "Made a store at \(url.path), replica \(store.replica), from \(report.peer.words)", members, json: json)
        await store.close()
    }
}
