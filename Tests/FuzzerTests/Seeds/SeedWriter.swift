import Foundation
import TestSupport

@testable import EventLog
@testable import Events
@testable import LMDB
@testable import LogExchange

/// Writes a corpus for each fuzzer, a folder of small files, and `FOLDER/large/NAME` for inputs that are tried once:
/// `FOLDER --bundle FILE… --export FILE… --dump FILE… --calendar FILE… --table FILE…`.
struct SeedWriter {
    private let folder: String
    private var bundles: [String] = []
    private var exports: [String] = []
    private var dumps: [String] = []
    private var calendars: [String] = []
    private var tables: [String] = []

    init(_ arguments: [String]) throws {
        guard let folder = arguments.first else { throw FuzzError("seeds: name a folder.") }
        self.folder = folder
        var kind = ""
        for argument in arguments.dropFirst() {
            switch (argument, kind) {
            case ("--bundle", _), ("--export", _), ("--dump", _), ("--calendar", _), ("--table", _): kind = argument
            case (_, "--bundle"): bundles.append(argument)
            case (_, "--export"): exports.append(argument)
            case (_, "--dump"): dumps.append(argument)
            case (_, "--calendar"): calendars.append(argument)
            case (_, "--table"): tables.append(argument)
            default:
                throw FuzzError(
                    "seeds: '\(argument)' follows none of --bundle, --export, --dump, --calendar and --table.")
            }
        }
    }

    func write() throws {
        for path in bundles { try writeBundle(path) }
        for path in exports { try writeExport(path) }
        for path in dumps { try writeDump(path) }
        for path in calendars {
            try add([UInt8](Data(contentsOf: URL(fileURLWithPath: path))), to: CalendarFuzzer.self)
        }
        if !calendars.isEmpty { try writeRules() }
        for path in tables {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            for mapping in UInt8(0)..<2 { try add([mapping] + bytes, to: TableFuzzer.self) }
        }
        try writePatches()
        for (kind, name, bytes) in LargeInputs.all() {
            let place = URL(fileURLWithPath: folder).appendingPathComponent("large/\(kind.name)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(bytes).write(to: place.appendingPathComponent(name))
        }
    }

    /// Rules that have few days and take long to follow.
    private func writeRules() throws {
        let many = { (number: String) in Array(repeating: number, count: 300).joined(separator: ",") }
        let rules = [
            "FREQ=YEARLY;BYMONTH=\(many("1"));BYDAY=\(many("5MO"))", "FREQ=YEARLY;BYDAY=53MO",
            "FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2",
        ]
        for (number, rule) in rules.enumerated() {
            try add(LargeInputs.calendar([LargeInputs.rule(number, rule)]), to: CalendarFuzzer.self)
        }
    }

    /// Adds a file to a corpus, unless it is longer than inputs may be.
    private func add(_ bytes: [UInt8], to kind: any Fuzzer.Type) throws {
        guard bytes.count <= kind.longestInput else { return }
        var digest = DigestBuilder()
        digest.add(bytes)
        let corpus = URL(fileURLWithPath: folder).appendingPathComponent(kind.name)
        try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
        let name = digest.finish().bytes.prefix(8).hexadecimal
        try Data(bytes).write(to: corpus.appendingPathComponent(name))
    }

    private func writeDump(_ path: String) throws {
        let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        try add([0] + file, to: DumpFuzzer.self)
        for line in file.split(separator: UInt8(ascii: "\n")) { try add([1] + line, to: DumpFuzzer.self) }
    }

    private func writeBundle(_ path: String) throws {
        try add([0] + [UInt8](Data(contentsOf: URL(fileURLWithPath: path))), to: BundleFuzzer.self)
        let reader = try BundleReader(path)
        var records: [UInt8] = [1]
        var (start, contents): ([UInt8], [UInt8]) = ([], [])
        while let record = try reader.next() {
            let bytes = record.encoded()
            let before = records
            records += Self.counted(bytes)
            try add(bytes, to: WireFuzzer.self)
            switch record {
            case .header(var header):
                try writeMessages(header.frontier, header.replica)
                header.version = 2
                start = BundleRecord.header(header).encoded()
            case .segment(let segment):
                contents += UInt32(bytes.count).bigEndianBytes + bytes
                try writeSegment(segment)
            case .packed, .content, .part: continue
            case .end:
                try add(records, to: BundleFuzzer.self)
                try writeContent { try add(before + $0 + Self.counted(bytes), to: BundleFuzzer.self) }
                try writePacked(contents, from: start, to: bytes)
                return
            }
        }
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8 & 0xFF)] + bytes
    }

    /// Records of an attachment's bytes.
    private func writeContent(_ write: ([UInt8]) throws -> Void) throws {
        let part = Array("ticket".utf8)
        let leaf = part.withUnsafeBytes { ContentTree.leaf($0) }
        guard let content = ContentID(root: ContentTree.root([leaf]), size: Int64(part.count)),
            let outline = ContentOutline(content, leaves: [leaf])
        else { return }
        let records = [BundleRecord.content(outline).encoded(), BundleRecord.part(part).encoded()]
        for record in records { try add(record, to: WireFuzzer.self) }
        try write(records.flatMap(Self.counted))
    }

    /// Records in one that is packed, between others, and as a message of its own.
    private func writePacked(_ contents: [UInt8], from start: [UInt8], to end: [UInt8]) throws {
        for compression in Compression.available {
            let message = PackedMessage.pack(contents, with: compression)
            try add(message, to: MessageFuzzer.self)
            let records = [start, BundleRecord.packed(message).encoded(), end]
            let counted = records.map(Self.counted)
            try add([1] + counted.joined(), to: BundleFuzzer.self)
        }
    }

    private func writeMessages(_ frontier: Frontier, _ replica: ReplicaID) throws {
        let greeting = Greeting(
            journal: frontier.journal, replica: replica, name: "seed", clock: -5, digest: frontier.digest)
        var messages: [ExchangeMessage] = [
            .greeting(greeting), .frontierRequest, .frontier(frontier), .end(count: 3),
            .acknowledgement(Acknowledgement(replica: replica, name: "seed", frontier: frontier)),
            .failure(code: "malformed", message: "It was cut off."),
        ]
        if let journal = frontier.journal {
            messages.append(
                .segmentRequest(SegmentRequest(journal: journal, wanted: frontier.heads, held: frontier.heads)))
            messages.append(.formerRequest)
        }
        for message in messages { try add(message.encoded(), to: MessageFuzzer.self) }
        var peer = PeerRecord(replica: replica, name: "seed", acknowledged: frontier)
        peer.lastExchange = 1
        peer.lastError = "cut"
        try add(peer.encoded(), to: MessageFuzzer.self)
    }

    private func writeSegment(_ segment: LineSegment) throws {
        try add(ExchangeMessage.segments([segment]).encoded(), to: MessageFuzzer.self)
        let short = LineSegment(
            journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
            commits: Array(segment.commits.prefix(1)), signature: segment.signature)
        try add(ExchangeMessage.segments([short, short]).encoded(), to: MessageFuzzer.self)
        for commit in segment.commits.prefix(40) { try writeCommit(commit) }
    }

    private func writeCommit(_ bytes: [UInt8]) throws {
        try add(bytes, to: CommitFuzzer.self)
        let (header, payload) = try bytes.withUnsafeBytes { raw in
            let commit = try CommitView(raw)
            return (commit.headerBytes.array, try commit.payload?.copy())
        }
        try add(header, to: CommitFuzzer.self)
        try add(header, to: WireFuzzer.self)
        guard var payload else { return }
        // A few events of a large commit are enough.
        payload.events = Array(payload.events.prefix(4))
        let short = payload.encoded()
        try add(short, to: CommitFuzzer.self)
        try add(short, to: WireFuzzer.self)
        var named = payload
        named.appendID = AppendID(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        try add(named.encoded(), to: CommitFuzzer.self)
        var record = EntityRecord()
        for (index, event) in payload.events.enumerated() {
            let time = Timestamp(milliseconds: UInt64(index + 1), counter: 0)
            record.apply(
                event, index: index,
                stamp: Stamp(
                    timestamp: time, replica: ReplicaID(publicKey: []), hash: Digest(words: (UInt64(index), 0, 0, 0))))
        }
        try add(record.encoded(), to: CommitFuzzer.self)
    }

    /// A few records of each list: the rest is like them.
    private func writeExport(_ path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw FuzzError("\(path) is no export.")
        }
        for count in [1, 3] {
            let short = whole.mapValues { value in (value as? [Any]).map { Array($0.prefix(count)) } ?? value }
            for options in [JSONSerialization.WritingOptions.sortedKeys, [.sortedKeys, .prettyPrinted]] {
                let text = try JSONSerialization.data(withJSONObject: short, options: options)
                try add([UInt8](text), to: ExportFuzzer.self)
            }
        }
    }

    private func writePatches() throws {
        for kind in UInt8(0)..<4 {
            let nothing: [UInt8] = [kind]
            let patch: [UInt8] = [kind, 2, 16, 0, 1, 4, 0]
            for input in [nothing, patch] {
                try add(input, to: WriteAheadFuzzer.self)
                try add(input, to: DataFileFuzzer.self)
            }
        }
        // Changes of a write-ahead file: one put, one deleted.
        let put: [UInt8] = [1, 4] + Array("rows".utf8) + [1, 0, 0, 0, 9, 2, 0, 0, 0, 5, 6]
        let delete: [UInt8] = [2, 4] + Array("rows".utf8) + [8, 0, 0, 0] + UInt64(3).bigEndianBytes
        for changes in [put, delete, put + delete] {
            try add([3, UInt8(changes.count), 0] + changes + [UInt8(put.count), 0] + put, to: WriteAheadFuzzer.self)
        }
        // Offsets that matter in a meta page and in the head of a page.
        for block in UInt8(0)..<6 {
            for offset in [10, 12, 14, 16, 24, 32, 40, 48, 80, 88, 128, 136, 144] as [UInt8] {
                try add([3, block, offset, 0, 0, 1], to: DataFileFuzzer.self)
            }
        }
    }
}
