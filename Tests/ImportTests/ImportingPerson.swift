import Foundation
import StoreSupport
import Testing
import TripStore

/// Makes random edits between imports, of a store and of a model.
struct ImportingPerson {
    private let store: TripStore
    var random: SeededRandom
    private var count = 0

    init(_ store: TripStore, _ seed: UInt64) {
        self.store = store
        random = SeededRandom(seed: seed)
    }

    /// Makes one edit, or none if there is nothing to edit.
    mutating func act(_ model: inout ImportModel) async throws {
        count += 1
        let visible = model.contents.keys.sorted { $0.id.uuidString < $1.id.uuidString }
        let trips = visible.filter { $0.kind == .trip }
        guard let entity = visible.randomElement(using: &random), let trip = trips.randomElement(using: &random) else {
            return
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            try await store.append([TripEvent(.deleted, entity)])
            model.delete(entity)
        case 1:
            let deleted = model.deleted.sorted { $0.id.uuidString < $1.id.uuidString }
            guard let entity = deleted.randomElement(using: &random) else { return }
            try await store.append([TripEvent(.restored, entity)])
            model.restore(entity)
        case 2:
            let id = UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: count)))
            let walk = Activity(id: Activity.ID(id), name: "Walk", in: Trip.ID(trip.id))
            try await store.create(walk)
            model.create(walk.reference, try fields(of: walk.reference), base: Activity(id: walk.id).ownFields)
        case 3 where entity.kind == .transportation:
            try await store.move(Transportation.ID(entity.id), to: Trip.ID(trip.id))
            model.edit(entity, try fields(of: entity))
        default:
            try await edit(entity)
            model.edit(entity, try fields(of: entity))
        }
    }

    private mutating func edit(_ entity: EntityReference) async throws {
        let text = "By hand \(Int.random(in: 0..<3, using: &random))"
        let isOfFile = Bool.random(using: &random)
        switch entity.kind {
        case .trip:
            try await store.edit(Trip.ID(entity.id)) {
                if isOfFile { $0.notes = text } else { $0.destination = text }
            }
        case .activity: try await store.edit(Activity.ID(entity.id)) { $0.name = text }
        case .transportation: try await store.edit(Transportation.ID(entity.id)) { $0.notes = text }
        default: try await store.edit(Organization.ID(entity.id)) { $0.phone = text }
        }
    }

    private func fields(of entity: EntityReference) throws -> [String: JSONValue] {
        try #require(try store.contents()[entity])
    }

    /// Undoes the last import that wrote something.
    func undoImport(_ correlation: UUID, _ model: inout ImportModel) async throws {
        // Restored entities are deleted again, and keep their fields.
        let report = try await store.undo(.correlation(correlation))
        #expect(report.kept.allSatisfy { $0.reason == .deleted })
        model.undoImport { entity in
            switch entity.kind {
            case .trip: Trip(id: Trip.ID(entity.id)).ownFields
            case .activity: Activity(id: Activity.ID(entity.id)).ownFields
            case .transportation: Transportation(id: Transportation.ID(entity.id)).ownFields
            default: Organization(id: Organization.ID(entity.id)).ownFields
            }
        }
    }
}
