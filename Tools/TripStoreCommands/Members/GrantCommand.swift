import ArgumentParser
import TripStore

struct GrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Admit a replica, or raise its role. For admins.",
        discussion: """
            What it wrote before counts from then on as well. The roles are relay and read, which bind those alone who carry commits \
            to it, write, and admin. A role is not lowered: revoke the replica, and let the device join again.

            Example:
              tripstore grant tablet admin
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The replica, as 'members' or 'status' there lists it.")
    var replica: ReplicaArgument

    @Argument(help: "Its role.")
    var role: MemberRole = .write

    func run() async throws {
        let replica = try await withStore(options) { store in
            let replica = try self.replica.replica(in: store)
            try await store.grant(role, to: replica)
            return replica
        }
        Console.current.out(
            options.json
                ? JSON.object([("replica", .string("\(replica)")), ("role", .string("\(role)"))]).text
                : "Replica \(replica) has the role \(role)")
    }
}
