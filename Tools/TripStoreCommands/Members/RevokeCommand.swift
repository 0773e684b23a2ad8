import ArgumentParser
import TripStore

struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a replica's membership away, for good. For admins.",
        discussion: """
            What is held here of it counts as before, or with --keeping only what had come up to a position; what it wrote since, \
            and writes, counts nowhere. Whoever writes in its place falls with it. The device may join again, as another replica.
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The replica, as 'members' lists it.")
    var replica: ReplicaID

    @Option(
        name: .long, help: "Of what it wrote only that counts which had come here up to this position; 0 for nothing.")
    var keeping: Position?

    func run() async throws {
        try await withStore(options) { try await $0.revoke(replica, keepingUpTo: keeping) }
        Console.current.out(
            options.json ? JSON.object([("revoked", .string("\(replica)"))]).text : "Revoked replica \(replica)")
    }
}
