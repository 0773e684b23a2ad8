import EventLog
import Events

/// The bytes beside a log, for members of its journal: those alone that a counting commit of the log names, so that a request says
/// nothing about any others; and no more than the log's quota.
struct CheckedContents: ContentPeer {
    private let log: Log
    private let folder: ContentFolder
    private let peer: FolderContents
    private let names: ContentNames

    init(_ log: Log, _ folder: ContentFolder) {
        self.log = log
        self.folder = folder
        names = ContentNames(log)
        peer = FolderContents(folder, most: log.quotas.attachmentBytes)
    }

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        // Tidying that fails now, as on a full disk, is done later: no request fails for it.
        if folder.isTidyingDue { try? await folder.worker.run { [folder, log] in try folder.tidyIfDue(log) } }
        let named = try await folder.worker.run { [log, names] in
            try log.read { log in try contents.map { try names.contain($0, log) } }
        }
        let held = try await peer.held(zip(contents, named).filter(\.1).map(\.0), keeping: keeping)
        var answers = held.makeIterator()
        return named.map { $0 && (answers.next() ?? false) }
    }

    func outline(of content: NamedContent) async throws -> ContentOutline? {
        try names.check(content)
        return try await peer.outline(of: content)
    }

    func parts(
        _ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        try names.check(content)
        try await peer.parts(range, of: content, body)
    }

    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int {
        try names.check(content)
        return try await peer.begin(content, outline)
    }

    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int {
        try names.check(content)
        return try await peer.store(part, at: index, of: content)
    }
}
