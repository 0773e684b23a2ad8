import Foundation

@testable import Events
@testable import TripStore
@testable import Trips

/// A store's content: independent of the times and the order of its commits.
struct StoreContents: Codable, Equatable, Sendable {
    /// By kind and id, the fields that do not have their default.
    private(set) var entities: [String: [String: String]] = [:]

    /// Reads all trips, their items, the unfiled items and the organizations, but no trip that a check has added.
    ///
    /// Throws what the store's queries do. O(entities).
    init(of store: TripStore) throws {
        try store.read { views in
            for query in [Query<Trip>.dated, .undated] {
                for row in try views.trips(query, limit: .max).rows where row.trip.name != StoreCheck.addedName {
                    add(row.trip)
                    for item in try views.items(of: row.id) { add(item) }
                }
            }
            for item in try views.unfiledItems() { add(item) }
            for organization in try views.organizations() { add(organization) }
        }
    }

    private mutating func add(_ item: TripItem) {
        switch item {
        case .activity(let item): add(item)
        case .lodging(let item): add(item)
        case .transportation(let item): add(item)
        }
    }

    private mutating func add<Entity: TripEntity>(_ entity: Entity) {
        var fields: [String: String] = [:]
        for field in Entity.fieldNumbers {
            guard let value = entity.encoded(field) else { continue }
            let rendering = FieldRendering(kind: Entity.kind, field: field, value: value)
            fields[rendering.name] = rendering.text
        }
        entities[Self.key(entity.reference)] = fields
    }

    private static func key(_ entity: EntityReference) -> String {
        "\(entity.kind.name ?? "\(entity.kind.rawValue)") \(entity.id.uuidString)"
    }

    mutating func remove(_ trip: Trip.ID) { entities[Self.key(trip.reference)] = nil }

    /// The differences from the expected content, a sentence for each kind; empty if there are none.
    func differences(from expected: StoreContents) -> [String] {
        let missing = expected.entities.keys.filter { entities[$0] == nil }.sorted()
        let extra = entities.keys.filter { expected.entities[$0] == nil }.sorted()
        var found: [String] = []
        if let first = missing.first {
            found.append("\(missing.count) of \(expected.entities.count) entities are missing, such as the \(first)")
        }
        if let first = extra.first {
            found.append("\(extra.count) entities should not be there, such as the \(first)")
        }
        let other = expected.entities.filter { key, fields in entities[key].map { $0 != fields } ?? false }
        if let (key, fields) = other.min(by: { $0.key < $1.key }), let present = entities[key] {
            let names = Set(fields.keys).union(present.keys).filter { fields[$0] != present[$0] }.sorted()
            let values = names.map { "\($0) is '\(present[$0] ?? "")' and not '\(fields[$0] ?? "")'" }
            found.append("\(other.count) entities differ, such as the \(key): \(values.joined(separator: ", "))")
        }
        return found
    }
}
