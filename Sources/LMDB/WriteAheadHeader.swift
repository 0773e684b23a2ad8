import LMDBFormat
import Platform

/// The first block of a write-ahead file: the state in which the data file was last synced, and whether the frames that
/// follow must be repeated on it.
///
/// Numbers are little-endian; the meta pages are as LMDB wrote them, in the byte order of the machine.
struct WriteAheadHeader: Hashable {
    /// Bytes of a block, which a medium is assumed to write without touching its neighbours.
    static let block = 4096
    private static let magic = Array("lmdb-wal".utf8)
    private static let version: UInt32 = 2
    private static let checksumOffset = block - 8
    private static let stateOffset = 12
    private static let identityOffset = 2048
    private static let sessionOffset = 3072
    private static let longestSession = 255

    /// Whether the data file may lack committed data or hold parts of it: then the snapshot of `metaPages` and the
    /// frames count. Otherwise the data file counts as it is.
    var isEnabled: Bool
    /// Whether syncing the data file failed since: then a later sync proves nothing, and only a process that has the
    /// environment alone may go on, after repeating the frames.
    var syncFailed = false
    /// Increases with every written header, to distinguish frames of earlier ones.
    var generation: UInt64
    /// Initial value of the frames' checksums; random.
    var salt: UInt64
    /// Bytes of a page of the data file.
    var pageSize: Int
    /// Names the data file for as long as the system cannot have lost what was written to it (`MountSession`).
    var session = ""
    /// The first `MetaPage.size` bytes of the data file's two meta pages, as they were when it was synced.
    var metaPages: [[UInt8]]
    /// Distinguishes that state of the data file from every other; nil where disabled.
    var identity: SnapshotIdentity?

    /// The header of a file in which nothing is to be repeated.
    static func disabled(generation: UInt64) -> WriteAheadHeader {
        WriteAheadHeader(isEnabled: false, generation: generation, salt: 0, pageSize: 0, metaPages: [])
    }

    /// The transaction of the snapshot.
    var transaction: UInt { snapshot?.transaction ?? 0 }

    /// The meta page of the snapshot; nil where disabled.
    var snapshot: MetaPage? {
        metaPages.map { $0.withUnsafeBytes { MetaPage($0) } }.max { $0.transaction < $1.transaction }
    }

    /// What every transaction reads: the length of the block's start, and its meaning. An empty file is disabled.
    static let stateSize = 32
    struct State: Hashable {
        var isEnabled = false
        var syncFailed = false
        var generation: UInt64 = 0

        init(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= stateSize, bytes.starts(with: magic) else { return }
            let state = UInt32(littleEndian: bytes.number(at: 12))
            isEnabled = state != 0
            syncFailed = state == 2
            generation = UInt64(littleEndian: bytes.number(at: 16))
        }
    }

    /// The header as a block.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.block)
        bytes.replaceSubrange(0..<8, with: Self.magic)
        bytes.withUnsafeMutableBytes { buffer in
            buffer.storeBytes(of: Self.version.littleEndian, toByteOffset: 8, as: UInt32.self)
            buffer.storeBytes(of: UInt32(isEnabled ? 1 : 0).littleEndian, toByteOffset: 12, as: UInt32.self)
            buffer.storeBytes(of: generation.littleEndian, toByteOffset: 16, as: UInt64.self)
            buffer.storeBytes(of: salt.littleEndian, toByteOffset: 24, as: UInt64.self)
            buffer.storeBytes(of: UInt32(pageSize).littleEndian, toByteOffset: 32, as: UInt32.self)
            buffer.storeBytes(of: UInt32(MetaPage.size).littleEndian, toByteOffset: 36, as: UInt32.self)
            var offset = 40
            for page in metaPages {
                for (index, byte) in page.enumerated() { buffer[offset + index] = byte }
                offset += page.count
            }
            if let identity {
                for (index, byte) in identity.row.enumerated() { buffer[Self.identityOffset + index] = byte }
                buffer.storeBytes(
                    of: identity.checksum.littleEndian, toByteOffset: Self.identityOffset + SnapshotIdentity.rowSize,
                    as: UInt64.self)
            }
            let session = Array(session.utf8.prefix(Self.longestSession))
            buffer[Self.sessionOffset] = UInt8(session.count)
            for (index, byte) in session.enumerated() { buffer[Self.sessionOffset + 1 + index] = byte }
            let checksum = Self.checksum(of: UnsafeRawBufferPointer(buffer))
            buffer.storeBytes(of: checksum.littleEndian, toByteOffset: Self.checksumOffset, as: UInt64.self)
            // Not covered by the checksum: so a failed sync changes one byte, which cannot tear the header.
            if syncFailed { buffer[Self.stateOffset] = 2 }
        }
        return bytes
    }

    private static func checksum(of block: UnsafeRawBufferPointer) -> UInt64 {
        var checksum = WriteAheadChecksum(seed: 0)
        checksum.add(UnsafeRawBufferPointer(rebasing: block[..<checksumOffset]))
        return checksum.value
    }
}

extension WriteAheadHeader {
    /// Reads a block; nil if it is no intact header, being torn or never written: `WriteAheadRecovery` decides which.
    ///
    /// Throws `StorageError.other` for a header that another version wrote, or a machine of another word size.
    init?(_ block: [UInt8], path: String) throws(StorageError) {
        guard block.count == Self.block, block.starts(with: Self.magic) else { return nil }
        let (version, size) = block.withUnsafeBytes { bytes in
            (UInt32(littleEndian: bytes.number(at: 8)), UInt32(littleEndian: bytes.number(at: 36)))
        }
        var summed = block
        if summed[Self.stateOffset] == 2 { summed[Self.stateOffset] = 1 }
        let isWhole = summed.withUnsafeBytes {
            UInt64(littleEndian: $0.number(at: Self.checksumOffset)) == Self.checksum(of: $0)
        }
        guard isWhole || version != Self.version else { return nil }
        guard version == Self.version, block[12] == 0 || size == UInt32(MetaPage.size) else {
            throw StorageError(
                .other,
                "\(path) has version \(version) and meta pages of \(size) bytes, and here version \(Self.version) and "
                    + "\(MetaPage.size) bytes are known. Open the store with the program, or on a machine, like the one that "
                    + "wrote it; nothing was changed.")
        }
        let header = block.withUnsafeBytes { bytes in
            let state = UInt32(littleEndian: bytes.number(at: 12))
            let pages = (0..<2).map { Array(bytes[(40 + $0 * MetaPage.size)..<(40 + ($0 + 1) * MetaPage.size)]) }
            let session = bytes[(Self.sessionOffset + 1)...].prefix(Int(bytes[Self.sessionOffset]))
            let row = Array(bytes[Self.identityOffset...].prefix(SnapshotIdentity.rowSize))
            let checksum = UInt64(littleEndian: bytes.number(at: Self.identityOffset + SnapshotIdentity.rowSize))
            return WriteAheadHeader(
                isEnabled: state != 0, syncFailed: state == 2, generation: UInt64(littleEndian: bytes.number(at: 16)),
                salt: UInt64(littleEndian: bytes.number(at: 24)),
                pageSize: Int(UInt32(littleEndian: bytes.number(at: 32))),
                session: String(decoding: session, as: UTF8.self), metaPages: state != 0 ? pages : [],
                identity: state != 0 ? SnapshotIdentity(row: row, checksum: checksum) : nil)
        }
        // No environment reaches this number by counting: the checksum was computed over invalid bytes.
        guard header.transaction < MetaPage.transactionLimit else { return nil }
        self = header
    }
}
