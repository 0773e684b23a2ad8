import ArgumentParser
import Foundation
import TripStore

/// Copies a trip, saves one as a template, or makes one from a template.
struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a trip with what is in it; prints the id.",
        discussion: """
            Its items, budgets and checklists are copied. Items keep their zones and the times that clocks show there. Nothing in the checklists of the copy is done. What apps have added to \
            the trip and its rates are not copied, apps' fields are. With --template the copy is a model for trips, which 'tripstore templates' lists and no \
            other list has; a copy of a template is a trip.

            Examples:
              tripstore copy Lisbon --to 2028-05-01 --without payments,confirmations
              tripstore copy Lisbon --template --name 'City break' --without costs
              tripstore copy 'City break' --to 2028-09-04 --name Porto --dry-run
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The trip or template. \(EntityArgument.help)")
    var trip: EntityArgument

    @Option(
        name: .long, help: "The first day of the copy; the days of the original if it is left out.",
        transform: Day.written)
    var to: Day?

    @Option(name: .long, help: "The name of the copy; that of the original if it is left out.")
    var name: String?

    @Option(
        name: .long,
        help: "What to leave out, some of costs, payments, confirmations, travellers, budgets and checklists.")
    var without: CopiedParts?

    @Flag(name: .long, help: "Make a template.")
    var template = false

    @OptionGroup var dryRun: DryRunOption

    func run() async throws {
        try await withStore(options) { store in
            let id = try store.trip(trip)
            let copy = try store.read { views in
                try views.copy(
                    of: id, as: template ? .template : .trip, startingOn: to, named: name, without: without?.parts ?? []
                )
            }
            if dryRun.dryRun {
                let preview = try await store.preview(copy.creations)
                return preview.print(options, "create", preview.entities.map { ($0, copy.name(of: $0)) })
            }
            let (receipts, correlation) = try await store.write(copy, by: author.authorship)
            guard options.json else {
                Console.current.out("\(copy.trip.id)")
                if receipts.count > 1, let correlation {
                    Console.current.note(
                        "It is too large for one commit, and was written by \(receipts.count), which are undone as one: by 'tripstore undo "
                            + "--last', or 'tripstore undo --correlation \(correlation.uuidString)'.")
                }
                return
            }
            let commits: [(String, JSON)] = [
                ("commits", .array(receipts.map { .integer($0.position.rawValue) })),
                ("correlation", .optional(correlation?.uuidString)),
            ]
            Console.current.out(
                JSON.object([("id", .string("\(copy.trip.id)"))] + (receipts.last?.members ?? []) + commits).text)
        }
    }
}

/// Parts of a trip, with commas between them.
struct CopiedParts: ExpressibleByArgument {
    let parts: Set<TripPart>

    init?(argument: String) {
        var parts: Set<TripPart> = []
        for word in argument.split(separator: ",") {
            guard let part = TripPart.allCases.first(where: { "\($0)" == word }) else { return nil }
            parts.insert(part)
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }
}

extension TripContents {
    /// What people call one of the entities.
    fileprivate func name(of entity: EntityReference) -> String {
        if entity == trip.reference { return trip.name }
        if let item = items.first(where: { $0.reference == entity }) { return item.name }
        if let budget = budgets.first(where: { $0.reference == entity }) { return StoreKindText.title(of: budget) }
        if let list = checklists.first(where: { $0.reference == entity }) { return list.name }
        return entries.first { $0.reference == entity }?.name ?? ""
    }
}

/// Lists the templates.
struct TemplatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates", abstract: "List the templates, the models for trips.",
        discussion: """
            They are listed by name. 'tripstore copy' makes them, and trips of them.

            Example:
              tripstore templates
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption

    func run() async throws {
        let store = try await options.openForReading()
        let source: any TripQuerying = try await past.past(of: store) ?? store
        let rows = try source.read { views in
            try views.templates().map { TripRow(trip: $0, totals: try views.totals(of: $0.id)) }
        }
        if options.json {
            let marks = try ConflictMarks(rows.map(\.trip.reference), in: source)
            for row in rows { Console.current.out(EntityJSON.row(row, marks, next: nil).text) }
        } else {
            if rows.isEmpty { Console.current.out("No templates.") }
            for line in try ListedRows.lines(of: rows, in: source) { Console.current.out(line) }
        }
    }
}
