/// What happened to an entity. Verbs that this version does not know are kept; their changes count all the same.
public struct Verb: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The entity came to be.
    public static let created = Verb(rawValue: 1)
    /// Some of its fields changed.
    public static let edited = Verb(rawValue: 2)
    /// It was deleted; its fields stay.
    public static let deleted = Verb(rawValue: 3)
    /// Its deletion was taken back.
    public static let restored = Verb(rawValue: 4)
}

/// Which part of an entity a change is about: a field and, for collections, the key of an element.
public struct Path: Hashable, Comparable, Sendable {
    public let field: UInt32
    /// Empty for a plain field.
    public let key: [UInt8]

    public init(field: UInt32, key: [UInt8] = []) {
        self.field = field
        self.key = key
    }

    /// Whether the entity is deleted. No change may name field 0; the verbs write it.
    public static let deletion = Path(field: 0)

    public static func < (a: Path, b: Path) -> Bool {
        a.field != b.field ? a.field < b.field : a.key.lexicographicallyPrecedes(b.key)
    }
}

/// A new value of one part of an entity.
public struct Change: Hashable, Sendable {
    public var path: Path
    /// The value's bytes as the schema encodes them; nil clears.
    public var value: [UInt8]?
    /// The write whose value the author saw there; nil if there was none, or not the one that stood there.
    public var seen: Seen?

    public init(path: Path, value: [UInt8]?, seen: Seen? = nil) {
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
    /// For deletions and restorations: the write of the state of deletion that the author saw.
    public var seen: Seen?
    /// When it happened, if it was written elsewhere before and brought here: from then on it counts in the merge. Without effect
    /// if it is later than the commit. Such an event says nothing of what its author saw.
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
