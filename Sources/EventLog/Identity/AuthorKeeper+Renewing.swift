import Events
import LMDB

extension AuthorKeeper {
    /// Creates a new identity for the log, to be activated with the transaction: its key file is prepared, and the
    /// log's rows name it. If the former replica's key is here, it signs the rest of its line, so that this can be
    /// forwarded, and the key of the new replica, which then has its role.
    func renew(
        _ reason: String, _ former: LogAuthor?, _ previous: ReplicaID, _ journal: JournalID,
        _ transaction: borrowing WriteTransaction, _ tables: LogTables, handsOver: Bool = true
    ) throws -> (LogAuthor, IdentityChange) {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        if let former {
            try LineAppender.signHead(of: former, log, transaction)
            try signPlausible(of: former, log, transaction)
        }
        var members = MembershipKeeper(log, try log.verdicts(), last: try log.lastPosition())
        try members.noteHeads(log)
        let erasing = try ErasingKeeper(log, of: journal)
        // The former key may still be where the new one is to be written.
        try keyFile.activate(for: previous)
        var author = LogAuthor(journal: journal, identity: ReplicaIdentity.generate(dependencies))
        try keyFile.prepare(author.identity)
        var change = IdentityChange(previous: previous, reason: reason)
        let isHandedOver =
            try handsOver && former.map { try handOver(from: $0, to: author, transaction, tables) } ?? false
        if !isHandedOver {
            for key in [MetaKey.handover, MetaKey.formerKeys, MetaKey.granted] {
                try transaction.delete(key, in: tables.meta)
            }
            // A replica that never wrote has no successor without its key.
            let isUnwritten = try log.head(of: LineID(journal: journal, replica: previous)) == nil
            if isUnwritten, let earlier = try log.meta(MetaKey.former).flatMap({ IdentityChange($0) }) {
                change = IdentityChange(previous: earlier.previous, reason: reason)
            }
            // If nothing of the journal is here, no other store need have it.
            if isUnwritten, former == nil, let nonce = try log.meta(MetaKey.nonce), try log.isEmpty(journal) {
                author.journal = JournalID(founder: author.identity.publicKey, nonce: nonce)
                try transaction.put(MetaKey.journal, author.journal.bytes, in: tables.meta)
                change = IdentityChange(
                    previous: change.previous,
                    reason: reason + "; nothing was written to the journal \(journal), which cannot go on without "
                        + "that key, so the store founds the journal \(author.journal) in its place")
            } else {
                // Only the founder has a nonce.
                try transaction.delete(MetaKey.nonce, in: tables.meta)
            }
        }
        try transaction.put(MetaKey.replica, author.identity.id.bytes, in: tables.meta)
        try transaction.put(MetaKey.former, change.encoded(), in: tables.meta)
        // The new line is later than everything that this store ever saw, its own former line included (L5).
        let newest = try log.heads().values.map(\.timestamp).max() ?? .zero
        try transaction.put(MetaKey.seen, newest.rawValue.bigEndianBytes, in: tables.meta)
        try carryRecord(to: author.line, from: journal, transaction, tables)
        if author.journal.isFounded {
            try members.renewed(as: author.identity.id, transaction)
            var erasures = ErasureKeeper(tables, newAfter: try log.lastPosition())
            try erasures.finish(members, erasing, transaction)
        }
        return (author, change)
    }

    /// Signs the last commit of a line before those that were written with a clock that was ahead: it is forwarded without them.
    private func signPlausible(
        of author: LogAuthor, _ log: borrowing LogSnapshot, _ transaction: borrowing WriteTransaction
    ) throws {
        let (latest, family) = (
            dependencies.latestPlausible(), try log.family(of: author.identity.id, in: author.journal)
        )
        guard let member = family[author.line], member.head.timestamp > latest else { return }
        let last = try family.last(notAfter: latest, upTo: member.head.sequence, on: member, log)
        guard let hash = try family.hash(of: last, on: member, log) else { return }
        let commit = CommitID(replica: author.identity.id, sequence: last, hash: hash)
        try LineAppender.sign(commit, of: author, log, transaction)
    }

    /// Lets the former key sign for the successor, which then has its role; an admin with many successors grants it instead.
    /// Returns whether it did: not in an open journal, and not for a replica that never wrote, whose role nothing shows
    /// and that came after another without its signature.
    private func handOver(
        from former: LogAuthor, to author: LogAuthor, _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws -> Bool {
        guard former.journal.isFounded else { return false }
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let membership = try log.verdicts().membership
        let member = try membership.flatMap { try log.ownMember($0) }
        var unwritten: FormerKeys?
        let first = try first(of: former, log)
        // Others never hold a first commit that is to be replaced: the successor shows what it said.
        let latest = dependencies.latestPlausible()
        if first.map({ $0.header.timestamp > latest }) ?? true {
            let said =
                try first.flatMap { try $0.view.payload?.copy().introduction } ?? log.nextIntroduction(of: former)
            if member == nil, said.handover == nil, said.previous != nil { return false }
            let key = former.identity.publicKey
            guard let shown = try log.keysToShow(of: key, whichSaid: said, in: former.journal, after: latest) else {
                return false
            }
            unwritten = shown.keys
            if let nonce = shown.nonce { try transaction.put(MetaKey.nonce, nonce, in: tables.meta) }
        } else {
            // Its first commit holds the nonce.
            try transaction.delete(MetaKey.nonce, in: tables.meta)
        }
        let chain = unwritten?.replicas ?? [former.identity.id]
        let known = chain.firstIndex { membership?.members[$0] != nil } ?? chain.count - 1
        let successors = (membership?.successorCount(withRootOf: chain[known]) ?? 0) + known
        let isGranted =
            member?.role == .admin && member?.isRevoked == false && successors >= MembershipResolver.grantedFrom - 1
        let message = HandoverSignature.message(
            journal: former.journal, from: former.identity.id, to: author.identity.publicKey)
        try transaction.put(MetaKey.handover, try former.identity.sign(message), in: tables.meta)
        try set(MetaKey.formerKeys, unwritten?.bytes, transaction, tables)
        try set(MetaKey.granted, isGranted ? [1] : nil, transaction, tables)
        return true
    }

    /// Prepares the introduction of a replica that wrote nothing and succeeds one whose first commit is to be replaced: it shows that
    /// one's key. When it was opened, the clock was still wrong.
    func showFormerKeys(
        of author: LogAuthor, _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard try log.isUnwrittenSuccessor() else { return }
        let shown = try log.keysToShow(
            of: author.identity.publicKey, whichSaid: log.nextIntroduction(of: author), in: author.journal,
            after: dependencies.latestPlausible())
        guard let shown, shown.keys.keys.count > 1 else { return }
        // Without its own key, and the signature over that.
        try transaction.put(MetaKey.formerKeys, Array(shown.keys.bytes.dropFirst(96)), in: tables.meta)
        if let nonce = shown.nonce { try transaction.put(MetaKey.nonce, nonce, in: tables.meta) }
    }

    /// The first commit of a replica; nil if it wrote nothing.
    private func first(of author: LogAuthor, _ log: borrowing LogSnapshot) throws -> StoredCommit? {
        try log.position(of: SequenceNumber(1), in: author.line).flatMap { try log.commit(at: $0) }
    }

    private func set(
        _ key: [UInt8], _ value: [UInt8]?, _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws {
        if let value {
            try transaction.put(key, value, in: tables.meta)
        } else {
            try transaction.delete(key, in: tables.meta)
        }
    }
}

extension Log {
    /// How far two clocks may differ that confirm each other: an hour, in milliseconds.
    private static let confirmedSkew: UInt64 = 3_600_000

    /// Continues under a new id if this replica wrote while its clock was over a day ahead, and the clock is right again, and writes the
    /// content of those commits again: no other replica stores them before their time has come. If only replicas that this one succeeds
    /// did so, it goes on under its id. An append does it as well; an exchange does it first of all, so that nothing waits for the next
    /// append.
    ///
    /// `peerClock` is that of the other replica, in milliseconds since 1970: without one that confirms this clock, nothing happens.
    /// Nothing happens either if the log is read-only, if its replica may not write, or if a commit of another replica is held that is
    /// over a day later than this clock. Returns the change of the id; nil if there was none. Throws what an append throws.
    package func renewLineAhead(confirmedBy peerClock: Int64?) async throws -> IdentityChange? {
        guard let peerClock else { return nil }
        let (skew, overflow) = peerClock.subtractingReportingOverflow(dependencies.now())
        guard !overflow, skew.magnitude <= Self.confirmedSkew else { return nil }
        let former = replica
        guard try await renewLineAhead() else { return nil }
        return replica == former ? nil : try lastIdentityChange()
    }

    /// Continues, and writes again, without the word of another clock, as every append does. Returns whether there was anything to do: then
    /// the names of commits that a caller holds may be those of replaced ones. Throws what an append throws.
    package func renewLineAhead() async throws -> Bool {
        guard let writer, writer.ledger == nil else { return false }
        let isAhead = try read { log in
            let (journal, replica) = try log.authorship()
            let line = LineID(journal: journal, replica: replica)
            // A replica that may not write has nothing to write again.
            return try log.verdicts().refusal == nil && ImplausibleLine(on: line, log, dependencies) != nil
        }
        if isAhead { _ = try await append { (_: borrowing LogSnapshot) -> Payload? in nil } }
        return isAhead
    }
}
