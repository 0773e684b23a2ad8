public import Foundation

/// What a commit says: who, why, and what happened.
public struct Payload: Hashable, Sendable {
    /// Who is said to have written it: a claim of the device, not a proof.
    public var author: String
    /// What led to this commit, as the app names it.
    public var causation: UUID?
    /// The piece of work to which this commit belongs, as the app names it.
    public var correlation: UUID?
    public var events: [Event]
    /// In a replica's first commit: its key and the name of its device.
    public var introduction: Introduction?

    public init(
        author: String = "", causation: UUID? = nil, correlation: UUID? = nil, events: [Event] = [],
        introduction: Introduction? = nil
    ) {
        self.author = author
        self.causation = causation
        self.correlation = correlation
        self.events = events
        self.introduction = introduction
    }

    /// How a replica presents itself.
    public struct Introduction: Hashable, Sendable {
        /// An Ed25519 public key, 32 bytes.
        public var publicKey: [UInt8]
        /// The device's name, for people.
        public var name: String
        /// The replica in whose place this one writes, if there was one: a claim, not a proof.
        public var previous: ReplicaID?
        /// Why that one writes no longer, in words.
        public var reason: String

        public init(publicKey: [UInt8], name: String, previous: ReplicaID? = nil, reason: String = "") {
            self.publicKey = publicKey
            self.name = name
            self.previous = previous
            self.reason = reason
        }
    }

    /// The message's bytes: the same for equal payloads.
    public func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 64 + events.count * 128)
        if !author.isEmpty { writer.string(1, author) }
        if let causation { writer.uuid(2, causation) }
        if let correlation { writer.uuid(3, correlation) }
        for event in events { writer.message(4) { event.write(to: &$0) } }
        if let introduction {
            writer.message(5) {
                $0.bytes(1, introduction.publicKey)
                if !introduction.name.isEmpty { $0.string(2, introduction.name) }
                if let previous = introduction.previous { $0.bytes(3, previous.bytes) }
                if !introduction.reason.isEmpty { $0.string(4, introduction.reason) }
            }
        }
        return writer.bytes
    }
}

extension Event {
    func write(to writer: inout WireWriter) {
        writer.varint(1, UInt64(verb.rawValue))
        writer.varint(2, UInt64(entity.kind.rawValue))
        writer.uuid(3, entity.id)
        for change in changes { writer.message(4) { change.write(to: &$0) } }
        if let seen { writer.fixed64(5, seen.rawValue) }
        if let seenNewest { writer.fixed64(6, seenNewest.rawValue) }
    }
}

extension Change {
    func write(to writer: inout WireWriter) {
        writer.varint(1, UInt64(path.field))
        if !path.key.isEmpty { writer.bytes(2, path.key) }
        if let value { writer.bytes(3, value) }
        if let seen { writer.fixed64(5, seen.rawValue) }
    }
}
