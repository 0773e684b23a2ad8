package import Events

extension Namespace {
    /// The store's own: kinds and fields that it describes as apps describe theirs, so that a version without them merges, keeps, shows and
    /// forwards them. No app can declare any in it.
    static let store = Namespace("tripstore")
}

/// A field that the store has added to trips or items under its own namespace. `StoreList` has further numbers.
enum StoreField: UInt16, CaseIterable {
    /// Of trips.
    case travellers = 1
    case isTemplate = 2
    /// Of items.
    case participants = 11
    case payer = 12
    case split = 13
    case parts = 14
    case amounts = 15

    /// The number in the log.
    var number: UInt64 { StoreNamespace.hash << 16 | UInt64(rawValue) }

    /// Those of a kind, in the order in which people read them.
    static func all(of kind: EntityKind) -> [StoreField] {
        if kind == .trip { return [.travellers, .isTemplate] }
        return EntityKind.itemKinds.contains(kind) ? [.participants, .payer, .split, .parts, .amounts] : []
    }

    /// What it has in JSON where nothing is written.
    var cleared: JSONValue {
        switch self {
        case .travellers, .participants: .array([])
        case .isTemplate: .bool(false)
        case .payer: .null
        case .split: .string("equally")
        case .parts, .amounts: .object([:])
        }
    }

    var name: String {
        switch self {
        case .travellers: "travellers"
        case .isTemplate: "isTemplate"
        case .participants: "participants"
        case .payer: "payer"
        case .split: "split"
        case .parts: "parts"
        case .amounts: "amounts"
        }
    }
}

/// The numbers of the store's own namespace.
package enum StoreNamespace {
    /// What field numbers of the namespace begin with. A constant, because every change of every write is compared with it.
    static let hash: UInt64 = 0xBDB4_0EC8_36

    /// Whether a field is one of the store's own namespace.
    package static func contains(field: UInt64) -> Bool { field >> 16 == hash }

    /// Whether a field is a `StoreList`.
    static func isList(field: UInt64) -> Bool {
        contains(field: field) && StoreList(rawValue: UInt16(truncatingIfNeeded: field)) != nil
    }

    /// Whether a field is of the namespace and one that the log describes: any but a `StoreList`.
    package static func describes(field: UInt64) -> Bool { contains(field: field) && !isList(field: field) }

    /// Whether an entity is of a kind of the store's own namespace.
    package static func contains(_ entity: EntityReference) -> Bool { OwnKind(of: entity)?.isOfStore == true }
}

extension OwnKind {
    /// Whether it is of the store's own namespace, and of no app.
    package var isOfStore: Bool { namespaceHash == StoreNamespace.hash }
}
