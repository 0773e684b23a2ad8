import EventLog
public import Events

/// A message of a session: what a transport carries as one frame.
///
/// Messages that are signed are kept as the bytes that came.
public enum SessionFrame: Sendable, Equatable {
    case clientHello([UInt8])
    case serverHello([UInt8])
    case clientProof(claims: [UInt8], signature: [UInt8])
    case welcome(admission: [UInt8], signature: [UInt8])
    case refusal(code: String, message: String)
    case request([UInt8])
    case response([UInt8])
    /// Empty if the client stopped them.
    case lastResponse([UInt8])
    case notice(SessionNotice)
    case ping(UInt64)
    case pong(UInt64)
    case ending(SessionEnding)
    case stop

    /// The number of a pong that no ping asked for: a part of a request has arrived.
    static let partArrived: UInt64 = 0

    /// The most bytes of an encoded frame: the largest message of an exchange and what frames it.
    public static let largest = ExchangeMessage.largest + 1024
    /// The most bytes of a frame before the client is admitted.
    public static let largestGreeting = 16_384

    /// The frame's bytes.
    public func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: capacity)
        switch self {
        case .clientHello(let bytes): writer.bytes(1, bytes)
        case .serverHello(let bytes): writer.bytes(2, bytes)
        case .clientProof(let claims, let signature): writer.message(3) { $0.signed(claims, signature) }
        case .welcome(let admission, let signature): writer.message(4) { $0.signed(admission, signature) }
        case .refusal(let code, let message):
            writer.message(5) {
                $0.string(1, code)
                $0.string(2, message)
            }
        case .request(let bytes): writer.bytes(6, bytes)
        case .response(let bytes): writer.bytes(7, bytes)
        case .lastResponse(let bytes): writer.bytes(8, bytes)
        case .notice(let notice): writer.message(9) { notice.write(to: &$0) }
        case .ping(let number): writer.varint(10, number)
        case .pong(let number): writer.varint(11, number)
        case .ending(let ending): writer.message(12) { ending.write(to: &$0) }
        case .stop: writer.message(13) { _ in }
        }
        return writer.finish()
    }

    private var capacity: Int {
        switch self {
        case .request(let bytes), .response(let bytes), .lastResponse(let bytes): bytes.count + 16
        default: 256
        }
    }

    /// Reads a frame. Throws `ExchangeError`: `.malformed`, `.newerVersion` for an unknown kind.
    public init(_ bytes: [UInt8]) throws {
        guard bytes.count <= Self.largest else {
            throw ExchangeError(.malformed, "A frame has \(bytes.count) bytes, and \(Self.largest) are the most.")
        }
        do {
            guard let frame = try bytes.withUnsafeBytes({ try Self.read($0) }) else {
                throw ExchangeError(.newerVersion, "The other sent a frame of an unknown kind. Use a newer version.")
            }
            self = frame
        } catch let error as WireError {
            throw ExchangeError(.malformed, "A frame of the other cannot be read: \(error).", cause: error)
        }
    }

    /// The request that a frame holds, read without a copy of its bytes, or why it cannot be; nil if it is a frame of another kind.
    static func request(in frame: [UInt8]) -> Result<ExchangeMessage, any Error>? {
        frame.withUnsafeBytes { bytes in
            guard let message = try? requestBytes(in: bytes) else { return nil }
            return Result {
                do { return try ExchangeMessage.read(message) } catch let error as WireError {
                    throw ExchangeError(.malformed, "A message of the other cannot be read: \(error).", cause: error)
                }
            }
        }
    }

    private static func requestBytes(in frame: UnsafeRawBufferPointer) throws(WireError) -> UnsafeRawBufferPointer? {
        var reader = WireReader(frame)
        var found: UnsafeRawBufferPointer?
        while let field = try reader.next() {
            switch field.number {
            case 6 where found == nil: found = try reader.bytes(field)
            case 1...packedField: return nil
            default: try reader.skip(field)
            }
        }
        return found
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) throws -> SessionFrame? {
        var reader = WireReader(bytes)
        var found: SessionFrame?
        while let field = try reader.next() {
            guard (1...13).contains(field.number) else {
                try reader.skip(field)
                continue
            }
            guard found == nil else { throw WireError("a frame has two contents") }
            found = try read(field, &reader)
        }
        return found
    }

    private static func read(_ field: WireReader.Field, _ reader: inout WireReader) throws -> SessionFrame {
        switch field.number {
        case 1: return .clientHello([UInt8](try reader.bytes(field)))
        case 2: return .serverHello([UInt8](try reader.bytes(field)))
        case 3:
            let (claims, signature) = try signed(try reader.bytes(field))
            return .clientProof(claims: claims, signature: signature)
        case 4:
            let (admission, signature) = try signed(try reader.bytes(field))
            return .welcome(admission: admission, signature: signature)
        case 5:
            let ending = try SessionEnding(message: try reader.bytes(field))
            return .refusal(code: ending.code, message: ending.message)
        case 6: return .request([UInt8](try reader.bytes(field)))
        case 7: return .response([UInt8](try reader.bytes(field)))
        case 8: return .lastResponse([UInt8](try reader.bytes(field)))
        case 9: return .notice(try SessionNotice(message: try reader.bytes(field)))
        case 10: return .ping(try reader.varint(field))
        case 11: return .pong(try reader.varint(field))
        case 12: return .ending(try SessionEnding(message: try reader.bytes(field)))
        default:
            _ = try reader.bytes(field)
            return .stop
        }
    }

    private static func signed(
        _ bytes: UnsafeRawBufferPointer
    ) throws(WireError) -> (message: [UInt8], signature: [UInt8]) {
        var reader = WireReader(bytes)
        var (message, signature): ([UInt8], [UInt8]?) = ([], nil)
        while let field = try reader.next() {
            switch field.number {
            case 1: message = [UInt8](try reader.bytes(field))
            case 2: signature = [UInt8](try reader.bytes(field, count: 64))
            default: try reader.skip(field)
            }
        }
        guard let signature else { throw WireError("a proof lacks its signature") }
        return (message, signature)
    }
}

extension WireWriter {
    fileprivate mutating func signed(_ message: [UInt8], _ signature: [UInt8]) {
        bytes(1, message)
        bytes(2, signature)
    }
}

/// The state of a server's log, which the server sends unasked.
public struct SessionNotice: Sendable, Hashable {
    /// The most heads of a frontier that a notice holds.
    static let mostHeads = 64

    /// The digest of the server's frontier.
    public let digest: Digest
    /// The digest of its holes; nil if it cannot tell.
    public let holes: Digest?
    /// The frontier; nil if it has too many heads for a notice.
    public let frontier: Frontier?

    init(_ frontier: Frontier, holes: Digest?) {
        digest = frontier.digest
        self.holes = holes
        self.frontier = frontier.heads.count <= Self.mostHeads ? frontier : nil
    }

    func write(to writer: inout WireWriter) {
        writer.bytes(1, digest.bytes)
        if let frontier { writer.message(3) { frontier.write(to: &$0) } }
        if let holes { writer.bytes(4, holes.bytes) }
    }

    init(message bytes: UnsafeRawBufferPointer) throws {
        var reader = WireReader(bytes)
        var (digest, holes): (Digest?, Digest?)
        var frontier: Frontier?
        while let field = try reader.next() {
            switch field.number {
            case 1: digest = Digest(try reader.bytes(field, count: Digest.size))
            case 3: frontier = try Frontier(try reader.bytes(field))
            case 4: holes = Digest(try reader.bytes(field, count: Digest.size))
            default: try reader.skip(field)
            }
        }
        guard let digest else { throw WireError("a notice lacks its digest") }
        try frontier?.checkCount()
        guard frontier.map({ $0.digest == digest }) ?? true else {
            throw WireError("the digest of a notice is not that of its frontier")
        }
        self.digest = digest
        self.holes = holes
        self.frontier = frontier
    }
}

/// Why a server ends a session.
public struct SessionEnding: Sendable, Hashable {
    public let code: String
    public let message: String
    public let revokedBy: ReplicaID?

    init(_ code: ExchangeError.Code, _ message: String, revokedBy: ReplicaID? = nil) {
        self.code = code.rawValue
        self.message = message
        self.revokedBy = revokedBy
    }

    func write(to writer: inout WireWriter) {
        writer.string(1, code)
        writer.string(2, message)
        if let revokedBy { writer.bytes(3, revokedBy.bytes) }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var (code, message) = ("", "")
        var revokedBy: ReplicaID?
        while let field = try reader.next() {
            switch field.number {
            case 1: code = try reader.string(field).clipped(to: 64)
            case 2: message = try reader.string(field).clipped(to: 4096)
            case 3: revokedBy = ReplicaID(try reader.bytes(field, count: 16))
            default: try reader.skip(field)
            }
        }
        self.code = code
        self.message = message
        self.revokedBy = revokedBy
    }

    /// What the client's calls throw from then on.
    var error: ExchangeError {
        // By its greeting the server shows it.
        if revokedBy != nil {
            return ExchangeError(
                .cut, "The other ended the session, and says that this replica was revoked. Connect again.")
        }
        switch ExchangeError.Code(rawValue: code) {
        case .needsGrant: return .needsGrant
        case .identityChanged:
            return ExchangeError(.identityChanged, "The other goes on as another replica. Connect again.")
        case let other:
            return ExchangeError(.refused, "The other ended the session (\(code)): \(message)", refusal: other.rawValue)
        }
    }
}

extension ExchangeError {
    package static func revoked(by replica: ReplicaID) -> ExchangeError {
        ExchangeError(
            .revoked,
            "Replica \(replica) has revoked this one: nothing is exchanged any more, and what is here stays. Join again with an "
                + "invitation, or adopt what is here into a journal of your own.", replica: replica)
    }

    /// A server says that this replica was revoked, and no commit shows it.
    static func unproven(_ replica: ReplicaID, at address: String) -> ExchangeError {
        ExchangeError(
            .unproven,
            "The server at \(address) says that replica \(replica) has revoked this one, and showed no commit that does. It is not believed, "
                + "and asked again later; exchange with another server or device meanwhile, and tell its operator.")
    }

    static let needsGrant = ExchangeError(
        .needsGrant,
        "The request for membership has reached the other and was not granted yet, and the invitation does not hold any more. Ask an "
            + "admin to grant it.")
}
