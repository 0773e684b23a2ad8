import ArgumentParser
import Events
import TripFormats
import TripStore

struct SubscriptionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions", abstract: "List how far subscriptions came, or forget one.",
        discussion: """
            'tripstore tail --subscription NAME --from start' makes a subscription; without --from it goes on with it.

            Examples:
              tripstore subscriptions
              tripstore subscriptions --remove mirror
            """)

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Forget this one: its name, or the beginning of it if no other begins so.")
    var remove: String?

    func run() async throws {
        if let remove {
            let name = try await withStore(options) { store in
                let name = try Self.name(remove, in: store)
                try await store.removeSubscription(name)
                return name
            }
            Console.current.out(
                options.json ? JSON.object([("removed", .string(name))]).text : "Removed the subscription \(name)")
            return
        }
        let store = try await options.openForReading()
        let all = try store.subscriptions()
        if options.json {
            for one in all { Console.current.out(JSON.subscription(one).text) }
            return
        }
        if all.isEmpty { Console.current.out("No subscriptions.") }
        let rows = all.map { one in
            let behind = all.position.rawValue - min(one.position, all.position).rawValue
            return [one.name, "position \(one.position)", "\(behind.counted("commit")) behind"]
        }
        for line in TextTable.lines(rows, cutting: [0]) { Console.current.out(line) }
    }

    private static func name(_ text: String, in store: TripStore) throws -> String {
        let names = try store.subscriptions().map(\.name)
        if names.contains(text) { return text }
        let found = text.isEmpty ? [] : names.filter { $0.hasPrefix(text) }
        guard let first = found.first else {
            throw CommandError(
                "There is no subscription '\(text)'. "
                    + (names.isEmpty ? "There are none." : "There are \(names.joined(separator: ", "))."),
                code: "unknownSubscription")
        }
        guard found.count == 1 else {
            throw CommandError(
                "'\(text)' may be any of several subscriptions: \(found.joined(separator: ", ")). Give more of the name.",
                code: "ambiguous")
        }
        return first
    }
}

extension JSON {
    static func subscription(_ status: SubscriptionStatus) -> JSON {
        .object([("name", .string(status.name)), ("position", .integer(status.position.rawValue))])
    }
}
