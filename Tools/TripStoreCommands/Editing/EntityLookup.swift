import Foundation
import TripStore

extension TripStore {
    /// The one entity of an id, deleted or not; of the kind, if several have the id.
    func entity(withID id: UUID, kind: EntityKind?) throws -> EntityReference {
        let found = try read { try $0.entities(withID: id) }.filter { kind == nil || $0.kind == kind }
        guard let first = found.first else {
            let what = kind?.name ?? "entity"
            throw TripStoreError(.unknownEntity, "There is no \(what) with the id \(id.uuidString). Check the id.")
        }
        guard found.count == 1 else {
            let kinds = found.map { $0.kind.name ?? "\($0.kind.rawValue)" }.joined(separator: ", ")
            throw CommandError("The id \(id.uuidString) is that of several entities: \(kinds). Choose one with --kind.")
        }
        return first
    }
}
