import Events
import LMDB

/// What this replica wrote while its clock was far in the future, once the clock is right again: other replicas refuse
/// such commits, and all that would follow them. So the replica continues under a new id, and writes those edits again.
struct ImplausibleLine {
    /// Why the replica continues as another, in words.
    let reason: String
    /// The signed commits in question, the newest first: another replica may hold the line up to any of them.
    private var signed: [CommitID] = []
    /// The latest plausible time: what is later was written with the wrong clock.
    private let latest: Timestamp
    /// The payloads of the commits in question, in order.
    private var commits: [Commit] = []
    /// The last commit before them, if it has no signature: it is to be forwarded without those after it.
    private(set) var unsigned: CommitID?

    /// Nil if the line does not need it. O(1) then, else O(lines + the commits in question).
    init?(of author: LogAuthor, _ log: borrowing LogSnapshot, _ dependencies: Dependencies) throws {
        let (line, replica) = (author.line, author.identity.id)
        guard try Self.isAhead(line, log, dependencies), let head = try log.head(of: line) else { return nil }
        latest = dependencies.latestPlausible()
        let hours = (Int64(head.timestamp.milliseconds) - dependencies.now()) / 3_600_000
        reason = "its clock had stood \(hours) hours ahead"
        let family = try log.family(of: replica, in: author.journal)
        guard let member = family[line] else { return nil }
        var sequence = try family.last(notAfter: latest, upTo: head.sequence, on: member, log)
        if sequence > .start, try log.signature(of: sequence, in: line) == nil {
            unsigned = try CommitID(replica: replica, sequence: sequence, hash: Self.commit(sequence, line, log).hash)
        }
        while sequence < head.sequence {
            sequence = sequence.next
            let stored = try Self.commit(sequence, line, log)
            if try sequence == head.sequence || log.signature(of: sequence, in: line) != nil {
                signed.append(CommitID(replica: replica, sequence: sequence, hash: stored.hash))
            }
            if let commit = Commit(stored) { commits.append(commit) }
        }
        signed = signed.suffix(Self.mostNamed).reversed()
    }

    /// How many signed commits are named, and how many in one commit: of replicas that are no admins larger ones are refused.
    private static let (mostNamed, mostTogether) = (256, 48)

    private static func commit(
        _ sequence: SequenceNumber, _ line: LineID, _ log: borrowing LogSnapshot
    ) throws -> StoredCommit {
        guard let position = try log.position(of: sequence, in: line), let commit = try log.commit(at: position) else {
            throw LogSnapshot.damaged("commit \(sequence) of replica \(line.replica)")
        }
        return commit
    }

    /// Whether a line of this replica ends over a day after now, and this clock seems to be right: it is not before the program's release,
    /// and nothing is held that another replica wrote over a day later, as it is where a clock fell back. O(1) if it does not end so late,
    /// else O(lines).
    static func isAhead(
        _ line: LineID, _ log: borrowing LogSnapshot, _ dependencies: Dependencies
    ) throws -> Bool {
        let latest = dependencies.latestPlausible()
        guard let head = try log.head(of: line), head.timestamp > latest, !dependencies.isClockBehindRelease else {
            return false
        }
        let (own, replaced) = (
            Set(try log.identityChanges().map(\.previous)).union([line.replica]), try log.verdicts().replaced
        )
        return try !log.families(of: line.journal).contains { family in
            try !own.contains(family.replica)
                && family.members.contains { member in
                    guard member.head.timestamp > latest else { return false }
                    let newest = member.head.sequence
                    let last = replaced[family.replica]?.last(upTo: newest, on: member.head.line) ?? newest
                    return try last >= member.head.first && family.timestamp(of: last, on: member, log) > latest
                }
        }
    }

    /// Writes the content of the commits again, after the statement that it replaces them. Returns their new names.
    func write(
        with appender: inout LineAppender, in journal: JournalID, _ dependencies: Dependencies,
        _ transaction: borrowing WriteTransaction
    ) throws -> Names {
        // An open journal has no statements.
        if journal.isFounded {
            // A day before what it replaces, whatever was received that is a little ahead. It has no events, so that nothing depends on
            // its place among those.
            var time = Timestamp(milliseconds: latest.milliseconds - UInt64(Dependencies.toleratedLead))
            for start in stride(from: 0, to: signed.count, by: Self.mostTogether) {
                let names = signed[start..<min(start + Self.mostTogether, signed.count)]
                let statement = Payload(membership: names.map { MembershipStatement.replacement($0).encoded() })
                _ = try appender.append(
                    HashedPayload(statement.encoded(), salt: dependencies.salt(), at: time, isMembership: true),
                    transaction)
                time = time.successor
            }
        }
        var names = Names()
        for commit in commits {
            let payload = try HashedPayload(
                names.renamed(commit.payload).encoded(), salt: dependencies.salt(),
                isMembership: !commit.payload.membership.isEmpty)
            names.add(try appender.append(payload, transaction), for: commit)
        }
        return names
    }

    /// The new names of commits that were written again: no other replica has the former ones.
    struct Names {
        private var commits: [CommitID: CommitID] = [:]
        private var writes: [Seen: Seen] = [:]

        fileprivate mutating func add(_ appended: Appended, for commit: Commit) {
            writes[commit.write] = Seen(timestamp: appended.timestamp, replica: appended.replica)
            commits[commit.id] = CommitID(
                replica: appended.replica, sequence: appended.sequence, hash: appended.hash)
        }

        /// A payload that refers to the new names.
        func renamed(_ payload: Payload) -> Payload {
            var payload = payload
            func renamed(_ seen: Seen?) -> Seen? { seen.map { writes[$0] ?? $0 } }
            for event in payload.events.indices {
                payload.events[event].seen = renamed(payload.events[event].seen)
                for change in payload.events[event].changes.indices {
                    payload.events[event].changes[change].seen = renamed(payload.events[event].changes[change].seen)
                }
            }
            payload.membership = payload.membership.map { bytes in
                guard case .void(let commit, let isVoid) = try? bytes.withUnsafeBytes({ try MembershipStatement($0) }),
                    let renamed = commits[commit]
                else { return bytes }
                return MembershipStatement.void(renamed, isVoid: isVoid).encoded()
            }
            return payload
        }

        /// The same for what a caller prepared: it saw the former names.
        func renamed(_ payload: HashedPayload) throws -> HashedPayload {
            guard let copy = payload.bytes.withUnsafeBytes({ try? PayloadView($0).copy() }) else { return payload }
            return try HashedPayload(
                renamed(copy).encoded(), salt: payload.salt, at: payload.timestamp, isMembership: payload.isMembership)
        }
    }

    /// A commit that is written again.
    fileprivate struct Commit {
        let id: CommitID
        /// As other commits refer to it.
        let write: Seen
        let payload: Payload

        /// Nil if there is nothing to write again.
        init?(_ commit: StoredCommit) {
            guard var payload = try? commit.view.payload?.copy() else { return nil }
            // The new line has its own introduction.
            payload.introduction = nil
            // A request is signed for the old id: the device has to request again.
            payload.membership.removeAll(where: MembershipStatement.isRequest)
            guard !payload.events.isEmpty || !payload.membership.isEmpty else { return nil }
            id = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
            write = Seen(commit.stamp)
            self.payload = payload
        }
    }
}
