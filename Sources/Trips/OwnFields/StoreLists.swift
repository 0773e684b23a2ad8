import Events

/// A list that the store has in its own namespace, by its number there: `StoreField` has others.
enum StoreList: UInt16, CaseIterable {
    case links = 21
    case contacts = 22

    /// The number in the log.
    var number: UInt64 { StoreNamespace.hash << 16 | UInt64(rawValue) }

    var name: String {
        switch self {
        case .links: "links"
        case .contacts: "contacts"
        }
    }
}

/// The lists that the store itself has on one of its own kinds: in the log they are as an app's, in a namespace that no app has.
///
/// So every element is merged by itself, old versions keep them, and shapes, checks and histories are those of apps' fields.
struct StoreLists<Entity: TripEntity>: Sendable {
    let links: OwnList<Entity, Link>?
    let contacts: OwnList<Entity, Contact>?

    /// `kind` is that of the entity, whose schema is not there yet: it has these.
    init(on kind: EntityKind, hasContacts: Bool = true) {
        links = OwnList(declaring: .links, on: kind)
        contacts = hasContacts ? OwnList(declaring: .contacts, on: kind) : nil
    }

    var descriptions: [FieldDescription] { (links?.fieldDescriptions ?? []) + (contacts?.fieldDescriptions ?? []) }
}

extension FieldPath {
    /// Whether the field is one of these lists.
    var isOfStoreLists: Bool { StoreNamespace.isList(field: field) }
}

extension FieldDescription {
    /// What the log need not say: the lists that the store has on its own kinds.
    package static let storeLists: [FieldDescription] =
        (Trip.schema.lists?.descriptions ?? []) + (Activity.schema.lists?.descriptions ?? [])
        + (Lodging.schema.lists?.descriptions ?? []) + (Transportation.schema.lists?.descriptions ?? [])
        + (Organization.schema.lists?.descriptions ?? [])
}

extension TripEntity {
    /// The elements of a list of the store's.
    func elements<Element>(_ list: KeyPath<StoreLists<Self>, OwnList<Self, Element>?>) -> [Element] {
        guard !own.isEmpty, let list = Self.schema.lists?[keyPath: list] else { return [] }
        return self[list]
    }

    mutating func set<Element>(
        _ list: KeyPath<StoreLists<Self>, OwnList<Self, Element>?>, to elements: [Element]
    ) {
        guard let list = Self.schema.lists?[keyPath: list] else { return }
        self[list] = elements
    }

    /// The number of the list that a property has; nil if it has none.
    static func storeList<Element>(of property: KeyPath<Self, [Element]>) -> UInt64? {
        // Which property it is tells a list that only it shows.
        guard let lists = schema.lists else { return nil }
        var probe = Self(id: Identifier(.blank))
        if let links = lists.links {
            probe[links] = [Link("x")]
            if !probe[keyPath: property].isEmpty { return links.declaration.number }
        }
        if let contacts = lists.contacts {
            probe[contacts] = [Contact(name: "x")]
            if !probe[keyPath: property].isEmpty { return contacts.declaration.number }
        }
        return nil
    }

    /// The numbers of the store's lists on the kind, with their names.
    static var storeLists: [(number: UInt64, name: String)] {
        guard let lists = schema.lists else { return [] }
        return lists.descriptions.map { ($0.number, $0.name) }
    }
}
