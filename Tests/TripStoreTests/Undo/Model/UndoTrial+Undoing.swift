import EventLog
import Events
import StoreSupport
import TestSupport
import Trips

@testable import TripStore

extension UndoTrial {
    /// All in one commit, or a commit for each entity.
    private mutating func drawPartSize() -> Int { draw([UndoRun.fullSize, 1]) }

    mutating func undoLast(_ replica: Int) async throws {
        let author = draw(Self.authors)
        let expected = model.undoOfLast(by: author, try held(replica))
        try await undo(.last(by: author), expected, author, "the last", replica)
    }

    mutating func redo(_ replica: Int) async throws {
        let author = draw(Self.authors)
        let expected = model.redo(by: author, try held(replica))
        let partSize = drawPartSize()
        let words = "\(author) redoes at \(replica)"
        let report = try await report(replica) {
            try await $0.redo(by: Authorship(author: author), partSize: partSize, progress: nil)
        }
        try compare(report, expected, author, isUndo: false, partSize: partSize, words)
    }

    mutating func undoCommit(_ replica: Int) async throws {
        let held = try held(replica)
        let number = draw(held)
        guard let position = try stores[replica].log.read({ try $0.position(of: model.commit(number).stamp.hash) })
        else { return }
        let parts = Set(model.commit(number).entities.map { UndoModel.Part(commit: number, entity: $0) })
        let expected = (number, model.undo(parts, held))
        try await undo(.commit(position), expected, draw(Self.authors), "commit \(number)", replica)
    }

    mutating func undoTrip(_ replica: Int) async throws {
        let held = try held(replica)
        let trip = draw(trips)
        // Mostly recent ones.
        let count = held.count - Int(random.next() % UInt64(min(held.count, 6) + 1))
        let since: Position? =
            try count == 0
            ? .start
            : stores[replica].log.read { try $0.position(of: model.commit(held[count - 1]).stamp.hash) }
        guard let since else { return }
        let expected = model.undo(trip: trip.reference, since: count, held)
        let number = trips.firstIndex(of: trip) ?? 0
        try await undo(
            .trip(trip, since: since), expected, draw(Self.authors), "trip \(number) since \(count) commits", replica)
    }

    mutating func undoCorrelation(_ replica: Int) async throws {
        let correlation = Int(random.next() % UInt64(Self.correlations.count))
        let expected = model.undo(correlation: correlation, try held(replica))
        try await undo(
            .correlation(Self.correlations[correlation]), expected, draw(Self.authors), "work \(correlation)", replica)
    }

    private mutating func undo(
        _ target: UndoTarget, _ expected: (named: Int, writes: [UndoModel.Write])?, _ author: String,
        _ what: String, _ replica: Int
    ) async throws {
        let partSize = drawPartSize()
        let report = try await report(replica) {
            try await $0.undo(target, by: Authorship(author: author), partSize: partSize, progress: nil)
        }
        try compare(
            report, expected, author, isUndo: true, partSize: partSize, "\(author) undoes \(what) at \(replica)")
    }

    /// Nil if there is nothing to undo.
    func report(
        _ replica: Int, _ body: (TripStore) async throws -> UndoReport
    ) async throws -> UndoReport? {
        do {
            return try await body(stores[replica])
        } catch let error as TripStoreError where error.code == .nothingToUndo {
            return nil
        }
    }

    mutating func compare(
        _ report: UndoReport?, _ expected: (named: Int, writes: [UndoModel.Write])?, _ author: String, isUndo: Bool,
        partSize: Int, _ words: String
    ) throws {
        guard let report, let expected else {
            guard report == nil, expected == nil else {
                let found = report.map { "put back \($0.changes)" } ?? "found nothing to undo"
                let wanted = expected.map { "of \($0.named): \($0.writes.map(text))" } ?? "finds nothing"
                throw difference("\(words): the store \(found), and the model \(wanted)")
            }
            return
        }
        // The events of one entity stay in one commit.
        let entities = Set(expected.writes.map(\.entity)).count
        guard report.changes.count == expected.writes.count,
            report.receipts.count == (partSize == 1 ? entities : min(entities, 1))
        else {
            throw difference(
                "\(words): the store changed \(report.changes), and the model of \(expected.named): "
                    + "\(expected.writes.map(text)). Kept was \(report.kept)")
        }
        var correlation: Int?
        if report.receipts.count > 1 {
            correlation = Self.correlations.count + divided
            divided += 1
        }
        for receipt in report.receipts {
            let writes = expected.writes.filter { receipt.entities.contains($0.entity) }
            note(
                receipt, "\(words), of \(expected.named)",
                UndoModel.Commit(
                    stamp: try receipt.stamp, author: author, named: expected.named, isUndo: isUndo,
                    correlation: correlation, writes: writes))
        }
    }
}

extension UndoTrial {
    mutating func resolve(_ replica: Int) async throws {
        let store = stores[replica]
        let conflicts = try store.conflicts().rows
        if conflicts.isEmpty { return }
        let conflict = draw(conflicts)
        let side = draw(TripStore.ConflictSide.allCases)
        let held = try held(replica)
        let write = try write(resolving: conflict, side)
        let isAllowed: Bool
        if write.field == 0 {
            isAllowed =
                side == .winner || model.trip(of: write.entity, held).map { model.isPresent($0, held) } != false
        } else {
            let trip =
                write.field == UndoModel.trip
                ? write.value.flatMap { EntityReference(fieldValue: $0) } : model.trip(of: write.entity, held)
            isAllowed = model.isPresent(write.entity, held) && trip.map { model.isPresent($0, held) } != false
        }
        do {
            let receipt = try await store.resolve(conflict, taking: side)
            guard isAllowed else { throw difference("the store resolved with \(text(write))") }
            note(
                receipt, "resolved at \(replica)",
                UndoModel.Commit(stamp: try receipt.stamp, author: "", writes: [write]))
        } catch let error as TripStoreError where error.code == .unknownTrip || error.code == .deleted {
            guard !isAllowed else { throw difference("the store did not resolve with \(text(write)): \(error)") }
        }
    }

    /// What resolving a conflict writes.
    func write(resolving conflict: Conflict, _ side: TripStore.ConflictSide) throws -> UndoModel.Write {
        let entity = if case .parentDeletion(let parent) = conflict.subject { parent } else { conflict.entity }
        guard case .field(let path) = conflict.subject else {
            return UndoModel.Write(entity: entity, field: 0, value: side == .winner ? [1] : nil)
        }
        let chosen = side == .winner ? conflict.winner : conflict.superseded
        guard let number = model.numbers[chosen.commit.hash],
            let write = model.commit(number).writes.last(where: { $0.entity == entity && $0.field == path.field })
        else { throw difference("the conflict \(conflict.id) is of a write that the model does not have") }
        return UndoModel.Write(entity: entity, field: path.field, value: write.value)
    }
}
