import Events
import LMDB
import Platform

/// The identity of a log's file, and the last opening that wrote to it: shows that a log is a copy, or was restored to
/// an earlier state.
struct StoreOrigin: Equatable {
    static let tokenSize = 16
    /// The token of a log whose machine keeps no record.
    static let noToken = [UInt8](repeating: 0, count: tokenSize)

    var mark: FileOrigin
    /// Random bytes, new with each opening for writing; this machine's record of the replica has them as well.
    var token: [UInt8]

    init(mark: FileOrigin, token: [UInt8]) {
        self.mark = mark
        self.token = token
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 + Self.tokenSize else { return nil }
        mark = bytes.withUnsafeBytes {
            FileOrigin(inode: $0.bigEndian(UInt64.self), birthTime: $0.bigEndian(Int64.self, at: 8))
        }
        token = Array(bytes.dropFirst(16))
    }

    func encoded() -> [UInt8] { mark.inode.bigEndianBytes + mark.birthTime.bigEndianBytes + token }

    /// Why the opened log is not the one that the replica wrote last; nil if there is no sign of that.
    ///
    /// `head` is the newest number of the replica's line in it.
    func difference(from found: FileOrigin, _ record: MachineRecord?, isRecordKept: Bool, head: SequenceNumber)
        -> String?
    {
        if found != mark { return "the log is a copy: its file is another one than that which the replica wrote to" }
        guard token != Self.noToken, isRecordKept else { return nil }
        guard let record else { return "the log came from another machine: this one knows nothing of the replica" }
        if !record.tokens.contains(token) { return "the log was restored from an older copy" }
        if record.newest > head {
            return "the log was restored from an older copy: it ends with commit \(head) of the replica, which had "
                + "written \(record.newest)"
        }
        return nil
    }
}
