import Testing

@testable import Trips

extension Activity {
    fileprivate static let stars = OwnField<Activity, Int>("org.example.grouping", 1, "starsInGroups")
    fileprivate static let labels = OwnSet<Activity, String>("org.example.grouping", 2, "labels")
    fileprivate static let month = OwnField<Activity, Int>("org.example.grouping", 3, "month")
    fileprivate static let known = KnownSchema(declaring: [stars, labels, month])
}

@Suite("Groups in words")
struct GroupTextTests {
    private static let all = Query<Activity>(in: Activity.known)

    @Test(
        "Fields with commas between them, or parts of them, are what is grouped by",
        arguments: [
            ("paid", [.value(\.paid)]), ("month of start , paid", [.month(of: \.start), .value(\.paid)]),
            ("YEAR OF end,Day of start", [.year(of: \.end), .day(of: \.start)]),
            ("currency of cost,cost", [.currency(of: \.cost), .value(\.cost)]),
            ("trip,id", [.value(\.trip), .value(\.id)]),
            ("starsInGroups", [.value(Activity.stars)]),
            ("month,month of start", [.value(Activity.month), .month(of: \.start)]),
        ] as [(String, [GroupKey<Activity>])])
    func keys(text: String, keys: [GroupKey<Activity>]) throws {
        #expect(try Self.all.groupKeys(parsing: text) == keys)
    }

    @Test("The months and the years of a trip's days are groups")
    func days() throws {
        #expect(
            try Query<Trip>().groupKeys(parsing: "year of startDate,month of endDate")
                == [.year(of: \.startDay), .month(of: \.endDay)])
    }

    @Test(
        "A mistake is reported at its character",
        arguments: [
            ("", 0, "Here the name of a field is to stand, and not the end."),
            ("paid,", 5, "Here the name of a field is to stand, and not the end."),
            ("paid cost", 5, "Between fields comes a comma, and not 'cost'."),
            ("month of", 8, "Here the name of a field is to stand, and not the end."),
            ("paid, month of strat", 15, "The kind activity has no field 'strat'. Did you mean 'start'?"),
            ("day of cost", 0, "There is no day of 'cost', which is an amount of money. Name a moment."),
            ("month of name", 0, "There is no month of 'name', which is text. Name a moment or a day."),
            (
                "paid,currency of start", 5,
                "There is no currency of 'start', which is a moment. Name an amount of money."
            ),
            ("week of start", 0, "The kind activity has no field 'week'. "),
            ("time", 0, "There are no groups by 'time', which is from a moment to another. Name another field."),
            ("labels", 0, "There are no groups by 'labels', of which each element is text. Name another field."),
            ("paid,paid", 5, "'paid' is named twice. Leave one of them out."),
        ] as [(String, Int, String)])
    func mistakes(text: String, position: Int, message: String) {
        let error = #expect(throws: QueryTextError.self) { try Self.all.groupKeys(parsing: text) }
        #expect(error?.position == position)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("Money and whole numbers are summed, and all fields of one value have a least and a greatest")
    func measures() throws {
        _ = (Activity.stars, Activity.labels)
        let summed = try Self.all.measures(parsing: "cost,starsInGroups", isSummed: true)
        #expect(summed.map(\.key) == [.value(\.cost), .value(Activity.stars)])
        #expect(try Self.all.measures(parsing: "start,name", isSummed: false).map(\.name) == ["start", "name"])
        for (text, isSummed, message) in [
            ("cost,start", true, "There is no sum of 'start', which is a moment. Name money or whole numbers."),
            ("cost,labels", false, "'labels', of which each element is text, is not measured. Name another field."),
        ] {
            let error = #expect(throws: QueryTextError.self) {
                try Self.all.measures(parsing: text, isSummed: isSummed)
            }
            #expect(error?.position == 5 && error?.message == message)
        }
    }
}
