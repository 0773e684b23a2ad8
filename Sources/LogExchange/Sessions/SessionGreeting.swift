import EventLog
import Events

/// The client's first message.
struct ClientHello: Equatable {
    static let currentVersion: UInt32 = 1
    static let nonceSize = 32

    var version = currentVersion
    var journal: JournalID?
    var key: [UInt8]
    var nonce: [UInt8]
    /// The certificate that the server showed.
    var certificate: Digest?
    /// The methods of compression that the client has, a byte each.
    var compressions: [UInt8] = []
    /// What the server gave in an earlier session: see `SessionTickets`.
    var ticket: [UInt8]?

    func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 224)
        writer.varint(1, UInt64(version))
        if let journal { writer.bytes(2, journal.bytes) }
        writer.bytes(3, key)
        writer.bytes(4, nonce)
        if let certificate { writer.bytes(5, certificate.bytes) }
        if !compressions.isEmpty { writer.bytes(6, compressions) }
        if let ticket { writer.bytes(7, ticket) }
        return writer.finish()
    }

    init(
        journal: JournalID?, key: [UInt8], nonce: [UInt8], certificate: Digest?, compressions: [UInt8] = [],
        ticket: [UInt8]? = nil
    ) {
        self.journal = journal
        self.key = key
        self.nonce = nonce
        self.certificate = certificate
        self.compressions = compressions
        self.ticket = ticket
    }

    init(_ bytes: [UInt8]) throws(WireError) {
        var (version, journal, certificate): (UInt32, JournalID?, Digest?) = (0, nil, nil)
        var (key, nonce, compressions): ([UInt8]?, [UInt8]?, [UInt8]) = (nil, nil, [])
        var ticket: [UInt8]?
        try bytes.readFields { field, reader throws(WireError) in
            switch field.number {
            case 1: version = try reader.uint32(field)
            case 2: journal = JournalID(try reader.uuid(field))
            case 3: key = [UInt8](try reader.bytes(field, count: 32))
            case 4: nonce = [UInt8](try reader.bytes(field, count: Self.nonceSize))
            case 5: certificate = Digest(try reader.bytes(field, count: Digest.size))
            case 6: compressions = [UInt8](try reader.bytes(field))
            case 7: ticket = [UInt8](try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let key, let nonce, version > 0 else { throw WireError("a hello lacks its version, key or nonce") }
        self.init(
            journal: journal, key: key, nonce: nonce, certificate: certificate, compressions: compressions,
            ticket: ticket)
        self.version = version
    }
}

/// The server's answer, the same for all clients but for the nonce.
struct ServerHello: Equatable {
    var version: UInt32
    var nonce: [UInt8]
    /// The methods of compression that the server has, a byte each.
    var compressions: [UInt8] = []

    func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 48)
        writer.varint(1, UInt64(version))
        writer.bytes(2, nonce)
        if !compressions.isEmpty { writer.bytes(3, compressions) }
        return writer.finish()
    }

    init(version: UInt32, nonce: [UInt8], compressions: [UInt8] = []) {
        self.version = version
        self.nonce = nonce
        self.compressions = compressions
    }

    init(_ bytes: [UInt8]) throws(WireError) {
        var (version, nonce, compressions): (UInt32, [UInt8]?, [UInt8]) = (0, nil, [])
        try bytes.readFields { field, reader throws(WireError) in
            switch field.number {
            case 1: version = try reader.uint32(field)
            case 2: nonce = [UInt8](try reader.bytes(field, count: ClientHello.nonceSize))
            case 3: compressions = [UInt8](try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let nonce, version > 0 else { throw WireError("a server's hello lacks its version or nonce") }
        self.init(version: version, nonce: nonce, compressions: compressions)
    }
}

/// What a replica shows that is no member itself.
struct SessionClaims: Equatable {
    var request: MembershipRequest?
    var handovers: [RoleHandover]

    func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 256)
        if let request {
            writer.bytes(1, request.invitation)
            writer.bytes(2, request.signature)
        }
        for handover in handovers { writer.message(3) { handover.write(to: &$0) } }
        return writer.finish()
    }

    init(request: MembershipRequest?, handovers: [RoleHandover]) {
        self.request = request
        self.handovers = handovers
    }

    init(_ bytes: [UInt8]) throws(WireError) {
        var (invitation, signature): ([UInt8]?, [UInt8]?) = (nil, nil)
        var handovers: [RoleHandover] = []
        try bytes.readFields { field, reader throws(WireError) in
            switch field.number {
            case 1: invitation = [UInt8](try reader.bytes(field, count: 32))
            case 2: signature = [UInt8](try reader.bytes(field, count: 64))
            case 3:
                handovers.append(try RoleHandover(message: try reader.bytes(field)))
                guard handovers.count <= RoleHandover.longestChain else {
                    throw WireError("claims have over \(RoleHandover.longestChain) handovers")
                }
            default: try reader.skip(field)
            }
        }
        var request: MembershipRequest?
        if let invitation, let signature {
            request = MembershipRequest(invitation: invitation, signature: signature)
        }
        self.init(request: request, handovers: handovers)
    }
}

/// What the server admits the client to.
struct SessionAdmission: Equatable {
    var journal: JournalID
    /// The server's public key.
    var key: [UInt8]
    /// The client's replica was revoked, and by this one.
    var revokedBy: ReplicaID?
    /// The client's replica requested membership, and was not granted.
    var needsGrant = false
    /// For the client's next connection: see `SessionTickets`. Nil if the one that it has shown holds for long, or it is not served.
    var ticket: [UInt8]?

    func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 144)
        writer.bytes(1, journal.bytes)
        writer.bytes(2, key)
        if let revokedBy { writer.bytes(3, revokedBy.bytes) }
        if needsGrant { writer.varint(4, 1) }
        if let ticket { writer.bytes(5, ticket) }
        return writer.finish()
    }

    init(
        journal: JournalID, key: [UInt8], revokedBy: ReplicaID? = nil, needsGrant: Bool = false,
        ticket: [UInt8]? = nil
    ) {
        self.ticket = ticket
        self.journal = journal
        self.key = key
        self.revokedBy = revokedBy
        self.needsGrant = needsGrant
    }

    init(_ bytes: [UInt8]) throws(WireError) {
        var (journal, key, revokedBy): (JournalID?, [UInt8]?, ReplicaID?) = (nil, nil, nil)
        var needsGrant = false
        var ticket: [UInt8]?
        try bytes.readFields { field, reader throws(WireError) in
            switch field.number {
            case 1: journal = JournalID(try reader.uuid(field))
            case 2: key = [UInt8](try reader.bytes(field, count: 32))
            case 3: revokedBy = ReplicaID(try reader.bytes(field, count: 16))
            case 4: needsGrant = try reader.varint(field) != 0
            case 5: ticket = [UInt8](try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let journal, let key else { throw WireError("an admission lacks its journal or key") }
        self.init(journal: journal, key: key, revokedBy: revokedBy, needsGrant: needsGrant, ticket: ticket)
    }
}

extension [UInt8] {
    /// Calls `body` for each field of a message.
    fileprivate func readFields(
        _ body: (WireReader.Field, inout WireReader) throws(WireError) -> Void
    ) throws(WireError) {
        let outcome: Result<Void, WireError> = withUnsafeBytes { bytes in
            do throws(WireError) {
                var reader = WireReader(bytes)
                while let field = try reader.next() { try body(field, &reader) }
                return .success(())
            } catch { return .failure(error) }
        }
        try outcome.get()
    }
}

/// What the signatures of a session cover: every byte of its greeting up to each of them.
struct SessionTranscript {
    private var messages: [[UInt8]]

    init(clientHello: [UInt8], serverHello: [UInt8]) { messages = [clientHello, serverHello] }

    mutating func add(_ message: [UInt8]) { messages.append(message) }

    /// SHA-256 over the SHA-256 of each message, in order.
    var digest: Digest {
        var builder = DigestBuilder()
        for message in messages {
            var part = DigestBuilder()
            part.add(message)
            builder.add(part.finish().bytes)
        }
        return builder.finish()
    }
}
