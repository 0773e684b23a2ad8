import EventLog
public import Events

/// The record of a peer in a `PeerBook`.
public struct PeerRecord: Sendable, Hashable {
    public var replica: ReplicaID
    /// The device's name, for people.
    public var name: String
    /// When the first exchange succeeded, milliseconds since 1970; nil if none did.
    public internal(set) var firstExchange: Int64?
    /// When the last exchange succeeded, milliseconds since 1970; nil if none did.
    public var lastExchange: Int64?
    /// The frontier that the peer said it holds durably.
    public var acknowledged: Frontier
    /// When the last exchange was attempted, milliseconds since 1970.
    public var lastTried: Int64?
    /// Why the last exchange failed, and what to do; nil if it did not.
    public var lastError: String?
    /// Commits of which bytes were missing here and there as well, after the last exchange that told.
    public internal(set) var lacksToo: Set<Digest> = []
    /// Commits that it was sent and did not show afterwards, as in the last exchange, and when each was first sent so, milliseconds since 1970.
    var unacknowledged: [CommitID: Int64] = [:]

    init(replica: ReplicaID, name: String = "", acknowledged: Frontier = .empty) {
        self.replica = replica
        self.name = name
        self.acknowledged = acknowledged
    }

    func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 128 + 80 * acknowledged.heads.count)
        writer.bytes(1, replica.bytes)
        if !name.isEmpty { writer.string(2, name) }
        if let lastExchange { writer.signed(3, lastExchange) }
        writer.message(4) { acknowledged.write(to: &$0) }
        if let lastTried { writer.signed(5, lastTried) }
        if let lastError { writer.string(6, lastError) }
        if let firstExchange { writer.signed(7, firstExchange) }
        for commit in lacksToo.sorted() { writer.bytes(8, commit.bytes) }
        for (commit, time) in unacknowledged.sorted(by: { $0.key < $1.key }) {
            writer.message(9) { writer in
                writer.message(1) { commit.write(to: &$0) }
                writer.signed(2, time)
            }
        }
        return writer.finish()
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var replica: ReplicaID?
        var name = ""
        var acknowledged = Frontier.empty
        while let field = try reader.next() {
            switch field.number {
            case 1: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 2: name = try reader.string(field)
            case 3: lastExchange = try reader.signed(field)
            case 4: acknowledged = try Frontier(try reader.bytes(field))
            case 5: lastTried = try reader.signed(field)
            case 6: lastError = try reader.string(field)
            case 7: firstExchange = try reader.signed(field)
            case 8: if let hash = Digest(try reader.bytes(field, count: Digest.size)) { lacksToo.insert(hash) }
            case 9:
                let (commit, time) = try Self.unacknowledged(try reader.bytes(field))
                unacknowledged[commit] = time
            default: try reader.skip(field)
            }
        }
        guard let replica else { throw WireError("a record of a peer lacks its replica") }
        self.replica = replica
        self.name = name
        self.acknowledged = acknowledged
    }

    private static func unacknowledged(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> (CommitID, Int64) {
        var reader = WireReader(bytes)
        var (commit, time): (CommitID?, Int64?)
        while let field = try reader.next() {
            switch field.number {
            case 1: commit = try CommitID(message: try reader.bytes(field))
            case 2: time = try reader.signed(field)
            default: try reader.skip(field)
            }
        }
        guard let commit, let time else {
            throw WireError("a commit that a peer did not show lacks its name or its time")
        }
        return (commit, time)
    }
}
