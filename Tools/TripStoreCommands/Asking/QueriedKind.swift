import ArgumentParser
import TripStore

/// The kinds of entities that a condition can be asked of.
enum QueriedKind: String, CaseIterable {
    case trips, activities, lodgings, transportations, organizations, travellers, budgets, checklists, entries, rates

    /// From its name, or that of one entity of it; nil for anything else.
    init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.rawValue == argument || $0.type.kindName == argument }) else {
            return nil
        }
        self = kind
    }

    var type: any TripEntity.Type {
        switch self {
        case .trips: Trip.self
        case .activities: Activity.self
        case .lodgings: Lodging.self
        case .transportations: Transportation.self
        case .organizations: Organization.self
        case .travellers: Traveller.self
        case .budgets: Budget.self
        case .checklists: Checklist.self
        case .entries: ChecklistEntry.self
        case .rates: CurrencyRate.self
        }
    }

    /// As 'list' has it.
    var subject: ListCommand.Subject? { ListCommand.Subject(rawValue: rawValue) }

    /// For people.
    static let names =
        "trips, activities, lodgings, transportations, organizations, travellers, budgets, checklists, entries or rates"
}

/// The kind of the entities that a condition chooses.
enum ChosenKind {
    case known(QueriedKind)
    /// One of apps, by the name that the log has for it.
    case described(String)

    /// That of one or two arguments. Throws if they name none.
    init(_ arguments: [String]) throws {
        switch (arguments.count, arguments.first.flatMap { QueriedKind(argument: $0) }) {
        case (1, let kind?): self = .known(kind)
        case (2, nil) where arguments[0] == "own": self = .described(arguments[1])
        default:
            throw ValidationError(
                "--where chooses among all of a kind, and '\(arguments.joined(separator: " "))' is none. Name \(QueriedKind.names), or own and "
                    + "the name of a kind.")
        }
    }
}

/// A condition that chooses entities of a kind.
struct WhereOption: ParsableArguments {
    static let help = ArgumentHelp(
        """
        Those of the kind that meet a condition, as 'name contains "tram" and cost > 100 EUR'. 'tripstore help list' says more.
        """, valueName: "condition")

    /// The conditions in short.
    static let grammar = """
        Conditions are joined by and, or, not and parentheses. A field is followed by =, !=, <, <=, >, >=, in (A, B), between A and B, is none, \
        is not none; for text by contains, begins with, is like; for what apps collect by contains. 'days overlaps DAY to DAY' asks trips, 'time \
        overlaps TIME to TIME' items, 'address within 5 km of 38.7, -9.1' what has one. 'any lodging (paid = none)', all and no ask what belongs \
        to an entity; 'trip = Lisbon' and 'trip (name contains "lis")' what it names. Text is in quotes; a day stands for all of it, in UTC or in a zone behind \
        it. The page 'Asking' of the documentation has the grammar.
        """

    @Option(name: .customLong("where"), help: Self.help)
    var condition: String?
}

/// What is asked of the entities of a kind, by what they are grouped and measured, and which of their fields are shown.
///
/// It holds no group of options: each check of the parser's debug build makes all checks of a group within a group again.
struct QueryOptions: ParsableArguments {
    @Option(name: .customLong("where"), help: WhereOption.help)
    var condition: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "List groups, each with its count: by fields, as 'month of start,paid', or by day of, year of or currency of one.",
            valueName: "fields"))
    var group: String?

    @Option(
        name: .long, help: ArgumentHelp("Sum up amounts of money or whole numbers, as 'cost'.", valueName: "fields"))
    var sum: String?

    @Option(
        name: .customLong("min"),
        help: ArgumentHelp("Show the least values of fields.", valueName: "fields", visibility: HelpPage.rare))
    var least: String?

    @Option(
        name: .customLong("max"),
        help: ArgumentHelp("Show the greatest values of fields.", valueName: "fields", visibility: HelpPage.rare))
    var greatest: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "In the order of fields, as '-start,~name': - is from the last to the first, ~ as people expect names.",
            valueName: "fields"))
    var sort: String?

    @Option(name: .long, help: ArgumentHelp("Show these fields, as 'name,cost,created'.", valueName: "fields"))
    var columns: String?

    @Flag(name: .long, help: "Say only how many there are, on all pages.")
    var count = false

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Say by which index the page is found, and how many rows are looked at.", visibility: HelpPage.rare))
    var explain = false

    /// Whether groups are listed; without fields to group by all entities are one.
    var isGrouped: Bool { group != nil || sum != nil || least != nil || greatest != nil }

    /// Whether no more is asked than which entities meet a condition, or how many: that can be asked of several kinds.
    var isCondition: Bool { !isGrouped && sort == nil && columns == nil && !explain }

    var areGiven: Bool { !GivenOptions(given).names.isEmpty }

    /// All of them, and whether each is given.
    var given: [(name: String, isGiven: Bool)] {
        [
            ("--where", condition != nil), ("--sort", sort != nil), ("--columns", columns != nil),
            ("--group", group != nil), ("--sum", sum != nil), ("--min", least != nil), ("--max", greatest != nil),
            ("--count", count), ("--explain", explain),
        ]
    }

    func validate() throws {
        let listed: [(name: String, isGiven: Bool)] = [
            ("--sort", sort != nil), ("--columns", columns != nil), ("--explain", explain),
        ]
        let (shown, all) = (GivenOptions(listed), GivenOptions(listed + [("--count", count)]))
        if count && !shown.names.isEmpty { throw ValidationError("--count prints a number: leave out \(shown).") }
        if explain && columns != nil {
            throw ValidationError("--explain says how a page is found: leave out --columns.")
        }
        if isGrouped && !all.names.isEmpty {
            throw ValidationError(
                "Groups are in the order of what they are by, and have their counts: leave out \(all).")
        }
    }
}
