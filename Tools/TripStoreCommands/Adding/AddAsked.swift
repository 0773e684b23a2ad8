import ArgumentParser
import TripStore

/// Asks what is to be created, field by field.
struct AddAsked: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask for a kind and its fields.",
        discussion: """
            Each line shows in brackets what Enter takes. '?' explains, and Ctrl-D or Ctrl-C leaves with nothing written.

            Examples:
              tripstore add
              tripstore add ask
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup(visibility: HelpPage.rare) var ownFields: OwnFieldOptions

    func run() async throws {
        guard let asking = Asking() else {
            throw ArgumentParser.ValidationError(
                "The kind is missing, and what it needs, as in 'tripstore add activity --name NAME --trip TRIP'. On a terminal both are asked for. "
                    + "'tripstore help add' lists the kinds.")
        }
        let add = try await withReadStore(options) { try choose(asking, in: $0) }
        try await add(Adding(options: options, author: author, ownFields: ownFields, echoes: false))
    }

    /// Creates what was asked for.
    private typealias Creation = (Adding) async throws -> Void

    private func choose(_ asking: Asking, in store: TripStore) throws -> Creation {
        guard let next = try store.nextTrip() else {
            Console.current.note("There is no trip to plan yet: this adds one.")
            return try fill(Trip.self, asking, of: nil, in: store)
        }
        var trip = next.id
        let whichTrip = "The trip of what is created. \(EntityArgument.help)"
        try asking.value("Trip", default: next.name, explaining: whichTrip) { answer in
            if answer != next.name, let argument = EntityArgument(argument: answer) { trip = try store.trip(argument) }
        }
        let words = ["activity"] + ItemWords.all.map { $0.word } + ["lodging", "transportation", "trip"]
        let list = "One of \(words.joined(separator: ", "))."
        var word = words[0]
        try asking.value("Kind", default: word, explaining: list) { typed in
            let answer = words.contains(typed) ? typed : ItemWords.offered(for: typed) ?? typed
            guard words.contains(answer) else {
                throw CommandError("'\(answer)' is no kind that is asked for. \(list)")
            }
            word = answer
        }
        if let named = ItemWords.all.first(where: { $0.word == word }) {
            return try fill(named, asking, of: trip, in: store)
        }
        switch word {
        case "trip": return try fill(Trip.self, asking, of: nil, in: store)
        case "lodging": return try fill(Lodging.self, asking, of: trip, in: store)
        case "transportation": return try fill(Transportation.self, asking, of: trip, in: store)
        default: return try fill(Activity.self, asking, of: trip, in: store)
        }
    }

    private func fill<Word: KindWord>(
        _ word: Word.Type, _ asking: Asking, of trip: Trip.ID?, in store: TripStore
    ) throws -> Creation {
        try fill(Word.Entity.self, asking, of: trip, mode: Word.mode, in: store)
    }

    private func fill<Entity: TripEntity>(
        _ kind: Entity.Type, _ asking: Asking, of trip: Trip.ID?, mode: String? = nil, in store: TripStore
    ) throws -> Creation {
        var fields = FieldOptions<Only<Entity>>()
        if let trip { fields.set("trip", to: "\(trip)") }
        if let mode { fields.set("mode", to: mode) }
        try fields.askAll(asking, kind, ownFields, in: store)
        return { [fields] in try await $0.add(fields) }
    }
}
