public import EventLog
import Events
public import Foundation
import LMDB
import Platform

/// Writes a bundle: a file with a whole log, or only with what its reader lacks.
public enum BundleWriter {
    /// Writes what a log has beyond a frontier, or all of it, to a file: atomically and durably. Memory holds a segment
    /// at a time.
    ///
    /// The file replaces nothing, a bundle, or, with `replacingOtherFiles`, any regular file. A symbolic link stays,
    /// and the file that it leads to is written; devices, pipes and paths in a store are refused.
    ///
    /// Throws `ExchangeError.unusableFile`, `EventLogError`, or `CancellationError`; the file is then unchanged.
    public static func write(
        _ log: Log, lacking since: Frontier = .empty, to file: URL, replacingOtherFiles: Bool = false
    ) async throws -> BundleSummary {
        try await write(log, lacking: since) {
            try BundleOutput(.file(.begun(file.path, replacing: replacingOtherFiles ? .anyFile : .bundles)))
        }
    }

    /// Writes the same to a stream, such as a pipe. A reader detects whether it got all of it.
    ///
    /// Throws `EventLogError`, `CancellationError`, or what the stream throws.
    public static func write(
        _ log: Log, lacking since: Frontier = .empty, to stream: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> BundleSummary {
        try await write(log, lacking: since) { try BundleOutput(.stream(stream)) }
    }

    private static func write(
        _ log: Log, lacking since: Frontier, _ begin: @escaping @Sendable () throws -> BundleOutput
    ) async throws -> BundleSummary {
        let worker = WorkerThread(name: "tripstore.bundle")
        let output = try await worker.run { try begin() }
        do {
            try await log.signHead()
            let (header, ranges, journal) = try log.read { log in
                let frontier = try Frontier(log)
                let journal = try log.journal()
                // Commits that the reader holds and this log does not are useless here.
                let known = try since.heads.filter { try log.holds($0, in: journal) }
                return (
                    (
                        try log.replica(), try log.deviceName(), Frontier(journal: journal, heads: known), frontier,
                        try log.erasureDigest()
                    ),
                    try log.ranges(towards: frontier.heads, lackedBy: known, in: journal), journal
                )
            }
            var summary = BundleSummary(
                BundleHeader(
                    replica: header.0, name: header.1, created: log.wallClock, since: header.2, frontier: header.3,
                    erasures: header.4))
            let first = BundleRecord.header(summary.header)
            try await worker.run { try output.add(first) }
            for range in ranges {
                try await log.forEachSegment(of: [range], in: journal) { segment in
                    summary.add(segment)
                    try await worker.run { try output.add(.segment(segment)) }
                }
            }
            // Also of commits that the reader holds: without them erased bytes would return from there.
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

/// Writes a bundle's bytes to a file or a stream.
///
/// `@unchecked Sendable`: it is used on one worker thread, one call at a time.
private final class BundleOutput: @unchecked Sendable {
    enum Target {
        case file(OutputFile)
        case stream(@Sendable ([UInt8]) throws -> Void)
    }

    private let target: Target
    private var digest = DigestBuilder()
    private var size = 0

    init(_ target: Target) throws {
        self.target = target
        do { try write(BundleRecord.magic) } catch {
            discard()
            throw error
        }
    }

    func add(_ record: BundleRecord) throws {
        let bytes = record.encoded()
        try write(UInt32(bytes.count).bigEndianBytes)
        try write(bytes)
    }

    /// Writes the end record and the checksum, and moves a file to its destination; returns the size.
    func finish(with record: BundleRecord) throws -> Int {
        try add(record)
        try write(digest.finish().bytes)
        if case .file(let file) = target {
            do { try file.finish() } catch { throw ExchangeError(error) }
        }
        return size
    }

    func discard() { if case .file(let file) = target { file.discard() } }

    private func write(_ bytes: [UInt8]) throws {
        digest.add(bytes)
        switch target {
        case .file(let file): do { try file.write(bytes) } catch { throw ExchangeError(error) }
        case .stream(let stream): try stream(bytes)
        }
        size += bytes.count
    }
}

extension OutputDestination.Replacing {
    fileprivate static let bundles = OutputDestination.Replacing.files(
        beginningWith: BundleRecord.magic, kind: "bundle")
}

extension OutputFile {
    /// Begins a bundle for this user alone.
    fileprivate static func begun(
        _ path: String, replacing: OutputDestination.Replacing
    ) throws(ExchangeError) -> OutputFile {
        do throws(OutputError) {
            return try OutputFile(at: OutputDestination(path, replacing: replacing), permissions: 0o600)
        } catch {
            throw ExchangeError(error)
        }
    }
}

extension ExchangeError {
    /// In its words: it is not named as the cause, which the description would repeat.
    fileprivate init(_ error: OutputError) {
        self.init(error.code == .occupied ? .fileExists : .unusableFile, error.description)
    }
}
