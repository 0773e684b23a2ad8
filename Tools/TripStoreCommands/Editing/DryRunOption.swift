import ArgumentParser
import Events
import TripFormats
import TripStore

/// Says what a command would write, and writes nothing.
struct DryRunOption: ParsableArguments {
    @Flag(name: .long, help: "Say what it would come to, and write nothing.")
    var dryRun = false
}

extension WritePreview {
    /// For people more are counted.
    private static let mostShown = 20

    /// For people with names; `done` is what would be done.
    func print(_ options: StoreOptions, _ done: String, in store: TripStore) throws {
        print(
            options, done, try entities.map { ($0, try store.name(of: $0)) },
            unchanged: try unchanged.map { ($0, try store.name(of: $0)) })
    }

    /// The same with names that the store does not have yet.
    func print(
        _ options: StoreOptions, _ done: String, _ named: [(EntityReference, String)],
        unchanged: [(EntityReference, String)] = []
    ) {
        if options.json {
            Console.current.out(
                JSON.object([
                    ("dryRun", .bool(true)), ("entities", Self.json(named)),
                    ("unchanged", Self.json(unchanged)), ("followers", .integer(followers)),
                    ("position", .integer(position.rawValue)),
                ]).text)
            return
        }
        guard !entities.isEmpty else { return Console.current.out("Nothing to change.") }
        let them = entities.count == 1 ? "it" : "them"
        let others = followers > 0 ? ", and \(followers.counted("other")) with \(them)" : ""
        Console.current.out("Would \(done) \(entities.count)\(others):")
        for (entity, name) in named.prefix(Self.mostShown) {
            Console.current.out("  " + EntityText.words(entity, name))
        }
        let rest = entities.count - Self.mostShown
        if rest > 0 { Console.current.out("  and \(rest.counted("other"))") }
    }

    private static func json(_ named: [(EntityReference, String)]) -> JSON {
        .array(named.map { .object(EntityText.members($0, $1)) })
    }
}
