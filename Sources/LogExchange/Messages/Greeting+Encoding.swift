import EventLog
import Events

extension Greeting {
    func write(to writer: inout WireWriter) {
        writer.varint(1, UInt64(version))
        if let journal { writer.bytes(2, journal.bytes) }
        writer.bytes(3, replica.bytes)
        if !name.isEmpty { writer.string(4, name) }
        if let clock { writer.signed(5, clock) }
        writer.bytes(6, digest.bytes)
        if !isWritable { writer.varint(7, 1) }
        if let request {
            writer.bytes(11, request.invitation)
            writer.bytes(12, request.signature)
        }
        for handover in handovers { writer.message(13) { handover.write(to: &$0) } }
        if let holes { writer.bytes(14, holes.bytes) }
        if let held { writer.message(15) { held.write(to: &$0) } }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var replica: ReplicaID?
        var digest: Digest?
        var (invitation, signature): ([UInt8]?, [UInt8]?) = (nil, nil)
        var greeting = Greeting(
            version: 0, journal: nil, replica: ReplicaID(publicKey: []), name: "", clock: nil, digest: .zero)
        while let field = try reader.next() {
            switch field.number {
            case 1: greeting.version = try reader.uint32(field)
            case 2: greeting.journal = JournalID(try reader.uuid(field))
            case 3: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 4: greeting.name = try reader.string(field)
            case 5: greeting.clock = try reader.signed(field)
            case 6: digest = Digest(try reader.bytes(field, count: Digest.size))
            case 7: greeting.isWritable = try reader.varint(field) == 0
            case 11: invitation = [UInt8](try reader.bytes(field, count: 32))
            case 12: signature = [UInt8](try reader.bytes(field, count: 64))
            case 13:
                greeting.handovers.append(try RoleHandover(message: try reader.bytes(field)))
                guard greeting.handovers.count <= RoleHandover.longestChain else {
                    throw WireError("a greeting has over \(RoleHandover.longestChain) handovers")
                }
            case 14: greeting.holes = Digest(try reader.bytes(field, count: Digest.size))
            case 15: greeting.held = try HeldParts(message: try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let replica, let digest else { throw WireError("a greeting lacks its replica or its digest") }
        greeting.replica = replica
        if let invitation, let signature {
            greeting.request = MembershipRequest(invitation: invitation, signature: signature)
        }
        greeting.digest = digest
        self = greeting
    }
}

extension RoleHandover {
    func write(to writer: inout WireWriter) {
        writer.bytes(1, formerKey)
        writer.bytes(2, successorKey)
        writer.bytes(3, signature)
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var (formerKey, successorKey, signature): ([UInt8]?, [UInt8]?, [UInt8]?) = (nil, nil, nil)
        while let field = try reader.next() {
            switch field.number {
            case 1: formerKey = [UInt8](try reader.bytes(field, count: 32))
            case 2: successorKey = [UInt8](try reader.bytes(field, count: 32))
            case 3: signature = [UInt8](try reader.bytes(field, count: 64))
            default: try reader.skip(field)
            }
        }
        guard let formerKey, let successorKey, let signature else {
            throw WireError("a handover lacks a key or its signature")
        }
        self.init(formerKey: formerKey, successorKey: successorKey, signature: signature)
    }
}

extension SegmentRequest {
    func write(to writer: inout WireWriter) {
        writer.bytes(1, journal.bytes)
        for head in wanted { writer.message(2) { head.write(to: &$0) } }
        for commit in held { writer.message(3) { commit.write(to: &$0) } }
        if let parts { writer.message(4) { parts.write(to: &$0) } }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var journal: JournalID?
        var (wanted, held): ([CommitID], [CommitID]) = ([], [])
        var parts: HeldParts?
        while let field = try reader.next() {
            switch field.number {
            case 1: journal = JournalID(try reader.uuid(field))
            case 2: wanted.append(try CommitID(message: try reader.bytes(field)))
            case 3: held.append(try CommitID(message: try reader.bytes(field)))
            case 4: parts = try HeldParts(message: try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let journal else { throw WireError("a request lacks its journal") }
        self.init(journal: journal, wanted: wanted, held: held)
        self.parts = parts
    }
}

extension Acknowledgement {
    func write(to writer: inout WireWriter) {
        writer.bytes(1, replica.bytes)
        if !name.isEmpty { writer.string(2, name) }
        writer.message(3) { frontier.write(to: &$0) }
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var replica: ReplicaID?
        var name = ""
        var frontier = Frontier.empty
        while let field = try reader.next() {
            switch field.number {
            case 1: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 2: name = try reader.string(field)
            case 3: frontier = try Frontier(try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let replica else { throw WireError("an acknowledgement lacks its replica") }
        self.init(replica: replica, name: name, frontier: frontier)
    }
}
