public import EventLog
public import Events

/// A request or a response as bytes: the message `Envelope`, a version and one kind of contents.
///
/// Unknown kinds are refused by number, and unknown fields skipped, so that both may grow.
public enum ExchangeMessage: Sendable {
    case greeting(Greeting)
    case frontierRequest
    case frontier(Frontier)
    case segmentRequest(SegmentRequest)
    case segments([LineSegment])
    /// Segments of which some are sent in parts.
    case segmentParts([SegmentPart])
    /// A request that goes on in the next message.
    indirect case part(ExchangeMessage)
    case acknowledgement(Acknowledgement)
    /// The responses are complete; how many elements came before.
    case end(count: UInt64)
    case failure(code: String, message: String)
    /// A request of a version that offered erasures to its peers, or asked for theirs. Nothing in it is read, and nothing is given for it.
    case formerRequest
    case contentRequest(ContentRequest)
    case contentResponse(ContentResponse)
    case holeRequest(after: Digest?)
    case holes([Hole])

    /// The most bytes of a message. A batch of segments is smaller than the largest segment and a batch together.
    public static let largest = LineSegment.largestMessage + ExchangeSession.batchBytes * 2 + 1024

    /// The message's bytes.
    public func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 256)
        writer.varint(1, UInt64(Greeting.currentVersion))
        write(to: &writer)
        return writer.finish()
    }

    private func write(to writer: inout WireWriter) {
        switch self {
        case .greeting(let greeting): writer.message(2) { greeting.write(to: &$0) }
        case .frontierRequest: writer.message(3) { _ in }
        case .frontier(let frontier): writer.message(4) { frontier.write(to: &$0) }
        case .segmentRequest(let request): writer.message(5) { request.write(to: &$0) }
        case .segments(let segments):
            writer.message(6) { writer in for segment in segments { writer.message(1) { segment.write(to: &$0) } } }
        case .segmentParts(let parts):
            writer.message(6) { writer in for part in parts { writer.message(1) { part.write(to: &$0) } } }
        case .part(let message):
            message.write(to: &writer)
            writer.varint(16, 1)
        case .acknowledgement(let acknowledgement): writer.message(7) { acknowledgement.write(to: &$0) }
        case .end(let count): writer.message(8) { $0.varint(1, count) }
        case .failure(let code, let message):
            writer.message(9) {
                $0.string(1, code)
                $0.string(2, message)
            }
        case .formerRequest: writer.message(10) { _ in }
        case .contentRequest(let request): writer.message(12) { request.write(to: &$0) }
        case .contentResponse(let response): writer.message(13) { response.write(to: &$0) }
        case .holeRequest(let after): writer.message(14) { if let after { $0.bytes(1, after.bytes) } }
        case .holes(let holes):
            writer.message(15) { writer in for hole in holes { writer.message(1) { hole.write(to: &$0) } } }
        }
    }

    /// Reads a message. Throws `ExchangeError`: `.malformed`, `.newerVersion`, `.tooManyHeads`.
    public init(_ bytes: [UInt8]) throws {
        guard bytes.count <= Self.largest else {
            throw ExchangeError(.malformed, "A message has \(bytes.count) bytes, and \(Self.largest) are the most.")
        }
        do {
            self = try bytes.withUnsafeBytes { try Self.read($0) }
        } catch let error as WireError {
            throw ExchangeError(.malformed, "A message of the other cannot be read: \(error).", cause: error)
        }
    }

    static func read(_ bytes: UnsafeRawBufferPointer) throws -> ExchangeMessage {
        var reader = WireReader(bytes)
        var version: UInt32 = 0
        var found: ExchangeMessage?
        var goesOn = false
        while let field = try reader.next() {
            switch field.number {
            case 1: version = try reader.uint32(field)
            case 2: found = .greeting(try Greeting(message: try reader.bytes(field)))
            case 3:
                _ = try reader.bytes(field)
                found = .frontierRequest
            case 4: found = .frontier(try Frontier(try reader.bytes(field)))
            case 5: found = .segmentRequest(try SegmentRequest(message: try reader.bytes(field)))
            case 6: found = try segments(try reader.bytes(field))
            case 7: found = .acknowledgement(try Acknowledgement(message: try reader.bytes(field)))
            case 8: found = .end(count: try number(try reader.bytes(field)))
            case 9: found = try failure(try reader.bytes(field))
            case 10, 11:
                _ = try reader.bytes(field)
                found = .formerRequest
            case 12: found = .contentRequest(try ContentRequest(message: try reader.bytes(field)))
            case 13: found = .contentResponse(try ContentResponse(message: try reader.bytes(field)))
            case 14: found = .holeRequest(after: try Hole.after(try reader.bytes(field)))
            case 15: found = .holes(try Hole.list(try reader.bytes(field)))
            case 16: goesOn = try reader.varint(field) != 0
            default: try reader.skip(field)
            }
        }
        guard version > 0 else { throw WireError("it names no version") }
        try found?.checkCounts()
        guard let found else {
            throw ExchangeError(
                .newerVersion,
                "The other sent, in version \(version) of the exchange, a message that version "
                    + "\(Greeting.currentVersion) does not know. Use a newer version.")
        }
        return goesOn ? .part(found) : found
    }

    private func checkCounts() throws(ExchangeError) {
        switch self {
        case .frontier(let frontier): try frontier.checkCount()
        case .acknowledgement(let acknowledgement): try acknowledgement.frontier.checkCount()
        case .segmentRequest(let request):
            try ExchangeError.checkCount(request.wanted.count, "a request for so many heads")
            try ExchangeError.checkCount(request.held.count, "a request with so many commits that are held")
        default: break
        }
    }

    private static func segments(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ExchangeMessage {
        var reader = WireReader(bytes)
        var found: [SegmentPart] = []
        var elements = 0
        while let field = try reader.next() {
            if field.number == 1 {
                let part = try SegmentPart(try reader.bytes(field))
                elements += part.segment.commits.count + part.segment.erasures.count
                // Each has more than that: so what is read takes about as much memory as the message.
                guard elements * 32 <= bytes.count else {
                    throw WireError("\(bytes.count) bytes hold over \(elements - 1) commits and erasures")
                }
                found.append(part)
            } else {
                try reader.skip(field)
            }
        }
        return found.allSatisfy { $0.start == nil } ? .segments(found.map(\.segment)) : .segmentParts(found)
    }

    private static func number(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> UInt64 {
        var reader = WireReader(bytes)
        var number: UInt64 = 0
        while let field = try reader.next() {
            if field.number == 1 { number = try reader.varint(field) } else { try reader.skip(field) }
        }
        return number
    }

    private static func failure(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ExchangeMessage {
        var reader = WireReader(bytes)
        var (code, message) = ("", "")
        while let field = try reader.next() {
            switch field.number {
            case 1: code = try reader.string(field)
            case 2: message = try reader.string(field)
            default: try reader.skip(field)
            }
        }
        return .failure(code: code, message: message)
    }
}
