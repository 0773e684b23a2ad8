import EventLog
public import Events
import Foundation
import LMDB
import ProjectionEngine
import Trips

extension TripViews {
    /// The entities whose ids begin with some hexadecimal digits, in the order of ids; deleted ones included. O(log n + entities found).
    public func entities(beginningWith digits: String, limit: Int) throws -> [EntityReference] {
        // Ids are found by whole bytes; a digit that is left over is compared.
        let even = digits.utf8.count.isMultiple(of: 2) ? digits : String(digits.dropLast())
        guard let prefix = [UInt8](hexadecimal: even.lowercased()) else { return [] }
        var found: [EntityReference] = []
        try forEachEntity(beginningWith: prefix) { entity in
            let text = entity.id.uuidString.replacing("-", with: "")
            if text.hasPrefix(digits.uppercased()) { found.append(entity) }
            return found.count < limit
        }
        return found
    }

    /// The entities of a name that are there: those that have exactly that, or if there are none, regardless of case. O(entities).
    public func entities(named name: String) throws -> [EntityReference] {
        var (exact, others): ([EntityReference], [EntityReference]) = ([], [])
        let folded = name.lowercased()
        try forEachEntity(beginningWith: []) { entity in
            let found = try self.name(of: entity)
            if found == name {
                exact.append(entity)
            } else if let found, found.lowercased() == folded {
                others.append(entity)
            }
            return true
        }
        return exact.isEmpty ? others : exact
    }

    /// The name of an entity that is there, or nil.
    private func name(of entity: EntityReference) throws -> String? {
        switch entity.kind {
        case .trip: try self.entity(Trip.ID(entity.id))?.name
        case .activity: try self.entity(Activity.ID(entity.id))?.name
        case .lodging: try self.entity(Lodging.ID(entity.id))?.name
        case .transportation: try self.entity(Transportation.ID(entity.id))?.name
        case .organization: try self.entity(Organization.ID(entity.id))?.name
        default: nil
        }
    }

    private func forEachEntity(
        beginningWith prefix: [UInt8], _ body: (EntityReference) throws -> Bool
    ) throws {
        let scan = try snapshot.scan("entities", KeyBounds(prefix: prefix))
        while let row = try scan.next(), row.key.count == 18 {
            let kind = EntityKind(rawValue: row.key.bigEndian(UInt16.self, at: 16))
            guard try body(EntityReference(kind: kind, id: row.key.uuid())) else { return }
        }
    }
}
