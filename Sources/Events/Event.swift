/// The verb of an event: what happened to its entity. Verbs unknown to this version are kept, and their changes count.
public enum Verb: Hashable, Sendable {
    /// The entity was created.
    case created
    /// Some of its fields changed.
    case edited
    /// The entity was deleted; its fields stay.
    case deleted
    /// A deletion of the entity was undone.
    case restored
    /// A verb that this version does not know, by its number. The store reads a known number as its case.
    case unknown(UInt32)

    package init(rawValue: UInt32) {
        self =
            switch rawValue {
            case 1: .created
            case 2: .edited
            case 3: .deleted
            case 4: .restored
            default: .unknown(rawValue)
            }
    }

    /// The number in the log.
    package var rawValue: UInt32 {
        switch self {
        case .created: 1
        case .edited: 2
        case .deleted: 3
        case .restored: 4
        case .unknown(let number): number
        }
    }
}

/// The part of an entity that a change is about: a field and, for collections, the key of an element.
public struct FieldPath: Hashable, Comparable, Sendable {
    /// 0 for the deletion; up to 65,535 a field of the store's own schema; beyond, one of an app's namespace: see `FieldPath.isOwn`.
    public let field: UInt64
    /// Empty for a plain field.
    public let key: [UInt8]

    public init(field: UInt64, key: [UInt8] = []) {
        self.field = field
        self.key = key
    }

    /// The greatest number of a field.
    public static let highestField: UInt64 = 1 << 56 - 1

    /// The greatest number of a field of the store's own schema. Greater ones are of apps: 40 bits of a hash of the app's
    /// namespace, then 16 bits that the app assigns. So apps that share a journal do not collide.
    public static let highestBuiltIn: UInt64 = 1 << 16 - 1

    /// Whether the field is an app's own.
    public var isOwn: Bool { field > Self.highestBuiltIn }

    /// Whether the entity is deleted. No change may name field 0; the verbs write it.
    public static let deletion = FieldPath(field: 0)

    /// The field of every kind that names the entity's parent: readable without knowing the kind.
    public static let parent = FieldPath(field: 2)

    public static func < (a: FieldPath, b: FieldPath) -> Bool {
        a.field != b.field ? a.field < b.field : a.key.lexicographicallyPrecedes(b.key)
    }
}

/// A new value of one part of an entity.
public struct Change: Hashable, Sendable {
    public var path: FieldPath
    /// The value's bytes as the schema encodes them; nil clears.
    public var value: [UInt8]?
    /// The write whose value the author saw there; nil if there was none, or if the author saw another value than the
    /// current one.
    public var seen: Seen?

    public init(path: FieldPath, value: [UInt8]?, seen: Seen? = nil) {
        self.path = path
        self.value = value
        self.seen = seen
    }
}

/// One thing that happened to one entity.
public struct Event: Hashable, Sendable {
    public var verb: Verb
    public var entity: EntityReference
    public var changes: [Change]
    /// For deletions and restorations: the write of the deletion state that the author saw.
    public var seen: Seen?
    /// The time that the merge uses instead of the commit's: of an event that was written elsewhere and brought here, which names as
    /// seen only what was brought with it; and of a rebalancing, which is to directly follow the writes that it replaces. Without effect if it is later than the
    /// commit.
    public var original: Timestamp?

    public init(
        verb: Verb, entity: EntityReference, changes: [Change] = [], seen: Seen? = nil,
        original: Timestamp? = nil
    ) {
        self.verb = verb
        self.entity = entity
        self.changes = changes
        self.seen = seen
        self.original = original
    }
}
