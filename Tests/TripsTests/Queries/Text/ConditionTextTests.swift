import Events
import Foundation
import Testing

@testable import Trips

extension Activity {
    fileprivate static let stars = OwnField<Activity, Int>("org.example.text", 1, "starsInText")
    fileprivate static let tags = OwnSet<Activity, String>("org.example.text", 2, "tagsInText")
    fileprivate static let checked = OwnMap<Activity, Day, Bool>("org.example.text", 3, "checked on")
    fileprivate static let spelled = OwnField<Activity, String>("org.example.text", 4, "not")
    fileprivate static let ratio = OwnField<Activity, Double>("org.example.text", 5, "ratio")
    fileprivate static let rival = OwnField<Activity, EntityReference>("org.example.text", 6, "rival")
    fileprivate static let seal = OwnField<Activity, Data>("org.example.text", 7, "seal")
    fileprivate static let code = OwnField<Activity, UUID>("org.example.text", 8, "code")
    fileprivate static let answers = OwnSet<Activity, Bool>("org.example.text", 9, "answers")
    fileprivate static let known = KnownSchema(declaring: [
        stars, tags, checked, spelled, ratio, rival, seal, code, answers,
    ])
}

@Suite("Conditions in words")
struct ConditionTextTests {
    private static let all = Query<Activity>(in: Activity.known)
    private static let trips = Query<Trip>()
    private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let may = Int64(Day(2027, 5, 1).daysSince1970) * 86_400_000

    private static func utc(_ milliseconds: Int64) -> Moment { Moment(milliseconds: milliseconds, zone: "UTC") }
    private static func euros(_ cents: Int64) -> Money { Money(minorUnits: cents, "EUR") }

    static let conditions = texts + amounts + times + own + precedence

    private static let texts: [(String, Query<Activity>)] = [
        ("name = \"Tram\"", all.where { $0.name == "Tram" }),
        ("name != 'Tram'", all.where { $0.name != "Tram" }),
        ("name < \"T\"", all.where { $0.name < "T" }), ("name<=\"T\"", all.where { $0.name <= "T" }),
        ("name > \"T\"", all.where { $0.name > "T" }), ("name>=\"T\"", all.where { $0.name >= "T" }),
        ("name contains \"TRAM\"", all.where { $0.name.contains("tram") }),
        ("name begins with \"Évora\"", all.where { $0.name.begins(with: "evora") }),
        ("name is like \"évora\"", all.where { $0.name.isLike("Evora") }),
        ("name is not like 'x'", all.where { !$0.name.isLike("x") }),
        ("name in (\"a\", \"b\")", all.where { $0.name.isOne(of: ["b", "a"]) }),
        ("name between 'a' and 'b'", all.where { $0.name.isIn("a"..."b") }),
        (#"name = "a\"\\\'\n\r\t\u{E9}\u{1F600}""#, all.where { $0.name == "a\"\\'\n\r\té😀" }),
        ("name = \"\u{301}x\"", all.where { $0.name == "\u{301}x" }),
    ]

    private static let amounts: [(String, Query<Activity>)] = [
        ("cost > 100 EUR", all.where { $0.cost > euros(100_00) }),
        ("cost = -1.5 eur", all.where { $0.cost == euros(-1_50) }),
        ("cost = 1000 JPY", all.where { $0.cost == Money(minorUnits: 1000, "JPY") }),
        ("cost between 1 EUR and 2 EUR", all.where { $0.cost.isIn(euros(100), euros(200)) }),
        ("cost is none", all.where { $0.cost == nil }), ("cost = none", all.where { $0.cost == nil }),
        ("cost != NONE", all.where { $0.cost != nil }), ("cost IS NOT NONE", all.where { $0.cost != nil }),
        ("paid = inFull", all.where { $0.paid == .inFull }), ("paid = in-full", all.where { $0.paid == .inFull }),
        ("paid = 'INFULL'", all.where { $0.paid == .inFull }),
        ("paid = none", all.where { $0.paid == PaidStatus.none }),
        ("paid is none", all.where { $0.paid == PaidStatus.none }),
        ("paid = 77", all.where { $0.paid == PaidStatus(rawValue: 77) }),
        ("paid in (none, deposit)", all.where { $0.paid.isOne(of: [.none, .deposit]) }),
        ("notes is none", all.where { $0.notes == "" }), ("notes = none", all.where { $0.notes == "" }),
        ("notes = \"none\"", all.where { $0.notes == "none" }),
        ("hidesLocation = true", all.where { $0.hidesLocation == true }),
        ("hidesLocation != NO", all.where { $0.hidesLocation != false }),
        ("hidesLocation is none", all.where { $0.hidesLocation == false }),
        ("address is none", all.where { $0.address == nil }),
        ("trip = \(id)", all.where { $0.trip == Trip.ID(id) }),
        ("trip in (\(id.uuidString.lowercased()))", all.where { $0.trip.isOne(of: [Trip.ID(id)]) }),
        ("id = \(id)", all.where { $0.id == Activity.ID(id) }),
        ("organization is none", all.where { $0.organization == nil }),
    ]

    private static let times: [(String, Query<Activity>)] = [
        ("start >= 2027-05-01T10:00", all.where { $0.start >= utc(may + 36_000_000) }),
        ("start >= 2027-05-01T10:00+01:00", all.where { $0.start >= utc(may + 32_400_000) }),
        ("start = 2027-05-01T10:00 Europe/Lisbon", all.where { $0.start == utc(may + 32_400_000) }),
        ("start < 2027-05-01", all.where { $0.start < utc(may) }),
        ("start <= 2027-05-01", all.where { $0.start <= utc(may + 86_399_999) }),
        ("start > 2027-05-01", all.where { $0.start > utc(may + 86_399_999) }),
        ("start >= 2027-05-01 Europe/Lisbon", all.where { $0.start >= utc(may - 3_600_000) }),
        ("start = 2027-05-01", all.where { $0.start.isIn(utc(may), utc(may + 86_399_999)) }),
        ("start != 2027-05-01", all.where { !$0.start.isIn(utc(may), utc(may + 86_399_999)) }),
        (
            "start between 2027-05-01 and 2027-05-02",
            all.where { $0.start.isIn(utc(may), utc(may + 2 * 86_400_000 - 1)) }
        ),
        (
            "start in (2027-05-01T00:00Z, 2027-05-02)",
            all.where {
                $0.start.isOne(of: [utc(may)])
                    || $0.start.isIn(utc(may + 86_400_000), utc(may + 2 * 86_400_000 - 1))
            }
        ),
        (
            "start <= 9999-12-31",
            all.where { $0.start <= Moment(milliseconds: Moment.representable.upperBound, zone: "UTC") }
        ),
        // In Sao Paulo clocks went back at midnight: the day had 25 hours.
        (
            "start <= 2018-02-17 America/Sao_Paulo",
            all.where { $0.start <= utc(Int64(Day(2018, 2, 18).daysSince1970) * 86_400_000 + 3 * 3_600_000 - 1) }
        ),
        ("created > 2027-05-01T00:00:00.250Z", all.where { $0.createdAt > Date(milliseconds: may + 250) }),
        ("updatedAt < 2027-05-01", all.where { $0.updatedAt < Date(milliseconds: may) }),
        (
            "time overlaps 2027-05-01 to 2027-05-02",
            all.where { $0.time.overlap(utc(may), utc(may + 2 * 86_400_000 - 1)) }
        ),
        ("time overlaps 2027-05-01T10:00", all.where { $0.time.overlap(utc(may + 36_000_000), utc(may + 36_000_000)) }),
    ]

    private static let own: [(String, Query<Activity>)] = [
        ("starsInText >= 3", all.where { $0[Activity.stars] >= 3 }),
        ("starsInText is none", all.where { $0[Activity.stars] == nil }),
        ("ratio < -2.5e3", all.where { $0[Activity.ratio] < -2500 }),
        ("rival = trip \(id)", all.where { $0[Activity.rival] == EntityReference(kind: .trip, id: id) }),
        ("seal = \"AQI=\"", all.where { $0[Activity.seal] == Data([1, 2]) }),
        ("code = \(id)", all.where { $0[Activity.code] == id }),
        ("tagsInText contains \"beach\"", all.where { $0[Activity.tags].contains("beach") }),
        ("answers contains no", all.where { $0[Activity.answers].contains(false) }),
        ("\"checked on\" contains 2027-05-01", all.where { $0[Activity.checked].contains(Day(2027, 5, 1)) }),
        ("'not' = \"\"", all.where { $0[Activity.spelled] == "" }),
        ("\(FieldPath.ownName(of: Activity.stars.number) ?? "") = 5", all.where { $0[Activity.stars] == 5 }),
    ]

    private static let precedence: [(String, Query<Activity>)] = [
        // Precedence: not before and before or.
        (
            "not name = 'a' and name = 'b' or name = 'c'",
            all.where { !($0.name == "a") && $0.name == "b" || $0.name == "c" }
        ),
        (
            "name = 'a' or name = 'b' and name = 'c'",
            all.where { $0.name == "a" || ($0.name == "b" && $0.name == "c") }
        ),
        (
            "(name = 'a' or name = 'b') and name = 'c'",
            all.where { ($0.name == "a" || $0.name == "b") && $0.name == "c" }
        ),
        (
            "not (name = 'a' or name = 'b')", all.where { !($0.name == "a" || $0.name == "b") }
        ),
        ("NOT not Name = 'a'".replacing("Name", with: "name"), all.where { $0.name == "a" }),
        ("((name\n=\t'a'))", all.where { $0.name == "a" }),
        (
            "name = 'a' AND name = 'b' And name = 'c'",
            all.where { $0.name == "a" && $0.name == "b" && $0.name == "c" }
        ),
    ]

    @Test("A condition in words is that of the same fields, operators and values in Swift", arguments: conditions)
    func parsed(text: String, query: Query<Activity>) throws {
        let parsed = try Self.all.where(parsing: text)
        #expect(parsed == query, "\(parsed.words)\n\(query.words)")
    }

    @Test("The days of a trip overlap others, and its fields are days and flags")
    func trips() throws {
        let days = Day(2027, 5, 1)...Day(2027, 5, 7)
        #expect(
            try Self.trips.where(parsing: "days overlaps 2027-05-01 to 2027-05-07")
                == Self.trips.where { $0.days.overlap(days) })
        #expect(
            try Self.trips.where(parsing: "days overlaps 2027-05-01")
                == Self.trips.where { $0.days.overlap(days.lowerBound...days.lowerBound) })
        #expect(
            try Self.trips.where(parsing: "isProtected = yes and startDate = 2027-05-01")
                == Self.trips.where { $0.isProtected == true && $0.startDay == days.lowerBound })
        #expect(
            try Query<Thing>().where(parsing: "count = none or weight = 2")
                == Query<Thing>().where { $0.count == 1 || $0.weight == .heavy })
    }

    @Test("Conditions in words are added to those before")
    func added() throws {
        let query = try Self.all.where { $0.name == "a" }.where(parsing: "paid = none").where(
            parsing: "starsInText = 1")
        #expect(query == Self.all.where { $0.name == "a" && $0.paid == PaidStatus.none && $0[Activity.stars] == 1 })
    }

    @Test(
        "A log's description of an app's field is enough to ask its store for it, and to sort by it, and no other store"
    )
    func described() throws {
        let number = Namespace("org.example.text.described").number(1)
        let description = FieldDescription(
            kind: .organization, number: number, namespace: "org.example.text.described", name: "described stars",
            type: .integer)
        let query = try Query<Organization>(in: KnownSchema([description])).where(parsing: "\"described stars\" > 3")
            .sorted(
                parsing: "-\"described stars\"")
        #expect(throws: QueryTextError.self) {
            try Query<Organization>(in: KnownSchema()).where(parsing: "\"described stars\" > 3")
        }
        let compiled = try RecordQuery(query, in: nil)
        for stars in 1...5 {
            var organization = Organization(name: "TAP")
            organization.own[number] = stars.ownBytes
            var values = RecordQuery.Values()
            try Records.record(of: organization).encoded().withUnsafeBytes { bytes in
                try compiled.read(organization.id.uuid, RecordView(bytes), into: &values)
                #expect(compiled.sortValues(values).values.map(\.value) == [.integer(Int64(stars))])
                #expect(try compiled.mayMatch(values) == (stars > 3))
            }
        }
        #expect(
            query
                == Query<Organization>().where { _ in Condition(.compare(.field(number), .greater, .integer(3))) }
                .sorted(parsingUnchecked: number))
    }

    @Test("A text that is no whole id stands for the entity that the caller finds, and is refused if it finds none")
    func naming() throws {
        struct Ambiguous: Error {}
        let naming: EntityNaming = { text, kind, type in
            if text == "Porto" { throw Ambiguous() }
            return text == "The north" && kind == .trip && type == Trip.self ? Self.id : nil
        }
        #expect(
            try Self.all.where(parsing: "trip in ('The north')", naming: naming)
                == Self.all.where { $0.trip.isOne(of: [Trip.ID(Self.id)]) })
        #expect(
            try Self.all.where(parsing: "trip = \(Self.id)", naming: naming)
                == Self.all.where { $0.trip == Trip.ID(Self.id) })
        for text in ["trip = Faro", "trip = Porto", "organization = 'The north'", "trip = 5"] {
            #expect(throws: QueryTextError.self, "\(text)") { try Self.all.where(parsing: text, naming: naming) }
        }
    }

    @Test("Thousands of conditions are one flat list")
    func long() throws {
        let text = (0..<3_000).map { "name = '\($0)'" }.joined(separator: " or ")
        let parsed = try Self.all.where(parsing: text)
        guard case .any(let nodes)? = parsed.condition else {
            Issue.record("\(parsed.words.prefix(100))")
            return
        }
        #expect(nodes.count == 3_000)
    }
}

extension Query {
    fileprivate func sorted(parsingUnchecked number: UInt64) -> Query {
        var query = self
        query.sortKeys.append(SortKey(field: .field(number), order: .descending))
        return query
    }
}

extension QueryField {
    /// As `between`, of values that are no range of Swift.
    fileprivate func isIn(_ first: Value, _ last: Value) -> Condition<Entity> { self >= first && self <= last }
}
