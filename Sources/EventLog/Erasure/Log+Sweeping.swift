import Events

extension Log {
    /// Erases what has arrived of entities that this replica erased as a whole, from authors that had not seen it, and
    /// returns the commits that say so.
    ///
    /// Reads the commits that arrived since the last time, or all of them if an entity was created among those. Does
    /// nothing unless this replica stated an erasure with entities that stands.
    ///
    /// Throws what `erase(_:sweeping:)` throws.
    @discardableResult
    package func sweep() async throws -> [CommitID] {
        guard let writer, writer.ledger == nil else { return [] }
        let start = try note(Self.sweptNote).flatMap { bytes in
            bytes.count == 8 ? Position(bytes.withUnsafeBytes { $0.bigEndian(UInt64.self) }) : nil
        }
        let (late, last) = try read { log in (try log.late(after: start ?? .start), try log.lastPosition()) }
        guard let late else { return [] }
        let created = Array(late.created.prefix(Self.mostEntities))
        let stated = late.parts.isEmpty ? [] : try await erase(late.parts, sweeping: created)
        try deferNote(Self.sweptNote, last.rawValue.bigEndianBytes)
        return stated
    }

    private static let sweptNote = "swept"
}

extension LogSnapshot {
    /// The leaves, among commits after a position, that belong to entities which this replica erased as a whole, and
    /// that their authors wrote before that, and the entities that were created among them; nil if it erased none.
    ///
    /// An event belongs to such an entity if it is of it, or of one of which each creation refers to it, or if a value of it
    /// is a reference to it. With one creation alone a member could have anything erased, by creating it once more.
    /// Timestamps are later than all that their author had seen: so a commit that is dated before a statement was
    /// written without it.
    func late(after start: Position) throws -> (parts: [CommitID: ErasedLeaves], created: [EntityReference])? {
        var swept = try sweptEntities()
        var created: [EntityReference] = []
        // Entities with a creation that refers to a swept one, and those that turned out to have others.
        var candidates: [EntityReference: Timestamp] = [:]
        var others: Set<EntityReference> = []
        guard let latest = swept.values.max() else { return nil }
        let (verdicts, own, erasing) = (try verdicts(), try replica(), try erasing())
        // Of a replica that may not write, no statement would count.
        guard verdicts.refusal == nil else { return nil }
        var found: [CommitID: [Int]] = [:]
        /// When the last statement was made about an entity to which an event refers.
        func latestErasure(referredToBy event: borrowing EventView) -> Timestamp? {
            var end: Timestamp?
            try? event.forEachChange { change in
                guard let entity = change.value.flatMap({ EntityReference(value: $0) }), let other = swept[entity]
                else { return }
                end = max(end ?? .zero, other)
            }
            return end
        }
        func read(after start: Position) throws {
            try forEachCommit(after: start) { commit in
                let time = commit.header.timestamp
                // What was taken back of what this replica erased stays.
                guard time < latest, commit.header.isErasable,
                    verdicts.mayErase(own, commitsOf: commit.header.replica),
                    erasing?.fates[commit.name]?.erasures.contains(where: { $0.eraser == own }) != true
                else { return true }
                var events: [Int] = []
                commit.asCounting.forEachEvent { event, index in
                    let known = swept[event.entity]
                    guard let end = [known, latestErasure(referredToBy: event)].compactMap(\.self).max(), time < end
                    else {
                        return
                    }
                    events.append(index)
                    guard event.verb == .created, known == nil, !others.contains(event.entity) else { return }
                    candidates[event.entity] = max(candidates[event.entity] ?? .zero, end)
                }
                if !events.isEmpty { found[commit.name] = events }
                return true
            }
        }
        /// Leaves of the candidates those that were created nowhere else, and returns whether there are any.
        func grow() throws -> Bool {
            guard !candidates.isEmpty else { return false }
            try forEachCommit(after: .start) { commit in
                commit.forEachEvent { event, _ in
                    guard event.verb == .created, candidates[event.entity] != nil else { return }
                    if let end = latestErasure(referredToBy: event), commit.header.timestamp < end { return }
                    candidates[event.entity] = nil
                    others.insert(event.entity)
                }
                return true
            }
            swept.merge(candidates) { max($0, $1) }
            created += candidates.keys.sorted { $0.valueBytes.lexicographicallyPrecedes($1.valueBytes) }
            defer { candidates = [:] }
            return !candidates.isEmpty
        }
        // What was written of a created entity may have arrived before its creation.
        try read(after: start)
        var passes = 0
        while passes < Self.mostPasses, try grow() {
            try read(after: .start)
            passes += 1
        }
        return (found.mapValues { .some(LeafSet(events: $0)) }, created)
    }

    /// How often all commits are read at most: the author of nested creations may have written them in any order.
    private static let mostPasses = 16

    /// The entities that this replica erased as a whole, each with the time of the last statement that says so.
    private func sweptEntities() throws -> [EntityReference: Timestamp] {
        guard let erasing = try erasing() else { return [:] }
        let own = Set(try identityChanges().map(\.previous) + [replica()])
        var found: [EntityReference: Timestamp] = [:]
        for erasure in erasing.fates.values.lazy.flatMap(\.erasures)
        where own.contains(erasure.eraser) && !erasure.standing.isEmpty {
            guard case .erasure(_, let entities) = erasure.fact.statement else { continue }
            for entity in entities {
                found[entity] = max(found[entity] ?? .zero, erasure.fact.timestamp)
            }
        }
        return found
    }
}
