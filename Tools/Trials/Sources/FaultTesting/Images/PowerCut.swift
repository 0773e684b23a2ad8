import Foundation
import LMDB
import TripStoreTestSupport

/// Draws what a power cut leaves of a recorded medium, and writes it into a folder.
///
/// Each write that was not synced is there or not, in blocks of 4,096 bytes, some of them torn at 512; so are names and
/// sizes.
struct PowerCut {
    private static let block = 4096
    private static let sector = 512

    /// The probability that unsynced data is there.
    private let names: Double
    private let sizes: Double
    private let blocks: Double
    private let isTearing: Bool
    private var random: SeededRandom

    /// Often the extremes: code is written for them, or is not.
    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let likelihoods = [0, 0, 0.1, 0.5, 0.5, 0.9, 1, 1]
        names = likelihoods.randomElement(using: &random) ?? 0
        sizes = likelihoods.randomElement(using: &random) ?? 0
        blocks = likelihoods.randomElement(using: &random) ?? 0
        isTearing = Bool.random(using: &random)
    }

    var description: String {
        "names \(names), sizes \(sizes), blocks \(blocks)\(isTearing ? ", torn" : "")"
    }

    /// Writes an image of a medium, with an unfinished write if there is one. Returns which files are which.
    mutating func write(
        _ medium: RecordedMedium, uncommitted: (file: RecordedFile, change: RecordedFile.Change)?, to path: String
    ) throws -> FileOrigins {
        var entries: [ObjectIdentifier: [String: RecordedFile]] = [:]
        for change in medium.pendingNames where happens(names) {
            for part in change.parts {
                entries[ObjectIdentifier(part.folder), default: part.folder.syncedEntries][part.name] = part.file
            }
        }
        var marks = FileOrigins()
        try write(medium.root, entries, uncommitted, to: path, &marks)
        return marks
    }

    private mutating func write(
        _ folder: RecordedFile, _ entries: [ObjectIdentifier: [String: RecordedFile]],
        _ uncommitted: (file: RecordedFile, change: RecordedFile.Change)?, to path: String, _ marks: inout FileOrigins
    ) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let present = entries[ObjectIdentifier(folder)] ?? folder.syncedEntries
        // In an order that the seed alone decides.
        for (name, file) in present.sorted(by: { $0.key < $1.key }) {
            let inside = path + "/" + name
            if file.isFolder {
                try write(file, entries, uncommitted, to: inside, &marks)
                continue
            }
            let contents = contents(of: file, uncommitted.flatMap { $0.file === file ? $0.change : nil })
            let created = FileManager.default.createFile(
                atPath: inside, contents: Data(contents), attributes: [.posixPermissions: 0o600])
            guard created else { throw FaultTestingError("\(inside) could not be written. Is there room?") }
            marks.set(file.mark, of: inside)
        }
    }

    private mutating func contents(of file: RecordedFile, _ uncommitted: RecordedFile.Change?) -> [UInt8] {
        var contents = file.synced
        for change in file.pending + (uncommitted.map { [$0] } ?? []) {
            guard let bytes = change.bytes else {
                if happens(sizes) { resize(&contents, to: change.offset) }
                continue
            }
            write(bytes, at: change.offset, &contents)
            if happens(sizes), contents.count < change.offset + bytes.count {
                resize(&contents, to: change.offset + bytes.count)
            }
        }
        // Data beyond the old size may have been written before the new size was.
        if contents.count > file.synced.count, !happens(sizes) { resize(&contents, to: file.synced.count) }
        return contents
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int, _ contents: inout [UInt8]) {
        func part(_ start: Int, _ end: Int) -> ArraySlice<UInt8> {
            bytes[(bytes.startIndex + start - offset)..<(bytes.startIndex + end - offset)]
        }
        var start = offset
        let end = offset + bytes.count
        while start < end {
            let next = min(end, (start / Self.block + 1) * Self.block)
            let isThere = happens(blocks)
            if isTearing, Int.random(in: 0..<8, using: &random) == 0 {
                var torn = start
                while torn < next {
                    let tornEnd = min(next, (torn / Self.sector + 1) * Self.sector)
                    if Bool.random(using: &random) { contents.write(part(torn, tornEnd), at: torn) }
                    torn = tornEnd
                }
            } else if isThere {
                contents.write(part(start, next), at: start)
            }
            start = next
        }
    }

    private mutating func happens(_ likelihood: Double) -> Bool {
        likelihood > 0 && Double.random(in: 0..<1, using: &random) < likelihood
    }
}
