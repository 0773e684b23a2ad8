package import Events

/// The keys of replicas that wrote nothing and handed over: their successor's introduction carries them, because no
/// commit of theirs does.
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

    /// With the key of one that wrote nothing and the signature by which it succeeded the others, if any. Nil if there
    /// are too many.
    init?(of key: [UInt8], after earlier: FormerKeys, signedBy signature: [UInt8]?) {
        keys = [key]
        guard let signature, !earlier.keys.isEmpty else { return }
        guard earlier.keys.count < Self.most else { return nil }
        keys += earlier.keys
        signatures = [signature] + earlier.signatures
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
