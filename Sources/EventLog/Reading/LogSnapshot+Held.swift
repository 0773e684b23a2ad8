package import Events

extension LogSnapshot {
    /// What is held of each replica of the journal that is written to. O(lines).
    package func held() throws -> VersionVector {
        var newest: [ReplicaID: Timestamp] = [:]
        for family in try families(of: try journal()) {
            newest[family.replica] = family.members.map(\.head.timestamp).max()
        }
        return VersionVector(newest).latest()
    }
}
