import TripStore

/// The kinds of these tests.
enum RelatedKinds {
    static let all: [any SchemaPart] = [
        Folder.schema, Person.schema, Belonging.schema, Chore.schema, Voucher.schema,
    ]
}

/// What may be in another of its kind.
struct Folder: OwnEntity {
    let id: Identifier<Folder>
    var name = ""
    var parent: Folder.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ name: String, in parent: Folder.ID?) { (id, self.name, self.parent) = (.new(), name, parent) }

    static let schema = Schema<Folder>(
        "org.example.folders", 1, "folder",
        [Field(1, "name", \.name, isRequired: true), .parent("parent", \.parent, isRequired: false)])
}

/// Who travels.
struct Person: OwnEntity {
    let id: Identifier<Person>
    var name = ""
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ name: String, of trip: Trip.ID?) { (id, self.name, self.trip) = (.new(), name, trip) }

    static let schema = Schema<Person>(
        "org.example.people", 1, "person",
        [
            Field(1, "name", \.name, isRequired: true),
            .parent("trip", \.trip, isRequired: false, whenDeleted: .nullify),
        ])
}

/// What a person has along.
struct Belonging: OwnEntity {
    let id: Identifier<Belonging>
    var name = ""
    var person: Person.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ name: String, of person: Person.ID) { (id, self.name, self.person) = (.new(), name, person) }

    static let schema = Schema<Belonging>(
        "org.example.people", 4, "belonging", [Field(1, "name", \.name), .parent("person", \.person)])
}

/// What a person has to do, perhaps for an item.
struct Chore: OwnEntity {
    let id: Identifier<Chore>
    var what = ""
    var trip: Trip.ID?
    var person: Person.ID?
    var item: Activity.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, of trip: Trip.ID) { (id, self.what, self.trip) = (.new(), what, trip) }

    static let schema = Schema<Chore>(
        "org.example.people", 2, "chore",
        [
            Field(1, "what", \.what), .parent("trip", \.trip), Field(3, "person", \.person, isNullified: true),
            Field(4, "item", \.item, isNullified: true),
        ])
}

/// What must be kept as long as it is there.
struct Voucher: OwnEntity {
    let id: Identifier<Voucher>
    var what = ""
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, of trip: Trip.ID) { (id, self.what, self.trip) = (.new(), what, trip) }

    static let schema = Schema<Voucher>(
        "org.example.people", 3, "voucher",
        [Field(1, "what", \.what), .parent("trip", \.trip, whenDeleted: .deny)])
}
