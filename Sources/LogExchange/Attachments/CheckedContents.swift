import EventLog
import Events
import Synchronization

/// The bytes beside a log, for members of its journal: those alone that a counting commit of the log names, so that a request says
/// nothing about any others.
struct CheckedContents: ContentPeer {
    private let log: Log
    private let folder: ContentFolder
    private let peer: FolderContents
    private let names = LastNames()

    init(_ log: Log, _ folder: ContentFolder) {
        self.log = log
        self.folder = folder
        peer = FolderContents(folder)
    }

    /// What the commit names that was asked for last: a large one is not read again for each of its contents, and of their parts.
    private final class LastNames: Sendable {
        private struct Known {
            let commit: CommitID
            /// Where it changes, other commits count.
            let rewrites: UInt64
            let contents: Set<ContentID>
        }

        private let known = Mutex<Known?>(nil)

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
    }

    private func check(_ content: NamedContent) throws {
        guard try log.read({ try names.contain(content, $0) }) else {
            throw ExchangeError(
                .notAuthorized,
                "No commit that counts here names these bytes. Exchange commits first, and ask with the commit that names them."
            )
        }
    }

    private func admit(_ content: ContentID) async throws {
        try await folder.worker.run { [folder, log] in
            try folder.room.admit(content, to: folder, most: log.quotas.attachmentBytes)
        }
    }

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        if folder.isTidyingDue { try await folder.worker.run { [folder, log] in try folder.tidyIfDue(log) } }
        let named = try await folder.worker.run { [log, names] in
            try log.read { log in try contents.map { try names.contain($0, log) } }
        }
        let held = try await peer.held(zip(contents, named).filter(\.1).map(\.0), keeping: keeping)
        var answers = held.makeIterator()
        return named.map { $0 && (answers.next() ?? false) }
    }

    func outline(of content: NamedContent) async throws -> ContentOutline? {
        try check(content)
        return try await peer.outline(of: content)
    }

    func parts(
        _ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        try check(content)
        try await peer.parts(range, of: content, body)
    }

    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int {
        try check(content)
        try await admit(content.content)
        return try await peer.begin(content, outline)
    }

    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws {
        try check(content)
        // Others have begun.
        if content.content.partCount == 1 {
            try await admit(content.content)
        }
        try await peer.store(part, at: index, of: content)
    }
}
