import EventLog
import Events

/// Puts a request together that a client sends in several messages: segments to be stored, or a part of a content.
struct RequestIntake {
    private var assembly = SegmentAssembly(nil)
    private var piece: (assembly: PieceAssembly, content: NamedContent, index: Int)?
    /// The segments of the request that are whole.
    private(set) var segments: [LineSegment] = []
    private var bytes = 0
    private var isWithin = false
    /// Why the request fails; the rest of it is passed over.
    private var failure: ExchangeError?

    /// Adds a message. Returns the request if that was its last message; `ExchangeError.notKept` if the request went on from what is not kept any
    /// more.
    ///
    /// Throws `ExchangeError.malformed` if the message does not go on with the one before.
    mutating func add(
        _ message: ExchangeMessage, keeping keeper: PartKeeper?
    ) throws -> Result<ExchangeMessage, any Error>? {
        switch message {
        case .part(let part):
            if !isWithin { (assembly, isWithin) = (SegmentAssembly(keeper), true) }
            guard try take(part, keeper) else { throw Self.malformed }
            return nil
        case .segmentParts,
            .segments where isWithin, .contentRequest(.piece):
            if !isWithin { assembly = SegmentAssembly(keeper) }
            guard try take(message, keeper) else { throw Self.malformed }
            return try finish()
        default:
            guard !isWithin else { throw Self.malformed }
            return .success(message)
        }
    }

    /// The most bytes that are kept aside and read with a message.
    func loads(_ message: ExchangeMessage, _ keeper: PartKeeper) -> Int {
        switch message {
        case _ where failure != nil: 0
        case .part(let part): loads(part, keeper)
        case .segmentParts(let parts): assembly.loads(parts, keeper)
        case .contentRequest(.piece(_, _, let offset, _, _)) where piece == nil: min(offset, ContentID.partSize)
        default: 0
        }
    }

    /// Returns whether a message is one that can be sent in parts, and of the same request.
    private mutating func take(_ message: ExchangeMessage, _ keeper: PartKeeper?) throws -> Bool {
        guard failure == nil else {
            try count(max(message.readSize, AnswerRoom.usual))
            return true
        }
        do { return try takeParts(message, keeper) } catch let error as ExchangeError where error.code == .notKept {
            let (isWithin, bytes) = (isWithin, bytes)
            self = RequestIntake()
            (self.isWithin, self.bytes, failure) = (isWithin, bytes, error)
            return true
        }
    }

    private mutating func takeParts(_ message: ExchangeMessage, _ keeper: PartKeeper?) throws -> Bool {
        switch message {
        case .segmentParts(let parts):
            // Empty messages would have no end.
            guard piece == nil, !parts.isEmpty else { return false }
            for part in parts { if let segment = try assembly.add(part) { try note(segment) } }
        case .segments(let whole):
            guard piece == nil, !assembly.isWithin, !whole.isEmpty else { return false }
            for segment in whole { try note(segment) }
        case .contentRequest(.piece(let content, let index, let offset, let leaf, let part)):
            guard segments.isEmpty, !assembly.isWithin else { return false }
            let begun = piece.take()
            guard begun.map({ $0.content == content && $0.index == index }) ?? true else { return false }
            var assembly =
                try begun?.assembly
                ?? PieceAssembly(leaf, size: content.content.size(ofPart: index), from: offset, keeper)
            try assembly.add(part, at: offset, of: leaf)
            piece = (assembly, content, index)
        default: return false
        }
        return true
    }

    private mutating func note(_ segment: LineSegment) throws {
        try count(segment.roughSize)
        segments.append(segment)
    }

    private mutating func count(_ more: Int) throws {
        bytes += more
        guard bytes <= ExchangeMessage.largest else { throw Self.malformed }
    }

    private mutating func finish() throws -> Result<ExchangeMessage, any Error> {
        guard !assembly.isWithin, piece?.assembly.isWhole ?? true else { throw Self.malformed }
        defer { self = RequestIntake() }
        if let failure { return .failure(failure) }
        if let piece {
            return .success(.contentRequest(.store(piece.content, index: piece.index, piece.assembly.bytes)))
        }
        return .success(.segments(segments))
    }

    /// The whole segments of a request that was cut off.
    mutating func takeSegments() -> [LineSegment] {
        defer { self = RequestIntake() }
        return segments
    }

    private static let malformed = ExchangeError(
        .malformed, "The client sent a part of a request that does not go on with the one before.")
}
