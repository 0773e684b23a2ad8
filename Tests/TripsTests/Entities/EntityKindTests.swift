import Events
import Foundation
import Testing

@testable import Trips

@Suite("Kinds of entities")
struct EntityKindTests {
    @Test(
        "Each known kind has a name, and comes back from it",
        arguments: [
            (.trip, "trip"), (.activity, "activity"), (.lodging, "lodging"), (.transportation, "transportation"),
            (.organization, "organization"),
        ] as [(EntityKind, String)])
    func names(kind: EntityKind, name: String) {
        #expect(kind.name == name)
        #expect(EntityKind(name: name) == kind)
        #expect(EntityKind.known.contains(kind))
    }

    @Test("Known kinds are in the order of their numbers, and items are three of them")
    func known() {
        #expect(EntityKind.known == EntityKind.known.sorted())
        #expect(EntityKind.known.count == 5)
        #expect(EntityKind.itemKinds == [Activity.kind, Lodging.kind, Transportation.kind])
        #expect(!EntityKind.itemKinds.contains(.trip) && !EntityKind.itemKinds.contains(.organization))
    }

    @Test("Items belong to trips alone, kinds in namespaces to anything, and trips and organizations to nothing")
    func parents() {
        for kind in EntityKind.itemKinds {
            #expect(kind.parents == .one(.trip) && kind.mayHaveParent && !kind.mayNest)
            #expect(EntityReference(kind: kind, id: UUID()).parentRule(in: nil) == .cascade)
        }
        #expect(EntityKind.own.parents == .any && EntityKind.own.mayHaveParent && EntityKind.own.mayNest)
        for kind in [.trip, .organization, .schema, EntityKind(rawValue: 8), EntityKind(rawValue: .max)] {
            #expect(kind.parents == .none && !kind.mayHaveParent && !kind.mayNest)
        }
        #expect(EntityKind.known.filter(\.isOnlyParent) == [.trip])
        #expect(EntityKind.known.filter { $0.unlisted != nil } == [.trip])
    }

    @Test("A value names a parent only if entities of the kind may have it")
    func parentsInValues() {
        let (trip, other) = (Trip.ID.new().reference, Organization.ID.new().reference)
        let named = { (parent: EntityReference, kind: EntityKind) in
            parent.fieldValue.withUnsafeBytes { kind.parent(in: $0) }
        }
        #expect(named(trip, .activity) == trip && named(other, .activity) == nil)
        #expect(named(trip, .own) == trip && named(other, .own) == other)
        #expect(named(trip, .trip) == nil && named(trip, .organization) == nil)
        #expect([UInt8](repeating: 1, count: 17).withUnsafeBytes { EntityKind.own.parent(in: $0) } == nil)
    }

    @Test("A kind that this version does not know has no name and no fields", arguments: [0, 8, .max] as [UInt16])
    func unknown(number: UInt16) {
        let kind = EntityKind(rawValue: number)
        #expect(kind.name == nil)
        #expect(!EntityReference(kind: kind, id: UUID()).declares(field: 1, in: nil))
    }

    @Test("Descriptions of fields have a kind with a name, which is no kind of entities")
    func schema() {
        #expect(EntityKind.schema.name == "schema" && EntityKind(name: "schema") == nil)
        #expect(
            !EntityKind.known.contains(.schema)
                && !EntityReference(kind: .schema, id: UUID()).declares(field: 3, in: nil))
    }

    @Test("What names no kind is none", arguments: ["", "Trip", "trips", "1", " trip"])
    func otherNames(name: String) { #expect(EntityKind(name: name) == nil) }

    @Test("Of the items only a transportation has a mode")
    func modes() {
        #expect(EntityReference(kind: .transportation, id: UUID()).declares(field: 13, in: nil))
        #expect(!EntityReference(kind: .activity, id: UUID()).declares(field: 13, in: nil))
        #expect(!EntityReference(kind: .lodging, id: UUID()).declares(field: 13, in: nil))
        for kind in EntityKind.itemKinds {
            #expect(EntityReference(kind: kind, id: UUID()).declares(field: 12, in: nil))
        }
        #expect(!EntityReference(kind: .trip, id: UUID()).declares(field: 0, in: nil))
    }
}
