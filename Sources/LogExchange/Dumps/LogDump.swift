package import EventLog
package import Events

/// What a log hands over for a dump, part by part.
package enum DumpPart: Sendable {
    case beginning(DumpSource)
    /// Commits of a line, and each as this log has it.
    case segment(LineSegment, [RecordedCommit])
    case end(segments: Int, commits: Int)
}

/// The log that is dumped.
package struct DumpSource: Sendable {
    package let journal: JournalID
    package let replica: ReplicaID
    package let name: String
    package let created: Int64
    package let frontier: Frontier
}

/// Reads a whole log as a bundle would have it.
package enum LogDump {
    /// Signs the log's own line up to its end if it can be written to, and calls `body` with each part. Memory holds a segment.
    ///
    /// Throws `EventLogError`, what `body` throws, or `CancellationError`.
    package static func read(_ log: Log, _ body: (DumpPart) async throws -> Void) async throws {
        let (header, ranges) = try await BundleWriter.contents(of: log, lacking: .empty)
        let journal = log.journal
        try await body(
            .beginning(
                DumpSource(
                    journal: journal, replica: header.replica, name: header.name, created: header.created,
                    frontier: header.frontier)))
        var (segments, commits) = (0, 0)
        try await log.forEachSegment(of: ranges, in: journal) { segment in
            segments += 1
            commits += segment.commits.count
            try await body(.segment(segment, try recorded(segment, in: log)))
        }
        try await body(.end(segments: segments, commits: commits))
    }

    private static func recorded(_ segment: LineSegment, in log: Log) throws -> [RecordedCommit] {
        try log.read { log in
            try zip(segment.commitIDs(), segment.commits).map { id, bytes in
                let timestamp = try bytes.withUnsafeBytes { try CommitView($0).header.timestamp }
                let stamp = Stamp(timestamp: timestamp, replica: id.replica, hash: id.hash)
                guard let position = try log.position(of: id.sequence, with: stamp, in: segment.journal),
                    // Its events are written again by a load that needs no bytes: not those that are hidden.
                    let commit = try log.commit(at: position)
                else {
                    throw EventLogError(
                        .damaged,
                        "Commit \(id.sequence) of replica \(id.replica) is not where it was. Verify the log to see how far the damage goes."
                    )
                }
                return RecordedCommit(commit)
            }
        }
    }
}
