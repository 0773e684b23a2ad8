import EventLog
import Events
import Foundation
import SwiftProtobuf

@testable import LogExchange

/// The content of generated messages for each of our values.
extension Tripstore_Exchange_CommitName {
    init(_ commit: CommitID) {
        self.init()
        replica = Data(commit.replica.bytes)
        sequence = commit.sequence.rawValue
        hash = Data(commit.hash.bytes)
    }
}

extension Tripstore_Exchange_Frontier {
    init(_ frontier: Frontier) {
        self.init()
        if let journal = frontier.journal { self.journal = Data(journal.bytes) }
        heads = frontier.heads.map { Tripstore_Exchange_CommitName($0) }
    }
}

extension Tripstore_Exchange_Segment {
    init(_ segment: LineSegment) {
        self.init()
        journal = Data(segment.journal.bytes)
        replica = Data(segment.replica.bytes)
        first = segment.first.rawValue
        previous = Data(segment.previous.bytes)
        commits = segment.commits.map { Data($0) }
        signature = Data(segment.signature)
        erasures = segment.erasures.map { Data($0) }
    }
}

extension Tripstore_Exchange_Segment {
    init(_ part: SegmentPart) {
        self.init(part.segment)
        start = part.start?.rawValue ?? 0
        guard let piece = part.piece else { return }
        leaf = Data(piece.digest.bytes)
        size = UInt64(piece.size)
        offset = UInt64(piece.offset)
    }
}

extension Tripstore_Exchange_HeldParts {
    init(_ held: HeldParts) {
        self.init()
        commits = held.commits.sorted().map { Tripstore_Exchange_CommitName($0) }
        pieces = held.pieces.sorted { $0.key < $1.key }.map { digest, count in
            .with {
                $0.leaf = Data(digest.bytes)
                $0.count = UInt64(count)
            }
        }
    }
}

extension Tripstore_Exchange_Greeting {
    init(_ greeting: Greeting) {
        self.init()
        version = greeting.version
        if let journal = greeting.journal { self.journal = Data(journal.bytes) }
        replica = Data(greeting.replica.bytes)
        name = greeting.name
        if let clock = greeting.clock { self.clock = clock }
        digest = Data(greeting.digest.bytes)
        isReadOnly = !greeting.isWritable
        if let request = greeting.request {
            invitation = Data(request.invitation)
            invitationSignature = Data(request.signature)
        }
        handovers = greeting.handovers.map { handover in
            .with {
                $0.formerKey = Data(handover.formerKey)
                $0.successorKey = Data(handover.successorKey)
                $0.signature = Data(handover.signature)
            }
        }
        if let holes = greeting.holes { self.holes = Data(holes.bytes) }
        if let held = greeting.held { self.held = Tripstore_Exchange_HeldParts(held) }
    }
}

extension Tripstore_Exchange_SegmentRequest {
    init(_ request: SegmentRequest) {
        self.init()
        journal = Data(request.journal.bytes)
        wanted = request.wanted.map { Tripstore_Exchange_CommitName($0) }
        held = request.held.map { Tripstore_Exchange_CommitName($0) }
        if let parts = request.parts { self.parts = Tripstore_Exchange_HeldParts(parts) }
    }
}

extension Tripstore_Exchange_Acknowledgement {
    init(_ acknowledgement: Acknowledgement) {
        self.init()
        replica = Data(acknowledgement.replica.bytes)
        name = acknowledgement.name
        frontier = Tripstore_Exchange_Frontier(acknowledgement.frontier)
    }
}

extension Tripstore_Exchange_Envelope {
    init(_ message: ExchangeMessage) {
        if case .part(let part) = message {
            self.init(part)
            more = true
            return
        }
        self.init()
        version = 1
        switch message {
        // The specification has no fields for what earlier versions requested.
        case .part, .formerRequest: break
        case .greeting(let greeting): self.greeting = Tripstore_Exchange_Greeting(greeting)
        case .frontierRequest: frontierRequest = Tripstore_Exchange_FrontierRequest()
        case .frontier(let frontier): self.frontier = Tripstore_Exchange_Frontier(frontier)
        case .segmentRequest(let request): segmentRequest = Tripstore_Exchange_SegmentRequest(request)
        case .segments(let segments):
            var parts = Tripstore_Exchange_Segments()
            parts.segments = segments.map { Tripstore_Exchange_Segment($0) }
            self.segments = parts
        case .segmentParts(let parts):
            self.segments = .with { $0.segments = parts.map { Tripstore_Exchange_Segment($0) } }
        case .acknowledgement(let one): acknowledgement = Tripstore_Exchange_Acknowledgement(one)
        case .end(let count): end = Tripstore_Exchange_End.with { $0.count = count }
        case .failure(let code, let message):
            failure = Tripstore_Exchange_Failure.with {
                $0.code = code
                $0.message = message
            }
        case .contentRequest(let request): contentRequest = Tripstore_Exchange_ContentRequest(request)
        case .contentResponse(let response): contentResponse = Tripstore_Exchange_ContentResponse(response)
        case .holeRequest(let after):
            holeRequest = Tripstore_Exchange_HoleRequest.with { if let after { $0.after = Data(after.bytes) } }
        case .holes(let holes):
            self.holes = Tripstore_Exchange_Holes.with { message in
                message.holes = holes.map { hole in
                    .with {
                        $0.commit = Tripstore_Exchange_CommitName(hole.commit)
                        $0.state = Data(hole.missing.bytes.suffix(16))
                    }
                }
            }
        }
    }
}

extension Tripstore_Exchange_NamedContent {
    init(_ named: NamedContent) {
        self.init()
        content = Data(named.content.bytes)
        commit = Tripstore_Exchange_CommitName(named.commit)
    }
}

extension Tripstore_Exchange_ContentRequest {
    init(_ request: ContentRequest) {
        self.init()
        switch request {
        case .held(let contents, let keeping):
            held = contents.map { Tripstore_Exchange_NamedContent($0) }
            self.keeping = keeping
        case .outline(let content): outline = Tripstore_Exchange_NamedContent(content)
        case .parts(let content, let range, let offset):
            parts = Tripstore_Exchange_NamedContent(content)
            first = UInt64(range.lowerBound)
            count = UInt64(range.count)
            if let offset { self.offset = UInt64(offset) }
        case .begin(let content, let outline):
            begin = Tripstore_Exchange_NamedContent(content)
            if outline.leaves.count > 1 { leaves = Data(outline.leaves.flatMap(\.bytes)) }
        case .store(let content, let index, let part):
            first = UInt64(index)
            store = Tripstore_Exchange_NamedContent(content)
            self.part = Data(part)
        case .piece(let content, let index, let offset, let leaf, let piece):
            first = UInt64(index)
            store = Tripstore_Exchange_NamedContent(content)
            part = Data(piece)
            self.offset = UInt64(offset)
            self.leaf = Data(leaf.bytes)
        }
    }
}

extension Tripstore_Exchange_ContentResponse {
    init(_ response: ContentResponse) {
        self.init()
        switch response {
        case .held(let held): self.held = Data(held.map { $0 ? 1 : 0 })
        case .outline(let outline):
            self.outline = Data(outline.map { $0.content.bytes + $0.leaves.flatMap(\.bytes) } ?? [])
        case .part(let index, let part):
            self.index = UInt64(index)
            self.part = Data(part)
        case .piece(let index, let offset, let piece):
            self.index = UInt64(index)
            part = Data(piece)
            self.offset = UInt64(offset)
        case .next(let index): next = UInt64(index)
        }
    }
}

extension Tripstore_Exchange_BundleRecord {
    init(_ record: BundleRecord) {
        self.init()
        switch record {
        case .header(let header):
            var found = Tripstore_Exchange_BundleHeader()
            found.version = header.version
            found.replica = Data(header.replica.bytes)
            found.name = header.name
            found.created = header.created
            found.since = Tripstore_Exchange_Frontier(header.since)
            found.frontier = Tripstore_Exchange_Frontier(header.frontier)
            self.header = found
        case .segment(let segment): self.segment = Tripstore_Exchange_Segment(segment)
        case .end(let segments, let commits):
            end = Tripstore_Exchange_BundleEnd.with {
                $0.segments = segments
                $0.commits = commits
            }
        case .packed(let message):
            packed = (try? Tripstore_Exchange_Packed(serializedBytes: message)) ?? Tripstore_Exchange_Packed()
        case .content(let outline): content = Data(outline.content.bytes + outline.leaves.flatMap(\.bytes))
        case .part(let part): self.part = Data(part)
        }
    }
}

extension Tripstore_Exchange_PeerRecord {
    init(_ record: PeerRecord) {
        self.init()
        replica = Data(record.replica.bytes)
        name = record.name
        if let time = record.lastExchange { lastExchange = time }
        acknowledged = Tripstore_Exchange_Frontier(record.acknowledged)
        if let time = record.lastTried { lastTried = time }
        if let time = record.firstExchange { firstExchange = time }
        if let error = record.lastError { lastError = error }
    }
}
