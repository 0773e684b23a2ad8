import Events
import Foundation
import Testing

@testable import Trips

@Suite("The schema")
struct EntitySchemaTests {
    @Test("Each kind has its fields once, by number and by name, and lists them in the order of their numbers")
    func fields() {
        #expect(EntitySchema.all.map(\.fields.count) == [13, 18, 20, 33, 6])
        for schema in EntitySchema.all {
            let numbers = schema.ordered.map(\.number)
            #expect(Set(schema.fields.map(\.number)) == Set(numbers) && schema.fields.count == numbers.count)
            #expect(numbers == Set(numbers).sorted(), "\(schema.name)")
            #expect(!numbers.contains(0), "0 is the deletion's")
            #expect(Set(schema.fields.map(\.name)).count == numbers.count, "\(schema.name)")
            for field in schema.fields {
                #expect(schema.field(field.number)?.name == field.name)
                #expect(schema.rules(field.number).map { ObjectIdentifier($0.type) } == ObjectIdentifier(field.type))
            }
            for number in [0, (numbers.last ?? 0) + 1, .max] {
                #expect(schema.field(number) == nil && schema.rules(number) == nil)
            }
            #expect(EntitySchema.of(schema.kind)?.name == schema.name)
        }
        for number in [0, 6, 99, .max] as [UInt16] { #expect(EntitySchema.of(EntityKind(rawValue: number)) == nil) }
    }

    @Test("A kind finds its fields in the store's namespace by their numbers, and each only its own")
    func added() {
        for schema in EntitySchema.all {
            for field in schema.added {
                #expect(schema.field(field.number) === field && schema.rules(field.number) == nil)
            }
        }
        #expect(EntitySchema.of(.trip)?.field(EntitySchema.Field.payer.number) == nil)
        #expect(Activity.schema.erased.nullified.isEmpty, "queries read those in the namespace as they are")
    }

    @Test("A field's type is the one whose bytes the entity writes")
    func types() throws {
        let samples: [any TripEntity] = [
            Samples.trip, Samples.activity, Samples.lodging, Samples.transportation, Samples.organization,
        ]
        for sample in samples {
            let schema = try #require(EntitySchema.of(sample.reference.kind))
            for write in TripEvent.created(sample).writes {
                let field = try #require(schema.field(write.field))
                let value = try #require(write.value)
                #expect(rewritten(value, as: field.type) == value, "\(schema.name) \(field.name)")
            }
        }
    }

    private func rewritten<Value: FieldValue>(_ bytes: [UInt8], as type: Value.Type) -> [UInt8]? {
        Value.decoded(bytes)?.encodedValue
    }

    @Test("References and moments have types of their own, so that 16 bytes or a text do not pass for them")
    func distinctTypes() {
        func type(_ kind: EntityKind, _ number: UInt64) -> (any FieldValue.Type)? {
            EntitySchema.of(kind)?.field(number)?.type
        }
        #expect(type(.activity, 2) == Trip.ID.self)
        #expect(type(.activity, 12) == Organization.ID.self)
        #expect(type(.lodging, 3) == Moment.self && type(.lodging, 4) == Moment.self)
        #expect(type(.lodging, 5) == Money.self)
        #expect(type(.lodging, 6) == PaidStatus.self && type(.transportation, 13) == TransportationMode.self)
        #expect(type(.trip, 4) == Day.self && type(.trip, 6) == Bool.self && type(.trip, 7) == Date.self)
        #expect(type(.organization, 6) == Address.self && type(.organization, 5) == String.self)
    }
}
