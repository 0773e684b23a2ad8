import EventLog

extension LineSegment {
    /// The feature of commits that erase, take back, or set the journal's period. See *Erasing* in the log format.
    private static let erasingFeature: UInt32 = 16

    /// Whether a commit of it erases something or takes an erasure back. O(commits).
    var hasErasingCommits: Bool {
        commits.contains { bytes in
            bytes.withUnsafeBytes { raw in
                ((try? CommitView(raw))?.header.features ?? 0) & Self.erasingFeature != 0
            }
        }
    }
}
