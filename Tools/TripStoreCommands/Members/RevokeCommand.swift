import ArgumentParser
import TripStore

struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a membership away, for good. For admins.",
        discussion: """
            What is held here of it counts as before, or with --keeping only what had come up to a position; what it wrote since, \
            and writes, counts nowhere. A replica that writes in its place falls with it. The device may join again, as another replica. What it \
            erased of others is taken back, as far as its bytes are here: that is listed first, and then it is asked; --yes answers.

            Example:
              tripstore revoke tablet --keeping 120
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The replica, as 'members' lists it.")
    var replica: ReplicaArgument

    @Option(
        name: .long, help: "Of what it wrote only that counts which had come here up to this position; 0 for nothing.")
    var keeping: Position?

    @Flag(name: .long, help: "Take back what it erased of others without being asked.")
    var yes = false

    func run() async throws {
        let replica = try await withStore(options) { store in
            let replica = try self.replica.replica(in: store)
            let erasures = yes ? [] : try store.takenBack(byRevoking: replica)
            if !erasures.isEmpty {
                try Console.current.confirm(
                    "Revoke it, and take this back?", erasures.map { ErasureText.words($0).visible },
                    otherwise: "Nothing was revoked",
                    hint: "it erased what others wrote, see 'tripstore erasures'. Add --yes to take that back as well."
                )
            }
            try await store.revoke(replica, keepingUpTo: keeping)
            return replica
        }
        Console.current.out(
            options.json ? JSON.object([("revoked", .string("\(replica)"))]).text : "Revoked replica \(replica)")
    }
}
