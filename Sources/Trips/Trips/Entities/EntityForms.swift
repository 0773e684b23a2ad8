package import Events
import Foundation

/// The entities that one item may be, one for each kind of items: a change of its kind goes on with another of them.
///
/// The ids of all but the first are derived from it, so replicas that change the kind of one item at once write to the same entities.
/// `LogFormat.md` specifies them: "A change of an item's kind".
package struct EntityForms: Hashable, Sendable {
    /// The entity that was created first, which the others name in `supersedes`.
    package let first: EntityReference

    /// The provider of derived ids.
    private static let provider = "tripstore:kind"
    /// The kinds whose entities have forms, in the order of their numbers.
    package static let kinds = EntityKind.itemKinds.sorted { $0.rawValue < $1.rawValue }

    /// Nil if the entity is no item. A `first` from which its id is not derived, as a copy of an item may have, is none.
    package init?(of entity: EntityReference, superseding first: EntityReference?) {
        guard Self.kinds.contains(entity.kind) else { return nil }
        if let first, first.kind != entity.kind, Self.kinds.contains(first.kind),
            Self.derived(from: first, entity.kind) == entity
        {
            self.first = first
        } else {
            self.first = entity
        }
    }

    /// The forms of an entity with its record.
    package init?(of entity: EntityReference, _ record: EntityRecord?) {
        let value = record?.register(at: Self.path)?.value
        self.init(of: entity, superseding: value.flatMap { EntityReference(fieldValue: $0) })
    }

    /// The field in which the other forms name the first.
    package static let path = FieldPath(field: EntitySchema.Field.supersedes.number)

    /// The entity that the item is as one of a kind of items.
    package func form(_ kind: EntityKind) -> EntityReference {
        kind == first.kind ? first : Self.derived(from: first, kind)
    }

    package var all: [EntityReference] { Self.kinds.map(form) }

    private static func derived(from first: EntityReference, _ kind: EntityKind) -> EntityReference {
        let name = "\(first.kind.rawValue):\(first.id.uuidString)"
        switch kind {
        case .lodging: return Lodging.ID.derived(from: provider, name).reference
        case .transportation: return Transportation.ID.derived(from: provider, name).reference
        default: return Activity.ID.derived(from: provider, name).reference
        }
    }

    // MARK: Values

    /// The value that a field of an item gets where the item becomes one of another kind: the days on which it is stay the same, and the last
    /// day of a stay is that of leaving.
    package static func value(
        _ value: [UInt8]?, of field: UInt64, from old: EntityKind, to new: EntityKind
    ) -> [UInt8]? {
        guard field == lastDay, let day = value.flatMap({ Day.decoded($0) }) else { return value }
        let moved = lastDay(day, from: old, to: new)
        return moved == day ? value : moved.encodedValue
    }

    /// The last day of an item as one of another kind: that of a stay is the day of leaving.
    package static func lastDay(_ day: Day, from old: EntityKind, to new: EntityKind) -> Day {
        if (old == .lodging) == (new == .lodging) { return day }
        return day.advanced(by: new == .lodging ? 1 : -1)
    }

    /// The values of an item as one of another kind, by their paths: those of the fields that both kinds have. `isKnown` says of a field of an
    /// app whether the other kind has it.
    package static func values(
        of record: EntityRecord, from old: EntityKind, to new: EntityKind, isKnown: (UInt64) -> Bool
    ) -> [FieldPath: [UInt8]] {
        var values: [FieldPath: [UInt8]] = [:]
        for register in record.registers where register.path != .deletion && register.path != path {
            guard isShared(register.path.field, old, new, isKnown),
                let value = value(register.value, of: register.path.field, from: old, to: new)
            else { continue }
            values[register.path] = value
        }
        if old == .lodging, [start, end, firstDay, lastDay].allSatisfy({ values[FieldPath(field: $0)] == nil }) {
            values[FieldPath(field: start)] = record.register(at: FieldPath(field: checkIn))?.value
            values[FieldPath(field: end)] = record.register(at: FieldPath(field: checkOut))?.value
        }
        // A stay that ended on its first day.
        if let last = values[FieldPath(field: lastDay)].flatMap({ Day.decoded($0) }),
            let first = values[FieldPath(field: firstDay)].flatMap({ Day.decoded($0) }), last < first
        {
            values[FieldPath(field: lastDay)] = first.encodedValue
        }
        return values
    }

    /// Whether two kinds of items have a field.
    package static func isShared(
        _ field: UInt64, _ old: EntityKind, _ new: EntityKind, _ isKnown: (UInt64) -> Bool
    ) -> Bool {
        if StoreNamespace.contains(field: field) { return true }
        guard FieldPath(field: field).isOwn else {
            return [old, new].allSatisfy { EntitySchema.of($0)?.field(field) != nil }
        }
        return isKnown(field)
    }

    private static let firstDay = number("startDay", of: Lodging.self)
    private static let lastDay = number("endDay", of: Lodging.self)
    private static let start = number("start", of: Lodging.self)
    private static let end = number("end", of: Lodging.self)
    private static let checkIn = number("checkIn", of: Lodging.self)
    private static let checkOut = number("checkOut", of: Lodging.self)

    private static func number(_ name: String, of type: (some TripEntity).Type) -> UInt64 {
        type.fieldNumber(named: name) ?? 0
    }
}

extension Item {
    /// Makes a copy an item by itself.
    mutating func leaveForms() { self[OwnField<Self, EntityReference>(.supersedes)] = nil }
}

extension TripItem {
    /// The entities that the item may be.
    package var forms: EntityForms? {
        let first = hasOwnValues ? common[OwnField<Activity, EntityReference>(.supersedes)] : nil
        return EntityForms(of: reference, superseding: first)
    }
}
