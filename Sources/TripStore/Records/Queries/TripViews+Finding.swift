import EventLog
public import Events
package import Foundation
import ProjectionEngine
import Trips

extension TripViews {
    /// The entities whose ids begin with some hexadecimal digits, in the order of ids; deleted ones included. O(log n + entities found).
    package func entities(beginningWith digits: String, limit: Int) throws -> [EntityReference] {
        // Keys are bytes: a digit that is left over bounds the next one.
        let even = digits.utf8.count.isMultiple(of: 2) ? digits : String(digits.dropLast())
        guard let prefix = [UInt8](hexadecimal: even.lowercased()) else { return [] }
        let rest = even == digits ? nil : digits.last?.hexDigitValue.map { UInt8($0) << 4 }
        let bounds = KeyBounds(
            prefix: prefix, lower: rest.map { [$0] }, upper: rest.flatMap { $0 < 0xF0 ? [$0 + 0x10] : nil })
        var found: [EntityReference] = []
        try forEachEntity(in: bounds) { entity in
            found.append(entity)
            return found.count < limit
        }
        return found
    }

    /// How many hexadecimal digits, at least some, begin this id and that of no other entity. O(log n).
    package func distinctDigits(of id: UUID, atLeast least: Int) throws -> Int {
        // The neighbours in the order of ids share the most digits.
        let neighbours = [
            KeyBounds(prefix: [], after: id.bytes + [0xFF, 0xFF]),
            KeyBounds(prefix: [], after: id.bytes, isReversed: true),
        ]
        var shared = 0
        for bounds in neighbours {
            try forEachEntity(in: bounds) { other in
                let same = zip(id.uuidString, other.id.uuidString).prefix { $0 == $1 }
                shared = max(shared, same.count { $0.0 != "-" })
                return false
            }
        }
        return min(max(least, shared + 1), 32)
    }

    /// The entities of a name that are there, or those that are deleted: those that have exactly that name, or if there are none,
    /// regardless of case. O(entities).
    public func entities(named name: String, deleted: Bool = false) throws -> [EntityReference] {
        var (exact, others): ([EntityReference], [EntityReference]) = ([], [])
        let folded = name.lowercased()
        try forEachEntity { entity in
            guard let found = try self.name(of: entity, deleted: deleted), found.lowercased() == folded,
                try deleted || shownRecord(of: entity) != nil
            else { return true }
            if found == name { exact.append(entity) } else { others.append(entity) }
            return true
        }
        return exact.isEmpty ? others : exact
    }

    /// The entities that are deleted themselves, of kinds that this version or the log knows, and when; the last one first. O(entities).
    package func deletedEntities() throws -> [(entity: EntityReference, name: String, deleted: Timestamp)] {
        var found: [(entity: EntityReference, name: String, deleted: Timestamp)] = []
        try forEachEntity { entity in
            guard let name = try self.name(of: entity, deleted: true), let record = try self.record(of: entity),
                let deletion = record.register(at: .deletion)
            else { return true }
            found.append((entity, name, deletion.stamp.timestamp))
            return true
        }
        return found.sorted {
            ($0.deleted, $1.entity.id.uuidString) > ($1.deleted, $0.entity.id.uuidString)
        }
    }

    /// The name of an entity that is created, and deleted or not; nil for others, and for forms that have another since.
    private func name(of entity: EntityReference, deleted: Bool) throws -> String? {
        guard entity.type != nil, let record = try snapshot.record(of: entity), record.isCreated,
            try record.isDeleted() == deleted, try !deleted || !isSuperseded(entity)
        else { return nil }
        return try entity.name(of: record, in: known)
    }

    func forEachEntity(
        in bounds: KeyBounds = KeyBounds(prefix: []), _ body: (EntityReference) throws -> Bool
    ) throws {
        let scan = try snapshot.scan("entities", bounds)
        while let row = try scan.next(), row.key.count == 18 {
            let kind = EntityKind(rawValue: row.key.bigEndian(UInt16.self, at: 16))
            guard try body(EntityReference(kind: kind, id: row.key.uuid())) else { return }
        }
    }
}
