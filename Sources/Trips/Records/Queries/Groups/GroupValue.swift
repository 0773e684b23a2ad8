package import Events

/// A value that the entities of a group have in common, or the least or greatest of their values.
///
/// Of moments of one instant in several zones it is the one whose zone has the least name, by its bytes.
public struct GroupValue: Sendable, CustomStringConvertible {
    /// Nil where the property is cleared.
    package let ordered: OrderedValue?
    /// For people; empty where the property is cleared.
    public var description: String { text ?? bytes.map { bytes in bytes.withUnsafeBytes { type.text(of: $0) } } ?? "" }
    /// The first day of a period; nil for any other value.
    public let firstDay: Day?
    private let bytes: [UInt8]?
    /// Nil if it is that of the bytes.
    private let text: String?
    private let type: any FieldValue.Type

    init(_ ordered: OrderedValue?, _ text: String, firstDay: Day? = nil, of type: any FieldValue.Type = String.self) {
        self.init(ordered, text, nil, firstDay: firstDay, of: type)
    }

    init(_ ordered: OrderedValue?, _ bytes: UnsafeRawBufferPointer, of type: any FieldValue.Type) {
        self.init(ordered, nil, [UInt8](bytes), firstDay: nil, of: type)
    }

    private init(
        _ ordered: OrderedValue?, _ text: String?, _ bytes: [UInt8]?, firstDay: Day?, of type: any FieldValue.Type
    ) {
        self.ordered = ordered
        self.text = text
        self.type = type
        self.firstDay = firstDay
        self.bytes = bytes
    }

    /// Whether the property is cleared.
    package var isNone: Bool { ordered == nil }

    /// The value in the type of the property; nil if it is cleared, of another type, or of a period.
    public func value<Value: OwnFieldValue>(as type: Value.Type = Value.self) -> Value? { Value(own: bytes) }
}

extension GroupValue: Hashable {
    public static func == (a: GroupValue, b: GroupValue) -> Bool { a.ordered == b.ordered }
    public func hash(into hasher: inout Hasher) { hasher.combine(ordered) }
}

extension GroupValue: Comparable {
    /// In the order of the values; cleared ones come last.
    public static func < (a: GroupValue, b: GroupValue) -> Bool {
        guard let first = a.ordered, let second = b.ordered else { return a.ordered != nil && b.ordered == nil }
        return first.sorted(before: second) < 0
    }
}

extension GroupValue {
    /// For programs, as the columns of a list have it; a period is its text.
    package var json: JSONValue {
        guard let ordered else { return .null }
        if let value = bytes.flatMap({ type.decoded($0) }) { return value.json }
        // A flag has its default where it is cleared.
        return type == Bool.self ? .bool(ordered == true.ordered) : .string(description)
    }

    /// The entity that it names; nil if it names none.
    package var reference: EntityReference? {
        switch type.form {
        case .reference, .entity: bytes.flatMap { EntityReference(fieldValue: $0) }
        default: nil
        }
    }

    /// Whether it is to be shown in the place of an equal value.
    package func isShown(before other: GroupValue) -> Bool {
        guard type == Moment.self, let bytes, let others = other.bytes, bytes != others else { return false }
        let zone = Moment.decoded(bytes)?.zone.utf8
        let otherZone = Moment.decoded(others)?.zone.utf8
        guard let zone, let otherZone, !zone.elementsEqual(otherZone) else {
            return bytes.lexicographicallyPrecedes(others)
        }
        return zone.lexicographicallyPrecedes(otherZone)
    }
}
