import EventLog
import Events

/// The bytes beside a log, for members of its journal: those alone that a counting commit of the log names, so that a request says
/// nothing about any others.
struct CheckedContents: ContentPeer {
    private let log: Log
    private let peer: FolderContents
    private let room: AttachmentRoom

    init(_ log: Log, _ folder: ContentFolder) {
        self.log = log
        peer = FolderContents(folder)
        room = AttachmentRoom(folder)
    }

    private func check(_ content: NamedContent) throws {
        guard try log.read({ try $0.names(content) }) else {
            throw ExchangeError(
                .notAuthorized,
                "No commit that counts here names these bytes. Exchange commits first, and ask with the commit that names them."
            )
        }
    }

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        let named = try log.read { log in try contents.map { try log.names($0) } }
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
        try await room.admit(content.content, most: log.quotas.attachmentBytes)
        return try await peer.begin(content, outline)
    }

    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws {
        try check(content)
        // Others have begun.
        if content.content.partCount == 1 {
            try await room.admit(content.content, most: log.quotas.attachmentBytes)
        }
        try await peer.store(part, at: index, of: content)
    }
}
