import ArgumentParser
import TripStore

struct VoidCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void", abstract: "Make a commit count nowhere. For author and admins.",
        discussion: """
            The commit stays in the log, and the audit log shows it as void; views are built anew without it. With --lift it counts \
            again. To take back what one changed oneself, 'tripstore undo' is the milder way: it keeps what others wrote since.

            Examples:
              tripstore void 120
              tripstore void 120 --lift
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The commit's position, as 'audit' lists it.")
    var position: Position

    @Flag(name: .long, help: "It counts again.")
    var lift = false

    func run() async throws {
        try await withStore(options) { try await $0.void(position, isVoid: !lift) }
        Console.current.out(
            options.json
                ? JSON.object([("position", .integer(position.rawValue)), ("void", .bool(!lift))]).text
                : lift
                    ? "The commit at position \(position) counts again" : "The commit at position \(position) is void")
    }
}
