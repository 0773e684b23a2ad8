package import Events

/// The keys of replicas that handed over and wrote nothing, or whose first commit is replaced: their successor's introduction carries
/// them, because no commit does that others hold.
struct FormerKeys {
    /// The most keys: as many as there may be successors.
    static let most = MembershipResolver.mostSuccessors

    /// The public keys, 32 bytes each, nearest first.
    private(set) var keys: [[UInt8]] = []
    /// The signatures of each key but the first over the one before it.
    private(set) var signatures: [[UInt8]] = []

    /// From field 7 of an introduction: a key, and for each earlier one its signature and the key. Ignores bytes
    /// of another length.
    init(_ bytes: [UInt8]) {
        guard bytes.count % 96 == 32, bytes.count <= 96 * Self.most else { return }
        keys.append(Array(bytes.prefix(32)))
        for start in stride(from: 32, to: bytes.count, by: 96) {
            signatures.append(Array(bytes[start..<start + 64]))
            keys.append(Array(bytes[start + 64..<start + 96]))
        }
    }

    /// Adds the keys of those that the last one succeeds, whose nearest signed for it. Returns false, and adds none, if there are too many.
    mutating func append(_ earlier: FormerKeys, signedBy signature: [UInt8]) -> Bool {
        guard keys.count + earlier.keys.count <= Self.most else { return false }
        keys += earlier.keys
        signatures += [signature] + earlier.signatures
        return true
    }

    var bytes: [UInt8] {
        (keys.first ?? []) + zip(signatures, keys.dropFirst()).flatMap { $0 + $1 }
    }

    /// The replicas, nearest first.
    var replicas: [ReplicaID] { keys.map { ReplicaID(publicKey: $0) } }
}

extension Payload.Introduction {
    /// The predecessor, and those before it that wrote nothing, nearest first: claims.
    package var formerReplicas: [ReplicaID] {
        let unwritten = FormerKeys(formerKeys).replicas
        return unwritten.first == previous ? unwritten : [previous].compactMap { $0 }
    }

    /// The handovers that it shows, nearest first; empty if the predecessor's key is unknown. `key` returns that of a
    /// replica whose first commit is held.
    func handovers(_ key: (ReplicaID) throws -> [UInt8]?) rethrows -> [RoleHandover] {
        guard let previous, let handover else { return [] }
        let former = FormerKeys(formerKeys)
        guard former.replicas.first == previous else {
            return try key(previous).map { [RoleHandover(formerKey: $0, successorKey: publicKey, signature: handover)] }
                ?? []
        }
        return zip([handover] + former.signatures, zip([publicKey] + former.keys, former.keys)).map { signature, keys in
            RoleHandover(formerKey: keys.1, successorKey: keys.0, signature: signature)
        }
    }
}

extension LogSnapshot {
    /// The keys that the successor of a replica has to show: the replica's, and those before it as far as others hold no first commit that
    /// shows the handover, because there is none or it is later than a time. Nil if there are too many. `said` is the replica's
    /// introduction; the nonce is that of the founder, if it is among them.
    func keysToShow(
        of key: [UInt8], whichSaid said: Payload.Introduction, in journal: JournalID, after latest: Timestamp
    ) throws -> (keys: FormerKeys, nonce: [UInt8]?)? {
        var (keys, nonce, said) = (FormerKeys(key), said.nonce, said)
        while let handover = said.handover, let previous = said.previous {
            var earlier = FormerKeys(said.formerKeys)
            if earlier.replicas.first != previous {
                guard let key = try publicKey(of: previous, in: journal) else { break }
                earlier = FormerKeys(key)
            }
            // Introductions are claims, and could lead back.
            guard let last = earlier.replicas.last, !keys.replicas.contains(last) else { break }
            guard keys.append(earlier, signedBy: handover) else { return nil }
            let line = LineID(journal: journal, replica: last)
            guard let position = try position(of: SequenceNumber(1), in: line), let first = try commit(at: position),
                first.header.timestamp > latest, let before = try first.view.payload?.copy().introduction
            else { break }
            (nonce, said) = (nonce ?? before.nonce, before)
        }
        return (keys, nonce)
    }
}
