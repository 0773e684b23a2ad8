import Events
import Foundation
import Testing

@testable import Trips

/// An app's kind under trips, and one under that.
struct TextBag: OwnEntity {
    let id: Identifier<TextBag>
    var label = ""
    var trip: Trip.ID?
    var weight = 7
    var lender: Organization.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<TextBag>(
        "org.example.text.bags", 1, "pouch",
        [
            Field(1, "label", \.label), .parent("trip", \.trip), Field(3, "weight", \.weight),
            Field(4, "lender", \.lender),
        ])
}

struct TextSock: OwnEntity {
    let id: Identifier<TextSock>
    var color = ""
    var bag: TextBag.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<TextSock>(
        "org.example.text.bags", 2, "mitten", [Field(1, "color", \.color), .parent("pouch", \.bag)])
}

extension Activity {
    fileprivate static let guide = OwnField<Activity, Organization.ID>("org.example.text.related", 1, "guide")
    fileprivate static let seen = OwnField<Activity, EntityReference>("org.example.text.related", 2, "seen")
    fileprivate static let known = KnownSchema(declaring: [guide, seen, TextBag.schema, TextSock.schema])
}

@Suite("Conditions in words on other entities and on distances")
struct RelatedTextTests {
    private static let trips = Query<Trip>(in: Activity.known)
    private static let activities = Query<Activity>(in: Activity.known)
    private static let organizations = Query<Organization>()

    static let ofTrips: [(String, Query<Trip>)] = [
        ("any lodging (paid = none)", trips.where { $0.lodgings.contains { $0.paid == PaidStatus.none } }),
        (
            "all transportation (mode = plane or cost is none)",
            trips.where { $0.transportations.allSatisfy { $0.mode == .plane || $0.cost == nil } }
        ),
        ("all activity (not paid = none)", trips.where { $0.activities.allSatisfy { !($0.paid == PaidStatus.none) } }),
        ("no item (reservation = 'X')", trips.where { !$0.items.contains { $0.reservation == "X" } }),
        ("any item", trips.where { !$0.items.isEmpty }), ("no item", trips.where { $0.items.isEmpty }),
        ("not any lodging", trips.where { $0.lodgings.isEmpty }),
        ("ANY lodging(name='a')", trips.where { $0.lodgings.contains { $0.name == "a" } }),
        (
            "name = 'a' and any item (cost > 5 EUR) or no activity",
            trips.where {
                $0.name == "a" && $0.items.contains { $0.cost > Money(minorUnits: 500, "EUR") } || $0.activities.isEmpty
            }
        ),
        (
            "any activity (organization (name contains 'tap') and start is none)",
            trips.where {
                $0.activities.contains { $0.organization.matches { $0.name.contains("tap") } && $0.start == nil }
            }
        ),
        ("any pouch (weight > 5)", trips.where { $0.children(TextBag.self).contains { $0.weight > 5 } }),
        (
            "any pouch (no mitten (color = 'red'))",
            trips.where {
                $0.children(TextBag.self).contains { !$0.children(TextSock.self).contains { $0.color == "red" } }
            }
        ),
        ("any 'pouch'", trips.where { !$0.children(TextBag.self).isEmpty }),
    ]

    @Test("What belongs to a trip is asked for by its kind", arguments: ofTrips)
    func belonging(text: String, query: Query<Trip>) throws {
        #expect(try Self.trips.where(parsing: text) == query)
    }

    static let named: [(String, Query<Activity>)] = [
        ("trip (name contains 'LIS')", activities.where { $0.trip.matches { $0.name.contains("lis") } }),
        ("not trip(isProtected = yes)", activities.where { !$0.trip.matches { $0.isProtected == true } }),
        ("trip as trip (name = '')", activities.where { $0.trip.matches { $0.name == "" } }),
        (
            "trip (any lodging (name = 'Inn')) and organization (no item)",
            activities.where {
                $0.trip.matches { $0.lodgings.contains { $0.name == "Inn" } }
                    && $0.organization.matches { $0.items.isEmpty }
            }
        ),
        ("guide (phone is none)", activities.where { $0[Activity.guide].matches { $0.phone == "" } }),
        (
            "seen as lodging (name = 'Inn')",
            activities.where { _ in
                Condition(
                    .related(
                        RelatedCondition(
                            link: .named(by: Activity.seen.number), kinds: [KnownKind(Lodging.self)],
                            condition: .compare(.field(1), .equal, .text("Inn")))))
            }
        ),
    ]

    @Test("What a field names is asked for in parentheses", arguments: named)
    func fields(text: String, query: Query<Activity>) throws {
        #expect(try Self.activities.where(parsing: text) == query)
    }

    @Test("Organizations are asked for by their items, and apps' kinds by what they name")
    func others() throws {
        #expect(
            try Self.organizations.where(parsing: "any item (paid = deposit)")
                == Self.organizations.where { $0.items.contains { $0.paid == .deposit } })
        #expect(
            try Query<TextBag>().where(parsing: "trip (name = 'a') and lender (address is none) and weight = none")
                == Query<TextBag>().where {
                    $0.trip.matches { $0.name == "a" } && $0.lender.matches { $0.address == nil } && $0.weight == 7
                })
        #expect(
            try Query<TextSock>().where(parsing: "pouch (trip (name = 'a'))")
                == Query<TextSock>().where { $0.bag.matches { $0.trip.matches { $0.name == "a" } } })
        // One kind of an organization's items, which Swift asks for with all of them.
        let lodgings = try Self.organizations.where(parsing: "any lodging (name = 'Inn')")
        #expect(lodgings.condition?.relations.first?.kinds == [KnownKind(Lodging.self)])
    }

    @Test("A kind that only a log describes is asked for by its name, and its fields by theirs")
    func described() throws {
        let kind = OwnKind("org.example.text.described.kinds", 3)
        let namespace = "org.example.text.described.kinds"
        let known = KnownSchema([
            FieldDescription(of: ConcreteKind(kind), number: 0, namespace: namespace, name: "coupon", type: .data),
            FieldDescription(of: ConcreteKind(kind), number: 2, namespace: namespace, name: "trip", type: .reference),
            FieldDescription(of: ConcreteKind(kind), number: 3, namespace: namespace, name: "seat", type: .text),
        ])
        let condition = try Query<Trip>(in: known).where(parsing: "any coupon (seat = '1A')").condition
        #expect(
            condition
                == .related(
                    RelatedCondition(
                        link: .children, kinds: [KnownKind(kind, in: known)],
                        condition: .compare(.field(3), .equal, .text("1A")))))
        let query = try Query(of: kind, in: known).where(parsing: "trip as trip (name = 'a') and seat is not none")
        #expect(
            query.condition
                == .all([
                    .related(
                        RelatedCondition(
                            link: .named(by: 2), kinds: [KnownKind(Trip.self)],
                            condition: .compare(.field(1), .equal, .text("a")))),
                    .not(.isNil(.field(3))),
                ]))
        let other = Query(of: OwnKind("org.example.text.described.kinds", 4), in: known)
        #expect(query != other.where { _ in Condition(.all([])) })
        #expect(throws: QueryTextError.self) {
            try Query<Trip>(in: KnownSchema()).where(parsing: "any coupon (seat = '1A')")
        }
        #expect(Query(of: kind, in: known).fingerprint != Query<DescribedEntity>().fingerprint)
    }

    static let distances: [(String, Double, Coordinates)] = [
        ("address within 5 km of 38.7, -9.1", 5_000, Coordinates(latitude: 38.7, longitude: -9.1)),
        ("address WITHIN 5km OF 38.7,-9.1", 5_000, Coordinates(latitude: 38.7, longitude: -9.1)),
        ("address within 0.25 km of -90, 180", 250, Coordinates(latitude: -90, longitude: 180)),
        ("address within 800 M of 0,0", 800, Coordinates(latitude: 0, longitude: 0)),
        ("(address within 0 m of 1e1, -1.5e0)", 0, Coordinates(latitude: 10, longitude: -1.5)),
    ]

    @Test("Addresses are asked for by their distance from a place", arguments: distances)
    func near(text: String, meters: Double, place: Coordinates) throws {
        #expect(
            try Self.activities.where(parsing: text)
                == Self.activities.where { $0.address.isWithin(meters: meters, of: place) })
    }
}
