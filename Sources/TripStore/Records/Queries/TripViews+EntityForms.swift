import Events
import ProjectionEngine
import Trips

extension TripViews {
    /// The form of an entity that is there in place of one that a change of its kind superseded; nil if none is. O(log n).
    package func form(inPlaceOf entity: EntityReference) throws -> EntityReference? {
        guard let record = try record(of: entity), record.creation != nil, record.isDeleted,
            let forms = EntityForms(of: entity, record)
        else { return nil }
        return try forms.all.first { try $0 != entity && snapshot.record(of: $0)?.isPresent() == true }
    }

    /// Whether a deleted entity is there as another form, or was deleted as another later.
    func isSuperseded(_ entity: EntityReference) throws -> Bool {
        guard EntityForms.kinds.contains(entity.kind), let record = try record(of: entity),
            let deletion = record.register(at: .deletion), let forms = EntityForms(of: entity, record)
        else { return false }
        return try forms.all.contains { form in
            guard form != entity, let other = try self.record(of: form), other.creation != nil else { return false }
            return !other.isDeleted || other.register(at: .deletion).map { $0.stamp > deletion.stamp } ?? false
        }
    }
}

extension TripStore {
    /// Throws `TripStoreError.Code.alreadyExists` if events restore what is there as one of another kind: it would be there twice.
    func checkForms(_ events: [TripEvent]) async throws {
        let restored = events.filter { $0.verb == .restored && EntityForms.kinds.contains($0.entity.kind) }
        guard !restored.isEmpty else { return }
        try await awaitServedViews()
        let deleted = Set(events.lazy.filter { $0.verb == .deleted }.map(\.entity))
        try read { views in
            for event in restored {
                guard let form = try views.form(inPlaceOf: event.entity), !deleted.contains(form) else { continue }
                throw TripStoreError(
                    .alreadyExists,
                    "The \(event.entity.words(in: knownSchema)) is there as the \(form.words(in: knownSchema)), for its kind was changed. "
                        + "Change the kind of that back, or delete it first.", entity: form)
            }
        }
    }
}
