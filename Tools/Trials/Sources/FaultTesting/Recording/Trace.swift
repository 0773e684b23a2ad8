import Foundation
import LMDB

/// The operations of processes on the files below a folder, in order, as the preloaded `FileRecorder` recorded them.
struct Trace: Sendable {
    /// One operation. Files are named by their inodes, which may be reused by later files.
    struct Record: Sendable {
        enum Operation: Sendable {
            /// A new, empty file or folder.
            case create(path: String, inode: UInt64, birthTime: Int64, isFolder: Bool)
            case write(inode: UInt64, offset: Int, bytes: ArraySlice<UInt8>, durability: Durability)
            case resize(inode: UInt64, size: Int)
            case rename(from: String, to: String)
            case unlink(path: String)
            case link(path: String, to: String)
            /// What was recorded of the file below a number has reached the medium.
            case sync(inode: UInt64, before: UInt64)
            /// A sync failed: nothing of that is certain ever to reach it.
            case loss(inode: UInt64, before: UInt64)
            /// A line that the workload wrote.
            case mark(String)
        }

        enum Durability: Sendable {
            /// Until a later sync the write may be on the medium, in part or not at all.
            case unsynced
            /// The descriptor syncs what it writes.
            case synced
            /// The descriptor would have synced it and failed.
            case lost
        }

        let number: UInt64
        let operation: Operation
    }

    let records: [Record]

    /// The kinds and sizes of `FileRecorder.h`.
    private enum Layout {
        static let header = 4096
        static let record = 40
        static let (synced, lost): (UInt8, UInt8) = (1, 4)
    }

    /// An empty trace, for the recorder to fill.
    static func create(at path: String) throws {
        var header = [UInt8](repeating: 0, count: Layout.header)
        header.withUnsafeMutableBytes { $0.storeBytes(of: UInt64(Layout.header), as: UInt64.self) }
        try Data(header).write(to: URL(fileURLWithPath: path))
    }

    /// Reads a trace of the operations below a folder; paths are relative to that.
    ///
    /// Throws `FaultTestingError` if it is no such trace.
    init(contentsOf path: String, root: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number<T: FixedWidthInteger>(_ type: T.Type, at offset: Int) -> T {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        }
        guard bytes.count >= Layout.header else { throw FaultTestingError("\(path) is no trace.") }
        let end = Int(clamping: number(UInt64.self, at: 0))
        var records: [Record] = []
        var offset = Layout.header
        while offset < end {
            guard offset + Layout.record <= bytes.count else { throw FaultTestingError("\(path) is cut off.") }
            let next = offset + Int(number(UInt32.self, at: offset))
            let pathEnd = offset + Layout.record + Int(number(UInt16.self, at: offset + 6))
            guard pathEnd <= next, next <= bytes.count else { throw FaultTestingError("\(path) is cut off.") }
            let name = Self.relative(bytes[(offset + Layout.record)..<pathEnd], root)
            let data = bytes[pathEnd..<next]
            let (kind, flags) = (bytes[offset + 4], bytes[offset + 5])
            let inode = number(UInt64.self, at: offset + 16)
            let (a, b) = (number(Int64.self, at: offset + 24), number(Int64.self, at: offset + 32))
            let operation: Record.Operation? =
                switch kind {
                case 1: .create(path: name, inode: inode, birthTime: a, isFolder: b == 1)
                case 2:
                    .write(
                        inode: inode, offset: Int(a), bytes: data,
                        durability: flags & Layout.lost != 0
                            ? .lost : flags & Layout.synced != 0 ? .synced : .unsynced)
                case 3: .resize(inode: inode, size: Int(a))
                case 4: .rename(from: name, to: Self.relative(data, root))
                case 5: .unlink(path: name)
                case 6: .link(path: name, to: Self.relative(data, root))
                case 7: .sync(inode: inode, before: UInt64(a))
                case 8: .loss(inode: inode, before: UInt64(a))
                case 9: .mark(String(decoding: data, as: UTF8.self))
                default: nil
                }
            guard let operation else { throw FaultTestingError("\(path) holds a record of the unknown kind \(kind).") }
            records.append(Record(number: number(UInt64.self, at: offset + 8), operation: operation))
            offset = next
        }
        self.records = records
    }

    private static func relative(_ path: ArraySlice<UInt8>, _ root: String) -> String {
        let path = String(decoding: path, as: UTF8.self)
        return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path == root ? "" : path
    }
}

/// What prevents a fault test; no fault of a store.
public struct FaultTestingError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
