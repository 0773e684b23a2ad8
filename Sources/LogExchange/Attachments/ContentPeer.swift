import EventLog
public import Events
import Synchronization

/// The attachments' bytes at the other side of an exchange. Every call may be repeated.
public protocol ContentPeer: Sendable {
    /// Which of some contents it holds, whole and durably, in their order: at most `ContentRequest.mostContents`.
    ///
    /// With `keeping` it notes durably that this side relies on them from now on, and holds them for as long as unnamed
    /// bytes are kept.
    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool]

    /// The hashes of the parts; nil if it does not hold the bytes.
    func outline(of content: NamedContent) async throws -> ContentOutline?

    /// Passes some parts to `body`, in order: at most `ContentRequest.mostParts`. The caller verifies them.
    func parts(_ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void) async throws

    /// Begins to store bytes there, or continues. Returns the index of the first part that it lacks, which is their number if it
    /// holds all.
    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int

    /// Stores the next part there, after `begin`, which bytes of one part need not; with the last one they are durable. Returns the index
    /// of the first part that it lacks then, which is a later one: others may be sending the same bytes.
    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int
}

/// A folder of this process as the peer of an exchange, without checks: for stores of the same user.
public final class FolderContents: ContentPeer {
    let folder: ContentFolder
    /// The most bytes of attachments in the folder; nil if there is no bound.
    private let most: Int64?
    /// The outline that the sender began with last: its parts are verified by it. One for each connection, at most 2 MiB.
    private let begun = Mutex<ContentOutline?>(nil)

    public convenience init(_ folder: ContentFolder) { self.init(folder, most: nil) }

    init(_ folder: ContentFolder, most: Int64?) {
        self.folder = folder
        self.most = most
    }

    public func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        try await folder.worker.run { [folder] in
            try contents.map { keeping ? try folder.keep($0.content) : try folder.holds($0.content) }
        }
    }

    public func outline(of content: NamedContent) async throws -> ContentOutline? {
        try await folder.worker.run { [folder] in try folder.outline(of: content.content) }
    }

    public func parts(
        _ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        guard let outline = try await outline(of: content) else { throw folder.missing(content.content) }
        for index in range.clamped(to: 0..<content.content.partCount) {
            try Task.checkCancellation()
            let part = try await folder.worker.run { [folder] in
                var found: [UInt8] = []
                try folder.read(index..<index + 1, of: outline) { found = $0 }
                return found
            }
            try await body(part)
        }
    }

    public func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int {
        begun.withLock { $0 = outline }
        return try await intake(of: outline.content) { try $0.begin() }
    }

    public func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int {
        try await intake(of: content.content) { try $0.put(part, at: index) }
    }

    /// Runs `body`, which returns the first part that is missing, on the folder's thread.
    private func intake(
        of content: ContentID, _ body: @escaping @Sendable (ContentIntake) throws -> Int
    ) async throws -> Int {
        let outline = begun.withLock { $0?.content == content ? $0 : nil } ?? ContentOutline(short: content)
        let next = try await folder.worker.run { [folder, most] in
            guard let outline else {
                // Another sender has completed it.
                if try folder.holds(content) { return content.partCount }
                throw ExchangeError(
                    .malformed, "A part of an attachment was sent, and not the hashes of its parts. Begin with them.")
            }
            return try body(ContentIntake(outline, in: folder, most: most))
        }
        if next == content.partCount { begun.withLock { if $0?.content == content { $0 = nil } } }
        return next
    }
}
