import Events
import LMDB

/// What this replica, or one that it succeeds, wrote while its clock was far in the future, once the clock is right
/// again: other replicas refuse such commits, and all that would follow them. So the replica continues under a new id,
/// if its own line has some, and writes those edits again.
struct ImplausibleLine {
    /// Why the replica continues as another, in words; nil if only lines that it succeeds are in question, and it goes
    /// on.
    let reason: String?
    /// The date of the statement that replaces the commits: a day before them, whatever was received that is a little
    /// ahead.
    private let time: Timestamp
    /// The signed commits in question, of each line the newest first: another replica may hold the line up to any of
    /// them.
    private var signed: [CommitID] = []
    /// The payloads of the commits in question that were not replaced, in order, without what is hidden of them.
    private var commits: [Commit] = []

    /// How many signed commits are named, and how many in one commit: of replicas that are no admins larger ones are
    /// refused.
    private static let (mostNamed, mostTogether) = (256, 48)

    /// Nil if there is nothing to replace. O(1) while no line ends over a day after now, else O(lines + the commits in
    /// question).
    ///
    /// This clock has to seem right: it is not before the program's release, and nothing is held that another replica
    /// wrote over a day later, as it is where a clock fell back.
    init?(on line: LineID, _ log: borrowing LogSnapshot, _ dependencies: Dependencies) throws {
        let latest = dependencies.latestPlausible()
        let head = try log.head(of: line)
        let isAhead = head.map { $0.timestamp > latest } ?? false
        guard !dependencies.isClockBehindRelease else { return nil }
        if !isAhead { guard try line.journal.isFounded && log.newestSeen() > latest else { return nil } }
        if try Self.areOthersLater(latest, line, log) { return nil }
        let now = Timestamp(milliseconds: latest.milliseconds - UInt64(Dependencies.toleratedLead))
        time = isAhead ? now : max(now, head?.timestamp.successor ?? .zero)
        let parts = try Self.parts(after: Replacement.end(at: time), on: line, log)
        if isAhead, let head {
            reason =
                "its clock had stood \((Int64(head.timestamp.milliseconds) - dependencies.now()) / 3_600_000) hours ahead"
        } else {
            guard try parts.contains(where: { try $0.isOpen(for: line.replica, log) }) else { return nil }
            reason = nil
        }
        for part in parts.prefix(Self.mostNamed) {
            let named = try part.signed(log)
            signed += named.suffix(max(1, Self.mostNamed / parts.count)).reversed()
        }
        for part in parts { try part.forEachOpen(log) { if let commit = Commit($0) { commits.append(commit) } } }
        commits.sort { $0.stamp < $1.stamp }
    }

    /// Whether a commit of another replica is held, is later than a time, and was not replaced. O(lines).
    private static func areOthersLater(_ time: Timestamp, _ line: LineID, _ log: borrowing LogSnapshot) throws -> Bool {
        let own = Set(try log.identityChanges().map(\.previous)).union([line.replica])
        let replaced = try log.verdicts().replaced
        return try log.families(of: line.journal).contains { family in
            try !own.contains(family.replica)
                && family.members.contains { member in
                    guard member.head.timestamp > time else { return false }
                    let newest = member.head.sequence
                    let last = replaced[family.replica]?.last(upTo: newest, on: member.head.line) ?? newest
                    return try last >= member.head.first && family.timestamp(of: last, on: member, log) > time
                }
        }
    }

    /// The parts that are later than a time, of the line and of those of the replicas that this one succeeds.
    private static func parts(after time: Timestamp, on line: LineID, _ log: borrowing LogSnapshot) throws -> [LinePart]
    {
        try ([line.replica] + log.succeeded().sorted()).compactMap { replica in
            let family = try log.family(of: replica, in: line.journal)
            guard let member = family[LineID(journal: line.journal, replica: replica)], member.head.timestamp > time
            else {
                return nil
            }
            let kept = try family.last(notAfter: time, upTo: member.head.sequence, on: member, log)
            return LinePart(family: family, member: member, first: kept.next)
        }
    }

    /// Writes the content of the commits again, after the statement that it replaces them. Returns their new names.
    func write(
        with appender: inout LineAppender, in journal: JournalID, _ dependencies: Dependencies,
        _ transaction: borrowing WriteTransaction
    ) throws -> Names {
        // An open journal has no statements.
        if journal.isFounded {
            // It has no events, so that nothing depends on its place among those.
            var time = time
            for start in stride(from: 0, to: signed.count, by: Self.mostTogether) {
                let names = signed[start..<min(start + Self.mostTogether, signed.count)]
                let statement = Payload(membership: names.map { MembershipStatement.replacement($0).encoded() })
                _ = try appender.append(
                    HashedPayload(
                        statement.encoded(), salt: dependencies.salt(), at: time, features: statement.features),
                    transaction)
                time = time.successor
            }
        }
        var names = Names()
        for commit in commits {
            var payload = names.renamed(commit.payload)
            payload.erasing = try commit.payload.erasing.compactMap { try names.renamed($0, by: appender.author) }
            if payload.erasing.isEmpty { names.silent.insert(commit.id) }
            guard !payload.events.isEmpty || payload.features != 0 else { continue }
            let hashed = try HashedPayload(payload.encoded(), salt: dependencies.salt(), features: payload.features)
            names.add(try appender.append(hashed, transaction), for: commit)
        }
        return names
    }

    /// The new names of commits that were written again: no other replica has the former ones.
    struct Names {
        private var commits: [CommitID: CommitID] = [:]
        private var writes: [Seen: Seen] = [:]
        /// Former names of commits of which the rest was written again: what is erased of them did not come with it.
        private var holed: Set<CommitID> = []
        /// Former names of commits of which no statement about erasing is left. What was erased late for them is then
        /// erased by itself.
        fileprivate var silent: Set<CommitID> = []

        /// A statement about erasing by the new author; nil if nothing of it is left to state.
        fileprivate func renamed(_ bytes: [UInt8], by author: LogAuthor) throws -> [UInt8]? {
            switch try? bytes.withUnsafeBytes({ try ErasingStatement($0) }) {
            case .erasure(let erasure, let names, let causes)? where !names.isEmpty || !holed.contains(erasure.commit):
                let renamed = try Erasure(
                    of: erasure.leaves, in: target(erasure.commit), of: author.journal, at: erasure.time,
                    number: erasure.number, by: author.identity)
                let known = causes.filter { !silent.contains($0) }.map { commits[$0] ?? $0 }
                return ErasingStatement.erasure(renamed, naming: names, causes: known).encoded()
            case .takeBack(let commit, let leaves)?:
                return ErasingStatement.takeBack(target(commit), leaves).encoded()
            case .period?: return bytes
            default: return nil
            }
        }

        /// The name under which an erased commit is erased from now on: the former one where what was erased did not come
        /// with it, for the sake of the names of entities alone.
        private func target(_ commit: CommitID) -> CommitID {
            holed.contains(commit) ? commit : commits[commit] ?? commit
        }

        fileprivate mutating func add(_ appended: Appended, for commit: Commit) {
            writes[Seen(commit.stamp)] = Seen(timestamp: appended.timestamp, replica: appended.replica)
            if !commit.isWhole { holed.insert(commit.id) }
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

        /// A payload that a caller prepared, which saw the former names, with the new ones.
        func renamed(_ payload: HashedPayload) throws -> HashedPayload {
            guard let copy = payload.bytes.withUnsafeBytes({ try? PayloadView($0).copy() }) else { return payload }
            return try HashedPayload(
                renamed(copy).encoded(), salt: payload.salt, at: payload.timestamp, features: payload.features)
        }
    }

    /// A commit that is written again.
    fileprivate struct Commit {
        let id: CommitID
        let stamp: Stamp
        let payload: Payload
        let isWhole: Bool

        /// Nil if there is nothing to write again.
        init?(_ commit: StoredCommit) {
            guard var payload = try? commit.view.payload?.copy() else { return nil }
            // The new line has its own introduction.
            payload.introduction = nil
            // A request is signed for the old id: the device has to request again. What is replaced is determined by
            // this clock.
            payload.membership.removeAll(where: MembershipStatement.isOfOneCommit)
            guard !payload.events.isEmpty || payload.features != 0 else { return nil }
            id = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
            stamp = commit.stamp
            self.payload = payload
            isWhole = commit.view.isWhole
        }
    }
}
