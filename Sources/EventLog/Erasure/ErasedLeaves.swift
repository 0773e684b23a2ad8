public import Events

/// The erased part of a payload.
public enum ErasedLeaves: Hashable, Sendable {
    case all
    case some(LeafSet)

    static let none = ErasedLeaves.some(LeafSet([]))

    package func union(_ other: ErasedLeaves) -> ErasedLeaves {
        guard case .some(let one) = self, case .some(let two) = other else { return .all }
        return .some(one.union(two))
    }

    /// Whether an event is among them, by its index in its commit.
    package func contains(event index: Int) -> Bool {
        guard case .some(let leaves) = self else { return true }
        return leaves.contains(UInt32(clamping: index + 1))
    }

    /// Every leaf by itself: the hashes of the leaves stay.
    static let each = ErasedLeaves.some(LeafSet(0..<LeafSet.limit))

    /// Whether a commit with that many leaves has all of them; nil for a commit whose payload is gone, so that the
    /// count is unknown.
    func areWithin(_ leafCount: Int?) -> Bool {
        guard case .some(let leaves) = self, let leafCount else { return true }
        return (leaves.leaves.last.map(Int.init) ?? 0) < leafCount
    }

    /// The number of leaves that a commit has at least if it has all of these.
    var leastLeafCount: Int {
        guard case .some(let leaves) = self, let last = leaves.leaves.last else { return 0 }
        return Int(last) + 1
    }

    /// Those that a commit with that many leaves has.
    func within(_ leafCount: Int) -> ErasedLeaves {
        guard case .some(let leaves) = self, !areWithin(leafCount) else { return self }
        return .some(LeafSet(leaves.leaves.lazy.filter { Int($0) < leafCount }))
    }

    /// Size of the encoded set in bytes.
    var encodedCount: Int {
        guard case .some(let leaves) = self else { return 0 }
        return leaves.encoded().count
    }

    func isSubset(of other: ErasedLeaves) -> Bool {
        switch (self, other) {
        case (_, .all): true
        case (.all, .some): false
        case (.some(let one), .some(let two)): one.isSubset(of: two)
        }
    }
}

extension CommitView {
    /// The missing part of the payload; nil if it is whole.
    public var erased: ErasedLeaves? {
        switch content {
        case .whole: nil
        case .holed(let payload): (try? LeafSet(payload.erased)).map { .some($0) } ?? .all
        case .erased: .all
        }
    }

    /// The commit's bytes without some leaves of its payload. Leaves that it does not have are ignored: then nothing
    /// changes.
    ///
    /// The payload as a whole is dropped only if the statement erases it as a whole: of leaves that are erased one by
    /// one the hashes stay, or a replica on the way could remove more.
    func without(_ erased: ErasedLeaves) -> [UInt8] {
        guard case .some(let leaves) = erased else { return HoledParts.envelope([(.header, [UInt8](headerBytes))]) }
        guard !leaves.isEmpty else { return [UInt8](bytes) }
        var parts = HoledParts()
        func add(_ leaf: HoledPayload.Leaf) {
            guard case .kept(let salt, let bytes) = leaf, leaves.contains(parts.count) else { return parts.add(leaf) }
            PayloadHash.leaf(bytes, salt: salt).withBytes { parts.add(.erased($0)) }
        }
        switch content {
        case .erased: return [UInt8](bytes)
        case .holed(let payload): _ = payload.forEachLeaf(add)
        case .whole(let salt, let payload):
            var cuts = PayloadLeaves(payload)
            var saltsOfLeaves = LeafSalts(of: salt)
            var start = 0
            while let end = cuts.next() {
                let bytes = payload.part(start..<end)
                saltsOfLeaves.next().withBytes { add(.kept(salt: $0, bytes: bytes)) }
                start = end
            }
        }
        return parts.holes.isEmpty ? [UInt8](bytes) : parts.commit(headerBytes)
    }

    /// The bytes of a holed commit with some of the leaves that it lacks, from another holed copy that has them.
    ///
    /// It must lack others as well: neither copy has the commit's salt, which a whole one has.
    func filled(with leaves: LeafSet, of other: CommitView) -> [UInt8] {
        guard case .holed(let payload) = content, case .holed(let more) = other.content else { return [UInt8](bytes) }
        var found: [HoledPayload.Leaf] = []
        _ = more.forEachLeaf { found.append($0) }
        var parts = HoledParts()
        _ = payload.forEachLeaf { leaf in
            let number = parts.count
            parts.add(leaves.contains(number) && number < found.count ? found[Int(number)] : leaf)
        }
        return parts.commit(headerBytes)
    }
}

/// The fields of a holed commit, leaf by leaf.
private struct HoledParts {
    private(set) var count: UInt32 = 0
    private(set) var holes: [UInt32] = []
    private var (left, hashes, salts): ([UInt8], [UInt8], [UInt8]) = ([], [], [])

    mutating func add(_ leaf: HoledPayload.Leaf) {
        switch leaf {
        case .erased(let hash):
            holes.append(count)
            hashes += hash
        case .kept(let salt, let bytes):
            left += bytes
            salts += salt
        }
        count += 1
    }

    func commit(_ header: UnsafeRawBufferPointer) -> [UInt8] {
        Self.envelope([
            (.header, [UInt8](header)), (.payload, left), (.erasedLeaves, LeafSet(holes).encoded()),
            (.erasedHashes, hashes), (.leafSalts, salts),
        ])
    }

    static func envelope(_ fields: [(CommitEnvelope.Field, [UInt8])]) -> [UInt8] {
        var writer = WireWriter()
        for (field, bytes) in fields { writer.bytes(UInt32(field.rawValue), bytes) }
        return writer.bytes
    }
}
