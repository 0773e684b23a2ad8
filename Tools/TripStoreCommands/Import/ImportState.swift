import Foundation
import TravelingSnails
import TripStore

/// What the store holds of a trip of the file and of its items, as one snapshot shows it.
struct ImportState {
    private var records: [EntityReference: EntityRecord] = [:]

    /// Reads the entities, and the trips that items among them belong to.
    init(_ entities: some Sequence<EntityReference>, in store: TripStore) throws {
        records = try store.read { views in
            var records: [EntityReference: EntityRecord] = [:]
            for entity in entities where records[entity] == nil {
                guard let record = try views.record(of: entity) else { continue }
                records[entity] = record
                guard let trip = record.trip(of: entity), records[trip] == nil else { continue }
                records[trip] = try views.record(of: trip)
            }
            return records
        }
    }

    /// The record of an entity that was created, whether it was deleted since or not.
    func created(_ entity: EntityReference) -> EntityRecord? {
        guard let record = records[entity], record.creation != nil else { return nil }
        return record
    }

    /// Whether the trip that an item belongs to here was deleted, and the item with it.
    func isHidden(_ entity: EntityReference) -> Bool {
        guard let trip = records[entity]?.trip(of: entity) else { return false }
        return created(trip)?.isDeleted ?? false
    }
}

extension EntityRecord {
    /// The trip that an item belongs to; nil for other entities.
    fileprivate func trip(of entity: EntityReference) -> EntityReference? {
        guard EntityKind.itemKinds.contains(entity.kind),
            let value = register(at: Path(field: ItemField.trip.rawValue))?.value,
            let trip = EntityReference(fieldValue: value), trip.kind == .trip
        else { return nil }
        return trip
    }
}
