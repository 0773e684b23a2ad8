import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Ids of items of any kind")
struct ItemIDTests {
    @Test("They say of which kind an item is, though two kinds have one UUID, and come back from what is kept of them")
    func kinds() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let uuid = UUID()
        try await store.create(Activity(id: .init(uuid), name: "Tram", in: lisbon))
        try await store.create(Lodging(id: .init(uuid), name: "Hotel", in: lisbon))
        let ids = try store.items(of: lisbon).map(\.id)
        #expect(Set(ids) == [.activity(.init(uuid)), .lodging(.init(uuid))])
        for id in ids {
            #expect(id.uuid == uuid && "\(id)" == uuid.uuidString)
            #expect(TripItem.ID(id.reference) == id)
            #expect(try JSONDecoder().decode(TripItem.ID.self, from: JSONEncoder().encode(id)) == id)
            #expect(try store.item(id)?.id == id)
        }
        #expect(TripItem.ID(lisbon.reference) == nil)
        try await store.expectInvariants()
    }

    @Test("What a list shows is moved, deleted and restored by them")
    func verbs() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        try await store.create(Activity(name: "Tram", in: lisbon))
        try await store.create(Lodging(name: "Hotel", in: lisbon))
        try await store.create(Transportation(name: "Train", in: lisbon))
        for item in try store.items(of: lisbon) {
            #expect(try await store.move(item.id, to: porto).entities == [item.reference])
            #expect(try await store.move(item.id, to: porto).isUnchanged)
            try await store.delete(item.id)
            #expect(try store.item(item.id) == nil)
            try await store.restore(item.id)
            #expect(try store.item(item.id)?.trip == porto)
        }
        #expect(try store.items(of: porto).count == 3 && store.items(of: lisbon).isEmpty)
        try await store.expectInvariants()
    }
}
