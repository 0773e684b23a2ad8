public import EventLog
public import Events

/// How far a generation of views has come: a position, and the hash of the commit there, which reveals a log that was
/// replaced by another.
public struct Checkpoint: Hashable, Sendable {
    public let position: Position
    public let hash: Digest
    /// How many times the log's stored commits had changed, or which of them count: see `LogSnapshot.rewriteCount()`.
    /// With a lower count than the log's, views show outdated content.
    package let rewrites: UInt64
    /// Whether another generation has replaced this one.
    var isRetired = false

    static let start = Checkpoint(position: .start, hash: .zero)

    init(position: Position, hash: Digest, rewrites: UInt64 = 0, isRetired: Bool = false) {
        self.position = position
        self.hash = hash
        self.rewrites = rewrites
        self.isRetired = isRetired
    }

    func encoded() -> [UInt8] {
        position.rawValue.bigEndianBytes + hash.bytes + rewrites.bigEndianBytes + [isRetired ? 1 : 0]
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 49, let hash = Digest(bytes.part(8..<40)) else { return nil }
        self.init(
            position: Position(bytes.bigEndian(UInt64.self)), hash: hash,
            rewrites: bytes.bigEndian(UInt64.self, at: 40),
            isRetired: bytes[48] != 0)
    }

    /// Whether the log is still the one that the views were built from.
    func agrees(with log: borrowing LogSnapshot) throws -> Bool {
        if position == .start { return true }
        return try log.hash(at: position) == hash && !isOutdated(by: log)
    }

    /// Whether commits that the views were built from have changed since.
    package func isOutdated(by log: borrowing LogSnapshot) throws -> Bool {
        try position != .start && log.rewriteCount() != rewrites
    }

    /// Throws `ProjectionError` if the views cannot continue from here.
    func check(against log: borrowing LogSnapshot) throws {
        if try isOutdated(by: log) { throw ProjectionError.outdated }
        guard try agrees(with: log) else { throw ProjectionError.damaged("the checkpoint") }
    }
}
