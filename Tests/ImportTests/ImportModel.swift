import Foundation
import TripStore

/// The fields of every trip, item and organization that queries show, without when they were written.
typealias Contents = [EntityReference: [String: JSONValue]]

extension TripQuerying {
    func contents() throws -> Contents {
        try read { views in
            var found: Contents = [:]
            func add(_ entity: some TripEntity) { found[entity.reference] = entity.ownFields }
            for row in try views.trips(.dated, limit: .max).rows + views.trips(.undated, limit: .max).rows {
                add(row.trip)
                for item in try views.items(of: row.id) { add(item.entity) }
            }
            for organization in try views.organizations() { add(organization) }
            return found
        }
    }
}

extension TripEntity {
    /// Its values, field by field.
    var ownFields: [String: JSONValue] {
        guard case .object(var members) = json else { return [:] }
        for name in ["createdAt", "updatedAt"] { members[name] = nil }
        return members
    }
}

/// The result of imports and people's edits, by a few simple rules: the oracle of the import.
struct ImportModel {
    enum Presence { case here, deletedByPerson, deletedByImport }

    struct Entity {
        var fields: [String: JSONValue]
        /// The values of the newest import.
        var base: [String: JSONValue]
        var presence = Presence.here
        /// Whether the newest import that concerned it deleted it.
        var isDeletedInBase = false
        /// The fields whose present value was written by an import that is undone.
        var undone: Set<String> = []
    }

    /// The result of one import.
    struct Outcome: Equatable {
        var events = 0
        var skipped = 0
        var overridden = 0
    }

    private(set) var entities: [EntityReference: Entity] = [:]
    private var before: [EntityReference: Entity] = [:]

    // MARK: Imports

    mutating func importing(_ file: Contents, mirror: Bool) -> Outcome {
        before = entities
        var outcome = Outcome()
        // Trips come before their items.
        for (reference, fields) in file.sorted(by: { $0.key.kind.rawValue < $1.key.kind.rawValue }) {
            bring(reference, fields, &outcome)
        }
        guard mirror else { return outcome }
        for (reference, entity) in entities where EntityKind.itemKinds.contains(reference.kind) {
            guard file[reference] == nil, entity.presence == .here, !entity.isDeletedInBase,
                let trip = trip(of: entity),
                file[trip] != nil, entities[trip]?.presence == .here
            else { continue }
            entities[reference]?.presence = .deletedByImport
            entities[reference]?.isDeletedInBase = true
            outcome.events += 1
        }
        return outcome
    }

    private mutating func bring(
        _ reference: EntityReference, _ fields: [String: JSONValue], _ outcome: inout Outcome
    ) {
        let trip = reference.kind.isItemKind ? fields.trip : nil
        if let trip, entities[trip]?.presence != .here {
            outcome.skipped += 1
            return
        }
        guard var entity = entities[reference] else {
            entities[reference] = Entity(fields: fields, base: fields)
            outcome.events += 1
            return
        }
        let owner = self.trip(of: entity)
        if entity.presence == .deletedByPerson || owner.map({ entities[$0]?.presence != .here }) == true {
            outcome.skipped += 1
            return
        }
        if entity.presence == .deletedByImport {
            (entity.presence, entity.isDeletedInBase) = (.here, false)
            outcome.events += 1
        }
        let new = fields.filter { name, value in
            value != entity.base[name] || entity.undone.contains(name) && value != entity.fields[name]
        }
        if !new.isEmpty { outcome.events += 1 }
        let isOverridden = new.contains { name, value in
            ![entity.base[name], value].contains(entity.fields[name]) && !entity.undone.contains(name)
        }
        if isOverridden { outcome.overridden += 1 }
        entity.undone.subtract(new.keys)
        entity.fields.merge(new) { $1 }
        entity.base.merge(new) { $1 }
        entities[reference] = entity
    }

    /// Undoes the last import; nothing was written since.
    mutating func undoImport(_ blank: (EntityReference) -> [String: JSONValue]) {
        for (reference, entity) in entities {
            guard var old = before[reference] else {
                entities[reference] = Entity(
                    fields: entity.fields, base: blank(reference), presence: .deletedByImport,
                    undone: Set(entity.fields.keys))
                continue
            }
            if old.presence != .here, entity.presence == .here {
                // An entity that is deleted again keeps its fields.
                let changed = entity.fields.filter { $0.value != old.fields[$0.key] }
                old.fields = entity.fields
                old.undone.formUnion(changed.keys)
            }
            entities[reference] = old
        }
    }

    // MARK: People

    mutating func create(_ reference: EntityReference, _ fields: [String: JSONValue], base: [String: JSONValue]) {
        entities[reference] = Entity(fields: fields, base: base)
    }

    mutating func edit(_ reference: EntityReference, _ fields: [String: JSONValue]) {
        guard let old = entities[reference] else { return }
        entities[reference]?.undone.subtract(fields.filter { $0.value != old.fields[$0.key] }.keys)
        entities[reference]?.fields = fields
    }

    mutating func delete(_ reference: EntityReference) { entities[reference]?.presence = .deletedByPerson }

    mutating func restore(_ reference: EntityReference) { entities[reference]?.presence = .here }

    // MARK: What is there

    private func trip(of entity: Entity) -> EntityReference? { entity.fields.trip }

    private func isVisible(_ entity: Entity) -> Bool {
        entity.presence == .here && (trip(of: entity).map { entities[$0]?.presence == .here } ?? true)
    }

    /// The visible entities.
    var contents: Contents { entities.filter { isVisible($0.value) }.mapValues(\.fields) }

    /// Those deleted themselves, and not hidden by their trip.
    var deleted: [EntityReference] {
        entities.filter { _, entity in
            entity.presence != .here && trip(of: entity).map { entities[$0]?.presence == .here } ?? true
        }.map(\.key)
    }
}

extension [String: JSONValue] {
    /// The trip that an item names.
    fileprivate var trip: EntityReference? {
        guard case .string(let text)? = self["trip"] else { return nil }
        return UUID(uuidString: text).map { Trip.ID($0).reference }
    }
}

extension EntityKind {
    var isItemKind: Bool { Self.itemKinds.contains(self) }
}
