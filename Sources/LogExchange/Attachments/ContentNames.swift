public import EventLog
public import Events
import Synchronization

/// Which attachments' bytes members of a journal may ask for: those that a counting commit of its log names, so that a request says
/// nothing about any others.
package final class ContentNames: Sendable {
    /// What the commit names that was asked for last: a large one is not read again for each of its contents, and of their parts.
    private struct Known {
        let commit: CommitID
        /// Where it changes, other commits count.
        let rewrites: UInt64
        let contents: Set<ContentID>
    }

    private let log: Log
    private let known = Mutex<Known?>(nil)

    package init(_ log: Log) { self.log = log }

    package func contain(_ content: NamedContent) throws -> Bool { try log.read { try contain(content, $0) } }

    func contain(_ content: NamedContent, _ log: borrowing LogSnapshot) throws -> Bool {
        let rewrites = try log.rewriteCount()
        if let known = known.withLock({ $0 }), known.commit == content.commit, known.rewrites == rewrites {
            return known.contents.contains(content.content)
        }
        let contents = try log.contents(namedBy: content.commit)
        // A commit that is not here yet may be in a moment.
        if !contents.isEmpty {
            known.withLock { $0 = Known(commit: content.commit, rewrites: rewrites, contents: contents) }
        }
        return contents.contains(content.content)
    }

    /// Throws `ExchangeError.notAuthorized` unless a commit names the bytes.
    package func check(_ content: NamedContent) throws {
        guard try contain(content) else {
            throw ExchangeError(
                .notAuthorized,
                "No commit that counts here names these bytes. Exchange commits first, and ask with the commit that names them."
            )
        }
    }
}

/// Some bytes, and a commit that names them in the journal: by which a server verifies that a member may have them.
public struct NamedContent: Hashable, Sendable {
    public let content: ContentID
    public let commit: CommitID

    public init(_ content: ContentID, in commit: CommitID) {
        self.content = content
        self.commit = commit
    }
}
