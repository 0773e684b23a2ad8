package import EventLog
import Events
package import Foundation

/// A dump with the commits' bytes, as the peer of an exchange: one that offers segments and stores nothing.
///
/// The whole file is checked before anything of it is used: every line, the signature of every segment, and the chains of all of them.
package struct DumpPeer: ExchangePeer {
    package let header: DumpHeader
    /// What the file has.
    package let commits: Int
    package let events: Int
    private let path: String

    /// The members of a commit's line that its bytes say as well, and that nothing is read from.
    private static let decoded = PassedOver(["events", "statements", "introduction", "author", "erased"])

    /// Reads through a file. `progress` is called with the bytes that were read, and those of the file. Memory holds a line, or a segment, and
    /// while the file is checked 32 bytes for each commit.
    ///
    /// Throws `DumpError`, or `CancellationError`.
    package init(
        _ file: URL, progress: @escaping @Sendable (_ read: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws {
        let path = file.path
        let worker = WorkerThread(name: "tripstore.dump")
        let found = try await worker.run(cancellable: { flag in
            try Self.check(path) { read, total in
                try flag.check()
                progress(read, total)
            }
        })
        (self.path, header, commits, events) = (path, found.header, found.commits, found.events)
    }

    /// Checks a whole file; returns what it has.
    static func check(
        _ path: String, progress: (_ read: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws -> (header: DumpHeader, commits: Int, events: Int) {
        let reader = try DumpReader(path, passingOver: decoded)
        var (segments, commits, events) = (0, 0, 0)
        var keys: [ReplicaID: [UInt8]] = [:]
        var chains = DumpChains()
        var announced = Set(reader.header.frontier.heads)
        while let record = try reader.next() {
            switch record {
            case .beginning: throw reader.fault(.malformedDump, "a dump has one first line, and this is a second")
            case .commit: throw reader.fault(.malformedDump, "a commit follows a segment's line, and none is before it")
            case .unknown: break
            case .segment(let found):
                let line = reader.lines.number
                let segment = try reader.segment(found)
                do { keys[segment.replica] = try segment.check(publicKey: keys[segment.replica]) } catch {
                    throw reader.fault(
                        .alteredDump, "the segment does not pass the checks: \(error)".withoutStop, line: line)
                }
                do { announced.subtract(try chains.add(segment)) } catch {
                    throw error.located(in: reader.lines.path, line: line)
                }
                segments += 1
                commits += segment.commits.count
                events += segment.eventCount
            case .end(let saidSegments, let saidCommits):
                guard saidSegments == UInt64(segments), saidCommits == UInt64(commits) else {
                    throw reader.fault(
                        .cutOffDump,
                        "the dump has \(segments) segments of \(commits) commits, and says that it has \(saidSegments) of \(saidCommits)"
                    )
                }
                guard try reader.next() == nil else {
                    throw reader.fault(.malformedDump, "the dump goes on after its end")
                }
                if let missing = announced.first {
                    throw reader.fault(
                        .malformedDump,
                        "the frontier names commit \(missing.sequence) of replica \(missing.replica), which is not in the dump",
                        line: 1)
                }
                return (reader.header, commits, events)
            }
            try progress(reader.lines.offset, reader.lines.size)
        }
        throw reader.cutOff()
    }

    package func greet(_ greeting: Greeting) async throws -> Greeting {
        Greeting(
            journal: header.frontier.journal, replica: header.replica, name: header.name, clock: nil,
            digest: header.frontier.digest, isWritable: false)
    }

    package func frontier() async throws -> Frontier { header.frontier }

    package func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        let replicas = Set(request.wanted.map(\.replica))
        try await forEach { record, reader in
            guard case .segment(let found) = record else { return nil }
            let segment = try reader.segment(found)
            return replicas.contains(segment.replica) ? segment : nil
        } _: {
            try await body($0)
        }
    }

    /// Calls `body` with every segment of the file.
    package func forEachSegment(_ body: (LineSegment) async throws -> Void) async throws {
        try await forEach { record, reader in
            guard case .segment(let found) = record else { return nil }
            return try reader.segment(found)
        } _: {
            try await body($0)
        }
    }

    /// Reads the file again, on a thread of its own.
    private func forEach<Found: Sendable>(
        _ find: @escaping @Sendable (DumpRecord, DumpReader) throws -> Found?, _ body: (Found) async throws -> Void
    ) async throws {
        let worker = WorkerThread(name: "tripstore.dump")
        let reader = try await worker.run { [path] in
            SentReader(reader: try DumpReader(path, passingOver: Self.decoded))
        }
        while let step = try await worker.run({
            try reader.reader.next().map { Step(found: try find($0, reader.reader)) }
        }) {
            if let found = step.found { try await body(found) }
        }
    }

    /// A record that was read, and what was sought in it.
    private struct Step<Found: Sendable>: Sendable { let found: Found? }

    /// `@unchecked Sendable`: the reader is used on one worker thread, one call at a time.
    private struct SentReader: @unchecked Sendable { let reader: DumpReader }

    package func store(_ segments: [LineSegment]) async throws -> Acknowledgement { throw Self.notWritable }

    package func acknowledge(_ acknowledgement: Acknowledgement) async throws {}

    private static var notWritable: ExchangeError {
        ExchangeError(.notWritable, "A dump takes nothing in. Write a new one.")
    }
}

extension String {
    /// Without the full stop at its end: what follows it adds one.
    fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
