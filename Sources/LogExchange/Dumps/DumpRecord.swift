package import EventLog
package import Events

/// What a line of a dump says.
package enum DumpRecord: Sendable {
    case beginning(DumpHeader)
    /// The commits of a segment follow, a line each.
    case segment(DumpedSegment)
    case commit(DumpObject)
    /// How many segments and commits came before.
    case end(segments: UInt64, commits: UInt64)
    /// A type that another version of the format has.
    case unknown

    /// Reads a line.
    init(_ line: [UInt8], passingOver names: PassedOver) throws(DumpError) {
        let object = try DumpLineParser.object(line, passingOver: names)
        switch try object.text("type") {
        case "dump": self = .beginning(try DumpHeader(object))
        case "segment": self = .segment(try DumpedSegment(object))
        case "commit": self = .commit(object)
        case "end":
            self = .end(segments: try object.integer("segments"), commits: try object.integer("commits"))
        default: self = .unknown
        }
    }
}

/// The first line of a dump.
package struct DumpHeader: Sendable, Hashable {
    /// The newest version of the format, which is written.
    package static let currentVersion = 1
    /// The most bytes of a line.
    package static let longestLine = DumpLines.longestLine

    package let journal: JournalID
    /// The replica that wrote it, and its device's name.
    package let replica: ReplicaID
    package let name: String
    /// When it was written, milliseconds since 1970.
    package let created: Int64
    package let frontier: Frontier

    init(_ object: DumpObject) throws(DumpError) {
        let version: Int = try object.integer("version", in: 1...Int(Int32.max))
        guard version <= Self.currentVersion else {
            throw DumpError(
                .newerVersion,
                "the dump has version \(version), and \(Self.currentVersion) is the newest that is known here",
                column: object["version"]?.column)
        }
        journal = try object.parsed("journal", "a UUID") { JournalID($0) }
        replica = try object.parsed("replica", "32 hexadecimal digits") { ReplicaID($0) }
        name = try object.text("name")
        created = try object.integer("created")
        var heads: [CommitID] = []
        for head in try object.objects("frontier") { heads.append(try CommitID(head)) }
        guard heads.count <= Frontier.mostHeads else {
            throw DumpError(
                .dumpTooLarge, "the frontier has over \(Frontier.mostHeads) heads", column: object["frontier"]?.column)
        }
        frontier = Frontier(journal: journal, heads: heads)
    }
}

/// The line before those of a segment's commits.
package struct DumpedSegment: Sendable {
    let replica: ReplicaID
    let first: SequenceNumber
    let previous: Digest
    let count: Int
    let signature: [UInt8]
    let erasures: [[UInt8]]

    init(_ object: DumpObject) throws(DumpError) {
        replica = try object.parsed("replica", "32 hexadecimal digits") { ReplicaID($0) }
        first = SequenceNumber(try object.integer("first", in: 1...UInt64(1) << 62 - 1))
        previous = try object.parsed("previous", "64 hexadecimal digits") { Digest($0) }
        count = try object.integer("commits", in: 1...LineSegment.largestCommitCount)
        signature = try object.bytes("signature", atMost: 64)
        guard signature.count == 64 else { throw object.missing("signature", "64 bytes in base64") }
        erasures = try object.lists(ofBytes: "erasures", atMost: LineSegment.largestErasureBytes)
    }

    /// The segment with its commits' bytes.
    func segment(of journal: JournalID, _ commits: [[UInt8]]) -> LineSegment {
        LineSegment(
            journal: journal, replica: replica, first: first, previous: previous, commits: commits,
            signature: signature,
            erasures: erasures)
    }
}

extension CommitID {
    /// What an object with the members `replica`, `sequence` and `hash` names.
    package init(_ object: DumpObject) throws(DumpError) {
        self.init(
            replica: try object.parsed("replica", "32 hexadecimal digits") { ReplicaID($0) },
            sequence: SequenceNumber(try object.integer("sequence", in: 1...UInt64(1) << 62 - 1)),
            hash: try object.parsed("hash", "64 hexadecimal digits") { Digest($0) })
    }
}
