import Events

/// One statement about erasing, in a signed commit: a fact that every replica judges alike.
package enum ErasingStatement: Hashable, Sendable {
    /// Erases a payload, or leaves of it; and, of the entities that it names as wholes, what arrives later from authors
    /// who had not seen it. What arrived late is erased with `causes`, the commits that state the erasures which its
    /// author had not seen: it stays erased as long as one of these stands.
    case erasure(Erasure, naming: [ErasedName] = [], causes: [CommitID] = [])
    /// Takes back what was erased of a commit: all of it, or some leaves.
    case takeBack(CommitID, ErasedLeaves)
    /// After how many days the bytes go that an admin erases of what others wrote.
    case period(days: Int)

    /// The most bytes of a cause.
    static let causeBytes = 64

    private enum Field {
        static let erasure: UInt32 = 1
        static let takeBack: UInt32 = 2
        static let period: UInt32 = 3
    }

    /// The message `ErasingStatement`.
    package func encoded() -> [UInt8] {
        var writer = WireWriter()
        switch self {
        case .erasure(let erasure, let names, let causes):
            writer.message(Field.erasure) { message in
                message.bytes(1, erasure.bytes)
                for name in names where name.field == nil { message.bytes(2, name.entity.valueBytes) }
                for name in names {
                    if let field = name.field { message.bytes(3, name.entity.valueBytes + field.bigEndianBytes) }
                }
                for cause in causes { message.message(4) { $0.commit(cause) } }
            }
        case .takeBack(let commit, let leaves):
            writer.message(Field.takeBack) { message in
                message.message(1) { $0.commit(commit) }
                if case .some(let leaves) = leaves { message.bytes(2, leaves.encoded()) }
            }
        case .period(let days): writer.message(Field.period) { $0.varint(1, UInt64(clamping: days)) }
        }
        return writer.bytes
    }

    /// Reads a statement; nil if it is of a kind that this version does not know, or lacks a part. Throws `WireError`
    /// if it is malformed.
    init?(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var found: ErasingStatement?
        while let field = try reader.next() {
            // Two statements in one message are invalid.
            guard found == nil, (Field.erasure...Field.period).contains(field.number) else { return nil }
            let message = try reader.bytes(field)
            found =
                switch field.number {
                case Field.erasure: try Self.erasure(message)
                case Field.takeBack: try Self.takeBack(message)
                default: try Self.period(message)
                }
            if found == nil { return nil }
        }
        guard let found else { return nil }
        self = found
    }

    private static func erasure(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ErasingStatement? {
        var erasure: Erasure?
        var (entities, fields): ([ErasedName], [ErasedName]) = ([], [])
        var causes: [CommitID] = []
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: erasure = try Erasure([UInt8](try reader.bytes(field)))
            case 2:
                if let entity = EntityReference(value: try reader.bytes(field)) { entities.append(ErasedName(entity)) }
            case 3:
                let bytes = try reader.bytes(field)
                guard bytes.count == 26, let entity = EntityReference(value: bytes.part(0..<18)) else { continue }
                fields.append(ErasedName(entity, field: bytes.bigEndian(UInt64.self, at: 18)))
            case 4:
                // Without a cause that it names it would erase for longer than it says.
                guard let cause = try CommitID(message: try reader.bytes(field)) else { return nil }
                causes.append(cause)
            default: try reader.skip(field)
            }
        }
        return erasure.map { .erasure($0, naming: entities + fields, causes: causes) }
    }

    private static func takeBack(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ErasingStatement? {
        var commit: CommitID?
        var leaves = ErasedLeaves.all
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: commit = try CommitID(message: try reader.bytes(field))
            case 2: leaves = .some(try LeafSet(try reader.bytes(field)))
            default: try reader.skip(field)
            }
        }
        return leaves == .none ? nil : commit.map { .takeBack($0, leaves) }
    }

    private static func period(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ErasingStatement? {
        var days: UInt64 = 0
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { days = try reader.varint(field) } else { try reader.skip(field) }
        }
        return .period(days: Int(clamping: days))
    }
}

extension EntityReference {
    /// From a value that refers to an entity: its kind, then its id; nil for another count of bytes.
    init?(value bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 18 else { return nil }
        self.init(kind: EntityKind(rawValue: bytes.bigEndian(UInt16.self)), id: bytes.part(from: 2).uuid())
    }

    /// The value that refers to it.
    var valueBytes: [UInt8] { kind.rawValue.bigEndianBytes + bytes.prefix(16) }
}
