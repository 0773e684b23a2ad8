/// How far a copy of a journal is: the next entry that it lacks, and what precedes it.
///
/// It means something only in one epoch of the database: a restored database may count the same numbers again for other entries. The
/// operation of the last entry tells them apart where the restore was not noticed.
struct DatabaseCursor: Hashable, Sendable {
    static let size = 40

    /// 16 bytes.
    var epoch: [UInt8]
    var nextEntry: Int64
    /// 16 bytes: of the entry before; `unknown` at the start, and after entries that are missing.
    var operation: [UInt8]

    static let unknown = [UInt8](repeating: 0, count: 16)

    /// Whether nothing is known of the entry before.
    var isAfterGap: Bool { operation == Self.unknown }

    static func start(_ epoch: [UInt8]) -> DatabaseCursor {
        DatabaseCursor(epoch: epoch, nextEntry: 1, operation: unknown)
    }

    init(epoch: [UInt8], nextEntry: Int64, operation: [UInt8]) {
        self.epoch = epoch
        self.nextEntry = nextEntry
        self.operation = operation
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        epoch = Array(bytes[..<16])
        nextEntry = bytes[16..<24].reduce(0) { $0 << 8 | Int64($1) }
        operation = Array(bytes[24...])
    }

    var bytes: [UInt8] {
        epoch + (0..<8).map { UInt8(truncatingIfNeeded: nextEntry >> (56 - 8 * $0)) } + operation
    }

    /// After an entry of an operation.
    func after(_ entry: Int64, _ operation: [UInt8]) -> DatabaseCursor {
        DatabaseCursor(epoch: epoch, nextEntry: entry + 1, operation: operation)
    }
}
