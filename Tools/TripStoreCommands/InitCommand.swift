import ArgumentParser
import Foundation
import TripStore

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a store in a new or empty folder.",
        discussion: """
            A store that is there is left as it is, and named in the error.

            Example:
              tripstore init --store ~/trips --name laptop
            """)

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "The journal to share with other devices; a new one by default.")
    var journal: JournalID?

    @Option(name: .long, help: "This device's name, for people who read the history; it stays in the log.")
    var name: String?

    func run() async throws {
        let folder = try options.folder
        if let store = try await present() {
            throw CommandError(
                "There is a store at \(folder.path) already: replica \(store.replica), journal \(store.journal). "
                    + "Use it, or choose another folder.")
        }
        let store = try await options.create(journal: journal, name: name ?? "")
        if options.json {
            let members: [(String, JSON)] = [
                ("replica", .string("\(store.replica)")), ("journal", .string("\(store.journal)")),
                ("store", .string(folder.path)),
            ]
            Console.current.out(JSON.object(members).text)
        } else {
            Console.current.out(
                "Created a store at \(folder.path)\n  replica \(store.replica)\n  journal \(store.journal)")
        }
        await store.close()
    }

    /// The existing store; nil also for one whose creation was interrupted.
    private func present() async throws -> TripStore? {
        do { return try await options.openWithoutViews() } catch let error as TripStoreError
            where error.code == .noStore
        {
            return nil
        }
    }
}
