public import EventLog
import Events
public import Foundation

/// A bundle file as the peer of an exchange: one that offers segments and stores nothing.
///
/// The whole file is checked against its checksum before anything of it is used.
public struct BundlePeer: ExchangePeer {
    public let summary: BundleSummary
    /// The attachments' bytes in the file; nil if it has none.
    public let contents: (any ContentPeer)?
    private let path: String
    private let libraries: CompressionLibraries

    /// Reads through a file. Memory holds a segment at a time, or those that are packed as one.
    ///
    /// Throws `ExchangeError`: `.notAStore`, `.unusableFile`, `.damagedBundle`, `.newerVersion`, `.unavailableCompression`.
    public init(_ file: URL) async throws { try await self.init(file, .system) }

    init(_ file: URL, _ libraries: CompressionLibraries) async throws {
        path = file.path
        self.libraries = libraries
        let worker = WorkerThread(name: "tripstore.bundle")
        let (summary, index) = try await worker.run { try Self.checkAndIndex(file.path, libraries) }
        self.summary = summary
        contents = index.isEmpty ? nil : BundleContents(file.path, summary.header, index, libraries)
    }

    /// The contents of a whole file, if every record and its checksum are right.
    static func check(_ path: String, _ libraries: CompressionLibraries = .system) throws -> BundleSummary {
        try checkAndIndex(path, libraries).summary
    }

    private static func checkAndIndex(
        _ path: String, _ libraries: CompressionLibraries
    ) throws -> (summary: BundleSummary, index: BundleIndex) {
        let reader = try BundleReader(path, libraries)
        guard case .header(let header)? = try reader.next() else {
            throw ExchangeError(.damagedBundle, "The bundle \(path) does not begin with a header.")
        }
        var summary = BundleSummary(header)
        var index = BundleIndex()
        while let record = try reader.next() {
            switch record {
            case .packed: continue
            case .header: throw ExchangeError(.damagedBundle, "The bundle \(path) has a second header.")
            case .segment(let segment):
                // A reader of commits stops at the first content.
                guard !index.hasBegun else {
                    throw ExchangeError(
                        .damagedBundle,
                        "The bundle \(path) has commits after an attachment, before byte \(reader.offset).")
                }
                summary.add(segment)
            case .content(let outline): index.begin(outline, at: reader.offset)
            case .part(let part):
                guard index.add(part) else {
                    throw ExchangeError(
                        .damagedBundle, "The bundle \(path) has a part of no attachment before byte \(reader.offset).")
                }
            case .end(let counted, let commits):
                guard counted == UInt64(summary.segments), commits == UInt64(summary.commits) else {
                    throw ExchangeError(
                        .damagedBundle,
                        "The bundle \(path) has \(summary.segments) segments of \(summary.commits) commits, and says that it has "
                            + "\(counted) of \(commits).")
                }
                summary.fileSize = reader.offset
                summary.unpackedSize = reader.unpackedSize
                summary.compressions = reader.compressions
                index.finish()
                summary.contents = index.contents
                return (summary, index)
            }
        }
        return (summary, index)
    }

    public func greet(_ greeting: Greeting) async throws -> Greeting {
        let header = summary.header
        return Greeting(
            journal: header.frontier.journal, replica: header.replica, name: header.name, clock: nil,
            digest: header.frontier.digest, isWritable: false)
    }

    public func frontier() async throws -> Frontier { summary.header.frontier }

    public var required: Frontier { summary.header.since }

    public func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        let replicas = Set(request.wanted.map(\.replica))
        let worker = WorkerThread(name: "tripstore.bundle")
        let reader = try await worker.run { [path, libraries] in try BundleReader(path, libraries) }
        while let record = try await worker.run({ try reader.next() }) {
            switch record {
            case .header, .packed: continue
            // Attachments come last.
            case .end, .content, .part: return
            case .segment(let segment): if replicas.contains(segment.replica) { try await body(segment) }
            }
        }
    }

    public func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        throw ExchangeError(.notWritable, "A bundle takes nothing in. Write a new one.")
    }

    public func acknowledge(_ acknowledgement: Acknowledgement) async throws {}
}
