import Events

/// What this replica wrote while its clock stood far in the future, once it stands right again: nobody takes in such commits, nor
/// any that would follow them. So the replica goes on under a new id, and writes those edits anew.
struct ImplausibleLine {
    /// Why the replica goes on as another, in words.
    let reason: String
    /// What those commits say, in order.
    private(set) var commits: [Commit] = []
    /// The last commit before, if no signature vouches for it: it is to be handed on without those after it.
    private(set) var unsigned: CommitID?

    /// Nil if the line ends at a plausible time, or if it is the clock of now that is certainly wrong. O(1) then, else O(the
    /// commits in question).
    init?(of author: LogAuthor, _ log: borrowing LogSnapshot, _ surroundings: Surroundings) throws {
        let latest = surroundings.latestPlausible()
        guard let head = try log.head(of: author.line), head.timestamp > latest, !surroundings.isClockBehindRelease
        else {
            return nil
        }
        let hours = (Int64(head.timestamp.milliseconds) - surroundings.now()) / 3_600_000
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
            // The introduction is the new line's own.
            if var payload = try? commit.view.payload?.copy() {
                payload.introduction = nil
                // A request is signed for the id that goes: the device has to ask anew.
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

    /// A commit that is written anew.
    struct Commit {
        /// As others refer to it.
        let write: Seen
        fileprivate let payload: Payload
        var isMembership: Bool { !payload.membership.isEmpty }

        /// What it says, with other names for the writes of commits that were written anew before it: those that it saw nobody else
        /// has.
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
