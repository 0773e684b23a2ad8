public import EventLog
import Events
public import Foundation
import LMDB
import Platform

/// Writes a bundle: a file that holds all of a log, or just what somebody lacks.
public enum BundleWriter {
    /// Writes what a log has beyond a frontier, or all of it, to a file, in the place of any that is there: whole or not at
    /// all, and durable. Memory holds a stretch at a time.
    ///
    /// Throws `ExchangeError.unusableFile`, `EventLogError`, or `CancellationError`; the file is then as it was.
    public static func write(_ log: Log, lacking since: Frontier = .empty, to file: URL) async throws -> BundleSummary {
        try await log.signHead()
        let worker = WorkerThread(name: "tripstore.bundle")
        let output = try await worker.run { try BundleOutput(file) }
        do {
            let (header, stretches, journal) = try log.read { log in
                let frontier = try Frontier(log)
                let journal = try log.journal()
                // What the reader holds and this log does not is of no use to either.
                let known = try since.heads.filter { try log.holds($0, in: journal) }
                return (
                    (
                        try log.replica(), try log.deviceName(), Frontier(journal: journal, heads: known), frontier,
                        try log.erasureDigest()
                    ),
                    try log.stretches(towards: frontier.heads, lackedBy: known, in: journal), journal
                )
            }
            var summary = BundleSummary(
                BundleHeader(
                    replica: header.0, name: header.1, created: log.wallClock, since: header.2, frontier: header.3,
                    erasures: header.4))
            let first = BundleRecord.header(summary.header)
            try await worker.run { try output.add(first) }
            for stretch in stretches {
                try await log.forEachSegment(of: [stretch], in: journal) { segment in
                    summary.add(segment)
                    try await worker.run { try output.add(.segment(segment)) }
                }
            }
            // Also of commits that the reader holds: without them what was erased would come back from there.
            try await log.forEachErasureBatch(for: ErasureRequest(journal: journal, states: [])) { batch in
                try await worker.run { try output.add(.erasures(batch)) }
            }
            let end = BundleRecord.end(segments: UInt64(summary.segments), commits: UInt64(summary.commits))
            summary.fileSize = try await worker.run { try output.finish(with: end) }
            return summary
        } catch {
            try? await worker.run { output.discard() }
            throw error
        }
    }
}

/// A file being written beside the one whose place it is to take.
///
/// `@unchecked Sendable`: it is used on one worker thread, one call after the other.
private final class BundleOutput: @unchecked Sendable {
    private let target: String
    private let temporary: String
    private let descriptor: Int32
    private var digest = DigestBuilder()
    private var size = 0

    init(_ file: URL) throws {
        target = file.path
        temporary = "\(target).\(UUID().uuidString.prefix(8)).part"
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(target, "created") }
        do { try write(BundleRecord.magic) } catch {
            discard()
            throw error
        }
    }

    deinit { close(descriptor) }

    func add(_ record: BundleRecord) throws {
        let bytes = record.encoded()
        try write(UInt32(bytes.count).bigEndianBytes)
        try write(bytes)
    }

    /// Writes the end and the checksum, and moves the file into place; answers its size.
    func finish(with record: BundleRecord) throws -> Int {
        try add(record)
        try write(digest.finish().bytes)
        guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw Self.failure(target, "written") }
        try Folder.sync(URL(fileURLWithPath: target).deletingLastPathComponent().path)
        return size
    }

    func discard() { unlink(temporary) }

    private func write(_ bytes: [UInt8]) throws {
        digest.add(bytes)
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Foundation.write(descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(target, "written") }
            offset += count
        }
        size += bytes.count
    }

    private static func failure(_ path: String, _ what: String) -> ExchangeError {
        ExchangeError(
            .unusableFile,
            "The bundle \(path) could not be \(what): \(String(cString: strerror(errno))). Check the folder, its "
                + "permissions and the room on the disk.")
    }
}
