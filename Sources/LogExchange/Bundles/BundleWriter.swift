package import EventLog
public import Events
package import Foundation
import LMDB
import Platform

/// Writes a bundle: a file with a whole log, or only with what its reader lacks.
public enum BundleWriter {
    /// Writes what a log has beyond a frontier, or all of it, to a file: atomically and durably. Memory holds a segment
    /// at a time, or those that are packed as one.
    ///
    /// It is packed by the best algorithm of this system if none is named; readers need its library too.
    ///
    /// The file replaces nothing, a bundle, or, with `replacingOtherFiles`, any regular file. A symbolic link stays,
    /// and the file that it leads to is written; devices, pipes and paths in a store are refused.
    ///
    /// The bytes of `attachments` follow the commits, as far as they are here; a damaged one is left out, and named in the summary.
    ///
    /// Throws `ExchangeError`: `.unusableFile`, `.unavailableCompression`; `EventLogError`, or `CancellationError`; the file is then unchanged.
    package static func write(
        _ log: Log, lacking since: Frontier = .empty, attachments: BundledAttachments? = nil, to file: URL,
        compression: Compression? = nil, replacingOtherFiles: Bool = false
    ) async throws -> BundleSummary {
        try await write(log, lacking: since, attachments: attachments, try BundlePacking(compression)) { packing in
            try BundleOutput(.file(.begun(file.path, replacing: replacingOtherFiles ? .anyFile : .bundles)), packing)
        }
    }

    /// Writes the same to a stream, such as a pipe. A reader detects whether it got all of it.
    ///
    /// Throws `ExchangeError.unavailableCompression`, `EventLogError`, `CancellationError`, or what the stream throws.
    package static func write(
        _ log: Log, lacking since: Frontier = .empty, attachments: BundledAttachments? = nil,
        compression: Compression? = nil, to stream: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> BundleSummary {
        try await write(log, lacking: since, attachments: attachments, try BundlePacking(compression)) {
            try BundleOutput(.stream(stream), $0)
        }
    }

    static func write(
        _ log: Log, lacking since: Frontier, attachments: BundledAttachments? = nil, _ packing: BundlePacking,
        _ begin: @escaping @Sendable (BundlePacking) throws -> BundleOutput
    ) async throws -> BundleSummary {
        let worker = WorkerThread(name: "tripstore.bundle")
        let output = try await worker.run { try begin(packing) }
        do {
            var (head, ranges) = try await contents(of: log, lacking: since)
            let journal = log.journal
            if packing.algorithm != .none { head.version = BundleHeader.currentVersion }
            var summary = BundleSummary(head)
            let first = BundleRecord.header(head)
            try await worker.run { try output.add(first) }
            try await log.forEachSegment(of: ranges, in: journal) { segment in
                summary.add(segment)
                try await worker.run { try output.add(.segment(segment)) }
            }
            for content in attachments?.contents ?? [] {
                try Task.checkCancellation()
                do {
                    guard try await worker.run({ try attachments?.write(content, to: output) ?? false }) else {
                        continue
                    }
                    summary.contents.append(content)
                } catch let error as ContentError {
                    summary.leftOut.append(error)
                }
            }
            let end = BundleRecord.end(segments: UInt64(summary.segments), commits: UInt64(summary.commits))
            let written = try await worker.run { try output.finish(with: end) }
            summary.fileSize = written.size
            summary.unpackedSize = written.unpackedSize
            summary.compressions = written.compressions
            return summary
        } catch {
            try? await worker.run { output.discard() }
            throw error
        }
    }

    /// What a log has beyond a frontier, signed to its end: the header of a bundle of it, and the commits.
    static func contents(
        of log: Log, lacking since: Frontier
    ) async throws -> (header: BundleHeader, ranges: [LineRange]) {
        try await log.signHead()
        let created = log.wallClock
        return try log.read { log in
            let frontier = try Frontier(log)
            let journal = try log.journal()
            // Commits that the reader holds and this log does not are useless here.
            let known = try since.heads.filter { try log.holds($0, in: journal) }
            let header = BundleHeader(
                replica: try log.replica(), name: try log.deviceName(), created: created,
                since: Frontier(journal: journal, heads: known), frontier: frontier)
            return (header, try log.ranges(towards: frontier.heads, lackedBy: known, in: journal))
        }
    }
}

/// Attachments whose bytes a bundle is to have, and the folder in which they lie.
public struct BundledAttachments: Sendable {
    let contents: [ContentID]
    let folder: ContentFolder

    public init(_ contents: [ContentID], in folder: ContentFolder) {
        self.contents = contents
        self.folder = folder
    }

    /// Returns false if the bytes are not here. Throws `ContentError.damaged` among others: what was written until then counts for nothing.
    fileprivate func write(_ content: ContentID, to output: BundleOutput) throws -> Bool {
        guard let outline = try folder.outline(of: content) else { return false }
        try output.add(.content(outline))
        try folder.read(0..<content.partCount, of: outline) { try output.add(.part($0)) }
        return true
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
            return try OutputFile(at: OutputDestination(path, replacing: replacing), isPrivate: true)
        } catch {
            throw ExchangeError(error)
        }
    }
}
