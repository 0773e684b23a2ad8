import ArgumentParser

/// By what entities are grouped, and what of them is measured.
struct GroupOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "List groups, each with its count: by fields, as 'month of start,paid', or by day of, year of or currency of one.",
            valueName: "fields"))
    var group: String?

    @Option(
        name: .long, help: ArgumentHelp("Sum up amounts of money or whole numbers, as 'cost'.", valueName: "fields"))
    var sum: String?

    @Option(name: .customLong("min"), help: ArgumentHelp("Show the least values of fields.", valueName: "fields"))
    var least: String?

    @Option(name: .customLong("max"), help: ArgumentHelp("Show the greatest values of fields.", valueName: "fields"))
    var greatest: String?

    /// Without fields to group by all entities are one group.
    var areGiven: Bool { group != nil || sum != nil || least != nil || greatest != nil }
}
