public import EventLog
public import Events

/// How far a generation of views has come: a position, and the hash of the commit there, by which a log that was
/// exchanged for another is recognised.
public struct Checkpoint: Hashable, Sendable {
    public let position: Position
    public let hash: Digest
    /// Whether another generation serves in this one's place.
    var isRetired = false

    static let start = Checkpoint(position: .start, hash: .zero)

    init(position: Position, hash: Digest, isRetired: Bool = false) {
        self.position = position
        self.hash = hash
        self.isRetired = isRetired
    }

    func encoded() -> [UInt8] { position.rawValue.bigEndianBytes + hash.bytes + [isRetired ? 1 : 0] }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 41, let hash = Digest(bytes.part(8..<40)) else { return nil }
        self.init(position: Position(bytes.bigEndian(UInt64.self)), hash: hash, isRetired: bytes[40] != 0)
    }

    /// Whether the log is still the one that the views were built from.
    func agrees(with log: borrowing LogSnapshot) throws -> Bool {
        if position == .start { return true }
        return try log.hash(at: position) == hash
    }
}
