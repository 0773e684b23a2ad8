package import EventLog
public import Events

/// The header record of a bundle file.
public struct BundleHeader: Sendable, Hashable {
    /// The newest file version that is read and written here.
    public static let currentVersion: UInt32 = 2

    /// 2 if records may be packed, otherwise 1.
    public internal(set) var version: UInt32 = 1
    /// The replica that wrote it, and holds all that the frontier names.
    public var replica: ReplicaID
    /// The device's name, for people.
    public var name: String
    /// When it was written, milliseconds since 1970.
    public var created: Int64
    /// The frontier that a reader must hold already; empty if the bundle is complete.
    public var since: Frontier
    /// The frontier that a reader holds after reading the bundle.
    public var frontier: Frontier

    init(replica: ReplicaID, name: String, created: Int64, since: Frontier, frontier: Frontier) {
        self.replica = replica
        self.name = name
        self.created = created
        self.since = since
        self.frontier = frontier
    }
}

/// The contents of a bundle file, in summary.
public struct BundleSummary: Sendable, Hashable {
    /// A contiguous range of a replica's commits in the file.
    package struct Line: Sendable, Hashable {
        package let replica: ReplicaID
        package let first: SequenceNumber
        package internal(set) var last: SequenceNumber
    }

    package let header: BundleHeader
    /// The ranges of the file's segments, in order; consecutive segments are joined.
    package internal(set) var lines: [Line] = []
    /// The number of segments in the file.
    package internal(set) var segments = 0
    public internal(set) var commits = 0
    public internal(set) var events = 0
    /// Bytes of the file.
    public internal(set) var fileSize = 0
    /// Bytes that the file would have without compression.
    package internal(set) var unpackedSize = 0
    /// How its records are packed: by one algorithm as a rule; empty if none is packed.
    package internal(set) var compressions: Set<Compression> = []
    /// The contents of attachments in the file, in order, whole each.
    package internal(set) var contents: [ContentID] = []
    /// Why contents that should have been written are not in the file, or not whole: damaged ones. Empty when a file is read.
    package internal(set) var leftOut: [ContentError] = []

    init(_ header: BundleHeader) { self.header = header }

    mutating func add(_ segment: LineSegment) {
        segments += 1
        commits += segment.commits.count
        events += segment.eventCount
        if let last = lines.last, last.replica == segment.replica, last.last.next == segment.first {
            lines[lines.count - 1].last = segment.last
        } else {
            lines.append(Line(replica: segment.replica, first: segment.first, last: segment.last))
        }
    }
}

/// A record of a bundle file: 4 bytes of length, most significant first, then the message.
enum BundleRecord {
    case header(BundleHeader)
    case segment(LineSegment)
    /// How many segments and commits came before: shows that a file which ends at a record boundary is complete.
    case end(segments: UInt64, commits: UInt64)
    /// The message `Packed`, with segments in it: records as they are in a file, with their lengths.
    case packed([UInt8])
    /// An attachment's bytes follow, a record for each part. Those that lack parts at the end are not in the file.
    case content(ContentOutline)
    case part([UInt8])

    static let magic = Array("TSBUNDLE".utf8)
    /// The numbers of their fields. Earlier versions wrote erasures under 4.
    private static let kinds: Set<UInt32> = [1, 2, 3, 5, 6, 7]
    static let largestRecord = LineSegment.largestMessage + 64
    /// The most bytes of records that are packed as one. Like a message between replicas: a batch and one record more.
    static let largestBlock = ExchangeMessage.largest

    func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 256)
        switch self {
        case .header(let header):
            writer.message(1) { writer in
                writer.varint(1, UInt64(header.version))
                writer.bytes(2, header.replica.bytes)
                if !header.name.isEmpty { writer.string(3, header.name) }
                writer.signed(4, header.created)
                writer.message(5) { header.since.write(to: &$0) }
                writer.message(6) { header.frontier.write(to: &$0) }
            }
        case .segment(let segment): writer.message(2) { segment.write(to: &$0) }
        case .end(let segments, let commits):
            writer.message(3) {
                $0.varint(1, segments)
                $0.varint(2, commits)
            }
        case .packed(let message): writer.bytes(5, message)
        case .content(let outline): writer.bytes(6, outline.encoded)
        case .part(let part): writer.bytes(7, part)
        }
        return writer.finish()
    }

    /// Nil for an unknown kind of record.
    init?(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var found: BundleRecord?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            guard !Self.kinds.contains(field.number) || found == nil else {
                throw WireError("a record is of several kinds, or has one twice")
            }
            switch field.number {
            case 1: found = .header(try BundleHeader(try reader.bytes(field)))
            case 2: found = .segment(try LineSegment(try reader.bytes(field)))
            case 3: found = try Self.end(try reader.bytes(field))
            case 5: found = .packed([UInt8](try reader.bytes(field)))
            case 6: found = .content(try ContentOutline(encoded: try reader.bytes(field)))
            case 7: found = .part([UInt8](try reader.bytes(field)))
            default: try reader.skip(field)
            }
        }
        guard let found else { return nil }
        self = found
    }

    private static func end(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> BundleRecord {
        var (segments, commits): (UInt64, UInt64) = (0, 0)
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: segments = try reader.varint(field)
            case 2: commits = try reader.varint(field)
            default: try reader.skip(field)
            }
        }
        return .end(segments: segments, commits: commits)
    }
}

extension BundleHeader {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var version: UInt32 = 0
        var replica: ReplicaID?
        var header = BundleHeader(
            replica: ReplicaID(publicKey: []), name: "", created: 0, since: .empty, frontier: .empty)
        while let field = try reader.next() {
            switch field.number {
            case 1: version = try reader.uint32(field)
            case 2: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 3: header.name = try reader.string(field)
            case 4: header.created = try reader.signed(field)
            case 5: header.since = try Frontier(try reader.bytes(field))
            case 6: header.frontier = try Frontier(try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let replica, version > 0 else { throw WireError("a bundle's header lacks its version or its replica") }
        header.version = version
        header.replica = replica
        self = header
    }
}
