import Events
import LMDB
import Platform

/// The identity of a log's file, and the last opening that wrote to it.
struct StoreOrigin: Equatable {
    static let tokenSize = 16
    /// The token of a log whose machine keeps no record.
    static let noToken = [UInt8](repeating: 0, count: tokenSize)

    /// Nil on a medium where files have no lasting identity.
    var mark: FileOrigin?
    /// Random bytes, new with each opening for writing that has a record: see `StoreHomes`.
    var token: [UInt8]

    init(mark: FileOrigin?, token: [UInt8]) {
        self.mark = mark
        self.token = token
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 + Self.tokenSize else { return nil }
        let found = bytes.withUnsafeBytes {
            FileOrigin(inode: $0.bigEndian(UInt64.self), birthTime: $0.bigEndian(Int64.self, at: 8))
        }
        mark = found == Self.unmarked ? nil : found
        token = Array(bytes.dropFirst(16))
    }

    private static let unmarked = FileOrigin(inode: 0, birthTime: 0)

    func encoded() -> [UInt8] {
        let mark = mark ?? Self.unmarked
        return mark.inode.bigEndianBytes + mark.birthTime.bigEndianBytes + token
    }
}
