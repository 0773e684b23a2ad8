import Events
import LMDB

/// The homes at which a log was opened for writing, most recent first, each with the token of its last opening there: a
/// row of `meta`.
///
/// A home is a folder of a machine's user, and not a machine: a store on a stick has several, and so has one that a
/// service and a person use on one machine.
struct StoreHomes: Equatable {
    /// The most homes that are kept: then the least recently used is dropped, and there only the file's identity decides.
    static let most = 64

    /// The last opening at a home.
    struct Visit: Equatable {
        /// The home's id.
        let home: [UInt8]
        /// The replica that wrote then, under which the home has its record.
        let replica: ReplicaID
        /// Random bytes, new with each opening; the home's record of the replica has them as well.
        let token: [UInt8]

        fileprivate static let size = MachineHome.idSize + 16 + StoreOrigin.tokenSize
    }

    private(set) var visits: [Visit] = []

    init() {}

    /// Nil if the bytes are no such row.
    init?(_ bytes: [UInt8]) {
        guard bytes.count % Visit.size == 0, bytes.count <= Self.most * Visit.size else { return nil }
        for start in stride(from: 0, to: bytes.count, by: Visit.size) {
            let visit = bytes[start..<start + Visit.size]
            let rest = visit.dropFirst(MachineHome.idSize)
            guard let replica = ReplicaID(rest.prefix(16)) else { return nil }
            visits.append(
                Visit(
                    home: Array(visit.prefix(MachineHome.idSize)), replica: replica,
                    token: Array(rest.suffix(StoreOrigin.tokenSize))))
        }
    }

    func encoded() -> [UInt8] { visits.flatMap { $0.home + $0.replica.bytes + $0.token } }

    func visit(at home: MachineHome) -> Visit? { visits.first { $0.home == home.id } }

    mutating func remove(_ home: MachineHome) { visits.removeAll { $0.home == home.id } }

    mutating func note(_ visit: Visit) {
        visits.removeAll { $0.home == visit.home }
        visits.insert(visit, at: 0)
        if visits.count > Self.most { visits.removeLast() }
    }
}

extension LogSnapshot {
    /// The homes of the log; nil if it was never opened where records are kept, or only by an older version.
    func homes() throws -> StoreHomes? { try meta(MetaKey.homes).flatMap { StoreHomes($0) } }
}
