import Events

/// The outer form of a commit, which no hash covers: so it is exactly its fields, each once, in order, every length in its
/// shortest form, and all else is no commit. There is one way to write what header and leaves say, and room for nothing more;
/// what is to come goes into header and payload.
///
/// A commit is *whole*: header, salt, payload. Or *erased*: the header alone, where nothing of the payload is left. Or *holed*: the
/// header and each leaf of the payload, of which one at least is there and one is not.
struct CommitEnvelope {
    /// What is left of a payload.
    enum Content {
        case whole(salt: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer)
        /// The bytes of the fields of the leaves, checked.
        case holed(UnsafeRawBufferPointer)
        case erased
    }

    let header: UnsafeRawBufferPointer
    let content: Content

    private enum Field {
        static let header: UInt8 = 1 << 3 | 2
        static let salt: UInt8 = 2 << 3 | 2
        static let payload: UInt8 = 3 << 3 | 2
        static let leaf: UInt8 = 4 << 3 | 2
    }

    /// Throws `WireError` if the bytes are none of the three.
    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var rest = StrictReader(bytes)
        header = try rest.field(Field.header)
        if rest.isAtEnd {
            content = .erased
        } else if rest.isNext(Field.leaf) {
            let leaves = bytes.part(from: rest.offset)
            try Self.checkLeaves(&rest)
            content = .holed(leaves)
        } else {
            let salt = try rest.field(Field.salt)
            guard salt.count == CommitView.saltSize else {
                throw WireError("a commit's salt has \(salt.count) bytes, not \(CommitView.saltSize)")
            }
            content = .whole(salt: salt, payload: try rest.field(Field.payload))
            guard rest.isAtEnd else { throw WireError("a commit goes on after its payload, at byte \(rest.offset)") }
        }
    }

    /// One leaf of a payload that has holes.
    enum Leaf {
        case kept(salt: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer)
        case erased(UnsafeRawBufferPointer)

        /// Reads the message: field 1, salt, and field 2, bytes; or field 3, hash.
        fileprivate init(_ message: UnsafeRawBufferPointer) throws(WireError) {
            var rest = StrictReader(message)
            if rest.isNext(3 << 3 | 2) {
                let hash = try rest.field(3 << 3 | 2)
                guard hash.count == Digest.size, rest.isAtEnd else { throw WireError("an erased leaf is no hash") }
                self = .erased(hash)
            } else {
                let salt = try rest.field(1 << 3 | 2)
                let bytes = try rest.field(2 << 3 | 2)
                guard salt.count == CommitView.saltSize, rest.isAtEnd else {
                    throw WireError("a leaf is no salt and bytes")
                }
                self = .kept(salt: salt, bytes: bytes)
            }
        }
    }

    private static func checkLeaves(_ rest: inout StrictReader) throws(WireError) {
        var (kept, erased) = (0, 0)
        while !rest.isAtEnd {
            switch try Leaf(try rest.field(Field.leaf)) {
            case .kept: kept += 1
            case .erased: erased += 1
            }
        }
        guard kept > 0, erased > 0 else {
            throw WireError(
                "a commit in leaves has \(kept) that are there and \(erased) that are not, where both belong")
        }
        guard kept + erased <= Payload.mostEvents + 1 else {
            throw WireError("a commit has \(kept + erased) leaves, over \(Payload.mostEvents + 1)")
        }
    }

    /// Calls `body` with each leaf of a commit with holes.
    static func forEachLeaf(_ leaves: UnsafeRawBufferPointer, _ body: (Leaf) -> Void) throws(WireError) {
        var rest = StrictReader(leaves)
        while !rest.isAtEnd { body(try Leaf(try rest.field(Field.leaf))) }
    }
}

/// Reads delimited fields whose tags are known and whose lengths have their shortest form.
private struct StrictReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func isNext(_ tag: UInt8) -> Bool { offset < bytes.count && bytes[offset] == tag }

    mutating func field(_ tag: UInt8) throws(WireError) -> UnsafeRawBufferPointer {
        guard isNext(tag) else {
            throw WireError("a commit has no field \(tag >> 3) at byte \(offset), where it belongs")
        }
        var reader = WireReader(bytes.part(from: offset + 1))
        let count = try reader.rawVarint()
        guard reader.offset == wireSize(ofVarint: count) else {
            throw WireError("the length at byte \(offset + 1) of a commit has not its shortest form")
        }
        let contents = try reader.counted(count)
        offset += 1 + reader.offset
        return contents
    }
}
