import EventLog
import Events
import Foundation

/// Reads a bundle file record by record.
///
/// `@unchecked Sendable`: it is used on one worker thread, one call at a time.
final class BundleReader: @unchecked Sendable {
    private let path: String
    private let file: FileHandle
    private var digest = DigestBuilder()
    /// Bytes read so far; after the last record, the size of the file.
    private(set) var offset = 0

    /// Opens a file and checks that it begins as a bundle does. Throws `ExchangeError`: `.notAStore`, `.unusableFile`.
    init(_ path: String) throws {
        self.path = path
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
            throw ExchangeError(.notAStore, "\(path) is no bundle of a trip store.")
        }
    }

    deinit { try? file.close() }

    /// The next record; nil after the last, once the checksum was verified.
    ///
    /// Throws `ExchangeError.damagedBundle`, or `.newerVersion`.
    func next() throws -> BundleRecord? {
        while true {
            let length = try take(4).withUnsafeBytes { Int($0.bigEndian(UInt32.self)) }
            guard length <= BundleRecord.largestRecord else {
                throw damaged("has a record of \(length) bytes, and \(BundleRecord.largestRecord) are the most")
            }
            let bytes = try take(length)
            let record: BundleRecord?
            do { record = try bytes.withUnsafeBytes { try BundleRecord($0) } } catch {
                throw damaged("has a record at byte \(offset - length) that cannot be read: \(error)")
            }
            switch record {
            case .header(let header) where header.version > BundleHeader.currentVersion:
                throw ExchangeError(
                    .newerVersion,
                    "The bundle \(path) has version \(header.version), and \(BundleHeader.currentVersion) is the newest "
                        + "that is known here. Use a newer version.")
            case .end:
                try checkEnd()
                return record
            case nil: continue
            default: return record
            }
        }
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
