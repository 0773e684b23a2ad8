import Foundation
import Testing

@testable import TripStore
@testable import Trips

extension PredicateQueryTests {
    /// A predicate, the conditions that it becomes, and how many of its parts are evaluated.
    struct Case<Entity: TripEntity>: CustomTestStringConvertible {
        let name: String
        let predicate: Predicate<Entity>
        let conditions: Query<Entity>
        let evaluated: Int

        init(
            _ name: String, _ predicate: Predicate<Entity>, evaluated: Int = 0,
            _ condition: ((QueryFields<Entity>) -> Condition<Entity>)? = nil
        ) {
            (self.name, self.predicate, self.evaluated) = (name, predicate, evaluated)
            conditions = condition.map { Query().where($0) } ?? Query()
        }

        var testDescription: String { name }
    }

    static let lisbon = Trip.ID.new()
    static let alentejo = Trip.ID.new()
    static let tap = Organization.ID.new()
    static let noon = Date(timeIntervalSince1970: 43_200)
    static let may = Day(2027, 5, 1)

    static let activities: [Activity] = [
        Activity(
            name: "Tram 28", in: lisbon, from: Moment(noon, "Europe/Lisbon"), cost: Money("3.20", "EUR"),
            address: Address(city: "Lisboa", coordinates: Coordinates(latitude: 38.7, longitude: -9.1))),
        Activity(name: "tram", in: lisbon, from: Moment(noon, "UTC"), paid: .inFull, notes: "Linha 28"),
        Activity(
            name: "Évora", in: alentejo, from: Moment(noon - 1, "UTC"), cost: Money("120.00", "EUR"), organization: tap),
        Activity(name: "E\u{301}vora", in: lisbon, until: Moment(noon, "UTC"), cost: Money("1", "USD"), paid: .deposit),
        Activity(name: "Kiosk", in: lisbon, cost: Money("-3.20", "EUR"), hidesLocation: true),
        Activity(name: "\u{212A}iosk", in: lisbon, from: Moment(noon + 60, "UTC"), until: Moment(noon + 90, "UTC")),
        Activity(name: "São Jorge; day 2", in: lisbon, notes: "e"),
    ]

    static let trips: [Trip] = [
        Trip(name: "Lisbon", destination: "Portugal", days: may...Day(2027, 5, 8), isProtected: true),
        Trip(name: "lisbon", startDay: may, endDay: nil, originalCreation: noon),
        Trip(name: "Someday"), Trip(name: "June", days: Day(2027, 6, 1)...Day(2027, 6, 1), isProtected: true),
    ]

    static let texts: [Case<Activity>] = [
        Case("text of ASCII", #Predicate { $0.name == "Tram 28" }) { $0.name == "Tram 28" },
        Case("not text of ASCII", #Predicate { $0.name != "tram" }) { $0.name != "tram" },
        Case("the constant first", #Predicate { "tram" == $0.name }) { $0.name == "tram" },
        Case("no text", #Predicate { $0.notes == "" }) { $0.notes == "" },
        Case("empty", #Predicate { $0.notes.isEmpty }) { $0.notes == "" },
        Case("equivalent text", #Predicate { $0.name == "Évora" }, evaluated: 1) { $0.name.isLike("evora") },
        Case("not equivalent text", #Predicate { $0.name != "Évora" }, evaluated: 1),
        Case("ASCII that is equivalent to other scalars", #Predicate { $0.name == "Kiosk" }, evaluated: 1) {
            $0.name.isLike("kiosk")
        },
        Case("contained text", #Predicate { $0.name.contains("ram") }, evaluated: 1) { $0.name.contains("ram") },
        Case("contained character", #Predicate { $0.name.contains("e") }, evaluated: 1) { $0.name.contains("e") },
        Case("contained no text", #Predicate { $0.name.contains("") }, evaluated: 1) { $0.name.contains("") },
        Case("not contained", #Predicate { !$0.name.contains("ram") }, evaluated: 1),
        Case("newer than the table", #Predicate { $0.name.contains("\u{16D68}") }, evaluated: 1),
        Case("beginning", #Predicate { $0.name.starts(with: "T") }, evaluated: 1) { $0.name.begins(with: "t") },
        Case("order of text", #Predicate { $0.name < "L" }, evaluated: 1),
        Case("one of texts", #Predicate { ["tram", "Ferry"].contains($0.name) }) {
            $0.name.isOne(of: ["tram", "Ferry"])
        },
        Case("one of equivalent texts", #Predicate { ["tram", "Évora"].contains($0.name) }, evaluated: 1),
        Case("text in itself", #Predicate { $0.name.contains($0.notes) }, evaluated: 1),
        Case("count of characters", #Predicate { $0.name.count > 5 }, evaluated: 1),
        Case("regular expression", #Predicate { $0.name.contains(/[0-9]/) }, evaluated: 1),
        Case("all of the constants", #Predicate { a in ["a", "r"].allSatisfy { a.name.contains($0) } }, evaluated: 1),
        Case("some constant", #Predicate { a in ["28", "Jorge"].contains { a.name.contains($0) } }, evaluated: 1),
        Case(
            "filtered constants", #Predicate { a in ["2", "r"].filter { a.name.contains($0) }.count == 1 }, evaluated: 1
        ),
        Case("greatest constant", #Predicate { [1, 5].max()! == $0.name.count }, evaluated: 1),
        Case("least constant", #Predicate { ([5, 9].min() ?? 0) == $0.name.count }, evaluated: 1),
        Case("element", #Predicate { [1, 5][1] == $0.name.count }, evaluated: 1),
    ]

    static let others: [Case<Activity>] = {
        let (inFull, deposit) = (PaidStatus.inFull, PaidStatus.deposit)
        let (knownNumber, newerNumber) = (PaidStatus.unknown(2), PaidStatus.unknown(9))
        let (lisbon, tap, noon, start) = (Self.lisbon, Self.tap, Self.noon, Int64(43_200_000))
        let (fare, fares) = (Money(minorUnits: 320, "EUR"), [Money(minorUnits: 320, "EUR")] as [Money?])
        let (lisbonNoon, euro) = (Moment(noon, "Europe/Lisbon"), "EUR" as Currency)
        let place = Coordinates(latitude: 38.7, longitude: -9.1)
        let address = Address(city: "Lisboa", coordinates: place)
        let none: Organization.ID? = nil
        let ids: Set<Activity.ID> = [activities[0].id, activities[3].id]
        return [
            Case("flag", #Predicate { $0.hidesLocation }) { $0.hidesLocation == true },
            Case("not flag", #Predicate { !$0.hidesLocation }) { !($0.hidesLocation == true) },
            Case("flag and constant", #Predicate { $0.hidesLocation == false }) { $0.hidesLocation == false },
            Case("choice", #Predicate { $0.paid == inFull }) { $0.paid == .inFull },
            Case("a known number as an unknown one", #Predicate { $0.paid == knownNumber }, evaluated: 1),
            Case("not a known number as an unknown one", #Predicate { $0.paid != knownNumber }, evaluated: 1),
            Case("a number that is not known", #Predicate { $0.paid == newerNumber }) { $0.paid == .unknown(9) },
            Case("one of choices", #Predicate { [inFull, deposit].contains($0.paid) }) {
                $0.paid.isOne(of: [.inFull, .deposit])
            },
            Case("id", #Predicate { ids.contains($0.id) }) { $0.id.isOne(of: ids) },
            Case("optional id", #Predicate { $0.trip == lisbon }) { $0.trip == lisbon },
            Case("other optional id", #Predicate { $0.organization != tap }) { $0.organization != tap },
            Case("nil", #Predicate { $0.cost == nil }) { $0.cost == nil },
            Case("not nil", #Predicate { $0.cost != nil }) { $0.cost != nil },
            Case("constant nil", #Predicate { $0.organization == none }) { $0.organization == nil },
            Case("amount", #Predicate { $0.cost == fare }, evaluated: 1) { $0.cost == fare },
            Case("no such amount", #Predicate { $0.cost != fare }, evaluated: 1),
            Case("one of amounts", #Predicate { fares.contains($0.cost) }, evaluated: 1) { $0.cost.isOne(of: [fare]) },
            Case("moment", #Predicate { $0.start == lisbonNoon }, evaluated: 1) { $0.start == lisbonNoon },
            Case("address", #Predicate { $0.address == address }, evaluated: 1),
            Case("coordinates", #Predicate { $0.address?.coordinates == place }, evaluated: 1),
            Case("currency", #Predicate { $0.cost?.currency == euro }, evaluated: 1),
            Case("part of an optional", #Predicate { $0.cost?.minorUnits == 320 }, evaluated: 1),
            Case("instant of an optional", #Predicate { $0.start?.milliseconds == start }) {
                $0.start == Moment(noon, "Asia/Tokyo")
            },
            Case("no instant", #Predicate { $0.start?.date == nil }) { $0.start == nil },
            Case("if let", #Predicate { if let start = $0.start { start.date >= noon } else { false } }) {
                $0.start >= Moment(noon, "UTC")
            },
            Case("flat map or true", #Predicate { $0.start.flatMap { $0.date < noon } ?? true }) {
                $0.start == nil || $0.start < Moment(noon, "UTC")
            },
            Case("opposite of an optional", #Predicate { $0.start.flatMap { !($0.date < noon) } == true }) {
                $0.start != nil && !($0.start < Moment(noon, "UTC"))
            },
            Case(
                "optional and another property",
                #Predicate { if let cost = $0.cost { cost.minorUnits > 0 } else { true } },
                evaluated: 1),
            Case(
                "condition on another property",
                #Predicate<Activity> { activity in
                    activity.start.flatMap { _ in activity.hidesLocation == false } ?? false
                }
            ) { $0.start != nil && $0.hidesLocation == false },
            Case("default", #Predicate { ($0.cost?.minorUnits ?? 5) == 5 }, evaluated: 1),
            Case("computed", #Predicate { $0.effectiveEnd == nil }, evaluated: 1),
            Case("arithmetic", #Predicate { $0.name.count * 2 - 1 + -3 > 7 && $0.name.count % 2 == 0 }, evaluated: 2),
            Case("time of creation", #Predicate { if let made = $0.createdAt { made > noon } else { false } }) {
                $0.createdAt > noon
            },
            Case("type", #Predicate { ($0.cost as Any) is Money }, evaluated: 1),
            Case("ternary", #Predicate { $0.hidesLocation ? $0.paid == inFull : $0.trip == lisbon }) {
                ($0.hidesLocation == true && $0.paid == .inFull) || (!($0.hidesLocation == true) && $0.trip == lisbon)
            },
            Case("true", .true), Case("false", .false) { _ in Condition(.any([])) },
            Case(
                "conjunction",
                #Predicate { $0.paid != inFull && ($0.name.contains("r") && $0.cost != nil) && $0.name.count > 5 },
                evaluated: 2
            ) { $0.paid != .inFull && $0.name.contains("r") && $0.cost != nil },
            Case("disjunction", #Predicate { $0.paid == inFull || $0.cost == nil }) {
                $0.paid == .inFull || $0.cost == nil
            },
            Case("disjunction with text", #Predicate { $0.paid == inFull || $0.name.contains("Tr") }, evaluated: 1) {
                $0.paid == .inFull || $0.name.contains("tr")
            },
            Case(
                "disjunction with what is evaluated", #Predicate { $0.paid == inFull || $0.name.count > 6 },
                evaluated: 1),
            Case("opposite of a conjunction", #Predicate { !($0.paid == inFull && $0.trip == lisbon) }) {
                !($0.paid == .inFull && $0.trip == lisbon)
            },
        ]
    }()

    static let days: [Case<Trip>] = {
        let (may, june, noon) = (Self.may, Day(2027, 6, 1), Self.noon)
        let between = Date(timeIntervalSince1970: 0.0005)
        let week = may...Day(2027, 5, 8)
        return [
            Case("issue", #Predicate { $0.name.contains("isbon") && $0.isProtected }, evaluated: 1) {
                $0.name.contains("isbon") && $0.isProtected == true
            },
            Case("day", #Predicate { $0.startDay == may }) { $0.startDay == may },
            Case("order of days", #Predicate { if let day = $0.startDay { day >= june } else { false } }) {
                $0.startDay >= june
            },
            Case("mirrored order", #Predicate { if let day = $0.startDay { june > day } else { false } }) {
                $0.startDay < june
            },
            Case("range", #Predicate { if let day = $0.endDay { (may...june).contains(day) } else { false } }) {
                $0.endDay >= may && $0.endDay <= june
            },
            Case("constant range", #Predicate { if let day = $0.endDay { week.contains(day) } else { false } }) {
                $0.endDay >= may && $0.endDay <= week.upperBound
            },
            Case("half-open range", #Predicate { if let day = $0.endDay { (may..<june).contains(day) } else { false } })
            {
                $0.endDay >= may && $0.endDay < june
            },
            Case("date", #Predicate { $0.originalCreation == noon }) { $0.originalCreation == noon },
            Case("date between milliseconds", #Predicate { $0.originalCreation != between }, evaluated: 1),
            Case("computed day", #Predicate { $0.effectiveEndDay == june }, evaluated: 1),
            Case("two properties", #Predicate { $0.startDay == $0.endDay }, evaluated: 1),
            Case("default", #Predicate { ($0.startDay ?? june) == june }, evaluated: 1),
        ]
    }()

    /// Cases that select all or nothing. Another case that did would not notice a mistake.
    static let uniform: Set = [
        "true", "false", "contained no text", "newer than the table", "time of creation", "date between milliseconds",
        "a known number as an unknown one", "not a known number as an unknown one", "a number that is not known",
    ]
}
