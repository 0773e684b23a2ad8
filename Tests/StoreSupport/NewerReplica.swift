package import EventLog
package import Events

/// A replica of a later version of the program: it writes commits with features of any number, as a peer passes them on.
package struct NewerReplica {
    package let identity: ReplicaIdentity
    private let journal: JournalID
    private let name: String
    private var sequence = SequenceNumber.start
    private var last = Digest.zero

    /// A feature that no version has.
    package static let feature: UInt32 = 64

    /// Nil if the seed, which is repeated, is no key.
    package init?(_ journal: JournalID, seed: UInt8 = 77, name: String = "Ada's phone") {
        guard let identity = ReplicaIdentity(seed: [UInt8](repeating: seed, count: 32)) else { return nil }
        self.identity = identity
        self.journal = journal
        self.name = name
    }

    package var id: ReplicaID { identity.id }

    /// The names of the commits that it wrote last.
    package private(set) var commits: [CommitID] = []

    /// A segment of a commit for each payload, with the features and the named version; before the first that of its key.
    ///
    /// `needs` is the number of a version, and 0 for none.
    package mutating func segment(
        _ payloads: [Payload], features: UInt32 = feature, needs: UInt64 = 0
    ) throws -> LineSegment {
        let (first, previous) = (sequence.next, last)
        var bytes: [[UInt8]] = []
        commits = []
        if sequence == .start {
            let introduction = Payload.Introduction(publicKey: identity.publicKey, name: name)
            bytes.append(try commit(Payload(introduction: introduction), features: 0, needs: nil))
        }
        for payload in payloads {
            bytes.append(try commit(payload, features: features, needs: NeededVersion(rawValue: needs)))
        }
        let message = LineSignature.message(journal: journal, replica: id, sequence: sequence, hash: last)
        return LineSegment(
            journal: journal, replica: id, first: first, previous: previous, commits: bytes,
            signature: try identity.sign(message))
    }

    private mutating func commit(_ payload: Payload, features: UInt32, needs: NeededVersion?) throws -> [UInt8] {
        let hashed = try HashedPayload(payload.encoded(), salt: [UInt8](repeating: 3, count: 16))
        sequence = sequence.next
        let header = CommitHeader(
            journal: journal, replica: id, sequence: sequence,
            timestamp: Timestamp(milliseconds: 1_700_000_000_000 + sequence.rawValue), wallClock: nil, schema: 1,
            payloadHash: hashed.hash, features: features, needs: needs
        ).encoded()
        last = header.withUnsafeBytes { [last] in CommitView.hash($0, after: last) }
        commits.append(CommitID(replica: id, sequence: sequence, hash: last))
        return Array(hashed.front(header, hash: last).dropFirst(last.bytes.count)) + hashed.bytes
    }
}
