import EventLog
import Events
import Foundation

/// Reads a bundle file record by record, packed ones unpacked. Memory holds one record of the file, and what is packed in it.
///
/// `@unchecked Sendable`: it is used on one worker thread, one call at a time.
final class BundleReader: @unchecked Sendable {
    private let path: String
    private let file: FileHandle
    private var digest = DigestBuilder()
    /// Bytes read so far; after the last record, the size of the file.
    private(set) var offset = 0
    /// The same without compression.
    var unpackedSize: Int { offset + savedSize }
    /// Those of the packed records so far.
    private(set) var compressions: Set<Compression> = []

    private let libraries: CompressionLibraries
    private var savedSize = 0
    private var version: UInt32 = 0
    /// The records that were packed as one, and how many of their bytes were read.
    private var block: (bytes: [UInt8], offset: Int) = ([], 0)

    /// Opens a file and checks that it begins as a bundle does. Throws `ExchangeError`: `.notAStore`, `.unusableFile`.
    init(_ path: String, _ libraries: CompressionLibraries = .system) throws {
        self.path = path
        self.libraries = libraries
        var status = stat()
        guard stat(path, &status) == 0 || errno != ENOENT else {
            throw ExchangeError(.notAStore, "There is no bundle at \(path). Check the path.")
        }
        // Opening a pipe would block, and a bundle is read in several passes, of which a pipe allows one.
        guard status.st_mode & S_IFMT != S_IFIFO else {
            throw ExchangeError(.unusableFile, "\(path) is a pipe. Save what comes from it to a file first.")
        }
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ExchangeError(
                .unusableFile,
                "The bundle \(path) cannot be read: \(String(cString: strerror(errno))). Check its permissions.")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let magic = try? take(BundleRecord.magic.count), magic == BundleRecord.magic else {
            throw ExchangeError(.notAStore, "\(path) is no bundle of a store.")
        }
    }

    deinit { try? file.close() }

    /// The next record; nil after the last, once the checksum was verified. None is a packed one.
    ///
    /// Throws `ExchangeError`: `.damagedBundle`, `.newerVersion`, or `.unavailableCompression`.
    func next() throws -> BundleRecord? {
        while true {
            if let record = try nextOfBlock() { return record }
            let bytes = try take(try length(of: take(4)))
            let record = try record(bytes[...], at: offset - bytes.count)
            switch record {
            case .header(let header):
                guard header.version <= BundleHeader.currentVersion else {
                    throw ExchangeError(
                        .newerVersion,
                        "The bundle \(path) has version \(header.version), and \(BundleHeader.currentVersion) is the newest "
                            + "that is known here. Use a newer version.")
                }
                version = header.version
                return record
            case .packed(let message): try unpack(message, from: 4 + bytes.count)
            case .end:
                try checkEnd()
                return record
            case nil where version == 0: throw damaged("does not begin with a header")
            case nil: continue
            default: return record
            }
        }
    }

    /// Goes on at a record that was read before, at the offset that its reader then had; the checksum is not looked at again.
    func resume(at place: Int, of header: BundleHeader) throws {
        do { try file.seek(toOffset: UInt64(place)) } catch {
            throw ExchangeError(.unusableFile, "The bundle \(path) cannot be read from byte \(place) on.", cause: error)
        }
        (offset, version, block) = (place, header.version, ([], 0))
    }

    private func length(of bytes: [UInt8]) throws -> Int {
        let length = bytes.withUnsafeBytes { Int($0.bigEndian(UInt32.self)) }
        guard length <= BundleRecord.largestRecord else {
            throw damaged("has a record of \(length) bytes, and \(BundleRecord.largestRecord) are the most")
        }
        return length
    }

    /// Nil for an unknown kind of record.
    private func record(_ bytes: ArraySlice<UInt8>, at place: Int) throws -> BundleRecord? {
        do { return try bytes.withUnsafeBytes { try BundleRecord($0) } } catch {
            throw damaged("has a record at byte \(place) that cannot be read: \(error)")
        }
    }

    // MARK: Packed records

    /// `size` is that of the record in the file.
    private func unpack(_ message: [UInt8], from size: Int) throws {
        let place = offset
        // A reader of version 1 skips them, and no two readers may read a file differently.
        guard version >= 2 else { throw damaged("has a packed record before byte \(place), and version \(version)") }
        do {
            try message.withUnsafeBytes { bytes in
                let packed = try PackedMessage(bytes)
                block = (try packed.unpacked(bytes, atMost: BundleRecord.largestBlock, libraries), 0)
                if let algorithm = packed.algorithm, algorithm != .none { compressions.insert(algorithm) }
            }
        } catch let error as WireError {
            throw damaged("has a packed record before byte \(place) that cannot be read: \(error)")
        } catch let error as ExchangeError {
            throw ExchangeError(error.code, "The bundle \(path) cannot be read. \(error.message)")
        }
        savedSize += block.bytes.count - size
    }

    private func nextOfBlock() throws -> BundleRecord? {
        while block.offset < block.bytes.count {
            let left = block.bytes.count - block.offset
            guard left >= 4 else { throw damaged("has a packed record before byte \(offset) that is cut off") }
            let length = try length(of: Array(block.bytes[block.offset..<block.offset + 4]))
            guard length <= left - 4 else { throw damaged("has a packed record before byte \(offset) that is cut off") }
            let start = block.offset + 4
            block.offset = start + length
            switch try record(block.bytes[start..<start + length], at: offset) {
            case nil: continue
            case .segment(let segment): return .segment(segment)
            case .header, .end, .packed, .content, .part:
                throw damaged("has a packed record before byte \(offset) with more than segments in it")
            }
        }
        if !block.bytes.isEmpty { block = ([], 0) }
        return nil
    }

    private func checkEnd() throws {
        let expected = digest.finish().bytes
        guard try take(expected.count) == expected else { throw damaged("has another checksum than its bytes give") }
        guard try read(1)?.isEmpty ?? true else { throw damaged("goes on after its end") }
    }

    private func read(_ count: Int) throws -> Data? {
        do { return try file.read(upToCount: count) } catch {
            throw ExchangeError(
                .unusableFile, "The bundle \(path) cannot be read from byte \(offset) on. Check the medium.",
                cause: error)
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        // In parts, so that a false length costs no more memory than the file has.
        while bytes.count < count {
            guard let part = try read(min(count - bytes.count, 1 << 20)), !part.isEmpty else {
                throw damaged("ends at byte \(offset + bytes.count): it was cut off")
            }
            bytes += part
        }
        offset += count
        digest.add(bytes)
        return bytes
    }

    private func damaged(_ what: String) -> ExchangeError {
        ExchangeError(
            .damagedBundle, "The bundle \(path) \(what). Nothing of it was stored; get it again from where it came.")
    }
}
