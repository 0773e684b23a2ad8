public import Events

/// A signed message that the payload of a commit, or leaves of it, are erased.
///
/// By itself it hides and removes nothing: it explains missing bytes. A commit of its eraser states it: see
/// `ErasingStatement`.
public struct Erasure: Hashable, Sendable {
    /// Domain separation: distinguishes this use of the key from any other.
    static let domain = Array("TripStore erasure v1\0\0\0\0\0\0\0\0".utf8)
    /// The most bytes that the message may have besides its set of leaves: room for future fields.
    static let largestFrame = 512
    /// The greatest number of a statement: the most times that one may replace others that say less.
    static let greatestNumber: UInt32 = 63

    public let journal: JournalID
    public let commit: CommitID
    /// The replica that erases: that of the key in the statement.
    public let eraser: ReplicaID
    private let eraserKey: [UInt8]
    /// The eraser's clock, in milliseconds since 1970: a claim.
    public let time: Int64
    public let leaves: ErasedLeaves
    /// 1 more than the greatest number of the statements that it replaces; 0 if there are none.
    let number: UInt32
    /// The message `Erasure`.
    public let bytes: [UInt8]
    private let statement: [UInt8]
    private let signature: [UInt8]

    private enum Field {
        static let journal: UInt32 = 1
        static let replica: UInt32 = 2
        static let sequence: UInt32 = 3
        static let hash: UInt32 = 4
        static let eraser: UInt32 = 5
        static let time: UInt32 = 6
        static let leaves: UInt32 = 7
        static let number: UInt32 = 8
    }

    /// Signs a statement.
    init(
        of leaves: ErasedLeaves, in commit: CommitID, of journal: JournalID, at time: Int64, number: UInt32 = 0,
        by eraser: ReplicaIdentity
    ) throws {
        self.journal = journal
        self.commit = commit
        self.eraser = eraser.id
        self.number = number
        eraserKey = eraser.publicKey
        self.time = time
        self.leaves = leaves
        var writer = WireWriter()
        writer.bytes(Field.journal, journal.bytes)
        writer.bytes(Field.replica, commit.replica.bytes)
        writer.varint(Field.sequence, commit.sequence.rawValue)
        writer.bytes(Field.hash, commit.hash.bytes)
        writer.bytes(Field.eraser, eraserKey)
        writer.signed(Field.time, time)
        if case .some(let leaves) = leaves { writer.bytes(Field.leaves, leaves.encoded()) }
        if number > 0 { writer.varint(Field.number, UInt64(number)) }
        statement = writer.bytes
        signature = try eraser.sign(Self.domain + statement)
        var message = WireWriter()
        message.bytes(1, statement)
        message.bytes(2, signature)
        bytes = message.bytes
    }

    /// Reads the message. Throws `WireError` if it is malformed; the signature is not checked.
    public init(_ bytes: [UInt8]) throws(WireError) {
        let (statement, signature) = try Self.parts(bytes)
        var journal: JournalID?
        var replica: ReplicaID?
        var sequence: UInt64 = 0
        var hash: Digest?
        var eraserKey: [UInt8]?
        var number: UInt32 = 0
        var time: Int64 = 0
        var leaves = ErasedLeaves.all
        let read = statement.withUnsafeBytes { raw in
            Result { () throws(WireError) in
                var reader = WireReader(raw)
                while let field = try reader.next() {
                    switch field.number {
                    case Field.journal: journal = JournalID(try reader.uuid(field))
                    case Field.replica: replica = ReplicaID(try reader.bytes(field, count: 16))
                    case Field.sequence: sequence = try reader.varint(field)
                    case Field.hash: hash = Digest(try reader.bytes(field, count: Digest.size))
                    case Field.eraser: eraserKey = [UInt8](try reader.bytes(field, count: 32))
                    case Field.time: time = try reader.signed(field)
                    case Field.leaves: leaves = .some(try LeafSet(try reader.bytes(field)))
                    case Field.number: number = try reader.uint32(field)
                    default: try reader.skip(field)
                    }
                }
            }
        }
        try read.get()
        // Without commit 1, no signature of its line could be checked.
        guard let journal, let replica, let hash, let eraserKey, sequence > 1, sequence < 1 << 63, leaves != .none
        else { throw WireError("an erasure lacks what it is of, or is of the first commit of a line") }
        guard number <= Self.greatestNumber else {
            throw WireError("an erasure has the number \(number), and \(Self.greatestNumber) is the greatest")
        }
        let frame = bytes.count - leaves.encodedCount
        guard frame <= Self.largestFrame else {
            throw WireError("an erasure has \(frame) bytes beside its leaves, and \(Self.largestFrame) are the most")
        }
        self.journal = journal
        commit = CommitID(replica: replica, sequence: SequenceNumber(sequence), hash: hash)
        self.eraserKey = eraserKey
        eraser = ReplicaID(publicKey: eraserKey)
        self.number = number
        self.time = time
        self.leaves = leaves
        self.bytes = bytes
        self.statement = statement
        self.signature = signature
    }

    /// No hash covers the message: it must be exactly its two fields.
    private static func parts(_ bytes: [UInt8]) throws(WireError) -> (statement: [UInt8], signature: [UInt8]) {
        let found = bytes.withUnsafeBytes { raw in
            Result { () throws(WireError) in
                var reader = StrictReader(raw)
                let parts = (try reader.field(1), try reader.field(2))
                guard reader.isAtEnd, parts.1.count == 64 else { throw WireError("an erasure is not its two fields") }
                return ([UInt8](parts.0), [UInt8](parts.1))
            }
        }
        return try found.get()
    }

    /// Whether the named eraser signed it.
    var isSigned: Bool { LineSignature.isValid(signature, publicKey: eraserKey, message: Self.domain + statement) }

    /// Its name: SHA-256 of its bytes.
    var digest: Digest {
        var builder = DigestBuilder()
        builder.add(bytes)
        return builder.finish()
    }
}
