public import EventLog
import Events
public import Foundation

/// An erasure that a replica stated, and what became of it.
public struct ErasureStatus: Sendable, Hashable {
    /// The fate of the erased events.
    public enum State: Sendable, Hashable {
        /// They are hidden, and their bytes are removed here at a time unless it is taken back.
        case pending(until: Date)
        /// Their bytes are removed here.
        case removed
        /// Replicas took it back, or the erasures that it belongs to. None if none of these is here that counts.
        case takenBack(by: [ReplicaID])
    }

    /// The position of the commit that states it.
    public let position: Position
    /// The replica that erased.
    public let eraser: ReplicaID
    /// The name of that replica's device, for people; empty if it has none.
    public let name: String
    /// The eraser's clock.
    public let date: Date
    public let state: State
    /// The positions of the erasures that it belongs to, because what it erases came late; it stands as long as one does.
    public let lateAfter: [Position]

    /// The commit that states it, and those of the erasures that it belongs to.
    package let statement: CommitID
    package let causes: [CommitID]
    /// The erased leaves of each commit.
    package let parts: [CommitID: ErasedLeaves]
    /// The positions of these commits, ascending.
    package let positions: [Position]
    /// Whether this replica may take it back, or confirm it.
    package let mayBeTakenBack: Bool
    package let mayBeConfirmed: Bool

    /// The number of commits of which something was erased.
    public var commits: Int { parts.count }

    /// The number of erased events, without those of commits that were erased as wholes: they are not known any more.
    public var events: Int {
        parts.values.reduce(0) { if case .some(let leaves) = $1 { $0 + leaves.events.count } else { $0 } }
    }
}

extension TripStore {
    /// The erasures that replicas stated, in the order of their positions here: pending ones, final ones, and those
    /// that were taken back.
    ///
    /// O(erasures). Throws what reading the log throws.
    public func erasures() throws -> Rows<ErasureStatus> {
        let now = log.wallClock
        return try readLog { log in
            struct Group: Hashable {
                let statement: CommitID
                let time: Int64
                let state: StatedErasure.State
                let causes: [CommitID]
            }
            var parts: [Group: [CommitID: ErasedLeaves]] = [:]
            for stated in try log.statedErasures(at: now) {
                let group = Group(
                    statement: stated.statement, time: stated.time, state: stated.state, causes: stated.causes)
                parts[group, default: [:]].merge([stated.commit: stated.leaves]) { $0.union($1) }
            }
            let journal = try log.journal()
            let found = try parts.compactMap { group, parts -> ErasureStatus? in
                guard let position = try log.position(of: group.statement, in: journal) else { return nil }
                let eraser = group.statement.replica
                return ErasureStatus(
                    position: position, eraser: eraser, name: try log.deviceName(of: eraser),
                    date: Self.date(ofErasing: group.time), state: ErasureStatus.State(group.state),
                    lateAfter: try log.positions(of: group.causes, in: journal), statement: group.statement,
                    causes: group.causes, parts: parts,
                    positions: try log.positions(of: parts.keys, in: journal),
                    mayBeTakenBack: try log.mayTakeBack(parts),
                    mayBeConfirmed: (try? log.confirmable(parts, of: group.statement)) != nil)
            }
            return Rows(found.sorted { ($0.position, $0.date) < ($1.position, $1.date) }, try log.lastPosition())
        }
    }

    fileprivate static func date(ofErasing milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension ErasureStatus.State {
    fileprivate init(_ state: StatedErasure.State) {
        self =
            switch state {
            case .pending(let time): .pending(until: TripStore.date(ofErasing: time))
            case .removed: .removed
            case .takenBack(let replicas): .takenBack(by: replicas)
            }
    }
}

extension LogSnapshot {
    fileprivate func positions(of commits: some Sequence<CommitID>, in journal: JournalID) throws -> [Position] {
        try commits.compactMap { try position(of: $0, in: journal) }.sorted()
    }
}
