public import Events

internal import struct Crypto.SHA256

/// The hash by which a header names its payload: over leaves, each of which can be erased while the others stay
/// provable.
///
/// Leaf 0 is everything before the first event; each event is a leaf, with everything between it and the next. So the
/// leaves are the payload, cut into parts. Each is hashed with a salt of its own, derived from the commit's: a replica
/// that erases one leaf forwards the salts of the others, and the erased content cannot be guessed.
///
/// A flat list of hashes and no taller tree: every holder of a commit holds every leaf or its hash, and a single leaf
/// is never proved to a party that has nothing else.
enum PayloadHash {
    /// The first byte of hashed data, so that data of one kind never passes for another.
    private enum Kind {
        static let leaf: UInt8 = 0
        static let payload: [UInt8] = [1]
        static let salt: UInt8 = 2
    }

    /// The fewest bytes of an event's leaf in an accepted payload: its entity's id alone has 16. With smaller leaves a
    /// commit could have far more leaves than bytes are sent, and each takes 32 once it is erased.
    static let leastEvent = 16

    /// Whether each event has `leastEvent` bytes. O(leaves).
    static func hasLargeEnoughEvents(_ payload: UnsafeRawBufferPointer) -> Bool {
        var leaves = PayloadLeaves(payload)
        guard var start = leaves.next() else { return true }
        while let end = leaves.next() {
            if end - start < leastEvent { return false }
            start = end
        }
        return true
    }

    /// SHA-256(1 ‖ the hashes of the leaves). O(bytes), and three short hashes for two leaves.
    static func of(_ payload: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer) -> Digest {
        var hashes = Kind.payload
        hashes.reserveCapacity(256)
        var start = 0
        var salts = LeafSalts(of: salt)
        var leaves = PayloadLeaves(payload)
        while let end = leaves.next() {
            let hash = salts.next().withBytes { leaf(payload.part(start..<end), salt: $0) }
            hash.withBytes { hashes.append(contentsOf: $0) }
            start = end
        }
        return Digest(hashing: hashes)
    }

    /// The same for a payload with erased leaves; nil if the rest does not match its description, or has an event that
    /// is too small.
    static func of(_ payload: HoledPayload) -> Digest? {
        var hashes = Kind.payload
        var number = 0
        var areLargeEnough = true
        let isComplete = payload.forEachLeaf { found in
            switch found {
            case .kept(let salt, let bytes):
                if number > 0 && bytes.count < leastEvent { areLargeEnough = false }
                leaf(bytes, salt: salt).withBytes { hashes.append(contentsOf: $0) }
            case .erased(let hash): hashes.append(contentsOf: hash)
            }
            number += 1
        }
        return isComplete && areLargeEnough ? Digest(hashing: hashes) : nil
    }

    /// Buffers of more than 1 KiB are allocated.
    private static let mostOnStack = 960

    /// SHA-256(0 ‖ the leaf's salt ‖ its bytes).
    static func leaf(_ bytes: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer) -> Digest {
        // Each call that adds to a hash costs as much as some 50 bytes of it, so most leaves are added at once.
        let head = bytes.part(0..<min(bytes.count, mostOnStack))
        return withUnsafeTemporaryAllocation(byteCount: 1 + salt.count + head.count, alignment: 1) { front in
            front[0] = Kind.leaf
            front[1...].copyBytes(from: salt)
            front[(1 + salt.count)...].copyBytes(from: head)
            var builder = DigestBuilder()
            builder.add(UnsafeRawBufferPointer(front))
            if head.count < bytes.count { builder.add(bytes.part(from: head.count)) }
            return builder.finish()
        }
    }

    /// SHA-256(2 ‖ the commit's salt ‖ the pair's number, 4 bytes, the most significant first): the salts of two leaves.
    fileprivate static func leafSalts(pair: UInt32, of salt: UnsafeRawBufferPointer) -> Digest {
        withUnsafeTemporaryAllocation(byteCount: 1 + salt.count + 4, alignment: 1) { bytes in
            bytes[0] = Kind.salt
            bytes[1...].copyBytes(from: salt)
            withUnsafeBytes(of: pair.bigEndian) { bytes[(1 + salt.count)...].copyBytes(from: $0) }
            var builder = DigestBuilder()
            builder.add(UnsafeRawBufferPointer(bytes))
            return builder.finish()
        }
    }
}

/// Prevents guessing an erased leaf: 16 bytes, like the commit's salt.
struct LeafSalt {
    fileprivate let words: (UInt64, UInt64)

    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian), body)
    }
}

/// The salts of a payload's leaves, in order. They are derived from the commit's salt: one hash yields those of two
/// leaves, the first half for the even one.
struct LeafSalts {
    private let salt: UnsafeRawBufferPointer
    private var leaf: UInt32 = 0
    /// Of the leaf and of the one before it.
    private var pair = Digest.zero

    /// The commit's salt; its memory must stay valid while this is used.
    init(of salt: UnsafeRawBufferPointer) { self.salt = salt }

    mutating func next() -> LeafSalt {
        defer { leaf += 1 }
        guard leaf % 2 == 0 else { return LeafSalt(words: (pair.numbers.2, pair.numbers.3)) }
        pair = PayloadHash.leafSalts(pair: leaf / 2, of: salt)
        return LeafSalt(words: (pair.numbers.0, pair.numbers.1))
    }
}

/// The end offsets of a payload's leaves, in order: everything before the first event, and each event. Any bytes have
/// exactly one division into leaves: malformed fields, and events beyond the limit, belong to the last leaf.
struct PayloadLeaves {
    private let size: Int
    private let count: Int
    private var reader: WireReader
    private var found = 0

    /// At most `count` leaves; the last one takes the rest.
    init(_ payload: UnsafeRawBufferPointer, count: Int = Int(LeafSet.limit)) {
        size = payload.count
        self.count = count
        reader = WireReader(payload)
    }

    /// The end of the next leaf; nil after the last.
    mutating func next() -> Int? {
        guard found < count else { return nil }
        found += 1
        while found < count {
            let start = reader.offset
            guard let field = try? reader.next(), (try? reader.skip(field)) != nil else { break }
            guard field.number == Payload.eventField, field.type == .delimited else { continue }
            return start
        }
        found = count
        return size
    }
}

/// Computes a `Digest` over parts.
public struct DigestBuilder {
    private var hash = SHA256()

    public init() {}

    public mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    public mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { hash.update(bufferPointer: $0) } }

    public func finish() -> Digest {
        // SHA-256 has 32 bytes, so the fallback is never taken.
        hash.finalize().withUnsafeBytes { Digest($0) } ?? .zero
    }
}

extension Digest {
    /// The hash of some bytes.
    init(hashing bytes: [UInt8]) {
        var builder = DigestBuilder()
        builder.add(bytes)
        self = builder.finish()
    }
}
