import EventLog
import Events

/// Where the attachments' bytes are in a bundle.
struct BundleIndex {
    struct Place {
        let outline: ContentOutline
        /// Of the record of the first part.
        let offset: Int
    }

    private(set) var contents: [ContentID] = []
    private(set) var places: [ContentID: Place] = [:]
    private var open: (place: Place, parts: Int)?

    var isEmpty: Bool { contents.isEmpty }
    /// Whether the file has a content, complete or not.
    private(set) var hasBegun = false

    mutating func begin(_ outline: ContentOutline, at offset: Int) {
        finish()
        hasBegun = true
        open = (Place(outline: outline, offset: offset), 0)
    }

    /// False if it is no part of what was begun. Its bytes are verified when they are taken in.
    mutating func add(_ part: [UInt8]) -> Bool {
        guard let begun = open, begun.parts < begun.place.outline.content.partCount,
            part.count == begun.place.outline.content.size(ofPart: begun.parts)
        else { return false }
        open = (begun.place, begun.parts + 1)
        return true
    }

    mutating func finish() {
        defer { open = nil }
        guard let open, open.parts == open.place.outline.content.partCount else { return }
        let content = open.place.outline.content
        if places.updateValue(open.place, forKey: content) == nil { contents.append(content) }
    }
}

/// The attachments' bytes in a bundle, whose checksum was verified before.
struct BundleContents: ContentPeer {
    private let path: String
    private let header: BundleHeader
    private let index: BundleIndex
    private let libraries: CompressionLibraries

    init(_ path: String, _ header: BundleHeader, _ index: BundleIndex, _ libraries: CompressionLibraries) {
        self.path = path
        self.header = header
        self.index = index
        self.libraries = libraries
    }

    /// A file promises to keep nothing.
    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        contents.map { !keeping && index.places[$0.content] != nil }
    }

    func outline(of content: NamedContent) async throws -> ContentOutline? { index.places[content.content]?.outline }

    func parts(
        _ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        guard let place = index.places[content.content] else { return }
        let worker = WorkerThread(name: "tripstore.bundle")
        let reader = try await worker.run { [path, header, libraries] in
            let reader = try BundleReader(path, libraries)
            try reader.resume(at: place.offset, of: header)
            return reader
        }
        for part in 0..<range.upperBound {
            try Task.checkCancellation()
            guard case .part(let bytes)? = try await worker.run({ try reader.next() }) else {
                throw ExchangeError(
                    .damagedBundle, "The bundle \(path) was changed while it was read. Get it again from where it came."
                )
            }
            if range.contains(part) { try await body(bytes) }
        }
    }

    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int { throw Self.notWritable }

    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int { throw Self.notWritable }

    private static var notWritable: ExchangeError {
        ExchangeError(.notWritable, "A bundle takes nothing in. Write a new one.")
    }
}
