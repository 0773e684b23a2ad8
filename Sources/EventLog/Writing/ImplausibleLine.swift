import Events

/// What this replica wrote while its clock was far in the future, once the clock is right again: other replicas refuse
/// such commits, and all that would follow them. So the replica continues under a new id, and writes those edits again.
struct ImplausibleLine {
    /// Why the replica continues as another, in words.
    let reason: String
    /// The payloads of those commits, in order.
    private(set) var commits: [Commit] = []
    /// The last commit before them, if no signature vouches for it: it is to be forwarded without those after it.
    private(set) var unsigned: CommitID?

    /// Nil if the line ends at a plausible time, or if the present clock is certainly wrong. O(1) then, else O(the
    /// commits in question).
    init?(of author: LogAuthor, _ log: borrowing LogSnapshot, _ dependencies: Dependencies) throws {
        let latest = dependencies.latestPlausible()
        guard let head = try log.head(of: author.line), head.timestamp > latest, !dependencies.isClockBehindRelease
        else {
            return nil
        }
        let hours = (Int64(head.timestamp.milliseconds) - dependencies.now()) / 3_600_000
        reason = "its clock had stood \(hours) hours ahead"
        var sequence = head.sequence
        while sequence > .start {
            guard let position = try log.position(of: sequence, in: author.line),
                let commit = try log.commit(at: position)
            else { throw LogSnapshot.damaged("commit \(sequence) of replica \(author.identity.id)") }
            guard commit.header.timestamp > latest else {
                if sequence > head.signed {
                    unsigned = CommitID(replica: author.identity.id, sequence: sequence, hash: commit.hash)
                }
                break
            }
            // The new line has its own introduction.
            if var payload = try? commit.view.payload?.copy() {
                payload.introduction = nil
                // A request is signed for the old id: the device has to request again.
                payload.membership.removeAll(where: MembershipStatement.isRequest)
                guard !payload.events.isEmpty || !payload.membership.isEmpty else {
                    sequence = SequenceNumber(sequence.rawValue - 1)
                    continue
                }
                commits.append(Commit(write: Seen(commit.stamp), payload: payload))
            }
            sequence = SequenceNumber(sequence.rawValue - 1)
        }
        commits.reverse()
    }

    /// A commit that is written again.
    struct Commit {
        /// As other commits refer to it.
        let write: Seen
        fileprivate let payload: Payload
        var isMembership: Bool { !payload.membership.isEmpty }

        /// Its payload, with new names for writes of commits that were written again before it: no other replica has
        /// those that it saw.
        func encoded(renaming names: [Seen: Seen]) -> [UInt8] {
            var payload = payload
            func renamed(_ seen: Seen?) -> Seen? { seen.map { names[$0] ?? $0 } }
            for event in payload.events.indices {
                payload.events[event].seen = renamed(payload.events[event].seen)
                for change in payload.events[event].changes.indices {
                    payload.events[event].changes[change].seen = renamed(payload.events[event].changes[change].seen)
                }
            }
            return payload.encoded()
        }
    }
}
