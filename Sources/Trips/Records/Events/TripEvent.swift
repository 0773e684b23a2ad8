public import Events

/// An event as its author proposes it, before the store assigns it a commit and a stamp.
///
/// ```swift
/// TripEvent(.edited, lisbon, [.set(\.name, "Porto first"), .clear(\.notes)])
/// ```
public struct TripEvent: Hashable, Sendable {
    /// A new value for a field, named by its number, or for an element of a collection.
    package struct Write: Hashable, Sendable {
        /// The field, and the key of the element.
        package var path: FieldPath
        /// The value's bytes; nil clears.
        package var value: [UInt8]?
        /// The value that the author saw before.
        package var saw: SeenValue

        /// The number of the field.
        package var field: UInt64 { path.field }

        /// Whether it follows from the write of another field.
        package var isImplied: Bool { if case .implied = saw { true } else { false } }

        /// A value as bytes, or nil to clear the field.
        package init(field: UInt64, value: [UInt8]?, saw: SeenValue = .current) {
            self.init(FieldPath(field: field), value: value, saw: saw)
        }

        /// A value of an element as bytes, or nil to remove it.
        package init(_ path: FieldPath, value: [UInt8]?, saw: SeenValue = .current) {
            self.path = path
            self.value = value
            self.saw = saw
        }
    }

    /// The verb of the event: created, edited, deleted or restored.
    public var verb: Verb
    /// To which entity.
    public var entity: EntityReference
    /// Which fields it writes.
    package var writes: [Write]

    /// An event of any kind, unchecked: for events read elsewhere. `validateValues()` checks it.
    package init(_ verb: Verb, _ entity: EntityReference, writes: [Write] = []) {
        self.verb = verb
        self.entity = entity
        self.writes = writes
    }

    /// An event of one kind of entity, whose changes are of that kind.
    public init<Entity: TripEntity>(
        _ verb: Verb, _ id: Identifier<Entity>, _ changes: [FieldChange<Entity>] = []
    ) {
        self.init(
            verb, id.reference,
            writes: changes.map { Write($0.path, value: $0.value, saw: $0.saw) })
    }

    /// The entity is created, with every field that does not have its default.
    public static func created<Entity: TripEntity>(_ entity: Entity) -> TripEvent { created(entity, in: nil) }

    /// The entity is created in a store, which knows what fields show that replace others.
    package static func created<Entity: TripEntity>(_ entity: Entity, in known: KnownSchema?) -> TripEvent {
        var event = TripEvent(.created, entity.reference)
        let fields = Entity.schema.erased.ordered
        event.writes.reserveCapacity(fields.count)
        withUnsafePointer(to: entity) { entity in
            for field in fields {
                guard let value = field.storage.encode(entity) else { continue }
                event.writes.append(Write(field: field.number, value: value))
            }
        }
        for value in entity.own.valuesForCreation { event.writes.append(Write(value.path, value: value.bytes)) }
        event.writeShown(of: entity, in: known)
        return event
    }

    /// The changes of a form; nil if there are none.
    public static func edited<Entity: TripEntity>(from original: Entity, to draft: Entity) -> TripEvent? {
        let changes = Entity.changes(from: original, to: draft)
        return changes.isEmpty ? nil : TripEvent(.edited, original.id, changes)
    }

    /// The entity is deleted; its fields stay, and what belongs to it is hidden with it.
    public static func deleted<Entity: TripEntity>(_ id: Identifier<Entity>) -> TripEvent { TripEvent(.deleted, id) }

    /// A deletion is undone.
    public static func restored<Entity: TripEntity>(_ id: Identifier<Entity>) -> TripEvent { TripEvent(.restored, id) }

    /// Adds to the written values the parts of those that they replace which this version does not know.
    package mutating func keepUnknownParts(of record: EntityRecord) {
        keepUnknownParts(in: nil) { record.register(at: $0)?.value }
    }

    /// Adds the parts of the value that a field or an element has, which `held` returns, as a store knows the field.
    package mutating func keepUnknownParts(in known: KnownSchema?, of held: (_ path: FieldPath) -> [UInt8]?) {
        guard let schema = known.declared.schema(of: entity) else { return }
        for index in writes.indices {
            guard let new = writes[index].value,
                let type = schema.field(writes[index].field)?.valueType(at: writes[index].path), type.hasParts,
                let old = held(writes[index].path)
            else { continue }
            let kept = type.keepingUnknownParts(of: old, in: new)
            // Nearly always nothing is kept, and the writes are not copied.
            if kept != new { writes[index].value = kept }
        }
    }

    /// Whether a value of a field may have such parts; checked without decoding.
    package static func mayHaveUnknownParts(
        _ value: UnsafeRawBufferPointer, in field: UInt64, of entity: EntityReference, in known: KnownSchema?
    ) -> Bool {
        known.declared.schema(of: entity)?.rules(field)?.type.mayHaveUnknownParts(value) ?? false
    }
}
