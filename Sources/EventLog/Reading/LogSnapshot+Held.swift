package import Events

extension LogSnapshot {
    /// What is held of each replica of the journal that is written to, of those that may or might write. O(lines).
    package func held() throws -> VersionVector {
        let (membership, own) = (try membership(), try replica())
        return VersionVector(
            times: try families(of: try journal())
                .filter { membership?.lists($0.replica) ?? true || $0.replica == own }
                .flatMap { family in family.members.map { (replica: family.replica, newest: $0.head.timestamp) } }
        ).latest()
    }
}
