import EventLog
public import Events

/// A request to a peer about the bytes of attachments: see `ContentPeer`.
public enum ContentRequest: Sendable {
    case held([NamedContent], keeping: Bool)
    case outline(NamedContent)
    /// With an offset the responses may be pieces, and begin so many bytes after the first part's beginning.
    case parts(NamedContent, Range<Int>, from: Int? = nil)
    case begin(NamedContent, ContentOutline)
    case store(NamedContent, index: Int, [UInt8])
    /// Bytes of a part from an offset on; `leaf` is the part's hash. The request goes on until it has all bytes of the part.
    case piece(NamedContent, index: Int, offset: Int, leaf: Digest, [UInt8])

    /// The most contents of one request.
    public static let mostContents = 1000
    /// The most parts of one request.
    public static let mostParts = 64

    /// Whether it stores something.
    var writes: Bool {
        switch self {
        case .held, .outline, .parts: false
        case .begin, .store, .piece: true
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .held(let contents, let keeping):
            for content in contents { writer.message(1) { content.write(to: &$0) } }
            if keeping { writer.varint(2, 1) }
        case .outline(let content): writer.message(3) { content.write(to: &$0) }
        case .parts(let content, let range, let offset):
            writer.message(4) { content.write(to: &$0) }
            writer.varint(5, UInt64(range.lowerBound))
            writer.varint(6, UInt64(range.count))
            if let offset { writer.varint(11, UInt64(offset)) }
        case .begin(let content, let outline):
            writer.message(7) { content.write(to: &$0) }
            if content.content.partCount > 1 { writer.bytes(8, outline.leaves.flatMap(\.bytes)) }
        case .store(let content, let index, let part):
            writer.varint(5, UInt64(index))
            writer.message(9) { content.write(to: &$0) }
            writer.bytes(10, part)
        case .piece(let content, let index, let offset, let leaf, let piece):
            writer.varint(5, UInt64(index))
            writer.message(9) { content.write(to: &$0) }
            writer.bytes(10, piece)
            writer.varint(11, UInt64(offset))
            writer.bytes(12, leaf.bytes)
        }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var contents: [NamedContent] = []
        var (kind, content): (UInt32, NamedContent?) = (0, nil)
        var (keeps, first, count): (UInt64, UInt64, UInt64) = (0, 0, 0)
        var leaves: [Digest] = []
        var part: [UInt8] = []
        var (offset, leaf): (UInt64?, Digest?)
        while let field = try reader.next() {
            switch field.number {
            case 1:
                kind = 1
                contents.append(try NamedContent(message: try reader.bytes(field)))
                guard contents.count <= Self.mostContents else {
                    throw WireError("a request names over \(Self.mostContents) contents")
                }
            case 2: keeps = try reader.varint(field)
            case 3, 4, 7, 9:
                kind = field.number
                content = try NamedContent(message: try reader.bytes(field))
            case 5: first = try reader.varint(field)
            case 6: count = try reader.varint(field)
            case 8: leaves = try ContentOutline.leaves(try reader.bytes(field))
            case 10: part = [UInt8](try reader.bytes(field))
            case 11: offset = try reader.varint(field)
            case 12: leaf = Digest(try reader.bytes(field, count: Digest.size))
            default: try reader.skip(field)
            }
        }
        if kind == 1 {
            self = .held(contents, keeping: keeps != 0)
            return
        }
        guard let content else { throw WireError("a request for an attachment's bytes names none") }
        switch kind {
        case 3: self = .outline(content)
        case 4:
            guard count <= Self.mostParts, first <= content.content.partCount else {
                throw WireError("a request for \(count) parts from \(first) on is beyond the bounds")
            }
            self = .parts(content, Int(first)..<Int(first + count), from: offset.map { Int(clamping: $0) })
        case 7: self = .begin(content, try ContentOutline(of: content.content, leaves))
        default:
            guard first < content.content.partCount else { throw WireError("there is no part \(first)") }
            guard let offset, let leaf else {
                self = .store(content, index: Int(first), part)
                return
            }
            self = .piece(content, index: Int(first), offset: Int(clamping: offset), leaf: leaf, part)
        }
    }
}

/// A response to a `ContentRequest`.
public enum ContentResponse: Sendable {
    case held([Bool])
    /// Nil if the bytes are not held.
    case outline(ContentOutline?)
    case part(index: Int, [UInt8])
    /// Bytes of a part from an offset on.
    case piece(index: Int, offset: Int, [UInt8])
    /// The first part that is not held.
    case next(Int)

    func write(to writer: inout WireWriter) {
        switch self {
        case .held(let held): writer.bytes(1, held.map { $0 ? 1 : 0 })
        case .outline(let outline):
            writer.bytes(2, outline?.encoded ?? [])
        case .part(let index, let part):
            writer.varint(3, UInt64(index))
            writer.bytes(4, part)
        case .piece(let index, let offset, let piece):
            writer.varint(3, UInt64(index))
            writer.bytes(4, piece)
            writer.varint(6, UInt64(offset))
        case .next(let index): writer.varint(5, UInt64(index))
        }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var found: ContentResponse?
        var (index, offset): (Int, Int?) = (0, nil)
        while let field = try reader.next() {
            switch field.number {
            case 1: found = .held(try reader.bytes(field).map { $0 != 0 })
            case 2: found = .outline(try Self.outline(try reader.bytes(field)))
            case 3: index = Int(clamping: try reader.varint(field))
            case 4: found = .part(index: index, [UInt8](try reader.bytes(field)))
            case 5: found = .next(Int(clamping: try reader.varint(field)))
            case 6: offset = Int(clamping: try reader.varint(field))
            default: try reader.skip(field)
            }
        }
        guard var found else { throw WireError("a response about attachments says nothing") }
        if case .part(_, let piece) = found {
            // The index may come after the bytes.
            found = offset.map { .piece(index: index, offset: $0, piece) } ?? .part(index: index, piece)
        }
        self = found
    }

    private static func outline(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ContentOutline? {
        bytes.isEmpty ? nil : try ContentOutline(encoded: bytes)
    }
}

extension ContentOutline {
    /// The content's name, then the hashes of its parts.
    var encoded: [UInt8] { content.bytes + leaves.flatMap(\.bytes) }

    init(encoded bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.count >= ContentID.encodedSize, let content = ContentID(bytes.part(0..<ContentID.encodedSize))
        else {
            throw WireError("an outline names no content")
        }
        try self.init(of: content, try Self.leaves(bytes.part(from: ContentID.encodedSize)))
    }

    fileprivate static func leaves(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [Digest] {
        guard bytes.count % Digest.size == 0 else { throw WireError("\(bytes.count) bytes are no hashes") }
        return stride(from: 0, to: bytes.count, by: Digest.size).compactMap {
            Digest(bytes.part($0..<$0 + Digest.size))
        }
    }

    fileprivate init(of content: ContentID, _ leaves: [Digest]) throws(WireError) {
        let outline = content.partCount > 1 ? ContentOutline(content, leaves: leaves) : ContentOutline(short: content)
        guard let outline else { throw WireError("the hashes of the parts are not those of \(content)") }
        self = outline
    }
}

extension NamedContent {
    fileprivate func write(to writer: inout WireWriter) {
        writer.bytes(1, content.bytes)
        writer.message(2) { commit.write(to: &$0) }
    }

    fileprivate init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var content: ContentID?
        var commit: CommitID?
        while let field = try reader.next() {
            switch field.number {
            case 1: content = ContentID(try reader.bytes(field))
            case 2: commit = try CommitID(message: try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let content, let commit else { throw WireError("a content lacks its name, or the commit that names it") }
        self.init(content, in: commit)
    }
}
