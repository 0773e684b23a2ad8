package import EventLog
package import Events

/// The erasures that a peer knows of, as far as it acknowledged, by the positions here of the commits that state them.
package struct KnownErasures: Sendable, Hashable {
    package var acknowledged: [Position] = []
    /// It may still show what these erase.
    package var outstanding: [Position] = []

    package init() {}
}

extension TripStore {
    /// What each known replica has acknowledged of the erasures that stand. O(erasures and peers).
    package func knownErasures() throws -> [ReplicaID: KnownErasures] {
        var statements: [Position: CommitID] = [:]
        for erasure in try erasures() {
            if case .takenBack = erasure.state { continue }
            statements[erasure.position] = erasure.statement
        }
        return try readPeers { records, log in
            var found: [ReplicaID: KnownErasures] = [:]
            for record in records {
                var known = KnownErasures()
                for (position, statement) in statements.sorted(by: { $0.key < $1.key }) {
                    if try record.holds(statement, log) {
                        known.acknowledged.append(position)
                    } else {
                        known.outstanding.append(position)
                    }
                }
                found[record.replica] = known
            }
            return found
        }
    }
}
