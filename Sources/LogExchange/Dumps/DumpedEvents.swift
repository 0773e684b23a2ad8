import EventLog
package import Events
package import Foundation

/// The decoded commits of a dump in the order of the merge, in which every commit follows those that its author had seen.
///
/// The whole file is checked before. Memory holds a line, and 48 bytes for each commit and each other time of writes.
package final class DumpedEvents: Sendable {
    /// Where a commit is in the file.
    private struct Place: Sendable {
        let timestamp: Timestamp
        let replica: ReplicaID
        /// The beginning of its hash.
        let hash: UInt64
        let offset: Int64
        let line: Int
    }

    package let header: DumpHeader
    /// The number of commits.
    package var count: Int { places.count }
    /// Their events.
    package let eventCount: Int
    private let path: String
    private let places: [Place]
    /// The names of writes that were brought from elsewhere before.
    private let brought: Set<Seen>

    /// Reads through a file. Its commits' bytes are not needed. `progress` is called with the bytes that were read, and those of the file.
    ///
    /// Throws `DumpError`, or `CancellationError`.
    package init(
        _ file: URL, progress: @escaping @Sendable (_ read: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws {
        let path = file.path
        let worker = WorkerThread(name: "tripstore.dump")
        (header, places, brought, eventCount) = try await worker.run(cancellable: { flag in
            try Self.places(path) { read, total in
                try flag.check()
                progress(read, total)
            }
        })
        self.path = path
    }

    /// The bytes are checked as JSON, and not read.
    private static let passedOver = PassedOver(
        ["bytes", "statements", "introduction", "erased"], inner: ["name", "value", "kindName", "index"])

    /// Checks a whole file; returns what it has.
    static func read(_ path: String) throws -> (header: DumpHeader, commits: Int, events: Int) {
        let (header, places, _, events) = try places(path) { _, _ in }
        return (header, places.count, events)
    }

    private static func places(
        _ path: String, progress: (_ read: Int64, _ total: Int64) throws -> Void
    ) throws -> (DumpHeader, [Place], brought: Set<Seen>, events: Int) {
        let reader = try DumpReader(path, passingOver: passedOver)
        var places: [Place] = []
        var brought: Set<Seen> = []
        var events = 0
        while let record = try reader.next() {
            switch record {
            case .beginning: throw reader.fault(.malformedDump, "a dump has one first line, and this is a second")
            case .segment, .unknown: break
            case .commit(let object):
                let commit: DumpedCommit
                do { commit = try DumpedCommit(object) } catch { throw reader.located(error) }
                events += commit.events.count
                for event in commit.events where event.original != nil {
                    let writes = commit.writes(of: event)
                    if writes.hash == 0 { brought.insert(writes.name) }
                }
                places.append(
                    Place(
                        timestamp: commit.timestamp, replica: commit.id.replica, hash: commit.id.hash.numbers.0,
                        offset: reader.lines.offset, line: reader.lines.number))
            case .end:
                guard try reader.next() == nil else {
                    throw reader.fault(.malformedDump, "the dump goes on after its end")
                }
                places.sort { ($0.timestamp, $0.replica, $0.hash) < ($1.timestamp, $1.replica, $1.hash) }
                return (reader.header, places, brought, events)
            }
            try progress(reader.lines.offset, reader.lines.size)
        }
        throw reader.cutOff()
    }

    /// The times that the writes have when one replica writes them anew, all before a ceiling.
    package func times(before ceiling: Timestamp) -> DumpTimes {
        let own = places.map {
            DumpTimes.Writes(name: Seen(timestamp: $0.timestamp, replica: $0.replica), hash: $0.hash)
        }
        return DumpTimes((own + brought.map { DumpTimes.Writes(name: $0, hash: 0) }).sorted(), before: ceiling)
    }

    /// Calls `body` with every commit. Throws `DumpError` if the file was changed meanwhile, what `body` throws, or `CancellationError`.
    package func forEachCommit(_ body: (DumpedCommit) async throws -> Void) async throws {
        let worker = WorkerThread(name: "tripstore.dump")
        let lines = try await worker.run { [path] in SentLines(lines: try DumpLines(path)) }
        for place in places {
            try Task.checkCancellation()
            try await body(try await worker.run { try Self.commit(at: place, in: lines.lines) })
        }
    }

    private static func commit(at place: Place, in lines: DumpLines) throws -> DumpedCommit {
        // Mostly the next line.
        if lines.nextOffset != place.offset { try lines.seek(to: place.offset, line: place.line) }
        do {
            guard let line = try lines.next() else { throw DumpError(.cutOffDump, "the file has become shorter") }
            let commit = try DumpedCommit(try DumpLineParser.object(line, passingOver: passedOver))
            guard commit.timestamp == place.timestamp, commit.id.hash.numbers.0 == place.hash else {
                throw DumpError(.malformedDump, "the file was changed while it was read")
            }
            return commit
        } catch let error as DumpError { throw error.located(in: lines.path, line: place.line) }
    }

    /// `@unchecked Sendable`: they are used on one worker thread, one call at a time.
    private struct SentLines: @unchecked Sendable { let lines: DumpLines }
}
