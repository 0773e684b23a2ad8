import EventLog
import Events
import Synchronization

/// The bytes of attachments behind messages.
final class MessageContents: ContentPeer {
    private let peer: MessagePeer
    /// The outline that was asked for last: it names the parts that are kept aside.
    private let outlined = Mutex<ContentOutline?>(nil)

    init(_ peer: MessagePeer) { self.peer = peer }

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        guard case .held(let held) = try await peer.ask(.held(contents, keeping: keeping)), held.count == contents.count
        else { throw MessagePeer.unexpected }
        return held
    }

    func outline(of content: NamedContent) async throws -> ContentOutline? {
        guard case .outline(let outline) = try await peer.ask(.outline(content)),
            outline.map({ $0.content == content.content }) ?? true
        else { throw MessagePeer.unexpected }
        outlined.withLock { $0 = outline }
        return outline
    }

    /// The hash of a part, if it is known.
    private func leaf(_ index: Int, of content: ContentID) -> Digest? {
        let outline = outlined.withLock { $0?.content == content ? $0 : nil } ?? ContentOutline(short: content)
        return outline.flatMap { $0.leaves.indices.contains(index) ? $0.leaves[index] : nil }
    }

    func parts(
        _ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        var next = range.lowerBound
        while next < range.upperBound {
            let asked = next..<min(range.upperBound, next + ContentRequest.mostParts)
            let keeper = peer.cutting?.keeper
            let leaf = leaf(next, of: content.content)
            let from = keeper.flatMap { keeper in leaf.map { keeper.count($0) } }
            var assembly: PieceAssembly?
            try await peer.askMany(.parts(content, asked, from: from)) { response in
                switch response {
                case .part(next, let part) where asked.contains(next) && assembly == nil:
                    next += 1
                    try await body(part)
                    return true
                case .piece(next, let offset, let piece) where asked.contains(next) && from != nil:
                    guard let leaf = self.leaf(next, of: content.content) else { throw MessagePeer.unexpected }
                    var sent =
                        try assembly.take()
                        ?? PieceAssembly(
                            leaf, size: content.content.size(ofPart: next),
                            from: next == asked.lowerBound ? offset : 0, keeper)
                    try sent.add(piece, at: offset, of: leaf)
                    assembly = sent.isWhole ? nil : sent
                    guard sent.isWhole else { return false }
                    next += 1
                    try await body(sent.bytes)
                    return true
                default: throw MessagePeer.unexpected
                }
            }
            guard next == asked.upperBound else { throw MessagePeer.unexpected }
        }
    }

    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int {
        guard case .next(let index) = try await peer.ask(.begin(content, outline)),
            (0...content.content.partCount).contains(index)
        else { throw MessagePeer.unexpected }
        return index
    }

    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int {
        let response = try await peer.resuming(
            { try await peer.ask(cut(part, at: index, of: content)) }, forget: { forget(part) })
        // A part that is asked for again and again would be sent without end.
        guard case .next(let next) = response, next > index, next <= content.content.partCount
        else { throw MessagePeer.unexpected }
        return next
    }

    /// One request if the part is small, or the other side takes no pieces.
    private func cut(_ part: [UInt8], at index: Int, of content: NamedContent) -> [ContentRequest] {
        guard part.count > SegmentCutter.most, let held = peer.cutting?.heldThere else {
            return [.store(content, index: index, part)]
        }
        let leaf = part.withUnsafeBytes { ContentTree.leaf($0) }
        return SegmentCutter.pieces(of: part.count, from: held.pieces[leaf]).map { range in
            .piece(content, index: index, offset: range.lowerBound, leaf: leaf, Array(part[range]))
        }
    }

    /// The first bytes of a part that the other side held are used up.
    private func forget(_ part: [UInt8]) {
        guard let cutting = peer.cutting, var held = cutting.heldThere, !held.pieces.isEmpty else { return }
        held.pieces[part.withUnsafeBytes { ContentTree.leaf($0) }] = nil
        cutting.note(heldThere: held)
    }
}

extension MessageServer {
    /// Responds to a request about the bytes of attachments.
    func respond(
        to request: ContentRequest, _ contents: any ContentPeer, _ body: (ContentResponse) async throws -> Void
    ) async throws {
        switch request {
        case .held(let named, let keeping): try await body(.held(try await contents.held(named, keeping: keeping)))
        case .outline(let content): try await body(.outline(try await contents.outline(of: content)))
        case .parts(let content, let range, let offset):
            var index = range.lowerBound
            try await contents.parts(range, of: content) { part in
                defer { index += 1 }
                guard let offset, part.count > SegmentCutter.most else {
                    return try await body(.part(index: index, part))
                }
                let held = index == range.lowerBound ? offset : 0
                for range in SegmentCutter.pieces(of: part.count, from: held) {
                    try await body(.piece(index: index, offset: range.lowerBound, Array(part[range])))
                }
            }
        case .piece: throw ExchangeError(.malformed, "A piece of a part came without the others.")
        case .begin(let content, let outline): try await body(.next(try await contents.begin(content, outline)))
        case .store(let content, let index, let part):
            try await body(.next(try await contents.store(part, at: index, of: content)))
        }
    }
}
