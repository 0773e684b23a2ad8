import Events

/// The outer encoding of a commit, which no hash covers: so it must be exactly its fields, each once, in order, every
/// length in its shortest form; anything else is no commit. There is one encoding of a header and leaves, with no room
/// for more; future additions go into header and payload.
///
/// A commit has one of three forms:
///
/// - *whole*: header, salt, payload;
/// - *holed*: the header, the rest of the payload, the set of missing leaves, their hashes, and the salts of the
///   others;
/// - *erased*: the header alone, where nothing of the payload is left.
struct CommitEnvelope {
    /// The rest of the payload.
    enum Content {
        case whole(salt: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer)
        case holed(HoledPayload)
        case erased
    }

    let header: UnsafeRawBufferPointer
    let content: Content

    enum Field: UInt8 {
        case header = 1
        case salt, payload, erasedLeaves, erasedHashes, leafSalts
    }

    /// Throws `WireError` if the bytes have none of the three forms.
    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var rest = StrictReader(bytes)
        header = try rest.field(Field.header.rawValue)
        if rest.isAtEnd {
            content = .erased
        } else if rest.isNext(Field.salt.rawValue) {
            let salt = try rest.field(Field.salt.rawValue)
            guard salt.count == CommitView.saltSize else {
                throw WireError("a commit's salt has \(salt.count) bytes, not \(CommitView.saltSize)")
            }
            content = .whole(salt: salt, payload: try rest.field(Field.payload.rawValue))
        } else {
            content = .holed(
                try HoledPayload(
                    left: try rest.field(Field.payload.rawValue), erased: try rest.field(Field.erasedLeaves.rawValue),
                    hashes: try rest.field(Field.erasedHashes.rawValue), salts: try rest.field(Field.leafSalts.rawValue)
                ))
        }
        guard rest.isAtEnd else { throw WireError("a commit goes on after its last field, at byte \(rest.offset)") }
    }
}

/// A payload with erased leaves: the bytes of the others, concatenated, so that they are read like a payload.
struct HoledPayload {
    let left: UnsafeRawBufferPointer
    /// The missing leaves, encoded as a `LeafSet`.
    let erased: UnsafeRawBufferPointer
    /// The hash of each missing leaf.
    let hashes: UnsafeRawBufferPointer
    /// The salt of each other leaf: the commit's salt is gone, because those of the missing leaves would follow from
    /// it.
    let salts: UnsafeRawBufferPointer
    let erasedCount: Int

    var leftCount: Int { salts.count / CommitView.saltSize }
    var leafCount: Int { erasedCount + leftCount }

    /// Throws `WireError` if the parts do not fit together.
    init(
        left: UnsafeRawBufferPointer, erased: UnsafeRawBufferPointer, hashes: UnsafeRawBufferPointer,
        salts: UnsafeRawBufferPointer
    ) throws(WireError) {
        self.left = left
        self.erased = erased
        self.hashes = hashes
        self.salts = salts
        var leaves = LeafReader(erased)
        var count = 0
        var last: UInt32 = 0
        while let leaf = try leaves.next() {
            last = leaf
            count += 1
        }
        erasedCount = count
        guard count > 0, hashes.count == count * Digest.size, salts.count % CommitView.saltSize == 0,
            leafCount <= Int(LeafSet.limit), Int(last) < leafCount
        else {
            throw WireError(
                "a commit lacks \(count) leaves, the last of them number \(last), and has \(hashes.count) bytes of hashes and "
                    + "\(salts.count) of salts")
        }
    }

    /// A leaf of the payload.
    enum Leaf {
        case kept(salt: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer)
        case erased(UnsafeRawBufferPointer)
    }

    /// Calls `body` with each leaf, in order. Returns whether the rest consists of exactly the leaves that have salts.
    func forEachLeaf(_ body: (Leaf) -> Void) -> Bool {
        var missing = LeafReader(erased)
        var hole = (try? missing.next()) ?? nil
        var (kept, gone, start) = (0, 0, 0)
        // The first boundary is before the first event, whether any bytes remain there or not.
        let lacksFirst = hole == 0
        var cuts = PayloadLeaves(left, count: leftCount + (lacksFirst ? 1 : 0))
        if lacksFirst, cuts.next() != 0 { return false }
        for number in 0..<UInt32(leafCount) {
            if number == hole {
                body(.erased(hashes.part(gone * Digest.size..<(gone + 1) * Digest.size)))
                gone += 1
                hole = (try? missing.next()) ?? nil
            } else {
                guard let end = cuts.next() else { return false }
                let size = CommitView.saltSize
                body(.kept(salt: salts.part(kept * size..<(kept + 1) * size), bytes: left.part(start..<end)))
                kept += 1
                start = end
            }
        }
        return start == left.count
    }
}

/// Reads a message that no hash covers: known delimited fields, with one-byte tags and lengths in their shortest form.
struct StrictReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func isNext(_ number: UInt8) -> Bool { offset < bytes.count && bytes[offset] == number << 3 | 2 }

    mutating func field(_ number: UInt8) throws(WireError) -> UnsafeRawBufferPointer {
        guard isNext(number) else {
            throw WireError("there is no field \(number) at byte \(offset), where it belongs")
        }
        var reader = WireReader(bytes.part(from: offset + 1))
        let count = try reader.rawVarint()
        guard reader.offset == wireSize(ofVarint: count) else {
            throw WireError("the length at byte \(offset + 1) has not its shortest form")
        }
        let contents = try reader.counted(count)
        offset += 1 + reader.offset
        return contents
    }
}
