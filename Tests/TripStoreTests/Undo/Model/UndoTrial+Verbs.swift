import EventLog
import Events
import StoreSupport
import TestSupport
import Trips

@testable import TripStore

extension UndoTrial {
    /// Edits one to three entities in one commit, items by moving them as well.
    mutating func edit(_ replica: Int) async throws {
        let held = try held(replica)
        let there = (trips.map(\.reference) + items.map(\.reference)).filter { model.isWritable($0, held) }
        let present = trips.filter { model.isPresent($0.reference, held) }
        let count = 1 + Int(random.next() % 3)
        var writes: [UndoModel.Write] = []
        var draft = CommitDraft(in: KnownSchema())
        for entity in there.shuffled(using: &random).prefix(count) {
            if let item = Activity.ID(entity), let trip = present.isEmpty ? nil : draw(present), random.next() % 2 == 0,
                model.trip(of: entity, held) != trip.reference
            {
                draft.move(item, to: trip)
                writes.append(
                    UndoModel.Write(entity: entity, field: UndoModel.trip, value: trip.reference.fieldValue))
                continue
            }
            values += 1
            let text = "v\(values)"
            if let trip = Trip.ID(entity) { draft.edit(trip, [.set(\.name, text)]) }
            if let item = Activity.ID(entity) { draft.edit(item, [.set(\.name, text)]) }
            writes.append(UndoModel.Write(entity: entity, field: UndoModel.name, value: Array(text.utf8)))
        }
        if writes.isEmpty { return }
        try await append(draft.events, writes, "edits", replica)
    }

    mutating func append(
        _ events: [TripEvent], _ writes: [UndoModel.Write], _ verb: String, _ replica: Int
    ) async throws {
        let author = draw(Self.authors)
        let correlation = drawCorrelation()
        let receipt = try await stores[replica].append(
            events, by: Authorship(author: author, correlation: correlation.map { Self.correlations[$0] }))
        note(
            receipt, "\(author) \(verb) at \(replica)\(correlation.map { " for work \($0)" } ?? "")",
            UndoModel.Commit(stamp: try receipt.stamp, author: author, correlation: correlation, writes: writes))
    }

    mutating func delete(_ replica: Int) async throws {
        let held = try held(replica)
        let there = (trips.map(\.reference) + items.map(\.reference)).filter { model.isWritable($0, held) }
        if there.isEmpty { return }
        let entity = draw(there)
        try await append(
            [TripEvent(.deleted, entity)], [UndoModel.Write(entity: entity, field: 0, value: [1])], "deletes", replica)
    }

    mutating func restore(_ replica: Int) async throws {
        let held = try held(replica)
        let deleted = (trips.map(\.reference) + items.map(\.reference)).filter { entity in
            model.isDeleted(entity, held) && model.trip(of: entity, held).map { model.isPresent($0, held) } != false
        }
        if deleted.isEmpty { return }
        let entity = draw(deleted)
        try await append(
            [TripEvent(.restored, entity)], [UndoModel.Write(entity: entity, field: 0, value: nil)], "restores", replica
        )
    }
}
