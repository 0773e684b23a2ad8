import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

extension Trip {
    fileprivate static let height = OwnField<Trip, Int>("org.example.schemas", 1, "height") { $0 > 0 }
    fileprivate static let tags = OwnSet<Trip, String>("org.example.schemas", 2, "tags")
    fileprivate static let elsewhere = OwnField<Trip, String>("org.example.schemas.too", 1, "elsewhere")
}

extension Voucher {
    fileprivate static let code = OwnField<Voucher, String>("org.example.schemas", 1, "code")
}

@Suite("The kinds and fields that a store is opened with")
struct StoreSchemaTests {
    private func hash(_ part: some SchemaPart) throws -> String {
        let description = try #require(part.fieldDescriptions.first)
        return try #require(FieldPath.ownName(of: description.number))
    }

    /// The refusal of a write by a store that does not know what it writes.
    private func refusal(_ write: () async throws -> Void) async throws -> (
        error: TripStoreError, cause: ValidationError
    ) {
        let thrown = await #expect(throws: TripStoreError.self) { try await write() }
        let error = try #require(thrown)
        #expect(error.code == .invalidValue)
        #expect(error.message.contains("Open the store with it in Options(schema:)."), "\(error.message)")
        return (error, try #require(error.cause as? ValidationError))
    }

    @Test("Of two stores in one process one refuses by a field's rule and names it, and the other does neither")
    func twoStores() async throws {
        let clock = ManualClock()
        let knowing = try await TripStore.test(clock: clock, schema: [Trip.height])
        let other = try await TripStore.test(journal: knowing.journal, clock: clock, schema: [Trip.tags])
        let lisbon = try await knowing.create(Trip(name: "Lisbon"))
        try await knowing.edit(lisbon) { $0[Trip.height] = 3 }
        try await knowing.exchange(with: .store(other))
        let refused = await #expect(throws: TripStoreError.self) {
            try await knowing.edit(lisbon) { $0[Trip.height] = -1 }
        }
        #expect((refused?.cause as? ValidationError)?.code == .brokenRule)
        // The log describes it, which is no rule.
        try await other.edit(lisbon) { $0[Trip.height] = -1 }
        #expect(try other.trip(lisbon)?[Trip.height] == -1)
        try await knowing.exchange(with: .store(other))
        #expect(try knowing.trip(lisbon)?[Trip.height] == -1)
        #expect(try knowing.blame(lisbon).lines.map(\.field.name) == ["name", "height"])
        try await knowing.expectInvariants()
        try await other.expectInvariants()
    }

    @Test(
        "A store shows a field that neither its options nor its log know by its number, and reads and asks for it by its declaration"
    )
    func unknownIsRead() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        var porto = Trip(name: "Porto")
        porto[Trip.elsewhere] = "coast"
        // A load takes what others have written.
        try await store.load { load in try await load.append([.created(porto)]) }
        #expect(try store.fieldDescriptions().isEmpty)
        #expect(try store.blame(porto.id).lines.map(\.field.name) == ["name", try hash(Trip.elsewhere)])
        #expect(try store.trip(porto.id)?[Trip.elsewhere] == "coast")
        let coasts = Query<Trip>().where { $0[Trip.elsewhere] == "coast" }.sorted(by: Trip.elsewhere)
        #expect(try store.fetch(coasts).map(\.id) == [porto.id])
        let groups = try store.groups(of: Query<Trip>(), by: [.value(Trip.elsewhere)])
        #expect(groups.count == 2 && groups.allSatisfy { $0.count == 1 })
        // What others wrote is copied, edited beside, undone and restored.
        let copy = try await store.copy(porto.id, startingOn: Day(2028, 5, 1))
        #expect(try store.trip(copy)?[Trip.elsewhere] == "coast")
        let receipt = try await store.edit(porto.id) { $0.notes = "n" }
        try await store.undo(receipt)
        try await store.delete(porto.id)
        try await store.restore(porto.id)
        #expect(try store.trip(porto.id)?[Trip.elsewhere] == "coast" && store.trip(lisbon)?[Trip.elsewhere] == nil)
        try await store.expectInvariants()
    }

    @Test("Writes of a field or a kind that the store does not know are refused, and nothing is written")
    func refused() async throws {
        let store = try await TripStore.test(schema: [Trip.tags])
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let position = try store.status().position
        let number = try hash(Trip.height)
        let edited = try await refusal { try await store.edit(lisbon) { $0[Trip.height] = 3 } }
        #expect(edited.cause.code == .unknownField && edited.error.field == number)
        #expect(edited.error.entity == lisbon.reference)
        #expect(edited.error.message.contains("does not know the field \(number)"))
        let appended = try await refusal {
            try await store.append([TripEvent(.edited, lisbon, [.set(Trip.height, 3)])])
        }
        #expect(appended.cause == edited.cause)
        let committed = try await refusal { try await store.commit { $0.edit(lisbon, [.set(Trip.elsewhere, nil)]) } }
        #expect(committed.cause.code == .unknownField)
        let voucher = Voucher("dinner", of: lisbon)
        let created = try await refusal { try await store.create(voucher) }
        let kind = try #require(Voucher.schema.ownKind)
        #expect(
            created.cause.code == .unknownKind && created.error.message.contains("does not know the kind \(kind.name)"))
        #expect(try store.status().position == position && store.fieldDescriptions().isEmpty)
        // With the name that the log has for it the tool may write it.
        try await store.describe([Voucher.schema])
        try await store.create(voucher)
        #expect(try store.entity(voucher.id)?.what == "dinner")
        try await store.expectInvariants()
    }

    @Test("Parts that say different things of one number are refused when a store is opened, and no store is made")
    func conflicting() async throws {
        let folder = TemporaryFolder()
        let place = folder.url.appendingPathComponent("store")
        let other = OwnField<Trip, String>("org.example.schemas", 1, "height")
        let options = TripStore.Options(schema: [Trip.height, other])
        let error = await #expect(throws: TripStoreError.self) {
            _ = try await TripStore.open(at: place, options: options)
        }
        #expect(error?.code == .unusableOption)
        #expect(error?.message.contains("'height', which is declared as Int, and not as String") == true)
        #expect(!TripStore.exists(at: place))
    }

    @Test("A rule of parents holds in the stores that know the kind, and where none does the entity is hidden")
    func parents() async throws {
        let clock = ManualClock()
        let knowing = try await TripStore.test(clock: clock, schema: RelatedKinds.all)
        let other = try await TripStore.test(journal: knowing.journal, clock: clock)
        let lisbon = try await knowing.create(Trip(name: "Lisbon"))
        let voucher = try await knowing.create(Voucher("dinner", of: lisbon))
        let ana = try await knowing.create(Person("Ana", of: lisbon))
        try await knowing.exchange(with: .store(other))
        let denied = await #expect(throws: TripStoreError.self) { try await knowing.delete(lisbon) }
        #expect(denied?.code == .stillNeeded && denied?.message.contains("the voucher ") == true)
        try await other.delete(lisbon)
        #expect(try other.entity(voucher) == nil && other.entity(ana) == nil)
        #expect(try other.fetch(Query<Person>()).isEmpty && other.unfiled(Voucher.self).isEmpty)
        try await knowing.exchange(with: .store(other))
        #expect(try knowing.entity(voucher)?.what == "dinner" && knowing.unfiled(Voucher.self).map(\.id) == [voucher])
        #expect(try knowing.entity(ana)?.trip == nil && knowing.fetch(Query<Person>()).map(\.id) == [ana])
        try await knowing.expectInvariants()
        try await other.expectInvariants()
    }

    @Test("The first write in a namespace describes all that the store knows of it, once, in a commit of its own")
    func described() async throws {
        let store = try await TripStore.test(schema: [Trip.height, Trip.tags, Trip.elsewhere, Voucher.code])
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        #expect(try store.fieldDescriptions().isEmpty)
        let before = try store.status().position
        let receipt = try await store.edit(lisbon) { $0[Trip.height] = 3 }
        #expect(receipt.position == before + 2)
        #expect(try store.fieldDescriptions().map(\.name) == ["height", "tags", "code"])
        #expect(try await store.edit(lisbon) { $0[Trip.tags] = ["sea"] }.position == before + 3)
        // Another namespace, and the store's own, by the same rule.
        #expect(try await store.edit(lisbon) { $0[Trip.elsewhere] = "coast" }.position == before + 5)
        #expect(try await store.edit(lisbon) { $0.isTemplate = true }.position == before + 7)
        let names = try store.fieldDescriptions().map(\.name)
        #expect(names.contains("elsewhere") && names.contains("traveller"))
        #expect(try await store.edit(lisbon) { $0[Trip.height] = 4 }.position == before + 8)
        // The kind of a field is known with it.
        try await store.create(Voucher("dinner", of: lisbon))
        try await store.expectInvariants()
    }

    @Test("A store that is opened again asks its log, and describes nothing twice")
    func describedBefore() async throws {
        let folder = TemporaryFolder()
        var store = try await TripStore.test(at: folder.url, schema: [Trip.height])
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.height] = 3 }
        await store.close()
        store = try await TripStore.test(at: folder.url, schema: [Trip.height, Trip.tags])
        let before = try store.status().position
        #expect(try await store.edit(lisbon) { $0[Trip.height] = 4 }.position == before + 2)
        #expect(try store.fieldDescriptions().map(\.name) == ["height", "tags"])
        await store.close()
        store = try await TripStore.test(at: folder.url, schema: [Trip.tags])
        let end = try store.status().position
        #expect(try await store.edit(lisbon) { $0[Trip.tags] = ["sea"] }.position == end + 1)
        try await store.expectInvariants()
    }
}
