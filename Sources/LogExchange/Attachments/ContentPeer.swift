import EventLog
public import Events

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

    /// Stores the next part there, after `begin`, which bytes of one part need not; with the last one they are durable.
    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws
}

/// A folder of this process as the peer of an exchange, without checks: for stores of the same user.
public struct FolderContents: ContentPeer {
    let folder: ContentFolder
    private let intakes: ContentIntakes

    public init(_ folder: ContentFolder) {
        self.folder = folder
        intakes = ContentIntakes()
    }

    public func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        try await folder.worker.run { [folder] in
            try contents.map { keeping ? try folder.keep($0.content) : folder.holds($0.content) }
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
        try await folder.worker.run { [folder, intakes] in
            guard !folder.holds(outline.content) else { return outline.content.partCount }
            return try intakes.begin(outline, in: folder)
        }
    }

    public func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws {
        try await folder.worker.run { [folder, intakes] in
            try intakes.put(part, at: index, of: content.content, in: folder)
        }
    }
}
