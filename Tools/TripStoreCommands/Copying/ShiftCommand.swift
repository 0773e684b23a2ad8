import ArgumentParser
import TripStore

/// Puts a trip and all of its items on other days.
struct ShiftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shift", abstract: "Put a trip and what is in it on other days.",
        discussion: """
            Local times stay what they are, each in its zone, also where clocks are put forward or back in between. It is one commit, so that one \
            undo puts all of it back.

            Examples:
              tripstore shift Lisbon --days 3
              tripstore shift Lisbon --days -7 --dry-run
              tripstore shift Lisbon --to 2027-06-01
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The trip. \(EntityArgument.help)")
    var trip: EntityArgument

    @Option(name: .long, parsing: .unconditional, help: "So many days later; with a minus earlier.")
    var days: Int?

    @Option(name: .long, help: "So that it begins on this day.", transform: Day.written)
    var to: Day?

    @OptionGroup var dryRun: DryRunOption

    func validate() throws {
        if (days == nil) == (to == nil) { throw ValidationError("Give one of --days and --to.") }
    }

    func run() async throws {
        try await withStore(options) { store in
            let id = try store.trip(trip)
            if dryRun.dryRun {
                let contents = try store.read { try $0.presentContents(of: id) }
                let shifted = to.map { contents.shifted(to: $0) } ?? contents.shifted(byDays: days ?? 0)
                return try await store.preview(contents.edits(to: shifted)).print(options, "shift", in: store)
            }
            let receipt =
                if let to {
                    try await store.shift(id, to: to, by: author.authorship)
                } else {
                    try await store.shift(id, byDays: days ?? 0, by: author.authorship)
                }
            let others = receipt.entities.count(where: { $0 != id.reference })
            let what = EntityText.words(id.reference, try store.name(of: id.reference)).visible
            receipt.print(options, "Shifted \(what)" + (others > 0 ? " and \(others.counted("other")) with it" : ""))
        }
    }
}
