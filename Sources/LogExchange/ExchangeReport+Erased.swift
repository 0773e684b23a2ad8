import EventLog
package import Events

extension ExchangeReport {
    /// Counts of what commits that arrived erase or take back, and of bytes that are missing because they were erased.
    package struct Erased: Sendable, Hashable {
        /// The part of one replica.
        package struct Part: Sendable, Hashable {
            package let eraser: ReplicaID
            /// Commits of which it erases something.
            package var commits = 0
            /// Their erased events, as far as they are known: of a payload that is gone the number is not.
            package var events = 0
            /// When the first of the bytes are removed here, in milliseconds since 1970; nil if they are not here any more.
            package var removedFrom: Int64?
        }

        /// Erasures that were stated by commits which arrived, by eraser, in order.
        package var hidden: [Part] = []
        /// Commits of which something is shown again: by statements that arrived, or because an erasure no longer counts.
        package var shownAgain = 0
        /// Commits of which bytes were removed here, because their time had come.
        package var removed = 0
        /// Commits that arrived without bytes that were erased.
        package var receivedInPart = 0
        /// Holes here of bytes that were erased, though no held statement says so: any copy fills them.
        package var unstated = 0
        /// Why events that arrived late could not be erased, or bytes not be removed: the next exchange, visit or opening tries again.
        package var failure: String?

        package var isEmpty: Bool { self == Erased() }

        mutating func add(_ next: Erased) {
            for part in next.hidden {
                guard let index = hidden.firstIndex(where: { $0.eraser == part.eraser }) else {
                    hidden.append(part)
                    continue
                }
                hidden[index].commits += part.commits
                hidden[index].events += part.events
                hidden[index].removedFrom = [hidden[index].removedFrom, part.removedFrom].compactMap(\.self).min()
            }
            hidden.sort { $0.eraser < $1.eraser }
            shownAgain += next.shownAgain
            removed += next.removed
            receivedInPart += next.receivedInPart
            (unstated, failure) = (next.unstated, next.failure)
        }
    }
}

/// The erasures that stood at a moment, to be compared with those that stand later.
struct StandingErasures {
    private struct Name: Hashable {
        let statement: CommitID
        let commit: CommitID
        let leaves: ErasedLeaves

        init(_ stated: StatedErasure) { (statement, commit, leaves) = (stated.statement, stated.commit, stated.leaves) }
    }

    private let all: [StatedErasure]
    private let names: Set<Name>

    /// O(statements); nothing is read where there are none.
    init(_ log: borrowing LogSnapshot, at now: Int64) throws {
        all = try log.statedErasures(at: now).filter { if case .takenBack = $0.state { false } else { true } }
        names = Set(all.map { Name($0) })
    }

    /// Counts what these erase and the earlier ones do not, and the other way round.
    func compared(with earlier: StandingErasures, _ log: borrowing LogSnapshot) throws -> ExchangeReport.Erased {
        var erased = ExchangeReport.Erased()
        let new = all.filter { !earlier.names.contains(Name($0)) }
        for (eraser, stated) in Dictionary(grouping: new, by: \.eraser).sorted(by: { $0.key < $1.key }) {
            var part = ExchangeReport.Erased.Part(eraser: eraser)
            for (commit, stated) in Dictionary(grouping: stated, by: \.commit) {
                part.commits += 1
                // Who erases more of a commit repeats what it erased before.
                part.events += try stated.map { try log.eventCount(of: $0.leaves, in: commit) }.max() ?? 0
            }
            let times = stated.compactMap { if case .pending(let time) = $0.state { time } else { nil } }
            part.removedFrom = times.min()
            erased.hidden.append(part)
        }
        let standing = Set(all.map(\.commit))
        let gone = earlier.all.filter { !names.contains(Name($0)) }.map(\.commit)
        erased.shownAgain = Set(gone).subtracting(standing).count
        return erased
    }
}

extension LogSnapshot {
    /// The events among some leaves of a commit, as far as its payload is here.
    fileprivate func eventCount(of leaves: ErasedLeaves, in commit: CommitID) throws -> Int {
        if case .some(let leaves) = leaves { return leaves.events.count }
        guard let position = try position(of: commit, in: journal()), let stored = try storedCommit(at: position) else {
            return 0
        }
        return LineSegment.eventCount(of: [UInt8](stored.view.bytes))
    }

    /// The commits after a position of which bytes are missing that erasures name. O(erasures).
    func commitsInPart(after position: Position) throws -> Set<CommitID> {
        guard try hasErasures() else { return [] }
        var found: Set<CommitID> = []
        let journal = try journal()
        try forEachErasure { erasure in
            guard erasure.journal == journal, let place = try self.position(of: erasure.commit, in: journal),
                place > position
            else { return }
            found.insert(erasure.commit)
        }
        return found
    }
}
