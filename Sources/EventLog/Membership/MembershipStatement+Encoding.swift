import Events

extension MembershipStatement {
    private enum Field {
        static let grant: UInt32 = 1
        static let revocation: UInt32 = 2
        static let invitation: UInt32 = 3
        static let withdrawal: UInt32 = 4
        static let request: UInt32 = 5
        static let void: UInt32 = 6
        static let replacement: UInt32 = 17
    }

    /// The most commits that a cut names: a replica's branches and its successors', with room.
    static let mostCuts = 1024

    /// The message `MembershipStatement`.
    package func encoded() -> [UInt8] {
        var writer = WireWriter()
        switch self {
        case .grant(let replica, let role, let invitation):
            writer.message(Field.grant) {
                $0.bytes(1, replica.bytes)
                $0.varint(2, UInt64(role.number))
                if let invitation { $0.bytes(3, invitation) }
            }
        case .revocation(let replica, let cut):
            writer.message(Field.revocation) {
                $0.bytes(1, replica.bytes)
                for commit in cut.sorted() { $0.message(2) { $0.commit(commit) } }
            }
        case .invitation(let invitation):
            writer.message(Field.invitation) {
                $0.bytes(1, invitation.key)
                $0.varint(2, UInt64(invitation.role.number))
                if let expiry = invitation.expiry { $0.signed(3, expiry) }
                $0.varint(4, UInt64(invitation.uses))
            }
        case .withdrawal(let key): writer.message(Field.withdrawal) { $0.bytes(1, key) }
        case .request(let request):
            writer.message(Field.request) {
                $0.bytes(1, request.invitation)
                $0.bytes(2, request.signature)
            }
        case .void(let commit, let isVoid):
            writer.message(Field.void) {
                $0.message(1) { $0.commit(commit) }
                if !isVoid { $0.varint(2, 1) }
            }
        case .replacement(let last):
            writer.message(Field.replacement) { $0.message(1) { $0.commit(last) } }
        }
        return writer.bytes
    }

    /// Whether bytes are those of a request, which is signed for its author, or of a replacement, which is judged by its date.
    static func isOfOneCommit(_ bytes: [UInt8]) -> Bool {
        switch try? bytes.withUnsafeBytes({ try MembershipStatement($0) }) {
        case .request, .replacement: true
        default: false
        }
    }

    /// Reads a statement; nil if it is of a kind, or names a role, that this version does not know. Throws `WireError`
    /// if it is malformed.
    init?(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var found: MembershipStatement?
        while let field = try reader.next() {
            // Two statements in one message are invalid.
            guard found == nil, (Field.grant...Field.void).contains(field.number) || field.number == Field.replacement
            else { return nil }
            let message = try reader.bytes(field)
            found =
                switch field.number {
                case Field.grant: try Self.grant(message)
                case Field.revocation: try Self.revocation(message)
                case Field.invitation: try Self.invitation(message)
                case Field.withdrawal: try Self.key(message).map { .withdrawal($0) }
                case Field.request: try Self.request(message)
                case Field.void: try Self.void(message)
                default: try Self.replacement(message)
                }
            if found == nil { return nil }
        }
        guard let found else { return nil }
        self = found
    }

    private static func grant(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> MembershipStatement? {
        var (replica, role, invitation): (ReplicaID?, MemberRole?, [UInt8]?) = (nil, nil, nil)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 2: role = MemberRole(number: UInt8(clamping: try reader.varint(field)))
            case 3: invitation = [UInt8](try reader.bytes(field, count: 32))
            default: try reader.skip(field)
            }
        }
        guard let replica, let role else { return nil }
        return .grant(replica, role, invitation: invitation)
    }

    private static func revocation(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> MembershipStatement? {
        var replica: ReplicaID?
        var cut: Set<CommitID> = []
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 2: if let commit = try CommitID(message: try reader.bytes(field)) { cut.insert(commit) }
            default: try reader.skip(field)
            }
        }
        guard let replica, cut.count <= mostCuts else { return nil }
        return .revocation(replica, cut: cut)
    }

    private static func invitation(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> MembershipStatement? {
        var (key, role, expiry, uses): ([UInt8]?, MemberRole?, Int64?, UInt64) = (nil, nil, nil, 1)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: key = [UInt8](try reader.bytes(field, count: 32))
            case 2: role = MemberRole(number: UInt8(clamping: try reader.varint(field)))
            case 3: expiry = try reader.signed(field)
            case 4: uses = try reader.varint(field)
            default: try reader.skip(field)
            }
        }
        guard let key, let role else { return nil }
        return .invitation(Invitation(key: key, role: role, expiry: expiry, uses: Int(clamping: uses)))
    }

    private static func key(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [UInt8]? {
        var key: [UInt8]?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 {
                key = [UInt8](try reader.bytes(field, count: 32))
            } else {
                try reader.skip(field)
            }
        }
        return key
    }

    private static func request(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> MembershipStatement? {
        var (invitation, signature): ([UInt8]?, [UInt8]?) = (nil, nil)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: invitation = [UInt8](try reader.bytes(field, count: 32))
            case 2: signature = [UInt8](try reader.bytes(field, count: 64))
            default: try reader.skip(field)
            }
        }
        guard let invitation, let signature else { return nil }
        return .request(MembershipRequest(invitation: invitation, signature: signature))
    }

    private static func void(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> MembershipStatement? {
        var commit: CommitID?
        var isVoid = true
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: commit = try CommitID(message: try reader.bytes(field))
            case 2: isVoid = try reader.varint(field) == 0
            default: try reader.skip(field)
            }
        }
        return commit.map { .void($0, isVoid: isVoid) }
    }

    private static func replacement(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> MembershipStatement? {
        var last: CommitID?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 {
                last = try CommitID(message: try reader.bytes(field))
            } else {
                try reader.skip(field)
            }
        }
        return last.map { .replacement($0) }
    }
}

extension CommitID {
    /// From the message `CommitName`; nil if it lacks a part.
    init?(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var (replica, sequence, hash): (ReplicaID?, UInt64, Digest?) = (nil, 0, nil)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 2: sequence = try reader.varint(field)
            case 3: hash = Digest(try reader.bytes(field, count: Digest.size))
            default: try reader.skip(field)
            }
        }
        guard let replica, sequence > 0, sequence < 1 << 63, let hash else { return nil }
        self.init(replica: replica, sequence: SequenceNumber(sequence), hash: hash)
    }
}

extension WireWriter {
    mutating func commit(_ commit: CommitID) {
        bytes(1, commit.replica.bytes)
        varint(2, commit.sequence.rawValue)
        bytes(3, commit.hash.bytes)
    }
}
