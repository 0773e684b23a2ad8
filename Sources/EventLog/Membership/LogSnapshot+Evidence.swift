package import Events

extension LogSnapshot {
    /// Commits that prove that an admin revoked a replica: those with statements about members, and the first ones of lines, up to the time
    /// of the admin's first statement that revokes it. Empty if there is none.
    ///
    /// `admin` is the one whose revocation counts: statements of others, and of the replica itself, do not move the time. O(statements).
    package func evidence(of admin: ReplicaID, revoking replicas: Set<ReplicaID>) throws -> [CommitID] {
        let journal = try journal()
        var facts = MembershipFacts(journal: journal)
        var times: [CommitID: Timestamp] = [:]
        try forEachStatement { header, hash, payload in
            guard header.journal == journal else { return }
            facts.add(header, hash, payload)
            times[CommitID(replica: header.replica, sequence: header.sequence, hash: hash)] = header.timestamp
        }
        let revoking = (facts.entries[admin] ?? []).filter { entry in
            if case .revocation(let replica, _) = entry.statement { replicas.contains(replica) } else { false }
        }
        guard let time = revoking.map(\.timestamp).min() else { return [] }
        let commits = times.filter { $0.value <= time }.map(\.key)
        return try withoutPredecessors(heldSigned(commits, in: journal), in: journal).sorted()
    }
}

extension LineSegment {
    /// The segment without its payloads, except keys and statements; an erasure by a key of nobody's names each missing one.
    ///
    /// It proves who wrote and who may write, and shows nothing else. A receiver stores it like any other; members can restore the bytes.
    package func withoutContents(at time: Int64, randomBytes: (Int) -> [UInt8]) throws -> LineSegment {
        guard let nobody = ReplicaIdentity(seed: randomBytes(32)) else { return self }
        var (commits, erasures) = (commits, erasures)
        for (index, commit) in commitIDs().enumerated() where commit.sequence.rawValue > 1 {
            let stripped = try commits[index].withUnsafeBytes { raw -> [UInt8]? in
                let view = try CommitView(raw)
                return !view.header.isErasable || view.erased != nil ? nil : view.without(.all)
            }
            guard let stripped else { continue }
            commits[index] = stripped
            erasures.append(try Erasure(of: .all, in: commit, of: journal, at: time, by: nobody).bytes)
        }
        return LineSegment(
            journal: journal, replica: replica, first: first, previous: previous, commits: commits,
            signature: signature, erasures: erasures)
    }
}
