import EventLog
import Events
import Foundation

/// Consecutive commits of a line in a file of a `PartFolder`, with their erasures.
///
/// The file is a sequence of records, each a field 1 with the fields 5 and 7 of the message `Segment`. A record that was cut off is ignored.
struct KeptRun {
    /// The name of a file, which says what its first commit follows.
    struct Name {
        let journal: JournalID
        let replica: ReplicaID
        let first: SequenceNumber
        let previous: Digest

        /// Nil for a file with anything else, or of another journal.
        init?(_ file: PartFolder.File, _ journal: JournalID) {
            guard file.name.hasPrefix(KeptRun.prefix(journal)) else { return nil }
            let fields = file.name.dropFirst(KeptRun.prefix(journal).count).split(separator: "-").map(String.init)
            guard fields.count == 3, let replica = ReplicaID(fields[0]), let first = UInt64(fields[1]),
                (1..<1 << 62).contains(first),
                let previous = Digest(fields[2])
            else { return nil }
            (self.journal, self.replica, self.first) = (journal, replica, SequenceNumber(first))
            self.previous = previous
        }
    }

    static func prefix(_ journal: JournalID) -> String { "run-\(journal)-" }

    let file: PartFolder.File
    let name: Name
    /// The names of its commits, in order.
    private(set) var names: [CommitID] = []
    /// The bytes of its whole records.
    private(set) var size = 0
    /// Whether the commits have all of their bytes, and no erasures. Others prove nothing: their sender may have left bytes out, or invented
    /// the erasures.
    private(set) var isComplete = true

    /// The commit before it; nil if it begins with commit 1.
    var before: CommitID? {
        guard name.first.rawValue > 1 else { return nil }
        return CommitID(
            replica: name.replica, sequence: SequenceNumber(name.first.rawValue - 1), hash: name.previous)
    }

    /// Nil if the file has no commits. Each is checked as when it came: after a power cut the file may hold anything, and two sessions of a
    /// peer may write it at once. The run ends before the first record with a wrong one.
    init?(_ file: PartFolder.File, _ name: Name, _ folder: PartFolder) {
        self.file = file
        self.name = name
        guard let data = folder.read(file) else { return nil }
        var (isComplete, last) = (true, name.previous)
        size = Self.forEachRecord(in: data) { commits, erasures in
            var (found, isWhole) = ([CommitID](), erasures.isEmpty)
            for bytes in commits {
                let sequence = SequenceNumber(name.first.rawValue + UInt64(names.count + found.count))
                guard names.count + found.count < LineSegment.largestCommitCount, let commit = try? CommitView(bytes),
                    let hash = commit.hash(as: sequence, of: name.replica, in: name.journal, after: last)
                else { return false }
                isWhole = isWhole && commit.isWhole
                last = hash
                found.append(CommitID(replica: name.replica, sequence: sequence, hash: hash))
            }
            names += found
            isComplete = isComplete && isWhole
            return true
        }
        self.isComplete = isComplete
        guard !names.isEmpty else { return nil }
    }

    /// Some of its commits, and their erasures; nil if they cannot be read.
    func part(_ range: ClosedRange<SequenceNumber>, _ folder: PartFolder) -> (commits: [[UInt8]], erasures: [[UInt8]])?
    {
        guard let data = folder.read(file) else { return nil }
        var found: (commits: [[UInt8]], erasures: [[UInt8]]) = ([], [])
        var sequence = name.first
        _ = Self.forEachRecord(in: data) { commits, erasures in
            for commit in commits {
                if range.contains(sequence) { found.commits.append([UInt8](commit)) }
                sequence = sequence.next
            }
            found.erasures += erasures.map { [UInt8]($0) }.filter {
                LineSegment.sequence(ofErasure: $0).map(range.contains) ?? false
            }
            return sequence <= range.upperBound
        }
        let count = range.upperBound.rawValue - range.lowerBound.rawValue + 1
        return found.commits.count == count ? found : nil
    }

    /// A record with the commits and erasures of a part.
    static func record(_ part: LineSegment) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: part.byteCount + 64)
        writer.message(1) {
            for commit in part.commits { $0.bytes(5, commit) }
            for erasure in part.erasures { $0.bytes(7, erasure) }
        }
        return writer.finish()
    }

    /// Passes the commits and the erasures of each record to `body`, until it returns false. Returns the bytes of the records for which it
    /// returned true.
    private static func forEachRecord(
        in data: Data, _ body: ([UnsafeRawBufferPointer], [UnsafeRawBufferPointer]) -> Bool
    ) -> Int {
        data.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            var size = 0
            while let field = try? reader.next(), field.number == 1, let record = try? reader.bytes(field) {
                var inner = WireReader(record)
                var (commits, erasures): ([UnsafeRawBufferPointer], [UnsafeRawBufferPointer]) = ([], [])
                while let field = try? inner.next(), let value = try? inner.bytes(field) {
                    if field.number == 5 { commits.append(value) } else { erasures.append(value) }
                }
                guard inner.isAtEnd, body(commits, erasures) else { break }
                size = reader.offset
            }
            return size
        }
    }
}

extension CommitView {
    /// Its hash if it is the commit with a number of a replica, and its payload matches; else nil.
    func hash(
        as sequence: SequenceNumber, of replica: ReplicaID, in journal: JournalID, after previous: Digest
    ) -> Digest? {
        guard header.journal == journal, header.replica == replica, header.sequence == sequence, payloadMatches else {
            return nil
        }
        return hash(after: previous)
    }
}
