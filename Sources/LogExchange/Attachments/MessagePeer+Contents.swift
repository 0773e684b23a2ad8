import EventLog
import Events

/// The bytes of attachments behind messages.
struct MessageContents: ContentPeer {
    private let peer: MessagePeer

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
        return outline
    }

    func parts(
        _ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        var next = range.lowerBound
        while next < range.upperBound {
            let asked = next..<min(range.upperBound, next + ContentRequest.mostParts)
            try await peer.askMany(.parts(content, asked)) { response in
                guard case .part(let index, let part) = response, index == next, asked.contains(index) else {
                    throw MessagePeer.unexpected
                }
                next += 1
                try await body(part)
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
        // A part that is asked for again and again would be sent without end.
        guard case .next(let next) = try await peer.ask(.store(content, index: index, part)), next > index,
            next <= content.content.partCount
        else { throw MessagePeer.unexpected }
        return next
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
        case .parts(let content, let range):
            var index = range.lowerBound
            try await contents.parts(range, of: content) { part in
                try await body(.part(index: index, part))
                index += 1
            }
        case .begin(let content, let outline): try await body(.next(try await contents.begin(content, outline)))
        case .store(let content, let index, let part):
            try await body(.next(try await contents.store(part, at: index, of: content)))
        }
    }
}
