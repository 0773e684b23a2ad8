import EventLog
import Events

/// The chains of a dump's segments, checked in the order of the file: each segment follows a commit before it, at a later time, and no commit
/// is there twice.
///
/// A receiver finds the same, but only after it has stored what comes before. Some 32 bytes for each commit.
struct DumpChains {
    /// When each commit was written, by the beginning of its hash. Who makes two commits with one beginning deceives this check alone, and
    /// not the receiver.
    private var timestamps: [UInt64: Timestamp] = [:]

    /// Adds a segment whose own commits were checked. Returns their names. Throws `DumpError` without a line.
    mutating func add(_ segment: LineSegment) throws(DumpError) -> [CommitID] {
        let commits = segment.commitIDs()
        var before: Timestamp?
        if segment.first.rawValue > 1 {
            guard let found = timestamps[segment.previous.numbers.0] else {
                throw DumpError(
                    .cutOffDump,
                    "the segment follows commit \(segment.first.rawValue - 1) of replica \(segment.replica) with the hash "
                        + "\(segment.previous), which is not before it in the dump")
            }
            before = found
        }
        for (commit, bytes) in zip(commits, segment.commits) {
            guard let timestamp = bytes.withUnsafeBytes({ try? CommitView($0).header.timestamp }) else {
                throw DumpError(.alteredDump, "the bytes are no commit")
            }
            // Within a segment the times were compared.
            if let earlier = before, timestamp <= earlier {
                throw DumpError(
                    .alteredDump,
                    "the segment goes back in time at commit \(commit.sequence) of replica \(commit.replica)")
            }
            before = nil
            guard timestamps.updateValue(timestamp, forKey: commit.hash.numbers.0) == nil else {
                throw DumpError(
                    .malformedDump, "commit \(commit.sequence) of replica \(commit.replica) is there twice")
            }
        }
        return commits
    }
}
