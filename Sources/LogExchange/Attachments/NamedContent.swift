public import EventLog
public import Events

/// Some bytes, and a commit that names them in the journal: by which a server verifies that a member may have them.
public struct NamedContent: Hashable, Sendable {
    public let content: ContentID
    public let commit: CommitID

    public init(_ content: ContentID, in commit: CommitID) {
        self.content = content
        self.commit = commit
    }
}
