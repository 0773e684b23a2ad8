import Testing

@testable import Trips

extension Activity {
    fileprivate static let rank = OwnField<Activity, String>("org.example.sorting", 1, "my rank")
    fileprivate static let things = OwnSet<Activity, String>("org.example.sorting", 2, "things")
    fileprivate static let known = KnownSchema(declaring: [rank, things])
}

@Suite("Orders and columns in words")
struct SortTextTests {
    private static let all = Query<Activity>(in: Activity.known)

    @Test(
        "Fields with commas between them, each from the last to the first or as people do",
        arguments: [
            ("start", all.sorted(by: \.start)), ("-start", all.sorted(by: \.start, .descending)),
            ("~name", all.sorted(by: \.name, .asPeopleDo)), ("-~name", all.sorted(by: \.name, .asPeopleDo.reversed)),
            ("~-name", all.sorted(by: \.name, .asPeopleDo.reversed)),
            (
                "-cost , ~name,id",
                all.sorted(by: \.cost, .descending).sorted(by: \.name, .asPeopleDo).sorted(by: \.id)
            ),
            ("created,-updated", all.sorted(by: \.createdAt).sorted(by: \.updatedAt, .descending)),
            ("-\"my rank\",paid", all.sorted(by: Activity.rank, .descending).sorted(by: \.paid)),
        ] as [(String, Query<Activity>)])
    func orders(text: String, query: Query<Activity>) throws { #expect(try Self.all.sorted(parsing: text) == query) }

    @Test(
        "A mistake in an order is reported at its character",
        arguments: [
            ("", 0, "Here the name of a field is to stand, and not the end."),
            ("name,", 5, "Here the name of a field is to stand, and not the end."),
            ("name cost", 5, "Between fields comes a comma, and not 'cost'."),
            ("-", 1, "Here the name of a field is to stand, and not '-'."),
            ("--name", 1, "The kind activity has no field '-name'. Did you mean 'name'?"),
            ("name,-strat", 6, "The kind activity has no field 'strat'. Did you mean 'start'?"),
            ("~cost", 1, "The order ~ is for text, and 'cost' is an amount of money. Leave the ~ out."),
            ("time", 0, "There is no order by 'time', which is from a moment to another. Name another field."),
            ("things", 0, "There is no order by 'things', of which each element is text. Name another field."),
        ] as [(String, Int, String)])
    func mistakes(text: String, position: Int, message: String) {
        _ = Activity.things
        let error = #expect(throws: QueryTextError.self) { try Self.all.sorted(parsing: text) }
        #expect(error?.position == position)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("Columns have the values of an entity for people and programs, in the order of their names")
    func columns() throws {
        var activity = Samples.activity
        activity[Activity.rank] = "A"
        activity[Activity.things] = ["b", "a"]
        activity.setTimes(created: Moment(milliseconds: 0, zone: "UTC").date, updated: nil)
        activity.hidesLocation = false
        activity.reservation = ""
        let columns = try EntityColumns<Activity>(
            parsing: "name, cost,paid,\"my rank\",things,id,created,updated,hidesLocation,reservation", of: Self.all)
        let values = try columns.values(of: activity)
        #expect(columns.names.prefix(4) == ["name", "cost", "paid", "my rank"])
        #expect(
            values.map(\.text) == [
                "Tram 28", "3.10 EUR", "deposit", "A", "a, b", Samples.uuidText, "1970-01-01T00:00:00Z", "", "no", "",
            ])
        #expect(values[2].value == .string("deposit") && values[4].value == .array([.string("a"), .string("b")]))
        #expect(values[7].value == .null && values[8].value == .bool(false) && values[9].value == .string(""))
        let error = #expect(throws: QueryTextError.self) {
            try EntityColumns<Activity>(parsing: "name,time", of: Query())
        }
        #expect(error?.position == 5)
        #expect(throws: QueryTextError.self) { try EntityColumns<Activity>(parsing: "-name", of: Query()) }
    }
}
