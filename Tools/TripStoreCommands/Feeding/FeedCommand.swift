import ArgumentParser
import Events
import Foundation
import TripStore

struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Give calendar programs trips by secret addresses.",
        discussion: """
            A calendar program subscribes to the address of a trip, and sees its days and items as they are whenever it asks. Who has the \
            address needs nothing else. The store's folder keeps the addresses in the file \(FeedSecrets.fileName), for this user alone: \
            no other device, backup or dump has them.
            """,
        subcommands: [FeedAddCommand.self, FeedListCommand.self, FeedRevokeCommand.self, FeedServeCommand.self])
}

struct FeedAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a secret address of a trip's calendar.",
        discussion: """
            It answers while 'tripstore feed serve' runs, with the calendar that 'tripstore export' writes: without costs, and without \
            places that an item hides. A trip can have several, as one for each reader: each is revoked by itself.

            Examples:
              tripstore feed add Lisbon
              tripstore feed add Lisbon --at laptop.local
              tripstore feed add Lisbon --at https://calendar.example
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The trip. \(EntityArgument.help)")
    var trip: EntityArgument

    @OptionGroup var place: FeedServerOption

    func run() async throws {
        let folder = try options.folder
        let trip = try await options.openForReading().presentTrip(self.trip)
        let feed = Feed(trip: trip.id, secret: .new(), made: Console.current.now())
        try FeedSecrets(in: folder).change { $0.append(feed) }
        let text = FeedText(feed, named: trip.name, isDeleted: false, at: place.server)
        if options.json { return Console.current.out(text.json.text) }
        for address in text.addresses { Console.current.out(address) }
        Console.current.note("Who has the address sees the trip, while 'tripstore feed serve' runs.")
    }
}

struct FeedListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the secret addresses of trips' calendars.",
        discussion: """
            Examples:
              tripstore feed list
              tripstore feed list --at laptop.local --json
            """)

    @OptionGroup var options: StoreOptions

    @OptionGroup var place: FeedServerOption

    func run() async throws {
        let store = try await options.openForReading()
        let feeds = try FeedSecrets(in: options.folder).feeds()
        if feeds.isEmpty, !options.json {
            Console.current.out("No feeds: 'tripstore feed add TRIP' makes one.".onThisStore)
        }
        for feed in feeds {
            let trip = try store.trip(feed.trip)
            let name = try trip?.name ?? store.name(of: feed.trip.reference)
            let text = FeedText(feed, named: name, isDeleted: trip == nil, at: place.server)
            let lines = options.json ? [text.json.text] : text.lines
            for line in lines { Console.current.out(line) }
        }
    }
}

struct FeedRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take secret addresses back, for good.",
        discussion: """
            From then on they are answered as if they had never been, also by a 'tripstore feed serve' that runs. Calendar programs may \
            keep what they have read.

            Examples:
              tripstore feed revoke Lisbon
              tripstore feed revoke 4yJ0cTqCGtXPmBkN7s3vZQdeU1hLwfRi9o2xAaK6gHE
            """)

    @OptionGroup var options: StoreOptions

    @Argument(
        help:
            "The trip, for all of its addresses, by its id, the first digits of that, or its name; or one address, or the secret in it."
    )
    var feed: String

    func run() async throws {
        let folder = try options.folder
        guard TripStore.exists(at: folder) else { throw StoreOptions.noStore(folder) }
        let secret = FeedSecret(argument: feed)
        // By its secret an address is revoked whatever the state of the store.
        let trip = try await secret == nil ? namedTrip() : nil
        let revoked = try FeedSecrets(in: folder).change { feeds in
            let found = feeds.filter { feed in secret.map(feed.secret.matches) ?? (feed.trip == trip) }
            guard !found.isEmpty else {
                let fault = trip.map { "The trip \($0) has no address." } ?? "There is no such address."
                throw CommandError("\(fault) 'tripstore feed list' lists those that there are.", code: "unknownFeed")
            }
            feeds.removeAll { feed in found.contains { $0.secret.matches(feed.secret) } }
            return found
        }
        guard let first = revoked.first else { return }
        let members: [(String, JSON)] = [("trip", .string("\(first.trip)")), ("revoked", .integer(revoked.count))]
        Console.current.out(
            options.json
                ? JSON.object(members).text
                : "Revoked \(revoked.count.counted("address")) of the trip \(first.trip)")
    }

    private func namedTrip() async throws -> Trip.ID? {
        guard let argument = EntityArgument(argument: feed) else {
            throw ArgumentParser.ValidationError("Name a trip, or give an address.")
        }
        return try await options.openForReading().trip(argument)
    }
}
