import Foundation
import Testing
import TripStore
import TripStoreProjections

// begin Relationships-kinds
struct PackingList: OwnEntity {
    let id: Identifier<PackingList>
    var name = ""
    var trip: Trip.ID?
    var packer: Person.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<PackingList>(
        "org.example.relationships", 1, "packing list",
        [
            Field(1, "name", \.name),
            .parent("trip", \.trip, whenDeleted: .cascade),
            Field(3, "packer", \.packer, isNullified: true),
        ])
}

struct Person: OwnEntity {
    let id: Identifier<Person>
    var name = ""
    var stored = StoredState()

    init(id: ID) { self.id = id }

    static let schema = Schema<Person>("org.example.relationships", 2, "person", [Field(1, "name", \.name)])

    static let following = OwnSet<Person, Person.ID>("org.example.relationships", 1, "following")
}
// end

@Suite("The page on relationships")
struct RelationshipsSnippets {
    @Test("Parents, references, and both directions of a set")
    func use() async throws {
        // begin Relationships-followers
        let followers = AppView<Person.ID, NoValue>("followers", version: 1) { (person: Person, rows) in
            for followed in person[Person.following] { rows.put(followed) }
        }
        // end
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                projections: [followers], schema: [PackingList.schema, Person.schema, Person.following]))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let ana = Person.ID.new()
        let ben = Person.ID.new()
        for (id, name) in [(ana, "Ana"), (ben, "Ben")] { try await store.upsert(id) { $0.name = name } }
        try await store.edit(ben) { $0[Person.following].insert(ana) }
        let list = try await store.upsert(PackingList.ID.derived(from: "example", "1")) {
            ($0.name, $0.trip, $0.packer) = ("Bag", lisbon, ana)
        }.entities.compactMap { PackingList.ID($0) }[0]
        // begin Relationships-children
        let lists = try store.entities(PackingList.self, in: lisbon)
        // end
        #expect(lists.map(\.name) == ["Bag"] && lists.first?.packer == ana)
        try await store.appViews.catchUp()
        // begin Relationships-view
        let found = try store.appViews.rows(of: followers, .key(ana)).compactMap { Person.ID($0.entity) }
        // end
        #expect(found == [ben])
        // begin Relationships-nullify
        try await store.delete(ana)
        let packer = try store.entity(list)?.packer
        // end
        #expect(packer == nil)
        try await store.restore(ana)
        #expect(try store.entity(list)?.packer == ana)
        await store.close()
    }
}
