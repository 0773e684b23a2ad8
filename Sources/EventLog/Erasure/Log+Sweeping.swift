package import Events

extension Log {
    /// Erases what has arrived of entities that this replica erased as a whole, from authors that had not seen it, for as
    /// long as these erasures stand, and returns the commits that say so.
    ///
    /// Reads the commits that arrived since the last time; where other statements stand than then, all since the first
    /// of these; and all there are if an entity was created among those. With a position at which an erasure was planned
    /// reads those after it: they arrived before it was stated. Does nothing unless this replica stated an erasure with
    /// entities that stands.
    ///
    /// Throws what `erase(_:naming:)` throws.
    @discardableResult
    package func sweep(plannedAt planned: Position? = nil) async throws -> [CommitID] {
        guard let writer, writer.ledger == nil else { return [] }
        guard let state = try read({ try $0.erasingState() }), planned != nil || !tables.erasing.isSwept(in: state)
        else { return [] }
        let note = SweptNote(try note(SweptNote.name))
        // Statements of a replica that may not write would not count.
        guard try read({ try note.search($0, planned) != nil && $0.verdicts().refusal == nil }) else {
            if planned == nil { tables.erasing.keepSwept(in: state) }
            return []
        }
        // Its first commit decides what it may erase.
        try await introduceSuccessor()
        let found = try read { log in
            try note.search(log, planned).map { search in
                let late = try LateEvents(
                    after: search.start, by: search.statements, log, outlivesParent: outlivesParent)
                return (late.parts, SweptNote(position: try log.lastPosition(), state: search.state))
            }
        }
        guard let (late, swept) = found else { return [] }
        var stated: [CommitID] = []
        for (causes, part) in late.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let names = part.created.sorted { $0.valueBytes.lexicographicallyPrecedes($1.valueBytes) }
                .prefix(Self.mostNames).map { ErasedName($0) }
            stated += try await erase(part.leaves, naming: names, causes: causes)
        }
        try deferNote(SweptNote.name, swept.bytes)
        return stated
    }
}

/// How far a log was searched for late events, and by which statements: 8 bytes, then a hash of these.
private struct SweptNote {
    static let name = "swept"

    let position: Position
    let state: [UInt8]

    init(position: Position, state: [UInt8]) { (self.position, self.state) = (position, state) }

    init(_ bytes: [UInt8]?) {
        let bytes = bytes.flatMap { $0.count < 8 ? nil : $0 } ?? Position.start.rawValue.bigEndianBytes
        position = bytes.withUnsafeBytes { Position($0.bigEndian(UInt64.self)) }
        state = Array(bytes.dropFirst(8))
    }

    var bytes: [UInt8] { position.rawValue.bigEndianBytes + state }

    /// The position after which to search next, and by which statements; nil if there is nothing to search for.
    func search(
        _ log: borrowing LogSnapshot, _ planned: Position?
    ) throws -> (start: Position, statements: SweepingStatements, state: [UInt8])? {
        let statements = try log.ownSweeping(plannedAt: planned)
        let all = statements.values.joined()
        guard let first = all.map(\.after).min() else { return nil }
        var builder = DigestBuilder()
        for commit in Set(all.map(\.fact.commit)).sorted() { builder.add(commit.hash.bytes) }
        let state = builder.finish().bytes
        let unsearched = state == self.state ? position : first
        let start = min(unsearched, planned ?? unsearched)
        return try start == log.lastPosition() ? nil : (start, statements, state)
    }
}

/// The entities of which some replicas erase what arrives later.
package struct SweptEntities: Sendable {
    fileprivate let erasures: [ReplicaID: [EntityReference: [CountingErasure]]]

    /// Whether an event of a payload is of one, or puts something into one: then the commit says what its author held,
    /// and so the eraser can tell it from one whose author had not seen the erasure. O(payload), or O(1) if there are no
    /// such entities.
    package func areNamed(in payload: borrowing PayloadWriter) -> Bool {
        guard !erasures.isEmpty else { return false }
        return payload.withBytes(0..<payload.count) { bytes in
            var areNamed = false
            PayloadView(bytes).forEachReadableEvent { event, _ in
                areNamed = areNamed || event.concerns { entity in erasures.values.contains { $0[entity] != nil } }
            }
            return areNamed
        }
    }
}

extension LogSnapshot {
    /// The entities of which replicas erase what arrives later, also if they took that back: another replica may not know
    /// yet. O(1) while no statement arrives.
    package func sweptEntities() throws -> SweptEntities { SweptEntities(erasures: try erasing()?.sweeping ?? [:]) }
}

extension EventView {
    /// Whether its entity, or one that it makes its parent, meets a condition. O(changes).
    func concerns(_ condition: (EntityReference) -> Bool) -> Bool {
        var isMet = condition(entity)
        try? forEachChange { change in
            guard !isMet, change.field == FieldPath.parent.field, change.key.isEmpty, let value = change.value,
                let parent = EntityReference(value: value)
            else { return }
            isMet = condition(parent)
        }
        return isMet
    }
}
