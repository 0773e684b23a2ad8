import EventLog

extension LineSegment {
    /// Whether a commit of it erases something or takes an erasure back. O(commits).
    var hasErasingCommits: Bool {
        commits.contains { bytes in bytes.withUnsafeBytes { (try? CommitView($0))?.header.isErasing ?? false } }
    }
}
