import ArgumentParser
import TripStore

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Ask to become a member, with the code of an invitation.",
        discussion: """
            The store must hold nothing yet, or be of the invitation's journal; where there is none it is made. It takes an exchange \
            with a member's store, or a bundle there and one back, until an admin's replica has granted it. What is written before counts \
            here alone, and everywhere after.

            Example:
              tripstore join TRIP1-... --store ~/trips --name phone
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The code of the invitation.")
    var code: String

    @Option(name: .long, help: "The device's name, of a store that is made.")
    var name = ""

    func run() async throws {
        // Here, so that its fault is reported.
        let code = try InvitationCode(code)
        let folder = try options.folder
        if !TripStore.exists(at: folder) {
            let store = try await options.create(journal: code.journal, name: name)
            await store.close()
        }
        let replica = try await withStore(options) { store in
            try await store.join(code)
            return store.replica
        }
        Console.current.out(
            options.json
                ? JSON.object([
                    ("replica", .string("\(replica)")), ("journal", .string("\(code.journal)")),
                    ("standing", .string("waiting")),
                ]).text
                : "Replica \(replica) asks to become a member: exchange with a member's store, and an admin's answers")
    }
}
