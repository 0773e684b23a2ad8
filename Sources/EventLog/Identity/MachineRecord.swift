import Events
import Foundation
import LMDB
import Platform

/// A machine's record of a replica that wrote on it, outside the store's folder, so that it is not copied or restored
/// together with the store.
struct MachineRecord: Equatable {
    /// The tokens of the newest opening for writing here and of the one before. Two, because the record gets the new one
    /// before the log does, and the machine may stop in between.
    var tokens: [[UInt8]]
    /// The newest commit that the replica wrote. It may lag behind after a power cut, and never runs ahead.
    var newest: SequenceNumber

    fileprivate static let magic = Array("TSREPLC1".utf8)
    fileprivate static let newestOffset = magic.count + 2 * StoreOrigin.tokenSize
    fileprivate static let size = newestOffset + 8

    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: Self.magic) else { return nil }
        let tokens = bytes.dropFirst(Self.magic.count).prefix(2 * StoreOrigin.tokenSize)
        self.tokens = [Array(tokens.prefix(StoreOrigin.tokenSize)), Array(tokens.suffix(StoreOrigin.tokenSize))]
        newest = SequenceNumber(bytes.withUnsafeBytes { $0.bigEndian(UInt64.self, at: Self.newestOffset) })
    }

    /// The record in a file, which is not changed; nil if there is none, or it is unreadable.
    init?(atPath path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init([UInt8](data))
    }

    init(tokens: [[UInt8]], newest: SequenceNumber) {
        self.tokens = tokens
        self.newest = newest
    }

    fileprivate var encoded: [UInt8] {
        Self.magic + (tokens + [StoreOrigin.noToken, StoreOrigin.noToken]).prefix(2).joined()
            + newest.rawValue.bigEndianBytes
    }
}

/// The file of a machine's record of one replica.
///
/// `@unchecked Sendable`: the descriptor is opened once and closed with the object; `pwrite` is thread-safe.
final class MachineRecordFile: @unchecked Sendable {
    private let folder: String
    private let descriptor: Int32
    /// Makes the names of folders and files durable; tests pass their own.
    private let syncNames: @Sendable (_ folder: String) throws -> Void

    /// Opens the record in the machine's folder, creating both. Nil if that fails: then no record is kept.
    init?(
        folder: String, replica: ReplicaID, journal: JournalID,
        syncNames: @escaping @Sendable (_ folder: String) throws -> Void = { try Folder.syncWithAncestors($0) }
    ) {
        guard (try? Folder.create(folder)) != nil else { return nil }
        self.folder = folder
        self.syncNames = syncNames
        let path = Self.path(folder, replica, journal)
        descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// The record; nil if there is none, or it is unreadable.
    func read() -> MachineRecord? {
        var bytes = [UInt8](repeating: 0, count: MachineRecord.size + 1)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? MachineRecord(Array(bytes.prefix(count))) : nil
    }

    static func path(_ folder: String, _ replica: ReplicaID, _ journal: JournalID) -> String {
        "\(folder)/\(replica)-\(journal)"
    }

    /// Records durably. Blocks. Returns whether it succeeded.
    ///
    /// The file's name is synced first: the process that made it may have been killed before that, but a file with
    /// content has a durable name.
    func write(_ record: MachineRecord) -> Bool {
        if read() == nil, (try? syncNames(folder)) == nil { return false }
        let bytes = record.encoded
        return bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) } == bytes.count
            && fsync(descriptor) == 0
    }

    /// Records the newest commit, once it is durable in the log. Not synced: a record that lags behind does no harm.
    func note(_ newest: SequenceNumber) {
        let bytes = newest.rawValue.bigEndianBytes
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(MachineRecord.newestOffset)) }
    }
}
